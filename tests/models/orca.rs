//! What the model `orca` promises: the paths of the RVO2 library on its own circle, no overlap of few, nobody through walls.

use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Kind, Settings, defaults, find};
use crowdtune_sim::crowd::people::{self, Distribution};
use crowdtune_sim::crowd::{Crowd, RunSetup, Sim, Start, Steering};
use crowdtune_sim::models::{MODELS, ModelSetup};
use crowdtune_sim::world::FieldCache;
use crowdtune_sim::world::scenario::{
    FloorPlan, Goal, Group, Navigation, Polygon, Pull, Scenario, Segment, Spawn, named,
};
use crowdtune_sim::world::{Torus, World};
use crowdtune_testing::recorded;
use proptest::prelude::*;
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
    let made = ModelSetup {
        scenario,
        max_radius_m: crowd.radius.iter().fold(0.0, |a, &r| a.max(r)),
        min_mass_kg: 80.0,
        seed: Seed(seed),
    };
    (entry.make.make)(&made, &settings)
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
    let plan = FloorPlan { goals: places.iter().enumerate().map(goal).collect(), ..FloorPlan::default() };
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
    (Scenario { name: "circle".into(), world, groups: vec![group], limit_s: 1e9, give_up_s: None, tracks: None }, crowd)
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
    /// Smallest distance of two centers, m.
    least_m: f64,
}

/// Runs the circle until everybody is within a body radius of the goal.
fn run(
    places: &[Vec2],
    (nudges_m, push): (&[Vec2], f64),
    seed: u64,
    limit_s: f64,
    seen: &mut dyn FnMut(usize, &Crowd),
) -> Ran {
    let (scenario, crowd) = circle(places, nudges_m);
    let set: Vec<_> =
        LIBRARY.iter().map(|&(key, value)| (key, if key == "push_m_per_s" { push } else { value })).collect();
    let model = model(&scenario, &crowd, &set, seed);
    let setup = RunSetup { seed: Seed(seed), ..RunSetup::new(scenario.clone(), STEP_S) };
    let mut simulation = Sim::new(Start::of(setup, crowd), model);
    let (mut least_m, mut step) = (f64::INFINITY, 0);
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
        simulation.step().unwrap();
        step += 1;
    }
}

/// Compares every step with the positions that the library wrote.
///
/// Each pair on a circle meets exactly on a collision course through both centers, and rounding decides on which side they pass.
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
#[ignore = "slow: .ci/run runs it"]
fn slow_two_hundred_and_fifty_cross_in_the_time_of_the_library() {
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

/// A room with an inner wall, a door, an obstacle, a corner and a lone post, in which everybody walks to and fro.
fn rooms() -> World {
    let outline = [(0.0, 0.0), (10.0, 0.0), (10.0, 4.0), (6.0, 4.0), (6.0, 8.0), (0.0, 8.0)].map(|(x, y)| vec2(x, y));
    let mut walls: Vec<Segment> = (0..6).map(|k| Segment { a: outline[k], b: outline[(k + 1) % 6] }).collect();
    let wall = |a: (f64, f64), b: (f64, f64)| Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) };
    // An inner wall with a door, which ends on the outline and at a free end; an obstacle; a post that touches nothing.
    walls.extend([wall((0.0, 5.0), (2.2, 5.0)), wall((3.4, 5.0), (6.0, 5.0))]);
    let block = [(7.0, 1.5), (8.0, 1.2), (8.3, 2.2), (7.2, 2.4)].map(|(x, y)| vec2(x, y));
    walls.extend((0..4).map(|k| Segment { a: block[k], b: block[(k + 1) % 4] }));
    walls.push(wall((3.0, 2.0), (4.0, 2.6)));
    let goals = [(1.0, 7.0), (9.0, 1.0), (5.0, 7.2), (9.2, 3.2), (0.8, 1.0), (5.0, 1.0)];
    let plan = FloorPlan {
        walls,
        goals: (0..6)
            .map(|k| named(format!("goal {k}"), Goal::Point { at: vec2(goals[k].0, goals[k].1), radius: 0.3 }))
            .collect(),
        walkable: vec![(Polygon { points: outline.to_vec() }, vec![Polygon { points: block.to_vec() }])],
        navigation: Navigation::Field { cell_m: 0.25, discomfort_weight: 0.0 },
        ..FloorPlan::default()
    };
    World::new(plan, &mut FieldCache::default()).unwrap()
}

/// Runs people round the goals of [`rooms`]; gives how deep a body was in a wall at most, m, and the way of each, m.
fn round_the_rooms(world: &Arc<World>, count: usize, set: &[(&str, f64)], dt: f64, seed: u64) -> (f64, Vec<f64>) {
    let mut traits = people::published();
    traits.desired_speed = Distribution::Uniform { low: 0.5, high: 2.0 };
    let stages = (0..6).map(|k| vec![(k + seed as usize) % 6]).collect();
    let group = Group {
        name: "people".into(),
        count,
        spawn: Spawn::Random(Polygon::rectangle(vec2(0.5, 0.5), vec2(6.5, 4.5))),
        stages,
        rounds: true,
        ..Group::default()
    };
    let scenario = Scenario {
        name: "rooms".into(),
        world: world.clone(),
        groups: vec![group],
        limit_s: 1e9,
        give_up_s: None,
        tracks: None,
    };
    let setup = RunSetup { traits: vec![traits], seed: Seed(seed), ..RunSetup::new(scenario.clone(), dt) };
    let start = Start::new(setup).unwrap();
    let model = model(&scenario, start.crowd(), set, seed);
    let mut simulation = Sim::new(start, model);
    let (mut deepest, mut ways) = (0.0_f64, vec![0.0; count]);
    for _ in 0..(40.0 / dt) as u64 {
        // A step through a wall is an error.
        simulation.step().unwrap();
        let crowd = simulation.crowd();
        for (i, way) in ways.iter_mut().enumerate() {
            *way += crowd.vel[i].length() * dt;
            deepest = deepest.max(crowd.radius[i] - world.walls.distance(crowd.pos[i]));
        }
    }
    (deepest, ways)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nobody_walks_through_walls_and_bodies_stay_out_of_them(
        seed in 0u64..1000,
        alone in any::<bool>(),
        (horizon, margin) in (0.1..4.0f64, 0.0..0.1f64),
        dt in 0.02..0.25f64,
    ) {
        let world = Arc::new(rooms());
        let set = [("obstacle_time_horizon_s", horizon), ("margin_m", margin)];
        let count = if alone { 1 } else { 25 };
        let (deepest, ways) = round_the_rooms(&world, count, &set, dt, seed);
        prop_assert!(deepest <= 1e-4, "{deepest} m in a wall");
        // Twenty-five jam at the inner door; one goes round.
        let least = if alone { 10.0 } else { 1.0 };
        prop_assert!(ways.iter().sum::<f64>() > least * count as f64, "{ways:?}");
    }
}

/// Keys of the constants with their search ranges.
fn ranges() -> Vec<(&'static str, f64, f64)> {
    let range = |p: &crowdtune_core::registry::Param| match p.kind {
        Kind::Real { search, .. } => (p.key, search.0, search.1),
        Kind::Integer { search, .. } => (p.key, search.0 as f64, search.1 as f64),
        _ => unreachable!("all constants are numbers"),
    };
    find(MODELS, "orca").unwrap().params.iter().map(range).collect()
}

/// A value of a constant; those that count are whole.
fn value(key: &str, x: f64) -> f64 {
    if key == "max_neighbors" { x.round() } else { x }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn runs_in_random_worlds_are_healthy(
        walls in prop::collection::vec(((0.0..10.0f64, 0.0..10.0f64), (0.0..10.0f64, 0.0..10.0f64)), 0..8),
        genes in prop::collection::vec(0.0..1.0f64, 8),
        (rings, seed, dt) in (any::<bool>(), 0u64..1000, 0.02..0.5f64),
    ) {
        let at = |(x, y)| vec2(x, y);
        let plan = FloorPlan {
            walls: walls.iter().map(|&(a, b)| Segment { a: at(a), b: at(b) }).collect(),
            periodic: Torus { x: rings.then_some((-2.0, 12.0)), y: None },
            ..FloorPlan::default()
        };
        let world = Arc::new(World::new(plan, &mut FieldCache::default()).unwrap());
        let group = |pull| Group {
            name: "people".into(),
            count: 12,
            spawn: Spawn::Random(Polygon::rectangle(vec2(0.0, 0.0), vec2(10.0, 10.0))),
            pull,
            ..Group::default()
        };
        let groups = vec![
            group(Pull::Heading(vec2(1.0, 0.0))),
            group(Pull::Heading(vec2(-0.6, 0.8))),
            group(Pull::Point { at: vec2(5.0, 5.0), radius_m: 0.5 }),
        ];
        let scenario = Scenario { name: "random".into(), world, groups, limit_s: 1e9, give_up_s: None, tracks: None };
        let set: Vec<_> = ranges().iter().zip(&genes).map(|(&(key, a, b), u)| (key, value(key, a + (b - a) * u))).collect();
        let setup = RunSetup { seed: Seed(seed), ..RunSetup::new(scenario.clone(), dt) };
        let Ok(start) = Start::new(setup) else { return Ok(()) };
        let model = model(&scenario, start.crowd(), &set, seed);
        let mut simulation = Sim::new(start, model);
        for _ in 0..100 {
            // Nobody is lost, too fast or behind a wall, or this is an error.
            simulation.step().unwrap();
        }
        let health = simulation.health();
        // Nobody is faster than the highest speed, which is 1.34 m/s times at most 2.
        prop_assert!(health.top_speed_m_per_s <= 1.34 * 2.0 + 1e-4, "{health:?}");
    }
}
