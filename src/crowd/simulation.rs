//! One run of a scenario: one thread, no allocation per step.

use super::people::Traits;
use super::steering::Steering;
use super::trajectory::Trajectory;
use super::{Crowd, health::Health};
use crate::math::rng::Seed;
use crate::world::scenario::Scenario;

/// What a run needs besides the model.
#[derive(Clone, Copy, Debug)]
pub struct RunSetup<'a> {
    /// Place, groups and limits.
    pub scenario: &'a Scenario,
    /// Traits of each group, in the order of the scenario.
    pub traits: &'a [Traits],
    /// Step, s.
    pub time_step_s: f64,
    /// Interval of samples, s.
    pub sample_every_s: f64,
    /// Overlap, as a share of the smaller radius, beyond which the run is unhealthy.
    pub max_overlap_share: f64,
    /// Seed of the run.
    pub seed: Seed,
}

/// Somebody who has left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exit {
    /// Who.
    pub id: u32,
    /// Group of the person.
    pub group: u16,
    /// Through which goal (index into the world's goals).
    pub goal: usize,
    /// When, s.
    pub time_s: f64,
    /// Where the centre was then.
    pub pos: crate::math::Vec2,
}

/// People placed and ready to walk; the model is made from them (largest radius, smallest mass).
#[derive(Debug)]
pub struct Simulation<'a> {
    setup: RunSetup<'a>,
    crowd: Crowd,
}

impl<'a> Simulation<'a> {
    /// Draws the traits and places everybody.
    ///
    /// # Errors
    /// If the people do not fit into their starting area.
    pub fn new(setup: RunSetup<'a>) -> Result<Self, crate::Error> {
        let _ = setup;
        unimplemented!("lead")
    }

    /// The people.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Runs to the end. `sample` is called at time 0 and every `sample_every_s`, and once at the end, with the time
    /// and who has left since the last call.
    ///
    /// # Errors
    /// Why the run cannot be trusted (an unhealthy run).
    pub fn run(
        &mut self,
        model: &mut dyn Steering,
        sample: &mut dyn FnMut(f64, &Crowd, &[Exit]),
        record: Option<&mut Trajectory>,
    ) -> Result<Health, String> {
        let _ = (model, sample, record, &self.setup);
        unimplemented!("lead")
    }
}
