//! Which of several models a measurement speaks for.

use super::Measurements;
use crate::evolve::experiment::Experiment;
use crowdtune_core::Error;
use crowdtune_search::{Evidence, Inference};
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
}

/// Compares inferences from one measurement; each error is widened as far as the run that needs most.
///
/// # Errors
/// If they rest on different measurements, or none of them agrees with it.
pub fn odds(runs: &[(String, &Experiment, &Inference)]) -> Result<Odds, Error> {
    let mut errors: Vec<(String, f64, f64)> = Vec::new();
    for (at, (run, experiment, inference)) in runs.iter().enumerate() {
        let measured = Measurements::of(experiment)?;
        let named: Vec<(String, f64, f64, f64)> = measured
            .statistics
            .iter()
            .zip(inference.widening())
            .map(|(s, more)| {
                let name = format!("{} in {}", experiment.columns[s.column].name, experiment.cases[s.case].name);
                (name, s.observed.value, s.observed.sd, more)
            })
            .collect();
        if at == 0 {
            errors = named.iter().map(|(name, _, sd, more)| (name.clone(), *sd, *more)).collect();
        } else {
            let of_first = Measurements::of(runs[0].1)?.observed();
            let same = named.len() == errors.len()
                && named.iter().zip(&errors).zip(&of_first).all(|(((name, value, sd, _), first), observed)| {
                    *name == first.0 && (*value, *sd) == (observed.value, observed.sd)
                });
            if !same {
                return Err(Error::input(format!("it rests on another measurement than {}", runs[0].0))
                    .file(run.clone())
                    .help("compare posteriors whose files have the same scenarios and targets, with the same values and tolerances"));
            }
            for (all, own) in errors.iter_mut().zip(&named) {
                all.2 = all.2.max(own.3);
            }
        }
    }
    let widening: Vec<f64> = errors.iter().map(|e| e.2).collect();
    let evidence: Vec<Option<Evidence>> = runs.iter().map(|(_, _, inference)| inference.evidence(&widening)).collect();
    let Some(largest) = evidence.iter().flatten().map(|e| e.log).reduce(f64::max) else {
        return Err(Error::nothing("no run agrees with what was measured"));
    };
    let sum: f64 = evidence.iter().flatten().map(|e| libm::exp(e.log - largest)).sum();
    let models = runs.iter().zip(&evidence).map(|((run, experiment, _), evidence)| OfModel {
        run: run.clone(),
        model: experiment.walkers(),
        parameters: experiment.space.len() as u64,
        log_evidence: evidence.map(|e| e.log),
        error: evidence.map_or(0.0, |e| e.error),
        draws: evidence.map_or(0.0, |e| e.effective),
        probability: evidence.map_or(0.0, |e| libm::exp(e.log - largest) / sum),
    });
    Ok(Odds { format: 1, models: models.collect(), errors })
}
