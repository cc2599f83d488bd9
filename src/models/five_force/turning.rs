//! The turn limit.

use crate::math::{Vec2, vec2};

/// Heading and velocity of somebody who faces `heading` (a unit vector) and wants a velocity, but turns by `most` radians
/// at most: what lies beyond the limit is lost from the velocity, so people turn on the spot before they walk back.
///
/// A null velocity keeps the heading; who has to turn right round turns left.
pub(super) fn turn(heading: Vec2, wanted: Vec2, most: f64) -> (Vec2, Vec2) {
    let Some(to) = wanted.unit() else { return (heading, Vec2::ZERO) };
    if most >= std::f64::consts::PI || heading.dot(to) >= libm::cos(most) {
        return (to, wanted);
    }
    let side = if heading.cross(to) < 0.0 { -1.0 } else { 1.0 };
    let turned = rotate(heading, vec2(libm::cos(most), side * libm::sin(most)));
    let turned = turned.unit().unwrap_or(heading);
    (turned, turned * wanted.dot(turned).max(0.0))
}

/// `v` turned to the left by the angle of a unit vector.
pub(super) fn rotate(v: Vec2, by: Vec2) -> Vec2 {
    vec2(v.x * by.x - v.y * by.y, v.x * by.y + v.y * by.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_turn_is_free_and_a_large_one_is_cut() {
        let east = vec2(1.0, 0.0);
        assert_eq!(turn(east, vec2(2.0, 0.1), 0.1), (vec2(2.0, 0.1).unit().unwrap(), vec2(2.0, 0.1)));
        // 90 degrees to the right with a limit of 30: heading -30 degrees, of 1 m/s the part cos 60 remains.
        let (heading, v) = turn(east, vec2(0.0, -1.0), std::f64::consts::PI / 6.0);
        assert!((heading - vec2(0.75f64.sqrt(), -0.5)).length() < 1e-12);
        assert!((v.length() - 0.5).abs() < 1e-12 && v.unit().unwrap().dot(heading) > 1.0 - 1e-12);
    }

    #[test]
    fn who_wants_back_turns_left_on_the_spot() {
        let (heading, v) = turn(vec2(1.0, 0.0), vec2(-1.0, 0.0), 0.5);
        assert!((heading - vec2(libm::cos(0.5), libm::sin(0.5))).length() < 1e-12);
        assert_eq!(v, Vec2::ZERO);
    }

    #[test]
    fn who_stands_keeps_the_heading() {
        assert_eq!(turn(vec2(0.6, 0.8), Vec2::ZERO, 0.1), (vec2(0.6, 0.8), Vec2::ZERO));
    }
}
