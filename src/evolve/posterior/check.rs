//! Whether posteriors mean what they say: planted constants, inferred again.
//!
//! Simulation-based calibration (Talts, Betancourt, Simpson, Vehtari, Gelman, arXiv 1804.06788): constants are drawn from the prior, a run
//! with them is measured with the errors of the experiment, and the posterior of that measurement is asked where the constants lie in it.
//! Over many such runs their ranks are uniform, and an interval of 90 % holds them in 90 %.

use super::{Design, Measurements, inference, question};
use crate::evolve::evaluate::{Evaluate, interrupted};
use crate::evolve::experiment::Experiment;
use crate::evolve::scoring::Rescore;
use crowdtune_core::math::normals::normals;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::{Class, Error};
use crowdtune_search::Trial;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// Bins of a rank histogram: each of them holds so many truths on average, as far as that makes from 4 to 20. Chosen here: with fewer the
/// chi-square test is no good.
const PER_BIN: usize = 10;
/// Fewest bins, and most.
const BINS: (usize, usize) = (4, 20);
/// Fewer ranks than this say nothing of posteriors.
pub const FEWEST: u64 = (PER_BIN * BINS.0) as u64;

/// One planted truth, and where it lies in its posterior.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planted {
    /// Its number.
    pub number: u64,
    /// The planted values, by gene.
    pub values: Vec<f64>,
    /// Share of the posterior below each of them; none where the planted run failed or nothing agreed with it.
    pub below: Vec<f64>,
    /// Effective number of draws of the posterior.
    pub effective: f64,
    /// How far the errors were widened at the end, standard deviations of the simulated values.
    pub widened: f64,
    /// Evaluations that it took.
    pub evaluations: u64,
}

/// How often intervals hold the planted value of a gene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankOf {
    /// Dotted key.
    pub key: String,
    /// Truths by the share of the posterior below them, in equal bins from 0 to 1.
    pub bins: Vec<u64>,
    /// Chi-square of the bins against equal ones, and the probability of one as large by chance.
    pub chi_square: f64,
    /// See `chi_square`.
    pub p: f64,
    /// Share of the truths inside the central intervals of 50 and 90 %.
    pub inside_50: f64,
    /// See `inside_50`.
    pub inside_90: f64,
}

/// What planted truths say of the posteriors of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Truths planted.
    pub planted: u64,
    /// Truths whose own run failed, or with which nothing agreed: they have no rank.
    pub without: u64,
    /// One for each gene.
    pub genes: Vec<RankOf>,
}

/// Infers planted truths, from this number on; each is given to `done` as soon as it is known.
///
/// # Errors
/// If `done` fails or `cancel` was set.
pub fn calibrate(
    experiment: &Experiment,
    design: Design,
    evaluator: &dyn Evaluate,
    numbers: std::ops::Range<u64>,
    cancel: &AtomicBool,
    done: &mut dyn FnMut(Planted, &Trial) -> Result<(), Error>,
) -> Result<(), Error> {
    let measured = design.check(experiment)?;
    for number in numbers {
        let found = if cancel.load(Ordering::Relaxed) {
            Err(interrupted())
        } else {
            planted(experiment, design, &measured, evaluator, number)
        };
        let (truth, run) = found.map_err(|error| match error.class() {
            Class::Interrupted => {
                Error::interrupted(format!("interrupted after {number} planted truths; all of them are kept"))
                    .help("the same command with --resume continues where it stopped")
            }
            _ => error,
        })?;
        done(truth, &run)?;
    }
    Ok(())
}

fn planted(
    experiment: &Experiment,
    design: Design,
    measured: &Measurements,
    evaluator: &dyn Evaluate,
    number: u64,
) -> Result<(Planted, Trial), Error> {
    let scores = Rescore::new(experiment);
    let seed = Seed(experiment.search.seed).child("planted", number);
    let genes = experiment.space.len();
    let mut draws = vec![0.0; genes + measured.statistics.len()];
    normals(&mut seed.rng(), &mut draws);
    let (truth, errors) = draws.split_at(genes);
    // Runs of a truth have replicas of their own, far from those of the posterior and of other truths.
    let (generations, draws) = (design.generations(genes), design.generation(genes));
    let each = generations * draws as u64 + 1;
    let first = (number + 1) * each + u64::from(u32::MAX / experiment.replicas() / 2);
    let mut asked = first;
    let mut answer = |points: &[Vec<f64>]| -> Result<Vec<Trial>, Error> {
        let questions: Vec<_> =
            points.iter().enumerate().map(|(k, point)| question(experiment, point, asked + k as u64)).collect();
        asked += questions.len() as u64;
        let mut trials = Vec::with_capacity(questions.len());
        evaluator.evaluate(&questions, 0, &mut |trial| {
            trials.push(trial);
            Ok(())
        })?;
        Ok(trials)
    };
    let statistics = |trials: &[Trial]| -> Vec<Option<Vec<f64>>> {
        trials.iter().map(|trial| measured.of_trial(&scores, experiment, trial)).collect()
    };
    let values = experiment.space.decode(&super::genome(experiment, truth));
    let mut found = Planted { number, values, below: Vec::new(), effective: 0.0, widened: 0.0, evaluations: 0 };
    let runs = answer(&[truth.to_vec()])?;
    let (Some(trial), Some(values)) = (runs.first().cloned(), statistics(&runs).pop()) else {
        return Err(Error::nothing("the evaluator gave no answer"));
    };
    let Some(run) = values else { return Ok((found, trial)) };
    let with_errors: Vec<f64> =
        run.iter().zip(&measured.statistics).zip(errors).map(|((x, s), e)| x + s.observed.sd * e).collect();
    let mut inference = inference(experiment, &measured.with(&with_errors), design, seed.child("posterior", 0));
    for _ in 0..generations {
        let points = inference.ask(draws);
        inference.tell(statistics(&answer(&points)?));
        found.evaluations += points.len() as u64;
        if inference.is_settled() {
            break;
        }
    }
    if let Some(sample) = inference.sample() {
        found.below = (0..genes)
            .map(|gene| {
                let below = sample.points.iter().zip(&sample.weights).filter(|(point, _)| point[gene] < truth[gene]);
                below.map(|(_, weight)| weight).sum()
            })
            .collect();
        (found.effective, found.widened) = (sample.effective, sample.widened);
    }
    Ok((found, trial))
}

/// The histograms and shares of planted truths.
pub fn calibration(experiment: &Experiment, planted: &[Planted]) -> Calibration {
    let ranked: Vec<&Planted> = planted.iter().filter(|p| !p.below.is_empty()).collect();
    let count = ranked.len() as f64;
    let bins_each = (ranked.len() / PER_BIN).clamp(BINS.0, BINS.1);
    let of = |(gene, key): (usize, String)| {
        let mut bins = vec![0_u64; bins_each];
        for truth in &ranked {
            bins[((truth.below[gene] * bins_each as f64) as usize).min(bins_each - 1)] += 1;
        }
        let expected = count / bins_each as f64;
        let chi_square: f64 = bins.iter().map(|&n| (n as f64 - expected) * (n as f64 - expected) / expected).sum();
        let inside = |level: f64| {
            let within = |p: &&&Planted| (p.below[gene] - 0.5).abs() <= 0.5 * level;
            ranked.iter().filter(within).count() as f64 / count
        };
        let p = crowdtune_core::math::chi_square::above(chi_square, (bins_each - 1) as u32);
        RankOf { key, bins, chi_square, p, inside_50: inside(0.5), inside_90: inside(0.9) }
    };
    let keys = experiment.space.genes.iter().map(|gene| gene.key.clone());
    Calibration {
        planted: planted.len() as u64,
        without: (planted.len() - ranked.len()) as u64,
        genes: keys.enumerate().map(of).collect(),
    }
}
