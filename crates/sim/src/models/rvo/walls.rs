//! Walls: what of them is seen.

use super::obstacles::{Disc, Side};
use crate::world::Walls;
use crowdtune_core::math::Vec2;

/// Sides and ends of the walls that somebody sees, of one person after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub sides: Vec<Side>,
    pub ends: Vec<Disc>,
}

impl Seen {
    /// Adds the walls within reach of somebody at `p`.
    pub fn look(&mut self, walls: &Walls, p: Vec2, radius: f64, reach: f64, (horizon, dt): (f64, f64)) {
        walls.within(p, reach, &mut |wall| {
            self.sides.extend(Side::new(p, radius, wall, horizon));
            for end in [wall.a, wall.b] {
                let q = end - p;
                if q.length2() <= reach * reach {
                    // Who stands too near may not come nearer; out of the wall leads no hurry.
                    let least = radius.min(q.length());
                    self.ends.push(Disc::new(q, least, 1.0, (Vec2::ZERO, Vec2::ZERO), (horizon, dt)));
                }
            }
        });
    }
}
