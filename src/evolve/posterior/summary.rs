//! What a posterior says: margins, what goes together, and how runs with it compare with what was measured.

use super::check::Calibration;
use super::{Answered, Design, Measurements, genome};
use crate::evolve::experiment::Experiment;
use crate::evolve::genes::gene;
use crate::evolve::log;
use crate::evolve::scoring::Rescore;
use crate::evolve::summary::GeneSummary;
use crowdtune_core::Error;
use crowdtune_core::math::normal;
use crowdtune_core::math::normals::normals;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::math::stats;
use crowdtune_search::{Axis, Prior, Purpose, Question, Sample, Trial};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Draws that are simulated again to see what the posterior predicts. Chosen here: ends of an interval of 90 % lie two draws inside.
const PREDICTED: usize = 40;
/// Equal parts of a prior that its picture is made of.
const PRIOR: usize = 2400;
/// A margin is called as wide as before where its interval of 90 % keeps more than this share of that of the prior. Chosen here.
const UNCHANGED: f64 = 0.9;
/// Two parameters go together from this correlation on. Chosen here: half of the variance of one is that of the other.
const TOGETHER: f64 = 0.7;

/// A posterior, as `posterior.json` says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Posterior {
    /// Format of this document: 1.
    pub format: u32,
    /// Version of the program.
    pub crowdtune: String,
    /// Name of the experiment.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The model; of several each with its groups.
    pub model: String,
    /// Digest of the experiment.
    pub digest: String,
    /// Seed of draws and runs.
    pub seed: u64,
    /// The step, s, where it is longer than the model's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_step_s: Option<f64>,
    /// How much was asked.
    #[serde(flatten)]
    pub design: Design,
    /// Evaluations made.
    pub evaluated: u64,
    /// Reasons of failed ones with their number: they agree with nothing.
    pub failures: BTreeMap<String, u64>,
    /// Evaluations that went well and are beyond a limit, or gave no value.
    pub beyond: u64,
    /// Effective number of draws.
    pub draws: f64,
    /// How far the errors of the measurements were widened, standard deviations of the simulated values; 0: not at all.
    pub widened: f64,
    /// Where processes stand for runs: what of the variance of what is measured is their own error, on the average of the posterior.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<f64>,
    /// And how far the runs of the last generation were from what was expected of them: root mean square, in deviations that were expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surprise: Option<f64>,
    /// True if more evaluations would change little: nothing is widened, or processes are good enough.
    #[serde(default)]
    pub settled: bool,
    /// What is known of each parameter.
    pub genes: Vec<Margin>,
    /// Correlations of the parameters as they are drawn (standard normal numbers through their priors), by gene.
    pub correlations: Vec<Vec<f64>>,
    /// What was measured, and what runs with the posterior give.
    pub statistics: Vec<Agreement>,
    /// What planted truths say, where they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// One parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Margin {
    /// The gene; `tuned` is the median of the posterior, of a choice the most probable one.
    #[serde(flatten)]
    pub gene: GeneSummary,
    /// The prior in words.
    pub prior: String,
    /// Mean and standard deviation.
    pub mean: f64,
    /// See `mean`.
    pub sd: f64,
    /// Quantiles at 5, 25, 50, 75 and 95 %.
    pub quantiles: [f64; 5],
    /// The same of the prior.
    pub before: [f64; 5],
    /// Quantiles of the prior at 0.5, 1.5, ... of many equal parts: its shape.
    #[serde(skip)]
    pub prior_quantiles: Vec<f64>,
    /// Probability of each choice; empty for numbers.
    pub shares: Vec<f64>,
}

/// One measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// Name of the target.
    pub target: String,
    /// Name of the case.
    pub case: String,
    /// True if the posterior does not rest on it.
    pub held_out: bool,
    /// Unit.
    pub unit: String,
    /// What was measured, and the standard deviation of its error.
    pub measured: f64,
    /// See `measured`.
    pub sd: f64,
    /// Mean of fresh runs with draws of the posterior, and the interval of 90 % of what would be measured in them.
    pub predicted: Option<[f64; 3]>,
}

/// Draws of the posterior that count alike, as standard normal numbers.
pub fn resampled(sample: &Sample, count: usize, seed: Seed) -> Vec<Vec<f64>> {
    sample.equal(count, unit(&mut seed.child("resampled", 0).rng()))
}

/// The questions of fresh runs with draws of the posterior; held-out cases run too.
pub fn draws(experiment: &Experiment, sample: &Sample) -> Vec<Question> {
    let set = experiment.replicas();
    let draws = resampled(sample, PREDICTED, Seed(experiment.search.seed).child("predicted", 0));
    let question = |(k, point): (u32, Vec<f64>)| Question {
        purpose: Purpose::Report,
        genome: genome(experiment, &point),
        replicas: k * set..(k + 1) * set,
    };
    (0..).zip(draws).map(question).collect()
}

/// The figures of what was asked and answered.
///
/// # Errors
/// If no evaluation agrees with what was measured.
pub fn summarize(experiment: &Experiment, design: Design, answered: &Answered) -> Result<Posterior, Error> {
    let Answered { inference, sample, searched, predicted } = answered;
    let failures = log::failures(searched.iter());
    let failed: u64 = failures.values().sum();
    let Some(sample) = sample else {
        let most = failures.iter().max_by_key(|(_, n)| **n).map_or("runs are beyond a limit", |(reason, _)| reason);
        return Err(Error::nothing(format!(
            "none of {} evaluations can be compared with what was measured, most often: {most}",
            searched.len()
        ))
        .help("everything is kept in the log; narrow the ranges, mend the limits, or take a smaller time_step_s"));
    };
    let (_, without) = inference.counts();
    let genes = experiment.space.len();
    Ok(Posterior {
        format: 1,
        crowdtune: env!("CARGO_PKG_VERSION").to_string(),
        name: experiment.name.clone(),
        title: experiment.title.clone(),
        model: experiment.walkers(),
        digest: experiment.digest.clone(),
        seed: experiment.search.seed,
        draft_step_s: experiment.draft_step_s(),
        design,
        evaluated: searched.len() as u64,
        failures,
        beyond: without as u64 - failed,
        draws: sample.effective,
        widened: sample.widened,
        doubt: inference.doubts().map(|doubts| doubts.0),
        surprise: inference.doubts().and_then(|doubts| doubts.1),
        settled: inference.is_settled(),
        genes: (0..genes).map(|gene| margin(experiment, sample, gene)).collect(),
        correlations: correlations(sample, genes),
        statistics: agreements(experiment, predicted),
        calibration: None,
    })
}

/// Values of a gene at the points of a sample, with their weights.
fn weighed(experiment: &Experiment, sample: &Sample, gene: usize) -> Vec<(f64, f64)> {
    let (axis, prior) = (&experiment.space.genes[gene].axis, experiment.priors[gene]);
    let value = |point: &Vec<f64>| axis.decode(prior.coordinate(axis, point[gene]));
    sample.points.iter().map(value).zip(sample.weights.iter().copied()).collect()
}

/// The value with a share of the weights below it; values in their order.
fn quantile(sorted: &[(f64, f64)], share: f64) -> f64 {
    let total: f64 = sorted.iter().map(|v| v.1).sum();
    let mut sum = 0.0;
    let at = sorted.iter().position(|v| {
        sum += v.1;
        sum >= share * total
    });
    at.or(sorted.len().checked_sub(1)).map_or(f64::NAN, |at| sorted[at].0)
}

/// Levels of the quantiles.
const LEVELS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

fn margin(experiment: &Experiment, sample: &Sample, at: usize) -> Margin {
    let axis = &experiment.space.genes[at].axis;
    let values = weighed(experiment, sample, at);
    let mean: f64 = values.iter().map(|(x, w)| w * x).sum();
    let variance: f64 = values.iter().map(|(x, w)| w * (x - mean) * (x - mean)).sum();
    let shares: Vec<f64> = match axis {
        Axis::Choice(words) => {
            let share = |word: &f64| values.iter().filter(|(x, _)| x == word).map(|(_, w)| w).sum();
            words.iter().map(share).collect()
        }
        _ => Vec::new(),
    };
    let mut sorted = values.clone();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let quantiles = LEVELS.map(|level| quantile(&sorted, level));
    let likeliest = (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b]).then(b.cmp(&a)));
    let center = match (axis, likeliest) {
        (Axis::Choice(words), Some(word)) => words[word],
        _ => quantiles[2],
    };
    let prior = experiment.priors[at];
    let at_share = |share: f64| axis.decode(prior.coordinate(axis, normal::quantile(share)));
    let before = LEVELS.map(at_share);
    let prior_values = (0..PRIOR).map(|k| at_share((k as f64 + 0.5) / PRIOR as f64));
    let prior_quantiles = prior_values.map(|x| {
        if let Axis::Choice(words) = axis { words.iter().position(|w| *w == x).unwrap_or(0) as f64 } else { x }
    });
    Margin {
        gene: gene(experiment, at, (experiment.defaults[at], center), axis.encode(center)),
        prior: words(prior),
        mean,
        sd: variance.sqrt(),
        quantiles,
        before,
        prior_quantiles: prior_quantiles.collect(),
        shares,
    }
}

fn words(prior: Prior) -> String {
    match prior {
        Prior::Uniform => "uniform".into(),
        Prior::Normal { mean, sd } => format!("normal, mean {mean}, standard deviation {sd}"),
        Prior::LogNormal { mean, sd } => format!("log-normal, mean of the logarithm {mean}, standard deviation {sd}"),
        Prior::Beta { a, b } => format!("beta, a {a}, b {b}"),
    }
}

fn correlations(sample: &Sample, genes: usize) -> Vec<Vec<f64>> {
    let matrix = sample.covariance();
    let covariance = |a: usize, b: usize| matrix[a * genes + b];
    let sds: Vec<f64> = (0..genes).map(|g| covariance(g, g).sqrt()).collect();
    let one = |a: usize, b: usize| if a == b { 1.0 } else { covariance(a, b) / (sds[a] * sds[b]) };
    (0..genes).map(|a| (0..genes).map(|b| Some(one(a, b)).filter(|r| r.is_finite()).unwrap_or(0.0)).collect()).collect()
}

/// What was measured beside the fresh runs, held-out cases too.
fn agreements(experiment: &Experiment, predicted: &[Trial]) -> Vec<Agreement> {
    let scores = Rescore::new(experiment);
    let seed = Seed(experiment.search.seed).child("predicted errors", 0);
    let mut errors = vec![0.0; predicted.len()];
    let mut all = Vec::new();
    let measured = Measurements::in_cases(experiment, true);
    for (number, statistic) in (0..).zip(&measured.statistics) {
        let (target, case) = (&experiment.columns[statistic.column], &experiment.cases[statistic.case]);
        let runs: Vec<f64> =
            predicted.iter().filter_map(|trial| scores.whole_value(trial, statistic.column, statistic.case)).collect();
        normals(&mut seed.child("statistic", number).rng(), &mut errors);
        let with_errors: Vec<f64> = runs.iter().zip(&errors).map(|(x, e)| x + statistic.observed.sd * e).collect();
        let predicted = (!runs.is_empty())
            .then(|| [stats::mean(&runs), stats::quantile(&with_errors, 0.05), stats::quantile(&with_errors, 0.95)]);
        all.push(Agreement {
            target: target.name.clone(),
            case: case.name.clone(),
            held_out: case.held_out,
            unit: target.unit().to_string(),
            measured: statistic.observed.value,
            sd: statistic.observed.sd,
            predicted,
        });
    }
    all
}

impl Margin {
    /// The share of the prior's interval of 90 % that is left; of a choice none.
    pub fn left(&self) -> Option<f64> {
        let width = |q: &[f64; 5]| {
            let place = |x: f64| if self.gene.log { libm::log(x) } else { x };
            place(q[4]) - place(q[0])
        };
        (self.shares.is_empty() && width(&self.before) > 0.0).then(|| width(&self.quantiles) / width(&self.before))
    }

    /// True if what was measured says hardly anything of it: the interval is as wide as before, and lies where it was.
    pub fn is_unchanged(&self) -> bool {
        let inside = (self.before[1]..=self.before[3]).contains(&self.quantiles[2]);
        self.left().is_some_and(|left| left > UNCHANGED) && inside
    }
}

impl Agreement {
    /// True if the measured value lies outside of what would be measured in 99 % of fresh runs, were they spread normally: of ten values one lies
    /// outside of 90 % by chance alone.
    pub fn is_missed(&self) -> bool {
        // Deviations of 99 and 90 % of a normal distribution.
        let far = 2.576 / 1.645;
        self.predicted.is_some_and(|[mean, low, high]| {
            let (low, high) = (mean + far * (low - mean), mean + far * (high - mean));
            !(low..=high).contains(&self.measured)
        })
    }
}

impl Posterior {
    /// Pairs of genes that go together, with their correlation, the strongest first.
    pub fn together(&self) -> Vec<(usize, usize, f64)> {
        let pairs = (0..self.genes.len()).flat_map(|a| (a + 1..self.genes.len()).map(move |b| (a, b)));
        let mut all: Vec<_> =
            pairs.map(|(a, b)| (a, b, self.correlations[a][b])).filter(|p| p.2.abs() >= TOGETHER).collect();
        all.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
        all
    }

    /// What was measured and lies outside of what runs with the posterior would give in 99 %.
    pub fn missed(&self) -> impl Iterator<Item = &Agreement> {
        self.statistics.iter().filter(|s| s.is_missed())
    }
}
