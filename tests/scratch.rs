//! A run in the memory of other runs is the same as one in fresh memory, bit for bit.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "common/everything.rs"]
mod everything;

use crowdtune::Error;
use crowdtune::evolve::config;
use crowdtune::evolve::evaluate::{Evaluate, Pool, RunCase, Scratch, simulate, simulate_in};
use crowdtune::evolve::experiment::Experiment;
use crowdtune::math::rng::Seed;
use crowdtune::search::{Purpose, Question};
use everything::EVERYTHING;
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What is measured in all scenes: numbers that hold places, velocities and contact.
const MEASURED: &str = r#"
[measure.speed]
metric = "speed_mean_m_per_s"
[measure.nearest]
metric = "nearest_neighbor_m"
[measure.spread]
metric = "dispersion_m"
[measure.overlap]
metric = "overlap_max_m"
[measure.collisions]
metric = "collisions"
"#;

/// Two groups, one of whom comes in during the run, on a ring.
const STREET: &str = r#"
model = "social_force"
[scenario.street]
walkable = "POLYGON ((0 0, 30 0, 30 6, 0 6, 0 0))"
limit_s = 5.0
[scenario.street.group.east]
count = 20
from = { area = [[0, 0], [8, 6]] }
to = { line = [[30, 0], [30, 6]] }
[scenario.street.group.west]
count = 15
inflow_per_s = 4.0
from = { area = [[28, 0], [30, 6]] }
to = { line = [[0, 0], [0, 6]] }
"#;

/// Few people of the other model, with its collision strategies.
const FLOCK: &str = r#"
model = "five_force"
[scenario.field]
kind = "open_field"
count = 12
limit_s = 5.0
"#;

/// Two groups in a yard with a wall that ends in it, one of whom comes in during the run, who walk by half planes.
const YARD: &str = r#"
model = "orca"
[scenario.yard]
walkable = "POLYGON ((0 0, 14 0, 14 8, 0 8, 0 0))"
walls = [[[7, 0], [7, 3]]]
limit_s = 6.0
[scenario.yard.group.east]
count = 15
from = { area = [[0, 0], [6, 8]] }
to = { line = [[14, 0], [14, 8]] }
[scenario.yard.group.west]
count = 10
inflow_per_s = 3.0
from = { area = [[12, 0], [14, 8]] }
to = { line = [[0, 0], [0, 8]] }
"#;

/// A run that fails half way: nobody may overlap.
const FAILS: &str = r#"
model = "social_force"
[parameters]
repulsion_strength_n = 1.0
[people]
desired_speed_m_per_s = 3.0
[scenario.room]
kind = "room"
count = 30
width_m = 6.0
depth_m = 6.0
[simulation]
max_overlap_share = 0.01
"#;

/// The crowded door.
fn door() -> String {
    format!("model = \"social_force\"\n{EVERYTHING}")
}

fn load(text: &str) -> Experiment {
    let text = format!("format = 1\n{text}{MEASURED}");
    config::load(&text, "scene.toml", &[], &mut |_| Err(Error::input("no file is named"))).unwrap()
}

type Bits = Result<Vec<Option<u64>>, String>;

fn bits(values: Result<Vec<Option<f64>>, String>) -> Bits {
    values.map(|row| row.into_iter().map(|x| x.map(f64::to_bits)).collect())
}

#[test]
fn one_of_the_scenes_fails_and_the_others_do_not() {
    let fails = |text: &str| simulate(&load(text), 0, &[], Seed(1)).is_err();
    assert_eq!([&door(), STREET, FLOCK, YARD, FAILS].map(fails), [false, false, false, false, true]);
}

#[test]
fn a_run_says_how_much_work_it_was() {
    let (experiment, mut scratch) = (load(FLOCK), Scratch::default());
    simulate_in(&experiment, 0, &[], Seed(1), &mut scratch).unwrap();
    let steps = (5.0 / experiment.timing.time_step_s).round() as u64;
    assert_eq!(scratch.agent_steps, 12 * steps);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn memory_of_other_runs_changes_nothing(runs in prop::collection::vec((0usize..5, 0u64..3), 2..8)) {
        let scenes = [&door(), STREET, FLOCK, YARD, FAILS].map(load);
        let mut scratch = Scratch::default();
        for (scene, seed) in runs {
            let fresh = bits(simulate(&scenes[scene], 0, &[], Seed(seed)));
            let again = bits(simulate_in(&scenes[scene], 0, &[], Seed(seed), &mut scratch));
            prop_assert_eq!(fresh, again, "scene {}", scene);
        }
    }
}

#[test]
#[ignore = "prints times"]
fn what_a_run_costs_beyond_the_simulation() {
    let text =
        door().replace("panic = 0.4", "panic = { range = [0.0, 0.5] }").replace("limit_s = 3.0", "limit_s = 0.02");
    let (experiment, cancel) = (load(&text), AtomicBool::new(false));
    let ask: Vec<_> = (0..100)
        .map(|k| Question { genome: vec![f64::from(k) / 100.0], replicas: 0..50, purpose: Purpose::Select })
        .collect();
    let nothing: RunCase = |_, _, _, _, _| Ok(vec![Some(1.0); 6]);
    let fresh: RunCase = |experiment, case, genes, seed, _| simulate(experiment, case, genes, seed);
    for (name, run_case) in [("nothing", nothing), ("one step", fresh), ("one step in used memory", simulate_in)] {
        let pool = Pool::new(&experiment, 1, &cancel).unwrap().with(run_case);
        for _ in 0..3 {
            let start = Instant::now();
            pool.evaluate(&ask, 0, &mut |_| Ok(())).unwrap();
            println!("{name}: {:.2} us a run", start.elapsed().as_secs_f64() * 1e6 / 5000.0);
        }
    }
}
