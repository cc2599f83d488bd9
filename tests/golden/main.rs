//! The same bits on every machine: digests of what models, optimizers and searches give, kept in `digests.txt`.
//!
//! `.ci/run` runs this on an emulated older CPU too. When a digest moves, the message says what to do.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crowdtune::evolve::evaluate::Serial;
use crowdtune::evolve::log::MemoryLog;
use crowdtune::evolve::run::{Silent, evolve};
use crowdtune_core::math::lanes::{self, Path as Simd};
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::registry::{Entry, Settings, defaults};
use crowdtune_search::{Axis, Gene, MakeOptimizer, Measure, Noise, OPTIMIZERS, Outcome, Question, Setup, Space, Trial};
use crowdtune_sim::crowd::{Crowd, Status};
use crowdtune_sim::models::MODELS;
use crowdtune_testing::everything::EVERYTHING;
use crowdtune_testing::golden::{assert_golden, read};
use crowdtune_testing::walk;
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// Forty people who hurry to the only door of a small room.
const ROOM: &str = r#"
[people]
desired_speed_m_per_s = { normal = [3.0, 0.3], clip = [2.0, 4.0] }
radius_m = { uniform = [0.2, 0.25] }
[scenario.room]
kind = "room"
count = 40
width_m = 4.5
depth_m = 4.5
door_width_m = 1.0
[measure.left]
metric = "people_left"
"#;

/// What a scene showed on the way, so that a digest covers what it says.
#[derive(Debug, Default)]
struct Shown {
    touched: bool,
    left: usize,
    injured: usize,
}

/// SHA-256 over ids, positions and velocities after each of 60 steps.
fn steps(model: &str, scene: &str) -> (String, Shown) {
    let experiment = walk::load(model, scene).unwrap();
    let (mut hash, mut shown, mut people) = (Sha256::new(), Shown::default(), None);
    let mut watch = |crowd: &Crowd| {
        // The start is no result.
        let Some(people) = people else {
            people = Some(crowd.len());
            return;
        };
        for i in 0..crowd.len() {
            hash.update(crowd.id[i].to_le_bytes());
            for x in [crowd.pos[i].x, crowd.pos[i].y, crowd.vel[i].x, crowd.vel[i].y] {
                hash.update(x.to_bits().to_le_bytes());
            }
        }
        shown.touched |= crowd.pressure.iter().any(|&p| p > 0.0);
        shown.left = people - crowd.len();
        shown.injured = crowd.status.iter().filter(|&&s| s == Status::Injured).count();
    };
    walk::walk(&experiment, 1, 60, &mut watch).unwrap();
    (hex(hash), shown)
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/digests.txt")
}

/// Compares a digest with the golden one: on every set of vector instructions that the processor has, or on the one that
/// `CROWDTUNE_SIMD` names. One test at a time, because the choice holds for all threads.
fn on_every_path(name: &str, digest: impl Fn() -> String) {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock();
    let wanted = std::env::var("CROWDTUNE_SIMD").ok();
    let mut first = None;
    for (path_name, path) in [("baseline", Simd::Baseline), ("avx2", Simd::Avx2), ("avx512", Simd::Avx512)] {
        if wanted.as_deref().is_none_or(|wanted| wanted == path_name) && lanes::choose(path) {
            let found = digest();
            let (first_name, first) = first.get_or_insert_with(|| (path_name, found.clone()));
            assert_eq!(*first, found, "{name}: {path_name} gives other bits than {first_name}");
        }
    }
    let (_, found) = first.unwrap_or_else(|| panic!("this processor has no {wanted:?}"));
    assert_golden(&file(), name, &found);
}

#[test]
fn sixty_steps_of_every_model_with_its_published_constants() {
    for model in MODELS {
        on_every_path(&format!("model/{}", model.name), || {
            let (found, shown) = steps(model.name, ROOM);
            assert!(shown.left > 0, "{}: nobody left, so the digest does not cover it: {shown:?}", model.name);
            found
        });
    }
}

#[test]
fn sixty_steps_of_the_social_force_with_everything_on() {
    on_every_path("everything/social_force", || {
        let (found, shown) = steps("social_force", EVERYTHING);
        assert!(shown.touched && shown.left > 0 && shown.injured > 0, "{shown:?}");
        found
    });
}

/// Forces, half planes and densities in one place, at their own steps, with one who gives way.
#[test]
fn sixty_steps_of_three_models_in_one_place() {
    on_every_path("everything/mixed", || {
        let (found, shown) = steps("social_force", MIXED);
        assert!(shown.touched, "{shown:?}");
        found
    });
}

#[test]
fn every_golden_digest_is_of_something_that_is_registered() {
    let models: Vec<String> = MODELS.iter().map(|m| format!("model/{}", m.name)).collect();
    let optimizers: Vec<String> = OPTIMIZERS.iter().map(|o| format!("optimizer/{}", o.name)).collect();
    for name in read(&file()).keys() {
        let known = models.contains(name) || optimizers.contains(name) || OTHERS.contains(&name.as_str());
        assert!(known, "digests.txt has `{name}`, which no test computes; remove its line");
    }
}

/// Digests that belong to no entry of a list.
const OTHERS: [&str; 3] = ["everything/mixed", "everything/social_force", "search/ga"];

const MIXED: &str = r#"[scenario.square]
walkable = "POLYGON ((0 0, 8 0, 8 6, 0 6, 0 0))"
limit_s = 60.0
group.forces = { count = 12, from = { area = [[0.5, 0.5], [3.5, 5.5]] }, to = { line = [[8, 1], [8, 5]] } }
group.planes = { model = "orca", count = 12, from = { area = [[3, 0.5], [5, 5.5]] }, to = { line = [[0, 1], [0, 5]] }, gives_way = { forces = 0.2 } }
group.flow = { model = "continuum", count = 12, from = { area = [[5, 0.5], [7.5, 5.5]] }, to = { line = [[0, 1], [0, 5]] } }
[measure.left]
metric = "people_left"
"#;

/// Genes of all kinds, targets of several kinds, and the check on fresh seeds.
const SEARCH: &str = r#"[parameters]
repulsion_strength_n = { range = [50.0, 5000.0], log = true }
relaxation_time_s = { range = [0.1, 2.0] }
injury_forces = { choices = ["contact", "all"] }
[people]
desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }
[scenario.neck]
kind = "bottleneck"
count = 10
width_m = { each = [0.8, 1.2], held_out = [1.0] }
limit_s = 20.0
replicas = 2
[target.time]
metric = "evacuation_time_95_s"
minimize = { good = 5.0, bad = 20.0 }
[target.flow]
metric = "flow_per_s"
over = "width_m"
points = [[0.8, 1.3], [1.0, 1.9], [1.2, 2.4]]
tolerance = "10 %"
[target.overlap]
metric = "overlap_max_m"
at_most = 0.05
must = true
[measure.speed]
metric = "speed_mean_m_per_s"
[search]
optimizer = "ga"
evaluations = 48
parallel = 8
seed = 3
"#;

#[test]
fn the_rows_of_a_search_with_48_trials() {
    on_every_path("search/ga", search);
}

/// Digest of the rows.
fn search() -> String {
    let experiment = walk::load("social_force", SEARCH).unwrap();
    let cancel = AtomicBool::new(false);
    let mut journal = MemoryLog::default();
    evolve(&experiment, &Serial::new(&experiment, &cancel), &mut journal, &mut Silent, &cancel).unwrap();
    // The first line names the version of the program; the rows are the results.
    let from = journal.0.iter().position(|&b| b == b'\n').unwrap() + 1;
    assert!(journal.0[from..].iter().filter(|&&b| b == b'\n').count() > 48);
    hex(Sha256::new_with_prefix(&journal.0[from..]))
}

/// What an optimizer asks in 20 batches of 12, or 9, on four genes of all kinds: genomes, replicas and purposes, bit for bit.
fn asked(optimizer: &Entry<MakeOptimizer>) -> String {
    let axes = [
        Axis::Real { low: 0.0, high: 1.0, log: false },
        Axis::Real { low: 1.0, high: 100.0, log: true },
        Axis::Integer { low: 0, high: 20 },
        Axis::Choice(vec![0.0, 1.0, 2.0]),
    ];
    let genes = (0..).zip(axes).map(|(i, axis)| Gene { key: format!("x{i}"), axis }).collect();
    let space = Space { genes };
    let objectives = *optimizer.make.objectives.start();
    let values = defaults(optimizer.params);
    let mut search = (optimizer.make.make)(&Setup {
        space: &space,
        seed: Seed(11),
        parallel: 12,
        replicas: 2,
        start: vec![vec![0.5; 4]],
        work_s: None,
        noise: Noise::Fresh,
        objectives,
        measures: vec![Measure { low: 0.0, high: 1.0, cells: 8 }; 2],
        parts: Vec::new(),
        settings: Settings::new(optimizer.params, &values),
    });
    let mut hash = Sha256::new();
    let mut id = 0;
    // A Gaussian process thinks longer with every candidate.
    let batches = if optimizer.name == "gp" { 9 } else { 20 };
    for _ in 0..batches {
        let mut trials = Vec::new();
        for question in search.ask() {
            for x in &question.genome {
                hash.update(x.to_bits().to_le_bytes());
            }
            hash.update(format!("{:?} {:?}", question.replicas, question.purpose));
            trials.push(answer(id, question, objectives));
            id += 1;
        }
        search.tell(&trials);
    }
    for genome in search.recommend() {
        genome.iter().for_each(|x| hash.update(x.to_bits().to_le_bytes()));
    }
    assert!(id > 100, "{} asked only {id} times", optimizer.name);
    hex(hash)
}

/// A bowl with a rough floor, a must that a corner misses, and a corner that fails.
fn answer(id: u64, question: Question, objectives: usize) -> Trial {
    let x = &question.genome;
    let seed = x.iter().fold(Seed(5), |seed, x| seed.child("x", x.to_bits()));
    let bowl = |center: f64| x.iter().map(|x| (x - center) * (x - center)).sum::<f64>();
    let rough = 0.01 * unit(&mut seed.rng());
    let failed = x[0] > 0.95;
    Trial {
        id,
        values: Vec::new(),
        objectives: if failed {
            Vec::new()
        } else {
            (0..objectives).map(|k| bowl(0.3 + 0.4 * k as f64) + rough).collect()
        },
        violation: (x[1] - 0.8).max(0.0),
        measures: if failed { Vec::new() } else { x[..2].to_vec() },
        outcome: if failed { Outcome::Failed("a corner that fails".into()) } else { Outcome::Done },
        question,
    }
}

#[test]
fn what_every_optimizer_asks() {
    for optimizer in OPTIMIZERS {
        assert_golden(&file(), &format!("optimizer/{}", optimizer.name), &asked(optimizer));
    }
}
