//! A scenario from a plan and one group.

use crowdtune_sim::world::scenario::{FloorPlan, Group, Scenario};
use crowdtune_sim::world::{FieldCache, World};
use std::sync::Arc;

/// The plan with one group in it, until `limit_s`.
///
/// # Panics
/// If the plan is wrong.
pub fn scenario(plan: FloorPlan, group: Group, limit_s: f64) -> Scenario {
    let world = World::new(plan, &mut FieldCache::default()).expect("a plan of a test is right");
    Scenario {
        name: "test".into(),
        world: Arc::new(world),
        groups: vec![group],
        limit_s,
        give_up_s: None,
        tracks: None,
    }
}
