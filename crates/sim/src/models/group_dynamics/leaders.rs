//! Everybody's nearest leader.
//!
//! Leaders are in a strip ahead, two bodies wide. The people in the cells that the strip touches are scanned eight at a
//! time in single precision. Candidates nearer than the best so far are checked again in double precision, so the lanes
//! save work but decide nothing.

use super::follow::Law;
use crate::world::Neighbors;
use crate::world::tile::{RADIUS, X, Y};
use crowdtune_core::math::lanes::{Kernel, Lanes, WIDTH};
use crowdtune_core::math::planes::Planes;
use crowdtune_core::math::{Vec2, vec2};

/// No leader.
pub const NOBODY: u32 = u32::MAX;
/// Labels below this are exact in single precision; of larger ones the lanes compare only the last bits.
const LABELS: u32 = 1 << 24;

/// What the search reads besides the neighbors, by slot.
#[derive(Clone, Debug, Default)]
pub struct Seekers {
    /// Heading, a unit vector; zero for people who seek no leader.
    pub heading: Vec<Vec2>,
    /// Label of the group.
    label: Vec<u32>,
    lanes: Planes<1>,
    /// Slot of the leader, or [`NOBODY`].
    pub leader: Vec<u32>,
}

impl Seekers {
    /// Sets the labels of the slots; nobody seeks yet.
    pub fn begin(&mut self, labels: impl Iterator<Item = u32>) {
        self.label.clear();
        self.label.extend(labels);
        self.lanes.reserve(self.label.len() + 1);
        for (slot, &label) in self.label.iter().enumerate() {
            self.lanes.set(slot, [(label % LABELS) as f32]);
        }
        self.heading.clear();
        self.heading.resize(self.label.len(), Vec2::ZERO);
    }

    /// The label of a slot.
    pub fn label(&self, slot: usize) -> u32 {
        self.label[slot]
    }
}

/// Fills [`Seekers::leader`] with the nearest leader of the same label; on ties, the lower row.
pub struct Search<'a> {
    /// The people.
    pub near: &'a Neighbors,
    /// Who seeks.
    pub seekers: &'a mut Seekers,
    /// How people follow, by group of the scenario.
    pub laws: &'a [Law],
    /// Group of the scenario by row.
    pub group: &'a [u16],
    /// Radius of the largest person, m.
    pub max_radius_m: f64,
}

impl Kernel for Search<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        if self.near.lanes.ring == (0.0, 0.0) { self.all::<L, false>() } else { self.all::<L, true>() }
    }
}

/// A person who seeks a leader, with the nearest one so far.
struct Seeker<'a> {
    slot: usize,
    heading: Vec2,
    law: &'a Law,
    leader: u32,
    distance_m: f64,
}

impl Search<'_> {
    #[inline(always)]
    fn all<L: Lanes, const RING: bool>(self) {
        let Self { near, seekers, laws, group, max_radius_m } = self;
        let mut leader = std::mem::take(&mut seekers.leader);
        leader.clear();
        let (size, shape) = (near.cell_size(), near.shape());
        // Far more than the rounding of a difference of two positions in single precision.
        let slack = 1e-5 + 5e-7 * (size.x * shape.0 as f64 + size.y * shape.1 as f64);
        for (slot, &heading) in seekers.heading.iter().enumerate() {
            let group = if laws.len() > 1 { group[near.row[slot] as usize] } else { 0 };
            let law = &laws[usize::from(group)];
            let mut seeker = Seeker { slot, heading, law, leader: NOBODY, distance_m: f64::INFINITY };
            if heading != Vec2::ZERO {
                let aside = near.radius[slot] + max_radius_m;
                // Most leaders are in the next cell; the rest of the strip is seldom needed.
                let first = size.x.max(size.y);
                for ahead in [first, law.within_m] {
                    seeker.look::<L, RING>(near, seekers, (ahead.min(law.within_m), aside), slack);
                    if seeker.distance_m <= first || law.within_m <= first {
                        break;
                    }
                }
            }
            leader.push(seeker.leader);
        }
        seekers.leader = leader;
    }
}

impl Seeker<'_> {
    /// Scans everybody less than `ahead` m ahead and `aside` m beside the heading, and possibly others.
    #[inline(always)]
    fn look<L: Lanes, const RING: bool>(
        &mut self,
        near: &Neighbors,
        seekers: &Seekers,
        (ahead, aside): (f64, f64),
        slack: f64,
    ) {
        let (p, h) = (near.pos[self.slot], self.heading);
        let (size, (columns, rows)) = (near.cell_size(), near.shape());
        let (column, row) = near.cell(p);
        let at = near.in_cell(p);
        // A box around the strip: its ends plus half its width along each axis.
        let half = vec2(aside * h.y.abs() + slack, aside * h.x.abs() + slack);
        let end = h * ahead;
        let (low, high) = (smaller(end.y, 0.0) - half.y, larger(end.y, 0.0) + half.y);
        let (left, right) = (smaller(end.x, 0.0) - half.x, larger(end.x, 0.0) + half.x);
        let (per_x, per_y) = (1.0 / size.x, 1.0 / size.y);
        let (first_row, last_row) = (floor((at.y + low) * per_y), floor((at.y + high) * per_y));
        // A strip along x touches few rows, each over its whole length.
        let slanted = h.y.abs() > 0.1;
        let (slope, wide) = if slanted { (h.x / h.y, (aside + slack) / h.y.abs()) } else { (0.0, 0.0) };
        for dy in first_row..=last_row.min(first_row + rows as i64) {
            let (mut from, mut to) = (left, right);
            if slanted {
                let (below, above) = (dy as f64 * size.y - at.y - slack, (dy + 1) as f64 * size.y - at.y + slack);
                let (a, b) = (slope * larger(below, low), slope * smaller(above, high));
                from = larger(from, smaller(a, b) - wide);
                to = smaller(to, larger(a, b) + wide);
            }
            let (a, b) = (column + floor((at.x + from) * per_x), column + floor((at.x + to) * per_x));
            if RING {
                for cell in a..=b.min(a + columns as i64) {
                    let slots = near.of_cell((cell, row + dy));
                    self.ask::<L, RING>(near, seekers, (slots.start, slots.end), slack);
                }
            } else if row + dy >= 0 && row + dy < rows as i64 && a < columns as i64 && b >= 0 {
                let within = a.max(0) as usize..(b + 1).min(columns as i64).max(0) as usize;
                let slots = near.of_row((row + dy) as usize, &within);
                self.ask::<L, RING>(near, seekers, (slots.start, slots.end), slack);
            }
        }
    }

    /// Scans the people of these slots.
    #[inline(always)]
    fn ask<L: Lanes, const RING: bool>(
        &mut self,
        near: &Neighbors,
        seekers: &Seekers,
        (start, end): (usize, usize),
        slack: f64,
    ) {
        let c = L::splat;
        let places = near.lanes.planes.read();
        let labels = seekers.lanes.read();
        let [x, y, radius, label] = [
            c(near.lanes.planes.get(X, self.slot)),
            c(near.lanes.planes.get(Y, self.slot)),
            c(near.lanes.planes.get(RADIUS, self.slot) + slack as f32),
            c(seekers.lanes.get(0, self.slot)),
        ];
        let (hx, hy) = (c(self.heading.x as f32), c(self.heading.y as f32));
        let (ring_x, ring_y) = (c(near.lanes.ring.0), c(near.lanes.ring.1));
        let cos = larger(self.law.ahead_cos, 0.0) as f32;
        // cos |d| < along, squared; the rounding error is added to `along`.
        let cos2 = c(cos * cos * (1.0 - 1e-5));
        let (none, slack) = (c(0.0), c(2.0 * slack as f32));
        let mut at = start;
        while at < end {
            let [ox, oy, other] = places.load::<L, 3>(at);
            let [same] = labels.load::<L, 1>(at);
            let (mut dx, mut dy) = (ox.sub(x), oy.sub(y));
            if RING {
                (dx, dy) = (dx.shortest(ring_x), dy.shortest(ring_y));
            }
            let along = hx.mul(dx).add(hy.mul(dy)).add(slack);
            let across = hx.mul(dy).sub(hy.mul(dx));
            let d2 = dx.mul(dx).add(dy.mul(dy));
            let bodies = radius.add(other);
            let nearest = c(self.distance_m as f32).add(slack);
            let mut bits = none.below(along).bits()
                & across.max(none.sub(across)).below(bodies).bits()
                & d2.mul(cos2).at_most(along.mul(along)).bits()
                & d2.at_most(nearest.mul(nearest)).bits()
                & same.at_most(label).bits()
                & label.at_most(same).bits()
                & L::counted((end - at) as f32).bits();
            while bits != 0 {
                self.weigh(near, seekers, at + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
            at += WIDTH;
        }
    }

    /// Keeps a person who leads and is nearer.
    #[inline(always)]
    fn weigh(&mut self, near: &Neighbors, seekers: &Seekers, other: usize) {
        let bodies_m = near.radius[self.slot] + near.radius[other];
        let way = near.apart(near.pos[self.slot], near.pos[other]);
        let Some(ahead) = self.law.leads(self.heading, way, bodies_m) else { return };
        if seekers.label[other] != seekers.label[self.slot] || other == self.slot {
            return;
        }
        let lower = ahead.distance_m == self.distance_m && near.row[other] < near.row[self.leader as usize];
        if ahead.distance_m < self.distance_m || lower {
            (self.leader, self.distance_m) = (other as u32, ahead.distance_m);
        }
    }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The floor, without a function call on processors that lack the instruction.
#[inline(always)]
fn floor(x: f64) -> i64 {
    let whole = x as i64;
    whole - i64::from(whole as f64 > x)
}

#[cfg(test)]
#[path = "leaders_tests.rs"]
mod tests;
