//! What a run needs besides its model.

use crate::crowd::people::{Traits, published};
use crate::world::scenario::Scenario;
use crowdtune_core::math::rng::Seed;
use std::sync::Arc;

/// What a run needs besides its model. [`RunSetup::new`] fills in defaults.
#[derive(Clone, Debug)]
pub struct RunSetup {
    /// Place, groups and limits.
    pub scenario: Arc<Scenario>,
    /// Traits of each group, in the order of the scenario, from which [`Start::new`](super::Start::new) draws the
    /// people.
    pub traits: Vec<Traits>,
    /// Step, s.
    pub time_step_s: f64,
    /// Sample interval of [`Sim::run`](super::Sim::run), s.
    pub sample_every_s: f64,
    /// Overlap beyond which a run is unhealthy, as a share of the smaller radius.
    pub max_overlap_share: f64,
    /// Share of their time that people may walk backwards before the run is unhealthy ([`Health::backward_share`]).
    ///
    /// [`Health::backward_share`]: crate::crowd::Health::backward_share
    pub max_backward_share: f64,
    /// Seed of the run.
    pub seed: Seed,
}

impl RunSetup {
    /// Steps of `time_step_s` with defaults: published traits, samples every 0.1 s, overlaps up to the smaller radius,
    /// half of the time backwards, seed 1.
    pub fn new(scenario: impl Into<Arc<Scenario>>, time_step_s: f64) -> Self {
        let scenario = scenario.into();
        let traits = vec![published(); scenario.groups.len()];
        Self {
            scenario,
            traits,
            time_step_s,
            sample_every_s: 0.1,
            max_overlap_share: 1.0,
            max_backward_share: 0.5,
            seed: Seed(1),
        }
    }

    /// A time in steps, at least one.
    pub(super) fn steps(&self, time_s: f64) -> u64 {
        ((time_s / self.time_step_s).round() as u64).max(1)
    }
}
