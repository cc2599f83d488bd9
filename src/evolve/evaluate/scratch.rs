//! What a worker keeps from run to run.

use crowdtune_sim::crowd::Steering;
use crowdtune_sim::crowd::simulation::Memory;

/// The memory of a worker's last run, reused by its next one, and how much work that run was. No result depends on it.
#[derive(Default)]
pub struct Scratch {
    /// Columns of the crowd and its grid.
    pub(super) memory: Memory,
    /// The last model.
    pub(super) model: Option<Box<dyn Steering>>,
    /// Agent-steps of the last run; 0 before it, if it failed, and if the simulator does not say.
    pub agent_steps: u64,
}

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scratch").field("agent_steps", &self.agent_steps).finish_non_exhaustive()
    }
}
