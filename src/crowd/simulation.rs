//! One run of a scenario: one thread, no allocation per step.

use super::health::{Health, speed_limit};
use super::people::Traits;
use super::trajectory::Trajectory;
use super::{Crowd, Next, RowMap, Status, Steering, View};
use crate::Error;
use crate::math::rng::{self, ChaCha8Rng, Seed};
use crate::math::{Vec2, vec2};
use crate::world::scenario::{Goal, Polygon, Pull, Scenario, Stage};
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
    /// Number of the person in the group, from 0.
    rank: Vec<u32>,
    desired: Vec<Vec2>,
    sees_goal: Vec<bool>,
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

/// People in front of the place, in the order in which they come in.
#[derive(Debug)]
struct Inflow {
    group: u16,
    per_s: f64,
    area: Polygon,
    rng: ChaCha8Rng,
    /// Number of those who are in.
    entered: usize,
    radius: Vec<f64>,
    mass: Vec<f64>,
    desired_speed: Vec<f64>,
    max_speed: Vec<f64>,
    start_s: Vec<f64>,
}

/// Trial places of who comes in, per step. Chosen here: enough to find a gap in a crowd of 2 persons/m2, cheap where
/// there is none.
const TRIES_TO_ENTER: usize = 10;

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
        let mut lines = Vec::new();
        for (g, group) in scenario.groups.iter().enumerate() {
            let traits = &setup.traits[g];
            let stream = |meaning: &str| setup.seed.child(meaning, g as u64).rng();
            let draw = |d: super::people::Distribution, meaning: &str| -> Vec<f64> {
                let mut rng = stream(meaning);
                (0..group.count).map(|_| d.draw(&mut rng)).collect()
            };
            let radius = draw(traits.radius, "radius");
            if let Some(per_s) = group.inflow_per_s {
                lines.push(Inflow {
                    group: g as u16,
                    per_s,
                    area: group.spawn.area().cloned().ok_or_else(|| {
                        Error::input("people who come in during the run need an area to come in at, not points")
                            .key(format!("group.{}.from", group.name))
                    })?,
                    rng: stream("place"),
                    entered: 0,
                    mass: draw(traits.mass, "mass"),
                    desired_speed: draw(traits.desired_speed, "desired speed"),
                    max_speed: draw(traits.max_speed, "max speed"),
                    start_s: draw(traits.start, "start"),
                    radius,
                });
                continue;
            }
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
        let mut simulation = Self::of(setup, crowd);
        simulation.lines = lines;
        Ok(simulation)
    }

    /// A run that starts with a given crowd, for workloads and tests.
    pub fn of(setup: RunSetup<'a>, crowd: Crowd) -> Self {
        let n = crowd.len();
        let heading = (0..n as u32).map(|id| first_heading(setup.seed, id)).collect();
        Self {
            journeys: setup.scenario.groups.iter().map(|g| setup.scenario.world.journey(g)).collect(),
            heading,
            rank: ranks(&crowd.group),
            desired: vec![Vec2::ZERO; n],
            sees_goal: vec![true; n],
            next_vel: vec![Vec2::ZERO; n],
            shift: vec![Vec2::ZERO; n],
            pressure: vec![0.0; n],
            status: Vec::with_capacity(n),
            near: Neighbors::default(),
            stay: RowMap { old: Vec::with_capacity(n) },
            exits: Vec::with_capacity(n),
            distance: Vec::new(),
            middles: Vec::new(),
            lines: Vec::new(),
            next_id: n as u32,
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
        while step < limit && !self.is_over() && step - last_left < give_up {
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
        self.near.build(model.reach_m(), periodic, &self.crowd.pos, &self.crowd.vel, &self.crowd.radius);
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
            distance: &self.distance,
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
            let group = &self.setup.scenario.groups[crowd.group[i] as usize];
            let stages = &self.journeys[crowd.group[i] as usize];
            let stage = stages.get(crowd.stage[i] as usize);
            let chosen = stage.map(|stage| world.choose(group.choice(stage, self.rank[i] as usize), pos));
            (self.desired[i], self.sees_goal[i]) = match (chosen, group.pull) {
                (Some(Some(goal)), _) => {
                    let way = world.toward(goal, pos, radius);
                    self.heading[i] = way;
                    (way, true)
                }
                (Some(None), _) => {
                    self.heading[i] = world.reflect(pos, radius, self.heading[i]);
                    (self.heading[i], false)
                }
                (None, Pull::Nothing) => (Vec2::ZERO, true),
                (None, Pull::Heading(way)) => (way, true),
                (None, Pull::Group(group)) => {
                    let middle = self.middles[group];
                    (middle.and_then(|m| world.apart(pos, m).unit()).unwrap_or(Vec2::ZERO), true)
                }
                (None, Pull::Point { at, radius_m }) => {
                    let way = world.apart(pos, at);
                    let away = Some(way).filter(|way| way.length() > radius_m);
                    (away.and_then(Vec2::unit).unwrap_or(Vec2::ZERO), true)
                }
            };
            if crowd.status[i] != Status::Walking {
                self.desired[i] = Vec2::ZERO;
            }
        }
    }

    /// Middles of the groups that others follow: the mean place, in a periodic place around the first member.
    fn find_middles(&mut self, world: &World) {
        let groups = &self.setup.scenario.groups;
        if !groups.iter().any(|g| matches!(g.pull, Pull::Group(_))) {
            return;
        }
        self.middles.clear();
        self.middles.resize(groups.len(), None);
        for group in groups {
            let Pull::Group(followed) = group.pull else { continue };
            let crowd = &self.crowd;
            let members = || (0..crowd.len()).filter(|&i| crowd.group[i] as usize == followed);
            let Some(first) = members().next() else { continue };
            let first = crowd.pos[first];
            let sum = members().fold(Vec2::ZERO, |sum, i| sum + world.apart(first, crowd.pos[i]));
            self.middles[followed] = Some(world.plan.periodic.wrap(first + sum / members().count() as f64));
        }
    }

    /// How far everybody has to go, for a model that asks.
    fn find_distances(&mut self, world: &World, needed: bool) {
        self.distance.clear();
        if !needed {
            return;
        }
        let crowd = &self.crowd;
        for i in 0..crowd.len() {
            let group = &self.setup.scenario.groups[crowd.group[i] as usize];
            let stages = &self.journeys[crowd.group[i] as usize];
            let at = crowd.stage[i] as usize;
            self.distance.push(match (stages.get(at), group.pull) {
                // Only a point at the end of the way is arrived at; everywhere else people pass on.
                (Some(stage), _) if at + 1 == stages.len() => {
                    match world.choose(group.choice(stage, self.rank[i] as usize), crowd.pos[i]) {
                        Some(goal) if matches!(world.goals()[goal].what, Goal::Point { .. }) => {
                            world.distance_to(goal, crowd.pos[i])
                        }
                        _ => f64::INFINITY,
                    }
                }
                (Some(_), _) => f64::INFINITY,
                (None, Pull::Nothing) => 0.0,
                (None, Pull::Heading(_)) => f64::INFINITY,
                (None, Pull::Group(group)) => {
                    self.middles[group].map_or(0.0, |middle| world.apart(crowd.pos[i], middle).length())
                }
                (None, Pull::Point { at, .. }) => world.apart(crowd.pos[i], at).length(),
            });
        }
    }

    /// True if the time without anybody leaving counts: everybody is in, and somebody is on the way to leave.
    fn may_give_up(&self) -> bool {
        let groups = &self.setup.scenario.groups;
        let crowd = &self.crowd;
        let leaving = |i: usize| crowd.status[i] != Status::Waiting && groups[crowd.group[i] as usize].leaves();
        self.lines.iter().all(|line| line.entered == line.radius.len()) && (0..crowd.len()).any(leaving)
    }

    /// The largest radius of all, those who are yet to come in included, m.
    pub fn max_radius_m(&self) -> f64 {
        self.everybody(|c| &c.radius, |l| &l.radius).fold(0.0, f64::max)
    }

    /// The smallest mass of all, those who are yet to come in included, kg; infinite without people.
    pub fn min_mass_kg(&self) -> f64 {
        self.everybody(|c| &c.mass, |l| &l.mass).fold(f64::INFINITY, f64::min)
    }

    fn everybody(
        &self,
        here: fn(&Crowd) -> &Vec<f64>,
        coming: fn(&Inflow) -> &Vec<f64>,
    ) -> impl Iterator<Item = f64> + '_ {
        here(&self.crowd).iter().copied().chain(self.lines.iter().flat_map(move |line| coming(line).iter().copied()))
    }

    /// True when nobody is there and nobody is to come.
    fn is_over(&self) -> bool {
        self.crowd.is_empty() && self.lines.iter().all(|line| line.entered == line.radius.len())
    }

    /// Lets people in who are due and find a free place in their area; who finds none waits outside, and those behind
    /// wait too. Ids are given in the order of coming in.
    fn let_in(&mut self, time_s: f64, mut record: Option<&mut Trajectory>) {
        let world = &self.setup.scenario.world;
        for line in &mut self.lines {
            while line.entered < line.radius.len() && line.entered as f64 <= time_s * line.per_s {
                let radius = line.radius[line.entered];
                let crowd = &mut self.crowd;
                let free = |p: Vec2| {
                    spawn::stands_free(world, p, radius)
                        && (0..crowd.len()).all(|i| world.apart(p, crowd.pos[i]).length() >= radius + crowd.radius[i])
                };
                let Some(place) = spawn::free_point(&line.area, TRIES_TO_ENTER, &mut line.rng, free) else { break };
                let k = line.entered;
                line.entered += 1;
                crowd.id.push(self.next_id);
                crowd.pos.push(place);
                crowd.vel.push(Vec2::ZERO);
                crowd.radius.push(radius);
                crowd.mass.push(line.mass[k]);
                crowd.desired_speed.push(line.desired_speed[k]);
                crowd.max_speed.push(line.max_speed[k]);
                crowd.start_s.push(time_s.max(line.start_s[k]));
                crowd.group.push(line.group);
                crowd.stage.push(0);
                crowd.status.push(Status::Waiting);
                crowd.pressure.push(0.0);
                self.rank.push(k as u32);
                self.heading.push(first_heading(self.setup.seed, self.next_id));
                self.desired.push(Vec2::ZERO);
                self.sees_goal.push(true);
                self.next_vel.push(Vec2::ZERO);
                self.shift.push(Vec2::ZERO);
                self.pressure.push(0.0);
                self.next_id += 1;
                if let Some(track) = &mut record {
                    track.enter(radius, line.group);
                }
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
            crowd.pos[i] = world.plan.periodic.wrap(to);
            crowd.vel[i] = vel;
            crowd.pressure[i] = self.pressure[i];
            crowd.status[i] = self.status[i];
            let group = &self.setup.scenario.groups[crowd.group[i] as usize];
            let stages = &self.journeys[crowd.group[i] as usize];
            let mut left = None;
            if let Some(stage) = stages.get(crowd.stage[i] as usize)
                && let Some(&goal) = group
                    .choice(stage, self.rank[i] as usize)
                    .iter()
                    .find(|&&g| world.reached(g, from, to, crowd.radius[i]))
            {
                crowd.stage[i] += 1;
                if crowd.stage[i] as usize == stages.len() {
                    if group.rounds {
                        crowd.stage[i] = 0;
                    } else {
                        left = Some(goal);
                    }
                }
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
        map.apply(&mut self.rank);
        map.apply(&mut self.desired);
        map.apply(&mut self.sees_goal);
        map.apply(&mut self.next_vel);
        map.apply(&mut self.shift);
        map.apply(&mut self.pressure);
    }

    fn look_for_overlap(&mut self, health: &mut Health) -> Result<(), String> {
        let crowd = &self.crowd;
        let largest = crowd.radius.iter().fold(0.0_f64, |a, &r| a.max(r));
        let periodic = self.setup.scenario.world.plan.periodic;
        self.near.build(2.0 * largest, periodic, &crowd.pos, &crowd.vel, &crowd.radius);
        let near = &self.near;
        for slot in 0..near.len() {
            for other in near.around(near.pos[slot]).into_iter().flatten() {
                let touch = near.radius[slot] + near.radius[other];
                let d2 = near.apart(near.pos[slot], near.pos[other]).length2();
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

/// Rank of everybody in the own group, in the order of rows.
fn ranks(groups: &[u16]) -> Vec<u32> {
    let mut seen = vec![0; groups.iter().max().map_or(0, |&g| usize::from(g) + 1)];
    groups
        .iter()
        .map(|&g| {
            seen[usize::from(g)] += 1;
            seen[usize::from(g)] - 1
        })
        .collect()
}

/// Direction that somebody without a goal in sight keeps at first.
fn first_heading(seed: Seed, id: u32) -> Vec2 {
    let angle = std::f64::consts::TAU * rng::unit(&mut seed.child("heading", u64::from(id)).rng());
    vec2(libm::cos(angle), libm::sin(angle))
}

/// A time as a number of steps, at least one.
fn steps(time_s: f64, dt: f64) -> u64 {
    ((time_s / dt).round() as u64).max(1)
}

#[cfg(test)]
#[path = "simulation_tests.rs"]
mod tests;
