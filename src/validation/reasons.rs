//! Limits of published models that several experiments blame; each is an excuse only where the line of [`super::together`]
//! shows it in the same experiment.

use super::Line;

/// Social force: nobody slows down behind others.
const THIRD_LAW: &str = "the published law pushes from behind as hard as from in front: in an even crowd that walks one way the \
                         pushes cancel, and nobody slows down";

/// ORCA and velocity obstacles: the same.
const RELATIVE: &str = "half planes and velocity obstacles know relative velocities only: people who walk alike do not slow down, \
                        however near they are";

/// Continuum, and the hybrid where it is crowded.
const OWN_FLOW: &str = "the flow that limits the speed is that of the people themselves: where all walk one way they hardly slow \
                        down";

/// Models without groups: nobody waits for a slow member.
pub const NO_GROUPS: &str = "nobody waits for others: each walks at the wished speed";

impl Line {
    /// With the limit that makes a model walk too fast in a dense crowd, as far as `cause` shows it.
    #[must_use]
    pub fn too_fast(self, cause: &Line) -> Self {
        self.deviates("social_force", THIRD_LAW, cause)
            .deviates("rvo", RELATIVE, cause)
            .deviates("orca", RELATIVE, cause)
            .deviates("continuum", OWN_FLOW, cause)
            .deviates("hybrid", OWN_FLOW, cause)
    }
}
