//! `crowdtune sensitivity`: a design of experiments, answered through the log.
//!
//! The rows of the design are search trials on the same replicas, so everything that reads a log reads this one too.
//! Starting and resuming are the same: rows that the log has are taken from it. A design can be extended.

mod summary;

pub use summary::{Effects, MorrisEffect, OutputEffects, PairEffect, Sensitivity, SobolEffect, summarize};

use super::evaluate::{Evaluate, interrupted};
use super::experiment::Experiment;
use super::log::Journal;
use super::run::{Observer, Phase, begin};
use crowdtune_core::math::rng::Seed;
use crowdtune_core::{Class, Error};
use crowdtune_search::sensitivity::{morris, saltelli};
use crowdtune_search::{Genome, Purpose, Question, Trial};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// Name of the file in the run folder that says what the rows of the log are.
pub const FILE: &str = "design.json";

/// Rows that are handed over at a time: after each such batch the log is safe. Chosen here: some seconds of work.
const BATCH: usize = 256;

/// How the space is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Elementary effects along trajectories: few runs, which parameters matter at all.
    Morris,
    /// Shares of the variance by Saltelli's design: many runs, how much each matters, alone and together.
    Sobol,
}

impl Method {
    /// The default number of samples: trajectories (Campolongo et al. 2007 find 10 to 20 enough) or base points. Chosen
    /// here: 128 base points tell shares apart that differ by about 0.2.
    pub fn samples(self) -> u32 {
        match self {
            Self::Morris => 20,
            Self::Sobol => 128,
        }
    }
}

/// A design of experiments: its method and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Design {
    /// The method.
    pub method: Method,
    /// Trajectories, or base points.
    pub samples: u32,
}

impl Design {
    /// Number of rows of the design for a number of genes.
    pub fn rows(self, genes: usize) -> u64 {
        let each = match self.method {
            Method::Morris => genes + 1,
            Method::Sobol => saltelli::stride(genes),
        };
        u64::from(self.samples) * each as u64
    }

    /// The genomes.
    fn genomes(self, experiment: &Experiment) -> Vec<Genome> {
        match self.method {
            Method::Morris => self.morris(experiment).rows,
            Method::Sobol => saltelli::design(&experiment.space, self.samples, seed(experiment)),
        }
    }

    fn morris(self, experiment: &Experiment) -> morris::Design {
        morris::design(&experiment.space, self.samples as usize, seed(experiment))
    }

    /// Checks that the design suits the experiment.
    ///
    /// # Errors
    /// If there is nothing to vary, nothing is measured, or there are more genes than the method takes.
    pub fn check(self, experiment: &Experiment) -> Result<(), Error> {
        let genes = experiment.space.len();
        if genes == 0 {
            return Err(Error::input("nothing to vary: every parameter is fixed")
                .key("parameters")
                .allowed("at least one { range = [low, high] }, { integers = [..] } or { choices = [..] }")
                .help("give a range to each parameter that you ask about"));
        }
        if experiment.columns.is_empty() {
            return Err(Error::input("nothing is measured: the experiment has no target and no measure")
                .key("measure")
                .help("add a [target.NAME] or a [measure.NAME] table"));
        }
        if self.method == Method::Sobol && genes > saltelli::MOST_GENES {
            return Err(Error::input(format!("{genes} parameters are too many for Sobol indices"))
                .key("--method")
                .allowed(format!("at most {} parameters with sobol", saltelli::MOST_GENES))
                .help("screen them with --method morris first, and fix those that do nothing"));
        }
        Ok(())
    }
}

fn seed(experiment: &Experiment) -> Seed {
    Seed(experiment.search.seed).child("sensitivity", 0)
}

/// Makes the experiment fit a design: its log has as many search trials as the design has rows, and without targets there is no
/// objective.
pub fn prepare(experiment: &mut Experiment, design: Design) {
    experiment.search.evaluations = design.rows(experiment.space.len());
    if experiment.targets().next().is_none() {
        experiment.objectives.clear();
    }
}

/// Runs the design, as far as the log does not hold it already; returns all rows.
///
/// # Errors
/// If the log belongs to another experiment, engine or design, cannot be written, or `cancel` was set; what is in it is good.
pub fn run(
    experiment: &Experiment,
    design: Design,
    evaluator: &dyn Evaluate,
    journal: &mut dyn Journal,
    observer: &mut dyn Observer,
    cancel: &AtomicBool,
) -> Result<Vec<Trial>, Error> {
    let question = |genome| Question { purpose: Purpose::Search, genome, replicas: 0..experiment.replicas() };
    let questions: Vec<Question> = design.genomes(experiment).into_iter().map(question).collect();
    let (mut trials, mut chain) = begin(experiment, evaluator.engine(), journal)?;
    observer.phase(Phase::Search, questions.len() as u64);
    for (row, trial) in trials.iter().enumerate() {
        if questions.get(row) != Some(&trial.question) {
            return Err(Error::input("this row of the log is not part of the design")
                .file(journal.name())
                .line(row + 2)
                .help("resume with the method and seed of the first start and at least its samples, or choose another folder with --out"));
        }
        observer.trial(trial, true);
    }
    while trials.len() < questions.len() {
        if cancel.load(Ordering::Relaxed) {
            return Err(stopped(interrupted(), trials.len(), journal));
        }
        let first = trials.len();
        let ask = &questions[first..questions.len().min(first + BATCH)];
        let ended = evaluator.evaluate(ask, first as u64, &mut |trial| {
            journal.append(&chain.line(&trial))?;
            observer.trial(&trial, false);
            trials.push(trial);
            Ok(())
        });
        let synced = journal.batch((trials.len() - first) as u64, &evaluator.spent());
        ended.map_err(|e| stopped(e, trials.len(), journal)).and(synced)?;
    }
    Ok(trials)
}

/// An interruption says what is kept and how to continue.
fn stopped(error: Error, done: usize, journal: &dyn Journal) -> Error {
    if error.class() != Class::Interrupted {
        return error;
    }
    Error::interrupted(format!("interrupted after {done} trials; all of them are kept"))
        .file(journal.name())
        .help("the same command with --resume continues where it stopped")
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
