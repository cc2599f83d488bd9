//! The recorded people of a replay.

use super::look::Look;
use super::units::point;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::crowd::Trajectory;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Track {
    /// Number in the run.
    pub id: u32,
    /// Index into the groups.
    pub group: u16,
    /// Body radius, cm, to a tenth.
    pub radius: f64,
    /// First frame with this person, who is gone after the last position.
    pub start: usize,
    /// First x, then differences, cm.
    pub x: Vec<i64>,
    /// First y, then differences, cm.
    pub y: Vec<i64>,
}

/// One recorded crowd.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crowd {
    /// Who it is: `defaults`, `tuned`, or the name of a preset or model.
    pub label: String,
    /// Interval of the frames, s.
    pub every_s: f64,
    /// Number of frames.
    pub frames: usize,
    /// When people left, s to 0.01, rising.
    pub left_s: Vec<f64>,
    /// When people were caught, s to 0.01, rising. Those who joined others have a second track from then on, in their group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caught_s: Vec<f64>,
    /// When collisions began, s to 0.01, rising, as the metric `collisions` counts them; `None` where it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collided_s: Option<Vec<f64>>,
    /// When people left in the runs on all fresh seeds of the report; `None` where only one was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Leaving>,
    /// What was measured by and by, a column of the experiment each; empty where that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Look>,
    /// The people, by id, each with one track for every group they were in.
    pub people: Vec<Track>,
}

/// When people left in several runs of the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Leaving {
    /// Number of runs.
    pub runs: usize,
    /// When n + 1 people had left in the first of the runs that came so far, s.
    pub first_s: Vec<f64>,
    /// When n + 1 people had left in all of them, s; shorter where somebody stayed in one.
    pub last_s: Vec<f64>,
}

impl Leaving {
    /// From the times of each run, s.
    pub fn of(runs: &[Vec<f64>]) -> Self {
        let runs: Vec<Vec<f64>> = runs.iter().map(|times| rising(times.iter().copied())).collect();
        let most = runs.iter().map(Vec::len).max().unwrap_or(0);
        let least = runs.iter().map(Vec::len).min().unwrap_or(0);
        let at = |n: usize| runs.iter().filter_map(move |times| times.get(n).copied());
        Self {
            runs: runs.len(),
            first_s: (0..most).map(|n| at(n).fold(f64::INFINITY, f64::min)).collect(),
            last_s: (0..least).map(|n| at(n).fold(0.0, f64::max)).collect(),
        }
    }
}

/// Times in order, s to 0.01.
pub(super) fn rising(times: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut times: Vec<f64> = times.filter(|t| t.is_finite()).map(|t| (t * 100.0).round() / 100.0).collect();
    times.sort_by(f64::total_cmp);
    times
}

impl Crowd {
    /// Every `keep`-th frame of a recording, from the first on.
    pub(super) fn new(label: &str, recorded: &Trajectory, keep: usize) -> Self {
        // By id, and how often the person has joined others.
        let mut people: BTreeMap<(u32, usize), Track> = BTreeMap::new();
        let mut last: BTreeMap<(u32, usize), [i64; 2]> = BTreeMap::new();
        let frames = recorded.frames.iter().step_by(keep);
        let count = frames.len();
        for (at, frame) in frames.enumerate() {
            // A person is in the new group from the frame on at whose end they joined it.
            let joined = recorded.caught.iter().filter(|(_, time_s, _)| *time_s <= frame.time_s);
            let mut groups: BTreeMap<u32, (usize, u16)> = BTreeMap::new();
            for (id, to) in joined.filter_map(|&(id, _, to)| Some((id, to?))) {
                let times = groups.get(&id).map_or(0, |(times, _)| *times);
                groups.insert(id, (times + 1, to));
            }
            for (&id, &pos) in frame.id.iter().zip(&frame.pos) {
                let now = point(pos);
                let (times, group) = groups.get(&id).map_or((0, None), |&(times, to)| (times, Some(to)));
                let before = last.insert((id, times), now).unwrap_or([0, 0]);
                let track = people.entry((id, times)).or_insert_with(|| Track {
                    id,
                    group: group.or_else(|| recorded.group.get(id as usize).copied()).unwrap_or(0),
                    radius: recorded.radius.get(id as usize).map_or(20.0, |r| (r * 1000.0).round() / 10.0),
                    start: at,
                    x: Vec::new(),
                    y: Vec::new(),
                });
                track.x.push(now[0] - before[0]);
                track.y.push(now[1] - before[1]);
            }
        }
        let left_s = rising(recorded.left_s.iter().flatten().copied());
        let every_s = (recorded.every_s * keep as f64 * 1e6).round() / 1e6;
        let people = people.into_values().collect();
        let caught_s = rising(recorded.caught.iter().map(|&(_, time_s, _)| time_s));
        Self {
            label: label.into(),
            every_s,
            frames: count,
            left_s,
            caught_s,
            collided_s: None,
            seeds: None,
            measures: Vec::new(),
            people,
        }
    }

    /// Number of people; those who joined others have several tracks.
    pub fn count(&self) -> usize {
        self.people.chunk_by(|a, b| a.id == b.id).count()
    }

    /// Length of the recording, s. The last person may leave after the last frame.
    pub fn end_s(&self) -> f64 {
        let frames_s = self.every_s * self.frames.saturating_sub(1) as f64;
        self.left_s.last().map_or(frames_s, |last| frames_s.max(*last))
    }
}

impl Track {
    /// The positions, m, in frame order.
    pub fn positions(&self) -> impl Iterator<Item = Vec2> + '_ {
        let (mut x, mut y) = (0, 0);
        self.x.iter().zip(&self.y).map(move |(dx, dy)| {
            x += dx;
            y += dy;
            vec2(x as f64 / 100.0, y as f64 / 100.0)
        })
    }
}

/// The smallest step through the frames that leaves at most `most` positions, at least 1.
pub(super) fn thinning(recorded: &Trajectory, most: usize) -> usize {
    let kept = |keep: usize| recorded.frames.iter().step_by(keep).map(|f| f.id.len()).sum::<usize>();
    (1..=recorded.frames.len()).find(|&keep| kept(keep) <= most).unwrap_or_else(|| recorded.frames.len().max(1))
}
