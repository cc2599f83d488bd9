//! People who enter during the run.

use super::setup::RunSetup;
use super::state::State;
use crate::crowd::{Person, Status};
use crate::world::scenario::{Polygon, Scenario};
use crate::world::spawn;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::rng::ChaCha8Rng;

/// A queue of people outside, in the order in which they enter.
#[derive(Debug)]
pub(super) struct Inflow {
    pub per_s: f64,
    pub area: Polygon,
    pub rng: ChaCha8Rng,
    /// Number of people who have entered.
    pub entered: usize,
    /// The whole queue, including people who have entered; positions are found on entry.
    pub people: Vec<Person>,
}

/// Points tried per step for the next person to enter. Chosen here: enough to find a gap in a crowd of 2 persons/m2,
/// and cheap if there is none.
const TRIES_TO_ENTER: usize = 10;

impl State {
    /// Lets people in who are due and find free space in their area. People who find none wait outside, and so do those
    /// behind them. Ids follow the order of entry.
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
        self.lines.iter().all(|line| line.entered == line.people.len()) && self.next_id as usize >= self.coming.len()
    }

    /// True if nobody is there and nobody is yet to enter.
    pub(super) fn is_over(&self) -> bool {
        self.crowd.is_empty() && self.all_in()
    }

    /// True if time without anybody leaving counts: everybody has entered, and somebody is going to leave, not as recorded.
    pub(super) fn may_give_up(&self, scenario: &Scenario) -> bool {
        let groups = &scenario.groups;
        let crowd = &self.crowd;
        let leaving = |i: usize| crowd.status[i] != Status::Waiting && groups[crowd.group[i] as usize].leaves();
        !scenario.leaves_as_recorded() && self.all_in() && (0..crowd.len()).any(leaving)
    }
}
