//! A crowd that steps: one thread, no allocation per step.

mod catching;
mod chase;
mod inflow;
mod moves;
mod recorded;
mod setup;
mod start;
mod state;
mod straight;
mod ways;

use super::health::Health;
use super::steering::{Steering, Update, View};
use super::trajectory::Trajectory;
use super::{Crowd, Exit, Person};
use crate::world::{World, spawn};
use crowdtune_core::Error;
pub use setup::RunSetup;
pub use start::Start;
use state::State;

/// A crowd in its place, with the model that steers it.
///
/// The same setup and model give the same steps, bit for bit, on every machine.
pub struct Sim {
    setup: RunSetup,
    periods: Periods,
    model: Box<dyn Steering>,
    state: State,
    health: Health,
    recording: Option<Trajectory>,
    /// The last step in which somebody left, or nobody was going to leave.
    last_left: u64,
    /// How many of those who left a sample has told.
    told: usize,
    /// Bounds for which the model was made.
    max_radius_m: f64,
    min_mass_kg: f64,
}

/// Times of a setup in steps: found once, as each takes a quotient and a rounding, and a step asks for all of them.
#[derive(Clone, Copy)]
struct Periods {
    limit: u64,
    give_up: Option<u64>,
    sample: u64,
}

impl Periods {
    fn of(setup: &RunSetup) -> Self {
        Self {
            limit: setup.steps(setup.scenario.limit_s),
            give_up: setup.scenario.give_up_s.map(|s| setup.steps(s)),
            sample: setup.steps(setup.sample_every_s),
        }
    }
}

impl Sim {
    /// People ready to walk, and the model that was made for them.
    pub fn new(start: Start, model: Box<dyn Steering>) -> Self {
        let (max_radius_m, min_mass_kg) = (start.max_radius_m(), start.min_mass_kg());
        let Start { setup, state, .. } = start;
        let (health, recording, periods) = (Health::default(), None, Periods::of(&setup));
        Self { setup, periods, model, state, health, recording, last_left: 0, told: 0, max_radius_m, min_mass_kg }
    }

    /// The people who are present.
    pub fn crowd(&self) -> &Crowd {
        &self.state.crowd
    }

    /// The people who are present, to move them or change their traits between two steps. Use [`Sim::add`] and
    /// [`Sim::remove`] to change who is present; a step fails if the columns no longer have the same length.
    pub fn crowd_mut(&mut self) -> &mut Crowd {
        &mut self.state.crowd
    }

    /// The place.
    pub fn world(&self) -> &World {
        &self.setup.scenario.world
    }

    /// The setup of the run.
    pub fn setup(&self) -> &RunSetup {
        &self.setup
    }

    /// Simulated time, s.
    pub fn time_s(&self) -> f64 {
        self.health.steps as f64 * self.setup.time_step_s
    }

    /// Everybody who has left so far, by time, then id.
    pub fn exits(&self) -> &[Exit] {
        &self.state.exits
    }

    /// Numerical health so far. Only [`Sim::run`] checks for overlaps.
    pub fn health(&self) -> Health {
        Health { end_s: self.time_s(), people_left: self.state.crowd.len() as u64, ..self.health }
    }

    /// True if everybody has left and nobody is yet to enter, if the scenario's time is up, or if nobody has left for
    /// longer than `give_up_s`.
    pub fn is_over(&self) -> bool {
        let step = self.health.steps;
        step >= self.periods.limit
            || self.state.is_over()
            || self.periods.give_up.is_some_and(|steps| step - self.last_left >= steps)
    }

    /// Adds a person, who walks from `start_s` on. Returns the person's id.
    ///
    /// # Errors
    /// A group that the scenario does not have, a position that is not walkable or in a wall, a body larger or lighter
    /// than those for which the model was made ([`Start::expecting`]), a scenario with tracks.
    pub fn add(&mut self, person: Person) -> Result<u32, Error> {
        let refused = |what: String| Error::input(what).key("person");
        if self.setup.scenario.tracks.is_some() {
            return Err(refused("people come and go as recorded here".into()).help("leave out the scenario's tracks"));
        }
        let groups = self.setup.scenario.groups.len();
        if usize::from(person.group) >= groups {
            return Err(refused(format!("there is no group {}", person.group)).allowed(format!("0 to {}", groups - 1)));
        }
        if !(person.radius <= self.max_radius_m && person.mass >= self.min_mass_kg) {
            let (radius, mass) = (person.radius, person.mass);
            return Err(refused(format!("the model was not made for a body of {radius} m and {mass} kg"))
                .allowed(format!("at most {} m, at least {} kg", self.max_radius_m, self.min_mass_kg))
                .help("announce it with `Start::expecting` before the model is made"));
        }
        if !person.pos.is_finite() || !spawn::stands_free(self.world(), person.pos, person.radius) {
            let at = person.pos;
            return Err(refused(format!("nobody can stand at ({}, {})", at.x, at.y))
                .help("a walkable place, at least one radius from every wall"));
        }
        let id = self.state.enter(&self.setup, person);
        if let Some(recording) = &mut self.recording {
            recording.enter(&self.state.crowd);
        }
        Ok(id)
    }

    /// Removes a person. False if nobody with this id is present.
    pub fn remove(&mut self, id: u32) -> bool {
        let Ok(row) = self.state.crowd.id.binary_search(&id) else { return false };
        self.state.stay.old.clear();
        self.state.stay.old.extend((0..self.state.crowd.len()).filter(|&i| i != row));
        self.model.remap(&self.state.stay);
        self.state.compact();
        let time_s = self.time_s();
        if let Some(recording) = &mut self.recording {
            recording.leave(id, time_s);
        }
        true
    }

    /// Records everybody's position now and every `every_s` from now on.
    pub fn record(&mut self, every_s: f64) {
        let mut recording = Trajectory::every(every_s);
        recording.enter(&self.state.crowd);
        recording.frame(self.time_s(), &self.state.crowd);
        self.recording = Some(recording);
    }

    /// The recording so far.
    pub fn recording(&self) -> Option<&Trajectory> {
        self.recording.as_ref()
    }

    /// Ends the recording and returns it.
    pub fn take_recording(&mut self) -> Option<Trajectory> {
        self.recording.take()
    }

    /// One step: people enter, pick their directions, the model steers them, they move and leave.
    ///
    /// # Errors
    /// Why the run cannot be trusted: a speed above 5 m/s and above three times what the person wants or can run, a position that is not a
    /// number, a step through a wall; columns of [`Sim::crowd_mut`] that no longer have the same length.
    pub fn step(&mut self) -> Result<(), Error> {
        let step = self.health.steps;
        if let Some(tracks) = &self.setup.scenario.tracks
            && tracks.restart_every_s.is_some_and(|s| step > 0 && step.is_multiple_of(self.setup.steps(s)))
        {
            self.state.put_back(&self.setup, tracks, step as f64 * self.setup.time_step_s);
        }
        let before = self.state.exits.len();
        self.state.let_in(&self.setup, self.time_s());
        if let Some(recording) = &mut self.recording {
            recording.enter(&self.state.crowd);
        }
        self.walk(step)?;
        self.catch(before);
        self.come_and_go();
        if self.periods.give_up.is_some()
            && (self.state.exits.len() > before || !self.state.may_give_up(&self.setup.scenario))
        {
            self.last_left = step + 1;
        }
        let time_s = self.time_s();
        if let Some(recording) = &mut self.recording {
            for exit in &self.state.exits[before..] {
                if exit.caught {
                    recording.catch(exit.id, time_s, None);
                } else {
                    recording.leave(exit.id, time_s);
                }
            }
            for &(id, group) in &self.state.joined {
                recording.catch(id, time_s, Some(group));
            }
            if (step + 1).is_multiple_of(self.setup.steps(recording.every_s)) {
                recording.frame(time_s, &self.state.crowd);
            }
        }
        Ok(())
    }

    /// Runs to the end. Calls `sample` at time 0, every `sample_every_s`, and at the end, with the time, the people,
    /// and who has left since the last call.
    ///
    /// # Errors
    /// As [`Sim::step`], if two people overlap by more than `max_overlap_share` at a sample, and at the end if people walked
    /// backwards for more than `max_backward_share` of their time.
    pub fn run(&mut self, sample: &mut dyn FnMut(f64, &Crowd, &[Exit])) -> Result<Health, Error> {
        self.begin(sample)?;
        while !self.is_over() {
            self.advance(sample)?;
        }
        Ok(self.health())
    }

    /// The sample at the start of a [`Sim::run`], for who goes on with [`Sim::advance`].
    ///
    /// # Errors
    /// As [`Sim::run`].
    pub fn begin(&mut self, sample: &mut dyn FnMut(f64, &Crowd, &[Exit])) -> Result<(), Error> {
        self.told = self.state.exits.len();
        self.look()?;
        sample(self.time_s(), &self.state.crowd, &[]);
        Ok(())
    }

    /// One step of a [`Sim::run`], with the sample that it ends with, if any.
    ///
    /// # Errors
    /// As [`Sim::run`].
    pub fn advance(&mut self, sample: &mut dyn FnMut(f64, &Crowd, &[Exit])) -> Result<(), Error> {
        self.step()?;
        let due = self.health.steps.is_multiple_of(self.periods.sample);
        if due {
            self.look()?;
        }
        let over = self.is_over();
        if due || over {
            sample(self.time_s(), &self.state.crowd, &self.state.exits[self.told..]);
            self.told = self.state.exits.len();
        }
        if over { self.health.check_backward(self.setup.max_backward_share) } else { Ok(()) }
    }

    fn walk(&mut self, step: u64) -> Result<(), Error> {
        let (setup, state) = (&self.setup, &mut self.state);
        let (dt, world) = (setup.time_step_s, &*setup.scenario.world);
        state.make_room()?;
        state.find_middles(setup);
        state.chase.find(setup, &state.crowd);
        state.find_ways(setup, step as f64 * dt, self.model.needs_distance());
        state.find_paces(setup);
        state.status.clone_from(&state.crowd.status);
        let (crowd, periodic) = (&state.crowd, world.plan.periodic);
        self.model.find_neighbors(&mut state.near, crowd, periodic);
        let view = View {
            crowd,
            near: &state.near,
            world,
            desired: &crowd.desired,
            sees_goal: &state.sees_goal,
            distance: &state.distance,
            afraid: &state.chase.afraid,
            preferred: &[],
            pace: &state.pace,
            steered: &[],
            pressed: &[],
            dt,
            step,
        };
        let mut next = Update {
            vel: &mut state.next_vel,
            shift: &mut state.shift,
            pressure: &mut state.pressure,
            status: &mut state.status,
        };
        self.model.steer(&view, &mut next);
        self.health.steps += 1;
        self.health.agent_steps += crowd.len() as u64;
        if !state.go(setup, step, &mut self.health)? {
            self.model.remap(&state.stay);
            state.compact();
        }
        Ok(())
    }

    /// Takes out who is caught, or lets them join those who caught them.
    fn catch(&mut self, before: usize) {
        let time_s = self.time_s();
        if !self.state.catch(&self.setup, time_s) {
            self.model.remap(&self.state.stay);
            self.state.compact();
            // Those who left through a goal in this step are listed already.
            self.state.exits[before..].sort_by_key(|exit| exit.id);
        }
    }

    /// What a sample tells about the health of the run.
    fn look(&mut self) -> Result<(), Error> {
        self.state.look_back(&self.setup, &mut self.health);
        // Who walks among the recorded others does not see those who do so beside them.
        if self.setup.scenario.walks_among_recorded() {
            return Ok(());
        }
        self.state.look_for_overlap(&self.setup, &mut self.health)
    }

    /// Lets people of the scenario's tracks in who are seen by now, and takes out those who are not seen any more.
    fn come_and_go(&mut self) {
        let Some(tracks) = &self.setup.scenario.tracks else { return };
        let time_s = self.time_s();
        if !self.state.take_out(&self.setup, tracks, time_s) {
            self.model.remap(&self.state.stay);
            self.state.compact();
        }
        self.state.come(&self.setup, tracks, time_s);
        if let Some(recording) = &mut self.recording {
            recording.enter(&self.state.crowd);
        }
    }
}

impl std::fmt::Debug for Sim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sim").field("setup", &self.setup).field("health", &self.health()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
