//! Presets for other tools; one file each. Nothing here reads or writes a file: an exporter returns bytes.

mod avoidance;
mod csv;
mod dodgy_2d;
pub mod fitted;
mod floor;
mod godot_navigation;
mod json;
mod jupedsim;
mod landmass;
mod orca;
pub mod origin;
mod place;
mod pyrvo;
mod pysocialforce;
mod python;
mod runtime;
#[cfg(test)]
mod testing;
mod tracks;

pub use tracks::{area as walkable_area, wkt as place_wkt};

pub use crate::preset::{Export, ExportInput, History, MakeExporter, Placed, Walked};

use crate::preset::Quantity;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::people::{Distribution, TRAITS};

/// All exporters.
pub static EXPORTERS: &[&Entry<MakeExporter>] = &[
    &csv::ENTRY,
    &dodgy_2d::ENTRY,
    &runtime::godot::ENTRY,
    &godot_navigation::ENTRY,
    &runtime::js::ENTRY,
    &json::ENTRY,
    &jupedsim::ENTRY,
    &jupedsim::scenarios::ENTRY,
    &landmass::ENTRY,
    &pyrvo::ENTRY,
    &pysocialforce::ENTRY,
    &runtime::rust::ENTRY,
    &tracks::ENTRY,
    &runtime::unity::ENTRY,
    &avoidance::UNITY,
    &runtime::unreal::ENTRY,
    &avoidance::UNREAL,
];

/// A trait of people of a preset; `None` where it is none, or its value cannot be read.
fn distribution(key: &str, quantity: &Quantity) -> Option<Distribution> {
    let param = TRAITS.iter().find(|p| p.key == key)?;
    quantity.distribution(param, key).ok()
}

/// The mean of a trait that is drawn per person, before anything is clipped.
fn mean(drawn: Distribution) -> f64 {
    match drawn {
        Distribution::Fixed(x) => x,
        Distribution::Uniform { low, high } => 0.5 * (low + high),
        Distribution::Normal { mean, .. } => mean,
        Distribution::Skewed { family, numbers, .. } => family.mean(numbers),
    }
}
