//! Kernel: everybody's neighbors, their ORCA lines, and the new velocity, eight neighbors or lines at a time.

use super::program::{self, Lines, Velocity};
use super::{Constants, Walker};
use crate::crowd::Crowd;
use crate::models::giving::Giving;
use crate::models::parting;
use crate::world::Neighbors;
use crate::world::tile::{RADIUS, Tile, X, Y};
use crowdtune_core::math::lanes::{Kernel, Lanes, WIDTH};
use crowdtune_core::math::planes::Planes;

/// Two people closer than this are at the same place, m: in single precision there is no direction between them.
const SAME_PLACE_M: f32 = 1e-4;
/// 2^23: added to a whole number, the sum's last bits are those of the number.
const WHOLE: f32 = 8_388_608.0;
/// Power of two above `MOST_SEEN`.
const ORDER: usize = 64;

/// Indices of the people seen, nearest first.
#[derive(Clone, Copy, Debug)]
struct Order([u32; ORDER]);

impl Default for Order {
    fn default() -> Self {
        Self([0; ORDER])
    }
}

/// Squared distance to the middle of the velocity obstacle below which there is no direction out, (m/s)2.
const NO_WAY: f32 = 1e-14;

/// Finds everybody's new velocity, by slot.
pub(super) struct Avoid<'a> {
    pub near: &'a Neighbors,
    pub crowd: &'a Crowd,
    pub groups: &'a [Constants],
    pub giving: Option<&'a Giving>,
    /// The people, by slot.
    pub walkers: &'a [Walker],
    /// Lines due to walls, slot by slot.
    pub hard: &'a [[f32; 3]],
    pub dt: f32,
    pub scratch: &'a mut AvoidScratch,
    /// Squared distance of the farthest neighbor seen, by row, m2; infinite if there is room for more.
    pub farthest2: &'a mut [f32],
    pub vel: &'a mut Vec<Velocity>,
}

/// Buffers of [`Avoid`], kept from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct AvoidScratch {
    tile: Tile,
    /// The numbers from 0 on as bits, and those of the tile, which are its slots.
    numbers: Planes<1>,
    count: usize,
    slots: Planes<1>,
    /// Squared distance, m2, and slot of the people in range.
    found: Planes<2>,
    /// For each, [`WHOLE`] plus the number of people nearer.
    rank: Planes<1>,
    /// Indices into `found`, nearest first.
    order: Order,
    /// Slots of the people to avoid, in that order.
    who: Order,
    /// Position, radius, velocity, and the person's own share of the avoidance.
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
        let (near, scratch) = (self.near, self.scratch);
        self.vel.clear();
        scratch.count_to(near.len());
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
            scratch.tile.gather::<L, 2>(&near.lanes, ranges);
            scratch.tile.gather_too::<L, 1>(&mut scratch.slots, &scratch.numbers);
            scratch.found.reserve(scratch.tile.len() + WIDTH);
            for slot in slots {
                let walker = &self.walkers[slot];
                let hard = &self.hard[walls..walls + walker.hard as usize];
                walls += hard.len();
                let mut v = (0.0, 0.0);
                if walker.most > 0.0 {
                    let group = &self.groups[walker.group as usize];
                    let last = &mut self.farthest2[near.row[slot] as usize];
                    let seen = scratch.see::<L, RING>(near, (slot, own), group, last);
                    v = Own {
                        near,
                        crowd: self.crowd,
                        groups: self.groups,
                        giving: self.giving,
                        walker,
                        slot,
                        dt: self.dt,
                    }
                    .velocity::<L, RING>(scratch, seen, hard);
                }
                self.vel.push(v);
                own += 1;
            }
        }
    }
}

impl AvoidScratch {
    /// Extends `numbers` to all slots.
    fn count_to(&mut self, slots: usize) {
        let from = self.count;
        if from < slots {
            self.numbers.reserve(slots + WIDTH);
            for slot in from..slots {
                self.numbers.set(slot, [f32::from_bits(slot as u32)]);
            }
            self.count = slots;
        }
    }

    /// Fills `order` with the nearest people other than the person, who is at `own` in the tile. Returns their number.
    #[inline(always)]
    fn see<L: Lanes, const RING: bool>(
        &mut self,
        near: &Neighbors,
        (slot, own): (usize, usize),
        c: &Constants,
        farthest2: &mut f32,
    ) -> usize {
        let most = c.most;
        let all = c.distance2;
        let cell = near.reach() as f32;
        let close = all.min(cell * cell);
        // A bit more than the farthest of the last step: if enough people are within it, they include the nearest.
        let guess = *farthest2 * 1.15;
        let second = *farthest2 * 1.6;
        let mut count = 0;
        if guess < close {
            count = self.within::<L, RING>(near, own, guess);
            if count < most && second < close {
                count = self.within::<L, RING>(near, own, second);
            }
        }
        if count < most && (guess < 2.0 * close || close == all) {
            count = self.within::<L, RING>(near, own, close);
        }
        if count < most && close < all {
            if second < all {
                count = self.beyond::<L>(near, slot, second);
            }
            if count < most {
                count = self.beyond::<L>(near, slot, all);
            }
        }
        let kept = most.min(count);
        *farthest2 = f32::INFINITY;
        if kept == 0 {
            return 0;
        }
        // Sorts by counting how many are nearer, without unpredictable branches.
        self.rank.reserve(count + WIDTH);
        let (found, mut rank) = (self.found.read(), self.rank.write());
        let ([mine], mut block) = (found.blocks(count.div_ceil(WIDTH)), 0);
        for mine in mine {
            let mine = L::of(mine);
            let (mut nearer, one) = (L::splat(WHOLE), L::splat(1.0));
            for &other in found.first(count) {
                nearer = nearer.add(one.keep(L::splat(other).below(mine)));
            }
            rank.put(block, [nearer]);
            block += WIDTH;
        }
        let mut taken = 0u64;
        let order = &mut self.order.0;
        // Backwards, so that of equally distant people the first in cell order wins.
        let ranks = self.rank.read();
        for (at, rank) in ranks.first(count).iter().enumerate().rev() {
            let rank = (rank.to_bits() as usize & 0x7f_ffff).min(kept);
            taken |= 1 << rank;
            order[rank & (ORDER - 1)] = at as u32;
        }
        if !taken & ((1 << kept) - 1) != 0 {
            self.order_ties(count, kept);
        }
        if kept == most {
            *farthest2 = self.found.get(0, self.order.0[kept - 1] as usize);
        }
        kept
    }

    /// The order if some people are equally distant: those by cell order.
    #[cold]
    #[inline(never)]
    fn order_ties(&mut self, count: usize, kept: usize) {
        let mut taken = 0u64;
        for at in 0..count {
            let mut rank = (self.rank.get(0, at).to_bits() as usize & 0x7f_ffff).min(kept);
            while rank < kept && taken >> rank & 1 == 1 {
                rank += 1;
            }
            taken |= 1 << rank;
            self.order.0[rank] = at as u32;
        }
    }

    /// Packs the people within a distance into `found`. Returns their number.
    #[inline(always)]
    fn within<L: Lanes, const RING: bool>(&mut self, near: &Neighbors, own: usize, reach2: f32) -> usize {
        let planes = self.tile.planes();
        let own_row = planes.row(own);
        let (x, y) = (L::splat(own_row[X]), L::splat(own_row[Y]));
        let ring = (L::splat(near.lanes.ring.0), L::splat(near.lanes.ring.1));
        let reach2 = L::splat(reach2);
        let blocks = self.tile.len().div_ceil(WIDTH);
        let ([xs, ys], [slots], mut found) =
            (planes.blocks(blocks), self.slots.read().blocks(blocks), self.found.write());
        let (mut count, mut at) = (0, 0);
        for ((ox, oy), slot) in xs.iter().zip(ys).zip(slots) {
            let (mut dx, mut dy) = (L::of(ox).sub(x), L::of(oy).sub(y));
            if RING {
                (dx, dy) = (dx.shortest(ring.0), dy.shortest(ring.1));
            }
            let d2 = dx.mul(dx).add(dy.mul(dy));
            // As in the library, somebody at exactly this distance is not seen.
            let mut bits = d2.below(reach2).bits();
            if at == own & !(WIDTH - 1) {
                bits &= !(1 << (own - at));
            }
            found.put(count, [d2.pack(bits), L::of(slot).pack(bits)]);
            count += bits.count_ones() as usize;
            at += WIDTH;
        }
        count
    }

    /// As `within`, beyond the tile.
    #[inline(always)]
    fn beyond<L: Lanes>(&mut self, near: &Neighbors, own: usize, reach2: f32) -> usize {
        let planes = near.lanes.planes.read();
        let own_row = planes.row(own);
        let (x, y) = (L::splat(own_row[X]), L::splat(own_row[Y]));
        let (columns, rows) = near.block(near.pos[own], f64::from(reach2).sqrt());
        let limit = L::splat(reach2);
        let mut count = 0;
        for row in rows {
            let range = near.of_row(row, &columns);
            self.found.reserve(count + range.len() + WIDTH);
            let (numbers, mut found) = (self.numbers.read(), self.found.write());
            let mut at = range.start;
            while at < range.end {
                let [ox, oy] = planes.load::<L, 2>(at);
                let (dx, dy) = (ox.sub(x), oy.sub(y));
                let d2 = dx.mul(dx).add(dy.mul(dy));
                let mut bits = d2.below(limit).bits();
                if range.end - at < WIDTH {
                    bits &= (1 << (range.end - at)) - 1;
                }
                if own >= at && own < at + WIDTH {
                    bits &= !(1 << (own - at));
                }
                let [slot] = numbers.load::<L, 1>(at);
                found.put(count, [d2.pack(bits), slot.pack(bits)]);
                count += bits.count_ones() as usize;
                at += WIDTH;
            }
        }
        count
    }
}

/// A person who looks for a velocity.
struct Own<'a> {
    near: &'a Neighbors,
    crowd: &'a Crowd,
    groups: &'a [Constants],
    giving: Option<&'a Giving>,
    walker: &'a Walker,
    slot: usize,
    dt: f32,
}

impl Own<'_> {
    /// The new velocity under the lines of walls and of the people in `order`.
    #[inline(always)]
    fn velocity<L: Lanes, const RING: bool>(
        &self,
        scratch: &mut AvoidScratch,
        seen: usize,
        hard: &[[f32; 3]],
    ) -> Velocity {
        let count = self.gather(scratch, seen);
        let lines = hard.len() + count;
        scratch.lines.reserve(lines + WIDTH);
        for (at, line) in hard.iter().enumerate() {
            scratch.lines.set(at, *line);
        }
        let mut at = 0;
        while at < count {
            let mut unclear = self.bounds::<L, RING>(scratch, at, hard.len());
            if count - at < WIDTH {
                unclear &= (1 << (count - at)) - 1;
            }
            while unclear != 0 {
                let lane = at + unclear.trailing_zeros() as usize;
                unclear &= unclear - 1;
                self.part(scratch, lane, hard.len());
            }
            at += WIDTH;
        }
        let (most, wish) = (self.walker.most, self.walker.wish);
        program::solve::<L>((&mut scratch.lines, &mut scratch.spare), (lines, hard.len()), most, wish)
    }

    /// Gathers the first `among` people in `order` whose avoidance is shared. Returns their number.
    #[inline(always)]
    fn gather(&self, scratch: &mut AvoidScratch, among: usize) -> usize {
        let AvoidScratch { found, order, who, seen, .. } = scratch;
        let (planes, found) = (self.near.lanes.planes.read(), found.read());
        seen.reserve(among + WIDTH);
        let mine = self.groups[self.walker.group as usize].responsibility;
        let mut count = 0;
        for &place in &order.0[..among] {
            let other = found.row(place as usize)[1].to_bits() as usize;
            let mut share = 0.5;
            if self.groups.len() > 1 {
                let row = self.near.row[other] as usize;
                let group = self.crowd.group[row];
                let theirs = self.groups[usize::from(group)].responsibility;
                if let Some(said) = self.giving.and_then(|giving| giving.share(self.walker.group, group)) {
                    share = said as f32;
                } else if mine + theirs > 0.0 {
                    share = (mine / (mine + theirs)) as f32;
                }
            }
            let [x, y, radius, vx, vy] = planes.row(other);
            seen.set(count, [x, y, radius, vx, vy, share]);
            who.0[count] = other as u32;
            if share > 0.0 {
                count += 1;
            }
        }
        count
    }

    /// Sets the lines of the block of `seen` at `at`, after those of walls. Returns the lanes in which the relative
    /// velocity is right in the middle of the velocity obstacle.
    #[inline(always)]
    fn bounds<L: Lanes, const RING: bool>(&self, scratch: &mut AvoidScratch, at: usize, hard: usize) -> u32 {
        let planes = self.near.lanes.planes.read();
        let [x, y, _, vx, vy] = planes.row(self.slot);
        let (x, y, vx, vy) = (L::splat(x), L::splat(y), L::splat(vx), L::splat(vy));
        let [ox, oy, radius, ovx, ovy, share] = scratch.seen.load::<L, 6>(at);
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
        // Nearest to the round end, or to one of the legs.
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
        let (x, y) = (vx.add(ux.mul(share)), vy.add(uy.mul(share)));
        scratch.lines.put(hard + at, [ax.mul(y).sub(ay.mul(x)), ax, ay]);
        w2.at_most(L::splat(NO_WAY)).bits()
    }

    /// The line for a relative velocity right in the middle of the velocity obstacle: straight apart, or by the ids at
    /// the same place.
    #[cold]
    #[inline(never)]
    fn part(&self, scratch: &mut AvoidScratch, at: usize, hard: usize) {
        let (own, other) = (self.slot, scratch.who.0[at] as usize);
        let planes = self.near.lanes.planes.read();
        let ring = self.near.lanes.ring;
        let ([x, y, _, vx, vy], there) = (planes.row(own), planes.row(other));
        let (px, py) = (around(there[X] - x, ring.0), around(there[Y] - y, ring.1));
        let (d, touch) = ((px * px + py * py).sqrt(), self.walker.radius + there[RADIUS]);
        let n = if d > SAME_PLACE_M {
            (-px / d, -py / d)
        } else {
            let id = |slot: usize| self.crowd.id[self.near.row[slot] as usize];
            let n = parting(id(own), id(other));
            (n.x as f32, n.y as f32)
        };
        let per = if d <= touch { 1.0 / self.dt } else { self.walker.per_horizon };
        let [.., share] = scratch.seen.read().row(at);
        let by = touch * per * share;
        let (x, y) = (vx + n.0 * by, vy + n.1 * by);
        scratch.lines.set(hard + at, [n.1 * y + n.0 * x, n.1, -n.0]);
    }
}

/// The shortest difference along a periodic axis, as in the lanes.
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
