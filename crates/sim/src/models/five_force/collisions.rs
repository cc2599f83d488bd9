//! Collision strategies (Table 3.1): steps into people or walls are replaced, so that nobody ever overlaps.

use super::trace::Trace;
use super::turning::{Limit, rotate};
use crate::crowd::View;
use crate::world::Walls;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::Settings;
use std::f64::consts::FRAC_1_SQRT_2 as HALF;

/// Bodies may touch; an overlap up to this is rounding, m. Chosen here: a tenth of what the promise allows.
const SLACK_M: f64 = 1e-10;
/// The alignment strategy slows people down; below this share of the speed it does not count as a step. Chosen here: a
/// tenth, because in a standing crowd everybody would copy the others forever.
const LEAST_SHARE: f64 = 0.1;

/// Names of the sets of directions.
pub(super) static DIRECTIONS: &[&str] = &["four_forward", "four_diagonal", "seven"];

/// Turns of the sets, left before right, as unit vectors.
static TURNS: [&[Vec2]; 3] = [
    &[vec2(HALF, HALF), vec2(HALF, -HALF), vec2(0.0, 1.0), vec2(0.0, -1.0)],
    &[vec2(HALF, HALF), vec2(HALF, -HALF), vec2(-HALF, HALF), vec2(-HALF, -HALF)],
    &[
        vec2(HALF, HALF),
        vec2(HALF, -HALF),
        vec2(0.0, 1.0),
        vec2(0.0, -1.0),
        vec2(-HALF, HALF),
        vec2(-HALF, -HALF),
        vec2(-1.0, 0.0),
    ],
];

/// Somebody about to step.
pub(super) struct Mover<'a> {
    /// Row in the crowd.
    pub(super) row: usize,
    /// Velocity that forces and turn limit give, m/s.
    pub(super) wanted: Vec2,
    /// Where the person faced before the step.
    pub(super) heading: Vec2,
    /// Turn limit of the step, rad.
    pub(super) most: Limit,
    /// Mean velocity of the seen neighbors, m/s.
    pub(super) group_vel: Vec2,
    /// How far the person sees, m.
    pub(super) range: f64,
    /// Gap that the person keeps to those ahead, m.
    pub(super) clearance: f64,
    /// Slots of those who may be near enough to be in the way, at the start of the step.
    pub(super) around: &'a [u32],
}

/// What a step leads into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hit {
    Person,
    Wall,
}

/// The places of a step while people go one after the other.
pub(super) struct Collisions {
    respect_turn: bool,
    pedestrian_turns: &'static [Vec2],
    wall_turns: &'static [Vec2],
    traces: Vec<Trace>,
    /// New places of those who have gone, old ones of the others, by row.
    place: Vec<Vec2>,
    /// Places of those who can be in the way of one person, and how near a step may come.
    close: Vec<(Vec2, f64)>,
    /// Largest radius and fastest speed of the step.
    radius: f64,
    fastest: f64,
}

impl Collisions {
    /// For a scenario with `groups` groups.
    pub(super) fn new(settings: &Settings<'_>, groups: usize) -> Self {
        let turns = |key: &str| TURNS[settings.get(key) as usize];
        Self {
            respect_turn: settings.on("strategies_respect_turn_limit"),
            pedestrian_turns: turns("pedestrian_directions"),
            wall_turns: turns("wall_directions"),
            traces: vec![Trace::new(); groups],
            place: Vec::new(),
            close: Vec::new(),
            radius: 0.0,
            fastest: 0.0,
        }
    }

    /// Begins a step in which nobody is faster than `fastest`, m/s.
    pub(super) fn begin(&mut self, view: &View<'_>, fastest: f64) {
        self.place.clear();
        self.place.extend_from_slice(&view.crowd.pos);
        self.radius = view.crowd.radius.iter().fold(0.0, |m, &r| m.max(r));
        self.fastest = fastest;
        Trace::record(&mut self.traces, view);
    }

    /// The velocity of a step that leads into nobody and nothing: the wanted one, else the first strategy of Table 3.1
    /// that gives one. A step may leave an overlap, but not deepen it. The person goes.
    pub(super) fn step(&mut self, view: &View<'_>, mover: &Mover<'_>) -> Vec2 {
        let wanted = mover.wanted;
        if wanted == Vec2::ZERO {
            return wanted;
        }
        self.find_close(view, mover);
        let vel = match self.hit(view, mover.row, wanted) {
            None => wanted,
            Some(Hit::Person) => self
                .aligned(view, mover)
                .or_else(|| self.turned(view, mover, self.pedestrian_turns))
                .unwrap_or(Vec2::ZERO),
            Some(Hit::Wall) => {
                self.traced(view, mover).or_else(|| self.turned(view, mover, self.wall_turns)).unwrap_or(Vec2::ZERO)
            }
        };
        self.place[mover.row] = view.world.step_to(self.place[mover.row], vel, view.dt);
        vel
    }

    /// Fills `close`.
    fn find_close(&mut self, view: &View<'_>, mover: &Mover<'_>) {
        let (crowd, near) = (view.crowd, view.near);
        let (p, r) = (self.place[mover.row], crowd.radius[mover.row]);
        let steps = (mover.wanted.length() + self.fastest) * view.dt;
        let reach = r + self.radius + mover.clearance + steps;
        self.close.clear();
        let mut look = |slot: usize| {
            let row = near.row[slot] as usize;
            // The grid has the places at the start of the step.
            if row != mover.row && near.apart(p, near.pos[slot]).length2() <= reach * reach {
                let way = near.apart(p, self.place[row]);
                let gap = if is_ahead(view, mover.row, row, way) { mover.clearance } else { 0.0 };
                self.close.push((self.place[row], (r + near.radius[slot] + gap - SLACK_M).min(way.length())));
            }
        };
        // The grid is built for what people see, which can be less than long steps of small bodies.
        if reach <= near.reach() {
            mover.around.iter().map(|&slot| slot as usize).for_each(&mut look);
        } else {
            (0..near.len()).for_each(&mut look);
        }
    }

    /// What a step leads into, walls first.
    fn hit(&self, view: &View<'_>, row: usize, vel: Vec2) -> Option<Hit> {
        let (p, r) = (self.place[row], view.crowd.radius[row]);
        let (walls, to) = (&view.world.walls, view.world.step_to(p, vel, view.dt));
        let way = vel * view.dt;
        if walls.crosses(p, p + way) || gap(walls, to, r) < gap(walls, p, r).min(r - SLACK_M) {
            return Some(Hit::Wall);
        }
        let jumps = way.length() > r;
        let meets = |&(place, least): &(Vec2, f64)| {
            view.near.apart(to, place).length() < least || (jumps && nearest(view.near.apart(p, place), way) < least)
        };
        self.close.iter().any(meets).then_some(Hit::Person)
    }

    /// The velocity, if a step with it is free and it does not turn too far.
    fn free(&self, view: &View<'_>, mover: &Mover<'_>, vel: Vec2) -> Option<Vec2> {
        let turn_is_small = || vel.unit().is_some_and(|to| mover.heading.dot(to) >= mover.most.edge.x);
        ((!self.respect_turn || turn_is_small()) && self.hit(view, mover.row, vel).is_none()).then_some(vel)
    }

    /// 3.3.1: the alignment force added to the velocity gives that of the group; no faster than before.
    fn aligned(&self, view: &View<'_>, mover: &Mover<'_>) -> Option<Vec2> {
        let speed = mover.wanted.length();
        let vel = super::forces::limited(mover.group_vel, speed);
        let goes_on = vel.dot(mover.wanted) >= LEAST_SHARE * speed * speed;
        if goes_on { self.free(view, mover, vel) } else { None }
    }

    /// 3.3.2 and 3.3.4: the free one of some directions that ends nearest to the goal; the first of equal ones.
    fn turned(&self, view: &View<'_>, mover: &Mover<'_>, turns: &[Vec2]) -> Option<Vec2> {
        let desired = view.desired[mover.row];
        let mut best: Option<(f64, Vec2)> = None;
        for &turn in turns {
            let vel = rotate(mover.wanted, turn);
            // All steps are equally long: the one that goes farthest along the way ends nearest to the goal.
            let gain = vel.dot(desired);
            if best.is_none_or(|(most, _)| gain > most) && self.free(view, mover, vel).is_some() {
                best = Some((gain, vel));
            }
        }
        best.map(|(_, vel)| vel)
    }

    /// 3.3.3: along the trace of the group.
    fn traced(&self, view: &View<'_>, mover: &Mover<'_>) -> Option<Vec2> {
        let trace = &self.traces[view.crowd.group[mover.row] as usize];
        let way = trace.way(view, mover.row, mover.heading, mover.range)?;
        self.free(view, mover, way * (mover.wanted.length() / way.length()))
    }
}

/// True if another person, this way away, is ahead: farther along the way that the two of them go, the first one in the
/// crowd where neither is. Of two people one is ahead, so a gap that is kept to those ahead holds up only one of them.
fn is_ahead(view: &View<'_>, row: usize, other: usize, way: Vec2) -> bool {
    let along = way.dot(view.desired[row] + view.desired[other]);
    along > 0.0 || (along == 0.0 && other < row)
}

/// Distance to the nearest wall, m, or the radius where it is larger.
fn gap(walls: &Walls, p: Vec2, radius: f64) -> f64 {
    let mut gap = radius;
    walls.contacts(p, radius, &mut |wall| gap = gap.min(wall.distance));
    gap
}

/// Smallest distance of a point at `apart` from a straight step that starts at the origin, m.
fn nearest(apart: Vec2, step: Vec2) -> f64 {
    let along = (apart.dot(step) / step.length2()).clamp(0.0, 1.0);
    (apart - step * along).length()
}

#[cfg(test)]
#[path = "collisions_tests.rs"]
mod tests;
