//! What the five-force model promises: nobody ever overlaps and the crowd walks all the same, and each force alone does
//! what its panel in the source shows.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crowdtune::crowd::health::Health;
use crowdtune::crowd::people;
use crowdtune::crowd::simulation::{RunSetup, Simulation};
use crowdtune::crowd::state::Crowd;
use crowdtune::crowd::{Steering, people::Distribution};
use crowdtune::math::rng::{Seed, unit};
use crowdtune::math::{Vec2, vec2};
use crowdtune::models::{Birth, MODELS};
use crowdtune::registry::{Settings, defaults, find};
use crowdtune::world::World;
use crowdtune::world::field::FieldCache;
use crowdtune::world::scenario::{Goal, Group, Plan, Polygon, Pull, Scenario, Segment, Spawn, named};
use crowdtune::world::torus::Torus;
use std::sync::Arc;

/// The five weights in the order of Figure 3.9: attraction, separation, cohesion, alignment, repulsion.
const FIGURE: [&str; 5] =
    ["attraction_weight", "separation_weight", "cohesion_weight", "alignment_weight", "repulsion_weight"];

fn model(groups: usize, people: usize, set: &[(&str, f64)]) -> Box<dyn Steering> {
    let entry = find(MODELS, "five_force").unwrap();
    let mut values = defaults(entry.params);
    for (key, value) in set {
        let at = entry.params.iter().position(|p| p.key == *key).expect(key);
        values[at] = *value;
    }
    let settings = vec![Settings::new(entry.params, &values); groups];
    let birth = Birth { groups: &settings, max_radius_m: 0.35, min_mass_kg: 80.0, people, seed: Seed(1) };
    (entry.make.make)(&birth)
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
    let plan = Plan {
        walls,
        walkable: vec![(area(0.0, 0.0, size, size), obstacles.to_vec())],
        goals: vec![named("there", Goal::Point { at, radius: 0.1 })],
        periodic: Torus { x: closed(rings.0), y: closed(rings.1) },
        ..Plan::default()
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
    Scenario { name: "field".into(), world, groups, limit_s: 1e6, give_up_s: None }
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

/// Sixty people at 1 /m2 with obstacles for 600 steps, with random weights, gain and directions of the crowd.
fn promise(set: u64, random: bool, m: f64) -> Walked {
    let mut rng = Seed(set).child("weights", 0).rng();
    let mut values: Vec<(&str, f64)> = FIGURE.iter().map(|&key| (key, unit(&mut rng))).collect();
    values.push(("gain_m_per_s2", 1.0 + 49.0 * unit(&mut rng)));
    values.push(("perceives", f64::from(u8::from(unit(&mut rng) < 0.5))));
    if !random {
        values.clear();
    }
    values.push(("clearance_m", m));
    let size = 8.0;
    let obstacles = [area(2.0, 2.0, 2.6, 3.2), area(5.0, 4.6, 6.2, 5.2), area(2.8, 6.0, 3.4, 6.6)];
    let rings = [(true, true), (true, false), (false, false)][(set % 3) as usize];
    let world = field(size, rings, &obstacles);
    let pulls = match set % 3 {
        0 => [Pull::Heading(vec2(1.0, 0.0)), Pull::Heading(vec2(0.0, 1.0))],
        1 => [Pull::Heading(vec2(1.0, 0.0)), Pull::Heading(vec2(-1.0, 0.0))],
        _ => [Pull::Nothing, Pull::Group(0)],
    };
    let scenario = scenario(world.clone(), &pulls, 30, area(0.0, 0.0, size, size));
    let mut traits = people::published();
    traits.radius = Distribution::Uniform { low: 0.2, high: 0.25 };
    let setup = RunSetup {
        scenario: &scenario,
        traits: &[traits, traits],
        time_step_s: 0.1,
        sample_every_s: 0.1,
        max_overlap_share: 1.0,
        seed: Seed(set),
    };
    let mut run = Simulation::new(setup).unwrap();
    let mut model = model(2, 60, &values);
    let mut health = Health::default();
    let mut walked = Walked { gap: f64::INFINITY, wall: f64::INFINITY, stops: 0.0, way: 0.0 };
    for step in 0..600 {
        run.step(model.as_mut(), step, &mut health).unwrap();
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

#[test]
fn look() {
    for m in [0.05, 0.1, 0.2, 0.3] {
        for (set, r) in [
            (1, false),
            (4, false),
            (7, false),
            (1, true),
            (9, true),
            (10, true),
            (0, false),
            (0, true),
            (2, false),
            (14, true),
        ] {
            let w = promise(set, r, m);
            println!("{m} {set} {r} {w:?}");
        }
        for (kind, more) in [
            ("room", "count = 30\nwidth_m = 4.5\ndepth_m = 4.5\ndoor_width_m = 1.0"),
            ("bottleneck", "count=40"),
            ("two_exits", "count=40"),
            ("room", "count=60"),
        ] {
            for people in [
                "",
                "[people]\ndesired_speed_m_per_s = { normal = [3.0, 0.3], clip = [2.0, 4.0] }\nradius_m = { uniform = [0.2, 0.25] }\n",
            ] {
                let text = format!(
                    "model = \"five_force\"\n{people}[scenario.a]\nkind = \"{kind}\"\n{more}\n[measure.left]\nmetric = \"people_left\"\n"
                );
                let e = crowdtune::evolve::config::load(&text, "a.toml", &[], &mut |_| unreachable!()).unwrap();
                let case = &e.cases[0];
                let traits: Vec<_> = case.groups.iter().map(|g| g.traits(&[])).collect();
                let setup = RunSetup {
                    scenario: &case.scenario,
                    traits: &traits,
                    time_step_s: 0.1,
                    sample_every_s: 0.1,
                    max_overlap_share: 1.0,
                    seed: Seed(1),
                };
                let mut run = Simulation::new(setup).unwrap();
                let mut model = model(traits.len(), 60, &[("clearance_m", m)]);
                let mut health = Health::default();
                let mut left = Vec::new();
                let mut stops = 0;
                for step in 0..1200 {
                    if run.crowd().is_empty() {
                        println!("empty after {step}");
                        break;
                    }
                    run.step(model.as_mut(), step, &mut health).unwrap();
                    stops += run.crowd().vel.iter().filter(|v| **v == Vec2::ZERO).count();
                    if step % 60 == 59 {
                        left.push((run.crowd().len(), stops));
                        stops = 0;
                    }
                }
                println!("{m} {kind} {left:?}");
                for i in 0..run.crowd().len().min(4) {
                    println!("  {:?} {:?}", run.crowd().pos[i], run.crowd().vel[i]);
                }
            }
        }
    }
}
