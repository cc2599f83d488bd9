//! Scenes of the two models, and what they share.

use crate::crowd::people::{Distribution, Traits, published};
use crate::models::Model;
use crate::world::Torus;
use crate::world::scenario::{FloorPlan, Group, Pull, Scenario, Segment, Spawn};
use crate::{RunSetup, SettingValue, Sim, Start};
use crowdtune_core::math::{Vec2, vec2};

pub(in crate::models) const EAST: Vec2 = vec2(1.0, 0.0);
pub(in crate::models) const WEST: Vec2 = vec2(-1.0, 0.0);

/// People at these places who want to go in these directions with 1.2 m/s; discs of 0.2 m, steps of 0.01 s.
pub(in crate::models) fn scene(
    model: &str,
    set: &[(&str, f64)],
    walls: &[(f64, f64, f64, f64)],
    people: &[(Vec2, Vec2)],
) -> Sim {
    let wall = |w: &(f64, f64, f64, f64)| Segment { a: vec2(w.0, w.1), b: vec2(w.2, w.3) };
    let plan = FloorPlan { walls: walls.iter().map(wall).collect(), ..FloorPlan::default() };
    scene_on(model, set, plan, people)
}

/// The same on such a plan.
fn scene_on(model: &str, set: &[(&str, f64)], plan: FloorPlan, people: &[(Vec2, Vec2)]) -> Sim {
    let group = |(k, &(at, way)): (usize, &(Vec2, Vec2))| Group {
        name: format!("{k}"),
        count: 1,
        spawn: Spawn::Points(vec![at]),
        pull: if way == Vec2::ZERO { Pull::Nothing } else { Pull::Heading(way) },
        ..Group::default()
    };
    let scenario = Scenario::new("test", plan, people.iter().enumerate().map(group).collect()).unwrap();
    let traits = Traits { radius: Distribution::Fixed(0.2), desired_speed: Distribution::Fixed(1.2), ..published() };
    let setup = RunSetup { traits: vec![traits; people.len()], ..RunSetup::new(scenario, 0.01) };
    let start = Start::new(setup).unwrap();
    let set: Vec<(&str, &dyn SettingValue)> =
        set.iter().map(|(key, value)| (*key, value as &dyn SettingValue)).collect();
    let steering = Model::named(model, &set).unwrap().make(&start).unwrap();
    Sim::new(start, steering)
}

/// Velocity of the first person in the first step, m/s.
pub(in crate::models) fn first(model: &str, walls: &[(f64, f64, f64, f64)], people: &[(Vec2, Vec2)]) -> Vec2 {
    let mut sim = scene(model, &[], walls, people);
    sim.step().unwrap();
    sim.crowd().vel[0]
}

const BOTH: [&str; 2] = ["collision_free_speed", "anticipation_velocity"];

#[test]
fn who_is_alone_walks_straight_and_who_wants_nothing_stands() {
    for model in BOTH {
        assert_eq!(first(model, &[], &[(Vec2::ZERO, EAST)]), EAST * 1.2);
        assert_eq!(first(model, &[], &[(Vec2::ZERO, Vec2::ZERO), (vec2(0.5, 0.0), WEST)]), Vec2::ZERO);
    }
}

#[test]
fn nobody_sees_farther_than_three_meters_or_through_a_wall() {
    for model in BOTH {
        // Ahead with a time gap so long that 2.6 m would slow down.
        let slow = [("time_gap_s", 5.0)];
        let ahead = |x: f64, walls: &[(f64, f64, f64, f64)]| {
            let mut sim = scene(model, &slow, walls, &[(Vec2::ZERO, EAST), (vec2(x, 0.0), EAST)]);
            sim.step().unwrap();
            sim.crowd().vel[0].length()
        };
        assert!((ahead(2.999, &[]) - 2.599 / 5.0).abs() < 1e-12, "{model}: {}", ahead(2.999, &[]));
        assert!((ahead(3.001, &[]) - 1.2).abs() < 1e-12, "{model}");
        assert!((ahead(2.9, &[(1.5, -0.1, 1.5, 0.1)]) - 1.2).abs() < 1e-9, "{model}: behind a wall");
        assert!((ahead(2.9, &[(1.5, 0.1, 1.5, 0.3)]) - 0.5).abs() < 1e-9, "{model}: beside a wall");
    }
}

#[test]
fn the_strip_ahead_is_as_wide_as_its_share_of_both_bodies() {
    // Without repulsion the direction stays; the gap is that between bodies, not its part ahead.
    let speed_with = |model: &str, width: f64, at: Vec2| {
        let set = [("repulsion_strength", 0.0), ("headway_width", width)];
        let mut sim = scene(model, &set, &[], &[(Vec2::ZERO, EAST), (at, EAST)]);
        sim.step().unwrap();
        sim.crowd().vel[0]
    };
    let speed = |model: &str, at: Vec2| speed_with(model, 1.0, at);
    for (model, time_gap) in [("collision_free_speed", 1.0), ("anticipation_velocity", 1.06)] {
        let beside = vec2(0.7, 0.399);
        let expected = (beside.length() - 0.4) / time_gap;
        assert!((speed(model, beside) - EAST * expected).length() < 1e-12, "{model}");
        assert_eq!(speed(model, vec2(0.7, 0.401)), EAST * 1.2);
        let beside = vec2(0.7, 0.199);
        let expected = (beside.length() - 0.4) / time_gap;
        assert!((speed_with(model, 0.5, beside) - EAST * expected).length() < 1e-12, "{model}");
        assert_eq!(speed_with(model, 0.5, vec2(0.7, 0.201)), EAST * 1.2);
        assert_eq!(speed(model, vec2(-0.01, 0.399)), EAST * 1.2);
        assert_eq!(speed(model, vec2(0.3, 0.0)), Vec2::ZERO, "{model}: nobody walks back from an overlap");
    }
}

#[test]
fn nobody_walks_into_a_wall_that_does_not_repel() {
    for (model, set) in [
        ("collision_free_speed", [("wall_repulsion_strength", 0.0), ("time_gap_s", 1.0)]),
        ("anticipation_velocity", [("wall_buffer_m", 0.0), ("wall_push", 0.0)]),
    ] {
        let mut sim = scene(model, &set, &[(1.0, -5.0, 1.0, 5.0)], &[(Vec2::ZERO, EAST)]);
        (0..200).for_each(|_| sim.step().unwrap());
        assert!(sim.crowd().pos[0].x <= 0.99 + 1e-9, "{model}: {:?}", sim.crowd().pos[0]);
    }
}

#[test]
fn at_the_seam_of_a_ring_the_next_one_is_seen() {
    // The cells around the first one, three by three, are four ranges there: ahead of the seam and behind it, in two rows.
    let plan = || FloorPlan { periodic: Torus { x: Some((0.0, 30.0)), y: None }, ..FloorPlan::default() };
    let ahead = vec2(1.1, 0.2);
    for model in BOTH {
        for x in [10.0, 28.5] {
            let at = vec2(x, 2.9);
            let others = [at + ahead, vec2(x + 2.5 - 30.0 * f64::from(u8::from(x > 20.0)), 2.9), vec2(15.0, 0.0)];
            let people: Vec<(Vec2, Vec2)> = [at].into_iter().chain(others).map(|at| (at, EAST)).collect();
            let set = [("repulsion_strength", 0.0), ("time_gap_s", 4.0)];
            let mut sim = scene_on(model, &set, plan(), &people);
            sim.step().unwrap();
            let (vel, speed) = (sim.crowd().vel[0], (ahead.length() - 0.4) / 4.0);
            assert!((vel - EAST * speed).length() < 1e-12, "{model} at {x}: {vel:?} instead of {speed}");
        }
    }
}

#[test]
fn two_at_the_same_place_part() {
    for model in BOTH {
        let mut sim = scene(model, &[], &[], &[(Vec2::ZERO, EAST), (vec2(2.0, 0.0), EAST)]);
        sim.crowd_mut().pos[1] = Vec2::ZERO;
        (0..300).for_each(|_| sim.step().unwrap());
        let apart = (sim.crowd().pos[0] - sim.crowd().pos[1]).length();
        assert!(apart > 0.3, "{model}: {apart} m");
    }
}
