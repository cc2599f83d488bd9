//! Why a model deviates, where several experiments have the same reason; each was confirmed by looking at the runs.

/// Social force: nobody slows down behind others.
pub const THIRD_LAW: &str = "the published law pushes from behind as hard as from in front: in an even crowd that walks one way the \
                             pushes cancel, and nobody slows down or stops; other constants (anisotropy) or models are needed";

/// ORCA, and velocity obstacles: the same.
pub const RELATIVE: &str = "half planes and velocity obstacles know relative velocities only: people who walk alike do not slow \
                            down, however near they are";

/// Continuum, and the hybrid where it is crowded: the same up to 4 people per m2.
pub const OWN_FLOW: &str = "the flow that limits the speed is that of the people themselves: where all walk one way at 4 per m2 they \
                            have lost a sixth of their speed, and only from 5 on, where the minimum distance holds, they stand";

/// Velocity obstacles in a jam.
pub const FINITE_PENALTY: &str = "a velocity that collides costs a penalty and is not forbidden: where many press for a door bodies walk \
                                  into each other, so that more pass than there is room for";

/// Continuum and hybrid where two streams meet.
pub const ONE_POTENTIAL: &str = "all of a stream follow one potential, which leads round the cells of the other stream: lanes are more \
                                 complete than those of people";

/// Models without groups: nobody waits for a slow member.
pub const NO_GROUPS: &str =
    "the model knows no groups: each walks alone, and the slow one comes 30 m / 0.5 m/s after the start";
