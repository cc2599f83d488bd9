//! What a worker keeps from run to run.

/// What a run tells its worker besides its values: nothing that a result depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scratch {
    /// Agent-steps of the last run; 0 before it, if it failed, and if the simulator does not say.
    pub agent_steps: u64,
}
