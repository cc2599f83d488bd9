//! What models share in which people choose a direction, and then a speed by the gap ahead: a loop over everybody who is seen.

use super::keep_off::keep_off;
use super::parting;
use crate::crowd::{RowMap, Status, Steering, Update, View};
use crate::world::scenario::Segment;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::lanes::{self, Kernel, Lanes};
use std::ops::Range;

/// Distance between centers up to which people see each other, m: as in JuPedSim 1.4.2.
const SIGHT_M: f64 = 3.0;
/// People closer than this are at the same place, m: as in the other models.
const SAME_PLACE_M: f64 = 1e-9;
/// Nobody's center comes nearer to a wall, m. Chosen here: JuPedSim ends a run in which somebody leaves the place; this is near enough
/// to change nothing where the wall is respected.
const OFF_WALLS_M: f64 = 0.01;

/// How a model finds a direction.
pub(super) trait Turn {
    /// Looks at everybody before a step, with the direction of each in the last one, by slot.
    fn look(&mut self, _view: &View<'_>, _headings: &[Vec2]) {}

    /// The direction in which the person goes on, a unit vector or zero.
    fn turn(&self, me: &Me<'_>, others: &mut Others) -> Vec2;

    /// Time in which the person would close the gap ahead, s.
    fn time_gap(&self, me: &Me<'_>) -> f64;
}

/// Somebody who chooses a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Me<'a> {
    pub view: &'a View<'a>,
    pub slot: usize,
    pub row: usize,
    pub group: u16,
    pub pos: Vec2,
    pub radius: f64,
    /// Where the person wants to go, and where the person went in the last step; zero before the first.
    pub desired: Vec2,
    pub heading: Vec2,
}

/// The others whom somebody sees, in the order of slots.
#[derive(Clone, Debug, Default)]
pub(super) struct Others {
    pub slot: Vec<u32>,
    /// The way to them, m.
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    /// Its length, and the sum of the radii, m.
    pub distance: Vec<f64>,
    pub bodies: Vec<f64>,
    /// Room for what the model makes of them.
    pub push: Vec<f64>,
    pub will_be: Vec<f64>,
    /// Slots of everybody near enough, from the first on; what is behind them is old.
    found: Vec<u32>,
    /// Walls in sight.
    walls: Vec<Segment>,
    /// Who is behind one of them: not 0.
    hidden: Vec<u64>,
}

/// One run of a model that turns people in its own way.
pub(super) struct Walkers<T> {
    turn: T,
    heading: Heading,
    others: Others,
}

impl<T> Walkers<T> {
    pub fn new(turn: T) -> Self {
        Self { turn, heading: Heading::default(), others: Others::default() }
    }
}

impl<T: Turn + Send> Steering for Walkers<T> {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        let Self { turn, heading, others } = self;
        heading.freeze(view);
        turn.look(view, &heading.old);
        lanes::run(Walk { turn: &*turn, view, others, heading, vel: next.vel });
    }

    fn reach_m(&self) -> f64 {
        SIGHT_M
    }

    fn remap(&mut self, rows: &RowMap) {
        self.heading.remap(rows);
    }
}

/// Finds everybody's velocity.
struct Walk<'a, T> {
    turn: &'a T,
    view: &'a View<'a>,
    others: &'a mut Others,
    heading: &'a mut Heading,
    vel: &'a mut [Vec2],
}

impl<T: Turn> Kernel for Walk<'_, T> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        if self.view.world.plan.periodic.is_open() { self.all::<false>() } else { self.all::<true>() }
    }
}

impl<T: Turn> Walk<'_, T> {
    #[inline(always)]
    fn all<const RING: bool>(self) {
        let Self { turn, view, others, heading, vel } = self;
        let (crowd, near) = (view.crowd, view.near);
        let mut cells = near.cells();
        while let Some((slots, ranges)) = cells.advance() {
            for slot in slots {
                let row = near.row[slot] as usize;
                if !view.steers(row) {
                    continue;
                }
                let desired = view.desired[row];
                // Who waits, has arrived or is injured stands.
                if desired == Vec2::ZERO || crowd.status[row] != Status::Walking {
                    vel[row] = Vec2::ZERO;
                    continue;
                }
                let (pos, radius, group) = (near.pos[slot], near.radius[slot], crowd.group[row]);
                let me = Me { view, slot, row, group, pos, radius, desired, heading: heading.old[slot] };
                others.find::<RING>(&me, &ranges);
                let way = turn.turn(&me, others);
                heading.own[row] = way;
                let speed = (others.gap(way) / turn.time_gap(&me)).max(0.0).min(view.desired_speed(row));
                vel[row] = keep_off(&view.world.walls, (pos, OFF_WALLS_M), way * speed, view.dt);
            }
        }
    }
}

impl Others {
    /// Finds the others near enough to be seen and not behind a wall.
    #[inline(always)]
    fn find<const RING: bool>(&mut self, me: &Me<'_>, ranges: &[Range<usize>; 6]) {
        let near = me.view.near;
        let most: usize = ranges.iter().map(Range::len).sum();
        if self.found.len() < most {
            self.found.resize(most, 0);
        }
        let found = &mut self.found[..];
        let mut count = 0;
        for range in ranges {
            for other in range.start..range.end {
                let way = if RING { near.apart(me.pos, near.pos[other]) } else { near.pos[other] - me.pos };
                // Written always and counted if seen, without a branch that nobody can predict.
                found[count] = other as u32;
                count += usize::from((way.length2() <= SIGHT_M * SIGHT_M) & (other != me.slot));
            }
        }
        self.slot.clear();
        for column in [&mut self.x, &mut self.y, &mut self.bodies] {
            column.clear();
        }
        for &other in &self.found[..count] {
            self.slot.push(other);
            let other = other as usize;
            let mut way = if RING { near.apart(me.pos, near.pos[other]) } else { near.pos[other] - me.pos };
            if way.length2() < SAME_PLACE_M * SAME_PLACE_M {
                let id = |slot: usize| me.view.crowd.id[near.row[slot] as usize];
                way = parting(id(other), id(me.slot)) * SAME_PLACE_M;
            }
            self.x.push(way.x);
            self.y.push(way.y);
            self.bodies.push(me.radius + near.radius[other]);
        }
        self.hide(me);
        let count = self.x.len();
        self.push.resize(count, 0.0);
        self.distance.resize(count, 0.0);
        for ((d, &x), &y) in self.distance.iter_mut().zip(&self.x).zip(&self.y) {
            *d = (x * x + y * y).sqrt();
        }
    }

    /// Forgets who is behind a wall.
    #[inline(always)]
    fn hide(&mut self, me: &Me<'_>) {
        let obstacles = me.view.world.obstacles();
        if obstacles.is_empty() {
            return;
        }
        let walls = &mut self.walls;
        walls.clear();
        obstacles.seen(me.pos, SIGHT_M, &mut |edge, _| {
            let edge = obstacles.edge(edge);
            walls.push(Segment { a: edge.from, b: edge.to });
        });
        let hidden = &mut self.hidden;
        hidden.clear();
        hidden.resize(self.x.len(), 0);
        for wall in &*walls {
            behind(wall, me.pos, (&self.x, &self.y), hidden);
        }
        if hidden.iter().all(|&hidden| hidden == 0) {
            return;
        }
        let mut kept = 0;
        for at in 0..self.x.len() {
            if self.hidden[at] == 0 {
                (self.slot[kept], self.x[kept], self.y[kept]) = (self.slot[at], self.x[at], self.y[at]);
                self.bodies[kept] = self.bodies[at];
                kept += 1;
            }
        }
        self.slot.truncate(kept);
        for column in [&mut self.x, &mut self.y, &mut self.bodies] {
            column.truncate(kept);
        }
    }

    /// The gap between the bodies to the first person in the strip ahead, as wide as both, m; infinite if it is free, negative for an overlap.
    #[inline(always)]
    fn gap(&self, way: Vec2) -> f64 {
        let gap = |at: usize| {
            let (x, y, d, bodies) = (self.x[at], self.y[at], self.distance[at], self.bodies[at]);
            let (ahead, aside) = (way.x * x + way.y * y, (way.x * y - way.y * x).abs());
            if (ahead >= 0.0) & (aside <= bodies) { d - bodies } else { f64::INFINITY }
        };
        // Eight at a time: the least of all is the same in any order.
        let (whole, count) = (self.x.len() / 8 * 8, self.x.len());
        let mut least = [f64::INFINITY; 8];
        for first in (0..whole).step_by(8) {
            for (lane, least) in least.iter_mut().enumerate() {
                let gap = gap(first + lane);
                *least = if gap < *least { gap } else { *least };
            }
        }
        let rest = (whole..count).map(gap).fold(f64::INFINITY, f64::min);
        least.iter().copied().fold(rest, f64::min)
    }

    /// Sum of the ways to the others, each times its `push`: in eight partial sums, the same on every CPU.
    #[inline(always)]
    pub fn pushed(&self) -> Vec2 {
        let (whole, count) = (self.x.len() / 8 * 8, self.x.len());
        let (mut x, mut y) = ([0.0; 8], [0.0; 8]);
        for first in (0..whole).step_by(8) {
            for lane in 0..8 {
                let push = self.push[first + lane];
                x[lane] += push * self.x[first + lane];
                y[lane] += push * self.y[first + lane];
            }
        }
        for at in whole..count {
            x[at - whole] += self.push[at] * self.x[at];
            y[at - whole] += self.push[at] * self.y[at];
        }
        Vec2 { x: x.iter().sum(), y: y.iter().sum() }
    }
}

/// Marks to whom the straight way touches a wall; not if both lie on one line.
#[inline(always)]
fn behind(wall: &Segment, from: Vec2, (x, y): (&[f64], &[f64]), hidden: &mut [u64]) {
    let (along, to_a, to_b) = (wall.b - wall.a, wall.a - from, wall.b - from);
    let from_side = along.cross(-to_a);
    for ((&x, &y), hidden) in x.iter().zip(y).zip(hidden) {
        let way = Vec2 { x, y };
        let (to_side, a_side, b_side) = (along.cross(way - to_a), way.cross(to_a), way.cross(to_b));
        let meets = (from_side * to_side <= 0.0) & (a_side * b_side <= 0.0) & (along.cross(way) != 0.0);
        *hidden |= u64::from(meets);
    }
}

/// Where people went in the last step, unit vectors; zero before the first.
#[derive(Clone, Debug, Default)]
struct Heading {
    /// By row.
    own: Vec<Vec2>,
    /// By slot, as it was before the step.
    old: Vec<Vec2>,
}

impl Heading {
    /// Keeps what was before the step, and makes room for newcomers.
    fn freeze(&mut self, view: &View<'_>) {
        self.own.resize(view.crowd.len(), Vec2::ZERO);
        self.old.clear();
        self.old.extend(view.near.row.iter().map(|&row| self.own[row as usize]));
    }

    /// Rows have moved because people left.
    fn remap(&mut self, rows: &RowMap) {
        rows.apply(&mut self.own);
    }
}

#[cfg(test)]
#[path = "ahead_tests.rs"]
pub(super) mod tests;
