//! Steps across a line.

use super::tracks::Step;
use super::{Place, Spec};
use crate::world::Torus;
use crate::world::scenario::{Scenario, Segment};
use crowdtune_core::math::Vec2;

/// The line that a file asks for, else the first of the scenario; `None` if there is none.
pub(super) fn asked(spec: &Spec, scenario: &Scenario) -> Option<Segment> {
    match &spec.at {
        Some(Place::Line(line)) => Some(*line),
        _ => scenario.world.plan.lines.first().map(|line| line.what),
    }
}

/// The share of a straight way at which it passes a line: 0 if it starts on the line, `None` if it does not touch the
/// line, ends on it, or runs along it.
fn share_at(line: Segment, from: Vec2, to: Vec2) -> Option<f64> {
    let along = line.b - line.a;
    let (before, after) = (along.cross(from - line.a), along.cross(to - line.a));
    if after == 0.0 || before * after > 0.0 {
        return None;
    }
    let share = before / (before - after);
    let at = (from + (to - from) * share - line.a).dot(along);
    (at >= 0.0 && at <= along.length2()).then_some(share)
}

/// The share of a step at which it passes a line, as [`share_at`]; a step over the seam of a periodic place passes a line
/// on either side.
pub(super) fn passes(torus: &Torus, line: Segment, step: &Step) -> Option<f64> {
    let mut share = share_at(line, step.from, step.to);
    torus.images(|shift| share = share.or_else(|| share_at(line, step.from + shift, step.to + shift)));
    share
}

/// Length of the ring that leads across a line, m, and the unit vector along it; `None` where the line is not on one.
pub(super) fn lap(torus: &Torus, line: Segment) -> Option<(f64, Vec2)> {
    let (across, size) = (line.b - line.a, torus.size());
    let (length, along) = if across.y.abs() >= across.x.abs() {
        (size.x, Vec2 { x: 1.0, y: 0.0 })
    } else {
        (size.y, Vec2 { x: 0.0, y: 1.0 })
    };
    length.is_finite().then_some((length, along))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;

    const LINE: Segment = Segment { a: vec2(0.0, 0.0), b: vec2(0.0, 2.0) };

    #[test]
    fn a_step_that_starts_on_the_line_passes_and_one_that_ends_there_does_not() {
        let share = |from: (f64, f64), to: (f64, f64)| share_at(LINE, vec2(from.0, from.1), vec2(to.0, to.1));
        assert_eq!(share((-1.0, 1.0), (3.0, 1.0)), Some(0.25));
        assert_eq!(share((3.0, 1.0), (-1.0, 1.0)), Some(0.75));
        assert_eq!(share((-1.0, 1.0), (0.0, 1.0)), None);
        assert_eq!(share((0.0, 1.0), (1.0, 1.0)), Some(0.0));
        assert_eq!(share((-1.0, 2.5), (1.0, 2.5)), None);
        assert_eq!(share((-1.0, 2.0), (1.0, 2.0)), Some(0.5));
        assert_eq!(share((-2.0, 1.0), (-1.0, 1.0)), None);
        assert_eq!(share((0.0, 0.5), (0.0, 1.5)), None);
    }
}
