//! The scenarios that a file can name with `kind`; one file each.

pub mod bottleneck;
pub mod circle;
pub mod corner;
pub mod corridor;
pub mod crossing;
pub mod guard;
pub mod leader;
pub mod open_field;
mod parts;
pub mod room;
pub mod two_exits;
pub mod widening;

use super::scenario::{Group, Plan};
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Settings};

/// What a scenario builds: the place and the people in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// The place.
    pub plan: Plan,
    /// Who starts where and wants to go where.
    pub groups: Vec<Group>,
}

/// How a scenario is made, and its default limits.
#[derive(Debug)]
pub struct MakeScenario {
    /// Builds the place from checked settings (`count` is one of the params).
    pub make: fn(&Settings<'_>) -> Result<Built, Error>,
    /// Default `limit_s`.
    pub limit_s: f64,
    /// Default `give_up_s`.
    pub give_up_s: Option<f64>,
}

/// All scenarios with a `kind`; a table without `kind` describes walls and groups itself.
pub static SCENARIOS: &[&Entry<MakeScenario>] = &[
    &bottleneck::ENTRY,
    &room::ENTRY,
    &two_exits::ENTRY,
    &corridor::ENTRY,
    &crossing::ENTRY,
    &circle::ENTRY,
    &open_field::ENTRY,
    &corner::ENTRY,
    &widening::ENTRY,
    &guard::ENTRY,
    &leader::ENTRY,
];

#[cfg(test)]
#[path = "scenarios_tests.rs"]
mod tests;
