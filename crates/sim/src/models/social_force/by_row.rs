//! What lies anywhere in memory, by row, and is asked for ahead.

use crate::crowd::Crowd;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::lanes;

/// What a step reads and writes of a person, by row.
#[derive(Clone, Copy)]
pub(super) struct ByRow<'a> {
    pub crowd: &'a Crowd,
    pub direction: &'a [Vec2],
    pub next_vel: &'a [Vec2],
    /// Whether walls are looked for.
    pub walled: bool,
}

impl ByRow<'_> {
    /// Asks memory for it. Not part of a loop, which small crowds run without it.
    #[inline(never)]
    pub fn ask_for(&self, row: usize) {
        let crowd = self.crowd;
        if self.walled {
            lanes::prefetch(&crowd.pos, row);
            lanes::prefetch(&crowd.radius, row);
        }
        lanes::prefetch(&crowd.vel, row);
        lanes::prefetch(&crowd.mass, row);
        lanes::prefetch(&crowd.desired_speed, row);
        lanes::prefetch(self.direction, row);
        lanes::prefetch(self.next_vel, row);
    }
}
