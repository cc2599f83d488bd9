//! Presets made from a run, read from a file, and applied to an experiment.

mod apply;
mod build;
mod genes;
mod read;

pub use crate::preset::{FORMAT, Interval, OfGroup, Preset, PresetTarget, Provenance, Quantities, Quantity};
pub use apply::apply;
pub use build::{Said, preset, preset_with};
pub use genes::genes_of;
