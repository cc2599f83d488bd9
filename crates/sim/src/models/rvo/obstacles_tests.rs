use super::*;
use crowdtune_core::math::lanes::Plain;
use crowdtune_core::math::vec2;

fn rate(of: impl Fn((Plain, Plain)) -> Plain, v: Vec2) -> f32 {
    of((Plain::splat(v.x as f32), Plain::splat(v.y as f32))).store()[0]
}

/// A disc of 1 m, seen with a horizon of 10 s and steps of 0.1 s.
fn disc(q: Vec2, alpha: f64, vel: Vec2, other: Vec2) -> Disc {
    Disc::new(q, 1.0, alpha, (vel, other), (10.0, 0.1))
}

#[track_caller]
fn is(found: f32, wanted: f64) {
    assert!((f64::from(found) - wanted).abs() < 1e-4 * wanted.abs().max(1.0), "{found} instead of {wanted}");
}

#[test]
fn straight_on_the_edge_is_met() {
    // 10 m to the middle, 9 m to the edge, at 2 m/s.
    let disc = disc(vec2(10.0, 0.0), 1.0, Vec2::ZERO, Vec2::ZERO);
    is(rate(|v| disc.rate(v), vec2(2.0, 0.0)), 2.0 / 9.0);
    assert_eq!(rate(|v| disc.rate(v), vec2(-2.0, 0.0)), 0.0);
    assert_eq!(rate(|v| disc.rate(v), Vec2::ZERO), 0.0);
    // 15 s are beyond the horizon.
    assert_eq!(rate(|v| disc.rate(v), vec2(0.6, 0.0)), 0.0);
}

#[test]
fn the_tangent_parts_hits_from_misses() {
    // sin(angle) = 1/10 at the tangent.
    let disc = disc(vec2(10.0, 0.0), 1.0, Vec2::ZERO, Vec2::ZERO);
    let at = |sin: f64| vec2((1.0 - sin * sin).sqrt(), sin) * 2.0;
    assert!(rate(|v| disc.rate(v), at(0.0999)) > 0.0);
    assert_eq!(rate(|v| disc.rate(v), at(0.1001)), 0.0);
}

#[test]
fn shares_move_the_apex_of_the_cone() {
    // Head on at 1 m/s each: with one half u = 2 v' - v_A - v_B, with a quarter u = 4 v' - 3 v_A - v_B.
    let (east, west) = (vec2(1.0, 0.0), vec2(-1.0, 0.0));
    for alpha in [1.0, 0.5, 0.25] {
        let disc = disc(vec2(10.0, 0.0), alpha, east, west);
        is(rate(|v| disc.rate(v), east), 2.0 / 9.0);
        // Of the sidestep that avoids the other, 0.2 m/s across for u_x = 2 m/s and the tangent of 1/10, alpha is enough.
        let aside = |share: f64| east + vec2(0.0, share * 2.0 * 0.1 / 0.99_f64.sqrt());
        assert!(rate(|v| disc.rate(v), aside(0.99 * alpha)) > 0.0, "{alpha}");
        assert_eq!(rate(|v| disc.rate(v), aside(1.01 * alpha)), 0.0, "{alpha}");
    }
}

#[test]
fn within_the_step_the_depth_at_its_end_counts() {
    // 0.1 m before the edge: 10, and 10 (1 - d^2) more,, d = 0.9 and 0.7 m from the middle at the end.
    let disc = disc(vec2(1.1, 0.0), 1.0, Vec2::ZERO, Vec2::ZERO);
    is(rate(|v| disc.rate(v), vec2(2.0, 0.0)), 10.0 + 1.9);
    is(rate(|v| disc.rate(v), vec2(4.0, 0.0)), 10.0 + 5.1);
    // Met after the step.
    is(rate(|v| disc.rate(v), vec2(0.5, 0.0)), 5.0);
}

#[test]
fn inside_a_disc_slow_leaving_costs() {
    // 0.5 m from the middle: at 1 m/s away from it the edge is reached after 0.5 s, a rate of 2 below 10; all twice.
    let disc = disc(vec2(0.5, 0.0), 1.0, Vec2::ZERO, Vec2::ZERO);
    is(rate(|v| disc.rate(v), vec2(-1.0, 0.0)), 16.0);
    is(rate(|v| disc.rate(v), vec2(1.0, 0.0)), 20.0 - 2.0 / 1.5);
    is(rate(|v| disc.rate(v), Vec2::ZERO), 20.0);
    // Out within a step.
    assert_eq!(rate(|v| disc.rate(v), vec2(-6.0, 0.0)), 0.0);
}

#[test]
fn the_side_of_a_wall_is_met_only_between_its_ends() {
    let wall = Segment { a: vec2(-1.0, 2.0), b: vec2(1.0, 2.0) };
    for wall in [wall, Segment { a: wall.b, b: wall.a }] {
        let side = Side::new(Vec2::ZERO, 0.5, wall, 10.0).unwrap();
        is(rate(|v| side.rate(v), vec2(0.0, 1.0)), 1.0 / 1.5);
        is(rate(|v| side.rate(v), vec2(0.6, 1.0)), 1.0 / 1.5);
        assert_eq!(rate(|v| side.rate(v), vec2(0.7, 1.0)), 0.0);
        assert_eq!(rate(|v| side.rate(v), vec2(0.0, -1.0)), 0.0);
        assert_eq!(rate(|v| side.rate(v), vec2(1.0, 0.0)), 0.0);
    }
    assert!(Side::new(vec2(3.0, 2.0), 0.5, wall, 10.0).is_none());
}
