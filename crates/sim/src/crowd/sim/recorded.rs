//! People who come and go as recorded.

use super::setup::RunSetup;
use super::state::{Excuse, State};
use crate::crowd::{Exit, Person};
use crate::world::scenario::Pull;
use crate::world::{Leave, Tracks};
use crowdtune_core::math::Vec2;

/// Nearer to the end of their track people keep their direction, m. Chosen here: who passes the end within a meter does not turn
/// round to hit it.
const AIM_M: f64 = 1.0;
/// Whoever is put nearer to the end of the own track stands there, m. Chosen here: heads of people who stand sway less.
const THERE_M: f64 = 0.2;
/// How long somebody may be too fast who was put into others, s. Chosen here: four relaxation times of 0.5 s leave 2 % of a speed.
const PUSHED_S: f64 = 2.0;

impl State {
    /// Lets in whoever has been seen by now, at the recorded place with the recorded velocity, whoever stands there: nobody
    /// waits outside. Ids follow the order of the tracks.
    pub(super) fn come(&mut self, setup: &RunSetup, tracks: &Tracks, time_s: f64) {
        let before = self.crowd.len();
        while let Some(&person) = self.coming.get(self.next_id as usize) {
            let id = self.next_id;
            if !tracks.has_come(id, time_s) {
                break;
            }
            let torus = &setup.scenario.world.plan.periodic;
            // A track of one frame may begin and end between two steps.
            let pos = tracks.place(time_s, id, torus).unwrap_or(tracks.people[id as usize].rows[0].1);
            let vel = tracks.velocity(time_s, id, torus).unwrap_or(Vec2::ZERO);
            self.enter(setup, Person { pos, vel, start_s: time_s.max(person.start_s), ..person });
            let row = self.rank.len() - 1;
            self.rank[row] = tracks.people[id as usize].rank;
        }
        if self.crowd.len() > before {
            let first = self.crowd.id[before];
            self.excuse(setup, time_s, |id| id >= first);
        }
    }

    /// Finds those who are not seen any more, or have passed the end of their track: true if there are none, otherwise `stay` lists the
    /// rows that remain.
    pub(super) fn take_out(&mut self, setup: &RunSetup, tracks: &Tracks, time_s: f64) -> bool {
        let (crowd, heading) = (&self.crowd, &self.heading);
        let gone = |row: usize| match tracks.leave {
            Leave::AsRecorded => tracks.has_gone(crowd.id[row], time_s),
            Leave::AtGoal if setup.scenario.groups[usize::from(crowd.group[row])].pull != Pull::Track => false,
            // Who stands where the own track ends is not on the way there.
            Leave::AtGoal if heading[row] == Vec2::ZERO => tracks.has_gone(crowd.id[row], time_s),
            Leave::AtGoal => {
                let end = tracks.people[crowd.id[row] as usize].last_place();
                setup.scenario.world.apart(crowd.pos[row], end).dot(heading[row]) <= 0.0
            }
        };
        if !(0..crowd.len()).any(gone) {
            return true;
        }
        self.stay.old.clear();
        for row in 0..crowd.len() {
            if gone(row) {
                let (id, group, pos) = (crowd.id[row], crowd.group[row], crowd.pos[row]);
                self.exits.push(Exit { id, group, goal: None, caught: false, time_s, pos });
            } else {
                self.stay.old.push(row);
            }
        }
        false
    }

    /// Puts everybody who is seen at this time onto their recorded position and velocity; the others walk on.
    pub(super) fn put_back(&mut self, setup: &RunSetup, tracks: &Tracks, time_s: f64) {
        let (torus, groups) = (&setup.scenario.world.plan.periodic, &setup.scenario.groups);
        let crowd = &mut self.crowd;
        for (i, &id) in crowd.id.iter().enumerate() {
            if let Some(place) = tracks.place(time_s, id, torus) {
                crowd.pos[i] = place;
                if groups[usize::from(crowd.group[i])].pull == Pull::Track {
                    self.heading[i] = Vec2::ZERO;
                }
                self.excused[i] = Excuse::default();
            }
            if let Some(velocity) = tracks.velocity(time_s, id, torus) {
                crowd.vel[i] = velocity;
            }
        }
        self.excuse(setup, time_s, |id| tracks.place(time_s, id, torus).is_some());
    }

    /// Notes how deeply those who were just put somewhere overlap others. That is not the model's doing: two people count as
    /// overlapping only beyond it, and are not too fast for a while if bodies push each other apart.
    fn excuse(&mut self, setup: &RunSetup, time_s: f64, placed: impl Fn(u32) -> bool) {
        let Self { crowd, near, excused, .. } = self;
        super::moves::overlaps(crowd, near, setup, |i, j, share| {
            if placed(crowd.id[i]) || placed(crowd.id[j]) {
                for row in [i, j] {
                    excused[row] = Excuse { share: excused[row].share.max(share), until_s: time_s + PUSHED_S };
                }
            }
        });
    }
}

/// Direction of somebody who goes where the own track leads, from the one so far: straight to its end, and past it straight on.
/// Zero for people who are as good as there where they are put.
pub(super) fn along(setup: &RunSetup, id: u32, pos: Vec2, heading: Vec2) -> Vec2 {
    let tracks = setup.scenario.tracks.as_ref();
    let Some(track) = tracks.and_then(|tracks| tracks.people.get(id as usize)) else { return heading };
    let ahead = setup.scenario.world.apart(pos, track.last_place());
    let way_m = ahead.length();
    let aims = if heading == Vec2::ZERO { way_m > THERE_M } else { way_m > AIM_M && ahead.dot(heading) > 0.0 };
    if aims { ahead / way_m } else { heading }
}
