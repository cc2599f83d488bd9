//! One run of a scenario: one thread, no allocation per step.

mod inflow;
mod memory;
mod moves;
mod restart;
mod start;
mod ways;

use super::health::Health;
use super::people::Traits;
use super::trajectory::Trajectory;
use super::{Crowd, Next, RowMap, Status, Steering, View};
use crate::world::scenario::{Scenario, Stage};
use crate::world::{Neighbors, World};
use crowdtune_core::math::Vec2;
use crowdtune_core::math::rng::Seed;
use inflow::Inflow;
pub use memory::Memory;

/// What a run needs besides the model.
#[derive(Clone, Copy, Debug)]
pub struct RunSetup<'a> {
    /// Place, groups and limits.
    pub scenario: &'a Scenario,
    /// Traits of each group, in the order of the scenario.
    pub traits: &'a [Traits],
    /// Step, s.
    pub time_step_s: f64,
    /// Interval of samples, s.
    pub sample_every_s: f64,
    /// Overlap, as a share of the smaller radius, beyond which the run is unhealthy.
    pub max_overlap_share: f64,
    /// Seed of the run.
    pub seed: Seed,
}

/// Somebody who has left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exit {
    /// Who.
    pub id: u32,
    /// Group of the person.
    pub group: u16,
    /// Through which goal (index into the world's goals); `None` in a recording, which does not tell.
    pub goal: Option<usize>,
    /// When, s.
    pub time_s: f64,
    /// Where the centre was then.
    pub pos: Vec2,
}

/// People placed and ready to walk; the model is made from them (largest radius, smallest mass).
#[derive(Debug)]
pub struct Simulation<'a> {
    setup: RunSetup<'a>,
    crowd: Crowd,
    journeys: Vec<Vec<Stage>>,
    /// Direction kept by who sees no goal.
    heading: Vec<Vec2>,
    /// Number of the person in the group, from 0.
    rank: Vec<u32>,
    desired: Vec<Vec2>,
    sees_goal: Vec<bool>,
    next_pos: Vec<Vec2>,
    next_vel: Vec<Vec2>,
    shift: Vec<Vec2>,
    pressure: Vec<f64>,
    status: Vec<Status>,
    near: Neighbors,
    stay: RowMap,
    exits: Vec<Exit>,
    distance: Vec<f64>,
    /// Middle of each group that others follow.
    middles: Vec<Option<Vec2>>,
    /// Who has yet to come in, one line of people per group with an inflow.
    lines: Vec<Inflow>,
    next_id: u32,
}

impl<'a> Simulation<'a> {
    /// The people.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Runs to the end. `sample` is called at time 0 and every `sample_every_s`, and once at the end, with the time
    /// and who has left since the last call.
    ///
    /// # Errors
    /// Why the run cannot be trusted (an unhealthy run).
    pub fn run(
        &mut self,
        model: &mut dyn Steering,
        sample: &mut dyn FnMut(f64, &Crowd, &[Exit]),
        mut record: Option<&mut Trajectory>,
    ) -> Result<Health, String> {
        let dt = self.setup.time_step_s;
        let scenario = self.setup.scenario;
        let limit = steps(scenario.limit_s, dt);
        let sample_every = steps(self.setup.sample_every_s, dt);
        let record_every = record.as_ref().map_or(u64::MAX, |t| steps(t.every_s, dt));
        let give_up = scenario.give_up_s.map_or(u64::MAX, |s| steps(s, dt));
        let restart = scenario.tracks.as_ref().and_then(|t| t.restart_every_s).map_or(u64::MAX, |s| steps(s, dt));
        let mut health = Health::default();
        self.restart(0.0);
        let mut last_left = 0;
        let mut told = 0;

        if let Some(track) = &mut record {
            track.begin(&self.crowd);
            track.frame(0.0, &self.crowd);
        }
        self.look_for_overlap(&mut health)?;
        sample(0.0, &self.crowd, &[]);
        let mut step = 0;
        while step < limit && !self.is_over() && step - last_left < give_up {
            if step > 0 && step.is_multiple_of(restart) {
                self.restart(step as f64 * dt);
            }
            let before = self.exits.len();
            self.let_in(step as f64 * dt, record.as_deref_mut());
            self.step(model, step, &mut health)?;
            step += 1;
            let time = step as f64 * dt;
            if self.exits.len() > before || !self.may_give_up() {
                last_left = step;
            }
            if step.is_multiple_of(sample_every) {
                self.look_for_overlap(&mut health)?;
                sample(time, &self.crowd, &self.exits[told..]);
                told = self.exits.len();
            }
            if let Some(track) = &mut record
                && step.is_multiple_of(record_every)
            {
                track.frame(time, &self.crowd);
            }
        }
        health.end_s = step as f64 * dt;
        health.people_left = self.crowd.len() as u64;
        if !step.is_multiple_of(sample_every) {
            sample(health.end_s, &self.crowd, &self.exits[told..]);
        }
        if let Some(track) = record {
            track.end(&self.exits);
        }
        Ok(health)
    }

    /// One step: where to go, the model, move, who has left.
    ///
    /// # Errors
    /// Why the run cannot be trusted.
    pub fn step(&mut self, model: &mut dyn Steering, step: u64, health: &mut Health) -> Result<(), String> {
        let dt = self.setup.time_step_s;
        let world: &World = &self.setup.scenario.world;
        self.find_middles(world);
        self.find_ways(world, step as f64 * dt);
        self.find_distances(world, model.needs_distance());
        let periodic = world.plan.periodic;
        if model.looks_around() {
            self.near.build(model.reach_m(), periodic, &self.crowd.pos, &self.crowd.vel, &self.crowd.radius);
        } else {
            self.near.build(1.0, periodic, &[], &[], &[]);
        }
        self.shift.clear();
        self.pressure.fill(0.0);
        self.status.clear();
        self.status.extend_from_slice(&self.crowd.status);
        let view = View {
            crowd: &self.crowd,
            near: &self.near,
            world,
            desired: &self.desired,
            sees_goal: &self.sees_goal,
            distance: &self.distance,
            wished: &[],
            dt,
            step,
        };
        let mut next = Next {
            vel: &mut self.next_vel,
            shift: &mut self.shift,
            pressure: &mut self.pressure,
            status: &mut self.status,
        };
        model.steer(&view, &mut next);
        health.steps += 1;
        health.agent_steps += self.crowd.len() as u64;
        if !self.go(world, step, health)? {
            model.remap(&self.stay);
            self.compact();
        }
        Ok(())
    }

    fn compact(&mut self) {
        let map = &self.stay;
        self.crowd.compact(map);
        map.apply(&mut self.heading);
        map.apply(&mut self.rank);
        map.apply(&mut self.desired);
        map.apply(&mut self.sees_goal);
        map.apply(&mut self.next_vel);
        map.apply(&mut self.pressure);
    }
}

/// A time as a number of steps, at least one.
fn steps(time_s: f64, dt: f64) -> u64 {
    ((time_s / dt).round() as u64).max(1)
}

#[cfg(test)]
mod tests;
