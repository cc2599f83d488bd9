//! People who come in during the run.

use super::setup::RunSetup;
use super::state::State;
use crate::crowd::{Person, Status};
use crate::world::scenario::{Group, Polygon};
use crate::world::spawn;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::rng::ChaCha8Rng;

/// People in front of the place, in the order in which they come in.
#[derive(Debug)]
pub(super) struct Inflow {
    pub per_s: f64,
    pub area: Polygon,
    pub rng: ChaCha8Rng,
    /// Number of those who are in.
    pub entered: usize,
    /// Everybody of the line, those who are in too; they get their place as they come in.
    pub people: Vec<Person>,
}

/// How often a place is tried for the next one to come in, per step. Chosen here: enough to find a gap in a crowd of
/// 2 persons/m2, cheap where there is none.
const TRIES_TO_ENTER: usize = 10;

impl State {
    /// Lets people in who are due and find a free place in their area; whoever finds none waits outside, and those behind
    /// wait too. Ids are given in the order of coming in.
    pub(super) fn let_in(&mut self, setup: &RunSetup, time_s: f64) {
        let world = &setup.scenario.world;
        for at in 0..self.lines.len() {
            loop {
                let (line, crowd) = (&mut self.lines[at], &self.crowd);
                if line.entered >= line.people.len() || line.entered as f64 > time_s * line.per_s {
                    break;
                }
                let person = line.people[line.entered];
                let free = |p: Vec2| {
                    spawn::stands_free(world, p, person.radius)
                        && (0..crowd.len())
                            .all(|i| world.apart(p, crowd.pos[i]).length() >= person.radius + crowd.radius[i])
                };
                let Some(pos) = spawn::free_point(&line.area, TRIES_TO_ENTER, &mut line.rng, free) else { break };
                line.entered += 1;
                self.enter(setup, Person { pos, start_s: time_s.max(person.start_s), ..person });
            }
        }
    }

    fn all_in(&self) -> bool {
        self.lines.iter().all(|line| line.entered == line.people.len())
    }

    /// True when nobody is there and nobody is to come.
    pub(super) fn is_over(&self) -> bool {
        self.crowd.is_empty() && self.all_in()
    }

    /// True if the time without anybody leaving counts: everybody is in, and somebody is on the way to leave.
    pub(super) fn may_give_up(&self, groups: &[Group]) -> bool {
        let crowd = &self.crowd;
        let leaving = |i: usize| crowd.status[i] != Status::Waiting && groups[crowd.group[i] as usize].leaves();
        self.all_in() && (0..crowd.len()).any(leaving)
    }
}
