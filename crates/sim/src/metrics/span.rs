//! When a metric looks: its window, and the line whose crossings time it.

use super::crossings::First;
use super::window::timed;
use super::{Seen, Spec, Window};
use crate::world::scenario::{Scenario, Segment};
use crowdtune_core::math::vec2;

/// A window that may go by the crossings of a line, which is then watched too.
#[derive(Debug)]
pub(super) struct Span {
    window: Window,
    line: Option<First>,
    /// People at the last sample who have yet to cross the line.
    waiting: usize,
}

impl Span {
    /// The window of a metric of samples. Whoever the metric is about, everybody who crosses the line counts.
    pub fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let Window::Crossings { of, .. } = spec.window else { return Self::of_events(spec, scenario) };
        let given = of.map(|[a, b]| Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) });
        let line = given.or_else(|| scenario.world.plan.lines.first().map(|line| line.what));
        Self { window: spec.window, line: Some(First::over(line, None, scenario)), waiting: 0 }
    }

    /// The window of a metric at a line: unless another line is named, it goes by the events of the metric itself.
    pub fn of_events(spec: &Spec, scenario: &Scenario) -> Self {
        match spec.window {
            Window::Crossings { of: Some(_), .. } => Self::new(spec, scenario),
            window => Self { window, line: None, waiting: 0 },
        }
    }

    /// Takes a sample.
    pub fn observe(&mut self, seen: &Seen<'_>) {
        if let Some(line) = &mut self.line {
            line.observe(seen);
            self.waiting = line.waiting(seen);
        }
    }

    /// The window as far as it is known by now.
    pub fn window(&self) -> Window {
        match (self.window, &self.line) {
            (Window::Crossings { shares, .. }, Some(line)) => timed(shares, line.times(), self.waiting),
            (window, _) => window,
        }
    }

    /// Forgets everybody.
    pub fn reset(&mut self) {
        self.waiting = 0;
        if let Some(line) = &mut self.line {
            line.reset();
        }
    }
}
