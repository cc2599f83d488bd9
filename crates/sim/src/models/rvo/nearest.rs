//! The people to avoid: the nearest ones in sight.

use super::constants::Constants;
use crate::crowd::Crowd;
use crate::world::Neighbors;
use crate::world::tile::{Tile, X, Y};
use crowdtune_core::math::Vec2;
use crowdtune_core::math::lanes::{Lanes, WIDTH};

/// Error of a distance in single precision, m, 16 km from the corner of the place.
const ROUNDING_M: f64 = 0.01;

/// A person in sight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    distance2: f64,
    id: u32,
    pub slot: u32,
    /// Vector to that person, m.
    pub way: Vec2,
}

/// The nearest people so far, by distance, then by id.
#[derive(Clone, Debug, Default)]
pub(super) struct Nearest {
    found: Vec<Found>,
}

impl Nearest {
    /// The people found last, nearest first.
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// Finds the nearest people of a tile that a person with this heading sees.
    #[inline(always)]
    pub fn find<L: Lanes>(
        &mut self,
        near: &Neighbors,
        tile: &Tile,
        slot: usize,
        crowd: &Crowd,
        (c, heading): (&Constants, Vec2),
    ) {
        self.found.clear();
        if c.most == 0 {
            return;
        }
        let columns = &near.lanes;
        let (own_x, own_y) = (L::splat(columns.planes.get(X, slot)), L::splat(columns.planes.get(Y, slot)));
        let (ring_x, ring_y) = (L::splat(columns.ring.0), L::splat(columns.ring.1));
        let [xs, ys] = tile.planes().blocks(tile.len().div_ceil(WIDTH));
        let mut limit = L::splat(squared(c.sees));
        for (block, (x, y)) in xs.iter().zip(ys).enumerate() {
            let dx = L::of(x).sub(own_x).shortest(ring_x);
            let dy = L::of(y).sub(own_y).shortest(ring_y);
            let mut bits = dx.mul(dx).add(dy.mul(dy)).at_most(limit).bits();
            let any = bits != 0;
            while bits != 0 {
                let other = tile.slot(block * WIDTH + bits.trailing_zeros() as usize);
                bits &= bits - 1;
                if other != slot {
                    self.meet(near, slot, other, crowd, (c, heading));
                }
            }
            if any && self.found.len() == c.most {
                limit = L::splat(squared(self.found[c.most - 1].distance2.sqrt()));
            }
        }
    }

    /// Adds a person who is in sight, and nearer than the farthest one if the list is full.
    fn meet(&mut self, near: &Neighbors, slot: usize, other: usize, crowd: &Crowd, (c, heading): (&Constants, Vec2)) {
        let way = near.apart(near.pos[slot], near.pos[other]);
        let distance2 = way.length2();
        let bodies = near.radius[slot] + near.radius[other];
        let seen = || way.dot(heading) >= c.view_cos * distance2.sqrt() || distance2 < bodies * bodies;
        if distance2 > c.sees * c.sees || !seen() {
            return;
        }
        let id = crowd.id[near.row[other] as usize];
        let mut place = self.found.len();
        while place > 0 {
            let before = &self.found[place - 1];
            if distance2 > before.distance2 || (distance2 == before.distance2 && id > before.id) {
                break;
            }
            place -= 1;
        }
        if place < c.most {
            self.found.truncate(c.most - 1);
            self.found.insert(place, Found { distance2, id, slot: other as u32, way });
        }
    }
}

/// The square of a distance plus its single-precision error.
fn squared(distance: f64) -> f32 {
    ((distance + ROUNDING_M) * (distance + ROUNDING_M)) as f32
}

#[cfg(test)]
#[path = "nearest_tests.rs"]
mod tests;
