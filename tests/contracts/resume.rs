//! The log is the checkpoint: wherever it ends, the run continues to the same bytes.

use crowdtune::evolve::log::{self, Journal, MemoryLog, RESULTS};
use crowdtune::evolve::run::{Silent, Stopped, evolve};
use crowdtune_core::Error;
use crowdtune_search::{Axis, Purpose, Trial, better};
use crowdtune_testing::fake::{Fake, bytes, cut_everywhere, experiment, go, registered, search_rows};
use crowdtune_testing::sealed::sealed;
use std::sync::atomic::AtomicBool;

#[test]
fn a_log_cut_anywhere_continues_to_the_same_bytes() {
    for optimizer in ["random", "ga"] {
        let experiment = experiment(registered(optimizer), 22);
        cut_everywhere(&experiment, 0, &bytes(&experiment), 97);
    }
}

#[test]
fn the_log_has_search_then_selection_then_report() {
    let experiment = experiment(registered("random"), 10);
    let mut journal = MemoryLog::default();
    let finished = go(&experiment, &mut journal).unwrap();
    assert_eq!(finished.stopped, Stopped::Budget);
    let purposes: Vec<_> = finished.trials.iter().map(|t| t.question.purpose).collect();
    let mut wanted = vec![Purpose::Search; 10];
    let mut best: Vec<&Trial> = finished.trials[..10].iter().filter(|t| t.is_done()).collect();
    best.sort_by(|a, b| better(a, b));
    let selected: Vec<&[f64]> = finished
        .trials
        .iter()
        .filter(|t| t.question.purpose == Purpose::Select && t.question.replicas.start == 0)
        .map(|t| &t.question.genome[..])
        .collect();
    let finalists: Vec<&[f64]> = best[..3].iter().map(|t| &t.question.genome[..]).collect();
    assert_eq!(selected[..3], finalists, "three finalists come first");
    let defaults = experiment.space.encode(&experiment.defaults);
    let own = selected[3..].iter().filter(|genome| **genome != defaults).count();
    assert!(own <= 3 && selected.contains(&&defaults[..]), "then three of the optimizer's at most, and the defaults");
    assert!(selected.iter().enumerate().all(|(at, genome)| !selected[..at].contains(genome)), "none twice");
    let select = purposes.iter().filter(|p| **p == Purpose::Select).count();
    wanted.extend(vec![Purpose::Select; select]);
    wanted.extend([Purpose::Report, Purpose::Baseline]);
    assert_eq!(purposes, wanted);
    assert_eq!(log::parse(&journal.0, "log").unwrap().trials, finished.trials);
}

#[test]
fn an_extension_asks_what_a_longer_run_asks() {
    let short = experiment(registered("ga"), 10);
    let long = experiment(registered("ga"), 31);
    let mut journal = MemoryLog(bytes(&short));
    let start = journal.0.len();
    go(&long, &mut journal).unwrap();
    assert_eq!(search_rows(&journal.0), search_rows(&bytes(&long)));
    let purposes: Vec<_> = log::parse(&journal.0, "log").unwrap().trials.iter().map(|t| t.question.purpose).collect();
    assert_eq!(purposes.iter().filter(|p| **p == Purpose::Report).count(), 2);
    assert_eq!(purposes.last(), Some(&Purpose::Baseline));
    // Extended, killed anywhere, resumed: the old selection rows stay where they are.
    cut_everywhere(&long, start, &journal.0, 301);
}

/// Five sides are worth five simulations of two cases on four replicas.
fn profiled(evaluations: u64) -> crowdtune::evolve::experiment::Experiment {
    let mut experiment = experiment(registered("random"), evaluations);
    experiment.search.profile_share = 0.8;
    experiment
}

fn count(bytes: &[u8], purpose: Purpose) -> usize {
    log::parse(bytes, "log").unwrap().trials.iter().filter(|t| t.question.purpose == purpose).count()
}

#[test]
fn profiles_come_last_and_resume_like_everything() {
    let run = profiled(30);
    let full = bytes(&run);
    let trials = log::parse(&full, "log").unwrap().trials;
    let first = trials.iter().position(|t| t.question.purpose == Purpose::Profile).unwrap();
    assert_eq!(trials[first - 1].question.purpose, Purpose::Baseline);
    assert!(trials[first..].iter().all(|t| t.question.purpose == Purpose::Profile));
    // 0.8 of 30 evaluations of 5 simulations, at 8 a question.
    assert!((8..=15).contains(&(trials.len() - first)), "{}", trials.len() - first);
    assert_eq!(crowdtune::evolve::run::stopped(&run, &trials), Stopped::Budget);
    assert_eq!(crowdtune::evolve::run::stopped(&run, &trials[..first + 2]), Stopped::Budget);
    cut_everywhere(&run, 0, &full, 97);
}

#[test]
fn a_log_without_profiles_gets_them_and_a_smaller_share_takes_none_away() {
    let run = profiled(30);
    let full = bytes(&run);
    let mut none = profiled(30);
    none.search.profile_share = 0.0;
    let mut journal = MemoryLog(bytes(&none));
    assert_eq!(count(&journal.0, Purpose::Profile), 0);
    go(&run, &mut journal).unwrap();
    assert!(journal.0 == full, "the same as from the start");
    go(&none, &mut journal).unwrap();
    assert!(journal.0 == full, "they stay");
    // A larger share goes on where the smaller one ended.
    let mut less = profiled(30);
    less.search.profile_share = 0.4;
    let mut journal = MemoryLog(bytes(&less));
    assert!(full.starts_with(&journal.0) && journal.0.len() < full.len());
    go(&run, &mut journal).unwrap();
    assert!(journal.0 == full);
}

#[test]
fn an_extension_is_profiled_anew() {
    let mut journal = MemoryLog(bytes(&profiled(30)));
    let start = journal.0.len();
    let before = count(&journal.0, Purpose::Profile);
    go(&profiled(45), &mut journal).unwrap();
    assert_eq!(search_rows(&journal.0), search_rows(&bytes(&profiled(45))));
    assert!(count(&journal.0, Purpose::Profile) > before);
    assert_eq!(count(&journal.0, Purpose::Baseline), 2);
    cut_everywhere(&profiled(45), start, &journal.0, 301);
}

#[test]
fn an_interrupted_run_keeps_its_rows_and_continues() {
    let experiment = experiment(registered("ga"), 18);
    let full = bytes(&experiment);
    for after in 1..20 {
        let mut journal = MemoryLog::default();
        let cancel = AtomicBool::new(false);
        let fake = Fake { cancel_after: Some((after, &cancel)), ..Fake::new(&experiment) };
        let error = evolve(&experiment, &fake, &mut journal, &mut Silent, &cancel).unwrap_err();
        assert_eq!(error.exit_code(), 130);
        assert!(error.to_string().contains("--resume"), "{error}");
        assert_eq!(log::parse(&journal.0, "log").unwrap().trials.len() as u64, after);
        go(&experiment, &mut journal).unwrap();
        assert!(journal.0 == full, "another log after an interruption at {after}");
    }
}

/// A disk with room for so many lines.
struct Small(MemoryLog, usize);

impl Journal for Small {
    fn name(&self) -> String {
        "small".into()
    }
    fn read(&mut self) -> Result<Vec<u8>, Error> {
        self.0.read()
    }
    fn cut(&mut self, bytes: u64) -> Result<(), Error> {
        self.0.cut(bytes)
    }
    fn append(&mut self, line: &[u8]) -> Result<(), Error> {
        if self.1 == 0 {
            return Err(Error::environment("disk full"));
        }
        self.1 -= 1;
        self.0.append(line)
    }
}

#[test]
fn a_full_disk_ends_the_run_and_loses_nothing() {
    let experiment = experiment(registered("ga"), 12);
    let full = bytes(&experiment);
    for room in 0..15 {
        let mut journal = Small(MemoryLog::default(), room);
        assert_eq!(go(&experiment, &mut journal).unwrap_err().exit_code(), 3);
        assert!(full.starts_with(&journal.0.0));
        let mut journal = journal.0;
        go(&experiment, &mut journal).unwrap();
        assert!(journal.0 == full);
    }
}

#[test]
fn a_finite_space_is_exhausted_and_stays_so() {
    let mut experiment = experiment(registered("random"), 100);
    experiment.space.genes[0].axis = Axis::Choice(vec![100.0, 200.0, 300.0]);
    experiment.space.genes[1].axis = Axis::Choice(vec![0.1, 0.2]);
    let mut journal = MemoryLog::default();
    let finished = go(&experiment, &mut journal).unwrap();
    assert_eq!(finished.stopped, Stopped::Exhausted);
    assert_eq!(search_rows(&journal.0).len(), 6);
    let full = journal.0.clone();
    assert_eq!(go(&experiment, &mut journal).unwrap().stopped, Stopped::Exhausted);
    assert!(journal.0 == full);
    cut_everywhere(&experiment, 0, &full, 97);
}

#[test]
fn a_log_that_does_not_belong_here_is_refused() {
    let run = experiment(registered("random"), 8);
    let good = bytes(&run);
    let refused = |edit: &dyn Fn(&mut crowdtune::evolve::experiment::Experiment), bytes: &[u8]| {
        let mut other = experiment(registered("random"), 8);
        edit(&mut other);
        let mut journal = MemoryLog(bytes.to_vec());
        let error = go(&other, &mut journal).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(journal.0 == bytes, "a refused log is not touched");
        error.to_string()
    };
    let digest = refused(&|e| e.digest = "d2".into(), &good);
    assert!(digest.contains("d1") && digest.contains("d2"), "{digest}");
    let fewer = refused(&|e| e.search.evaluations = 3, &good);
    assert!(fewer.contains("at least 8"), "{fewer}");
    let asked = refused(&|_| (), &sealed(String::from_utf8(good.clone()).unwrap().replacen("[0,3]", "[0,2]", 1)));
    assert!(asked.contains(":2"), "{asked}");
    let version = String::from_utf8(good).unwrap().replacen(&format!("\"results\":{RESULTS}"), "\"results\":0", 1);
    let results = refused(&|_| (), &sealed(version));
    assert!(
        results.contains("results version 0") && results.contains(&format!("results version {RESULTS}")),
        "{results}"
    );
}

#[test]
fn nothing_to_search_and_nothing_valid_are_said() {
    let mut fixed = experiment(registered("random"), 8);
    fixed.space.genes.clear();
    fixed.defaults.clear();
    fixed.start.clear();
    let error = go(&fixed, &mut MemoryLog::default()).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("sweep"), "{error}");

    let mut unhealthy = experiment(registered("random"), 8);
    unhealthy.space.genes[0].axis = Axis::Real { low: 4000.0, high: 5000.0, log: false };
    let mut journal = MemoryLog::default();
    let error = go(&unhealthy, &mut journal).unwrap_err();
    assert_eq!(error.exit_code(), 1);
    assert!(error.to_string().contains("a speed of"), "{error}");
    assert_eq!(search_rows(&journal.0).len(), 8);
}
