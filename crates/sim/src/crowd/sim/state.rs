//! Everything that changes from step to step.

use super::chase::Chase;
use super::inflow::Inflow;
use super::setup::RunSetup;
use crate::crowd::{Crowd, Exit, Person, RowMap, Status};
use crate::world::scenario::{Pull, Stage};
use crate::world::{Neighbors, World};
use crowdtune_core::Error;
use crowdtune_core::math::rng::{self, Seed};
use crowdtune_core::math::{Vec2, vec2};

/// What is not the model's doing, because tracks put somebody into others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Excuse {
    /// Deepest overlap at that time, as a share of the smaller radius.
    pub share: f64,
    /// Until when a high speed counts as coming from it, s.
    pub until_s: f64,
}

/// The people, where they are heading, and the buffers of a step. Row `i` of a column is row `i` of the crowd.
#[derive(Debug, Default)]
pub(super) struct State {
    pub crowd: Crowd,
    /// Stages of each group.
    pub journeys: Vec<Vec<Stage>>,
    /// Direction kept by people who see no goal, and by those who go where their track leads; the latter have none at first.
    pub heading: Vec<Vec2>,
    /// Rank of the person in the group, from 0.
    pub rank: Vec<u32>,
    /// Number of people each group has had so far.
    counts: Vec<u32>,
    pub sees_goal: Vec<bool>,
    pub next_pos: Vec<Vec2>,
    pub next_vel: Vec<Vec2>,
    pub shift: Vec<Vec2>,
    pub pressure: Vec<f64>,
    pub status: Vec<Status>,
    pub near: Neighbors,
    /// The rows that remain when people leave.
    pub stay: RowMap,
    pub exits: Vec<Exit>,
    pub distance: Vec<f64>,
    /// Share of their speed on flat ground that people have along their ways; empty on flat ground.
    pub pace: Vec<f64>,
    /// Center of each group that others follow.
    pub middles: Vec<Option<Vec2>>,
    /// The ways of those who follow or run away.
    pub chase: Chase,
    /// People who have yet to enter: one queue per group with an inflow.
    pub lines: Vec<Inflow>,
    /// The people of the scenario's tracks by id, including those who have come; their places are those of the tracks.
    pub coming: Vec<Person>,
    pub excused: Vec<Excuse>,
    pub next_id: u32,
}

impl State {
    /// Nobody yet.
    pub fn new(setup: &RunSetup) -> Self {
        let groups = &setup.scenario.groups;
        let journeys = groups.iter().map(|group| setup.scenario.world.journey(group)).collect();
        Self { journeys, counts: vec![0; groups.len()], chase: Chase::new(setup), ..Self::default() }
    }

    /// Takes a crowd as it is, with ids from 0.
    pub fn take(&mut self, setup: &RunSetup, crowd: Crowd) {
        for &group in &crowd.group {
            self.count_in(setup, group);
        }
        self.crowd = crowd;
    }

    /// Lets a person in, who waits until their start time. Returns the id.
    pub fn enter(&mut self, setup: &RunSetup, person: Person) -> u32 {
        let id = self.count_in(setup, person.group);
        self.crowd.push(id, person);
        id
    }

    fn count_in(&mut self, setup: &RunSetup, group: u16) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        let count = &mut self.counts[usize::from(group)];
        self.rank.push(*count);
        *count += 1;
        self.excused.push(Excuse::default());
        let along = setup.scenario.groups[usize::from(group)].pull == Pull::Track;
        self.heading.push(if along { Vec2::ZERO } else { first_heading(&setup.scenario.world, setup.seed, id) });
        id
    }

    /// Resizes the columns of a step to the crowd.
    ///
    /// # Errors
    /// If the columns of the crowd differ in length.
    pub fn make_room(&mut self) -> Result<(), Error> {
        let n = self.rank.len();
        if !self.crowd.has_rows(n) {
            return Err(Error::input(format!("the columns of the crowd have lost their common length of {n}"))
                .help("use `Sim::add` and `Sim::remove` to change who is present"));
        }
        self.sees_goal.resize(n, true);
        self.next_vel.resize(n, Vec2::ZERO);
        self.shift.clear();
        self.pressure.clear();
        self.pressure.resize(n, 0.0);
        Ok(())
    }

    /// Keeps the rows of `stay`. The columns of a step are refilled by the next one.
    pub fn compact(&mut self) {
        let map = &self.stay;
        self.crowd.compact(map);
        map.apply(&mut self.heading);
        map.apply(&mut self.rank);
        map.apply(&mut self.excused);
        map.apply(&mut self.next_vel);
    }
}

/// Initial direction of a person without a goal in sight; zero in a place where every goal is in sight.
fn first_heading(world: &World, seed: Seed, id: u32) -> Vec2 {
    // Skipped otherwise: a random stream per person costs as much as many steps.
    if world.plan.sight_m.is_none() {
        return Vec2::ZERO;
    }
    let angle = std::f64::consts::TAU * rng::unit(&mut seed.child("heading", u64::from(id)).rng());
    vec2(libm::cos(angle), libm::sin(angle))
}
