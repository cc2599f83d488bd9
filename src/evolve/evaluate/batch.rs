//! Which runs a batch of questions needs, and how their results become trials again.

use super::simulate::Measured;
use crate::evolve::experiment::{Case, Experiment};
use crate::evolve::scoring;
use crowdtune_core::Error;
use crowdtune_search::{Outcome, Purpose, Question, Trial};
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// Where a run belongs.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Index of the question.
    pub question: usize,
    /// Index of the case.
    pub case: usize,
    /// Number of the replica.
    pub replica: u32,
}

/// What became of a run.
#[derive(Debug)]
pub enum Ran {
    /// It is healthy.
    Done(Measured),
    /// Why it cannot be trusted.
    Failed(String),
    /// It cannot be done, and neither can any other.
    Broken(Error),
    /// Not run: an earlier run of the same question has failed, and that decides the trial.
    Skipped,
}

impl Ran {
    /// How much work it was; 0 if that is not known.
    pub fn work(&self) -> u64 {
        match self {
            Self::Done(measured) => measured.work,
            Self::Failed(_) | Self::Broken(_) | Self::Skipped => 0,
        }
    }
}

/// Who does runs. Results may come in any order; the last run of a question makes its trial.
pub trait Workers {
    /// Does the runs of a plan until `cancel` is set or `done` fails, and hands each result to `done` in the calling thread.
    ///
    /// # Errors
    /// That of `done`.
    fn each(
        &self,
        plan: &Plan<'_>,
        cancel: &AtomicBool,
        run: &(dyn Fn(usize) -> Ran + Sync),
        done: &mut dyn FnMut(usize, Ran) -> Result<(), Error>,
    ) -> Result<(), Error>;
}

/// All runs of a batch: by question, then case, then replica.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The questions.
    pub questions: &'a [Question],
    runs: Vec<Place>,
    /// The runs of each question.
    of_question: Vec<Range<usize>>,
}

/// The replicas that a case runs for a question. Replicas come in sets as large as the largest number that a case has.
///
/// Held-out cases run only for the report and its baseline. In the search a case runs the first `replicas` of each set: with 2
/// in sets of 3 these are 0, 1, 3, 4, ... So an optimizer may ask for any number of sets, and a case has the same share of
/// each.
fn replicas(case: &Case, set: u32, question: &Question) -> impl Iterator<Item = u32> + use<> {
    let (all, own) = match question.purpose {
        Purpose::Search | Purpose::Select | Purpose::Profile if case.held_out => (0..0, set),
        Purpose::Search => (question.replicas.clone(), case.replicas),
        Purpose::Select | Purpose::Report | Purpose::Baseline | Purpose::Profile => (question.replicas.clone(), set),
    };
    all.filter(move |replica| replica % set < own)
}

impl<'a> Plan<'a> {
    /// Lists the runs.
    pub fn new(experiment: &'a Experiment, questions: &'a [Question]) -> Self {
        // With adaptive replicas every case runs all of them.
        let set = if experiment.search.adaptive() { 1 } else { experiment.replicas() };
        let mut runs = Vec::new();
        let mut of_question = Vec::new();
        for (q, question) in questions.iter().enumerate() {
            let start = runs.len();
            for (c, case) in experiment.cases.iter().enumerate() {
                runs.extend(replicas(case, set, question).map(|replica| Place { question: q, case: c, replica }));
            }
            of_question.push(start..runs.len());
        }
        Self { experiment, questions, runs, of_question }
    }

    /// Number of runs.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Where a run belongs.
    pub fn place(&self, index: usize) -> Place {
        self.runs[index]
    }

    /// The runs of a question.
    pub fn runs_of(&self, question: usize) -> Range<usize> {
        self.of_question[question].clone()
    }

    /// The case of a run.
    pub fn case(&self, index: usize) -> usize {
        self.runs[index].case
    }
}

/// Collects results in any order and gives trials in the order of the questions.
#[derive(Debug)]
pub struct Assembly<'a> {
    plan: &'a Plan<'a>,
    first_id: u64,
    ran: Vec<Option<Ran>>,
    next: usize,
    /// Runs before this one of the next question are there.
    filled: usize,
}

impl<'a> Assembly<'a> {
    /// Nothing has come in yet.
    pub fn new(plan: &'a Plan<'a>, first_id: u64) -> Self {
        Self { plan, first_id, ran: (0..plan.len()).map(|_| None).collect(), next: 0, filled: 0 }
    }

    /// Takes the result of a run.
    pub fn put(&mut self, index: usize, ran: Ran) {
        self.ran[index] = Some(ran);
    }

    /// The next trial, if all its runs are there.
    pub fn next(&mut self) -> Option<Trial> {
        let runs = self.plan.of_question.get(self.next)?.clone();
        while self.filled < runs.end {
            self.ran[self.filled].as_ref()?;
            self.filled += 1;
        }
        let trial = self.trial(runs);
        self.next += 1;
        Some(trial)
    }

    /// Hands over the trials that are complete.
    pub fn hand_over(&mut self, done: &mut dyn FnMut(Trial) -> Result<(), Error>) -> Result<(), Error> {
        while let Some(trial) = self.next() {
            done(trial)?;
        }
        Ok(())
    }

    /// Rows of a failed trial are kept up to the run that failed. That one and all after it are empty, because whether they
    /// ran depends on which thread came first.
    fn trial(&mut self, runs: Range<usize>) -> Trial {
        let experiment = self.plan.experiment;
        let question = self.plan.questions[self.next].clone();
        let mut values = experiment.empty_values();
        let mut failure = None;
        for index in runs {
            let ran = self.ran[index].take().expect("`next` has seen it");
            let row = match ran {
                Ran::Done(measured) if failure.is_none() => measured.values,
                Ran::Failed(reason) if failure.is_none() => {
                    failure = Some(reason);
                    Vec::new()
                }
                _ => Vec::new(),
            };
            values[self.plan.runs[index].case].push(row);
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

/// Hands over the trials that are complete (a question without any run is a failed one), and fails if some are missing.
pub fn finish(mut assembly: Assembly<'_>, done: &mut dyn FnMut(Trial) -> Result<(), Error>) -> Result<(), Error> {
    assembly.hand_over(done)?;
    if assembly.next == assembly.plan.questions.len() { Ok(()) } else { Err(super::interrupted()) }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
