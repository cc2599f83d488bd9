//! Questions in parts, each the task of a worker that keeps nothing, and their answers put together again.

use super::asked::Asked;
use super::batch::{Plan, Ran};
use crate::evolve::experiment::Experiment;
use crowdtune_search::{Outcome, Question, Trial};
use std::collections::BTreeMap;

/// Parts of a batch for each worker, where its questions have enough replicas. Chosen here: with four nobody waits long at the
/// end of the batch for the last one.
const EACH: usize = 4;

/// A batch of questions in parts. A part has some replicas of a question, in all cases, because that is a question again.
#[derive(Debug)]
pub struct Parts<'a> {
    plan: &'a Plan<'a>,
    asked: Vec<(usize, Asked)>,
    /// The part with this id and this first replica.
    found: BTreeMap<(u64, u32), usize>,
}

/// The answer to a part, checked: what became of its runs.
#[derive(Debug)]
pub struct Answer(pub(super) Vec<(usize, Ran)>);

impl<'a> Parts<'a> {
    /// Splits a batch for so many workers.
    pub(super) fn new(plan: &'a Plan<'a>, first_id: u64, workers: usize) -> Self {
        let count = plan.questions.len();
        let of_all = (EACH * workers).div_ceil(count.max(1));
        let mut asked = Vec::new();
        for ((at, question), id) in plan.questions.iter().enumerate().zip(first_id..) {
            // The last ones are single replicas, so that nobody waits long for a slow candidate that was begun when all others were done.
            let pieces = if at + EACH * workers >= count { question.replicas.len() } else { of_all };
            let part = |question| (at, Asked::new(plan.experiment, id, question));
            asked.extend(split(question, pieces).map(part));
        }
        let key = |asked: &Asked| (asked.id, asked.question.replicas.start);
        let found = asked.iter().enumerate().map(|(index, (_, asked))| (key(asked), index)).collect();
        Self { plan, asked, found }
    }

    /// The experiment.
    pub fn experiment(&self) -> &Experiment {
        self.plan.experiment
    }

    /// Number of parts.
    pub fn count(&self) -> usize {
        self.asked.len()
    }

    /// The line that asks for a part.
    pub fn line(&self, index: usize) -> String {
        serde_json::to_string(&self.asked[index].1).expect("a question has string keys only")
    }

    /// Reads a line of a worker: which part it answers, and how.
    ///
    /// # Errors
    /// Why it is no answer to any of them.
    pub fn answer(&self, line: &[u8]) -> Result<(usize, Answer), String> {
        let trial: Trial = serde_json::from_slice(line).map_err(|e| format!("not a trial: {e}"))?;
        let key = (trial.id, trial.question.replicas.start);
        let index = *self.found.get(&key).ok_or_else(|| format!("nobody asked for id {} here", trial.id))?;
        let (at, asked) = &self.asked[index];
        if trial.question != asked.question {
            return Err(format!("the trial with id {} is for another question", trial.id));
        }
        let mut rows: Vec<_> = trial.values.into_iter().map(Vec::into_iter).collect();
        let wrong = || format!("the values of the trial with id {} do not fit the experiment", trial.id);
        if rows.len() != self.plan.experiment.cases.len() {
            return Err(wrong());
        }
        let mut failure = match trial.outcome {
            Outcome::Done => None,
            Outcome::Failed(reason) => Some(reason),
        };
        let mut cut = false;
        let mut runs = Vec::new();
        for run in self.plan.runs_of(*at).filter(|&run| asked.question.replicas.contains(&self.plan.place(run).replica))
        {
            let values = rows[self.plan.case(run)].next().ok_or_else(wrong)?;
            let ran = match (values.len() == self.plan.experiment.columns.len(), cut) {
                (true, false) => Ran::Done(values.into()),
                // Whether a run after the first failure was done is not known, so that none of them has values.
                _ if !values.is_empty() => return Err(wrong()),
                (_, true) => Ran::Skipped,
                (_, false) => {
                    cut = true;
                    Ran::Failed(failure.take().ok_or_else(wrong)?)
                }
            };
            runs.push((run, ran));
        }
        if rows.iter().any(|rest| rest.len() > 0) {
            return Err(wrong());
        }
        Ok((index, Answer(runs)))
    }
}

/// The parts of a batch that have no answer yet, for whoever may get an answer twice.
#[derive(Debug)]
pub struct Unanswered<'a> {
    parts: &'a Parts<'a>,
    open: Vec<bool>,
    left: usize,
}

impl<'a> Unanswered<'a> {
    /// All of them.
    pub fn new(parts: &'a Parts<'a>) -> Self {
        Self { parts, open: vec![true; parts.count()], left: parts.count() }
    }

    /// Number of parts without an answer.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Reads a line of a worker; `None` if its part has an answer already.
    ///
    /// # Errors
    /// Why it is no answer to any part.
    pub fn take(&mut self, line: &[u8]) -> Result<Option<Answer>, String> {
        let (index, answer) = self.parts.answer(line)?;
        if !std::mem::take(&mut self.open[index]) {
            return Ok(None);
        }
        self.left -= 1;
        Ok(Some(answer))
    }
}

/// The question in so many pieces, as equal as they can be, or one for each replica.
fn split(question: &Question, pieces: usize) -> impl Iterator<Item = Question> {
    let (first, count) = (question.replicas.start, question.replicas.len());
    let pieces = pieces.clamp(1, count.max(1));
    // Replicas are counted in 32 bits.
    let end = move |piece: usize| first + (piece * count / pieces) as u32;
    (0..pieces).map(move |piece| Question { replicas: end(piece)..end(piece + 1), ..question.clone() })
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
