//! What the five-force model promises: nobody ever overlaps and the crowd walks all the same, and each force alone does
//! what its panel in the source shows.

use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Settings, defaults, find};
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::crowd::people;
use crowdtune_sim::crowd::{RunSetup, Sim, Start};
use crowdtune_sim::crowd::{Steering, people::Distribution};
use crowdtune_sim::models::{MODELS, ModelSetup};
use crowdtune_sim::world::FieldCache;
use crowdtune_sim::world::Torus;
use crowdtune_sim::world::World;
use crowdtune_sim::world::scenario::{FloorPlan, Goal, Group, Polygon, Pull, Scenario, Segment, Spawn, named};
use proptest::prelude::*;
use std::sync::Arc;

/// The five weights in the order of Figure 3.9: attraction, separation, cohesion, alignment, repulsion.
const FIGURE: [&str; 5] =
    ["attraction_weight", "separation_weight", "cohesion_weight", "alignment_weight", "repulsion_weight"];

fn model(scenario: &Scenario, set: &[(&str, f64)]) -> Box<dyn Steering> {
    let entry = find(MODELS, "five_force").unwrap();
    let mut values = defaults(entry.params);
    for (key, value) in set {
        let at = entry.params.iter().position(|p| p.key == *key).expect(key);
        values[at] = *value;
    }
    let settings = vec![Settings::new(entry.params, &values); scenario.groups.len()];
    let setup = ModelSetup { scenario, max_radius_m: 0.35, min_mass_kg: 80.0, seed: Seed(1) };
    (entry.make.make)(&setup, &settings)
}

fn area(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
    Polygon { points: vec![vec2(x0, y0), vec2(x1, y0), vec2(x1, y1), vec2(x0, y1)] }
}

/// A square field of side `size` whose edges are closed to rings or walls, with obstacles.
fn field(size: f64, rings: (bool, bool), obstacles: &[Polygon]) -> Arc<World> {
    let mut walls: Vec<Segment> = obstacles.iter().flat_map(Polygon::edges).collect();
    let edges: Vec<Segment> = area(0.0, 0.0, size, size).edges().collect();
    let closed = |on: bool| on.then_some((0.0, size));
    if !rings.0 {
        walls.extend([edges[1], edges[3]]);
    }
    if !rings.1 {
        walls.extend([edges[0], edges[2]]);
    }
    let at = vec2(0.8 * size, 0.5 * size);
    let plan = FloorPlan {
        walls,
        walkable: vec![(area(0.0, 0.0, size, size), obstacles.to_vec())],
        goals: vec![named("there", Goal::Point { at, radius: 0.1 })],
        periodic: Torus { x: closed(rings.0), y: closed(rings.1) },
        ..FloorPlan::default()
    };
    Arc::new(World::new(plan, &mut FieldCache::default()).unwrap())
}

fn scenario(world: Arc<World>, pulls: &[Pull], count: usize, from: Polygon) -> Scenario {
    let group = |(k, &pull): (usize, &Pull)| Group {
        name: format!("group {k}"),
        count,
        spawn: Spawn::Random(from.clone()),
        pull,
        ..Group::default()
    };
    let groups = pulls.iter().enumerate().map(group).collect();
    Scenario { name: "field".into(), world, groups, limit_s: 1e6, give_up_s: None, tracks: None }
}

/// What a run of the promise showed.
#[derive(Debug)]
struct Walked {
    /// Smallest distance of two people less their radii, m.
    gap: f64,
    /// Smallest distance to a wall less the radius, m.
    wall: f64,
    /// Share of the steps of people in which they stood.
    stops: f64,
    /// Way per person, m.
    way: f64,
}

fn smallest_gaps(world: &World, crowd: &Crowd) -> (f64, f64) {
    let (mut gap, mut wall) = (f64::INFINITY, f64::INFINITY);
    for i in 0..crowd.len() {
        wall = wall.min(world.walls.distance(crowd.pos[i]) - crowd.radius[i]);
        for j in 0..i {
            gap = gap.min(world.apart(crowd.pos[i], crowd.pos[j]).length() - crowd.radius[i] - crowd.radius[j]);
        }
    }
    (gap, wall)
}

/// Sixty people at 1 /m2 with obstacles for 600 steps, with random weights, gain and clearance.
fn promise(set: u64) -> Walked {
    let mut rng = Seed(set).child("weights", 0).rng();
    let mut values: Vec<(&str, f64)> = FIGURE.iter().map(|&key| (key, unit(&mut rng))).collect();
    values.push(("gain_m_per_s2", 1.0 + 49.0 * unit(&mut rng)));
    values.push(("perceives", f64::from(u8::from(unit(&mut rng) < 0.5))));
    values.push(("clearance_m", 0.3 * unit(&mut rng)));
    let size = 8.0;
    let obstacles = [area(2.0, 2.0, 2.6, 3.2), area(5.0, 4.6, 6.2, 5.2), area(2.8, 6.0, 3.4, 6.6)];
    let rings = [(true, true), (true, false), (true, false)][(set % 3) as usize];
    let world = field(size, rings, &obstacles);
    let pulls = match set % 3 {
        0 => [Pull::Heading(vec2(1.0, 0.0)), Pull::Heading(vec2(0.0, 1.0))],
        1 => [Pull::Heading(vec2(1.0, 0.0)), Pull::Heading(vec2(-1.0, 0.0))],
        _ => [Pull::Heading(vec2(1.0, 0.0)), Pull::Heading(vec2(1.0, 0.0))],
    };
    let scenario = scenario(world.clone(), &pulls, 30, area(0.0, 0.0, size, size));
    let mut traits = people::published();
    traits.radius = Distribution::Uniform { low: 0.2, high: 0.25 };
    let setup = RunSetup { traits: vec![traits, traits], seed: Seed(set), ..RunSetup::new(scenario.clone(), 0.1) };
    let mut run = Sim::new(Start::new(setup).unwrap(), model(&scenario, &values));
    let mut walked = Walked { gap: f64::INFINITY, wall: f64::INFINITY, stops: 0.0, way: 0.0 };
    for _ in 0..600 {
        run.step().unwrap();
        let (gap, wall) = smallest_gaps(&world, run.crowd());
        walked.gap = walked.gap.min(gap);
        walked.wall = walked.wall.min(wall);
        for v in &run.crowd().vel {
            walked.stops += f64::from(u8::from(*v == Vec2::ZERO)) / 60.0 / 600.0;
            walked.way += v.length() * 0.1 / 60.0;
        }
    }
    walked
}

/// The promise for so many weight sets, with what everybody walked.
fn keeps_the_promise(sets: u64) {
    let (mut gap, mut wall, mut stops, mut ways) = (f64::INFINITY, f64::INFINITY, 0.0, Vec::new());
    for set in 0..sets {
        let walked = promise(set);
        assert!(walked.gap >= -1e-9, "set {set}: two people overlap: {walked:?}");
        assert!(walked.wall >= -1e-9, "set {set}: somebody is in a wall: {walked:?}");
        gap = gap.min(walked.gap);
        wall = wall.min(walked.wall);
        stops += walked.stops / sets as f64;
        ways.push(walked.way);
    }
    ways.sort_by(f64::total_cmp);
    let (least, median) = (ways[0], ways[ways.len() / 2]);
    println!(
        "{sets} weight sets: smallest gap {gap:.1e} m, to a wall {wall:.1e} m; {:.1} % of the steps are stops; \
         way per person in 60 s: median {median:.1} m, least {least:.1} m",
        100.0 * stops
    );
    // Standing still would be no solution.
    assert!(least > 0.3 && median > 8.0, "the crowd does not walk: least {least:.2} m, median {median:.2} m");
    assert!(stops < 0.5, "half of all steps are stops: {stops:.2}");
}

#[test]
fn nobody_overlaps_and_the_crowd_walks() {
    keeps_the_promise(50);
}

#[test]
#[ignore = "the same for 1000 weight sets: takes minutes"]
fn nobody_overlaps_in_a_thousand_sets() {
    keeps_the_promise(1000);
}

/// Means over a crowd in an open place.
#[derive(Debug)]
struct Shape {
    goal: f64,
    nearest: f64,
    dispersion: f64,
    polarization: f64,
}

fn shape(crowd: &Crowd, goal: Vec2) -> Shape {
    let n = crowd.len() as f64;
    let mean = |f: &dyn Fn(usize) -> f64| (0..crowd.len()).map(f).sum::<f64>() / n;
    let middle = crowd.pos.iter().fold(Vec2::ZERO, |sum, &p| sum + p) / n;
    let nearest = |i: usize| {
        let others = (0..crowd.len()).filter(|&j| j != i);
        others.map(|j| (crowd.pos[i] - crowd.pos[j]).length()).fold(f64::INFINITY, f64::min)
    };
    let directions = crowd.vel.iter().filter_map(|v| v.unit()).fold(Vec2::ZERO, |sum, e| sum + e);
    Shape {
        goal: mean(&|i| (crowd.pos[i] - goal).length()),
        nearest: mean(&nearest),
        dispersion: mean(&|i| (crowd.pos[i] - middle).length()),
        polarization: directions.length() / n,
    }
}

/// The crowd of a panel of Figure 3.9 at the start and 20 s later: 30 people with random velocities in 7 m x 7 m, a goal
/// 8 m beside their middle.
fn panel(weights: [f64; 5]) -> (Shape, Shape) {
    let goal = vec2(100.0, 50.0);
    let world = Arc::new(World::new(FloorPlan::default(), &mut FieldCache::default()).unwrap());
    let pull = Pull::Point { at: goal, radius_m: 0.5 };
    let scenario = scenario(world, &[pull], 30, area(88.5, 46.5, 95.5, 53.5));
    let traits = people::Traits { radius: Distribution::Fixed(0.25), ..people::published() };
    let setup = RunSetup { traits: vec![traits], seed: Seed(2), ..RunSetup::new(scenario.clone(), 0.1) };
    let mut crowd = Start::new(setup.clone()).unwrap().crowd().clone();
    let mut rng = Seed(2).child("velocities", 0).rng();
    for v in &mut crowd.vel {
        let angle = std::f64::consts::TAU * unit(&mut rng);
        *v = vec2(angle.cos(), angle.sin());
    }
    let before = shape(&crowd, goal);
    let set: Vec<(&str, f64)> = FIGURE.into_iter().zip(weights).collect();
    let mut run = Sim::new(Start::of(setup, crowd), model(&scenario, &set));
    for _ in 0..200 {
        run.step().unwrap();
    }
    let after = shape(run.crowd(), goal);
    println!("{weights:?}: {before:.2?} -> {after:.2?}");
    (before, after)
}

#[test]
fn following_alone_gathers_the_crowd_at_the_goal() {
    let (before, after) = panel([1.0, 0.0, 0.0, 0.0, 0.0]);
    assert!(after.goal < 0.5 * before.goal, "{before:?} -> {after:?}");
}

#[test]
fn separation_alone_spreads_it() {
    let (before, after) = panel([0.0, 1.0, 0.0, 0.0, 0.0]);
    assert!(after.nearest > 2.0 * before.nearest, "{before:?} -> {after:?}");
}

#[test]
fn cohesion_alone_contracts_it() {
    let (before, after) = panel([0.0, 0.0, 1.0, 0.0, 0.0]);
    assert!(after.dispersion < 0.8 * before.dispersion, "{before:?} -> {after:?}");
}

#[test]
fn alignment_turns_it_into_one_direction() {
    let (before, after) = panel([0.1, 0.1, 0.1, 1.0, 0.0]);
    assert!(before.polarization < 0.4 && after.polarization > 0.9, "{before:?} -> {after:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_world_makes_numbers_that_are_none(
        weights in prop::array::uniform5(0.0..1000.0f64),
        (gain, dt) in (0.0..1000.0f64, prop::sample::select(vec![0.01, 0.1, 0.5])),
        (view, range, turn) in (0.0..360.0f64, 1.0..200.0f64, 0.1..360.0f64),
        (ahead, clearance) in (0.0..10.0f64, 0.0..2.0f64),
        people in prop::collection::vec((0.5..9.5f64, 0.5..9.5f64, -1.0..1.0f64, 0.0..3.0f64), 1..16),
        seed in any::<u64>(),
    ) {
        let world = field(10.0, (seed % 2 == 0, seed % 3 == 0), &[area(4.0, 4.0, 5.0, 6.0)]);
        let scenario = scenario(world.clone(), &[Pull::Point { at: vec2(8.0, 5.0), radius_m: 0.3 }], 0, area(0.0, 0.0, 1.0, 1.0));
        let crowd = Crowd {
 vel: people.iter().map(|p| vec2(p.2, p.2)).collect(),
 desired_speed: people.iter().map(|p| p.3).collect(),
 ..Crowd::at(people.iter().map(|p| vec2(p.0, p.1)).collect())
 };
        let mut set: Vec<(&str, f64)> = FIGURE.into_iter().zip(weights).collect();
        set.extend([("gain_m_per_s2", gain), ("field_of_view_deg", view), ("range_diameters", range)]);
        set.extend([("turn_limit_deg", turn), ("look_ahead_s", ahead), ("clearance_m", clearance)]);
        let setup = RunSetup { seed: Seed(seed), ..RunSetup::new(scenario.clone(), dt) };
        let start = smallest_gaps(&world, &crowd);
        let mut run = Sim::new(Start::of(setup, crowd), model(&scenario, &set));
        for _ in 0..40 {
            // A step that is not a number, or leads through a wall, is an error.
            prop_assert_eq!(run.step(), Ok(()));
        }
        // Overlaps of the start may stay, but none goes deeper than the deepest was.
        let end = smallest_gaps(&world, run.crowd());
        prop_assert!(end.0 >= start.0.min(0.0) - 1e-9 && end.1 >= start.1.min(0.0) - 1e-9, "{:?} -> {:?}", start, end);
    }
}
