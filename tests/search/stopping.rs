//! Searches that end early, and finalists that race: what the log says, and that it continues to the same bytes.

use crowdtune::evolve::StopRules;
use crowdtune::evolve::evaluate::{Evaluate, Spent};
use crowdtune::evolve::log::{self, Journal, MemoryLog};
use crowdtune::evolve::run::{Finished, Silent, Stopped, evolve, stopped};
use crowdtune::evolve::summarize;
use crowdtune_core::Error;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::registry::Entry;
use crowdtune_search::{Genome, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use crowdtune_testing::fake::{By, bytes, cut_everywhere, experiment, finished, go, registered, search_rows};
use std::sync::atomic::AtomicBool;

#[test]
fn a_loss_that_is_reached_ends_the_search_after_its_batch() {
    let mut run = experiment(registered("random"), 400);
    run.search.stop.loss = Some(1.0);
    let full = bytes(&run);
    let rows = search_rows(&full);
    let first = rows.iter().position(|t| t.is_done() && t.objectives[0] <= 1.0).unwrap();
    assert_eq!(rows.len(), (first / 4 + 1) * 4, "batches of four are answered to their end");
    let trials = log::parse(&full, "log").unwrap().trials;
    assert_eq!(stopped(&run, &trials), Stopped::Loss);
    assert_eq!(trials.last().unwrap().question.purpose, Purpose::Baseline);
    cut_everywhere(&run, 0, &full, 1013);
    // Without the rule the search goes on as if there had never been one.
    run.search.stop = StopRules::default();
    run.search.evaluations = rows.len() as u64 + 9;
    let mut journal = MemoryLog(full);
    assert_eq!(go(&run, &mut journal).unwrap().stopped, Stopped::Budget);
    assert_eq!(search_rows(&journal.0), search_rows(&bytes(&run)));
}

#[test]
fn a_search_that_finds_nothing_better_ends() {
    let mut run = experiment(registered("ga"), 4000);
    run.search.stop.stagnation = Some(12);
    let full = bytes(&run);
    let rows = search_rows(&full);
    let mut best = (f64::INFINITY, 0);
    for (at, row) in rows.iter().enumerate() {
        if row.is_done() && row.objectives[0] < best.0 {
            best = (row.objectives[0], at + 1);
        }
    }
    let idle = rows.len() - best.1;
    assert!((12..16).contains(&idle), "{idle} after the best of {}", rows.len());
    let trials = log::parse(&full, "log").unwrap().trials;
    assert_eq!(stopped(&run, &trials), Stopped::Stagnation);
    assert_eq!(summarize(&run, &finished(&trials, Stopped::Stagnation)).stopped, "stagnation");
    cut_everywhere(&run, 0, &full, 1013);
}

/// A log with a clock: every batch takes a second; what a session reads it has from the last one.
#[derive(Clone, Default)]
struct Clock(MemoryLog, f64);

impl Journal for Clock {
    fn name(&self) -> String {
        "clock".into()
    }
    fn read(&mut self) -> Result<Vec<u8>, Error> {
        self.0.read()
    }
    fn cut(&mut self, bytes: u64) -> Result<(), Error> {
        self.0.cut(bytes)
    }
    fn append(&mut self, line: &[u8]) -> Result<(), Error> {
        self.0.append(line)
    }
    fn batch(&mut self, _: u64, _: &[Spent]) -> Result<(), Error> {
        self.1 += 1.0;
        Ok(())
    }
    fn elapsed_s(&self) -> f64 {
        self.1
    }
}

#[test]
fn time_ends_the_search_with_selection_and_report_and_stays_so() {
    let mut run = experiment(registered("random"), 400);
    run.search.stop.time_s = Some(3.5);
    let mut journal = Clock::default();
    // The header is the first second, then three batches.
    assert_eq!(go(&run, &mut journal).unwrap().stopped, Stopped::Time);
    assert_eq!(search_rows(&journal.0.0).len(), 12);
    let full = journal.0.0.clone();
    let trials = log::parse(&full, "log").unwrap().trials;
    assert_eq!(trials.last().unwrap().question.purpose, Purpose::Baseline);
    assert_eq!(stopped(&run, &trials), Stopped::Time);
    // Again: the time is over already, so nothing is added.
    assert_eq!(go(&run, &mut journal).unwrap().stopped, Stopped::Time);
    assert!(journal.0.0 == full);
    // Killed in the selection: the same rows.
    let select = trials.iter().position(|t| t.question.purpose == Purpose::Select).unwrap();
    let ends: Vec<usize> = full.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
    for end in &ends[select + 1..] {
        let mut cut = Clock(MemoryLog(full[..*end].to_vec()), 4.0);
        go(&run, &mut cut).unwrap();
        assert!(cut.0.0 == full);
    }
    // More time continues the search.
    run.search.stop.time_s = Some(journal.1 + 1.5);
    assert_eq!(go(&run, &mut journal).unwrap().stopped, Stopped::Time);
    let rows = search_rows(&journal.0.0);
    assert_eq!(rows.len(), 20);
    run.search.stop = StopRules::default();
    run.search.evaluations = 20;
    assert_eq!(rows, search_rows(&bytes(&run)));
}

static PROPOSES: Entry<MakeOptimizer> = Entry {
    name: "proposes",
    doc: "a line",
    source: "chosen here: a test",
    params: &[],
    make: MakeOptimizer::new(make),
};

/// Asks a line of candidates one after the other and recommends one that it never asked.
struct Proposes(u32);

fn make(_: &Setup<'_>) -> Box<dyn Optimizer> {
    Box::new(Proposes(0))
}

impl Optimizer for Proposes {
    fn ask(&mut self) -> Vec<Question> {
        let question = |i: u32| Question {
            genome: vec![f64::from(self.0 + i) / 100.0, 0.25],
            replicas: 0..2,
            purpose: Purpose::Search,
        };
        (0..4).map(question).collect()
    }
    fn tell(&mut self, _: &[Trial]) {
        self.0 += 4;
    }
    fn stop(&self) -> Option<StopReason> {
        None
    }
    fn recommend(&self) -> Vec<Genome> {
        vec![vec![0.115, 0.25], vec![0.1], vec![0.9, 0.9]]
    }
}

/// The truth is best at 0.115 of the first coordinate; the search sees a lucky value at 0.03 of it.
fn lucky(question: &Question, _: &[f64], replica: u32) -> Result<f64, String> {
    let x = question.genome[0];
    let seed = Seed(u64::from(replica)).child(if question.purpose == Purpose::Search { "s" } else { "f" }, 0);
    let luck = if question.purpose == Purpose::Search && (x - 0.03).abs() < 1e-9 { 1.5 } else { 0.0 };
    Ok(1.0 + 10.0 * (x - 0.115).abs() - luck + 0.2 * unit(&mut seed.rng()))
}

fn race(finalists: usize) -> (crowdtune::evolve::experiment::Experiment, Finished, Vec<u8>) {
    let mut run = experiment(&PROPOSES, 16);
    run.search.finalists = finalists;
    run.search.select_replicas = 20;
    let mut journal = MemoryLog::default();
    let finished = evolve(&run, &By(&run, &lucky), &mut journal, &mut Silent, &AtomicBool::new(false)).unwrap();
    (run, finished, journal.0)
}

#[test]
fn luck_in_the_search_loses_the_race() {
    let (run, finished, full) = race(3);
    let summary = summarize(&run, &finished);
    assert!(summary.proposed && summary.recommended.is_none());
    let first = &summary.race[0];
    assert!(first.recommended && !first.defaults && first.trial.is_none() && first.search.is_none());
    // 1 + the mean of the noise, 0.1, with its interval around it; the lucky one is 0.85 worse than it.
    let fresh = first.fresh.value.unwrap();
    assert!((fresh - 1.1).abs() < 0.1, "{fresh}");
    let looked_good = summary.race.iter().find(|f| f.trial == Some(3)).unwrap();
    let (search, selection) = (looked_good.search.unwrap(), looked_good.selection.value.unwrap());
    assert!(looked_good.out == Some(1) && search < 0.6 && selection > 1.85, "{search} {selection}");
    let defaults = summary.race.iter().find(|f| f.defaults).unwrap();
    assert!(defaults.out.is_some() && defaults.fresh.value.is_some());
    // A genome of another length is nothing that can run.
    assert_eq!(summary.race.len(), 3 + 2 + 1);

    let ends = full.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1);
    for end in ends {
        let mut journal = MemoryLog(full[..end].to_vec());
        let fake = By(&run, &lucky);
        evolve(&run, &fake, &mut journal, &mut Silent, &AtomicBool::new(false)).unwrap();
        assert!(journal.0 == full, "another log after a cut at {end}");
    }
}

#[test]
fn rows_of_a_race_are_rounds_on_common_replicas() {
    let (_, finished, _) = race(5);
    let select: Vec<&Trial> = finished.trials.iter().filter(|t| t.question.purpose == Purpose::Select).collect();
    let first = select.iter().take_while(|t| t.question.replicas == (0..5)).count();
    assert_eq!(first, 5 + 2 + 1);
    let total: u32 = select.iter().map(|t| t.question.replicas.len() as u32).sum();
    assert!(total < 20 * 8, "{total}: who is clearly worse runs once");
    for pair in select.windows(2) {
        assert!(pair[0].question.replicas.start <= pair[1].question.replicas.start);
    }
}

#[test]
fn nobody_valid_on_fresh_seeds_is_an_error() {
    let run = experiment(registered("random"), 8);
    let only_search = |q: &Question, _: &[f64], _: u32| match q.purpose {
        Purpose::Search => Ok(1.0),
        _ => Err("too fast".into()),
    };
    let fake = By(&run, &only_search);
    let fake: &dyn Evaluate = &fake;
    let error = evolve(&run, fake, &mut MemoryLog::default(), &mut Silent, &AtomicBool::new(false)).unwrap_err();
    assert_eq!(error.exit_code(), 1);
    assert!(error.to_string().contains("no finalist was valid") && error.to_string().contains("too fast"), "{error}");
}
