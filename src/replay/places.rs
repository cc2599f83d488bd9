//! What an experiment adds to a replay: where it measures, what attracts people, who stands out.

use super::units::{cm, line, point};
use super::{NamedArea, NamedLine, NamedPoint, ReplayFile};
use crowdtune_sim::metrics::Place;
use crowdtune_sim::world::scenario::{Group, Pull};

/// Largest group of leaders that is marked. Chosen here: rings around more of them cover each other.
const MOST_MARKED: usize = 20;

impl ReplayFile {
    /// Keeps the lines and areas of the plan where the experiment measures, under their names, and adds other ones, named
    /// after the columns that use them.
    #[must_use]
    pub fn measured(mut self, places: &[(&str, &Place)]) -> Self {
        let used = |at: &dyn Fn(&Place) -> bool| places.iter().any(|(_, place)| at(place));
        self.lines.retain(|l| used(&|p| matches!(p, Place::Line(s) if line(s) == l.line)));
        self.areas.retain(|a| {
            used(&|p| matches!(p, Place::Area(b) if b.points.iter().map(|&p| point(p)).eq(a.points.iter().copied())))
        });
        let (named_lines, named_areas) = (self.lines.len(), self.areas.len());
        for (column, place) in places {
            match place {
                Place::Line(l) => {
                    let new = line(l);
                    let same = |l: &NamedLine| l.line == new;
                    if self.doors.iter().chain(&self.lines[..named_lines]).any(same) {
                        continue;
                    }
                    match self.lines.iter_mut().find(|l| l.line == new) {
                        Some(there) => there.name = format!("{}, {column}", there.name),
                        None => self.lines.push(NamedLine { name: (*column).into(), line: new }),
                    }
                }
                Place::Area(a) => {
                    let new: Vec<_> = a.points.iter().map(|&p| point(p)).collect();
                    let same = |a: &NamedArea| a.points == new;
                    if self.goal_areas.iter().chain(&self.areas[..named_areas]).any(same) {
                        continue;
                    }
                    match self.areas.iter_mut().find(|a| a.points == new) {
                        Some(there) => there.name = format!("{}, {column}", there.name),
                        None => self.areas.push(NamedArea { name: (*column).into(), points: new }),
                    }
                }
            }
        }
        self
    }

    /// Marks groups that others follow and single people among groups, and adds places that attract people as goals.
    #[must_use]
    pub fn marking(mut self, groups: &[Group]) -> Self {
        for group in groups {
            let Pull::Point { at, radius_m } = group.pull else { continue };
            let name = if groups.len() > 1 { group.name.clone() } else { "goal".to_string() };
            let goal = NamedPoint { name, at: point(at), radius: cm(radius_m) };
            match self.goal_points.iter_mut().find(|g| (g.at, g.radius) == (goal.at, goal.radius)) {
                Some(there) => there.name = format!("{}, {}", there.name, goal.name),
                None => self.goal_points.push(goal),
            }
        }
        let led = |at: usize| groups.iter().any(|g| g.pull == Pull::Group(at));
        let followed = |at: usize| led(at) && groups[at].count <= MOST_MARKED;
        let single = |at: usize| groups.len() > 1 && groups[at].count == 1;
        self.marked = (0..groups.len()).filter(|&at| followed(at) || single(at)).map(|at| at as u16).collect();
        self
    }
}
