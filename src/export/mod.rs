//! Presets for other tools; one file each. Nothing here reads or writes a file: an exporter returns bytes.

mod csv;
mod dodgy_2d;
mod json;
mod jupedsim;
mod orca;
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
    &[&csv::ENTRY, &dodgy_2d::ENTRY, &json::ENTRY, &jupedsim::ENTRY, &pyrvo::ENTRY, &tracks::ENTRY];

/// A trait of people of a preset; `None` where it is none, or its value cannot be read.
fn distribution(key: &str, quantity: &Quantity) -> Option<Distribution> {
    let param = TRAITS.iter().find(|p| p.key == key)?;
    quantity.distribution(param, key).ok()
}
