//! The built-in scenarios, which a file names with `kind`; one file each.

mod bottleneck;
mod circle;
mod corner;
mod corridor;
mod crossing;
mod guard;
mod leader;
mod narrow_gate;
mod open_field;
mod parts;
mod room;
mod two_exits;
mod wide_bottleneck;
mod widening;

use super::scenario::{FloorPlan, Group, Scenario};
use super::{FieldCache, World};
use crate::settings::{self, SettingValue};
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, List, Settings};
use std::sync::Arc;

/// What a scenario builds: the place and the people in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// The place.
    pub plan: FloorPlan,
    /// The groups: who starts where and wants to go where.
    pub groups: Vec<Group>,
}

/// How a scenario is made, and its default limits.
#[derive(Debug)]
pub struct MakeScenario {
    /// Builds the place from checked settings; `count` must be one of the params.
    pub make: fn(&Settings<'_>) -> Result<Built, Error>,
    /// Default `limit_s`.
    pub limit_s: f64,
    /// Default `give_up_s`.
    pub give_up_s: Option<f64>,
}

/// All scenarios with a `kind`; a table without `kind` describes walls and groups itself ([`super::custom`]).
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
    &wide_bottleneck::ENTRY,
    &narrow_gate::ENTRY,
];

impl Scenario {
    /// The built-in scenario of this kind, such as `room`, with its defaults except for those in `set`.
    ///
    /// # Errors
    /// A kind or key that is not registered, a value that its param does not accept; the message lists what is allowed.
    pub fn of_kind(kind: &str, set: &[(&str, &dyn SettingValue)]) -> Result<Self, Error> {
        let entry = List::new("scenario", SCENARIOS).get(kind).map_err(|e| e.key("kind"))?;
        let built = (entry.make.make)(&Settings::new(entry.params, &settings::values(entry.params, set)?))?;
        let make = &entry.make;
        Ok(Self { limit_s: make.limit_s, give_up_s: make.give_up_s, ..Self::new(kind, built.plan, built.groups)? })
    }

    /// A place with its people, without a time limit.
    ///
    /// # Errors
    /// What is wrong with the plan.
    pub fn new(name: &str, plan: FloorPlan, groups: Vec<Group>) -> Result<Self, Error> {
        let world = Arc::new(World::new(plan, &mut FieldCache::default())?);
        Ok(Self { name: name.into(), world, groups, limit_s: f64::INFINITY, give_up_s: None, tracks: None })
    }
}

#[cfg(test)]
#[path = "scenarios_tests.rs"]
mod tests;
