//! What a page can simulate: an experiment as text, and the values to start with.

use crate::evolve::exchange;
use crate::evolve::experiment::Experiment;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// One of the crowds at the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// `defaults`, `tuned`, or the name of a preset.
    pub label: String,
    /// A value for each gene, as candidates have them.
    pub values: Vec<Value>,
}

impl Side {
    /// From decoded genes.
    pub fn new(label: &str, experiment: &Experiment, genes: &[f64]) -> Self {
        let values = experiment.space.genes.iter().zip(genes).map(|(gene, &x)| exchange::value(experiment, gene, x));
        Self { label: label.into(), values: values.collect() }
    }
}

/// An experiment for the simulator of the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lab {
    open: Open,
    /// What the results depend on: the simulator of another version reads the text otherwise.
    digest: String,
    /// Index of the scenario to begin with.
    case: usize,
    /// The fresh seed to begin with.
    replica: u32,
    sides: Vec<Side>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Open {
    file: String,
    text: String,
    files: BTreeMap<String, String>,
}

impl Lab {
    /// The experiment with these crowds; `None` if a foreign simulator does it, or a file that it names is no text.
    pub fn new(experiment: &Experiment, case: usize, replica: u32, sides: Vec<Side>) -> Option<Self> {
        if experiment.engine.is_some() {
            return None;
        }
        let text = |(name, bytes): &(String, Vec<u8>)| Some((name.clone(), String::from_utf8(bytes.clone()).ok()?));
        let files = experiment.inputs.iter().map(text).collect::<Option<_>>()?;
        let open = Open { file: format!("{}.toml", experiment.name), text: experiment.resolved.clone(), files };
        Some(Self { open, digest: experiment.digest.clone(), case, replica, sides })
    }
}
