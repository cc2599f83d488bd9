//! Which of several models a measurement speaks for.

use super::{Measurements, Statistic};
use crate::evolve::experiment::Experiment;
use crowdtune_core::Error;
use crowdtune_search::{Evidence, Inference, Observed};
use serde::{Deserialize, Serialize};

/// The odds between models, were they equal before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Odds {
    /// Format of this document: 1.
    pub format: u32,
    /// One for each run, in their order.
    pub models: Vec<OfModel>,
    /// What was measured, with its error and by how much that was widened for all of them alike, as standard deviations.
    pub errors: Vec<(String, f64, f64)>,
}

/// One model of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfModel {
    /// Its run.
    pub run: String,
    /// The model; of several each with its groups.
    pub model: String,
    /// Number of unknown parameters.
    pub parameters: u64,
    /// Natural logarithm of the density of what was measured, under the prior; `None` where nothing agrees.
    pub log_evidence: Option<f64>,
    /// Its standard error.
    pub error: f64,
    /// Effective number of draws that it rests on.
    pub draws: f64,
    /// Probability, were all models equal before.
    pub probability: f64,
    /// True if processes stand for runs: their own error is not in `error`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub emulated: bool,
}

/// Compares inferences from one measurement; each error is widened as far as the run that needs most.
///
/// # Errors
/// If they rest on different measurements, or none of them agrees with it.
pub fn odds(runs: &[(String, &Experiment, &Inference)]) -> Result<Odds, Error> {
    // Names, values and errors of what the first run rests on, and by how much the errors are widened so far.
    let mut all: Vec<(String, Observed, f64)> = Vec::new();
    for (at, (run, experiment, inference)) in runs.iter().enumerate() {
        let named = |(s, more): (&Statistic, f64)| {
            let name = format!("{} in {}", experiment.columns[s.column].name, experiment.cases[s.case].name);
            (name, s.observed, more)
        };
        let own: Vec<_> =
            Measurements::of(experiment)?.statistics.iter().zip(inference.widening()).map(named).collect();
        if at == 0 {
            all.clone_from(&own);
        }
        if !own.iter().map(|s| (&s.0, s.1)).eq(all.iter().map(|s| (&s.0, s.1))) {
            return Err(Error::input(format!("it rests on another measurement than {}", runs[0].0))
                .file(run.clone())
                .help("compare posteriors whose files have the same scenarios and targets, with the same values and tolerances"));
        }
        for (all, own) in all.iter_mut().zip(&own) {
            all.2 = all.2.max(own.2);
        }
    }
    let errors: Vec<(String, f64, f64)> =
        all.into_iter().map(|(name, observed, more)| (name, observed.sd, more)).collect();
    let widening: Vec<f64> = errors.iter().map(|e| e.2).collect();
    let evidence: Vec<Option<Evidence>> = runs.iter().map(|(_, _, inference)| inference.evidence(&widening)).collect();
    let Some(largest) = evidence.iter().flatten().map(|e| e.log).reduce(f64::max) else {
        return Err(Error::nothing("no run agrees with what was measured"));
    };
    let sum: f64 = evidence.iter().flatten().map(|e| libm::exp(e.log - largest)).sum();
    let models = runs.iter().zip(&evidence).map(|((run, experiment, inference), evidence)| OfModel {
        run: run.clone(),
        model: experiment.walkers(),
        parameters: experiment.space.len() as u64,
        log_evidence: evidence.map(|e| e.log),
        error: evidence.map_or(0.0, |e| e.error),
        draws: evidence.map_or(0.0, |e| e.effective),
        probability: evidence.map_or(0.0, |e| libm::exp(e.log - largest) / sum),
        emulated: inference.doubts().is_some(),
    });
    Ok(Odds { format: 1, models: models.collect(), errors })
}
