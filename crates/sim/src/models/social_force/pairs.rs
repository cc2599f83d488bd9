//! Kernel: the repulsion between people, eight neighbors at a time.
//!
//! The people of each cell scan everybody around and pack those who are near but not in contact ([`Apart`]), because
//! two thirds of the scanned lanes are too far away and the force costs more than the scan. The packed blocks of many
//! people are then processed in one loop, as a loop of one or two blocks per person would cost a mispredicted branch
//! each. The model goes on with these people at once, while what is known of them is near.

use super::by_row::ByRow;
use super::constants::{Constants, InLanes};
use crate::models::giving::{Giving, groups_by_slot, weights};
use crate::world::Neighbors;
use crate::world::cells::Cells;
use crate::world::tile::{RADIUS, Tile, X, Y};
use crowdtune_core::math::lanes::{self, Kernel, Lanes, WIDTH};
use crowdtune_core::math::planes::{Planes, Write};
use crowdtune_core::math::{Vec2, vec2};

/// Forces on the people of some cells: slot by slot, from the first of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Felt {
    /// Repulsion by people who are near but not in contact, N.
    pub force: Vec<Vec2>,
    /// Sum of its magnitudes, N; empty unless somebody asks for them.
    pub push: Vec<f64>,
    /// Slots of the people in contact, person by person.
    touching: Vec<u32>,
    /// Where each person's stretch in `touching` begins, and the end of all.
    bounds: Vec<u32>,
    /// Group of each slot and of each place of the tile; filled only if some groups count more than others.
    group: Planes<1>,
    tile_group: Planes<1>,
    tile: Tile,
    apart: Apart,
}

impl Felt {
    /// Learns who is in which group.
    pub fn groups(&mut self, near: &Neighbors, group: &[u16]) {
        groups_by_slot(near, group, &mut self.group);
    }

    /// True if anybody is in contact.
    pub fn touches(&self) -> bool {
        !self.touching.is_empty()
    }

    /// Slots of the people in contact, for each of the people.
    pub fn touching(&self) -> impl Iterator<Item = &[u32]> {
        self.bounds.windows(2).map(|bounds| &self.touching[bounds[0] as usize..bounds[1] as usize])
    }
}

/// Number of blocks at which [`Apart`] is full: about 16 kB, which leave room for the tile in the L1 cache.
const BATCH: usize = 96;

/// A crowd no larger than this is looked at as a whole. Chosen here: steps of 40 people are 2 % faster so than cell by cell, those of 64 are 2 % slower.
/// No bit depends on it, as whoever is near comes in the order of slots.
const SMALL: usize = 40;

/// People who are near but not in contact, packed in blocks, person by person.
#[derive(Clone, Debug, Default)]
struct Apart {
    /// The vector from them, m, and the sum of the radii, m.
    lanes: Planes<3>,
    /// How much they count; filled only if that is not 1 for all.
    counts: Planes<1>,
    /// Owner of each block, with the number of neighbors from this block on.
    owner: Vec<(u32, f32)>,
    blocks: usize,
    /// By block, what a pass over all of them leaves to the next.
    ways: Vec<Way>,
    /// Bit masks of people in contact, for each block of the tile.
    inside: Vec<u8>,
    /// The owners, and the lanes of their sums: force along x and y, and its magnitude.
    people: Vec<Person>,
    sums: Vec<[[f32; WIDTH]; 3]>,
}

/// The ways from the people of a block. A pass for each root and quotient, exponential and sum: in one, a block would have to wait for those before it,
/// since a processor looks only so many instructions ahead.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    /// One over the distance, 1/m.
    per_d: [f32; WIDTH],
    /// The overlap over the range of the force, then its exponential.
    push: [f32; WIDTH],
}

/// A person whose forces are summed, with the constants of the group.
#[derive(Clone, Copy, Debug, Default)]
struct Person {
    e: (f32, f32),
    per_range: f32,
    middle: f32,
    behind: f32,
}

/// Where the people of a cell are packed: there is room for all of them.
struct Room<'a> {
    lanes: Write<'a, 3>,
    counts: Write<'a, 1>,
    owner: &'a mut [(u32, f32)],
    blocks: &'a mut usize,
    inside: &'a mut [u8],
    people: &'a mut Vec<Person>,
}

impl Apart {
    /// Makes room for more people, each with `around` people around.
    #[inline(always)]
    fn room(&mut self, people: usize, around: usize) -> Room<'_> {
        let around = around.div_ceil(WIDTH);
        let blocks = self.blocks + people * around + 2;
        self.lanes.reserve(blocks * WIDTH);
        self.counts.reserve(blocks * WIDTH);
        if self.owner.len() < blocks {
            self.owner.resize(2 * blocks, (0, 0.0));
            self.inside.resize(2 * blocks, 0);
        }
        Room {
            lanes: self.lanes.write(),
            counts: self.counts.write(),
            owner: &mut self.owner,
            blocks: &mut self.blocks,
            inside: &mut self.inside[..around],
            people: &mut self.people,
        }
    }
}

impl Room<'_> {
    /// Finishes the person whose `count` neighbors were packed after the last block.
    #[inline(always)]
    fn end(&mut self, person: Person, count: usize) {
        let owner = self.people.len() as u32;
        let blocks = count.div_ceil(WIDTH);
        let owners = &mut self.owner[*self.blocks..][..blocks.max(2)];
        // Always two: whether it is one or two no processor can predict.
        owners[0] = (owner, count as f32);
        owners[1] = (owner, count as f32 - WIDTH as f32);
        for (block, own) in owners.iter_mut().enumerate().skip(2) {
            *own = (owner, count as f32 - (block * WIDTH) as f32);
        }
        *self.blocks += blocks;
        self.people.push(person);
    }
}

/// What the repulsion between people is computed from.
pub(super) struct Pairs<'a, 'n> {
    pub near: &'n Neighbors,
    pub cells: &'a mut Cells<'n>,
    pub groups: &'a [Constants],
    /// Group of each row.
    pub group: &'a [u16],
    /// Desired direction of each row, and what reactions need of it: that is asked for here, as reactions would have nothing else to do meanwhile.
    pub by_row: ByRow<'a>,
    /// For each group whether its people are felt for; empty if all are.
    pub steered: &'a [bool],
    pub giving: Option<&'a Giving>,
    /// Whether the magnitudes are summed too.
    pub sums_pushes: bool,
    pub felt: &'a mut Felt,
}

impl Pairs<'_, '_> {
    /// Fills [`Felt`] with A exp((r_i + r_j - d) / B) w(phi) n for each pair not in contact, for the people of the next cells: as many as [`Apart`]
    /// takes. Gives their number; 0 if there are no more.
    pub fn next(self) -> usize {
        // A kernel for each: all in one would be long to compile for a page, whose engine does that while the crowd walks.
        match (self.near.lanes.ring == (0.0, 0.0), self.giving.is_none()) {
            (true, true) => lanes::run(Next::<false, false>(self)),
            (true, false) => lanes::run(Next::<false, true>(self)),
            (false, true) => lanes::run(Next::<true, false>(self)),
            (false, false) => lanes::run(Next::<true, true>(self)),
        }
    }
}

/// The kernel, where space may be periodic and some groups count more than others.
struct Next<'a, 'n, const RING: bool, const GIVING: bool>(Pairs<'a, 'n>);

impl<const RING: bool, const GIVING: bool> Kernel for Next<'_, '_, RING, GIVING> {
    type Out = usize;

    #[inline(always)]
    fn run<L: Lanes>(self) -> usize {
        let Self(pairs) = self;
        let near = pairs.near;
        let Felt { force, push, touching, group: groups, tile_group, bounds, tile, apart } = pairs.felt;
        bounds.clear();
        bounds.push(0);
        touching.clear();
        // No closures: they would not be compiled for the lanes' instruction set.
        let is_small = !RING && near.len() <= SMALL;
        while apart.blocks < BATCH
            && let Some((slots, ranges)) = if is_small { pairs.cells.all() } else { pairs.cells.advance() }
        {
            if !pairs.steered.is_empty() {
                let mut own = false;
                for slot in slots.clone() {
                    own |= pairs.steered[usize::from(pairs.group[near.row[slot] as usize])];
                }
                if !own {
                    for _ in slots {
                        apart.people.push(Person::default());
                        bounds.push(touching.len() as u32);
                    }
                    continue;
                }
            }
            tile.gather::<L, 3>(&near.lanes, ranges);
            if GIVING {
                tile.gather_too::<L, 1>(tile_group, groups);
            }
            let mut room = apart.room(slots.len(), tile.len());
            let around = tile.planes().blocks(room.inside.len());
            for slot in slots {
                // Data by row is scattered in memory, so it is read only when needed.
                let row = near.row[slot] as usize;
                if let Some(ahead) = near.ahead(slot) {
                    pairs.by_row.ask_for(ahead);
                }
                let group = if pairs.groups.len() > 1 { pairs.group[row] } else { 0 };
                if !pairs.steered.is_empty() && !pairs.steered[usize::from(group)] {
                    room.people.push(Person::default());
                    bounds.push(touching.len() as u32);
                    continue;
                }
                let c = &pairs.groups[usize::from(group)];
                let e = if c.lanes.behind != 0.0 { pairs.by_row.direction[row] } else { Vec2::ZERO };
                let look = Look::<L>::new(near, slot, c);
                let said = if GIVING { pairs.giving.map_or(&[][..], |giving| giving.said(group)) } else { &[] };
                let (count, is_touched) = look.around::<RING, GIVING>(around, &mut room, (tile_group, said));
                let InLanes { per_range, middle, behind, .. } = c.lanes;
                room.end(Person { e: (e.x as f32, e.y as f32), per_range, middle, behind }, count);
                if is_touched {
                    tile.others(room.inside, slot, &mut |other| touching.push(other as u32));
                }
                bounds.push(touching.len() as u32);
            }
        }
        feel::<L, GIVING>(apart, force, pairs.sums_pushes.then_some(push));
        force.len()
    }
}

/// A person who looks around, in all lanes.
struct Look<L> {
    x: L,
    y: L,
    radius: L,
    feels: L,
    ring: (L, L),
}

impl<L: Lanes> Look<L> {
    #[inline(always)]
    fn new(near: &Neighbors, slot: usize, c: &Constants) -> Self {
        let columns = &near.lanes;
        let own = columns.planes.read().row(slot);
        Self {
            x: L::splat(own[X]),
            y: L::splat(own[Y]),
            radius: L::splat(own[RADIUS]),
            feels: L::splat(c.lanes.feels),
            ring: (L::splat(columns.ring.0), L::splat(columns.ring.1)),
        }
    }

    /// Scans a tile: people near but not in contact go after the last block of the room, bits of those in contact to its `inside`. Gives the number of
    /// the former, and whether there are any of the latter.
    #[inline(always)]
    fn around<const RING: bool, const GIVING: bool>(
        &self,
        [xs, ys, radii]: [&[[f32; WIDTH]]; 3],
        room: &mut Room<'_>,
        (group, said): (&Planes<1>, &[(u16, f64)]),
    ) -> (usize, bool) {
        let from = *room.blocks * WIDTH;
        let (mut at, mut end, mut bodies) = (0, from, 0);
        for (((x, y), radius), inside) in xs.iter().zip(ys).zip(radii).zip(&mut *room.inside) {
            let (x, y, radius) = (L::of(x), L::of(y), L::of(radius));
            let (mut dx, mut dy) = (self.x.sub(x), self.y.sub(y));
            if RING {
                (dx, dy) = (dx.shortest(self.ring.0), dy.shortest(self.ring.1));
            }
            let d2 = dx.mul(dx).add(dy.mul(dy));
            let touch = self.radius.add(radius);
            let reach = touch.add(self.feels);
            let near = d2.at_most(reach.mul(reach)).bits();
            let free = near & touch.mul(touch).at_most(d2).bits();
            room.lanes.put(end, [dx.pack(free), dy.pack(free), touch.pack(free)]);
            if GIVING {
                let [theirs] = group.load::<L, 1>(at);
                room.counts.put(end, [weights(said, theirs).pack(free)]);
                at += WIDTH;
            }
            end += free.count_ones() as usize;
            bodies += near.count_ones() as usize;
            *inside = (near ^ free) as u8;
        }
        // One body is always found: the person's own.
        (end - from, bodies > end - from + 1)
    }
}

/// Processes the blocks of `apart`: everybody's force, and the sum of its magnitudes if that is asked for.
#[inline(always)]
fn feel<L: Lanes, const GIVING: bool>(apart: &mut Apart, force: &mut Vec<Vec2>, push: Option<&mut Vec<f64>>) {
    let sums_pushes = push.is_some();
    let Apart { lanes, counts, owner, blocks, ways, people, sums, .. } = &mut *apart;
    sums.resize(people.len().max(sums.len()), [[0.0; WIDTH]; 3]);
    let sums = &mut sums[..people.len()];
    sums.fill([[0.0; WIDTH]; 3]);
    let counts = counts.read();
    let [along, across, touches] = lanes.read().blocks(*blocks);
    ways.resize(along.len().max(ways.len()), Default::default());
    let (owner, ways) = (&owner[..along.len()], &mut ways[..along.len()]);
    for ((((dx, dy), touch), &(owner, _)), way) in along.iter().zip(across).zip(touches).zip(owner).zip(&mut *ways) {
        let (dx, dy, touch) = (L::of(dx), L::of(dy), L::of(touch));
        let d2 = dx.mul(dx).add(dy.mul(dy));
        let per_d = L::splat(1.0).div(d2.sqrt());
        let overlap = touch.sub(d2.mul(per_d));
        per_d.put(&mut way.per_d);
        overlap.mul(L::splat(people[owner as usize].per_range)).put(&mut way.push);
    }
    for way in &mut *ways {
        L::of(&way.push).exponential().put(&mut way.push);
    }
    let mut at = 0;
    for (((dx, dy), way), &(owner, count)) in along.iter().zip(across).zip(&*ways).zip(owner) {
        let (dx, dy, per_d) = (L::of(dx), L::of(dy), L::of(&way.per_d));
        let person = &people[owner as usize];
        let mask = L::counted(count);
        let mut weight = L::splat(person.middle);
        if person.behind != 0.0 {
            let ahead = dx.mul(L::splat(person.e.0)).add(dy.mul(L::splat(person.e.1))).mul(per_d);
            weight = weight.sub(L::splat(person.behind).mul(ahead));
        }
        if GIVING {
            let [count] = counts.load::<L, 1>(at);
            weight = weight.mul(count);
            at += WIDTH;
        }
        let one = L::of(&way.push).mul(weight).keep(mask);
        let over_d = one.mul(per_d).keep(mask);
        let [x, y, push] = &mut sums[owner as usize];
        L::of(x).add(dx.mul(over_d)).put(x);
        L::of(y).add(dy.mul(over_d)).put(y);
        if sums_pushes {
            L::of(push).add(one).put(push);
        }
    }
    force.resize(people.len(), Vec2::ZERO);
    for ([x, y, _], force) in sums.iter().zip(force) {
        *force = vec2(f64::from(L::of(x).total()), f64::from(L::of(y).total()));
    }
    if let Some(push) = push {
        push.resize(people.len(), 0.0);
        for ([_, _, all], push) in sums.iter().zip(push) {
            *push = f64::from(L::of(all).total());
        }
    }
    apart.people.clear();
    apart.blocks = 0;
}

#[cfg(test)]
#[path = "pairs_tests.rs"]
mod tests;
