//! What emerges from the continuum model, and that no place breaks it.

use crate::every_model::worlds;
use crowdtune::Registry;
use crowdtune::evolve::evaluate::{run_seed, simulate};
use crowdtune::evolve::experiment::{Experiment, no_files};
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Settings, defaults, find};
use crowdtune_search::Purpose;
use crowdtune_sim::crowd::{RunSetup, Sim, Start};
use crowdtune_sim::models::{MODELS, ModelSetup};
use crowdtune_sim::world::scenario::{FloorPlan, Goal, Group, Polygon, Pull, Scenario, Segment, Spawn, named};
use crowdtune_sim::world::{FieldCache, Hill, Relief, SlopeLaw, Torus, World};
use std::ops::Range;
use std::sync::Arc;

fn scene(text: &str) -> Experiment {
    let text = format!("format = 1\nmodel = \"continuum\"\n{text}");
    Experiment::load(&Registry::builtin(), &text, "scene.toml", &[], &mut no_files).unwrap_or_else(|e| panic!("{e}"))
}

/// Values of the metrics of a text, in name order, for some seeds; all runs have to be healthy.
fn measured(text: &str, seeds: Range<u64>) -> Vec<Vec<f64>> {
    let experiment = scene(text);
    let one = |seed| simulate(&experiment, 0, &[], Seed(seed)).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    seeds.map(|seed| one(seed).into_iter().map(|x| x.unwrap_or(f64::NAN)).collect()).collect()
}

fn mean(values: &[Vec<f64>], k: usize) -> f64 {
    values.iter().map(|v| v[k]).sum::<f64>() / values.len() as f64
}

/// The 4 m corridor at 0.9 persons per square meter, in two directions, on a ring.
const CORRIDOR: &str = r#"
[people]
desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }
radius_m = 0.2
[scenario.street]
kind = "corridor"
count = 36
limit_s = 60.0
[measure.lanes]
metric = "lane_order_reduced"
[measure.speed]
metric = "speed_mean_m_per_s"
"#;

#[test]
fn opposing_streams_form_lanes() {
    let runs = measured(CORRIDOR, 0..6);
    let (lanes, speed) = (mean(&runs, 0), mean(&runs, 1));
    assert!(lanes > 0.5, "reduced lane order {lanes:.2}");
    assert!(speed > 1.0, "mean speed {speed:.2} m/s");
}

/// Four streams on cells of a meter with the densities of the ports; a meter of way costs little against a second.
const CROSSING: &str = r#"
[parameters]
cell_m = 1.0
density_min_per_m2 = 0.3
density_max_per_m2 = 0.8
length_weight = 0.1
[people]
desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }
radius_m = 0.15
[scenario.crossing]
kind = "crossing"
ways = "four"
count = 60
[measure.left]
metric = "people_left"
[measure.rotation]
metric = "rotation"
at = "center"
"#;

#[test]
fn four_streams_turn_around_each_other() {
    let runs = measured(CROSSING, 0..16);
    let rotation = runs.iter().map(|v| v[1].abs()).sum::<f64>() / runs.len() as f64;
    assert!(rotation > 0.3, "mean size of the rotation {rotation:.2}");
    assert!(mean(&runs, 0) < 2.0, "{:.1} people of 60 are left", mean(&runs, 0));
}

/// One who is led west and down to a wall, and one who is led east along it, meet at the corner of a crossing.
const CORNER: &str = r#"
[people]
desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }
radius_m = 0.2
[scenario.crossing]
kind = "crossing"
ways = "four"
count = 80
inflow_per_s = 4.0
[search]
seed = 187
[measure.left]
metric = "people_left"
"#;

#[test]
fn nobody_stands_face_to_face_for_ever() {
    // Without stepping aside two stand at a wall for ever in this run.
    let experiment = scene(CORNER);
    let seed = run_seed(187, Purpose::Report, "crossing", 0);
    assert_eq!(simulate(&experiment, 0, &[], seed).unwrap(), [Some(0.0)]);
}

#[test]
fn a_door_of_a_metre_is_passed_with_cells_of_half_a_metre() {
    let room = "[people]\nradius_m = 0.25\n[scenario.room]\nkind = \"room\"\ncount = 60\nlimit_s = 120.0\n\
                [measure.left]\nmetric = \"people_left\"\n";
    for cell in [0.3, 0.5] {
        let runs = measured(&format!("[parameters]\ncell_m = {cell}\n{room}"), 0..2);
        assert!(mean(&runs, 0) == 0.0, "cells of {cell} m: {:.1} are left", mean(&runs, 0));
    }
}

/// A place of random obstacles and thin walls, two groups with journeys or headings, and random constants, for 60 steps.
fn random_world(number: u64) -> Result<(), String> {
    let mut rng = Seed(number).child("world", 0).rng();
    let mut draw = |low: f64, high: f64| low + (high - low) * unit(&mut rng);
    let size = vec2(draw(8.0, 20.0), draw(8.0, 20.0));
    let ring = number.is_multiple_of(3);
    let block = |a: Vec2, b: Vec2| Polygon::rectangle(a, a + b);
    let holes: Vec<Polygon> = (0..3)
        .map(|_| block(vec2(draw(3.0, size.x - 3.0), draw(1.0, size.y - 2.0)), vec2(draw(0.1, 2.0), draw(0.1, 1.0))))
        .collect();
    let square = block(Vec2::ZERO, size);
    let mut walls: Vec<Segment> = holes.iter().flat_map(Polygon::edges).collect();
    walls.extend(square.edges().filter(|e| !ring || e.a.x != e.b.x));
    let thin = vec2(draw(3.0, size.x - 3.0), draw(1.0, size.y - 1.0));
    walls.push(Segment { a: thin, b: thin + vec2(draw(-2.0, 2.0), draw(-2.0, 2.0)) });
    let goals = vec![
        named("point", Goal::Point { at: vec2(draw(0.5, 2.0), draw(0.5, 3.0)), radius: 0.4 }),
        named("area", Goal::Area(block(vec2(size.x - 2.0, 1.0), vec2(1.0, 2.0)))),
    ];
    let torus = Torus { x: ring.then_some((0.0, size.x)), y: None };
    let hill = (!ring && draw(0.0, 1.0) < 0.3).then(|| Hill {
        at: vec2(draw(0.0, size.x), draw(0.0, size.y)),
        height_m: draw(-3.0, 3.0),
        width_m: vec2(5.0, 5.0),
    });
    let linear = SlopeLaw::Linear { easy: 0.0, steep: 1.0, least: 0.1 };
    let relief = hill.map(|hill| Relief { slope: Vec2::ZERO, hills: vec![hill], heights: None, law: linear });
    let plan =
        FloorPlan { walls, walkable: vec![(square, holes)], goals, periodic: torus, relief, ..FloorPlan::default() };
    let world = World::new(plan, &mut FieldCache::default()).map_err(|e| e.to_string())?;
    let group = |name: &str, low: f64, stages: Vec<Vec<usize>>, way: f64| Group {
        name: name.into(),
        count: 15,
        spawn: Spawn::Random(block(vec2(low, 0.0), vec2(2.5, size.y))),
        stages: if ring { Vec::new() } else { stages },
        pull: if ring { Pull::Heading(vec2(way, 0.0)) } else { Pull::Nothing },
        ..Group::default()
    };
    let groups = vec![group("a", 0.2, vec![vec![1]], 1.0), group("b", size.x - 2.8, vec![vec![0, 1], vec![1]], -1.0)];
    let scenario =
        Scenario { name: "random".into(), world: Arc::new(world), groups, limit_s: 1e6, give_up_s: None, tracks: None };
    let entry = find(MODELS, "continuum").unwrap();
    crowdtune_sim::models::fits(entry, &scenario).map_err(|e| e.to_string())?;
    let mut values = defaults(entry.params);
    let mut set = |key: &str, value: f64| values[entry.params.iter().position(|p| p.key == key).unwrap()] = value;
    set("cell_m", draw(0.2, 1.5));
    set("splat_exponent", draw(0.5, 3.0));
    set("density_max_per_m2", draw(1.3, 6.0));
    set("length_weight", draw(0.0, 2.0));
    set("prediction", f64::from(u8::from(draw(0.0, 1.0) < 0.5)));
    set("minimum_distance", f64::from(u8::from(draw(0.0, 1.0) < 0.8)));
    let settings = [Settings::new(entry.params, &values), Settings::new(entry.params, &values)];
    let seed = Seed(number);
    let time_step_s = draw(0.02, entry.make.max_time_step_s);
    let setup = RunSetup { seed, ..RunSetup::new(scenario.clone(), time_step_s) };
    // A place too narrow for everybody is no place.
    let Ok(start) = Start::new(setup) else { return Ok(()) };
    let made = ModelSetup { scenario: &scenario, max_radius_m: 0.35, min_mass_kg: 80.0, seed };
    let mut run = Sim::new(start, (entry.make.make)(&made, &settings));
    for _ in 0..60 {
        run.step().map_err(|e| format!("world {number}: {e}"))?;
        let crowd = run.crowd();
        if let Some(row) = (0..crowd.len()).find(|&row| !scenario.world.contains(crowd.pos[row])) {
            return Err(format!("world {number}: {} left the place at {:?}", crowd.id[row], crowd.pos[row]));
        }
    }
    Ok(())
}

#[test]
fn no_random_world_breaks_it() {
    (0..worlds()).try_for_each(random_world).unwrap_or_else(|e| panic!("{e}"));
}
