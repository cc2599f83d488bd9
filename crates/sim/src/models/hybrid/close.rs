//! Who is close to whom. Avoidance looks far, so the crowd's grid has wide cells; density, contact and minimum distance look at a few
//! people around only.

use crate::crowd::Crowd;
use crate::world::{Neighbors, Torus};

/// The people close to each other in one step. Buffers are reused.
#[derive(Debug, Default)]
pub(super) struct Close {
    grid: Neighbors,
    /// Slot of the crowd's grid by row.
    slot_of: Vec<u32>,
    /// By slot of the crowd's grid: where its part of `slots` ends.
    ends: Vec<u32>,
    slots: Vec<u32>,
    found: Vec<u32>,
}

impl Close {
    /// Finds everybody within `reach` of everybody, m; no farther than `near` reaches.
    pub(super) fn find(&mut self, (crowd, near): (&Crowd, &Neighbors), torus: Torus, reach: f64) {
        self.grid.build(reach, torus, &crowd.pos, &crowd.vel, &crowd.radius);
        self.slot_of.resize(near.len(), 0);
        for (slot, &row) in near.row[..near.len()].iter().enumerate() {
            self.slot_of[row as usize] = slot as u32;
        }
        self.ends.clear();
        self.slots.clear();
        for &at in &near.pos {
            self.found.clear();
            for other in self.grid.around(at).into_iter().flatten() {
                if self.grid.apart(at, self.grid.pos[other]).length2() <= reach * reach {
                    self.found.push(self.slot_of[self.grid.row[other] as usize]);
                }
            }
            // In the order in which the crowd's grid would show them, so that sums over them have the same bits.
            self.found.sort_unstable();
            for range in near.around(at) {
                let from = self.found.partition_point(|&slot| (slot as usize) < range.start);
                self.slots.extend(self.found[from..].iter().take_while(|&&slot| (slot as usize) < range.end));
            }
            self.ends.push(self.slots.len() as u32);
        }
    }

    /// A grid with cells of that reach, for a part of the model that looks no farther.
    pub(super) fn grid(&self) -> &Neighbors {
        &self.grid
    }

    /// Slots of the crowd's grid with everybody close to the one in a slot, that one included.
    pub(super) fn of(&self, slot: usize) -> &[u32] {
        let from = if slot > 0 { self.ends[slot - 1] } else { 0 };
        &self.slots[from as usize..self.ends[slot] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::rng::{Seed, unit};
    use crowdtune_core::math::vec2;

    #[test]
    fn the_close_ones_come_in_the_order_of_the_wide_grid() {
        let mut rng = Seed(4).rng();
        let pos: Vec<_> = (0..300).map(|_| vec2(20.0 * unit(&mut rng), 12.0 * unit(&mut rng))).collect();
        let crowd = Crowd { vel: vec![vec2(0.0, 0.0); 300], radius: vec![0.2; 300], ..Crowd::at(pos) };
        for torus in
            [Torus::default(), Torus { x: Some((0.0, 20.0)), y: None }, Torus { x: None, y: Some((0.0, 12.0)) }]
        {
            let (mut near, mut close) = (Neighbors::default(), Close::default());
            near.build(6.0, torus, &crowd.pos, &crowd.vel, &crowd.radius);
            close.find((&crowd, &near), torus, 1.5);
            for slot in 0..near.len() {
                let at = near.pos[slot];
                let within = |&other: &usize| near.apart(at, near.pos[other]).length() <= 1.5;
                let expected: Vec<u32> =
                    near.around(at).into_iter().flatten().filter(within).map(|s| s as u32).collect();
                assert_eq!(close.of(slot), expected, "{torus:?} {slot}");
                assert!(expected.contains(&(slot as u32)));
            }
        }
    }
}
