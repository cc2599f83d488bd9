//! The walls that people see.

use super::obstacles::{Disc, Side};
use crate::world::Walls;
use crowdtune_core::math::Vec2;

/// Sides and ends of the walls that people see, person by person.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub sides: Vec<Side>,
    pub ends: Vec<Disc>,
}

impl Seen {
    /// Adds the walls within reach of a person at `p`.
    pub fn look(&mut self, walls: &Walls, p: Vec2, radius: f64, reach: f64, (horizon, dt): (f64, f64)) {
        walls.within(p, reach, &mut |wall| {
            self.sides.extend(Side::new(p, radius, wall, horizon));
            for end in [wall.a, wall.b] {
                let q = end - p;
                if q.length2() <= reach * reach {
                    // People too close to a wall must not get closer, but are not pushed out of it.
                    let least = radius.min(q.length());
                    self.ends.push(Disc::new(q, least, 1.0, (Vec2::ZERO, Vec2::ZERO), (horizon, dt)));
                }
            }
        });
    }
}
