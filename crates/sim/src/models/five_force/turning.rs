//! The turn limit.

use crowdtune_core::math::{Vec2, vec2};

/// The largest turn in one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// Cosine and sine of the angle.
    pub(super) edge: Vec2,
    /// No limit: half a turn or more.
    none: bool,
}

impl Limit {
    /// True if a turn of this cosine is within the limit.
    #[inline]
    pub(super) fn allows(&self, cosine: f64) -> bool {
        self.none || cosine >= self.edge.x
    }

    /// Of an angle, radians.
    pub(super) fn of(angle: f64) -> Self {
        Self { edge: vec2(libm::cos(angle), libm::sin(angle)), none: angle >= std::f64::consts::PI }
    }
}

/// Heading and velocity of a person who faces `heading` (a unit vector) and wants a velocity, but turns no further than
/// the limit. The velocity loses its component beyond the limit, so people turn on the spot before they walk back.
///
/// With zero velocity the heading stays; a full U-turn goes left.
pub(super) fn turn(heading: Vec2, wanted: Vec2, limit: Limit) -> (Vec2, Vec2) {
    let Some(to) = wanted.unit() else { return (heading, Vec2::ZERO) };
    if limit.allows(heading.dot(to)) {
        return (to, wanted);
    }
    let side = if heading.cross(to) < 0.0 { -1.0 } else { 1.0 };
    let turned = rotate(heading, vec2(limit.edge.x, side * limit.edge.y));
    let turned = turned.unit().unwrap_or(heading);
    (turned, turned * wanted.dot(turned).max(0.0))
}

/// `v` rotated to the left by the angle of a unit vector.
pub(super) fn rotate(v: Vec2, by: Vec2) -> Vec2 {
    vec2(v.x * by.x - v.y * by.y, v.x * by.y + v.y * by.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_turn_is_free_and_a_large_one_is_cut() {
        let east = vec2(1.0, 0.0);
        assert_eq!(turn(east, vec2(2.0, 0.1), Limit::of(0.1)), (vec2(2.0, 0.1).unit().unwrap(), vec2(2.0, 0.1)));
        // 90 degrees to the right with a limit of 30: heading -30 degrees, and cos 60 of the 1 m/s remains.
        let (heading, v) = turn(east, vec2(0.0, -1.0), Limit::of(std::f64::consts::PI / 6.0));
        assert!((heading - vec2(0.75f64.sqrt(), -0.5)).length() < 1e-12);
        assert!((v.length() - 0.5).abs() < 1e-12 && v.unit().unwrap().dot(heading) > 1.0 - 1e-12);
    }

    #[test]
    fn who_wants_back_turns_left_on_the_spot() {
        let (heading, v) = turn(vec2(1.0, 0.0), vec2(-1.0, 0.0), Limit::of(0.5));
        assert!((heading - vec2(libm::cos(0.5), libm::sin(0.5))).length() < 1e-12);
        assert_eq!(v, Vec2::ZERO);
    }

    #[test]
    fn who_stands_keeps_the_heading() {
        assert_eq!(turn(vec2(0.6, 0.8), Vec2::ZERO, Limit::of(0.1)), (vec2(0.6, 0.8), Vec2::ZERO));
    }
}
