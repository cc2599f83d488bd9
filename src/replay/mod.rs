//! `replays/<name>.json`: a place and the recorded crowds in it, small enough to be embedded in a page.
//!
//! Lengths are whole centimeters. A person's track holds a start frame and, for each coordinate, the first value
//! followed by the differences from frame to frame.

mod look;
mod places;
mod regions;
#[cfg(feature = "page")]
mod relief;
mod tracks;
mod units;

use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::crowd::Trajectory;
use crowdtune_sim::world::Torus;
use crowdtune_sim::world::scenario::{FloorPlan, Goal, Polygon};
pub use look::Look;
pub use regions::{Level, Region};
use serde::{Deserialize, Serialize};
pub use tracks::{Crowd, Leaving, Track};
use tracks::{rising, thinning};
use units::{cm, line, point};

/// Most positions of one crowd; longer recordings are thinned to whole multiples of their interval. Chosen here: at
/// about six characters a position one crowd stays below 300 kB.
pub const MOST_POSITIONS: usize = 40_000;

/// The crowd of recorded tracks, beside those that were simulated.
pub const RECORDED: &str = "recorded";

/// Most looks at the measurements of one crowd. Chosen here: one for every second of two minutes.
const MOST_LOOKS: usize = 120;

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

/// Axes that are closed to a ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rings {
    /// First and last x, cm.
    pub x: Option<[i64; 2]>,
    /// First and last y, cm.
    pub y: Option<[i64; 2]>,
}

impl Rings {
    fn of(torus: &Torus) -> Self {
        let axis = |ends: Option<(f64, f64)>| ends.map(|(low, high)| [cm(low), cm(high)]);
        Self { x: axis(torus.x), y: axis(torus.y) }
    }

    /// The same rings in meters.
    pub fn torus(&self) -> Torus {
        let axis = |ends: Option<[i64; 2]>| ends.map(|[low, high]| (low as f64 / 100.0, high as f64 / 100.0));
        Torus { x: axis(self.x), y: axis(self.y) }
    }
}

/// The whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayFile {
    /// Format of this file, 1.
    pub format: u32,
    /// What it shows.
    pub title: String,
    /// The case, where the file belongs to a run folder; earlier files have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub case: String,
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
    /// Axes that are closed to a ring; earlier files have none.
    #[serde(default)]
    pub rings: Rings,
    /// Areas above rising levels; none on level ground.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relief: Vec<Level>,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// Indices of groups to mark: those that others follow or guard, and single people among groups.
    #[serde(default)]
    pub marked: Vec<u16>,
    /// Which run is shown, as a sentence; "" where there was no choice.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// True to highlight overlapping bodies from the start: where collisions are counted.
    #[serde(default)]
    pub overlaps: bool,
    /// The crowds, one or two, on the same clock.
    pub crowds: Vec<Crowd>,
}

impl ReplayFile {
    /// The file of some recordings in one place; frames are thinned so that no crowd has more than
    /// [`MOST_POSITIONS`], and all crowds share one thinning.
    pub fn new(title: &str, plan: &FloorPlan, groups: &[String], crowds: &[(&str, &Trajectory)]) -> Self {
        let area = |p: &Polygon| p.points.iter().map(|&p| point(p)).collect::<Vec<_>>();
        let mut file = Self {
            format: 1,
            title: title.into(),
            case: String::new(),
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
            rings: Rings::of(&plan.periodic),
            relief: Vec::new(),
            groups: groups.to_vec(),
            marked: Vec::new(),
            note: String::new(),
            overlaps: false,
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
        // A place to measure that is a goal too would be written over the goal with the same name.
        let (doors, goals) = (&file.doors, &file.goal_areas);
        file.lines.retain(|l| !doors.iter().any(|d| d.name == l.name && d.line == l.line));
        file.areas.retain(|a| !goals.iter().any(|g| g == a));
        let keep = crowds.iter().map(|(_, t)| thinning(t, MOST_POSITIONS)).max().unwrap_or(1);
        file.crowds = crowds.iter().map(|(label, t)| Crowd::new(label, t, keep)).collect();
        #[cfg(feature = "page")]
        if let Some(relief) = &plan.relief {
            let (low, high) = file.bounds();
            file.relief = relief::levels(relief, low, high);
        }
        file
    }

    /// With the times at which collisions began, s, for each crowd; `None` where they were not counted.
    #[must_use]
    pub fn colliding(mut self, times: &[Option<Vec<f64>>]) -> Self {
        for (crowd, times) in self.crowds.iter_mut().zip(times) {
            crowd.collided_s = times.as_ref().map(|times| rising(times.iter().copied()));
        }
        self.overlaps = self.crowds.iter().any(|c| c.collided_s.is_some());
        self
    }

    /// With what was measured of each crowd by and by.
    #[must_use]
    pub fn looked_at(mut self, looks: &[&[Look]]) -> Self {
        for (crowd, looks) in self.crowds.iter_mut().zip(looks) {
            crowd.measures = look::few(looks, MOST_LOOKS);
        }
        self
    }

    /// Meters from one level of the ground to the next; `None` with fewer than two.
    pub fn contour_interval_m(&self) -> Option<f64> {
        self.relief.windows(2).next().map(|levels| levels[1].height_m - levels[0].height_m)
    }

    /// Corners (low, high) of everything that is drawn, m; the unit square for an empty file.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        let mut seen = Vec::new();
        let mut ends = |l: &[i64; 4]| seen.extend([[l[0], l[1]], [l[2], l[3]]]);
        self.walls.iter().for_each(&mut ends);
        self.doors.iter().chain(&self.lines).for_each(|l| ends(&l.line));
        self.walkable.iter().for_each(|r| seen.extend(&r.shell));
        self.goal_areas.iter().chain(&self.areas).for_each(|a| seen.extend(&a.points));
        for p in &self.goal_points {
            seen.extend([[p.at[0] - p.radius, p.at[1] - p.radius], [p.at[0] + p.radius, p.at[1] + p.radius]]);
        }
        let mut rings = self.rings;
        for (ends, at) in [(rings.x.take(), 0), (rings.y.take(), 1)] {
            // A ring without walls across it is known in one coordinate only: the other is that of anything seen.
            let Some(other) = seen.first().map(|p| p[1 - at]) else { continue };
            let corner = |end: i64| if at == 0 { [end, other] } else { [other, end] };
            seen.extend(ends.into_iter().flatten().map(corner));
        }
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

#[cfg(test)]
mod tests;
