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
    /// Keys of the file that this crowd has otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<(String, String)>,
    /// What the name keeps when the slider moves.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub line: String,
}

/// A slider over a key of the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dial {
    /// Dotted key.
    pub key: String,
    /// In words.
    pub label: String,
    /// Unit, or "".
    pub unit: String,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Step.
    pub step: f64,
}

impl Side {
    /// From decoded genes.
    pub fn new(label: &str, experiment: &Experiment, genes: &[f64]) -> Self {
        let values = experiment.space.genes.iter().zip(genes).map(|(gene, &x)| exchange::value(experiment, gene, x));
        Self { label: label.into(), values: values.collect(), sets: Vec::new(), line: String::new() }
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
    #[serde(skip_serializing_if = "Option::is_none")]
    slider: Option<Dial>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Open {
    file: String,
    text: String,
    sets: Vec<(String, String)>,
    files: BTreeMap<String, String>,
}

impl Lab {
    /// With a slider in the place of those of the searched parameters.
    #[must_use]
    pub fn dialled(self, slider: Dial) -> Self {
        Self { slider: Some(slider), ..self }
    }

    /// With the text and the `--set` pairs as they were given in the place of the resolved text: what is written out for one model or
    /// optimizer does not fit another that the page may take.
    #[must_use]
    pub fn written(mut self, text: &str, sets: &[(String, String)]) -> Self {
        self.open.text = text.into();
        self.open.sets = sets.to_vec();
        self
    }

    /// The experiment with these crowds; `None` if a foreign simulator does it, or a file that it names is no text.
    pub fn new(experiment: &Experiment, case: usize, replica: u32, sides: Vec<Side>) -> Option<Self> {
        if experiment.engine.is_some() {
            return None;
        }
        let text = |(name, bytes): &(String, Vec<u8>)| Some((name.clone(), String::from_utf8(bytes.clone()).ok()?));
        let files = experiment.inputs.iter().map(text).collect::<Option<_>>()?;
        let (file, text) = (format!("{}.toml", experiment.name), experiment.resolved.clone());
        let open = Open { file, text, sets: Vec::new(), files };
        Some(Self { open, digest: experiment.digest.clone(), case, replica, sides, slider: None })
    }
}
