//! What a worker keeps from run to run.

/// What a run tells its worker besides its values: nothing that a result depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scratch {
    /// Agent-steps of the run; 0 before it, and after it if it failed or the simulator does not say.
    pub agent_steps: u64,
}
