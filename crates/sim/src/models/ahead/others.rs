//! Whom somebody sees: found in single precision, kept in double.

use super::{Me, SIGHT_M};
use crate::models::parting;
use crate::world::Neighbors;
use crate::world::scenario::Segment;
use crate::world::tile::{Tile, X, Y};
use crowdtune_core::math::Vec2;
use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::lanes::{Lanes, WIDTH};
use crowdtune_core::math::planes::Planes;
use std::ops::Range;

/// People closer than this are at the same place, m: as in the other models.
const SAME_PLACE_M: f64 = 1e-9;
/// Where somebody is put who is not seen, m: so far away that nothing is felt, and the square is no overflow in single precision.
pub(super) const NOT_SEEN_M: f64 = 1e12;

/// One number for each of eight others.
pub(in crate::models) type Block = [f64; WIDTH];

/// Everybody around the people of a cell, in single precision: who is clearly out of sight is left out here.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    tile: Tile,
    /// The bits of the number of each slot, by slot and by place of the tile: lanes move bits and do not calculate with them.
    number: Planes<1>,
    numbers: Planes<1>,
    numbered: usize,
    /// Those who may be seen by somebody.
    found: Planes<1>,
    /// The first slot of the cell, and its place in the tile.
    own: (usize, usize),
    /// Place, m, and radius of each slot, m, and last of nobody.
    bodies: Vec<[f64; 3]>,
    /// Square of a distance that is the sight and what rounding makes of it, m2.
    reach2: f32,
}

impl Search {
    /// Prepares for a step.
    pub fn begin(&mut self, near: &Neighbors) {
        self.number.reserve(near.len() + 1);
        for slot in self.numbered..near.len() {
            self.number.set(slot, [f32::from_bits(slot as u32)]);
        }
        self.numbered = self.numbered.max(near.len());
        self.bodies.clear();
        self.bodies.extend(near.pos.iter().zip(&near.radius).map(|(pos, &radius)| [pos.x, pos.y, radius]));
        self.bodies.push([NOT_SEEN_M, NOT_SEEN_M, 0.0]);
        // A position is rounded once, a difference and its square a few times more.
        let (columns, rows) = near.shape();
        let extent = (near.cell_size().x * columns as f64).max(near.cell_size().y * rows as f64);
        let reach = SIGHT_M * (1.0 + 8.0 * f64::from(f32::EPSILON)) + 2.0 * extent * f64::from(f32::EPSILON);
        self.reach2 = (reach * reach) as f32;
    }

    /// Takes the people of these slots, among them those of the cell from its first one on.
    #[inline(always)]
    pub fn gather<L: Lanes>(&mut self, near: &Neighbors, first: usize, ranges: [Range<usize>; 6]) {
        let mut before = 0;
        for range in &ranges {
            if range.contains(&first) {
                self.own = (first, before + first - range.start);
            }
            before += range.len();
        }
        self.tile.gather::<L, 2>(&near.lanes, ranges);
        self.tile.gather_too::<L, 1>(&mut self.numbers, &self.number);
        self.found.reserve(before + 2 * WIDTH);
    }

    /// Finds who may be in sight of a slot, its own person aside, and says how many; the block is filled up with nobody.
    #[inline(always)]
    fn look<L: Lanes, const RING: bool>(&mut self, near: &Neighbors, slot: usize) -> usize {
        let columns = &near.lanes;
        let (x, y) = (L::splat(columns.planes.get(X, slot)), L::splat(columns.planes.get(Y, slot)));
        let (ring_x, ring_y) = (L::splat(columns.ring.0), L::splat(columns.ring.1));
        let reach2 = L::splat(self.reach2);
        let own = self.own.1 + slot - self.own.0;
        let (places, numbers, mut found) = (self.tile.planes(), self.numbers.read(), self.found.write());
        let mut end = 0;
        for block in 0..self.tile.len().div_ceil(WIDTH) {
            let [other_x, other_y] = places.load::<L, 2>(block * WIDTH);
            let (mut dx, mut dy) = (other_x.sub(x), other_y.sub(y));
            if RING {
                (dx, dy) = (dx.shortest(ring_x), dy.shortest(ring_y));
            }
            let near = dx.mul(dx).add(dy.mul(dy)).at_most(reach2).bits();
            let bits = if block == own / WIDTH { near & !(1 << (own % WIDTH)) } else { near };
            let [number] = numbers.load::<L, 1>(block * WIDTH);
            found.put(end, [number.pack(bits)]);
            end += bits.count_ones() as usize;
        }
        found.put(end, [L::splat(f32::from_bits(near.len() as u32))]);
        end
    }
}

/// The others whom somebody sees, in the order of slots, in whole blocks: places for which there is nobody, or nobody who is seen, are
/// [`NOT_SEEN_M`] away.
#[derive(Clone, Debug, Default)]
pub(in crate::models) struct Others {
    /// Their slots; for nobody the number of slots.
    pub slot: Vec<[u32; WIDTH]>,
    /// The way to them, m.
    pub(super) x: Vec<Block>,
    pub(super) y: Vec<Block>,
    /// Its length, m, one over it, and the sum of the radii, m.
    distance: Vec<Block>,
    per_distance: Vec<Block>,
    bodies: Vec<Block>,
    /// Walls in sight.
    pub(super) walls: Vec<Segment>,
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

impl Others {
    /// Finds the others near enough to be seen and not behind a wall.
    #[inline(always)]
    pub(super) fn find<L: Lanes, const RING: bool>(&mut self, me: &Me<'_>, search: &mut Search) {
        let c = L::Double::splat;
        let near = me.view.near;
        let blocks = search.look::<L, RING>(near, me.slot).div_ceil(WIDTH);
        self.make_room(blocks);
        let found = search.found.read().first(blocks * WIDTH).as_chunks::<WIDTH>().0;
        let bodies = &search.bodies[..];
        let Self { slot, x, y, bodies: radius, .. } = &mut *self;
        // Alone, as numbers that were just written one by one cannot be read by eight yet.
        let columns = slot.iter_mut().zip(&mut *x).zip(&mut *y).zip(&mut *radius);
        for ((((slot, x), y), radius), found) in columns.zip(found) {
            for at in 0..WIDTH {
                slot[at] = found[at].to_bits();
                [x[at], y[at], radius[at]] = bodies[slot[at] as usize];
                if RING && slot[at] as usize != near.len() {
                    let way = near.apart(me.pos, Vec2 { x: x[at], y: y[at] });
                    (x[at], y[at]) = (way.x, way.y);
                }
            }
        }
        let from = if RING { Vec2::ZERO } else { me.pos };
        let mut same_place = 0;
        for ((x, y), radius) in x.iter_mut().zip(&mut *y).zip(radius) {
            let (to_x, to_y) = (L::Double::of(x).sub(c(from.x)), L::Double::of(y).sub(c(from.y)));
            let d2 = to_x.mul(to_x).add(to_y.mul(to_y));
            let seen = d2.at_most(c(SIGHT_M * SIGHT_M));
            to_x.or_else(seen, c(NOT_SEEN_M)).put(x);
            to_y.or_else(seen, c(NOT_SEEN_M)).put(y);
            L::Double::of(radius).add(c(me.radius)).put(radius);
            same_place |= d2.at_most(c(SAME_PLACE_M * SAME_PLACE_M));
        }
        if same_place != 0 {
            self.part(me);
        }
        self.hide::<L>(me);
        let lengths = self.distance.iter_mut().zip(&mut self.per_distance);
        for ((x, y), (distance, per_distance)) in self.x.iter().zip(&self.y).zip(lengths) {
            let (x, y) = (L::Double::of(x), L::Double::of(y));
            let d2 = x.mul(x).add(y.mul(y));
            let per = d2.per_root();
            per.put(per_distance);
            d2.mul(per).put(distance);
        }
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

    /// Makes all columns so long.
    #[inline(always)]
    fn make_room(&mut self, blocks: usize) {
        self.slot.resize(blocks, [0; WIDTH]);
        let Self { x, y, distance, per_distance, bodies, .. } = self;
        for column in [x, y, distance, per_distance, bodies] {
            column.resize(blocks, [0.0; WIDTH]);
        }
    }

    /// Moves those who are at the same place a little apart.
    #[cold]
    fn part(&mut self, me: &Me<'_>) {
        let id = |slot: u32| me.view.crowd.id[me.view.near.row[slot as usize] as usize];
        for ((slot, x), y) in self.slot.iter().zip(&mut self.x).zip(&mut self.y) {
            for ((&other, x), y) in slot.iter().zip(x).zip(y) {
                if *x * *x + *y * *y < SAME_PLACE_M * SAME_PLACE_M {
                    let way = parting(id(other), id(me.slot as u32)) * SAME_PLACE_M;
                    (*x, *y) = (way.x, way.y);
                }
            }
        }
    }

    /// The gap between the bodies to the first person in the strip ahead, as wide as both, m; very long if it is free, negative for an overlap.
    #[inline(always)]
    pub(super) fn gap<L: Lanes>(&self, way: Vec2) -> f64 {
        let c = L::Double::splat;
        let mut least = c(NOT_SEEN_M);
        for block in 0..self.slot.len() {
            let Eight { x, y, distance, bodies, .. } = self.eight::<L::Double>(block);
            let ahead = c(way.x).mul(x).add(c(way.y).mul(y));
            let left = c(way.x).mul(y).sub(c(way.y).mul(x));
            let aside = left.max(c(0.0).sub(left));
            let counts = c(0.0).at_most(ahead) & aside.at_most(bodies);
            least = distance.sub(bodies).or_else(counts, least).min(least);
        }
        least.least()
    }
}
