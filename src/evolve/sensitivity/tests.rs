//! A design through the log, on a simulator that is a formula.

use super::*;
use crate::evolve::evaluate::{Job, Serial};
use crate::evolve::experiment::{Experiment, no_files};
use crate::evolve::log::{self, MemoryLog};
use crate::evolve::run::Silent;
use crate::registry::Registry;

const TEXT: &str = r#"
    model = "social_force"
    parameters.relaxation_time_s = { range = [0.0625, 1.0625] }
    parameters.repulsion_strength_n = { range = [50.0, 5000.0], log = false }
    scenario.room = { kind = "room", count = 3, width_m = 5.0, depth_m = 5.0, replicas = 2 }
    measure.out = { metric = "people_left" }
"#;
const TARGET: &str = "target.time = { metric = \"evacuation_time_95_s\", minimize = { good = 0.0, bad = 1.0 } }\n";

fn load(text: &str) -> Experiment {
    Experiment::load(&Registry::builtin(), text, "tiny.toml", &[], &mut no_files).unwrap()
}

/// Columns in name order: `out` is 5 tau, `time` is 2 tau + A / 4950; slow ones with a strong A fail.
fn formula(job: &Job<'_>) -> Result<Vec<Option<f64>>, Error> {
    let x = job.genes;
    if x[0] > 0.9 && x[1] > 4000.0 {
        return Err(Error::nothing("a speed of 7 m/s"));
    }
    let all = [5.0 * x[0], 2.0 * x[0] + x[1] / 4950.0];
    Ok(all[..job.experiment.columns.len()].iter().map(|v| Some(*v)).collect())
}

fn ran(experiment: &Experiment, design: Design, log: &mut MemoryLog) -> Result<Vec<Trial>, Error> {
    let cancel = AtomicBool::new(false);
    let evaluator = Serial::new(experiment, &cancel).with("formula", formula);
    run(experiment, design, &evaluator, log, &mut Silent, &cancel)
}

fn close(f: crate::evolve::summary::Figure, wanted: f64, tolerance: f64) {
    assert!((f.value.unwrap() - wanted).abs() < tolerance, "{f:?} should be {wanted}");
}

#[test]
fn a_screening_finds_the_slopes_of_every_output_and_leaves_failures_out() {
    let mut experiment = load(&(TEXT.to_string() + TARGET));
    let design = Design { method: Method::Morris, samples: 12 };
    prepare(&mut experiment, design);
    let trials = ran(&experiment, design, &mut MemoryLog::default()).unwrap();
    assert_eq!((trials.len() as u64, design.rows(2)), (36, 36));
    let found = summarize(&experiment, design, &trials).unwrap();
    let names: Vec<_> = found.outputs.iter().map(|o| (o.name.as_str(), o.kind.as_str())).collect();
    assert_eq!(names, [("loss", "objective"), ("out", "measure"), ("time", "target")]);
    assert!(found.failures["a speed of 7 m/s"] > 0, "{:?}", found.failures);
    for (at, slopes) in [(0, [2.0, 1.0]), (1, [5.0, 0.0]), (2, [2.0, 1.0])] {
        let Effects::Morris(effects) = &found.outputs[at].effects else { panic!("a screening") };
        for (e, slope) in effects.iter().zip(slopes) {
            close(e.mu_star, slope, 1e-9);
            close(e.sigma, 0.0, 1e-9);
            assert!(e.effects < 12, "both ends of a step must be there");
        }
        assert_eq!(found.outputs[at].missing, found.failures.values().sum::<u64>());
    }
}

#[test]
fn shares_of_a_sum_are_those_of_its_parts() {
    let mut experiment = load(TEXT);
    let design = Design { method: Method::Sobol, samples: 64 };
    prepare(&mut experiment, design);
    assert!(experiment.objectives.is_empty(), "without a target there is no loss");
    let mut log = MemoryLog::default();
    let trials = ran(&experiment, design, &mut log).unwrap();
    log::parse(&log.0, "memory").unwrap();
    let found = summarize(&experiment, design, &trials).unwrap();
    let Effects::Sobol { genes, pairs } = &found.outputs[0].effects else { panic!("shares") };
    close(genes[0].first, 1.0, 0.1);
    close(genes[0].total, 1.0, 0.1);
    close(genes[1].total, 0.0, 1e-12);
    close(pairs[0].second, 0.0, 0.1);
}

#[test]
fn a_run_is_continued_and_extended_with_the_same_bytes_and_no_other_design() {
    let mut experiment = load(&(TEXT.to_string() + TARGET));
    for method in [Method::Morris, Method::Sobol] {
        let (short, long) = (Design { method, samples: 3 }, Design { method, samples: 6 });
        let (mut whole, mut parts) = (MemoryLog::default(), MemoryLog::default());
        prepare(&mut experiment, long);
        ran(&experiment, long, &mut whole).unwrap();
        ran(&experiment, short, &mut parts).unwrap();
        // A torn line too.
        parts.0.extend_from_slice(b"{\"id\":");
        ran(&experiment, long, &mut parts).unwrap();
        assert!(parts == whole);
        let refused = ran(&experiment, short, &mut parts).unwrap_err().to_string();
        assert!(refused.contains("not part of the design"), "{refused}");
    }
    let mut log = MemoryLog::default();
    ran(&experiment, Design { method: Method::Morris, samples: 2 }, &mut log).unwrap();
    assert!(ran(&experiment, Design { method: Method::Sobol, samples: 2 }, &mut log).is_err());
}

#[test]
fn mostly_failed_designs_and_fixed_experiments_are_errors() {
    let mut experiment = load(&(TEXT.to_string() + TARGET));
    let design = Design { method: Method::Morris, samples: 4 };
    prepare(&mut experiment, design);
    let mut trials = ran(&experiment, design, &mut MemoryLog::default()).unwrap();
    for trial in &mut trials[..8] {
        (trial.outcome, trial.objectives) =
            (crowdtune_search::Outcome::Failed("room, replica 0: x".into()), Vec::new());
    }
    let error = summarize(&experiment, design, &trials).unwrap_err();
    assert!(error.class() == Class::Nothing && error.to_string().contains("most often: x"), "{error}");
    let fixed = load(
        &TEXT
            .replace("{ range = [0.0625, 1.0625] }", "0.5")
            .replace("{ range = [50.0, 5000.0], log = false }", "2000.0"),
    );
    assert!(design.check(&fixed).unwrap_err().to_string().contains("every parameter is fixed"));
}
