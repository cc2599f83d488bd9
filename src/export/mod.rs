//! Presets for other tools; one file each. Nothing here reads or writes a file: an exporter returns bytes.

mod avoidance;
mod csv;
pub mod fitted;
mod json;
mod jupedsim;
pub mod origin;
mod place;
mod pyrvo;
#[cfg(test)]
mod testing;
mod tracks;

pub use crate::preset::{Export, ExportInput, History, MakeExporter, Placed, Walked};

use crate::preset::Quantity;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::people::{Distribution, TRAITS};

/// All exporters.
pub static EXPORTERS: &[&Entry<MakeExporter>] =
    &[&csv::ENTRY, &json::ENTRY, &jupedsim::ENTRY, &pyrvo::ENTRY, &tracks::ENTRY, &avoidance::UNITY, &avoidance::UNREAL];

/// A trait of people of a preset; `None` where it is none, or its value cannot be read.
fn distribution(key: &str, quantity: &Quantity) -> Option<Distribution> {
    let param = TRAITS.iter().find(|p| p.key == key)?;
    quantity.distribution(param, key).ok()
}
