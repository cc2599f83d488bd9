//! From meters to the whole centimeters of a replay.

use crowdtune_core::math::Vec2;
use crowdtune_sim::world::scenario::Segment;

/// Meters to whole centimeters; what is not finite becomes 0.
pub(crate) fn cm(meters: f64) -> i64 {
    (meters * 100.0).round() as i64
}

pub(crate) fn point(p: Vec2) -> [i64; 2] {
    [cm(p.x), cm(p.y)]
}

pub(crate) fn line(s: &Segment) -> [i64; 4] {
    [cm(s.a.x), cm(s.a.y), cm(s.b.x), cm(s.b.y)]
}
