//! A trajectory that a foreign simulator wrote, seen as a run of a scenario.

use super::Sample;
use crate::crowd::recording::{Moment, Recording};
use crate::crowd::{Crowd, Exit, Health, Trajectory};
use crate::world::scenario::Scenario;
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;

/// Part of an interval by which a frame may come early, so that rounding does not skip it.
const SLACK: f64 = 0.5;

/// Frames that may be missing at the limit: the run ends between two of them.
const AT_LIMIT: f64 = 1.5;

/// A trajectory in a scenario. People are called by their ids in it, which are those of the scenario's people at the start.
#[derive(Debug)]
pub struct Played<'a> {
    recording: &'a Recording,
    scenario: &'a Scenario,
    /// Group and radius of each id.
    people: Vec<(u16, f64)>,
    /// By id: who has left, in the order of time, then id.
    exits: Vec<Exit>,
    /// When the run ended, s.
    end_s: f64,
}

impl<'a> Played<'a> {
    /// A trajectory of a run that ended at `end_s` (`None`: with its last frame, and who is in it has not left).
    /// `start` has the people whom the scenario started with; others count as of the first group, with the mean of their radii.
    ///
    /// # Errors
    /// If an id is no small whole number from 0.
    pub fn new(
        recording: &'a Recording,
        scenario: &'a Scenario,
        start: &Crowd,
        end_s: Option<f64>,
    ) -> Result<Self, Error> {
        let most = start.len().max(recording.people()).saturating_mul(16).max(1024) as i64;
        if let Some(name) = recording.names.iter().find(|&&name| name < 0 || name >= most) {
            return Err(Error::nothing(format!("the trajectory has a person {name}; ids are numbers from 0")));
        }
        let last = recording.moments.last().map_or(0, |moment| moment.frame);
        let last_s = recording.time_s(last);
        let end_s = end_s.map_or(last_s, |end| end.max(last_s));
        let stride_s = recording.stride() as f64 / recording.fps;
        // Who is in the last frame has left if the run went on after it; a run that goes on to its limit ends there for them too.
        let at_limit = end_s >= scenario.limit_s - stride_s;
        let ended_empty = end_s - last_s > if at_limit { AT_LIMIT * stride_s } else { 0.0 };
        let ids = recording.names.last().map_or(0, |&name| name as usize + 1).max(start.len());
        let mean = start.radius.iter().sum::<f64>() / start.len().max(1) as f64;
        let mut people = vec![(0, mean); ids];
        for (row, &id) in start.id.iter().enumerate() {
            people[id as usize] = (start.group[row], start.radius[row]);
        }
        let mut seen: Vec<Option<(i64, Vec2)>> = vec![None; ids];
        for moment in &recording.moments {
            for (&dense, &p) in moment.ids.iter().zip(&moment.positions) {
                seen[recording.names[dense as usize] as usize] = Some((moment.frame, p));
            }
        }
        let gone = seen.iter().zip(0_u32..).filter_map(|(at, id)| at.map(|(frame, p)| (frame, id, p)));
        let mut gone: Vec<_> = gone.filter(|&(frame, ..)| ended_empty || frame != last).collect();
        gone.sort_by_key(|&(frame, id, _)| (frame, id));
        let exit = |&(frame, id, pos): &(i64, u32, Vec2)| Exit {
            id,
            group: people[id as usize].0,
            goal: goal(scenario, people[id as usize].0, pos),
            caught: false,
            time_s: recording.time_s(frame),
            pos,
        };
        let exits = gone.iter().map(exit).collect();
        Ok(Self { recording, scenario, people, exits, end_s })
    }

    /// Shows samples at this interval or the next larger one that the frames allow, s, and one at the end.
    pub fn watch(&self, every_s: f64, see: &mut dyn FnMut(&Sample<'_>)) {
        let Self { recording, exits, end_s, .. } = self;
        let world = &*self.scenario.world;
        let (mut next_s, mut out) = (f64::NEG_INFINITY, 0);
        let slack_s = SLACK * (recording.stride() as f64 / recording.fps).min(every_s);
        let last = recording.moments.last().map(|moment| moment.frame);
        for moment in &recording.moments {
            let time_s = recording.time_s(moment.frame);
            if time_s < next_s - slack_s && Some(moment.frame) != last {
                continue;
            }
            next_s = time_s + every_s;
            let until = exits.partition_point(|exit| exit.time_s < time_s);
            see(&Sample { time_s, crowd: &self.crowd(moment), exits: &exits[out..until], world });
            out = until;
        }
        if out < exits.len() {
            see(&Sample { time_s: *end_s, crowd: &Crowd::default(), exits: &exits[out..], world });
        }
    }

    /// The frames at this interval, s, for replays.
    pub fn trajectory(&self, every_s: f64) -> Trajectory {
        let mut track = Trajectory::every(every_s);
        track.group = self.people.iter().map(|person| person.0).collect();
        track.radius = self.people.iter().map(|person| person.1).collect();
        track.left_s = vec![None; self.people.len()];
        let moments = &self.recording.moments;
        let frames = (self.end_s / every_s + 1e-6) as usize;
        let mut at = 0;
        for k in 0..=frames {
            let time_s = k as f64 * every_s;
            // The frame before: nobody is shown who is not there yet.
            while at + 1 < moments.len() && self.recording.time_s(moments[at + 1].frame) <= time_s + 1e-9 {
                at += 1;
            }
            let over = at + 1 == moments.len() && time_s > self.recording.time_s(moments[at].frame) + every_s;
            track.frame(time_s, &if over { Crowd::default() } else { self.crowd(&moments[at]) });
        }
        for exit in &self.exits {
            track.leave(exit.id, exit.time_s);
        }
        track
    }

    /// What is known of such a run: how long it was, and who is left.
    pub fn health(&self) -> Health {
        let there: usize = self.recording.moments.iter().map(|moment| moment.ids.len()).sum();
        Health {
            steps: self.recording.moments.len() as u64,
            agent_steps: there as u64,
            people_left: (self.recording.people() - self.exits.len()) as u64,
            end_s: self.end_s,
            ..Health::default()
        }
    }

    fn crowd(&self, moment: &Moment) -> Crowd {
        let id: Vec<u32> = moment.ids.iter().map(|&dense| self.recording.names[dense as usize] as u32).collect();
        let periodic = &self.scenario.world.plan.periodic;
        Crowd {
            pos: moment.positions.iter().map(|&p| periodic.wrap(p)).collect(),
            group: id.iter().map(|&id| self.people[id as usize].0).collect(),
            radius: id.iter().map(|&id| self.people[id as usize].1).collect(),
            id,
            ..Crowd::default()
        }
    }
}

/// The goal nearest to where somebody was last seen, of those that the group ends at.
fn goal(scenario: &Scenario, group: u16, pos: Vec2) -> Option<usize> {
    let (world, group) = (&scenario.world, scenario.groups.get(usize::from(group))?);
    let journey = world.journey(group);
    let goals = journey.last()?;
    let away = |goal: &usize| (world.goals()[*goal].what.nearest(pos) - pos).length2();
    goals.iter().copied().min_by(|a, b| away(a).total_cmp(&away(b)).then(a.cmp(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::recording::Known;
    use crate::metrics::{Spec, Window, evacuation};

    /// Two people leave a room of crowdtune by its door; the second one in the last frame.
    const TEXT: &str = "# framerate: 2 fps\n# x/y in m\n0 0 5 2.5\n1 0 4 2.5\n0 1 9.9 2.5\n1 1 7 2.5\n1 2 9.9 2.5\n";

    fn room() -> Scenario {
        Scenario::of_kind("room", &[("count", &2)]).unwrap()
    }

    fn evacuated(end_s: Option<f64>) -> (Option<f64>, u64) {
        let recording = Recording::parse(TEXT, "t", &Known::default()).unwrap();
        let scenario = room();
        let start = Crowd { id: vec![0, 1], group: vec![0; 2], radius: vec![0.2, 0.3], ..Crowd::default() };
        let played = Played::new(&recording, &scenario, &start, end_s).unwrap();
        let entry = &evacuation::EVACUATION_TIME_100_S;
        let spec = Spec {
            at: None,
            window: Window::All,
            sample_every_s: 0.5,
            group: None,
            center: None,
            settings: Vec::new(),
        };
        let mut metric = (entry.make.make)(&spec, &scenario);
        played.watch(0.5, &mut |sample| metric.observe(&sample.seen(entry.make.needs)));
        (metric.value(), played.health().people_left)
    }

    #[test]
    fn who_is_in_the_last_frame_has_left_if_the_run_went_on() {
        assert_eq!(evacuated(Some(1.5)), (Some(1.0), 0));
        // Without an end one of two is still inside: limit x 1.5.
        let (time, left) = evacuated(None);
        assert_eq!((time, left), (Some(1.5 * room().limit_s), 1));
        // A run that ends at its limit has not let anybody out by that.
        let scenario = Scenario { limit_s: 1.5, ..room() };
        let recording = Recording::parse(TEXT, "t", &Known::default()).unwrap();
        let played = Played::new(&recording, &scenario, &Crowd::default(), Some(1.5)).unwrap();
        assert_eq!(played.health().people_left, 1);
    }

    #[test]
    fn replays_have_their_own_frames() {
        let recording = Recording::parse(TEXT, "t", &Known::default()).unwrap();
        let scenario = room();
        let start = Crowd { id: vec![0, 1], group: vec![0; 2], radius: vec![0.2, 0.3], ..Crowd::default() };
        let track = Played::new(&recording, &scenario, &start, Some(2.0)).unwrap().trajectory(0.25);
        assert_eq!(track.frames.len(), 9);
        assert_eq!(track.frames[3].pos[0].x, 9.9);
        assert!(track.frames[8].id.is_empty());
        assert_eq!((track.left_s[0], track.radius[1]), (Some(0.5), 0.3));
    }
}
