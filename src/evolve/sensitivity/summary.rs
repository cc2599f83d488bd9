//! From the rows of a design to `sensitivity.json`.

use super::{Design, Method, seed};
use crate::evolve::experiment::Experiment;
use crate::evolve::genes::gene;
use crate::evolve::log;
use crate::evolve::scoring::Rescore;
use crate::evolve::summary::{Figure, GeneSummary};
use crowdtune_core::Error;
use crowdtune_core::math::stats;
use crowdtune_search::Trial;
use crowdtune_search::sensitivity::{Estimate, morris, saltelli};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// With a larger share of failed trials no figures are given. Chosen here: what is left would tell of the healthy half of
/// the space only.
const MOST_FAILED: f64 = 0.5;

/// What came out of a design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sensitivity {
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
    /// Seed of design and runs.
    pub seed: u64,
    /// The step, s, where it is longer than the model's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_step_s: Option<f64>,
    /// The method with its samples.
    #[serde(flatten)]
    pub design: Design,
    /// Trials of the design.
    pub evaluations: u64,
    /// Reasons of failed trials with their number.
    pub failures: BTreeMap<String, u64>,
    /// What was varied; `default` and `tuned` are both the published default.
    pub genes: Vec<GeneSummary>,
    /// Each objective, then each target and measure.
    pub outputs: Vec<OutputEffects>,
}

/// What the parameters do to one quantity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputEffects {
    /// Its name.
    pub name: String,
    /// `objective`, `target` or `measure`.
    pub kind: String,
    /// Metric; "" for an objective.
    pub metric: String,
    /// Unit, or "".
    pub unit: String,
    /// Mean over the design; `None` if no trial gave a value.
    pub mean: Option<f64>,
    /// Standard deviation over the design.
    pub sd: Option<f64>,
    /// Trials without a value.
    pub missing: u64,
    /// The effects.
    pub effects: Effects,
}

/// What a method gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effects {
    /// One per gene.
    Morris(Vec<MorrisEffect>),
    /// One per gene, and one per pair of genes.
    Sobol {
        /// One per gene.
        genes: Vec<SobolEffect>,
        /// Pairs in the order of the genes.
        pairs: Vec<PairEffect>,
    },
}

/// Elementary effects of a gene, in the unit of the quantity over the whole range of the gene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MorrisEffect {
    /// Dotted key.
    pub key: String,
    /// Mean of their sizes.
    pub mu_star: Figure,
    /// Their mean.
    pub mu: Figure,
    /// Their standard deviation.
    pub sigma: Figure,
    /// How many there are.
    pub effects: u64,
}

/// Shares of the variance of a gene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SobolEffect {
    /// Dotted key.
    pub key: String,
    /// Alone (first order).
    pub first: Figure,
    /// Alone and with all others (total).
    pub total: Figure,
}

/// The share of the variance of two genes together, beyond each alone (second order).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairEffect {
    /// Dotted keys.
    pub keys: (String, String),
    /// The share.
    pub second: Figure,
}

/// The figures of a whole design.
///
/// # Errors
/// If more than half of the trials failed.
pub fn summarize(experiment: &Experiment, design: Design, trials: &[Trial]) -> Result<Sensitivity, Error> {
    let failures = log::failures(trials.iter());
    let failed: u64 = failures.values().sum();
    if failed as f64 > MOST_FAILED * trials.len() as f64 {
        let most = failures.iter().max_by_key(|(_, n)| **n).map_or("", |(reason, _)| reason);
        return Err(Error::nothing(format!("{failed} of {} trials failed, most often: {most}", trials.len()))
            .allowed("at most half of them")
            .help("everything is kept in the log; narrow the ranges or take a smaller time_step_s"));
    }
    let space = &experiment.space;
    let of_gene = |i: usize| gene(experiment, i, (experiment.defaults[i], experiment.defaults[i]), 0.5);
    Ok(Sensitivity {
        format: 1,
        crowdtune: env!("CARGO_PKG_VERSION").to_string(),
        name: experiment.name.clone(),
        title: experiment.title.clone(),
        model: experiment.walkers(),
        digest: experiment.digest.clone(),
        seed: experiment.search.seed,
        draft_step_s: experiment.draft_step_s(),
        design,
        evaluations: trials.len() as u64,
        failures,
        genes: (0..space.len()).map(of_gene).collect(),
        outputs: outputs(experiment, design, trials),
    })
}

fn outputs(experiment: &Experiment, design: Design, trials: &[Trial]) -> Vec<OutputEffects> {
    let done = |t: &Trial| t.is_done();
    let mut out = Vec::new();
    for (at, name) in experiment.objectives.iter().enumerate() {
        let y = trials.iter().map(|t| t.objectives.get(at).copied().filter(|_| done(t)));
        out.push(output(experiment, design, [name, "objective", "", ""], y));
    }
    let rescore = Rescore::new(experiment);
    for (column, target) in experiment.columns.iter().enumerate() {
        let all = |t: &Trial| (0..t.question.replicas.len()).collect::<Vec<_>>();
        let value = |t: &Trial| rescore.column_value(t, column, &all(t)).filter(|_| done(t));
        let kind = if target.wanted.is_some() { "target" } else { "measure" };
        out.push(output(
            experiment,
            design,
            [&target.name, kind, target.metric.name, target.unit()],
            trials.iter().map(value),
        ));
    }
    out
}

fn output(
    experiment: &Experiment,
    design: Design,
    [name, kind, metric, unit]: [&str; 4],
    y: impl Iterator<Item = Option<f64>>,
) -> OutputEffects {
    let y: Vec<f64> = y.map(|v| v.unwrap_or(f64::NAN)).collect();
    let there: Vec<f64> = y.iter().copied().filter(|v| v.is_finite()).collect();
    let known = |x: f64| Some(x).filter(|_| !there.is_empty());
    OutputEffects {
        name: name.to_string(),
        kind: kind.to_string(),
        metric: metric.to_string(),
        unit: unit.to_string(),
        mean: known(stats::mean(&there)),
        sd: known(stats::sd(&there)),
        missing: (y.len() - there.len()) as u64,
        effects: effects(experiment, design, &y, name),
    }
}

fn effects(experiment: &Experiment, design: Design, y: &[f64], name: &str) -> Effects {
    let genes = &experiment.space.genes;
    let key = |g: usize| genes[g].key.clone();
    let seed = seed(experiment).child(name, 0);
    match design.method {
        Method::Morris => {
            let found = morris::effects(genes.len(), &design.morris(experiment), y, seed);
            let effect = |(g, e): (usize, morris::Effect)| MorrisEffect {
                key: key(g),
                mu_star: figure(e.mu_star),
                mu: figure(e.mu),
                sigma: figure(e.sigma),
                effects: e.effects as u64,
            };
            Effects::Morris(found.into_iter().enumerate().map(effect).collect())
        }
        Method::Sobol => {
            let found = saltelli::indices(genes.len(), y, seed);
            let both = found.first.iter().zip(&found.total).enumerate();
            let pairs = (0..genes.len()).flat_map(|a| (a + 1..genes.len()).map(move |b| (a, b))).zip(&found.second);
            Effects::Sobol {
                genes: both
                    .map(|(g, (&first, &total))| SobolEffect {
                        key: key(g),
                        first: figure(first),
                        total: figure(total),
                    })
                    .collect(),
                pairs: pairs
                    .map(|((a, b), &second)| PairEffect { keys: (key(a), key(b)), second: figure(second) })
                    .collect(),
            }
        }
    }
}

fn figure(e: Estimate) -> Figure {
    let known = |x: f64| Some(x).filter(|x| x.is_finite());
    Figure { value: known(e.value), low: known(e.low), high: known(e.high) }
}
