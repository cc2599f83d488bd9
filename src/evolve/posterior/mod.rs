//! `crowdtune posterior`: which constants agree with what was measured, answered through the log.
//!
//! The rows are search trials, each on replicas of its own: what is inferred rests on the noise of runs, so no two of them share it.
//! Starting and resuming are the same, and a posterior can be extended by whole generations.

mod advise;
mod check;
mod measured;
mod odds;
mod samples;
mod summary;

pub use advise::{Advice, Suggestion, advise};
pub use check::{Calibration, FEWEST, Planted, RankOf, calibrate, calibration};
pub use measured::{Measurements, Statistic};
pub use odds::{Odds, OfModel, odds};
pub use samples::Draws;
pub use summary::{Agreement, Margin, Posterior, draws, resampled, summarize};

use super::evaluate::{Evaluate, interrupted};
use super::experiment::Experiment;
use super::log::{Chain, Journal};
use super::run::{Observer, Phase, begin};
use super::scoring::Rescore;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::{Class, Error};
use crowdtune_search::{Axis, Genome, Inference, PosteriorSetup, Purpose, Question, Sample, Trial};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Name of the file in the run folder that says how the rows of the log were asked.
pub const FILE: &str = "inference.json";

/// Where the likelihood of what was measured comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Likelihood {
    /// Runs alone.
    #[default]
    Simulated,
    /// Gaussian processes of what runs give.
    Emulated,
}

impl Likelihood {
    /// As it is said on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Simulated => "simulated",
            Self::Emulated => "emulated",
        }
    }

    /// True if runs alone give it.
    pub fn is_simulated(&self) -> bool {
        *self == Self::Simulated
    }
}

/// How much is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Design {
    /// Most evaluations; they end on a whole generation.
    pub evaluations: u64,
    /// Effective number of draws that the posterior is made of, and the size of a generation; of processes neither.
    pub effective: u32,
    /// Where the likelihood comes from.
    #[serde(default, skip_serializing_if = "Likelihood::is_simulated")]
    pub likelihood: Likelihood,
}

/// Runs of a generation where processes learn from them, and more for each parameter. Chosen here: a fit of so many constants needs about as many
/// again, and a cluster something to do.
const TO_LEARN: (usize, usize) = (10, 5);

impl Design {
    /// Evaluations of a generation, with so many unknown parameters.
    pub fn generation(self, parameters: usize) -> usize {
        match self.likelihood {
            Likelihood::Simulated => self.effective as usize,
            Likelihood::Emulated => TO_LEARN.0 + TO_LEARN.1 * parameters,
        }
    }

    /// Generations that fit, with so many unknown parameters.
    fn generations(self, parameters: usize) -> u64 {
        self.evaluations.div_ceil(self.generation(parameters) as u64).max(1)
    }

    /// Checks that a posterior can be asked for.
    ///
    /// # Errors
    /// If nothing is unknown, or as [`Measurements::of`].
    pub fn check(self, experiment: &Experiment) -> Result<Measurements, Error> {
        if experiment.space.is_empty() {
            return Err(Error::input("nothing is unknown: every parameter is fixed")
                .key("parameters")
                .allowed("at least one { range = [low, high], prior = ... }")
                .help("give a range to each parameter that you ask about"));
        }
        let choice = experiment.space.genes.iter().find(|gene| matches!(gene.axis, Axis::Choice(_)));
        if let (Likelihood::Emulated, Some(gene)) = (self.likelihood, choice) {
            return Err(Error::input("a choice has no order, and processes learn what changes smoothly")
                .key(gene.key.clone())
                .allowed("numbers, with `--likelihood emulated`")
                .help(
                    "leave --likelihood out, or fix the choice and compare the posteriors with `crowdtune compare`",
                ));
        }
        Measurements::of(experiment)
    }
}

/// An inference about measured values with these draws.
fn inference(experiment: &Experiment, measured: &Measurements, design: Design, seed: Seed) -> Inference {
    Inference::new(PosteriorSetup {
        parameters: experiment.space.len(),
        observed: measured.observed(),
        effective: design.effective as usize,
        likelihood: match design.likelihood {
            Likelihood::Simulated => crowdtune_search::Likelihood::Simulated,
            Likelihood::Emulated => crowdtune_search::Likelihood::Emulated,
        },
        seed,
    })
}

/// The genome of standard normal numbers, each through the prior of its gene.
pub fn genome(experiment: &Experiment, point: &[f64]) -> Genome {
    let genes = experiment.space.genes.iter().zip(&experiment.priors);
    genes.zip(point).map(|((gene, prior), &z)| prior.coordinate(&gene.axis, z)).collect()
}

/// The question of a draw: no other draw has its replicas.
fn question(experiment: &Experiment, point: &[f64], number: u64) -> Question {
    let set = experiment.replicas();
    let first = u32::try_from(number).unwrap_or(u32::MAX).wrapping_mul(set);
    Question { purpose: Purpose::Search, genome: genome(experiment, point), replicas: first..first.wrapping_add(set) }
}

/// What was asked and answered.
#[derive(Debug)]
pub struct Answered {
    /// The inference with all answers.
    pub inference: Inference,
    /// The posterior; `None` where nothing agreed.
    pub sample: Option<Sample>,
    /// The trials that it rests on.
    pub searched: Vec<Trial>,
    /// Fresh runs with draws of the posterior; none where nothing agreed.
    pub predicted: Vec<Trial>,
}

/// Draws until more would change little or the evaluations are spent, then runs what the posterior predicts, as far as
/// the log does not hold it already.
///
/// # Errors
/// If the log belongs to something else or cannot be written, or `cancel` was set; what is in it is good.
pub fn run(
    experiment: &Experiment,
    design: Design,
    evaluator: &dyn Evaluate,
    journal: &mut dyn Journal,
    observer: &mut dyn Observer,
    cancel: &AtomicBool,
) -> Result<Answered, Error> {
    let measured = design.check(experiment)?;
    let scores = Rescore::new(experiment);
    let mut inference = inference(experiment, &measured, design, Seed(experiment.search.seed).child("posterior", 0));
    let (trials, chain) = begin(experiment, evaluator.engine(), journal)?;
    let logged = trials.iter().filter(|t| t.question.purpose == Purpose::Search).count();
    let mut rows = Rows::new(evaluator, journal, observer, cancel, (trials, chain));
    let (generations, each) = (design.generations(experiment.space.len()), design.generation(experiment.space.len()));
    rows.observer.phase(Phase::Search, generations * each as u64);
    let mut searched: Vec<Trial> = Vec::new();
    for _ in 0..generations {
        // A log that goes on was asked to.
        if inference.is_settled() && searched.len() >= logged {
            break;
        }
        let points = inference.ask(each);
        let number = |k: usize| (searched.len() + k) as u64;
        let questions: Vec<Question> =
            points.iter().enumerate().map(|(k, point)| question(experiment, point, number(k))).collect();
        let answers = rows.answer(&questions)?;
        inference.tell(answers.iter().map(|trial| measured.of_trial(&scores, experiment, trial)).collect());
        searched.extend(answers);
    }
    let sample = inference.sample();
    let questions = sample.as_ref().map_or_else(Vec::new, |sample| draws(experiment, sample));
    rows.observer.phase(Phase::Report, questions.len() as u64);
    let predicted = rows.answer(&questions)?;
    Ok(Answered { inference, sample, searched, predicted })
}

/// Answers questions: from the rows of the log, then from the evaluator, whose answers go into the journal.
struct Rows<'a> {
    evaluator: &'a dyn Evaluate,
    journal: &'a mut dyn Journal,
    observer: &'a mut dyn Observer,
    cancel: &'a AtomicBool,
    chain: Chain,
    trials: Vec<Trial>,
    /// The rows that the log had, by purpose and first replica: no two questions of a posterior have both.
    old: HashMap<(Purpose, u32), usize>,
}

/// What tells the questions of a posterior apart.
fn place(question: &Question) -> (Purpose, u32) {
    (question.purpose, question.replicas.start)
}

impl<'a> Rows<'a> {
    fn new(
        evaluator: &'a dyn Evaluate,
        journal: &'a mut dyn Journal,
        observer: &'a mut dyn Observer,
        cancel: &'a AtomicBool,
        (trials, chain): (Vec<Trial>, Chain),
    ) -> Self {
        let old = trials.iter().enumerate().map(|(row, t)| (place(&t.question), row)).collect();
        Self { evaluator, journal, observer, cancel, chain, trials, old }
    }

    fn answer(&mut self, questions: &[Question]) -> Result<Vec<Trial>, Error> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(self.stopped(interrupted()));
        }
        let mut answers: Vec<Option<Trial>> = Vec::with_capacity(questions.len());
        for question in questions {
            let row = self.old.get(&place(question)).copied();
            let same = row.is_some_and(|row| self.trials[row].question == *question);
            if let (Some(row), false, Purpose::Search) = (row, same, question.purpose) {
                return Err(Error::input("this row of the log is not what this posterior asks")
                    .file(self.journal.name())
                    .line(row + 2)
                    .help(
                        "resume with the file and --effective of the first start, or choose another folder with --out",
                    ));
            }
            let answer = row.filter(|_| same).map(|row| self.trials[row].clone());
            answer.iter().for_each(|trial| self.observer.trial(trial, true));
            answers.push(answer);
        }
        let ask: Vec<Question> = questions
            .iter()
            .zip(&answers)
            .filter(|(_, answer)| answer.is_none())
            .map(|(question, _)| question.clone())
            .collect();
        let first = self.trials.len();
        if !ask.is_empty() {
            let Self { evaluator, journal, observer, chain, trials, .. } = self;
            let ended = evaluator.evaluate(&ask, first as u64, &mut |trial| {
                journal.append(&chain.line(&trial))?;
                observer.trial(&trial, false);
                trials.push(trial);
                Ok(())
            });
            let synced = journal.batch((trials.len() - first) as u64, &evaluator.spent());
            ended.map_err(|e| self.stopped(e)).and(synced)?;
        }
        let mut fresh = self.trials[first..].iter().cloned();
        Ok(answers.into_iter().filter_map(|answer| answer.or_else(|| fresh.next())).collect())
    }

    /// An interruption says what is kept and how to continue.
    fn stopped(&self, error: Error) -> Error {
        if error.class() != Class::Interrupted {
            return error;
        }
        Error::interrupted(format!("interrupted after {} trials; all of them are kept", self.trials.len()))
            .file(self.journal.name())
            .help("the same command with --resume continues where it stopped")
    }
}

#[cfg(test)]
mod tests;
