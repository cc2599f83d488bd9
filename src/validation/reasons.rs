//! Limits of published models that several experiments blame; each is an excuse only where the line of [`super::together`]
//! shows it in the same experiment.

use super::Line;

/// Social force: nobody slows down behind others.
const THIRD_LAW: &str = "the published law pushes from behind as hard as from in front: in an even crowd that walks one way the \
                         pushes cancel, and nobody slows down";

/// ORCA and velocity obstacles: the same.
const RELATIVE: &str = "half planes and velocity obstacles know relative velocities only: people who walk alike do not slow down, \
                        however near they are";

/// Models without groups: nobody waits for a slow member.
pub const NO_GROUPS: &str = "nobody waits for others: each walks at the wished speed";

impl Line {
    /// With the limit that makes a model walk too fast in a dense crowd, as far as `cause` shows it; as it is without one.
    #[must_use]
    pub fn too_fast(self, cause: Option<&Line>) -> Self {
        let Some(cause) = cause else { return self };
        self.deviates("social_force", THIRD_LAW, cause)
            .deviates("rvo", RELATIVE, cause)
            .deviates("orca", RELATIVE, cause)
    }
}
