//! The draws of a posterior as values of its parameters.

use super::genome;
use crate::evolve::experiment::Experiment;
use crate::evolve::genes::shown;
use crowdtune_search::Sample;

/// Weighted draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Draws {
    /// Row of the log that each comes from; none where processes stand for runs.
    pub trials: Vec<u64>,
    /// Values by gene; of a choice its index.
    pub values: Vec<Vec<f64>>,
    /// Weights, which add up to 1.
    pub weights: Vec<f64>,
}

impl Draws {
    /// Those of a sample; `ids` are the rows of its simulations.
    pub fn of(experiment: &Experiment, sample: &Sample, ids: &[u64]) -> Self {
        let values = |point: &Vec<f64>| shown(experiment, &experiment.space.decode(&genome(experiment, point)));
        Self {
            trials: sample.from.iter().map(|&i| ids[i]).collect(),
            values: sample.points.iter().map(values).collect(),
            weights: sample.weights.clone(),
        }
    }

    /// A table with a head: the row of the log where draws come from one, the weight, the parameters.
    pub fn csv(&self, keys: &[String]) -> String {
        let head = if self.trials.is_empty() { "" } else { "trial," };
        let mut out = format!("{head}weight,{}\n", keys.join(","));
        for (at, (weight, values)) in self.weights.iter().zip(&self.values).enumerate() {
            let trial = self.trials.get(at).map_or_else(String::new, |trial| format!("{trial},"));
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            out += &format!("{trial}{weight},{}\n", values.join(","));
        }
        out
    }

    /// The same as one JSON object a line.
    pub fn json_lines(&self, keys: &[String]) -> String {
        let mut out = String::new();
        for (at, (weight, values)) in self.weights.iter().zip(&self.values).enumerate() {
            let values: serde_json::Map<_, _> = keys.iter().cloned().zip(values.iter().map(|&x| x.into())).collect();
            let mut line = serde_json::json!({ "weight": weight, "values": values });
            if let Some(trial) = self.trials.get(at) {
                line["trial"] = (*trial).into();
            }
            out += &format!("{line}\n");
        }
        out
    }
}
