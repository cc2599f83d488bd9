use crate::models::ahead::tests::{EAST, WEST, first, scene};
use crowdtune_core::math::{Vec2, vec2};

const MODEL: &str = "collision_free_speed";

#[test]
fn somebody_ahead_turns_the_direction_away_and_the_gap_sets_the_speed() {
    // At (1, 0.5): d = 1.118034, 8 exp((0.4 - d) / 0.1) = 0.0060911, so (1, 0) - 0.0060911 (0.894427, 0.447214), made a unit vector.
    // 0.5 m aside is out of the strip.
    let vel = first(MODEL, &[], &[(Vec2::ZERO, EAST), (vec2(1.0, 0.5), WEST)]);
    assert!((vel - vec2(0.999_996_25, -0.002_739_01) * 1.2).length() < 1e-7, "{:?}", vel / 1.2);
    // Straight ahead at 1 m: 1 - 8 exp(-6) is still forward, and the gap of 0.6 m in 1 s is the speed.
    let vel = first(MODEL, &[], &[(Vec2::ZERO, EAST), (EAST, WEST)]);
    assert!((vel - EAST * 0.6).length() < 1e-12, "{vel:?}");
    // At 0.5 m the repulsion 8 exp(-1) is stronger than the wish: back, where the way is free.
    let vel = first(MODEL, &[], &[(Vec2::ZERO, EAST), (vec2(0.5, 0.0), WEST)]);
    assert!((vel - WEST * 1.2).length() < 1e-12, "{vel:?}");
}

#[test]
fn walls_turn_the_direction_and_a_corner_does_so_once_for_each() {
    // 5 exp((0.2 - 0.25) / 0.02) = 0.4104250.
    let vel = first(MODEL, &[(-9.0, 0.0, 9.0, 0.0)], &[(vec2(0.0, 0.25), EAST)]);
    assert!((vel - vec2(1.0, 0.410_425) / 1.168_448_7_f64.sqrt() * 1.2).length() < 1e-7, "{vel:?}");
    // Both walls end at the origin, 0.25 m away in (-0.6, 0.8).
    let vel = first(MODEL, &[(0.0, 0.0, 9.0, 0.0), (0.0, 0.0, 0.0, -9.0)], &[(vec2(-0.15, 0.2), EAST)]);
    let way = EAST + vec2(-0.6, 0.8) * 0.820_85;
    assert!((vel - way / way.length() * 1.2).length() < 1e-6, "{vel:?}");
}

#[test]
fn who_is_held_from_all_sides_keeps_the_direction() {
    // Repulsion from ahead that undoes the wish exactly: a exp(0) with a = 1 at touch; the direction of the first step stays.
    let set = [("repulsion_strength", 1.0)];
    let mut sim = scene(MODEL, &set, &[], &[(Vec2::ZERO, EAST), (vec2(40.0, 0.0), WEST)]);
    sim.step().unwrap();
    let at = sim.crowd().pos[0];
    sim.crowd_mut().pos[0] = vec2(0.0, 0.0);
    sim.crowd_mut().pos[1] = vec2(0.4, 0.0);
    sim.step().unwrap();
    // East as before, but no gap is left.
    assert!(at.x > 0.0 && sim.crowd().vel[0] == Vec2::ZERO, "{:?}", sim.crowd().vel[0]);
}
