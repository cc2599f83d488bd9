//! What the model `orca` promises: the paths of the RVO2 library on its own circle, no overlap of few, nobody through walls.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "common/recorded.rs"]
#[allow(dead_code, reason = "each test file uses its part")]
mod recorded;

use crowdtune::crowd::health::Health;
use crowdtune::crowd::people;
use crowdtune::crowd::simulation::{RunSetup, Simulation};
use crowdtune::crowd::{Crowd, Steering};
use crowdtune::math::rng::Seed;
use crowdtune::math::{Vec2, vec2};
use crowdtune::models::{Birth, MODELS};
use crowdtune::registry::{Settings, defaults, find};
use crowdtune::world::World;
use crowdtune::world::field::FieldCache;
use crowdtune::world::scenario::{Goal, Group, Plan, Scenario, Spawn, named};
use std::sync::Arc;

/// The constants of the circle example of the RVO2 library, and its step, s.
const LIBRARY: [(&str, f64); 5] = [
    ("time_horizon_s", 10.0),
    ("obstacle_time_horizon_s", 10.0),
    ("neighbor_distance_m", 15.0),
    ("max_neighbors", 10.0),
    ("push_m_per_s", 0.0),
];
const STEP_S: f64 = 0.25;

fn model(scenario: &Scenario, crowd: &Crowd, set: &[(&str, f64)], seed: u64) -> Box<dyn Steering> {
    let entry = find(MODELS, "orca").unwrap();
    let mut values = defaults(entry.params);
    for (key, value) in set {
        values[entry.params.iter().position(|p| p.key == *key).expect(key)] = *value;
    }
    let settings = vec![Settings::new(entry.params, &values); scenario.groups.len()];
    let birth = Birth {
        groups: &settings,
        scenario,
        max_radius_m: crowd.radius.iter().fold(0.0, |a, &r| a.max(r)),
        min_mass_kg: 80.0,
        people: crowd.len(),
        seed: Seed(seed),
    };
    (entry.make.make)(&birth)
}

/// Bodies of 1.5 m at these places, the first ones nudged outward and along the circle, who want to walk to the opposite one at 1 m/s and stay there.
fn circle(places: &[Vec2], nudges_m: &[Vec2]) -> (Scenario, Crowd) {
    let n = places.len();
    let nudged = |(p, by): (&Vec2, &Vec2)| *p + p.unit().unwrap() * by.x + p.unit().unwrap().left() * by.y;
    let mut crowd = Crowd::at(places.to_vec());
    for (pos, nudged) in crowd.pos.iter_mut().zip(places.iter().zip(nudges_m).map(nudged)) {
        *pos = nudged;
    }
    crowd.radius = vec![1.5; n];
    crowd.desired_speed = vec![1.0; n];
    crowd.max_speed = vec![2.0; n];
    let goal = |(k, p): (usize, &Vec2)| named(format!("goal {k}"), Goal::Point { at: -*p, radius: 1e-9 });
    let plan = Plan { goals: places.iter().enumerate().map(goal).collect(), ..Plan::default() };
    let group = Group {
        name: "people".into(),
        count: n,
        spawn: Spawn::Points(places.to_vec()),
        stages: vec![(0..n).collect()],
        own_goals: true,
        // Who is there stays: the only stage begins anew.
        rounds: true,
        ..Group::default()
    };
    let world = Arc::new(World::new(plan, &mut FieldCache::default()).unwrap());
    (Scenario { name: "circle".into(), world, groups: vec![group], limit_s: 1e9, give_up_s: None }, crowd)
}

/// Places on a circle as the library's example computes them, in single precision.
fn on_circle(count: usize, radius: f32) -> Vec<Vec2> {
    let place = |k: usize| {
        let angle = k as f32 * 2.0 * std::f32::consts::PI / count as f32;
        vec2(f64::from(radius * libm::cosf(angle)), f64::from(radius * libm::sinf(angle)))
    };
    (0..count).map(place).collect()
}

fn smallest_distance(crowd: &Crowd) -> f64 {
    let mut least2 = f64::INFINITY;
    for i in 0..crowd.len() {
        for j in 0..i {
            least2 = least2.min((crowd.pos[i] - crowd.pos[j]).length2());
        }
    }
    least2.sqrt()
}

/// How a run went.
#[derive(Clone, Copy, Debug)]
struct Ran {
    /// When all were within a radius of their goals, s; `None` if not in time.
    done_s: Option<f64>,
    /// Smallest distance of two centres, m.
    least_m: f64,
}

/// Runs the circle until everybody is within a body radius of the goal.
fn run(places: &[Vec2], (nudges_m, push): (&[Vec2], f64), seed: u64, limit_s: f64, seen: &mut dyn FnMut(usize, &Crowd)) -> Ran {
    let (scenario, crowd) = circle(places, nudges_m);
    let set: Vec<_> = LIBRARY.iter().map(|&(key, value)| (key, if key == "push_m_per_s" { push } else { value })).collect();
    let mut model = model(&scenario, &crowd, &set, seed);
    let setup = RunSetup {
        scenario: &scenario,
        traits: &[people::published()],
        time_step_s: STEP_S,
        sample_every_s: 1.0,
        max_overlap_share: 1.0,
        seed: Seed(seed),
    };
    let mut simulation = Simulation::of(setup, crowd);
    let (mut health, mut least_m) = (Health::default(), f64::INFINITY);
    let mut step = 0;
    loop {
        let crowd = simulation.crowd();
        seen(step, crowd);
        least_m = least_m.min(smallest_distance(crowd));
        let there = |(at, from): (&Vec2, &Vec2)| (*at + *from).length() <= 1.5;
        if crowd.pos.iter().zip(places).all(there) {
            return Ran { done_s: Some(step as f64 * STEP_S), least_m };
        }
        if step as f64 * STEP_S >= limit_s {
            return Ran { done_s: None, least_m };
        }
        simulation.step(model.as_mut(), step as u64, &mut health).unwrap();
        step += 1;
    }
}

/// Compares every step with the positions that the library wrote.
///
/// Each pair on a circle meets exactly on a collision course through both centres, and rounding decides on which side they pass.
/// Nudges of some hundredths of a millimetre take the library's sides.
fn as_the_library(file: &str, nudges_m: &[Vec2], duration_s: f64) {
    let Some(text) = recorded::data(&format!("rvo2_circle_reference/{file}")) else { return };
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|line| line.split(',').map(|word| word.parse().unwrap()).collect()).collect();
    let (count, mut steps) = (nudges_m.len(), 0);
    let ran = run(&on_circle(count, 20.0), (nudges_m, 0.0), 0, 100.0, &mut |step, crowd| {
        for (id, row) in rows[step * count..][..count].iter().enumerate() {
            assert_eq!((row[0], row[1]), (step as f64 * STEP_S, id as f64));
            let apart = (crowd.pos[id] - vec2(row[2], row[3])).length();
            assert!(apart < 1e-3, "step {step}, person {id}: {:?} is {apart} m from {row:?}", crowd.pos[id]);
        }
        steps += 1;
    });
    assert_eq!(ran.done_s, Some(duration_s));
    assert_eq!(steps * count, rows.len());
}

#[test]
fn two_walk_as_those_of_the_library_at_every_step() {
    as_the_library("circle2_everystep.csv", &[vec2(0.0, -1e-5); 2], 39.0);
}

#[test]
fn three_walk_as_those_of_the_library_at_every_step() {
    as_the_library("circle3_everystep.csv", &[vec2(-1e-5, 0.0), vec2(1e-5, 0.0), vec2(0.0, 0.0)], 41.0);
}

#[test]
#[ignore = "takes a minute without optimization"]
fn two_hundred_and_fifty_cross_in_the_time_of_the_library() {
    let ran = run(&on_circle(250, 200.0), (&[], 0.0), 0, 1100.0, &mut |_, _| {});
    println!("{ran:?}");
    assert!((645.0..=1075.0).contains(&ran.done_s.unwrap()), "{ran:?}");
    assert!(ran.least_m >= 2.0, "{ran:?}");
}

#[test]
fn few_with_a_random_push_never_overlap() {
    for (count, radius) in [(10, 20.0), (20, 30.0), (35, 40.0), (50, 50.0)] {
        let ran = run(&on_circle(count, radius), (&[], 1e-4), 1, 1000.0, &mut |_, _| {});
        println!("{count}: {ran:?}");
        assert!(ran.least_m >= 3.0 - 1e-4, "{count}: {ran:?}");
    }
}
