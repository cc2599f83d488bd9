//! Speeds for travel times where groups bring discomfort with them.

use super::World;
use super::field::FACES;
use super::moving::Terrain;
use super::scenario::{Ahead, Navigation};
use super::watch::Watch;
use crowdtune_core::math::Vec2;

/// Somebody who brings discomfort.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carrier {
    /// Number of the person.
    pub id: u32,
    /// Where, m.
    pub pos: Vec2,
    /// Velocity, m/s.
    pub vel: Vec2,
    /// What they bring.
    pub ahead: Ahead,
}

/// The speeds of steps through all faces as people of one group see them, with the discomfort that others bring. Made anew when it has
/// moved by a cell.
#[derive(Debug)]
pub(crate) struct Speeds {
    watch: Watch,
    /// By face, in the order of [`FACES`], and cell, m/s.
    pub of: [Vec<f64>; 4],
    /// Discomfort on the faces to the east and to the north, persons/m2.
    brought: [Vec<f64>; 2],
}

/// The faces to the east and north, and the same ones seen from behind.
const BOTH: [(usize, usize); 2] = [(1, 0), (3, 2)];

impl Speeds {
    /// Without anybody.
    pub fn new(terrain: &Terrain) -> Self {
        let none = || vec![0.0; terrain.speed[0].len()];
        Self { watch: Watch::default(), of: terrain.speed.clone(), brought: [none(), none()] }
    }

    /// Looks where the carriers are, in the order of rows; true if the speeds are other ones than before.
    pub fn look(&mut self, world: &World, carriers: impl Iterator<Item = Carrier> + Clone) -> bool {
        let (Some(terrain), Navigation::Field { discomfort_weight, .. }) = (world.terrain(), &world.plan.navigation)
        else {
            return false;
        };
        let (columns, rows) = terrain.shape();
        let cell = terrain.cell_m();
        // Both ends of what somebody brings: it turns and grows with the velocity.
        let ends = carriers.clone().flat_map(|c| [(c.id, c.pos), (c.id, c.pos + c.vel * c.ahead.ahead_s)]);
        if !self.watch.look(ends, cell) {
            return false;
        }
        self.brought.iter_mut().for_each(|faces| faces.fill(0.0));
        for Carrier { pos, vel, ahead, .. } in carriers {
            let end = pos + vel * ahead.ahead_s;
            // Faces lie half a cell from centers.
            let by = ahead.radius_m + cell;
            let columns_there = terrain.columns_between(pos.x.min(end.x) - by, pos.x.max(end.x) + by);
            for j in terrain.rows_between(pos.y.min(end.y) - by, pos.y.max(end.y) + by) {
                for i in columns_there.clone() {
                    let c = j * columns + i;
                    for (faces, (face, _)) in self.brought.iter_mut().zip(BOTH) {
                        if ahead.covers(terrain.center(c) + FACES[face] * (0.5 * cell) - pos, vel) {
                            faces[c] += ahead.people_per_m2;
                        }
                    }
                }
            }
        }
        for (own, known) in self.of.iter_mut().zip(&terrain.speed) {
            own.copy_from_slice(known);
        }
        for (faces, (face, back)) in self.brought.iter().zip(BOTH) {
            for c in (0..columns * rows).filter(|&c| faces[c] > 0.0) {
                let at = terrain.center(c) + FACES[face] * (0.5 * cell);
                let mut slow = |face: usize, c: usize| {
                    let share = world.plan.relief.as_ref().map_or(1.0, |relief| relief.share(at, FACES[face]));
                    let speed = &mut self.of[face][c];
                    // share / (1 + w (p + b)) from share / (1 + w p).
                    *speed = 1.0 / (1.0 / *speed + discomfort_weight * faces[c] / share);
                };
                slow(face, c);
                let beyond = if face == 1 {
                    (c % columns + 1 < columns).then_some(c + 1)
                } else {
                    (c + columns < columns * rows).then_some(c + columns)
                };
                if let Some(beyond) = beyond {
                    slow(back, beyond);
                }
            }
        }
        true
    }
}
