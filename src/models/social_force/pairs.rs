//! The smooth part of the forces between people, eight neighbors at a time.

use super::Constants;
use crate::math::lanes::{Kernel, Lanes, WIDTH};
use crate::math::{Vec2, vec2};
use crate::world::Neighbors;
use crate::world::grid::Columns;

/// What acts on the people of one moment, by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Felt {
    /// Repulsion of those who are near but not in touch, N.
    pub force: Vec<Vec2>,
    /// Sum of its absolute values, N.
    pub push: Vec<f64>,
    /// Slots of those in touch, of one slot after the other.
    touching: Vec<u32>,
    /// Where those of each slot end in `touching`.
    end: Vec<u32>,
}

impl Felt {
    /// Those in touch with a slot, in the order of slots.
    pub fn touching(&self, slot: usize) -> &[u32] {
        let from = if slot == 0 { 0 } else { self.end[slot - 1] as usize };
        &self.touching[from..self.end[slot] as usize]
    }
}

/// Fills [`Felt`]: A exp((r_i + r_j - d) / B) w(phi) n for each pair that does not touch.
pub(super) struct Pairs<'a> {
    pub near: &'a Neighbors,
    pub groups: &'a [Constants],
    /// Group of each row.
    pub group: &'a [u16],
    /// Desired direction of each row.
    pub direction: &'a [Vec2],
    pub felt: &'a mut Felt,
}

impl Kernel for Pairs<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        if self.near.lanes.ring == (0.0, 0.0) { self.all::<L, false>() } else { self.all::<L, true>() }
    }
}

impl Pairs<'_> {
    #[inline(always)]
    fn all<L: Lanes, const RING: bool>(self) {
        let felt = self.felt;
        felt.force.clear();
        felt.push.clear();
        felt.touching.clear();
        felt.end.clear();
        for (slots, ranges) in self.near.cells() {
            for slot in slots {
                let row = self.near.row[slot] as usize;
                let own =
                    Own::<L>::new(&self.near.lanes, slot, &self.groups[self.group[row] as usize], self.direction[row]);
                let mut sum = (L::splat(0.0), L::splat(0.0), L::splat(0.0));
                for range in &ranges {
                    for at in range.clone().step_by(WIDTH) {
                        let count = (range.end - at).min(WIDTH);
                        own.meet::<RING>(&self.near.lanes, (slot, at, count), &mut sum, &mut felt.touching);
                    }
                }
                felt.force.push(vec2(f64::from(sum.0.total()), f64::from(sum.1.total())));
                felt.push.push(f64::from(sum.2.total()));
                felt.end.push(felt.touching.len() as u32);
            }
        }
    }
}

/// One person and the constants of the group, in all lanes.
struct Own<L> {
    x: L,
    y: L,
    radius: L,
    e: (L, L),
    strength: L,
    per_range: L,
    feels: L,
    /// lambda and (1 - lambda) / 2.
    seen: L,
    behind: L,
    ring: (L, L),
}

impl<L: Lanes> Own<L> {
    #[inline(always)]
    fn new(columns: &Columns, slot: usize, c: &Constants, e: Vec2) -> Self {
        let all = |x: f64| L::splat(x as f32);
        Self {
            x: L::splat(columns.x[slot]),
            y: L::splat(columns.y[slot]),
            radius: L::splat(columns.radius[slot]),
            e: (all(e.x), all(e.y)),
            strength: all(c.strength),
            per_range: all(c.per_range),
            feels: all(c.feels),
            seen: all(c.anisotropy),
            behind: all(0.5 * (1.0 - c.anisotropy)),
            ring: (L::splat(columns.ring.0), L::splat(columns.ring.1)),
        }
    }

    /// Adds the forces of the people in `count` slots from `at` on; the slots of those in touch go to `touching`.
    #[inline(always)]
    fn meet<const RING: bool>(
        &self,
        columns: &Columns,
        (slot, at, count): (usize, usize, usize),
        sum: &mut (L, L, L),
        touching: &mut Vec<u32>,
    ) {
        let (mut dx, mut dy) = (self.x.sub(L::load(&columns.x, at)), self.y.sub(L::load(&columns.y, at)));
        if RING {
            (dx, dy) = (dx.shortest(self.ring.0), dy.shortest(self.ring.1));
        }
        let d2 = dx.mul(dx).add(dy.mul(dy));
        let touch = self.radius.add(L::load(&columns.radius, at));
        let reach = touch.add(self.feels);
        let mut near = d2.at_most(reach.mul(reach));
        if count < WIDTH {
            near = near.keep(L::first(count));
        }
        let here = near.bits();
        if here == 0 {
            return;
        }
        let free = touch.mul(touch).at_most(d2).keep(near);
        let apart = free.bits();
        let mut inside = here & !apart;
        while inside != 0 {
            let other = at + inside.trailing_zeros() as usize;
            inside &= inside - 1;
            if other != slot {
                touching.push(other as u32);
            }
        }
        if apart == 0 {
            return;
        }
        let per_d = L::splat(1.0).div(d2.sqrt());
        let ahead = dx.mul(self.e.0).add(dy.mul(self.e.1)).mul(per_d);
        let weight = self.seen.add(self.behind.mul(L::splat(1.0).sub(ahead)));
        let overlap = touch.sub(d2.mul(per_d));
        let push = self.strength.mul(overlap.mul(self.per_range).exp()).mul(weight).keep(free);
        let over_d = push.mul(per_d).keep(free);
        sum.0 = sum.0.add(dx.mul(over_d));
        sum.1 = sum.1.add(dy.mul(over_d));
        sum.2 = sum.2.add(push);
    }
}

#[cfg(test)]
#[path = "pairs_tests.rs"]
mod tests;
