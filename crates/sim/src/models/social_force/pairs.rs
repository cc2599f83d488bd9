//! The smooth part of the forces between people, eight neighbors at a time.
//!
//! For each cell its people look at everybody around, and those who are near without touching are moved together
//! ([`Apart`]): of the lanes that are looked at two thirds are too far away, and the force costs more than the look. The
//! blocks of many people are then worked off in one loop, because a loop of one or two blocks for each person would
//! cost a mispredicted branch each.

use super::Constants;
use crate::world::Neighbors;
use crate::world::tile::{RADIUS, Tile, X, Y};
use crowdtune_core::math::lanes::{Kernel, Lanes, WIDTH};
use crowdtune_core::math::planes::Planes;
use crowdtune_core::math::{Vec2, vec2};

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
    tile: Tile,
    apart: Apart,
}

impl Felt {
    /// Those in touch with a slot.
    pub fn touching(&self, slot: usize) -> &[u32] {
        let from = if slot == 0 { 0 } else { self.end[slot - 1] as usize };
        &self.touching[from..self.end[slot] as usize]
    }
}

/// Blocks after which the forces of [`Apart`] are worked off: some 15 kB, which stay in the fastest memory.
const BATCH: usize = 128;

/// Those who are near some people but not in touch: blocks of one person after those of the other.
#[derive(Clone, Debug, Default)]
struct Apart {
    /// The way from them, m, and the sum of the radii, m.
    lanes: Planes<3>,
    /// Whose block it is, and how many there are of it and of what follows.
    owner: Vec<(u32, f32)>,
    blocks: usize,
    /// Bits of those in touch, for each block of the tile.
    inside: Vec<u8>,
    /// What the owners are, and the lanes of their sums: force along x and y, absolute force.
    people: Vec<Person>,
    sums: Planes<3>,
}

/// Somebody whose forces are summed.
#[derive(Clone, Copy, Debug)]
struct Person {
    e: (f32, f32),
    group: u32,
}

impl Apart {
    /// Makes room for some more people with `around` people around each.
    #[inline(always)]
    fn reserve(&mut self, people: usize, around: usize) {
        let blocks = self.blocks + people * around.div_ceil(WIDTH) + 2;
        self.lanes.reserve(blocks * WIDTH);
        if self.owner.len() < blocks {
            self.owner.resize(2 * blocks, (0, 0.0));
            self.inside.resize(2 * blocks, 0);
        }
    }

    /// Ends the person whose `count` neighbors were written behind the last block.
    #[inline(always)]
    fn end(&mut self, person: Person, count: usize) {
        let owner = self.people.len() as u32;
        let blocks = count.div_ceil(WIDTH);
        let owners = &mut self.owner[self.blocks..][..blocks.max(2)];
        // Two without asking: one or two is what no processor can predict.
        owners[0] = (owner, count as f32);
        owners[1] = (owner, count as f32 - WIDTH as f32);
        for (block, own) in owners.iter_mut().enumerate().skip(2) {
            *own = (owner, count as f32 - (block * WIDTH) as f32);
        }
        self.blocks += blocks;
        self.people.push(person);
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
        let near = self.near;
        let Felt { force, push, touching, end, tile, apart } = self.felt;
        force.clear();
        push.clear();
        end.clear();
        touching.clear();
        // No closures: they would not be compiled for the path.
        let mut cells = near.cells();
        while let Some((slots, ranges)) = cells.advance() {
            tile.gather::<L, 3>(&near.lanes, ranges);
            apart.reserve(slots.len(), tile.len());
            for slot in slots {
                // What rows hold lies far apart: it is read only where it is needed.
                let row = near.row[slot] as usize;
                let group = if self.groups.len() > 1 { self.group[row] } else { 0 };
                let c = &self.groups[usize::from(group)];
                let e = if c.lanes.behind != 0.0 { self.direction[row] } else { Vec2::ZERO };
                let look = Look::<L>::new(near, slot, c);
                let count = look.around::<RING>(tile, slot, apart, touching);
                apart.end(Person { e: (e.x as f32, e.y as f32), group: u32::from(group) }, count);
                end.push(touching.len() as u32);
            }
            if apart.blocks >= BATCH {
                feel::<L>(apart, self.groups, force, push);
            }
        }
        feel::<L>(apart, self.groups, force, push);
    }
}

/// Somebody who looks around, in all lanes.
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
        Self {
            x: L::splat(columns.planes.get(X, slot)),
            y: L::splat(columns.planes.get(Y, slot)),
            radius: L::splat(columns.planes.get(RADIUS, slot)),
            feels: L::splat(c.lanes.feels),
            ring: (L::splat(columns.ring.0), L::splat(columns.ring.1)),
        }
    }

    /// Looks at everybody of a tile: the slots of those in touch go to `touching`, those who are near without touching
    /// behind the last block of `apart`. Gives how many those are.
    #[inline(always)]
    fn around<const RING: bool>(&self, tile: &Tile, slot: usize, apart: &mut Apart, touching: &mut Vec<u32>) -> usize {
        let from = apart.blocks * WIDTH;
        let (places, mut free_ways) = (tile.planes(), apart.lanes.write());
        let (mut at, mut end, mut bodies) = (0, from, 0);
        let blocks = tile.len().div_ceil(WIDTH);
        for inside in &mut apart.inside[..blocks] {
            let [x, y, radius] = places.load::<L, 3>(at);
            at += WIDTH;
            let (mut dx, mut dy) = (self.x.sub(x), self.y.sub(y));
            if RING {
                (dx, dy) = (dx.shortest(self.ring.0), dy.shortest(self.ring.1));
            }
            let d2 = dx.mul(dx).add(dy.mul(dy));
            let touch = self.radius.add(radius);
            let reach = touch.add(self.feels);
            let near = d2.at_most(reach.mul(reach)).bits();
            let free = near & touch.mul(touch).at_most(d2).bits();
            free_ways.put(end, [dx.pack(free), dy.pack(free), touch.pack(free)]);
            end += free.count_ones() as usize;
            bodies += near.count_ones() as usize;
            *inside = (near ^ free) as u8;
        }
        // The own body is always there.
        if bodies > end - from + 1 {
            tile.others(&apart.inside[..blocks], slot, &mut |other| touching.push(other as u32));
        }
        end - from
    }
}

/// Works off the blocks: force of everybody in `apart`, and the sum of its absolute values.
#[inline(always)]
fn feel<L: Lanes>(apart: &mut Apart, groups: &[Constants], force: &mut Vec<Vec2>, push: &mut Vec<f64>) {
    let Apart { lanes, owner, blocks, people, sums, .. } = &mut *apart;
    sums.reserve(people.len() * WIDTH);
    let none = L::splat(0.0);
    let (lanes, mut sums) = (lanes.read(), sums.write());
    for person in 0..people.len() {
        sums.put(person * WIDTH, [none; 3]);
    }
    for (block, &(owner, count)) in owner[..*blocks].iter().enumerate() {
        let person = &people[owner as usize];
        let c = &groups[person.group as usize].lanes;
        let [dx, dy, touch] = lanes.load::<L, 3>(block * WIDTH);
        let mask = L::counted(count);
        let d2 = dx.mul(dx).add(dy.mul(dy));
        let per_d = L::splat(1.0).div(d2.sqrt());
        let mut weight = L::splat(c.middle);
        if c.behind != 0.0 {
            let ahead = dx.mul(L::splat(person.e.0)).add(dy.mul(L::splat(person.e.1))).mul(per_d);
            weight = weight.sub(L::splat(c.behind).mul(ahead));
        }
        let overlap = touch.sub(d2.mul(per_d));
        let one = overlap.mul(L::splat(c.per_range)).exponential().mul(weight).keep(mask);
        let over_d = one.mul(per_d).keep(mask);
        let at = owner as usize * WIDTH;
        let [x, y, push] = sums.load::<L, 3>(at);
        sums.put(at, [x.add(dx.mul(over_d)), y.add(dy.mul(over_d)), push.add(one)]);
    }
    for person in 0..people.len() {
        let [x, y, all] = sums.load::<L, 3>(person * WIDTH);
        force.push(vec2(f64::from(x.total()), f64::from(y.total())));
        push.push(f64::from(all.total()));
    }
    apart.people.clear();
    apart.blocks = 0;
}

#[cfg(test)]
#[path = "pairs_tests.rs"]
mod tests;
