//! Whom people see, in blocks of eight.

use super::me::{Block, Me, NOT_SEEN_M, SIGHT_M};
use crate::crowd::View;
use crate::models::parting;
use crate::world::Neighbors;
use crate::world::scenario::Segment;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::lanes::{Lanes, WIDTH};
use crowdtune_core::math::planes::Planes;
use std::ops::Range;

/// People closer than this are at the same place, m: as in the other models.
const SAME_PLACE_M: f64 = 1e-9;
/// Everybody by slot, and a block behind the last one.
#[derive(Clone, Debug, Default)]
struct Everybody {
    /// Place and radius, m.
    x: Vec<f64>,
    y: Vec<f64>,
    radius: Vec<f64>,
    /// The bits of the number of each slot: lanes move bits and do not calculate with them.
    number: Planes<1>,
    numbered: usize,
    /// Periods, m; infinite for an open axis.
    ring: Vec2,
}

/// Whom the people of a cell see. Found for all of them before anybody looks at it: numbers that were just written one by one cannot be
/// read by eight yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    everybody: Everybody,
    /// Who looks: a slot, the blocks of whom it sees, and whether somebody among them is at the same place.
    pub people: Vec<(usize, Range<usize>, bool)>,
    slot: Planes<1>,
    x: Vec<f64>,
    y: Vec<f64>,
    bodies: Vec<f64>,
    distance: Vec<f64>,
    per_distance: Vec<f64>,
    /// Walls in sight.
    walls: Vec<Segment>,
}

impl Sight {
    /// Prepares for a step.
    pub fn begin(&mut self, view: &View<'_>) {
        let (near, all) = (view.near, &mut self.everybody);
        all.number.reserve(near.len() + 1);
        for slot in all.numbered..near.len() {
            all.number.set(slot, [f32::from_bits(slot as u32)]);
        }
        all.numbered = all.numbered.max(near.len());
        let fill = |column: &mut Vec<f64>, numbers: &mut dyn Iterator<Item = f64>| {
            column.clear();
            column.extend(numbers);
            column.extend([0.0; WIDTH]);
        };
        fill(&mut all.x, &mut near.pos.iter().map(|pos| pos.x));
        fill(&mut all.y, &mut near.pos.iter().map(|pos| pos.y));
        fill(&mut all.radius, &mut near.radius.iter().copied());
        all.ring = view.world.plan.periodic.size();
    }

    /// Forgets whom the last cell saw.
    pub fn clear(&mut self) {
        self.people.clear();
    }

    /// Finds whom somebody sees among these slots, in their order; walls aside.
    #[inline(always)]
    pub fn find<L: Lanes, const RING: bool>(&mut self, near: &Neighbors, own: usize, ranges: &[Range<usize>; 6]) {
        let c = L::Double::splat;
        let first = self.people.last().map_or(0, |(_, blocks, _)| blocks.end);
        let mut end = first * WIDTH;
        let most: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        self.make_room(end + most + 2 * WIDTH);
        // One length for all that is read and one for all that is written, so that a place is checked once.
        let all = &self.everybody;
        let (numbers, mut slots) = (all.number.read(), self.slot.write());
        let (from, room) = (all.x.len(), self.x.len());
        let (all_x, all_y, all_radius) = (&all.x[..from], &all.y[..from], &all.radius[..from]);
        let (to_x, to_y, to_bodies) = (&mut self.x[..room], &mut self.y[..room], &mut self.bodies[..room]);
        let (my_x, my_y, my_radius) = (c(near.pos[own].x), c(near.pos[own].y), c(near.radius[own]));
        let (ring_x, ring_y) = (c(all.ring.x), c(all.ring.y));
        let mut same_place = 0;
        for range in ranges {
            let mut at = range.start;
            while at < range.end {
                let (mut x, mut y) = (eight::<L>(all_x, at).sub(my_x), eight::<L>(all_y, at).sub(my_y));
                if RING {
                    (x, y) = (shortest(x, ring_x), shortest(y, ring_y));
                }
                let d2 = x.mul(x).add(y.mul(y));
                let mut seen = d2.at_most(c(SIGHT_M * SIGHT_M)) & first_bits(range.end - at);
                if let Some(me @ 0..WIDTH) = own.checked_sub(at) {
                    seen &= !(1 << me);
                }
                same_place |= d2.at_most(c(SAME_PLACE_M * SAME_PLACE_M)) & seen;
                x.pack(seen, from_mut(to_x, end));
                y.pack(seen, from_mut(to_y, end));
                eight::<L>(all_radius, at).add(my_radius).pack(seen, from_mut(to_bodies, end));
                let [number] = numbers.load::<L, 1>(at);
                slots.put(end, [number.pack(u32::from(seen))]);
                end += seen.count_ones() as usize;
                at += WIDTH;
            }
        }
        c(NOT_SEEN_M).put(from_mut(to_x, end));
        c(NOT_SEEN_M).put(from_mut(to_y, end));
        slots.put(end, [L::splat(f32::from_bits(near.len() as u32))]);
        self.people.push((own, first..end.div_ceil(WIDTH), same_place != 0));
    }

    /// Makes all columns so long.
    #[inline(always)]
    fn make_room(&mut self, len: usize) {
        self.slot.reserve(len);
        if self.x.len() < len {
            let Self { x, y, bodies, distance, per_distance, .. } = self;
            for column in [x, y, bodies, distance, per_distance] {
                column.resize(2 * len.next_multiple_of(WIDTH), 0.0);
            }
        }
    }

    /// The others whom one of [`Sight::people`] sees, and who are not behind a wall.
    #[inline(always)]
    pub fn of<L: Lanes>(&mut self, me: &Me<'_>, blocks: &Range<usize>, same_place: bool) -> Others<'_> {
        let Self { slot, x, y, bodies, distance, per_distance, walls, .. } = self;
        let lanes = blocks.start * WIDTH..blocks.end * WIDTH;
        let slot = slot.read().first(lanes.end)[lanes.start..].as_chunks::<WIDTH>().0;
        let x = x[lanes.clone()].as_chunks_mut::<WIDTH>().0;
        let y = y[lanes.clone()].as_chunks_mut::<WIDTH>().0;
        let distance = distance[lanes.clone()].as_chunks_mut::<WIDTH>().0;
        let per_distance = per_distance[lanes.clone()].as_chunks_mut::<WIDTH>().0;
        if same_place {
            part(me, slot, x, y);
        }
        super::hidden::hide::<L>(me, walls, x, y);
        for ((x, y), (distance, per_distance)) in x.iter().zip(&*y).zip(distance.iter_mut().zip(&mut *per_distance)) {
            let (x, y) = (L::Double::of(x), L::Double::of(y));
            let d2 = x.mul(x).add(y.mul(y));
            let per = d2.per_root();
            per.put(per_distance);
            d2.mul(per).put(distance);
        }
        Others { slot, x, y, distance, per_distance, bodies: bodies[lanes].as_chunks::<WIDTH>().0 }
    }
}

/// The bits of the first lanes.
#[inline(always)]
fn first_bits(lanes: usize) -> u8 {
    u8::MAX >> (WIDTH - lanes.min(WIDTH))
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

/// Ways along a ring of this length, m, the other way round where that is shorter; an infinite one is an open axis. As
/// [`Torus::apart`](crate::world::Torus::apart), bit for bit.
#[inline(always)]
fn shortest<D: Doubles>(way: D, ring: D) -> D {
    let half = ring.mul(D::splat(0.5));
    let (too_far, too_far_back) = (!way.at_most(half), !D::splat(0.0).sub(half).at_most(way));
    way.sub(ring).or_else(too_far, way.add(ring).or_else(too_far_back, way))
}

/// Moves those who are at the same place a little apart.
#[cold]
fn part(me: &Me<'_>, slot: &[[f32; WIDTH]], x: &mut [Block], y: &mut [Block]) {
    let id = |slot: u32| me.view.crowd.id[me.view.near.row[slot as usize] as usize];
    for ((slot, x), y) in slot.iter().zip(x).zip(y) {
        for ((other, x), y) in slot.iter().zip(x).zip(y) {
            if *x * *x + *y * *y < SAME_PLACE_M * SAME_PLACE_M {
                let way = parting(id(other.to_bits()), id(me.slot as u32)) * SAME_PLACE_M;
                (*x, *y) = (way.x, way.y);
            }
        }
    }
}

/// The others whom somebody sees, in the order of slots, in whole blocks: places for which there is nobody, or nobody who is seen, are
/// [`NOT_SEEN_M`] away.
#[derive(Clone, Copy, Debug)]
pub(in crate::models) struct Others<'a> {
    /// The bits of their slots; for nobody the number of slots.
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
        self.slot.len()
    }

    /// The slots of a block; for nobody the number of slots.
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
