//! The same bits on every machine, by digests that are written down here.
//!
//! A digest that moves means that the same experiment now gives other results. If that is wanted, put the new digest
//! here, say what moved and why in `CHANGELOG.md` under "Changes results", and raise `RESULTS` in `src/evolve/log.rs`,
//! so that no log of before is continued. If it is not wanted, the change has a bug: most often a sum in another
//! order, or a function of `std` in place of one of `libm`. `.ci/run` runs this file on an emulated older CPU too.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "common/everything.rs"]
mod everything;
#[path = "common/walk.rs"]
mod walk;

use crowdtune::evolve::evaluate::Serial;
use crowdtune::evolve::log::MemoryLog;
use crowdtune::evolve::run::{Silent, evolve};
use crowdtune_core::math::lanes::{self, Path};
use crowdtune_sim::crowd::{Crowd, Status};
use crowdtune_sim::models::MODELS;
use sha2::{Digest as _, Sha256};
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

/// Runs a test on every path of the processor, or on the one that `CROWDTUNE_SIMD` names; one test at a time, because
/// the path is one for all threads.
fn on_every_path(test: impl Fn(Path)) {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock();
    let named = std::env::var("CROWDTUNE_SIMD").ok();
    let mut tested = 0;
    for (name, path) in [("baseline", Path::Baseline), ("avx2", Path::Avx2), ("avx512", Path::Avx512)] {
        if named.as_deref().is_none_or(|named| named == name) && lanes::choose(path) {
            test(path);
            tested += 1;
        }
    }
    assert!(tested > 0, "this processor has no {named:?}");
}

/// Digest of each model with its published constants.
const MODEL_DIGESTS: &[(&str, &str)] = &[
    ("social_force", "3d22b7832b3d8b6fb56b95873281a96a477b6aa10e707756387fc98d44ddc605"),
    ("five_force", "1c141a7e93ab56360867bbae1eddf751ecace50aefaab016060aa764fe7022ae"),
    ("velocity_obstacle", "95136cc55ac4f1f28f9d77d99e868b7d44d96535b91a6e475f10c10e08d2ac23"),
    ("rvo", "2a007eb78becec9f3b08849d998c48be73d06b6a6d59283e540e3626f519d331"),
    ("orca", "2d6210de356acd7fc69d659d05202482d1c420fc881aad3d21aa1f44a018a1b7"),
    ("continuum", "3ca756902749ea46a13db0cec07465c5ccaabfffbb54125bcf73d17a0ce28b79"),
    ("group_dynamics", "1fe81532e1c73b4aea90896a28f92d697d4d63690fa68bb770a31127b2d8acc1"),
    ("hybrid", "1870f0ac1c099319f68ff722bc3a8f1b3cbdd2f51f6b29992bbb52535e492c37"),
];

#[test]
fn sixty_steps_of_every_model() {
    let names: Vec<&str> = MODELS.iter().map(|m| m.name).collect();
    assert_eq!(
        names,
        MODEL_DIGESTS.iter().map(|d| d.0).collect::<Vec<_>>(),
        "one digest for each model, in their order"
    );
    on_every_path(|path| {
        for (model, digest) in MODEL_DIGESTS {
            let (found, shown) = steps(model, ROOM);
            assert!(shown.left > 0, "{model}: nobody left, so the digest does not cover it: {shown:?}");
            assert_eq!(found, *digest, "{path:?}: the results of {model} have moved; see the head of this file");
        }
    });
}

#[test]
fn sixty_steps_of_the_social_force_with_everything_on() {
    on_every_path(|path| {
        let (found, shown) = steps("social_force", everything::EVERYTHING);
        assert!(shown.touched && shown.left > 0 && shown.injured > 0, "{shown:?}");
        assert_eq!(found, EVERYTHING_DIGEST, "{path:?}");
    });
}

const EVERYTHING_DIGEST: &str = "49f2f6841a1c8af9311995c87e23182eec65eff127c95de1281f3de07de08721";

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
    on_every_path(|path| assert_eq!(search(), SEARCH_DIGEST, "{path:?}"));
}

const SEARCH_DIGEST: &str = "48c75dfa34d3f06afa9a098f318fd726bfc7319ea175419115096c21c196b26e";

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
