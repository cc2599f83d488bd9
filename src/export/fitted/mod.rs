//! Tools with a law of their own, whose parameters are searched until they do what a preset does; one file each.

mod detour;
mod godot;
mod jupedsim;
pub mod page;
mod pysocialforce;
mod sumo;
mod yuka;

pub use crate::preset::{Fitted, MakeFitted, OwnFile};

use crowdtune_core::registry::Entry;
use serde_json::Value;
use std::collections::BTreeMap;

/// All of them.
pub static FITTED: &[&Entry<MakeFitted>] =
    &[&detour::ENTRY, &godot::ENTRY, &jupedsim::ENTRY, &pysocialforce::ENTRY, &sumo::ENTRY, &yuka::ENTRY];

/// Engines that no place of this library can be handed to, and why.
pub static ELSEWHERE: &[(&str, &str)] = &[(
    "mesa",
    "the Mesa example is a room of its own, which takes no walls and writes no tracks; put a model of yours into \
         engines/mesa/worker.py and tune it by `crowdtune evolve`",
)];

/// A JSON file of tables: what a parameter is called there, by table, for each name here.
fn json(fitted: &Fitted, names: &[(&str, &str, &str)]) -> String {
    let mut tables: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
    for (ours, table, theirs) in names {
        if let Some(value) = fitted.get(*ours) {
            tables.entry(table).or_default().insert(theirs, *value);
        }
    }
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    pretty(&serde_json::json!(tables)) + "\n"
}

#[cfg(test)]
mod tests;
