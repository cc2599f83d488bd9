//! The runs of a batch of questions, and how their results become trials again.

use super::simulate::run_seed;
use super::{RunCase, Scratch};
use crate::evolve::experiment::{Case, Experiment};
use crate::evolve::scoring;
use crowdtune_core::error::Error;
use crowdtune_search::{Outcome, Purpose, Question, Trial};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// One run of one question.
#[derive(Clone, Copy, Debug)]
struct Run {
    question: usize,
    case: usize,
    replica: u32,
}

/// What became of a run.
#[derive(Debug)]
pub enum Ran {
    /// The value of each column.
    Values(Vec<Option<f64>>),
    /// Why it cannot be trusted.
    Failed(String),
    /// Not run: an earlier run of the same question has failed, which decides the trial.
    Skipped,
}

/// All runs of a batch: by question, then case, then replica.
#[derive(Debug)]
pub struct Batch<'a> {
    experiment: &'a Experiment,
    run_case: RunCase,
    ask: &'a [Question],
    genes: Vec<Vec<f64>>,
    runs: Vec<Run>,
    /// The runs of each question.
    of_question: Vec<Range<usize>>,
    /// The first run of each question that has failed so far.
    failed: Vec<AtomicUsize>,
}

/// The replicas that a case runs for a question; a set has as many as the case with most.
///
/// Held-out cases run only for the report and its baseline. In the search a case takes part in the first `replicas` of each set:
/// 0, 1, 3, 4, ... with 2 where a set has 3. So an optimizer may ask for as many sets as it likes, and a case has the same
/// share in all of them.
fn replicas(case: &Case, set: u32, question: &Question) -> impl Iterator<Item = u32> + use<> {
    let (all, own) = match question.purpose {
        Purpose::Search | Purpose::Select if case.held_out => (0..0, set),
        Purpose::Search => (question.replicas.clone(), case.replicas),
        Purpose::Select | Purpose::Report | Purpose::Baseline => (question.replicas.clone(), set),
    };
    all.filter(move |replica| replica % set < own)
}

impl<'a> Batch<'a> {
    /// Lists the runs.
    pub fn new(experiment: &'a Experiment, run_case: RunCase, ask: &'a [Question]) -> Self {
        // Where replicas adapt, every case runs all of them.
        let set = if experiment.search.adaptive() { 1 } else { experiment.replicas() };
        let mut runs = Vec::new();
        let mut of_question = Vec::new();
        for (q, question) in ask.iter().enumerate() {
            let start = runs.len();
            for (c, case) in experiment.cases.iter().enumerate() {
                runs.extend(replicas(case, set, question).map(|replica| Run { question: q, case: c, replica }));
            }
            of_question.push(start..runs.len());
        }
        let genes = ask.iter().map(|q| experiment.space.decode(&q.genome)).collect();
        let failed = ask.iter().map(|_| AtomicUsize::new(usize::MAX)).collect();
        Self { experiment, run_case, ask, genes, runs, of_question, failed }
    }

    /// Number of runs.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// The case of a run.
    pub fn case(&self, index: usize) -> usize {
        self.runs[index].case
    }

    /// Does a run. Panics inside it are caught: one bad corner of the space must not end a night's search.
    pub fn run(&self, index: usize, scratch: &mut Scratch) -> Ran {
        scratch.agent_steps = 0;
        let run = self.runs[index];
        let failed = &self.failed[run.question];
        if failed.load(Ordering::Relaxed) < index {
            return Ran::Skipped;
        }
        let question = &self.ask[run.question];
        let case = &self.experiment.cases[run.case];
        let seed = run_seed(self.experiment.search.seed, question.purpose, &case.table, run.replica);
        let genes = &self.genes[run.question];
        let outcome =
            catch_unwind(AssertUnwindSafe(|| (self.run_case)(self.experiment, run.case, genes, seed, scratch)));
        let reason = match outcome {
            Ok(Ok(values)) => return Ran::Values(values),
            Ok(Err(reason)) => reason,
            Err(panic) => format!("panic: {}", message(panic.as_ref())),
        };
        failed.fetch_min(index, Ordering::Relaxed);
        Ran::Failed(format!("{}, replica {}: {reason}", case.name, run.replica))
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

/// Collects results in any order and gives trials in the order of the questions.
#[derive(Debug)]
pub struct Assembly<'a> {
    batch: &'a Batch<'a>,
    first_id: u64,
    ran: Vec<Option<Ran>>,
    next: usize,
    /// Runs before this one of the next question are there.
    filled: usize,
}

impl<'a> Assembly<'a> {
    /// Nothing has come in yet.
    pub fn new(batch: &'a Batch<'a>, first_id: u64) -> Self {
        Self { batch, first_id, ran: (0..batch.len()).map(|_| None).collect(), next: 0, filled: 0 }
    }

    /// Takes the result of a run.
    pub fn put(&mut self, index: usize, ran: Ran) {
        self.ran[index] = Some(ran);
    }

    /// The next trial, if all its runs are there.
    pub fn next(&mut self) -> Option<Trial> {
        let runs = self.batch.of_question.get(self.next)?.clone();
        while self.filled < runs.end {
            self.ran[self.filled].as_ref()?;
            self.filled += 1;
        }
        let trial = self.trial(runs);
        self.next += 1;
        Some(trial)
    }

    /// Rows of a failed trial are kept up to the run that failed; that one and those after it are empty, because
    /// whether those ran depends on who was first.
    fn trial(&mut self, runs: Range<usize>) -> Trial {
        let experiment = self.batch.experiment;
        let question = self.batch.ask[self.next].clone();
        let mut values = experiment.empty_values();
        let mut failure = None;
        for index in runs {
            let ran = self.ran[index].take().expect("`next` has seen it");
            let row = match ran {
                Ran::Values(row) if failure.is_none() => row,
                Ran::Failed(reason) if failure.is_none() => {
                    failure = Some(reason);
                    Vec::new()
                }
                _ => Vec::new(),
            };
            values[self.batch.runs[index].case].push(row);
        }
        let id = self.first_id + self.next as u64;
        match failure {
            Some(reason) => Trial {
                id,
                question,
                outcome: Outcome::Failed(reason),
                objectives: Vec::new(),
                violation: 0.0,
                measures: Vec::new(),
                values,
            },
            None => scoring::trial(experiment, id, question, values),
        }
    }
}

/// Hands over what is complete, which without any run are failed trials, and says whether that is all.
pub fn finish(mut assembly: Assembly<'_>, done: &mut dyn FnMut(Trial) -> Result<(), Error>) -> Result<(), Error> {
    while let Some(trial) = assembly.next() {
        done(trial)?;
    }
    if assembly.next == assembly.batch.ask.len() { Ok(()) } else { Err(super::interrupted()) }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
