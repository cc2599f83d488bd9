//! A tool that has another law than the models of this library: its parameters are searched until it does what a preset does.

use std::collections::BTreeMap;

/// Fitted parameters by their names in the experiment of the engine.
pub type Fitted = BTreeMap<String, f64>;
/// Name and text of a file.
pub type OwnFile = (&'static str, String);

/// What a fit needs to know of a tool.
#[derive(Debug)]
pub struct MakeFitted {
    /// What people call it.
    pub title: &'static str,
    /// Its folder under `engines/`: names and texts of the experiment with its parameters, the worker, and what installs the tool.
    pub files: &'static [(&'static str, &'static str)],
    /// The command that installs the tool, with `{folder}` for the folder of these files.
    pub install: &'static str,
    /// The fitted parameters in the tool's own terms.
    pub own: fn(&Fitted) -> Vec<OwnFile>,
}

impl MakeFitted {
    /// The experiment that comes with its engine; its command and its parameters are used.
    pub fn experiment(&self) -> &'static str {
        self.files.iter().find(|(name, _)| *name == EXPERIMENT).map_or("", |(_, text)| *text)
    }

    /// The files that go into an export.
    pub fn exported(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.files.iter().copied().filter(|(name, _)| *name != EXPERIMENT)
    }
}

const EXPERIMENT: &str = "experiment.toml";
