//! The smooth part of the forces between people, eight neighbors at a time.

use super::Constants;
use crate::math::lanes::{Kernel, Lanes, WIDTH};
use crate::math::{Vec2, vec2};
use crate::world::Neighbors;

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
        let (near, felt) = (self.near, self.felt);
        felt.force.clear();
        felt.push.clear();
        felt.touching.clear();
        felt.end.clear();
        let columns = &near.lanes;
        let (zero, half, one) = (L::splat(0.0), L::splat(0.5), L::splat(1.0));
        let ring = (L::splat(columns.ring.0), L::splat(columns.ring.1));
        for slot in 0..near.len() {
            let row = near.row[slot] as usize;
            let c = &self.groups[self.group[row] as usize];
            let e = self.direction[row];
            let (ex, ey) = (L::splat(e.x as f32), L::splat(e.y as f32));
            let (x, y, r) = (L::splat(columns.x[slot]), L::splat(columns.y[slot]), L::splat(columns.radius[slot]));
            let (strength, per_range) = (L::splat(c.strength as f32), L::splat(c.per_range as f32));
            let feels = L::splat(c.feels as f32);
            let (seen, back) = (L::splat(c.anisotropy as f32), L::splat(0.5 * (1.0 - c.anisotropy) as f32));
            let (mut fx, mut fy, mut sum) = (zero, zero, zero);
            for range in near.around(near.pos[slot]) {
                let mut at = range.start;
                while at < range.end {
                    let (mut dx, mut dy) = (x.sub(L::load(&columns.x, at)), y.sub(L::load(&columns.y, at)));
                    if RING {
                        (dx, dy) = (shortest(dx, ring.0, half), shortest(dy, ring.1, half));
                    }
                    let d2 = dx.mul(dx).add(dy.mul(dy));
                    let touch = r.add(L::load(&columns.radius, at));
                    let reach = touch.add(feels);
                    let mut here = d2.at_most(reach.mul(reach));
                    if range.end - at < WIDTH {
                        here = here.keep(L::first(range.end - at));
                    }
                    if here.bits() != 0 {
                        let free = touch.mul(touch).at_most(d2).keep(here);
                        let mut inside = here.bits() & !free.bits();
                        while inside != 0 {
                            let other = at + inside.trailing_zeros() as usize;
                            inside &= inside - 1;
                            if other != slot {
                                felt.touching.push(other as u32);
                            }
                        }
                        let per_d = one.div(d2.sqrt());
                        let d = d2.mul(per_d);
                        let weight = seen.add(back.mul(one.sub(dx.mul(ex).add(dy.mul(ey)).mul(per_d))));
                        let push = strength.mul(touch.sub(d).mul(per_range).exp()).mul(weight).keep(free);
                        let over_d = push.mul(per_d).keep(free);
                        sum = sum.add(push);
                        fx = fx.add(dx.mul(over_d));
                        fy = fy.add(dy.mul(over_d));
                    }
                    at += WIDTH;
                }
            }
            felt.force.push(vec2(f64::from(fx.total()), f64::from(fy.total())));
            felt.push.push(f64::from(sum.total()));
            felt.end.push(felt.touching.len() as u32);
        }
    }
}

/// The way the other way round, where that is shorter; a ring of 0 m is an open axis.
#[inline(always)]
fn shortest<L: Lanes>(way: L, ring: L, half: L) -> L {
    let most = ring.mul(half);
    let least = L::splat(0.0).sub(most);
    way.sub(ring.keep(most.below(way))).add(ring.keep(way.below(least)))
}
