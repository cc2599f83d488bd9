//! A run after other runs of the same thread is the same as its first one, bit for bit.

use crowdtune::Registry;
use crowdtune::evolve::evaluate::{Evaluate, Pool, run_one, simulate};
use crowdtune::evolve::experiment::{Experiment, no_files};
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_search::{Purpose, Question};
use crowdtune_sim::models::MODELS;
use crowdtune_testing::everything::EVERYTHING;
use proptest::prelude::*;
use proptest::sample::Index;
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

/// Two groups in a street, one of whom comes in during the run: every model walks here.
const STREET: &str = r#"
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
[simulation]
max_overlap_share = 2.0
"#;

/// Few people of the five forces, with its collision strategies.
const FLOCK: &str = r#"
model = "five_force"
[scenario.field]
kind = "open_field"
count = 12
limit_s = 5.0
"#;

/// Two groups in a yard with a wall that ends in it, one of whom comes in during the run: every model walks here too, so
/// that one place follows another.
const YARD: &str = r#"
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
[simulation]
max_overlap_share = 2.0
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

/// Each model at each place.
fn places() -> impl Iterator<Item = (&'static str, [Experiment; 2])> {
    let of = |model: &str| [STREET, YARD].map(|place| load(&format!("model = \"{model}\"\n{place}")));
    MODELS.iter().map(move |model| (model.name, of(model.name)))
}

/// All scenes; the last one fails.
fn scenes() -> Vec<Experiment> {
    places().flat_map(|p| p.1).chain([&door(), FLOCK, FAILS].map(load)).collect()
}

fn load(text: &str) -> Experiment {
    let text = format!("format = 1\n{text}{MEASURED}");
    Experiment::load(&Registry::builtin(), &text, "scene.toml", &[], &mut no_files).unwrap()
}

type Bits = Result<Vec<Option<u64>>, Error>;

fn bits(values: Result<Vec<Option<f64>>, Error>) -> Bits {
    values.map(|row| row.into_iter().map(|x| x.map(f64::to_bits)).collect())
}

#[test]
fn one_of_the_scenes_fails_and_the_others_do_not() {
    let failed: Vec<bool> = scenes().iter().map(|scene| simulate(scene, 0, &[], Seed(1)).is_err()).collect();
    let (last, others) = failed.split_last().unwrap();
    assert!(*last && !others.contains(&true), "{failed:?}");
}

#[test]
fn a_run_of_either_place_after_the_other_is_the_same() {
    for (model, places) in places() {
        let fresh = places.each_ref().map(|place| bits(simulate(place, 0, &[], Seed(2))));
        assert_ne!(fresh[0], fresh[1], "{model}");
        for (turn, at) in [0, 0, 1, 1, 0].into_iter().enumerate() {
            let again = bits(simulate(&places[at], 0, &[], Seed(2)));
            assert_eq!(fresh[at], again, "{model}, place {at}, run {turn}");
        }
    }
}

#[test]
fn a_run_says_how_much_work_it_was() {
    let experiment = load(FLOCK);
    let (_, health) = run_one(&experiment, 0, &[], Seed(1), None).unwrap();
    let steps = (5.0 / experiment.timing.time_step_s).round() as u64;
    assert_eq!(health.agent_steps, 12 * steps);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn runs_before_it_change_nothing(runs in prop::collection::vec((any::<Index>(), 0u64..3), 2..8)) {
        let scenes = scenes();
        for (scene, seed) in runs {
            let scene = scene.index(scenes.len());
            let run = || bits(simulate(&scenes[scene], 0, &[], Seed(seed)));
            let fresh = std::thread::scope(|new| new.spawn(run).join().unwrap());
            prop_assert_eq!(fresh, run(), "scene {}", scene);
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
    let pool = || Pool::new(&experiment, 1, &cancel).unwrap();
    let nothing = pool().with("nothing", |_| Ok(vec![Some(1.0); 6]));
    for (name, pool) in [("nothing", nothing), ("one step", pool())] {
        for _ in 0..3 {
            let start = Instant::now();
            pool.evaluate(&ask, 0, &mut |_| Ok(())).unwrap();
            println!("{name}: {:.2} us a run", start.elapsed().as_secs_f64() * 1e6 / 5000.0);
        }
    }
}
