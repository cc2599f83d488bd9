//! One run of a scenario: one thread, no allocation per step.

use super::health::{Health, speed_limit};
use super::people::Traits;
use super::trajectory::Trajectory;
use super::{Crowd, Next, RowMap, Status, Steering, View};
use crate::Error;
use crate::math::rng::{self, Seed};
use crate::math::{Vec2, vec2};
use crate::world::scenario::{Scenario, Stage};
use crate::world::{Neighbors, World, spawn};

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
    /// Through which goal (index into the world's goals).
    pub goal: usize,
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
    desired: Vec<Vec2>,
    sees_goal: Vec<bool>,
    next_vel: Vec<Vec2>,
    shift: Vec<Vec2>,
    pressure: Vec<f64>,
    status: Vec<Status>,
    near: Neighbors,
    stay: RowMap,
    exits: Vec<Exit>,
}

impl<'a> Simulation<'a> {
    /// Draws the traits and places everybody.
    ///
    /// Each trait has its own stream, so fixing one does not shift another.
    ///
    /// # Errors
    /// If the people do not fit into their starting area.
    pub fn new(setup: RunSetup<'a>) -> Result<Self, Error> {
        let scenario = setup.scenario;
        let mut crowd = Crowd::default();
        let mut taken: Vec<(Vec2, f64)> = Vec::new();
        for (g, group) in scenario.groups.iter().enumerate() {
            let traits = &setup.traits[g];
            let stream = |meaning: &str| setup.seed.child(meaning, g as u64).rng();
            let draw = |d: super::people::Distribution, meaning: &str| -> Vec<f64> {
                let mut rng = stream(meaning);
                (0..group.count).map(|_| d.draw(&mut rng)).collect()
            };
            let radius = draw(traits.radius, "radius");
            let place = spawn::place(&group.spawn, &radius, &scenario.world, &taken, &mut stream("place"))
                .map_err(|e| e.under(&format!("group.{}", group.name)).key(format!("group.{}", group.name)))?;
            taken.extend(place.iter().copied().zip(radius.iter().copied()));
            let first = crowd.len() as u32;
            crowd.id.extend(first..first + group.count as u32);
            crowd.pos.extend(place);
            crowd.radius.extend(radius);
            crowd.mass.extend(draw(traits.mass, "mass"));
            crowd.desired_speed.extend(draw(traits.desired_speed, "desired speed"));
            crowd.max_speed.extend(draw(traits.max_speed, "max speed"));
            crowd.start_s.extend(draw(traits.start, "start"));
            crowd.group.extend(std::iter::repeat_n(g as u16, group.count));
        }
        let n = crowd.len();
        crowd.vel = vec![Vec2::ZERO; n];
        crowd.stage = vec![0; n];
        crowd.status = vec![Status::Waiting; n];
        crowd.pressure = vec![0.0; n];
        Ok(Self::of(setup, crowd))
    }

    /// A run that starts with a given crowd, for workloads and tests.
    pub fn of(setup: RunSetup<'a>, crowd: Crowd) -> Self {
        let n = crowd.len();
        let heading = (0..n as u64)
            .map(|i| {
                let angle = std::f64::consts::TAU * rng::unit(&mut setup.seed.child("heading", i).rng());
                vec2(libm::cos(angle), libm::sin(angle))
            })
            .collect();
        Self {
            journeys: setup.scenario.groups.iter().map(|g| setup.scenario.world.journey(g)).collect(),
            heading,
            desired: vec![Vec2::ZERO; n],
            sees_goal: vec![true; n],
            next_vel: vec![Vec2::ZERO; n],
            shift: vec![Vec2::ZERO; n],
            pressure: vec![0.0; n],
            status: Vec::with_capacity(n),
            near: Neighbors::default(),
            stay: RowMap { old: Vec::with_capacity(n) },
            exits: Vec::with_capacity(n),
            setup,
            crowd,
        }
    }

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
        let mut health = Health::default();
        let mut last_left = 0;
        let mut told = 0;

        if let Some(track) = &mut record {
            track.begin(&self.crowd);
            track.frame(0.0, &self.crowd);
        }
        self.look_for_overlap(&mut health)?;
        sample(0.0, &self.crowd, &[]);
        let mut step = 0;
        while step < limit && !self.crowd.is_empty() && step - last_left < give_up {
            let before = self.exits.len();
            self.step(model, step, &mut health)?;
            step += 1;
            let time = step as f64 * dt;
            if self.exits.len() > before {
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
        self.find_ways(world, step as f64 * dt);
        self.near.build(model.reach_m(), &self.crowd.pos, &self.crowd.vel, &self.crowd.radius);
        self.shift.fill(Vec2::ZERO);
        self.pressure.fill(0.0);
        self.status.clear();
        self.status.extend_from_slice(&self.crowd.status);
        let view = View {
            crowd: &self.crowd,
            near: &self.near,
            world,
            desired: &self.desired,
            sees_goal: &self.sees_goal,
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
        self.go(world, step, health)?;
        if self.stay.old.len() < self.crowd.len() {
            model.remap(&self.stay);
            self.compact();
        }
        Ok(())
    }

    /// Desired directions: towards the nearest goal in sight, else the kept heading.
    fn find_ways(&mut self, world: &World, time_s: f64) {
        let crowd = &mut self.crowd;
        for i in 0..crowd.len() {
            if crowd.status[i] == Status::Waiting && crowd.start_s[i] <= time_s {
                crowd.status[i] = Status::Walking;
            }
            let (pos, radius) = (crowd.pos[i], crowd.radius[i]);
            let stages = &self.journeys[crowd.group[i] as usize];
            let Some(stage) = stages.get(crowd.stage[i] as usize) else {
                (self.desired[i], self.sees_goal[i]) = (Vec2::ZERO, true);
                continue;
            };
            (self.desired[i], self.sees_goal[i]) = match world.choose(stage, pos) {
                Some(goal) => {
                    let way = world.toward(goal, pos, radius);
                    self.heading[i] = way;
                    (way, true)
                }
                None => {
                    self.heading[i] = world.reflect(pos, radius, self.heading[i]);
                    (self.heading[i], false)
                }
            };
            if crowd.status[i] != Status::Walking {
                self.desired[i] = Vec2::ZERO;
            }
        }
    }

    /// Moves everybody by `p + v dt + shift` and finds who has left; fills `stay`.
    fn go(&mut self, world: &World, step: u64, health: &mut Health) -> Result<(), String> {
        let dt = self.setup.time_step_s;
        let time_s = (step + 1) as f64 * dt;
        let crowd = &mut self.crowd;
        self.stay.old.clear();
        for i in 0..crowd.len() {
            let (from, vel) = (crowd.pos[i], self.next_vel[i]);
            let to = from + vel * dt + self.shift[i];
            let speed = vel.length();
            // Not `>`: a NaN has to fail too.
            if !(speed <= speed_limit(crowd.desired_speed[i], crowd.max_speed[i]) && to.is_finite()) {
                return Err(format!("person {} reached {speed:.1} m/s after {time_s:.2} s", crowd.id[i]));
            }
            if world.walls.crosses(from, to) {
                return Err(format!(
                    "person {} went through a wall at ({:.2}, {:.2}) after {time_s:.2} s",
                    crowd.id[i], to.x, to.y
                ));
            }
            health.top_speed_m_per_s = health.top_speed_m_per_s.max(speed);
            crowd.pos[i] = to;
            crowd.vel[i] = vel;
            crowd.pressure[i] = self.pressure[i];
            crowd.status[i] = self.status[i];
            let stages = &self.journeys[crowd.group[i] as usize];
            let mut left = None;
            if let Some(stage) = stages.get(crowd.stage[i] as usize)
                && let Some(&goal) = stage.iter().find(|&&g| world.reached(g, from, to, crowd.radius[i]))
            {
                crowd.stage[i] += 1;
                left = (crowd.stage[i] as usize == stages.len()).then_some(goal);
            }
            match left {
                Some(goal) => {
                    self.exits.push(Exit { id: crowd.id[i], group: crowd.group[i], goal, time_s, pos: to });
                }
                None => self.stay.old.push(i),
            }
        }
        Ok(())
    }

    fn compact(&mut self) {
        let map = &self.stay;
        self.crowd.compact(map);
        map.apply(&mut self.heading);
        map.apply(&mut self.desired);
        map.apply(&mut self.sees_goal);
        map.apply(&mut self.next_vel);
        map.apply(&mut self.shift);
        map.apply(&mut self.pressure);
    }

    fn look_for_overlap(&mut self, health: &mut Health) -> Result<(), String> {
        let crowd = &self.crowd;
        let largest = crowd.radius.iter().fold(0.0_f64, |a, &r| a.max(r));
        self.near.build(2.0 * largest, &crowd.pos, &crowd.vel, &crowd.radius);
        let near = &self.near;
        for slot in 0..near.len() {
            for other in near.around(near.pos[slot]).into_iter().flatten() {
                let touch = near.radius[slot] + near.radius[other];
                let d2 = (near.pos[slot] - near.pos[other]).length2();
                if other > slot && d2 < touch * touch {
                    let share = (touch - d2.sqrt()) / near.radius[slot].min(near.radius[other]);
                    health.max_overlap_share = health.max_overlap_share.max(share);
                }
            }
        }
        if health.max_overlap_share > self.setup.max_overlap_share {
            return Err(format!(
                "two people overlap by {:.0} % of the smaller radius (limit {:.0} %)",
                100.0 * health.max_overlap_share,
                100.0 * self.setup.max_overlap_share
            ));
        }
        Ok(())
    }
}

/// A time as a number of steps, at least one.
fn steps(time_s: f64, dt: f64) -> u64 {
    ((time_s / dt).round() as u64).max(1)
}
