//! A tuned set of constants that other tools can take, as `best.json` holds it, and the contract of what writes it for them.
//!
//! These are plain types: [`crate::evolve::preset`] makes, reads and applies presets, [`crate::export`] has the exporters.

mod exporter;
mod fitted;

pub use exporter::{Export, ExportInput, History, MakeExporter, Placed, Walked};
pub use fitted::{Fitted, MakeFitted, OwnFile};

use crate::figure::Figure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Format that this version reads and writes.
pub const FORMAT: u32 = 1;

/// A number, a word or a distribution, with its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    /// The value: a number, a word, true/false, or a distribution as in the experiment file.
    pub value: serde_json::Value,
    /// The unit, "" where it has none.
    pub unit: String,
    /// Of a searched number, the values that may hold the minimum of the loss. Left out where nothing was simulated to tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

/// The values of a searched number that may hold the minimum of the loss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// It reaches at least as far as `low`: the range ends there, or nothing was simulated beyond.
    pub low_open: bool,
    /// It reaches at least as far as `high`.
    pub high_open: bool,
    /// Probability that it holds the minimum; left out where the noise between replicas is not known, or what was
    /// simulated contradicts it: then the interval spans the simulated values within the noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<f64>,
    /// How it was made: `profile`, the number was held at values on both sides of its value while the others were searched anew.
    pub method: String,
}

/// Values by key.
pub type Quantities = BTreeMap<String, Quantity>;

/// What was wanted and what came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PresetTarget {
    /// Name in the experiment.
    pub name: String,
    /// Metric.
    pub metric: String,
    /// What is wanted, in words.
    pub wanted: String,
    /// The preset on seeds that the search did not see.
    pub value: Figure,
    /// Published defaults on the same seeds.
    pub baseline: Figure,
    /// Whether the target is met; `None` where it has no band or nothing was checked.
    pub met: Option<bool>,
}

/// Where a preset comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Digest of the experiment.
    pub digest: String,
    /// Seed of the search.
    pub seed: u64,
    /// Search trials done.
    pub evaluations: u64,
    /// Optimizer.
    pub optimizer: String,
    /// What ran the simulations, where it was not crowdtune's own simulator. Left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
}

/// What one group has instead of what all share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OfGroup {
    /// The model that steers it, where that is not the model of the preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Constants of its model.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: Quantities,
    /// Traits of people.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub people: Quantities,
}

/// `best.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preset {
    /// Format of this file, 1.
    pub format: u32,
    /// Version of crowdtune that made it.
    pub crowdtune: String,
    /// Short name.
    pub name: String,
    /// One sentence.
    #[serde(default)]
    pub description: String,
    /// Free words.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Model of the groups for which `groups` names no other.
    pub model: String,
    /// The constants of the model: what all groups share, and what was searched for all but those of `groups`.
    pub parameters: Quantities,
    /// By name, the other models that steer groups, with their constants as `parameters` has those of the model.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, Quantities>,
    /// Traits of people.
    #[serde(default)]
    pub people: Quantities,
    /// By name, the groups that differ from `parameters` and `people`: a leader, somebody who is guarded.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, OfGroup>,
    /// Dotted keys that have no value for everybody because groups or scenarios differ in them.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// Step the constants were tuned with, s.
    pub time_step_s: f64,
    /// How the model integrates.
    #[serde(default)]
    pub integrator: String,
    /// Signs and orders that other tools read differently.
    #[serde(default)]
    pub conventions: BTreeMap<String, String>,
    /// What was wanted and what came out.
    #[serde(default)]
    pub targets: Vec<PresetTarget>,
    /// Where it comes from.
    #[serde(default)]
    pub provenance: Provenance,
}

impl Preset {
    /// The preset of one evaluation among several, with its id at the end of the name.
    #[must_use]
    pub fn numbered(self, id: u64) -> Self {
        Self { name: format!("{}-{id}", self.name), ..self }
    }

    /// Its constants for one of its models.
    pub fn constants(&self, model: &str) -> Option<&Quantities> {
        if model == self.model { Some(&self.parameters) } else { self.models.get(model) }
    }

    /// Dotted keys that it gives for nobody, neither for all nor by group.
    pub fn unknown(&self) -> Vec<&str> {
        let by_group = |key: &str| {
            self.groups.values().any(|own| match key.split_once('.') {
                Some(("parameters", key)) => match (key.split_once('.'), &own.model) {
                    (Some((of, key)), Some(model)) => of == model && own.parameters.contains_key(key),
                    (None, None) => own.parameters.contains_key(key),
                    _ => false,
                },
                Some((_, key)) => own.people.contains_key(key),
                None => false,
            })
        };
        self.left_out.iter().map(String::as_str).filter(|key| !by_group(key)).collect()
    }
}
