//! Whom people see, in blocks of eight.

use super::me::{Block, Me, NOT_SEEN_M, SIGHT_M};
use crate::crowd::View;
use crate::models::parting;
use crate::world::scenario::Segment;
use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::lanes::{Lanes, Plain, WIDTH};
use crowdtune_core::math::planes::Planes;
use crowdtune_core::math::{Vec2, vec2};
use std::ops::Range;

/// People closer than this are at the same place, m: as in the other models.
const SAME_PLACE_M: f64 = 1e-9;
/// Numbers that begin with a line of the cache: no block of them lies in two, which a processor would read twice.
#[derive(Clone, Debug, Default)]
struct Column {
    numbers: Vec<f64>,
    from: usize,
}

/// Length of a line of the cache, bytes.
const LINE: usize = 64;

impl Column {
    /// Grows to so many numbers at least.
    #[inline(always)]
    fn reserve(&mut self, len: usize) {
        if self.numbers.len() < len + WIDTH {
            self.numbers.resize(2 * (len + WIDTH), 0.0);
            self.from = self.numbers.as_ptr().align_offset(LINE).min(WIDTH);
        }
    }

    #[inline(always)]
    fn read(&self) -> &[f64] {
        &self.numbers[self.from..]
    }

    #[inline(always)]
    fn write(&mut self) -> &mut [f64] {
        &mut self.numbers[self.from..]
    }

    /// Whole blocks.
    #[inline(always)]
    fn blocks(&self, blocks: Range<usize>) -> &[Block] {
        &self.read().as_chunks().0[blocks]
    }

    #[inline(always)]
    fn blocks_mut(&mut self, blocks: Range<usize>) -> &mut [Block] {
        &mut self.write().as_chunks_mut().0[blocks]
    }
}

/// People in double precision, and a block behind the last one.
#[derive(Clone, Debug, Default)]
struct People {
    /// Place and radius, m.
    x: Column,
    y: Column,
    radius: Column,
    /// The bits of the number of each slot: lanes move bits and do not calculate with them.
    slot: Planes<1>,
}

/// Somebody who looks around.
#[derive(Clone, Debug)]
pub(super) struct Looking {
    pub me: Me,
    /// The blocks of whom the person sees.
    blocks: Range<usize>,
}

/// Whom the people of a cell see. Found for all of them before anybody looks at it: numbers that were just written one by one cannot be
/// read by eight yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    /// Everybody, by slot.
    everybody: People,
    numbered: usize,
    /// Periods, m; infinite for an open axis.
    ring: Vec2,
    /// Everybody around the cell, in one piece, and where its own people begin there.
    around: People,
    around_len: usize,
    first_own: usize,
    /// Who looks.
    pub people: Vec<Looking>,
    /// Whether it is to be known who they see, and not only where.
    who: bool,
    slot: Planes<1>,
    x: Column,
    y: Column,
    bodies: Column,
    distance: Column,
    per_distance: Column,
    /// Walls in sight.
    walls: Vec<Segment>,
}

impl Sight {
    /// Prepares for a step, in which slots are asked for or not.
    pub fn begin(&mut self, view: &View<'_>, who: bool) {
        self.who = who;
        let (near, all) = (view.near, &mut self.everybody);
        all.slot.reserve(near.len() + 1);
        for slot in self.numbered..near.len() {
            all.slot.set(slot, [f32::from_bits(slot as u32)]);
        }
        self.numbered = self.numbered.max(near.len());
        let fill = |column: &mut Column, numbers: &mut dyn Iterator<Item = f64>| {
            column.reserve(near.len() + WIDTH);
            column.write().iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
        };
        fill(&mut all.x, &mut near.pos.iter().map(|pos| pos.x));
        fill(&mut all.y, &mut near.pos.iter().map(|pos| pos.y));
        fill(&mut all.radius, &mut near.radius.iter().copied());
        self.ring = view.world.plan.periodic.size();
    }

    /// Turns to the next cell: its own slots, and those around it.
    #[inline(always)]
    pub fn gather<L: Lanes, const RING: bool>(&mut self, own: &Range<usize>, ranges: &[Range<usize>; 6]) {
        self.people.clear();
        let most: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let People { x, y, radius, slot } = &mut self.around;
        slot.reserve(most + 1);
        for column in [&mut *x, &mut *y, &mut *radius] {
            column.reserve(most + WIDTH);
        }
        let all = &self.everybody;
        let (all_x, all_y, all_radius, all_slots) = (all.x.read(), all.y.read(), all.radius.read(), all.slot.read());
        let (x, y, radius, mut slot) = (x.write(), y.write(), radius.write(), slot.write());
        let (from_x, to_x) = bounds(&all_x[own.clone()]);
        let (from_y, to_y) = bounds(&all_y[own.clone()]);
        let mut end = 0;
        for range in ranges {
            let mut at = range.start;
            while at < range.end {
                let (their_x, their_y) = (eight::<L>(all_x, at), eight::<L>(all_y, at));
                let mut close = u8::MAX;
                if !RING {
                    // Who is out of sight of the box around the own people is out of sight of each of them, also when rounded.
                    let (x, y) = (beyond(their_x, from_x, to_x), beyond(their_y, from_y, to_y));
                    close = x.mul(x).add(y.mul(y)).at_most(L::Double::splat(SIGHT_M * SIGHT_M));
                }
                if range.end - at < WIDTH {
                    close &= below(range.end - at);
                }
                if (at..range.end.min(at + WIDTH)).contains(&own.start) {
                    self.first_own = end + (close & below(own.start - at)).count_ones() as usize;
                }
                their_x.pack(close, from_mut(x, end));
                their_y.pack(close, from_mut(y, end));
                eight::<L>(all_radius, at).pack(close, from_mut(radius, end));
                if self.who {
                    let [slots] = all_slots.load::<L, 1>(at);
                    slot.put(end, [slots.pack(u32::from(close))]);
                }
                end += close.count_ones() as usize;
                at += WIDTH;
            }
        }
        let nobody = L::Double::splat(NOT_SEEN_M);
        nobody.put(from_mut(x, end));
        nobody.put(from_mut(y, end));
        self.around_len = end;
        // Room for what each of the own people sees.
        let room = own.len() * (end + WIDTH) + WIDTH;
        self.slot.reserve(room);
        let Self { x, y, bodies, distance, per_distance, .. } = self;
        for column in [x, y, bodies, distance, per_distance] {
            column.reserve(room);
        }
    }

    /// Finds whom somebody of the cell sees, the `nth` of its slots, in the order of slots; who is behind a wall is put far away.
    #[inline(always)]
    pub fn find<L: Lanes, const RING: bool>(&mut self, view: &View<'_>, me: Me, nth: usize) {
        let c = L::Double::splat;
        let first = self.people.last().map_or(0, |last| last.blocks.end);
        let mut end = first * WIDTH;
        let blocks = 0..self.around_len.div_ceil(WIDTH);
        let from = blocks.end;
        let People { x: all_x, y: all_y, radius: all_radius, slot: all_slots } = &self.around;
        let (all_x, all_y, all_radius) =
            (all_x.blocks(blocks.clone()), all_y.blocks(blocks.clone()), all_radius.blocks(blocks));
        let [all_slots] = all_slots.read().blocks::<1>(from);
        let mut slots = self.slot.write();
        let (to_x, to_y, to_bodies) = (self.x.write(), self.y.write(), self.bodies.write());
        // One length for all that is written, so that a place is checked once.
        let room = to_x.len().min(to_y.len()).min(to_bodies.len());
        let (to_x, to_y, to_bodies) = (&mut to_x[..room], &mut to_y[..room], &mut to_bodies[..room]);
        let (my_x, my_y, my_radius) = (c(me.pos.x), c(me.pos.y), c(me.radius));
        let (ring_x, ring_y) = (c(self.ring.x), c(self.ring.y));
        let own = self.first_own + nth;
        for block in 0..from {
            let (mut x, mut y) = (L::Double::of(&all_x[block]).sub(my_x), L::Double::of(&all_y[block]).sub(my_y));
            if RING {
                (x, y) = (shortest(x, ring_x), shortest(y, ring_y));
            }
            let d2 = x.mul(x).add(y.mul(y));
            let mut seen = d2.at_most(c(SIGHT_M * SIGHT_M));
            if block == own / WIDTH {
                seen &= !(1 << (own % WIDTH));
            }
            x.pack(seen, from_mut(to_x, end));
            y.pack(seen, from_mut(to_y, end));
            L::Double::of(&all_radius[block]).add(my_radius).pack(seen, from_mut(to_bodies, end));
            if self.who {
                slots.put(end, [L::of(&all_slots[block]).pack(u32::from(seen))]);
            }
            end += seen.count_ones() as usize;
        }
        c(NOT_SEEN_M).put(from_mut(to_x, end));
        c(NOT_SEEN_M).put(from_mut(to_y, end));
        if self.who {
            slots.put(end, [L::splat(f32::from_bits(view.near.len() as u32))]);
        }
        let blocks = first..end.div_ceil(WIDTH);
        if !view.world.obstacles().is_empty() {
            let (x, y) = (self.x.blocks_mut(blocks.clone()), self.y.blocks_mut(blocks.clone()));
            super::hidden::hide::<L>(view, &me, &mut self.walls, x, y);
        }
        self.people.push(Looking { me, blocks });
    }

    /// Measures how far those are whom people see.
    #[inline(always)]
    pub fn measure<L: Lanes>(&mut self, view: &View<'_>) {
        if self.lengths::<L>() {
            self.part(view);
        }
    }

    /// Finds the lengths of all ways; whether somebody is at the same place as another.
    #[inline(always)]
    fn lengths<L: Lanes>(&mut self) -> bool {
        let end = self.people.last().map_or(0, |last| last.blocks.end);
        let (x, y) = (self.x.blocks(0..end), self.y.blocks(0..end));
        let (distance, per_distance) = (self.distance.blocks_mut(0..end), self.per_distance.blocks_mut(0..end));
        let mut same_place = 0;
        for ((x, y), (distance, per_distance)) in x.iter().zip(y).zip(distance.iter_mut().zip(per_distance)) {
            let (x, y) = (L::Double::of(x), L::Double::of(y));
            let d2 = x.mul(x).add(y.mul(y));
            same_place |= d2.at_most(L::Double::splat(SAME_PLACE_M * SAME_PLACE_M));
            let per = d2.per_root();
            per.put(per_distance);
            d2.mul(per).put(distance);
        }
        same_place != 0
    }

    /// Moves those who are at the same place a little apart.
    #[cold]
    fn part(&mut self, view: &View<'_>) {
        let near = view.near;
        let id = |slot: usize| view.crowd.id[near.row[slot] as usize];
        let same = |way: Vec2| way.length2() <= SAME_PLACE_M * SAME_PLACE_M;
        let (x, y) = (self.x.write(), self.y.write());
        for Looking { me, blocks } in &self.people {
            // Both in the order of slots.
            let around = near.around(me.pos).into_iter().flatten();
            let mut others = around.filter(|&slot| slot != me.slot && same(near.apart(me.pos, near.pos[slot])));
            for at in blocks.start * WIDTH..blocks.end * WIDTH {
                if same(vec2(x[at], y[at]))
                    && let Some(other) = others.next()
                {
                    let way = parting(id(other), id(me.slot)) * SAME_PLACE_M;
                    (x[at], y[at]) = (way.x, way.y);
                }
            }
        }
        self.lengths::<Plain>();
    }

    /// The others whom one of [`Sight::people`] sees, and who are not behind a wall.
    #[inline(always)]
    pub fn of(&self, looking: &Looking) -> Others<'_> {
        let blocks = looking.blocks.clone();
        let lanes = blocks.start * WIDTH..blocks.end * WIDTH;
        Others {
            slot: self.slot.read().first(lanes.end)[lanes.start..].as_chunks().0,
            x: self.x.blocks(blocks.clone()),
            y: self.y.blocks(blocks.clone()),
            distance: self.distance.blocks(blocks.clone()),
            per_distance: self.per_distance.blocks(blocks.clone()),
            bodies: self.bodies.blocks(blocks),
        }
    }
}

/// Eight numbers of a column.
#[inline(always)]
fn eight<L: Lanes>(column: &[f64], at: usize) -> L::Double {
    L::Double::of(column[at..].first_chunk().expect("a block is behind the last number"))
}

/// Room for eight numbers of a column.
#[inline(always)]
fn from_mut(column: &mut [f64], at: usize) -> &mut Block {
    column[at..].first_chunk_mut().expect("there is room for everybody around and a block more")
}

/// The bits of so many lanes, fewer than eight.
#[inline(always)]
fn below(lanes: usize) -> u8 {
    (1 << lanes) - 1
}

/// The least and the largest of some numbers.
#[inline(always)]
fn bounds(numbers: &[f64]) -> (f64, f64) {
    numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)))
}

/// How far numbers lie outside of a span.
#[inline(always)]
fn beyond<D: Doubles>(numbers: D, from: f64, to: f64) -> D {
    D::splat(from).sub(numbers).max(numbers.sub(D::splat(to))).max(D::splat(0.0))
}

/// Ways along a ring of this length, m, the other way round where that is shorter; an infinite one is an open axis. As
/// [`Torus::apart`](crate::world::Torus::apart), bit for bit.
#[inline(always)]
fn shortest<D: Doubles>(way: D, ring: D) -> D {
    let half = ring.mul(D::splat(0.5));
    let (too_far, too_far_back) = (!way.at_most(half), !D::splat(0.0).sub(half).at_most(way));
    way.sub(ring).or_else(too_far, way.add(ring).or_else(too_far_back, way))
}

/// The others whom somebody sees, in the order of slots, in whole blocks: places for which there is nobody, or nobody who is seen, are
/// [`NOT_SEEN_M`] away.
#[derive(Clone, Copy, Debug)]
pub(in crate::models) struct Others<'a> {
    /// The bits of their slots, if they are asked for; for nobody the number of slots.
    slot: &'a [[f32; WIDTH]],
    /// The way to them, m.
    x: &'a [Block],
    y: &'a [Block],
    /// Its length, m, one over it, and the sum of the radii, m.
    distance: &'a [Block],
    per_distance: &'a [Block],
    bodies: &'a [Block],
}

/// Eight others, in lanes.
#[derive(Clone, Copy, Debug)]
pub(in crate::models) struct Eight<D> {
    /// The way to them, m.
    pub x: D,
    pub y: D,
    /// Its length, m, one over it, and the sum of the radii, m.
    pub distance: D,
    pub per_distance: D,
    pub bodies: D,
    /// Which of them are somebody who is seen, bit by bit.
    pub seen: u8,
}

impl Others<'_> {
    /// Number of blocks.
    #[inline(always)]
    pub fn blocks(&self) -> usize {
        self.x.len()
    }

    /// The slots of a block, for who [`asks_who`](super::Turn::asks_who); for nobody the number of slots.
    #[inline(always)]
    pub fn slots(&self, block: usize) -> [u32; WIDTH] {
        self.slot[block].map(f32::to_bits)
    }

    /// A block of them.
    #[inline(always)]
    pub fn eight<D: Doubles>(&self, block: usize) -> Eight<D> {
        let distance = D::of(&self.distance[block]);
        Eight {
            x: D::of(&self.x[block]),
            y: D::of(&self.y[block]),
            distance,
            per_distance: D::of(&self.per_distance[block]),
            bodies: D::of(&self.bodies[block]),
            seen: distance.at_most(D::splat(2.0 * SIGHT_M)),
        }
    }

    /// The gap between the bodies to the first person in the strip ahead, so wide as this share of both, m; very long if it is free,
    /// negative for an overlap.
    #[inline(always)]
    pub(super) fn gap<L: Lanes>(&self, way: Vec2, width: f64) -> f64 {
        let c = L::Double::splat;
        let mut least = c(NOT_SEEN_M);
        for block in 0..self.blocks() {
            let Eight { x, y, distance, bodies, .. } = self.eight::<L::Double>(block);
            let ahead = c(way.x).mul(x).add(c(way.y).mul(y));
            let left = c(way.x).mul(y).sub(c(way.y).mul(x));
            let aside = left.max(c(0.0).sub(left));
            let counts = c(0.0).at_most(ahead) & aside.at_most(bodies.mul(c(width)));
            least = distance.sub(bodies).or_else(counts, least).min(least);
        }
        least.least()
    }
}
