//! `replays/<name>.json`: a place and the recorded crowds in it, small enough to be embedded in a page.
//!
//! Lengths are whole centimeters. A person's track holds a start frame and, for each coordinate, the first value
//! followed by the differences from frame to frame.

use crate::crowd::trajectory::Trajectory;
use crate::math::{Vec2, vec2};
use crate::world::scenario::{Goal, Plan, Polygon, Segment};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most positions of one crowd; longer recordings are thinned to whole multiples of their interval. Chosen here: at
/// about six characters a position one crowd stays below 300 kB.
pub const MOST_POSITIONS: usize = 40_000;

/// A line with a name: x, y, x, y in cm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedLine {
    /// Its name.
    pub name: String,
    /// From and to.
    pub line: [i64; 4],
}

/// A polygon with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedArea {
    /// Its name.
    pub name: String,
    /// Corners, cm.
    pub points: Vec<[i64; 2]>,
}

/// A circle with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedPoint {
    /// Its name.
    pub name: String,
    /// Center, cm.
    pub at: [i64; 2],
    /// Radius, cm.
    pub radius: i64,
}

/// A region where people can be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Outer corners, cm.
    pub shell: Vec<[i64; 2]>,
    /// Holes.
    pub holes: Vec<Vec<[i64; 2]>>,
}

/// One person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Track {
    /// Number in the run.
    pub id: u32,
    /// Index into the groups.
    pub group: u16,
    /// Body radius, cm, to a tenth.
    pub radius: f64,
    /// First frame in which the person is present; after the last one the person is gone.
    pub start: usize,
    /// First x, then differences, cm.
    pub x: Vec<i64>,
    /// First y, then differences, cm.
    pub y: Vec<i64>,
}

/// One recorded crowd.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crowd {
    /// What it shows: `defaults`, `tuned`, the name of a preset or model.
    pub label: String,
    /// Interval of the frames, s.
    pub every_s: f64,
    /// Number of frames.
    pub frames: usize,
    /// When people left, s to 0.01, rising.
    pub left_s: Vec<f64>,
    /// The people, by id.
    pub people: Vec<Track>,
}

/// The whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayFile {
    /// Format of this file, 1.
    pub format: u32,
    /// What it shows.
    pub title: String,
    /// Walls, each x, y, x, y in cm.
    pub walls: Vec<[i64; 4]>,
    /// Where people can be, if the place is described so.
    pub walkable: Vec<Region>,
    /// Doors.
    pub doors: Vec<NamedLine>,
    /// Goals that are areas.
    pub goal_areas: Vec<NamedArea>,
    /// Goals that are points.
    pub goal_points: Vec<NamedPoint>,
    /// Lines to measure at.
    pub lines: Vec<NamedLine>,
    /// Areas to measure in.
    pub areas: Vec<NamedArea>,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// The crowds, one or two, on the same clock.
    pub crowds: Vec<Crowd>,
}

impl ReplayFile {
    /// The file of some recordings in one place; frames are thinned so that no crowd has more than
    /// [`MOST_POSITIONS`], and all crowds share one thinning.
    pub fn new(title: &str, plan: &Plan, groups: &[String], crowds: &[(&str, &Trajectory)]) -> Self {
        let area = |p: &Polygon| p.points.iter().map(|&p| point(p)).collect::<Vec<_>>();
        let mut file = Self {
            format: 1,
            title: title.into(),
            walls: plan.walls.iter().map(line).collect(),
            walkable: plan
                .walkable
                .iter()
                .map(|(shell, holes)| Region { shell: area(shell), holes: holes.iter().map(area).collect() })
                .collect(),
            doors: Vec::new(),
            goal_areas: Vec::new(),
            goal_points: Vec::new(),
            lines: plan.lines.iter().map(|l| NamedLine { name: l.name.clone(), line: line(&l.what) }).collect(),
            areas: plan.areas.iter().map(|a| NamedArea { name: a.name.clone(), points: area(&a.what) }).collect(),
            groups: groups.to_vec(),
            crowds: Vec::new(),
        };
        for goal in &plan.goals {
            let name = goal.name.clone();
            match &goal.what {
                Goal::Door { line: l, .. } => file.doors.push(NamedLine { name, line: line(l) }),
                Goal::Area(a) => file.goal_areas.push(NamedArea { name, points: area(a) }),
                Goal::Point { at, radius } => {
                    file.goal_points.push(NamedPoint { name, at: point(*at), radius: cm(*radius) });
                }
            }
        }
        // A line measured at a door would be written over the door with the same name.
        let doors = &file.doors;
        file.lines.retain(|l| !doors.iter().any(|d| d.name == l.name && d.line == l.line));
        let keep = crowds.iter().map(|(_, t)| thinning(t, MOST_POSITIONS)).max().unwrap_or(1);
        file.crowds = crowds.iter().map(|(label, t)| Crowd::new(label, t, keep)).collect();
        file
    }

    /// Corners (low, high) of everything that is drawn, m; the unit square for an empty file.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        let mut seen = Vec::new();
        let mut ends = |l: &[i64; 4]| seen.extend([[l[0], l[1]], [l[2], l[3]]]);
        self.walls.iter().for_each(&mut ends);
        self.doors.iter().chain(&self.lines).for_each(|l| ends(&l.line));
        self.walkable.iter().for_each(|r| seen.extend(&r.shell));
        self.goal_areas.iter().chain(&self.areas).for_each(|a| seen.extend(&a.points));
        seen.extend(self.goal_points.iter().map(|p| p.at));
        if self.walls.is_empty() && self.walkable.is_empty() {
            let tracks = self.crowds.iter().flat_map(|c| &c.people);
            seen.extend(tracks.flat_map(|t| t.positions()).map(point));
        }
        let Some(&first) = seen.first() else { return (Vec2::ZERO, vec2(1.0, 1.0)) };
        let (mut low, mut high) = (first, first);
        for p in seen {
            low = [low[0].min(p[0]), low[1].min(p[1])];
            high = [high[0].max(p[0]), high[1].max(p[1])];
        }
        let m = |p: [i64; 2]| vec2(p[0] as f64 / 100.0, p[1] as f64 / 100.0);
        (m(low), m(high))
    }
}

impl Crowd {
    /// Every `keep`-th frame of a recording, from the first on.
    fn new(label: &str, recorded: &Trajectory, keep: usize) -> Self {
        let mut people: BTreeMap<u32, Track> = BTreeMap::new();
        let mut last: BTreeMap<u32, [i64; 2]> = BTreeMap::new();
        let frames = recorded.frames.iter().step_by(keep);
        let count = frames.len();
        for (at, frame) in frames.enumerate() {
            for (&id, &pos) in frame.id.iter().zip(&frame.pos) {
                let now = point(pos);
                let before = last.insert(id, now).unwrap_or([0, 0]);
                let track = people.entry(id).or_insert_with(|| Track {
                    id,
                    group: recorded.group.get(id as usize).copied().unwrap_or(0),
                    radius: recorded.radius.get(id as usize).map_or(20.0, |r| (r * 1000.0).round() / 10.0),
                    start: at,
                    x: Vec::new(),
                    y: Vec::new(),
                });
                track.x.push(now[0] - before[0]);
                track.y.push(now[1] - before[1]);
            }
        }
        let mut left_s: Vec<f64> =
            recorded.left_s.iter().flatten().filter(|t| t.is_finite()).map(|t| (t * 100.0).round() / 100.0).collect();
        left_s.sort_by(f64::total_cmp);
        let every_s = (recorded.every_s * keep as f64 * 1e6).round() / 1e6;
        Self { label: label.into(), every_s, frames: count, left_s, people: people.into_values().collect() }
    }

    /// Length of the recording, s.
    pub fn end_s(&self) -> f64 {
        self.every_s * self.frames.saturating_sub(1) as f64
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
fn thinning(recorded: &Trajectory, most: usize) -> usize {
    let kept = |keep: usize| recorded.frames.iter().step_by(keep).map(|f| f.id.len()).sum::<usize>();
    (1..=recorded.frames.len()).find(|&keep| kept(keep) <= most).unwrap_or_else(|| recorded.frames.len().max(1))
}

/// Meters to whole centimeters; what is not finite becomes 0.
fn cm(meters: f64) -> i64 {
    (meters * 100.0).round() as i64
}

fn point(p: Vec2) -> [i64; 2] {
    [cm(p.x), cm(p.y)]
}

fn line(s: &Segment) -> [i64; 4] {
    [cm(s.a.x), cm(s.a.y), cm(s.b.x), cm(s.b.y)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::trajectory::Frame;
    use crate::report::fixture;

    #[test]
    fn tracks_are_differences_in_centimeters() {
        let frame = |time_s, id: &[u32], x: &[f64]| Frame {
            time_s,
            id: id.to_vec(),
            pos: x.iter().map(|&x| vec2(x, -1.0)).collect(),
        };
        let recorded = Trajectory {
            every_s: 0.1,
            frames: vec![
                frame(0.0, &[0, 1], &[1.004, 2.0]),
                frame(0.1, &[0, 1], &[1.136, 2.0]),
                frame(0.2, &[1], &[2.5]),
            ],
            radius: vec![0.25, 0.3333],
            group: vec![0, 1],
            left_s: vec![Some(0.1234), None],
        };
        let crowd = Crowd::new("tuned", &recorded, 1);
        assert_eq!(crowd.people[0].x, [100, 14]);
        assert_eq!(crowd.people[0].y, [-100, 0]);
        assert_eq!(crowd.people[1].x, [200, 0, 50]);
        assert_eq!((crowd.people[1].radius, crowd.people[1].group), (33.3, 1));
        assert_eq!(crowd.left_s, [0.12]);
        assert_eq!(crowd.people[0].positions().collect::<Vec<_>>(), [vec2(1.0, -1.0), vec2(1.14, -1.0)]);
        assert_eq!(Crowd::new("tuned", &recorded, 2).people[1].x, [200, 50]);
    }

    #[test]
    fn two_hundred_people_for_a_minute_fit_into_300_kb() {
        let recorded = fixture::trajectory(200, 60.0, 1.0);
        let file = ReplayFile::new("room", &fixture::plan(), &["all".into()], &[("tuned", &recorded)]);
        let text = serde_json::to_string(&file).unwrap();
        assert!(text.len() < 300_000, "{} bytes", text.len());
        assert_eq!(serde_json::from_str::<ReplayFile>(&text).unwrap(), file);
        assert_eq!(file.bounds(), (vec2(0.0, 0.0), vec2(18.0, 15.0)));
    }

    #[test]
    fn an_empty_recording_gives_an_empty_crowd() {
        let file = ReplayFile::new("", &fixture::plan(), &[], &[("tuned", &Trajectory::default())]);
        assert_eq!((file.crowds[0].frames, file.crowds[0].people.len(), file.crowds[0].end_s()), (0, 0, 0.0));
    }
}
