//! Moving everybody, finding who leaves, and what makes a run unhealthy.

use super::setup::RunSetup;
use super::state::{State, TOGETHER};
use super::straight::Straight;
use crate::crowd::health::{CALM_M_PER_S, Health, is_backward, speed_limit};
use crate::crowd::{Crowd, Exit};
use crate::world::scenario::Pull;
use crate::world::{Clearing, Neighbors, few};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::lanes::{self, Kernel, Lanes};
use std::ops::Range;

impl State {
    /// Moves everybody by `p + v dt + shift` and finds who has left: true if nobody did, otherwise `stay` lists the
    /// rows that remain.
    pub(super) fn go(&mut self, setup: &RunSetup, step: u64, health: &mut Health) -> Result<bool, Error> {
        let periodic = setup.scenario.world.plan.periodic;
        let time_s = (step + 1) as f64 * setup.time_step_s;
        let (mut end, all) = (0, self.crowd.len());
        self.clearings.resize(all, Clearing::default());
        let mut all_stay = true;
        while end < all {
            let rows = end..all.min(end + TOGETHER);
            end = rows.end;
            let fastest = self.stride(setup, time_s, &rows)?;
            health.top_speed_m_per_s = health.top_speed_m_per_s.max(fastest);
            all_stay = self.arrive(setup, time_s, &rows, all_stay);
            let pos = &mut self.crowd.pos[rows];
            if periodic.is_open() {
                pos.copy_from_slice(&self.next_pos);
            } else {
                for (pos, &next) in pos.iter_mut().zip(&self.next_pos) {
                    *pos = periodic.wrap(next);
                }
            }
        }
        let crowd = &mut self.crowd;
        std::mem::swap(&mut crowd.vel, &mut self.next_vel);
        std::mem::swap(&mut crowd.pressure, &mut self.pressure);
        std::mem::swap(&mut crowd.status, &mut self.status);
        Ok(all_stay)
    }

    /// Finds where the steps of these people end. Gives the highest speed, m/s.
    ///
    /// # Errors
    /// Somebody is too fast to be trusted, or walks through a wall.
    fn stride(&mut self, setup: &RunSetup, time_s: f64, rows: &Range<usize>) -> Result<f64, Error> {
        let (dt, world) = (setup.time_step_s, &*setup.scenario.world);
        let crowd = &self.crowd;
        self.next_pos.resize(rows.len(), Vec2::ZERO);
        let (pos, vel) = (&crowd.pos[rows.clone()], &self.next_vel[rows.clone()]);
        let through_a_wall = |i: usize, to: Vec2| {
            let (id, Vec2 { x, y }) = (crowd.id[rows.start + i], to);
            Err(Error::nothing(format!("person {id} went through a wall at ({x:.2}, {y:.2}) after {time_s:.2} s")))
        };
        let fastest2 = lanes::run(Stride { pos, vel, dt, next_pos: &mut self.next_pos });
        // Mostly nobody is fast enough to be suspicious, and only walls are left to check.
        if fastest2 <= CALM_M_PER_S * CALM_M_PER_S && self.shift.is_empty() {
            let mut steps = pos.iter().zip(&self.next_pos).zip(&mut self.clearings[rows.clone()]);
            let crossing = match world.walls.segments() {
                [] => None,
                _ => steps.position(|((&from, &to), clearing)| world.walls.crosses_outside(clearing, from, to)),
            };
            return crossing.map_or(Ok(fastest2.sqrt()), |i| through_a_wall(i, self.next_pos[i]));
        }
        if !self.shift.is_empty() {
            for (to, &shift) in self.next_pos.iter_mut().zip(&self.shift[rows.clone()]) {
                *to += shift;
            }
        }
        // Recorded people give nobody way: who is in theirs is pushed aside, and that is not the model's doing.
        let among_recorded = setup.scenario.walks_among_recorded();
        let mut fastest2 = 0.0_f64;
        for (i, &to) in self.next_pos.iter().enumerate() {
            let row = rows.start + i;
            let most = speed_limit(crowd.desired_speed[row], crowd.max_speed[row]);
            let speed2 = vel[i].length2();
            let credible = speed2 <= most * most || time_s <= self.excused[row].until_s || among_recorded;
            // Not `>`: a NaN must fail too.
            if !(credible && to.is_finite()) {
                let speed = vel[i].length();
                let id = crowd.id[row];
                return Err(Error::nothing(format!("person {id} reached {speed:.1} m/s after {time_s:.2} s")));
            }
            if world.walls.crosses(pos[i], to) {
                return through_a_wall(i, to);
            }
            fastest2 = fastest2.max(speed2);
        }
        Ok(fastest2.sqrt())
    }

    /// Moves those of some people who have reached a goal to their next stage, or lets them leave. True if nobody leaves, of them and (`all_stay`)
    /// of those before them; otherwise `stay` has the rows so far that remain.
    fn arrive(&mut self, setup: &RunSetup, time_s: f64, some: &Range<usize>, mut all_stay: bool) -> bool {
        let world = &*setup.scenario.world;
        let as_recorded = setup.scenario.leaves_as_recorded();
        let crowd = &mut self.crowd;
        let mut end = some.start;
        while end < some.end {
            let rows = crowd.alike(&(end..some.end));
            end = rows.end;
            let next_pos = &self.next_pos[rows.start - some.start..rows.end - some.start];
            let of = crowd.group[rows.start] as usize;
            let group = &setup.scenario.groups[of];
            let stages = &self.journeys[of];
            let stage = stages.get(crowd.stage[rows.start] as usize);
            // Mostly they have one door and nobody is past it, or each has a point and nobody is there.
            let nobody = stage.is_some_and(|stage| {
                let from = &crowd.pos[rows.clone()];
                matches!(stage[..], [goal] if world.nobody_is_past(goal, next_pos, &crowd.radius[rows.clone()]))
                    || Straight::nobody_arrives(world, (group, stage), (from, next_pos, &self.rank[rows.clone()]))
            });
            if nobody {
                if !all_stay {
                    self.stay.old.extend(rows);
                }
                continue;
            }
            for (i, &to) in rows.zip(next_pos) {
                let reached = stage.and_then(|stage| {
                    let mut choice = group.choice(stage, self.rank[i] as usize).iter();
                    choice.find(|&&g| world.reached(g, crowd.pos[i], to, crowd.radius[i]))
                });
                let mut left = None;
                // People of tracks go when they are not seen any more. Until then they want what the last stage says: on, out of a
                // door, or to stay.
                let goes_on = || as_recorded && crowd.stage[i] as usize + 1 == stages.len() && !group.rounds;
                if let Some(&goal) = reached.filter(|_| !goes_on()) {
                    crowd.stage[i] += 1;
                    if crowd.stage[i] as usize == stages.len() {
                        if group.rounds {
                            crowd.stage[i] = 0;
                        } else {
                            left = Some(goal);
                        }
                    }
                }
                if left.is_some() {
                    let (id, group) = (crowd.id[i], crowd.group[i]);
                    self.exits.push(Exit { id, group, goal: left, caught: false, time_s, pos: to });
                    if all_stay {
                        all_stay = false;
                        self.stay.old.clear();
                        self.stay.old.extend(0..i);
                    }
                } else if !all_stay {
                    self.stay.old.push(i);
                }
            }
        }
        all_stay
    }

    /// Counts who walks backwards. People without a goal or a heading of their own (who follow a group, run away from one, or search
    /// for a door) have no way that is backwards.
    pub(super) fn look_back(&self, setup: &RunSetup, health: &mut Health) {
        let crowd = &self.crowd;
        // Nobody has a way before the first own step.
        for (i, &sees) in self.sees_goal.iter().take(crowd.len()).enumerate() {
            let group = &setup.scenario.groups[usize::from(crowd.group[i])];
            let goes = !group.stages.is_empty() || matches!(group.pull, Pull::Heading(_));
            let own = goes && !self.chase.is_afraid(i);
            let way = crowd.desired[i];
            if own && sees && way != Vec2::ZERO {
                health.walking_samples += 1;
                health.backward_samples += u64::from(is_backward(crowd.vel[i].dot(way)));
            }
        }
    }

    pub(super) fn look_for_overlap(&mut self, setup: &RunSetup, health: &mut Health) -> Result<(), Error> {
        let Self { crowd, near, excused, .. } = self;
        overlaps(crowd, near, setup, |i, j, share| {
            if share > excused[i].share.min(excused[j].share) {
                health.max_overlap_share = health.max_overlap_share.max(share);
            }
        });
        if health.max_overlap_share > setup.max_overlap_share {
            return Err(Error::nothing(format!(
                "two people overlap by {:.0} % of the smaller radius (limit {:.0} %)",
                100.0 * health.max_overlap_share,
                100.0 * setup.max_overlap_share
            )));
        }
        Ok(())
    }
}

/// Steps of everybody, `p + v dt`. Gives the square of the highest speed, m2/s2; infinite if one is not a number.
struct Stride<'a> {
    pos: &'a [Vec2],
    vel: &'a [Vec2],
    dt: f64,
    next_pos: &'a mut [Vec2],
}

impl Kernel for Stride<'_> {
    type Out = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        let (mut fastest2, mut are_numbers) = (0.0, true);
        for ((&pos, &vel), next) in self.pos.iter().zip(self.vel).zip(self.next_pos) {
            *next = pos + vel * self.dt;
            let speed2 = vel.length2();
            are_numbers &= speed2 < f64::INFINITY;
            fastest2 = if speed2 > fastest2 { speed2 } else { fastest2 };
        }
        if are_numbers { fastest2 } else { f64::INFINITY }
    }
}

/// Calls `each` with two rows and their overlap as a share of the smaller radius, for every two people who overlap.
pub(super) fn overlaps(crowd: &Crowd, near: &mut Neighbors, setup: &RunSetup, mut each: impl FnMut(usize, usize, f64)) {
    let (pos, radius, periodic) = (&crowd.pos, &crowd.radius, setup.scenario.world.plan.periodic);
    let mut look = |a: usize, b: usize| {
        let touch = radius[a] + radius[b];
        let d2 = periodic.apart(pos[a], pos[b]).length2();
        if d2 < touch * touch {
            each(a, b, (touch - d2.sqrt()) / radius[a].min(radius[b]));
        }
    };
    if few::suits(crowd.len(), &periodic) {
        return few::touching(pos, radius, look);
    }
    let largest = radius.iter().fold(0.0_f64, |a, &r| a.max(r));
    near.build(2.0 * largest, periodic, pos, &crowd.vel, radius);
    for slot in 0..near.len() {
        for other in near.around(near.pos[slot]).into_iter().flatten() {
            if other > slot {
                look(near.row[slot] as usize, near.row[other] as usize);
            }
        }
    }
}
