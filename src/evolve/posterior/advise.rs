//! What to measure next: which value, in which scenario, would say most of what a posterior leaves open.
//!
//! Draws of the posterior are run on everything that could be measured. A value tells draws apart as far as its error and the noise of
//! runs let it: for each draw as if it were the truth, the others are weighed by how well they agree with its value, and what is left of
//! their spread is averaged (Lindley's expected information, Ann. Math. Statist. 27, 986, 1956, for variances).

use super::genome;
use super::measured::{Measurements, covered};
use super::summary::resampled;
use crate::evolve::evaluate::Evaluate;
use crate::evolve::experiment::Experiment;
use crate::evolve::scoring::Rescore;
use crowdtune_core::Error;
use crowdtune_core::math::eigen::eigen;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::stats;
use crowdtune_search::{Purpose, Question, Sample, Trial};
use serde::{Deserialize, Serialize};

/// A value that fewer of the runs give is no suggestion. Chosen here: half of them.
const LEAST: f64 = 0.5;

/// What could be measured next, the most telling first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// Format of this document: 1.
    pub format: u32,
    /// Name of the experiment.
    pub name: String,
    /// Draws of the posterior that were run.
    pub draws: u64,
    /// Relative error that is taken for what the file only measures.
    pub error: f64,
    /// The direction in which the posterior is widest, beside the prior: part of each gene, by key.
    pub widest: Vec<(String, f64)>,
    /// What could be measured.
    pub suggestions: Vec<Suggestion>,
}

/// One value that could be measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suggestion {
    /// Name of the target or measure.
    pub what: String,
    /// Name of the case.
    pub case: String,
    /// Unit.
    pub unit: String,
    /// Mean and standard deviation of the value over the draws.
    pub expected: (f64, f64),
    /// Standard deviation of the error of its measurement.
    pub error: f64,
    /// Expected share of the widest direction's standard deviation that is left.
    pub left: f64,
    /// The same for each gene, in their order.
    pub genes: Vec<f64>,
}

/// Runs draws of a posterior on all cases of an experiment and says what would tell them apart. What the posterior rests on already is
/// suggested too: to measure it again is one way.
///
/// # Errors
/// If nothing else can be measured, or runs are interrupted.
pub fn advise(
    experiment: &Experiment,
    sample: &Sample,
    evaluator: &dyn Evaluate,
    (draws, error): (usize, f64),
    done: &mut dyn FnMut(&Trial),
) -> Result<Advice, Error> {
    let points = resampled(sample, draws, Seed(experiment.search.seed).child("advice", 0));
    let set = experiment.replicas();
    let question = |(k, point): (u32, &Vec<f64>)| Question {
        purpose: Purpose::Report,
        genome: genome(experiment, point),
        // Beyond those that showed what the posterior predicts.
        replicas: (k + 1_000_000) * set..(k + 1_000_001) * set,
    };
    let questions: Vec<Question> = (0..).zip(&points).map(question).collect();
    let mut trials = Vec::with_capacity(questions.len());
    evaluator.evaluate(&questions, 0, &mut |trial| {
        done(&trial);
        trials.push(trial);
        Ok(())
    })?;
    let scores = Rescore::new(experiment);
    let direction = widest(sample, experiment.space.len());
    let mut suggestions = Vec::new();
    for (column, case, own_error) in values(experiment) {
        let (from, values) = given(&scores, (&points, &trials), column, case);
        if (values.len() as f64) < LEAST * draws as f64 {
            continue;
        }
        let expected = (stats::mean(&values), stats::sd(&values));
        let error = own_error.unwrap_or(error * expected.0.abs());
        let along = |weights: &dyn Fn(&[f64]) -> f64| {
            left(&from.iter().map(|p| weights(p)).collect::<Vec<_>>(), &values, error)
        };
        suggestions.push(Suggestion {
            what: experiment.columns[column].name.clone(),
            case: experiment.cases[case].name.clone(),
            unit: experiment.columns[column].unit().to_string(),
            expected,
            error,
            left: along(&|p| p.iter().zip(&direction).map(|(x, d)| x * d).sum()),
            genes: (0..experiment.space.len()).map(|gene| along(&|p| p[gene])).collect(),
        });
    }
    if suggestions.is_empty() {
        return Err(Error::nothing("nothing can be measured: no target or measure has a value in half of the runs")
            .key("measure")
            .help("add [measure.NAME] tables, and scenarios with held_out = true, for what could be measured"));
    }
    suggestions.sort_by(|a, b| a.left.total_cmp(&b.left));
    let keys = experiment.space.genes.iter().map(|gene| gene.key.clone());
    Ok(Advice {
        format: 1,
        name: experiment.name.clone(),
        draws: draws as u64,
        error,
        widest: keys.zip(direction).collect(),
        suggestions,
    })
}

/// Everything that has a value in a case: column, case, and the error that the file says.
fn values(experiment: &Experiment) -> Vec<(usize, usize, Option<f64>)> {
    let measured = Measurements::in_cases(experiment, true).statistics;
    let error = |column: usize, case: usize| {
        measured.iter().find(|s| (s.column, s.case) == (column, case)).map(|s| s.observed.sd)
    };
    covered(experiment).into_iter().map(|(column, case)| (column, case, error(column, case))).collect()
}

/// The points whose runs give a value, and the values.
fn given<'a>(
    scores: &Rescore<'_>,
    (points, trials): (&'a [Vec<f64>], &[Trial]),
    column: usize,
    case: usize,
) -> (Vec<&'a Vec<f64>>, Vec<f64>) {
    let value = |trial: &Trial| scores.whole_value(trial, column, case);
    points.iter().zip(trials).filter_map(|(point, trial)| Some((point, value(trial)?))).unzip()
}

/// The direction of unit length in which a posterior is widest: the prior is as wide in all of them.
fn widest(sample: &Sample, dim: usize) -> Vec<f64> {
    let mut vectors = sample.covariance();
    let mut values = vec![0.0; dim];
    eigen(dim, &mut vectors, &mut values);
    let last = &vectors[(dim - 1) * dim..];
    // The same direction on both sides of 0: its largest part counts upwards.
    let largest = last.iter().copied().fold(0.0_f64, |a, b| if b.abs() > a.abs() { b } else { a });
    last.iter().map(|part| part * largest.signum()).collect()
}

/// The expected share of the standard deviation of `x` that is left once `values` is measured with this error. The kernel is as wide as the
/// error, and as Silverman's rule wants it for so many values.
fn left(x: &[f64], values: &[f64], error: f64) -> f64 {
    let before = stats::sd(x);
    let smooth = 1.06 * stats::sd(values) * libm::pow(values.len() as f64, -0.2);
    let variance = error * error + smooth * smooth;
    if before <= 0.0 || variance <= 0.0 {
        return 1.0;
    }
    let after = values.iter().map(|truth| {
        let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
        for (x, value) in x.iter().zip(values) {
            let weight = libm::exp(-0.5 * (value - truth) * (value - truth) / variance);
            sum += weight;
            first += weight * x;
            second += weight * x * x;
        }
        (second / sum - (first / sum) * (first / sum)).max(0.0)
    });
    let after = stats::mean(&after.collect::<Vec<_>>());
    (after.sqrt() / before).min(1.0)
}
