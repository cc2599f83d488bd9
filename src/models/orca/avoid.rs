//! Whom everybody sees, what bounds they set, and the velocity that is left, eight neighbors or lines at a time.

use super::program::{self, Lines, Velocity};
use super::{Constants, Walker};
use crate::crowd::Crowd;
use crate::math::lanes::{Kernel, Lanes, WIDTH};
use crate::math::planes::Planes;
use crate::models::parting;
use crate::world::Neighbors;
use crate::world::tile::{RADIUS, Tile, X, Y};

/// Velocity columns of a tile.
const VX: usize = RADIUS + 1;
const VY: usize = RADIUS + 2;
/// Nearer than this two people are at the same place, m: single precision knows no direction there.
const SAME_PLACE_M: f32 = 1e-4;
/// A relative velocity so near to the middle of what is forbidden has no direction, (m/s)2.
const NO_WAY: f32 = 1e-14;

/// Finds the velocity of everybody, by slot.
pub(super) struct Avoid<'a> {
    pub near: &'a Neighbors,
    pub crowd: &'a Crowd,
    pub groups: &'a [Constants],
    /// Who walks, by slot.
    pub walkers: &'a [Walker],
    /// Bounds that walls set, of one slot after the other.
    pub hard: &'a [[f32; 4]],
    pub dt: f32,
    pub memory: &'a mut Memory,
    /// Square of the distance of the last of those seen, by row, m2; where fewer are near infinite.
    pub farthest2: &'a mut [f32],
    pub vel: &'a mut Vec<Velocity>,
}

/// Memory that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    tile: Tile,
    /// Squared distance, m2, and place in the tile of those who are near enough.
    found: Planes<2>,
    /// The same of how many of them are nearer.
    rank: Planes<1>,
    /// Places in the tile, the nearest first.
    order: Vec<u32>,
    /// Position and velocity seen from the own ones, sum of the radii, share of the avoidance.
    seen: Planes<6>,
    lines: Lines,
    spare: Lines,
}

impl Kernel for Avoid<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        if self.near.lanes.ring == (0.0, 0.0) { self.all::<L, false>() } else { self.all::<L, true>() }
    }
}

impl Avoid<'_> {
    #[inline(always)]
    fn all<L: Lanes, const RING: bool>(self) {
        let (near, memory) = (self.near, self.memory);
        self.vel.clear();
        let mut walls = 0;
        let mut cells = near.cells();
        while let Some((slots, ranges)) = cells.advance() {
            let mut own = 0;
            for range in &ranges {
                if range.contains(&slots.start) {
                    own += slots.start - range.start;
                    break;
                }
                own += range.len();
            }
            memory.tile.gather::<L, 5>(&near.lanes, ranges);
            memory.found.reserve(memory.tile.len() + WIDTH);
            memory.rank.reserve(memory.tile.len() + WIDTH);
            for slot in slots {
                let walker = &self.walkers[slot];
                let hard = &self.hard[walls..walls + walker.hard as usize];
                walls += hard.len();
                let mut v = (0.0, 0.0);
                if walker.most > 0.0 {
                    let group = &self.groups[walker.group as usize];
                    memory.see::<L, RING>(near, own, group, &mut self.farthest2[near.row[slot] as usize]);
                    v = Own { near, crowd: self.crowd, groups: self.groups, walker, slot, own, dt: self.dt }
                        .velocity::<L, RING>(memory, hard);
                }
                self.vel.push(v);
                own += 1;
            }
        }
    }
}

impl Memory {
    /// Fills `order` with the nearest of the tile but for the own place.
    #[inline(always)]
    fn see<L: Lanes, const RING: bool>(&mut self, near: &Neighbors, own: usize, c: &Constants, farthest2: &mut f32) {
        let most = c.most;
        // The farthest one of the last step, and a bit: whoever is nearer counts among the nearest unless too many are.
        let all = c.lanes.distance2;
        let mut reach2 = (*farthest2 * 1.2).min(all);
        let mut count = self.within::<L, RING>(near, own, reach2);
        if count < most && reach2 < all {
            reach2 = all;
            count = self.within::<L, RING>(near, own, reach2);
        }
        let kept = most.min(count);
        self.order.clear();
        self.order.resize(kept + 1, 0);
        *farthest2 = f32::INFINITY;
        if kept == 0 {
            self.order.clear();
            return;
        }
        // How many are nearer: no order is guessed wrong.
        let (found, mut rank) = (self.found.read(), self.rank.write());
        let mut block = 0;
        while block < count {
            let [mine] = found.load::<L, 1>(block);
            let (mut nearer, one) = (L::splat(0.0), L::splat(1.0));
            for other in 0..count {
                nearer = nearer.add(one.keep(L::splat(found.get(0, other)).below(mine)));
            }
            rank.put(block, [nearer]);
            block += WIDTH;
        }
        let mut taken = 0u128;
        for at in 0..count {
            let mut rank = self.rank.get(0, at) as usize;
            // Of those equally near the first in the tile.
            while rank < kept && taken >> rank & 1 == 1 {
                rank += 1;
            }
            let rank = rank.min(kept);
            taken |= 1 << rank;
            self.order[rank] = self.found.get(1, at) as u32;
            if rank + 1 == most {
                *farthest2 = self.found.get(0, at);
            }
        }
        self.order.truncate(kept);
    }

    /// Packs those nearer than a distance into `found`; gives how many.
    #[inline(always)]
    fn within<L: Lanes, const RING: bool>(&mut self, near: &Neighbors, own: usize, reach2: f32) -> usize {
        let planes = self.tile.planes();
        let (x, y) = (L::splat(planes.get(X, own)), L::splat(planes.get(Y, own)));
        let ring = (L::splat(near.lanes.ring.0), L::splat(near.lanes.ring.1));
        let (reach2, eight) = (L::splat(reach2), L::splat(WIDTH as f32));
        let mut places = L::of(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        let mut found = self.found.write();
        let (mut count, mut at) = (0, 0);
        while at < self.tile.len() {
            let [ox, oy] = planes.load::<L, 2>(at);
            let (mut dx, mut dy) = (ox.sub(x), oy.sub(y));
            if RING {
                (dx, dy) = (dx.shortest(ring.0), dy.shortest(ring.1));
            }
            let d2 = dx.mul(dx).add(dy.mul(dy));
            // As in the library, who is exactly so far away is not seen.
            let mut bits = d2.below(reach2).bits();
            if at == own & !(WIDTH - 1) {
                bits &= !(1 << (own - at));
            }
            found.put(count, [d2.pack(bits), places.pack(bits)]);
            count += bits.count_ones() as usize;
            places = places.add(eight);
            at += WIDTH;
        }
        count
    }
}

/// Somebody who looks for a velocity.
struct Own<'a> {
    near: &'a Neighbors,
    crowd: &'a Crowd,
    groups: &'a [Constants],
    walker: &'a Walker,
    slot: usize,
    /// The own place in the tile.
    own: usize,
    dt: f32,
}

impl Own<'_> {
    /// The velocity between the bounds of walls and of those in `order`.
    #[inline(always)]
    fn velocity<L: Lanes, const RING: bool>(&self, memory: &mut Memory, hard: &[[f32; 4]]) -> Velocity {
        let count = self.gather::<L>(memory);
        let lines = hard.len() + count;
        memory.lines.reserve(lines + WIDTH);
        for (at, line) in hard.iter().enumerate() {
            memory.lines.set(at, *line);
        }
        let mut at = 0;
        while at < count {
            let mut unclear = self.bounds::<L, RING>(memory, at, hard.len());
            if count - at < WIDTH {
                unclear &= (1 << (count - at)) - 1;
            }
            while unclear != 0 {
                let lane = at + unclear.trailing_zeros() as usize;
                unclear &= unclear - 1;
                self.part(memory, lane, hard.len());
            }
            at += WIDTH;
        }
        let (most, wish) = (self.walker.most, self.walker.wish);
        program::solve::<L>((&mut memory.lines, &mut memory.spare), (lines, hard.len()), most, wish)
    }

    /// Puts those in `order` whose avoidance is shared side by side; gives how many.
    #[inline(always)]
    fn gather<L: Lanes>(&self, memory: &mut Memory) -> usize {
        let Memory { tile, order, seen, .. } = memory;
        let planes = tile.planes();
        seen.reserve(order.len() + WIDTH);
        let mine = self.groups[self.walker.group as usize].responsibility;
        let mut count = 0;
        for at in 0..order.len() {
            let place = order[at] as usize;
            let mut share = 0.5;
            if self.groups.len() > 1 {
                let row = self.near.row[tile.slot(place)] as usize;
                let theirs = self.groups[self.crowd.group[row] as usize].responsibility;
                if mine + theirs > 0.0 {
                    share = (mine / (mine + theirs)) as f32;
                }
            }
            seen.set(
                count,
                [
                    planes.get(X, place),
                    planes.get(Y, place),
                    planes.get(VX, place),
                    planes.get(VY, place),
                    planes.get(RADIUS, place),
                    share,
                ],
            );
            if share > 0.0 {
                order[count] = place as u32;
                count += 1;
            }
        }
        count
    }

    /// Sets the bounds of the block of `seen` from `at` on, behind those of walls; gives the lanes of those who are in
    /// the middle of what they forbid.
    #[inline(always)]
    fn bounds<L: Lanes, const RING: bool>(&self, memory: &mut Memory, at: usize, hard: usize) -> u32 {
        let planes = memory.tile.planes();
        let (x, y) = (L::splat(planes.get(X, self.own)), L::splat(planes.get(Y, self.own)));
        let (vx, vy) = (L::splat(planes.get(VX, self.own)), L::splat(planes.get(VY, self.own)));
        let [ox, oy, ovx, ovy, radius, share] = memory.seen.load::<L, 6>(at);
        let (mut px, mut py) = (ox.sub(x), oy.sub(y));
        if RING {
            let ring = self.near.lanes.ring;
            (px, py) = (px.shortest(L::splat(ring.0)), py.shortest(L::splat(ring.1)));
        }
        let (rvx, rvy) = (vx.sub(ovx), vy.sub(ovy));
        let touch = L::splat(self.walker.radius).add(radius);
        let (d2, touch2) = (px.mul(px).add(py.mul(py)), touch.mul(touch));
        let inside = d2.at_most(touch2);
        let per = L::splat(1.0 / self.dt).or_else(inside, L::splat(self.walker.per_horizon));
        let (wx, wy) = (rvx.sub(px.mul(per)), rvy.sub(py.mul(per)));
        let (w2, along_p) = (wx.mul(wx).add(wy.mul(wy)), wx.mul(px).add(wy.mul(py)));
        let none = L::splat(0.0);
        // On the round end, or on one of the legs.
        let ahead = touch2.mul(w2).below(along_p.mul(along_p)).keep(along_p.below(none));
        let w = w2.sqrt();
        let per_w = L::splat(1.0).div(w);
        let (outx, outy) = (wx.mul(per_w), wy.mul(per_w));
        let out = touch.mul(per).sub(w);
        let leg = d2.sub(touch2).max(none).sqrt();
        let leg = leg.or_else(none.below(px.mul(wy).sub(py.mul(wx))), none.sub(leg));
        let per_d2 = L::splat(1.0).div(d2);
        let lx = leg.mul(px).sub(touch.mul(py)).mul(per_d2);
        let ly = leg.mul(py).add(touch.mul(px)).mul(per_d2);
        let on = rvx.mul(lx).add(rvy.mul(ly));
        let (cx, cy) = (lx.mul(on).sub(rvx), ly.mul(on).sub(rvy));
        let round = ahead.or_else(ahead, inside);
        let (ax, ay) = (outy.or_else(round, lx), none.sub(outx).or_else(round, ly));
        let (ux, uy) = (outx.mul(out).or_else(round, cx), outy.mul(out).or_else(round, cy));
        memory.lines.put(hard + at, [vx.add(ux.mul(share)), vy.add(uy.mul(share)), ax, ay]);
        w2.at_most(L::splat(NO_WAY)).bits()
    }

    /// The bound of somebody in the middle of what is forbidden: straight away, or by the ids at the same place.
    #[cold]
    #[inline(never)]
    fn part(&self, memory: &mut Memory, at: usize, hard: usize) {
        let place = memory.order[at] as usize;
        let planes = memory.tile.planes();
        let ring = self.near.lanes.ring;
        let px = around(planes.get(X, place) - planes.get(X, self.own), ring.0);
        let py = around(planes.get(Y, place) - planes.get(Y, self.own), ring.1);
        let (d, touch) = ((px * px + py * py).sqrt(), self.walker.radius + planes.get(RADIUS, place));
        let n = if d > SAME_PLACE_M {
            (-px / d, -py / d)
        } else {
            let id = |slot: usize| self.crowd.id[self.near.row[slot] as usize];
            let n = parting(id(self.slot), id(memory.tile.slot(place)));
            (n.x as f32, n.y as f32)
        };
        let per = if d <= touch { 1.0 / self.dt } else { self.walker.per_horizon };
        let [_, _, _, _, _, share] = std::array::from_fn(|column| memory.seen.get(column, at));
        let by = touch * per * share;
        let (vx, vy) = (planes.get(VX, self.own), planes.get(VY, self.own));
        memory.lines.set(hard + at, [vx + n.0 * by, vy + n.1 * by, n.1, -n.0]);
    }
}

/// A way along a ring, the other way round where that is shorter; as in the lanes.
fn around(way: f32, ring: f32) -> f32 {
    if ring > 0.0 && way > 0.5 * ring {
        way - ring
    } else if ring > 0.0 && way < -0.5 * ring {
        way + ring
    } else {
        way
    }
}

#[cfg(test)]
#[path = "avoid_tests.rs"]
mod tests;
