//! A posterior through the log, on a simulator that is a formula with noise.

use super::*;
use crate::evolve::evaluate::{Job, Serial};
use crate::evolve::experiment::no_files;
use crate::evolve::log::{self, MemoryLog};
use crate::evolve::run::Silent;
use crate::registry::Registry;
use crowdtune_core::math::normals::normals;

const TEXT: &str = r#"
    model = "social_force"
    parameters.relaxation_time_s = { range = [0.0625, 1.0625], prior = { normal = [0.5, 0.125] } }
    parameters.repulsion_strength_n = { range = [1000.0, 3000.0], log = false }
    scenario.room = { kind = "room", count = 3, width_m = 5.0, depth_m = 5.0, replicas = 2 }
    scenario.later = { kind = "room", count = 3, width_m = 5.0, depth_m = 5.0, held_out = true }
    target.time = { metric = "evacuation_time_95_s", scenario = "room", equals = 1.0, tolerance = 0.25 }
"#;

fn load(text: &str) -> Experiment {
    Experiment::load(&Registry::builtin(), text, "tiny.toml", &[], &mut no_files).unwrap()
}

/// Columns in name order: `left` is A / 1000, `time` is 2 tau and noise of 0.1 in each run; the strongest A fails.
fn formula(job: &Job<'_>) -> Result<Vec<Option<f64>>, Error> {
    let x = job.genes;
    if x[1] > 2800.0 {
        return Err(Error::nothing("a speed of 7 m/s"));
    }
    let mut noise = [0.0];
    normals(&mut job.seed.rng(), &mut noise);
    let time = 2.0 * x[0] + 0.1 * noise[0];
    let columns = job.experiment.columns.iter();
    Ok(columns.map(|c| Some(if c.name == "time" { time } else { x[1] / 1000.0 })).collect())
}

const DESIGN: Design = Design { evaluations: 1200, effective: 150, likelihood: Likelihood::Simulated };

fn ran(experiment: &Experiment, design: Design, log: &mut MemoryLog) -> Result<Answered, Error> {
    let cancel = AtomicBool::new(false);
    let evaluator = Serial::new(experiment, &cancel).with("formula", formula);
    run(experiment, design, &evaluator, log, &mut Silent, &cancel)
}

fn found(text: &str) -> Posterior {
    found_by(DESIGN, text)
}

fn found_by(design: Design, text: &str) -> Posterior {
    let experiment = load(text);
    let answered = ran(&experiment, design, &mut MemoryLog::default()).unwrap();
    summarize(&experiment, design, &answered).unwrap()
}

#[test]
fn the_posterior_of_a_straight_line_is_that_of_the_books() {
    // 2 tau is measured as 1.2 with errors of 0.25 and 0.1 / sqrt(2) (two runs): precision of tau 64 from the prior and 4 / 0.0675 from that.
    let p = found(&TEXT.replace("equals = 1.0", "equals = 1.2"));
    let (prior, measured) = (64.0, 4.0 / (0.0625 + 0.005));
    let (mean, sd) = ((0.5 * prior + 0.6 * measured) / (prior + measured), 1.0 / f64::sqrt(prior + measured));
    let tau = &p.genes[0];
    assert!(
        (tau.mean - mean).abs() < 0.02 && (tau.sd - sd).abs() < 0.015,
        "{} {}, wanted {mean} {sd}",
        tau.mean,
        tau.sd
    );
    assert!((tau.quantiles[4] - tau.quantiles[0] - 2.0 * 1.645 * sd).abs() < 0.06, "{:?}", tau.quantiles);
    // Nothing was measured of A but that its runs do not fail.
    let a = &p.genes[1];
    assert!(a.quantiles[4] < 2800.0 && (a.mean - 1900.0).abs() < 100.0, "{:?}", a.quantiles);
    assert!(p.failures["a speed of 7 m/s"] > 8 && p.widened == 0.0 && p.beyond == 0, "{:?}", p.failures);
    assert!(p.evaluated < 1200, "it ends where nothing is widened: {}", p.evaluated);
    let [mean, low, high] = p.statistics[0].predicted.unwrap();
    assert!((mean - 2.0 * tau.mean).abs() < 0.06 && low < 1.2 && 1.2 < high && p.missed().count() == 0);
}

#[test]
fn processes_find_it_with_few_runs_and_know_who_fails() {
    // The straight line of above, by a tenth of the evaluations.
    let design = Design { likelihood: Likelihood::Emulated, evaluations: 160, ..DESIGN };
    let p = found_by(design, &TEXT.replace("equals = 1.0", "equals = 1.2"));
    let (prior, measured) = (64.0, 4.0 / (0.0625 + 0.005));
    let (mean, sd) = ((0.5 * prior + 0.6 * measured) / (prior + measured), 1.0 / f64::sqrt(prior + measured));
    let tau = &p.genes[0];
    assert!((tau.mean - mean).abs() < 0.02 && (tau.sd / sd - 1.0).abs() < 0.15, "{} {}", tau.mean, tau.sd);
    let a = &p.genes[1];
    assert!(a.quantiles[4] < 2850.0 && (a.mean - 1900.0).abs() < 150.0, "{:?}", a.quantiles);
    assert!(
        p.settled && p.evaluated <= 160 && p.doubt.unwrap() <= 0.1,
        "{} {:?} {:?}",
        p.evaluated,
        p.doubt,
        p.surprise
    );
    // A measurement that no run comes near is named, though nothing was widened.
    let far =
        TEXT.replace("equals = 1.0, tolerance = 0.25", "equals = 9.0, tolerance = 0.1").replace("3000.0", "2500.0");
    let p = found_by(design, &far);
    assert!(p.missed().count() == 1, "{:?}", p.statistics);
    let choice = TEXT.replace("{ range = [1000.0, 3000.0], log = false }", "1500.0")
        + "parameters.injury_forces = { choices = [\"contact\", \"all\"] }\n";
    assert!(design.check(&load(&choice)).unwrap_err().to_string().contains("no order"));
}

#[test]
fn limits_have_no_error_and_held_out_cases_are_only_predicted() {
    let more = "target.left = { metric = \"people_left\", at_most = 1.5 }
                target.later = { metric = \"evacuation_time_95_s\", scenario = \"later\", between = [2.0, 3.0] }\n";
    let p = found(&(TEXT.to_string() + more));
    assert!(p.genes[1].quantiles[4] < 1500.0 && p.beyond > 40, "{:?} {}", p.genes[1].quantiles, p.beyond);
    assert_eq!(
        p.statistics.iter().map(|s| (&s.target[..], s.held_out)).collect::<Vec<_>>(),
        [("later", true), ("time", false)]
    );
    assert!((p.statistics[0].sd - 0.5 / 3.0_f64.sqrt()).abs() < 1e-12);
    assert_eq!(p.missed().map(|s| &s.target[..]).collect::<Vec<_>>(), ["later"], "2 tau is 1 and not 2.5");
}

#[test]
fn what_the_model_cannot_reach_is_widened_and_named() {
    let p = found(&TEXT.replace("equals = 1.0, tolerance = 0.25", "equals = 9.0, tolerance = 0.1"));
    assert!(p.widened > 0.5 && p.evaluated == 1200, "{}", p.widened);
    assert_eq!(p.missed().count(), 1);
}

#[test]
fn a_posterior_is_continued_and_extended_with_the_same_bytes() {
    let experiment = load(&TEXT.replace("tolerance = 0.25", "tolerance = 0.001"));
    let (short, long) = (Design { evaluations: 300, ..DESIGN }, Design { evaluations: 600, ..DESIGN });
    let (mut whole, mut parts) = (MemoryLog::default(), MemoryLog::default());
    let once = ran(&experiment, long, &mut whole).unwrap();
    ran(&experiment, short, &mut parts).unwrap();
    let rows = log::parse(&parts.0, "memory").unwrap().trials.len();
    // A row that was cut short is asked again.
    parts.0.truncate(parts.0.len() - 3);
    let again = ran(&experiment, long, &mut parts).unwrap();
    assert_eq!(again.inference.sample(), once.inference.sample());
    assert!(rows > 300 && log::parse(&parts.0, "memory").unwrap().trials.len() > rows);
    let refused = ran(&experiment, Design { effective: 100, ..long }, &mut parts);
    assert!(refused.unwrap_err().to_string().contains("--effective"));
}

#[test]
fn planted_truths_lie_where_they_should() {
    lie_where_they_should(Design { evaluations: 400, effective: 100, ..DESIGN }, 60);
}

#[test]
fn by_processes_too() {
    lie_where_they_should(Design { evaluations: 80, likelihood: Likelihood::Emulated, ..DESIGN }, 60);
}

fn lie_where_they_should(design: Design, truths: u64) {
    let experiment = load(TEXT);
    let cancel = AtomicBool::new(false);
    let evaluator = Serial::new(&experiment, &cancel).with("formula", formula);
    let mut all = Vec::new();
    let mut keep = |truth, _: &Trial| {
        all.push(truth);
        Ok(())
    };
    calibrate(&experiment, design, &evaluator, 0..truths, &cancel, &mut keep).unwrap();
    let c = calibration(&experiment, &all);
    // A tenth of the prior of A fails.
    assert!(c.planted == truths && (1..=15).contains(&c.without), "{}", c.without);
    for gene in &c.genes {
        assert_eq!(gene.bins.iter().sum::<u64>(), c.planted - c.without);
        assert!(gene.p > 0.001 && gene.inside_90 > 0.75 && (0.3..0.7).contains(&gene.inside_50), "{gene:?}");
    }
}

#[test]
fn what_was_not_measured_is_refused() {
    let design = |text: &str| DESIGN.check(&load(text)).unwrap_err().to_string();
    assert!(
        design(&TEXT.replace("equals = 1.0, tolerance = 0.25", "minimize = { good = 0.0, bad = 1.0 }"))
            .contains("less or more")
    );
    assert!(design(&TEXT.replace("equals = 1.0, tolerance = 0.25", "at_most = 1.0")).contains("nothing was measured"));
    for (prior, words) in [
        ("{ normal = [9.0, 0.1] }", "lies within the range"),
        ("{ normal = [0.5, 0.0] }", "the second above 0"),
        ("{ beta = [0.0, 1.0] }", "both above 0"),
        ("{ normal = [0.5, 0.1], beta = [1.0, 1.0] }", "prior"),
        ("\"flat\"", "uniform"),
    ] {
        let text = TEXT.replace("{ normal = [0.5, 0.125] }", prior);
        let error =
            Experiment::load(&Registry::builtin(), &text, "tiny.toml", &[], &mut no_files).unwrap_err().to_string();
        assert!(error.contains(words), "{prior}: {error}");
    }
}

/// Of two constants only the sum was measured, so their difference is open. What could be measured next: the sum again, the difference, and
/// something that has nothing to do with them.
#[test]
fn the_value_that_tells_a_valley_apart_comes_first() {
    let text = r#"
        model = "social_force"
        parameters.relaxation_time_s = { range = [0.0625, 1.0625] }
        parameters.repulsion_strength_n = { range = [1000.0, 3000.0], log = false }
        scenario.room = { kind = "room", count = 3, width_m = 5.0, depth_m = 5.0 }
        scenario.later = { kind = "room", count = 3, width_m = 5.0, depth_m = 5.0, held_out = true }
        target.sum = { metric = "evacuation_time_95_s", scenario = "room", equals = 1.0, tolerance = 0.02 }
        measure.again = { metric = "evacuation_time_95_s", scenario = "later" }
        measure.other = { metric = "people_left", scenario = "later" }
        measure.nothing = { metric = "overlap_max_m" }
    "#;
    let formula = |job: &Job<'_>| {
        let (a, b) = (job.genes[0] - 0.0625, (job.genes[1] - 1000.0) / 2000.0);
        let mut noise = [0.0; 3];
        normals(&mut job.seed.rng(), &mut noise);
        let value = |name: &str| match name {
            "sum" | "again" => a + b + 0.02 * noise[0],
            "other" => 3.0 + a - b + 0.1 * noise[1],
            _ => 1.0 + noise[2],
        };
        let columns = job.experiment.columns.iter();
        Ok(columns.map(|c| Some(value(&c.name))).collect::<Vec<Option<f64>>>())
    };
    let experiment = load(text);
    let design = Design { evaluations: 1500, ..DESIGN };
    let cancel = AtomicBool::new(false);
    let evaluator = Serial::new(&experiment, &cancel).with("formula", formula);
    let answered = run(&experiment, design, &evaluator, &mut MemoryLog::default(), &mut Silent, &cancel).unwrap();
    let sample = answered.inference.sample().unwrap();
    let found = advise(&experiment, &sample, &evaluator, (200, 0.01), &mut |_| ()).unwrap();
    let order: Vec<_> = found.suggestions.iter().map(|s| (&s.what[..], &s.case[..])).collect();
    assert_eq!((order.len(), order[0]), (5, ("other", "later")), "{order:?}");
    let (first, rest) = found.suggestions.split_first().unwrap();
    // The difference has a standard deviation of about 0.4 on this ridge, and its noise one of 0.1.
    assert!(first.left < 0.5 && rest.iter().all(|s| s.left > 0.85), "{:?}", found.suggestions.iter().map(|s| s.left));
    let [a, b] = [found.widest[0].1, found.widest[1].1];
    assert!((a + b).abs() < 0.2 && (a * a + b * b - 1.0).abs() < 1e-9, "{a} {b}");
}
