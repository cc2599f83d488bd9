//! Known answers of the gap ahead and of the speed that it leaves, in each model that has the switch.

use super::*;
use crate::crowd::people::{Distribution, Traits, published};
use crate::models::Model;
use crate::models::ahead::tests::{EAST, WEST, scene};
use crate::world::Torus;
use crate::world::scenario::{FloorPlan, Group, Pull, Scenario, Spawn};
use crate::{RunSetup, SettingValue, Sim, Start};
use crowdtune_core::math::vec2;

const T_S: f64 = 0.8;
const RADIUS_M: f64 = 0.2;
const WISH_M_PER_S: f64 = 1.2;
/// The models, with what takes their other interactions away: only the gap ahead is left.
const MODELS: [(&str, (&str, f64)); 3] =
    [("social_force", ("repulsion_strength_n", 0.0)), ("orca", ("push_m_per_s", 0.0)), ("rvo", ("max_neighbors", 0.0))];

/// People evenly in a row on a ring, all eastwards.
fn ring(model: &str, set: &[(&str, f64)], count: usize, length: f64) -> Sim {
    let plan = FloorPlan { periodic: Torus { x: Some((0.0, length)), y: None }, ..FloorPlan::default() };
    let at = |k: usize| vec2(length * k as f64 / count as f64, 0.0);
    let group = Group {
        name: "all".into(),
        count,
        spawn: Spawn::Points((0..count).map(at).collect()),
        pull: Pull::Heading(EAST),
        ..Group::default()
    };
    let scenario = Scenario::new("ring", plan, vec![group]).unwrap();
    let traits = Traits {
        radius: Distribution::Fixed(RADIUS_M),
        desired_speed: Distribution::Fixed(WISH_M_PER_S),
        ..published()
    };
    let start = Start::new(RunSetup { traits: vec![traits], ..RunSetup::new(scenario, 0.01) }).unwrap();
    let set: Vec<(&str, &dyn SettingValue)> =
        set.iter().map(|(key, value)| (*key, value as &dyn SettingValue)).collect();
    let steering = Model::named(model, &set).unwrap().make(&start).unwrap();
    Sim::new(start, steering)
}

#[test]
fn who_follows_a_slow_walker_keeps_both_bodies_and_the_way_of_the_time_gap() {
    for (model, other) in MODELS {
        let mut sim = scene(model, &[("time_gap_s", T_S), other], &[], &[(vec2(-2.0, 0.0), EAST), (Vec2::ZERO, EAST)]);
        let slow = 0.5;
        sim.crowd_mut().desired_speed[1] = slow;
        for _ in 0..3000 {
            sim.step().unwrap();
        }
        let crowd = sim.crowd();
        let spacing = crowd.pos[1].x - crowd.pos[0].x;
        assert!((spacing - (2.0 * RADIUS_M + slow * T_S)).abs() < 1e-4, "{model}: {spacing}");
        assert!((crowd.vel[0].x - slow).abs() < 1e-4, "{model}: {:?}", crowd.vel[0]);
    }
}

#[test]
fn a_ring_in_single_file_has_the_fundamental_diagram_of_the_time_gap() {
    // 10 to 45 people on 18 m: 0.56 to 2.5 per m, where bodies touch.
    for (model, other) in MODELS {
        for count in [10_u8, 18, 24, 36, 44] {
            let mut sim = ring(model, &[("time_gap_s", T_S), other], usize::from(count), 18.0);
            for _ in 0..1500 {
                sim.step().unwrap();
            }
            let speed = sim.crowd().vel.iter().map(|v| v.x).sum::<f64>() / f64::from(count);
            let law = ((18.0 / f64::from(count) - 2.0 * RADIUS_M) / T_S).clamp(0.0, WISH_M_PER_S);
            assert!((speed - law).abs() < 1e-3, "{model}, {count}: {speed} instead of {law}");
        }
    }
}

#[test]
fn only_who_is_ahead_in_the_strip_and_in_sight_counts() {
    let speed_with = |width: f64, other: Vec2| {
        let set = [("time_gap_s", 5.0), ("headway_width", width), ("push_m_per_s", 0.0), ("max_neighbors", 0.0)];
        let mut sim = scene("orca", &set, &[], &[(Vec2::ZERO, EAST), (other, WEST)]);
        sim.step().unwrap();
        sim.crowd().vel[0].x
    };
    let speed = |other: Vec2| speed_with(1.0, other);
    // A gap of 1.6 m in 5 s.
    assert!((speed(vec2(2.0, 0.0)) - 0.32).abs() < 1e-6);
    // At the edge of the strip: sqrt(2^2 + 0.39^2) - 0.4 m.
    assert!((speed(vec2(2.0, 0.39)) - (4.1521_f64.sqrt() - 0.4) / 5.0).abs() < 1e-6);
    for free in [vec2(2.0, 0.41), vec2(-0.5, 0.0), vec2(3.01, 0.0)] {
        assert_eq!(speed(free), WISH_M_PER_S, "{free:?}");
    }
    // A strip of half the width: its edge is at 0.2 m, the gap is still that between the bodies.
    assert!((speed_with(0.5, vec2(2.0, 0.19)) - (4.0361_f64.sqrt() - 0.4) / 5.0).abs() < 1e-6);
    assert_eq!(speed_with(0.5, vec2(2.0, 0.21)), WISH_M_PER_S);
    // Bodies that overlap leave no speed.
    assert_eq!(speed(vec2(0.3, 0.0)), 0.0);
}

#[test]
fn groups_look_ahead_each_with_their_own_time_gap() {
    let of = |time_gaps: [f64; 2]| Headway::of(time_gaps.map(|time_gap| Keeps { time_gap, width: 1.0 }).to_vec());
    let gaps = of([0.0, 2.0]).map(|headway| Headway { gap: vec![1.0, 1.0], ..headway }).unwrap();
    assert_eq!(gaps.allowed((0, 0), 1.3), 1.3);
    assert_eq!(gaps.allowed((1, 1), 1.3), 0.5);
    assert!(of([0.0, 0.0]).is_none());
}
