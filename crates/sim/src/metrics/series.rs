//! What metrics keep of every sample, so that the window can be cut out at the end.

use super::span::Span;
use super::window::pick;
use super::{Seen, Spec};
use crate::world::scenario::Scenario;
use std::ops::Range;

/// Number of samples of a run, for reserving memory; at most a million, chosen here.
fn samples(spec: &Spec, scenario: &Scenario) -> usize {
    (scenario.limit_s / spec.sample_every_s).clamp(0.0, 1e6) as usize + 2
}

/// The samples of a window.
fn inside(span: &Span, times: &[f64]) -> Range<usize> {
    times.last().map_or(0..0, |&end| pick(span.window(), times, 0, end).events)
}

/// A quotient of two sums over samples: meters over seconds, degrees over meters.
#[derive(Debug)]
pub(super) struct Ratio {
    span: Span,
    times: Vec<f64>,
    sums: Vec<(f64, f64)>,
}

impl Ratio {
    /// Room for a whole run.
    pub fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let samples = samples(spec, scenario);
        Self { span: Span::new(spec, scenario), times: Vec::with_capacity(samples), sums: Vec::with_capacity(samples) }
    }

    /// Adds what happened until this sample: the upper and the lower sum.
    pub fn put(&mut self, seen: &Seen<'_>, above: f64, below: f64) {
        self.span.observe(seen);
        self.times.push(seen.time_s);
        self.sums.push((above, below));
    }

    /// Both sums over the window.
    pub fn sums(&self) -> (f64, f64) {
        let inside = &self.sums[inside(&self.span, &self.times)];
        (inside.iter().map(|s| s.0).sum(), inside.iter().map(|s| s.1).sum())
    }

    /// The quotient; `None` where the lower sum is 0.
    pub fn value(&self) -> Option<f64> {
        let (above, below) = self.sums();
        (below > 0.0).then(|| above / below)
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.span.reset();
        self.times.clear();
        self.sums.clear();
    }
}

/// Single measurements of people, sample by sample.
#[derive(Debug)]
pub(super) struct Pool {
    span: Span,
    times: Vec<f64>,
    /// Number of values up to and with each sample.
    ends: Vec<usize>,
    values: Vec<f64>,
}

/// Number of values for which memory is reserved. Chosen here: 8 MB, a run of 200 people over ten minutes.
const MOST_VALUES: usize = 1_000_000;

impl Pool {
    /// Room for a value of each of `people` every `every_s`.
    pub fn new(spec: &Spec, scenario: &Scenario, people: usize, every_s: f64) -> Self {
        let samples = samples(spec, scenario);
        let values = (people as f64 * (scenario.limit_s / every_s + 2.0)).clamp(0.0, MOST_VALUES as f64);
        Self {
            span: Span::new(spec, scenario),
            times: Vec::with_capacity(samples),
            ends: Vec::with_capacity(samples),
            values: Vec::with_capacity(values as usize),
        }
    }

    /// One measurement before the end of this sample.
    pub fn put(&mut self, value: f64) {
        self.values.push(value);
    }

    /// Ends a sample.
    pub fn close(&mut self, seen: &Seen<'_>) {
        self.span.observe(seen);
        self.times.push(seen.time_s);
        self.ends.push(self.values.len());
    }

    /// The measurements of the window.
    pub fn values(&self) -> &[f64] {
        let inside = inside(&self.span, &self.times);
        let before = |sample: usize| if sample == 0 { 0 } else { self.ends[sample - 1] };
        &self.values[before(inside.start)..before(inside.end)]
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.span.reset();
        self.times.clear();
        self.ends.clear();
        self.values.clear();
    }
}
