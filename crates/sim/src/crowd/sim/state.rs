//! Everything that changes from step to step.

use super::catching::Catching;
use super::chase::Chase;
use super::inflow::Inflow;
use super::setup::RunSetup;
use super::straight::Straight;
use crate::crowd::{Crowd, Exit, Person, RowMap, Status};
use crate::world::scenario::{Caught, Pull, Stage};
use crate::world::{Clearing, Neighbors, World};
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
    /// Where the steps of some of the people end.
    pub next_pos: Vec<Vec2>,
    /// The disc without walls in which each stood at the last look; it is there whoever stands in the row now.
    pub clearings: Vec<Clearing>,
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
    /// Room for those who go straight to a door.
    pub straight: Straight,
    /// The ways of those who follow or run away.
    pub chase: Chase,
    pub catching: Catching,
    /// Who joined whom in the last step: id and new group.
    pub joined: Vec<(u32, u16)>,
    /// People who have yet to enter: one queue per group with an inflow.
    pub lines: Vec<Inflow>,
    /// The people of the scenario's tracks by id, including those who have come; their places are those of the tracks.
    pub coming: Vec<Person>,
    pub excused: Vec<Excuse>,
    pub next_id: u32,
}

/// So many people at a time, so that what one loop leaves is near when the next one reads it.
pub(super) const TOGETHER: usize = 512;

impl State {
    /// Nobody yet.
    pub fn new(setup: &RunSetup) -> Self {
        let groups = &setup.scenario.groups;
        let journeys = groups.iter().map(|group| setup.scenario.world.journey(group)).collect();
        Self {
            journeys,
            counts: vec![0; groups.len()],
            chase: Chase::new(setup),
            catching: Catching::new(groups.len()),
            ..Self::default()
        }
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
        map.apply(&mut self.clearings);
        map.apply(&mut self.next_vel);
        map.apply(&mut self.chase.afraid);
        self.catching.remap(map);
    }

    /// Finds who has been caught: they join those who caught them, or leave. True if nobody leaves, otherwise `stay` lists the rows
    /// that remain.
    pub fn catch(&mut self, setup: &RunSetup, time_s: f64) -> bool {
        let groups = &setup.scenario.groups;
        if groups.iter().all(|g| g.catches.is_none()) {
            return true;
        }
        self.joined.clear();
        self.catching.find(setup, &self.crowd);
        let caught = std::mem::take(&mut self.catching.caught);
        let before = self.exits.len();
        for &(row, by) in &caught {
            match groups[by].catches.map(|catch| catch.then) {
                Some(Caught::Join) => self.join(setup, row, by as u16),
                _ => {
                    let (id, group, pos) = (self.crowd.id[row], self.crowd.group[row], self.crowd.pos[row]);
                    self.exits.push(Exit { id, group, goal: None, caught: true, time_s, pos });
                }
            }
        }
        self.catching.caught = caught;
        if self.exits.len() == before {
            return true;
        }
        let gone = &self.exits[before..];
        self.stay.old.clear();
        let ids = &self.crowd.id;
        self.stay.old.extend((0..ids.len()).filter(|&row| gone.binary_search_by_key(&ids[row], |e| e.id).is_err()));
        false
    }

    /// Somebody becomes a newcomer of another group. Body, speeds and place stay the own ones.
    fn join(&mut self, setup: &RunSetup, row: usize, group: u16) {
        self.crowd.group[row] = group;
        self.crowd.stage[row] = 0;
        let count = &mut self.counts[usize::from(group)];
        self.rank[row] = *count;
        *count += 1;
        self.heading[row] = first_heading(&setup.scenario.world, setup.seed, self.crowd.id[row]);
        self.catching.free(row);
        self.joined.push((self.crowd.id[row], group));
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
