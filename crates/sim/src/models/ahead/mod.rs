//! What models share in which people choose a direction, and then a speed by the gap ahead: a loop over everybody who is seen.

mod hidden;
mod me;
mod others;

use super::giving::Giving;
pub(super) use super::headway::Keeps;
use super::keep_off::keep_off;
use crate::crowd::{RowMap, Status, Steering, Update, View};
use crowdtune_core::math::Vec2;
use crowdtune_core::math::lanes::{self, Kernel, Lanes, WIDTH};
use me::Block;
pub(super) use me::{Me, SIGHT_M};
pub(super) use others::{Eight, Others};
use others::{Looking, Sight};

/// Nobody's center comes nearer to a wall, m. Chosen here: JuPedSim ends a run in which somebody leaves the place; this is near enough
/// to change nothing where the wall is respected.
const OFF_WALLS_M: f64 = 0.01;

/// How a model finds a direction.
pub(super) trait Turn {
    /// Looks at everybody before a step, with the direction of each in the last one, by slot.
    fn look(&mut self, _view: &View<'_>, _headings: &[Vec2]) {}

    /// Whether it matters who the others are, and not only where.
    fn asks_who(&self) -> bool;

    /// What the others add to where the person wants to go.
    fn push<L: Lanes>(&self, view: &View<'_>, me: &Me, others: &Others<'_>) -> Vec2;

    /// The direction in which a person goes on who is pushed so, a unit vector or zero.
    fn turn(&self, view: &View<'_>, me: &Me, push: Vec2) -> Vec2;

    /// What the person keeps to who is ahead.
    fn keeps(&self, me: &Me) -> Keeps;
}

/// One run of a model that turns people in its own way.
pub(super) struct Walkers<T> {
    turn: T,
    heading: Heading,
    sight: Sight,
}

/// How much each of eight others counts for somebody, where groups give way differently.
pub(super) fn weights(giving: &Giving, view: &View<'_>, me: &Me, slot: &[u32; WIDTH]) -> Block {
    let group = |slot: u32| view.near.row.get(slot as usize).map(|&row| view.crowd.group[row as usize]);
    slot.map(|slot| group(slot).map_or(1.0, |group| giving.weight(me.group, group)))
}

impl<T> Walkers<T> {
    pub fn new(turn: T) -> Self {
        Self { turn, heading: Heading::default(), sight: Sight::default() }
    }
}

impl<T: Turn + Send> Steering for Walkers<T> {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        let Self { turn, heading, sight } = self;
        heading.freeze(view);
        turn.look(view, &heading.old);
        lanes::run(Walk { turn: &*turn, view, sight, heading, vel: next.vel });
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
    sight: &'a mut Sight,
    heading: &'a mut Heading,
    vel: &'a mut [Vec2],
}

impl<T: Turn> Kernel for Walk<'_, T> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        if self.view.world.plan.periodic.is_open() { self.all::<L, false>() } else { self.all::<L, true>() }
    }
}

impl<T: Turn> Walk<'_, T> {
    #[inline(always)]
    fn all<L: Lanes, const RING: bool>(self) {
        let Self { turn, view, sight, heading, vel } = self;
        let (crowd, near) = (view.crowd, view.near);
        sight.begin(view, turn.asks_who());
        let mut cells = near.cells();
        while let Some((slots, ranges)) = cells.advance() {
            sight.gather::<L, RING>(&slots, &ranges);
            for (nth, slot) in slots.enumerate() {
                let row = near.row[slot] as usize;
                if !view.steers(row) {
                    continue;
                }
                // Who waits, has arrived or is injured stands.
                let desired = view.desired[row];
                if desired == Vec2::ZERO || crowd.status[row] != Status::Walking {
                    vel[row] = Vec2::ZERO;
                    continue;
                }
                let (pos, radius, group) = (near.pos[slot], near.radius[slot], crowd.group[row]);
                let me = Me { slot, row, group, pos, radius, desired, heading: heading.old[slot] };
                sight.find::<L, RING>(view, me, nth);
            }
            // One thing after the other for all: nobody's sums wait for those of the person before.
            sight.measure::<L>(view);
            for looking in &sight.people {
                heading.own[looking.me.row] = turn.push::<L>(view, &looking.me, &sight.of(looking));
            }
            for Looking { me, .. } in &sight.people {
                heading.own[me.row] = turn.turn(view, me, heading.own[me.row]);
            }
            for looking in &sight.people {
                let me = &looking.me;
                let way = heading.own[me.row];
                let Keeps { time_gap, width } = turn.keeps(me);
                let speed =
                    (sight.of(looking).gap::<L>(way, width) / time_gap).max(0.0).min(view.desired_speed(me.row));
                vel[me.row] = keep_off(&view.world.walls, (me.pos, OFF_WALLS_M), way * speed, view.dt);
            }
        }
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
pub(super) mod tests;
