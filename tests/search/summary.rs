//! `summary.json` from rows whose figures are known by hand.

use crowdtune::evolve::experiment::Experiment;
use crowdtune::evolve::run::Stopped;
use crowdtune::evolve::summary::Figure;
use crowdtune::evolve::{Results, summarize};
use crowdtune::target::Wanted;
use crowdtune_search::{Axis, Gene, Outcome, Purpose, Question, Trial};
use crowdtune_testing::fake::{experiment, finished, registered};

fn setup() -> Experiment {
    experiment(registered("random"), 4)
}

/// A trial whose cases have these times, and 0.5 as the second column.
fn trial(id: u64, purpose: Purpose, genome: &[f64], times: [&[f64]; 3]) -> Trial {
    let values: Vec<_> = times.iter().map(|case| case.iter().map(|&t| vec![Some(t), Some(0.5)]).collect()).collect();
    let question = Question { genome: genome.to_vec(), replicas: 0..times[0].len() as u32, purpose };
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let objectives = vec![(mean(times[0]) + mean(times[2])) / 2.0];
    Trial { id, question, outcome: Outcome::Done, objectives, violation: 0.0, measures: Vec::new(), values }
}

fn failed(id: u64, reason: &str) -> Trial {
    let trial = trial(id, Purpose::Search, &[0.1, 0.1 + 0.01 * id as f64], [&[], &[], &[]]);
    let question = Question { replicas: 0..3, ..trial.question };
    Trial { question, outcome: Outcome::Failed(reason.into()), objectives: vec![], ..trial }
}

const BEST: [f64; 2] = [1.0, 0.5];
const OTHER: [f64; 2] = [0.4, 0.4];

/// Four search rows, the selection, the report.
fn rows(experiment: &Experiment) -> Vec<Trial> {
    let defaults = experiment.space.encode(&experiment.defaults);
    let mut report = trial(
        7,
        Purpose::Report,
        &BEST,
        [&[1.0, 2.0, 3.0, 4.0, 5.0], &[10.0, 20.0, 30.0, 40.0, 50.0], &[2.0, 2.0, 2.0, 2.0, 2.0]],
    );
    for (replica, value) in [None, Some(4.0), None, Some(2.0), Some(3.0)].into_iter().enumerate() {
        report.values[0][replica][1] = value;
    }
    vec![
        failed(0, "room, replica 1: a speed of 12.5 m/s"),
        trial(1, Purpose::Search, &OTHER, [&[2.0, 2.0], &[], &[1.0]]),
        failed(2, "neck[width_m=0.8], replica 0: a speed of 3 m/s"),
        trial(3, Purpose::Search, &BEST, [&[1.0, 2.0], &[], &[1.0]]),
        trial(4, Purpose::Select, &BEST, [&[1.0, 2.0], &[], &[1.0, 1.0]]),
        trial(5, Purpose::Select, &OTHER, [&[1.0, 4.0], &[], &[1.0, 1.0]]),
        trial(6, Purpose::Select, &defaults, [&[9.0, 9.0], &[], &[1.0, 1.0]]),
        report,
        trial(
            8,
            Purpose::Baseline,
            &defaults,
            [&[2.0, 3.0, 4.0, 5.0, 6.0], &[10.0, 20.0, 30.0, 40.0, 50.0], &[3.0, 3.0, 3.0, 3.0, 3.0]],
        ),
    ]
}

#[test]
fn figures_by_hand() {
    let experiment = setup();
    let summary = summarize(&experiment, &finished(&rows(&experiment), Stopped::Budget));
    assert_eq!((summary.evaluations, summary.budget, summary.stopped.as_str()), (4, 4, "budget"));
    assert_eq!(summary.failures.into_iter().collect::<Vec<_>>(), [("a speed of 12.5 m/s".to_string(), 2)]);
    assert_eq!(summary.replicas, (2, 5));
    assert_eq!(summary.recommended, Some(3));
    assert_eq!(summary.finalists, [3, 1], "in the order of the selection; the defaults were no search trial");

    // The held-out case does not count: (3 + 2) / 2 against (4 + 3) / 2.
    let time = &summary.targets[0];
    assert_eq!((time.tuned.value, time.default.value), (Some(2.5), Some(3.5)));
    assert_eq!(time.loss, (Some(3.5), Some(2.5)));
    assert_eq!(time.met, None, "there is no band to be in");
    assert_eq!(time.search, Some((1.5 + 1.0) / 2.0));
    // The mean of 1..5 has a standard error of sqrt(2 / 5); the constant half of the average halves it: 2.5 +- 0.62.
    let (low, high) = (time.tuned.low.unwrap(), time.tuned.high.unwrap());
    assert!((low - 1.9).abs() <= 0.11 && (high - 3.1).abs() <= 0.11, "{low} {high}");
    let watched = &summary.targets[1];
    assert_eq!((watched.wanted.as_str(), watched.loss), ("", (None, None)));
    assert_eq!(watched.tuned.value, Some((3.0 + 0.5) / 2.0), "replicas without a value do not count");

    let loss = &summary.objectives[0];
    assert_eq!((loss.tuned.value, loss.default.value, loss.search), (Some(2.5), Some(3.5), Some(1.25)));
    // Every replica differs by exactly 1, so the paired interval has no width although both sides scatter.
    let Figure { value: Some(value), low: Some(low), high: Some(high) } = loss.difference else {
        panic!("no interval")
    };
    assert!([value, low, high].iter().all(|x| (x + 1.0).abs() < 1e-12), "{value} {low} {high}");
    assert_eq!(loss.tuned, time.tuned);

    let held_out = &summary.cases[1];
    assert_eq!((held_out.case.as_str(), held_out.held_out), ("neck[width_m=0.9]", true));
    assert_eq!(held_out.tuned.value, Some(30.0));
    assert_eq!(summary.cases.len(), 6);
}

#[test]
fn genes_say_where_they_ended() {
    let mut experiment = setup();
    let words = Gene { key: "parameters.injury_forces".into(), axis: Axis::Choice(vec![1.0, 0.0]) };
    experiment.space.genes.push(words);
    experiment.defaults.push(0.0);
    let mut rows = rows(&experiment);
    for row in &mut rows {
        if row.question.genome.len() == 2 {
            row.question.genome.push(0.25);
        }
    }
    let genes = summarize(&experiment, &finished(&rows, Stopped::Budget)).genes;
    assert_eq!((genes[0].symbol.as_str(), genes[0].unit.as_str()), ("A", "N"));
    assert_eq!((genes[0].tuned, genes[0].at_bound), (5000.0, true));
    assert_eq!(genes[0].default, 2000.0);
    assert!(!genes[1].at_bound && genes[1].log);
    assert_eq!(genes[2].choices, ["all", "contact"]);
    assert_eq!((genes[2].low, genes[2].high, genes[2].default, genes[2].tuned), (0.0, 1.0, 1.0, 0.0));
}

#[test]
fn a_missed_must_is_named() {
    let mut experiment = setup();
    experiment.columns[0].must = true;
    experiment.columns[0].wanted = Some(Wanted::AtMost { limit: 2.0, scale: 2.0 });
    let summary = summarize(&experiment, &finished(&rows(&experiment), Stopped::Budget));
    assert_eq!(summary.missed_musts, ["time"]);
    assert_eq!(summary.targets[0].band, (None, Some(2.0)));
    assert_eq!(summary.targets[0].wanted, "at most 2 s");
    // A must is judged by its worst case: 3 is half a limit too much.
    assert_eq!(summary.targets[0].loss.1, Some(0.5));
    assert_eq!(summary.targets[0].tuned.value, Some(3.0), "and so is what is shown");

    experiment.columns[0].wanted = Some(Wanted::AtMost { limit: 3.0, scale: 3.0 });
    let summary = summarize(&experiment, &finished(&rows(&experiment), Stopped::Budget));
    assert!(summary.missed_musts.is_empty() && summary.targets[0].met == Some(true));
}

#[test]
fn the_last_report_counts_and_without_one_the_search_does() {
    let experiment = setup();
    let mut all = rows(&experiment);
    all.push(trial(9, Purpose::Search, &[0.7, 0.7], [&[0.0, 0.0], &[], &[0.0]]));
    all.push(trial(10, Purpose::Select, &[0.7, 0.7], [&[0.0, 0.0], &[], &[0.0, 0.0]]));
    assert_eq!(
        *Results::new(&experiment, &finished(&all, Stopped::Interrupted)).recommended(),
        BEST,
        "an unfinished check does not replace a finished one"
    );
    assert_eq!(summarize(&experiment, &finished(&all, Stopped::Interrupted)).targets[0].tuned.value, Some(2.5));

    let unfinished = &all[..6];
    let summary = summarize(&experiment, &finished(unfinished, Stopped::Interrupted));
    assert_eq!(*Results::new(&experiment, &finished(unfinished, Stopped::Interrupted)).recommended(), BEST);
    assert_eq!((summary.recommended, summary.replicas), (Some(3), (0, 0)));
    assert_eq!(summary.targets[0].tuned, Figure::default());
    assert_eq!(summary.targets[0].met, None);
    assert_eq!(summary.targets[0].search, Some(1.25));
    assert_eq!(summary.objectives[0].search, Some(1.25));

    let nothing = summarize(&experiment, &finished(&all[..1], Stopped::Interrupted));
    assert_eq!(nothing.recommended, None);
    assert_eq!(nothing.genes[0].tuned, nothing.genes[0].default);
}

#[test]
fn defaults_can_win() {
    let experiment = setup();
    let mut all = rows(&experiment);
    let defaults = experiment.space.encode(&experiment.defaults);
    all[1].question.genome = defaults.clone();
    all[7].question.genome = defaults;
    let summary = summarize(&experiment, &finished(&all, Stopped::Budget));
    assert_eq!(summary.recommended, None);
    assert_eq!(summary.objectives[0].search, Some(1.5));
}
