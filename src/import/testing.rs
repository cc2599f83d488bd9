//! What tests of importers share.

use super::{ImportInput, Imported, MakeImporter, Role, Said};
use crate::evolve::experiment::{Experiment, no_files};
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// Layers by their names.
pub fn layers(all: &[(&str, Role)]) -> Vec<(String, Role)> {
    all.iter().map(|(name, role)| ((*name).to_owned(), *role)).collect()
}

/// A file read.
pub fn import(entry: &Entry<MakeImporter>, bytes: &[u8], said: &Said) -> Result<Imported, Error> {
    let models = Registry::builtin().models;
    (entry.make.import)(&ImportInput { bytes, file: "plan", said, models: &models })
}

/// The same as an experiment.
pub fn loaded(entry: &Entry<MakeImporter>, bytes: &[u8], said: &Said) -> Experiment {
    let text = import(entry, bytes, said).unwrap().text;
    Experiment::load(&Registry::builtin(), &text, "plan", &[], &mut no_files).unwrap()
}
