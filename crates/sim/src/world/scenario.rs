//! A scenario: a place, the groups that enter it, and when to stop.

pub use super::geometry::{Bounds, Polygon, Segment};
pub use super::goal::Goal;
use crowdtune_core::math::Vec2;
use std::sync::Arc;

/// A named place in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T> {
    /// Its name, unique within its kind in the scenario.
    pub name: String,
    /// The thing.
    pub what: T,
}

/// Short for a [`Named`].
pub fn named<T>(name: impl Into<String>, what: T) -> Named<T> {
    Named { name: name.into(), what }
}

/// How people find their way to a goal.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Navigation {
    /// Straight to the nearest point of the goal.
    #[default]
    Straight,
    /// Through these points in order, then straight.
    Waypoints {
        /// The points.
        points: Vec<Vec2>,
        /// Distance at which a point counts as passed, m.
        radius_m: f64,
    },
    /// Down a travel-time field, around walls.
    Field {
        /// Cell size of the field, m.
        cell_m: f64,
        /// How many seconds more a second is worth where the discomfort is one person per m2, m2.
        discomfort_weight: f64,
    },
    /// The shortest way, whose bends are the corners of walls, as points without bodies would go it: to the middle of an area,
    /// else to the nearest point of the goal.
    Corners {
        /// How far from a corner the bend lies, m, into the middle of the open side; nearer where there is less room.
        margin_m: f64,
    },
}

/// Where a group starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Spawn {
    /// At random in the area, without overlapping people or walls.
    Random(Polygon),
    /// On a square lattice that fills the area.
    Lattice {
        /// The area.
        area: Polygon,
        /// Spacing, m; `None` for the widest that fits everybody.
        spacing_m: Option<f64>,
    },
    /// At these points.
    Points(Vec<Vec2>),
    /// At these points, each shifted at random by up to `within_m` along x and along y.
    Near {
        /// The points.
        points: Vec<Vec2>,
        /// Largest shift, m.
        within_m: f64,
    },
    /// At these points, each shifted at random, then pushed apart until nobody touches anybody or a wall.
    Apart {
        /// The points.
        points: Vec<Vec2>,
        /// Largest shift along x and along y before that, m.
        within_m: f64,
        /// How far apart bodies are pushed that would touch, m.
        gap_m: f64,
    },
    /// On a hexagonal lattice in the half plane before a point, at the places nearest to it, each shifted at random by less than
    /// would let two bodies touch.
    Honeycomb {
        /// The point.
        middle: Vec2,
        /// Unit vector into the half plane; rows lie across it.
        ahead: Vec2,
        /// Least spacing, m.
        spacing_m: f64,
        /// Least gap between bodies before the shift, which makes the spacing wider for large ones, m.
        gap_m: f64,
    },
}

impl Spawn {
    /// The area; `None` for points.
    pub fn area(&self) -> Option<&Polygon> {
        match self {
            Self::Random(area) | Self::Lattice { area, .. } => Some(area),
            Self::Points(_) | Self::Near { .. } | Self::Apart { .. } | Self::Honeycomb { .. } => None,
        }
    }
}

impl Default for Spawn {
    fn default() -> Self {
        Self::Points(Vec::new())
    }
}

/// One stop of a journey: any of these goals (indices into [`crate::world::World::goals`]); people pick the nearest.
pub type Stage = Vec<usize>;

/// People who share a journey.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Name, unique in the scenario.
    pub name: String,
    /// Number of people.
    pub count: usize,
    /// Where they start or enter.
    pub spawn: Spawn,
    /// Arrivals per second, evenly spaced from time 0, until `count` have entered; `None` if all are there at the
    /// start.
    pub inflow_per_s: Option<f64>,
    /// Stops in order; people leave at the last one. Empty: they stay.
    pub stages: Vec<Stage>,
    /// True if each person has their own goal: the person of rank k in the group takes goal k of each stage instead of
    /// the nearest, starting over at the first goal after the last.
    pub own_goals: bool,
    /// True if they repeat the journey forever and never leave.
    pub rounds: bool,
    /// Where a group without stages wants to go.
    pub pull: Pull,
    /// Whom they run away from. While they do, nothing else draws them.
    pub flees: Option<Flight>,
    /// Whom they catch.
    pub catches: Option<Catch>,
    /// How much others keep away from each of them, and from where they will be.
    pub discomfort: Option<Ahead>,
    /// Share of the avoidance that its people take towards those of another group, by its index, 0 to 1; each half where nothing is
    /// said, or what the model's own `responsibility` says.
    pub gives_way: Vec<(usize, f64)>,
}

impl Group {
    /// Time that its people together spend in a run of this length in which nobody is out before the end, s.
    fn person_seconds(&self, limit_s: f64) -> f64 {
        let all = self.count as f64;
        let Some(per_s) = self.inflow_per_s else { return all * limit_s };
        // Person k comes in at k / per_s.
        let come = all.min((limit_s * per_s).ceil());
        come * limit_s - 0.5 * come * (come - 1.0).max(0.0) / per_s
    }

    /// True if its people are going to leave.
    pub fn leaves(&self) -> bool {
        !self.stages.is_empty() && !self.rounds
    }

    /// The goals of a stage that a person of this rank can choose: all, or only their own.
    pub fn choice<'a>(&self, stage: &'a [usize], rank: usize) -> &'a [usize] {
        if !self.own_goals || stage.is_empty() {
            return stage;
        }
        let own = rank % stage.len();
        &stage[own..=own]
    }
}

/// From whom people run away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// The group that chases them, by its index.
    pub from: usize,
    /// They run while the center of somebody of that group is nearer than this, m; infinite: always.
    pub within_m: f64,
}

/// Whom people catch, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Catch {
    /// The group whose people are caught, by its index.
    pub group: usize,
    /// Gap between two bodies within which somebody is held, m.
    pub distance_m: f64,
    /// How long somebody has to be held without a break, by one or another, s; at least one step.
    pub time_s: f64,
    /// What becomes of whom they catch.
    pub then: Caught,
}

/// What becomes of people who are caught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caught {
    /// They are gone.
    Leave,
    /// They join those who caught them.
    Join,
}

/// Where people without a journey want to go.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Pull {
    /// Nowhere.
    #[default]
    Nothing,
    /// Always the same direction, a unit vector.
    Heading(Vec2),
    /// To another group, by its index: a leader, or a person to guard. Straight to its middle; with travel-time fields to the
    /// nearest of its people.
    Group(usize),
    /// To a point, to stay there: people who are there want to go nowhere, and return if pushed away.
    Point {
        /// Where.
        at: Vec2,
        /// Distance at which people count as there, m.
        radius_m: f64,
    },
    /// Straight to where the own track ends, and on in that direction: people are seen up to there, not bound for it.
    Track,
}

/// The place as a scenario describes it; [`crate::world::World::new`] builds the lookup structures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FloorPlan {
    /// Walls, including the edges of polygons.
    pub walls: Vec<Segment>,
    /// The walkable area: shells with holes; empty if walls alone bound the place.
    pub walkable: Vec<(Polygon, Vec<Polygon>)>,
    /// Goals by name.
    pub goals: Vec<Named<Goal>>,
    /// Lines to measure at, by name.
    pub lines: Vec<Named<Segment>>,
    /// Areas to measure in, by name.
    pub areas: Vec<Named<Polygon>>,
    /// How people find their way.
    pub navigation: Navigation,
    /// How much farther from the ends of a door than their radius people aim, m; not where they go by corners.
    pub door_margin_m: f64,
    /// Distance within which goals are seen, m; beyond it people keep a random direction, reflected by walls. `None`:
    /// unlimited.
    pub sight_m: Option<f64>,
    /// Which axes are periodic. Walls act across the seam too.
    pub periodic: super::Torus,
    /// Where people do not like to be, for models whose paths have a price; where areas overlap, their values add up.
    pub discomfort: Vec<Discomfort>,
    /// Heights; `None` for flat ground.
    pub relief: Option<super::Relief>,
}

/// An area where people do not like to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Discomfort {
    /// Where.
    pub area: Polygon,
    /// How much: as if so many people per m2 were expected there.
    pub people_per_m2: f64,
}

/// Discomfort that somebody brings: around the body and ahead of it, as of a car. Treuille, Cooper, Popovic, Continuum Crowds,
/// SIGGRAPH 2006, section 3.4 (predictive discomfort).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead {
    /// How much: as if so many people per m2 were expected there.
    pub people_per_m2: f64,
    /// Over which time the place is swept along the velocity, s.
    pub ahead_s: f64,
    /// Radius around the center, m.
    pub radius_m: f64,
}

impl Ahead {
    /// True for a place, given from the center of somebody with this velocity, m/s.
    #[inline]
    pub fn covers(&self, place: Vec2, velocity: Vec2) -> bool {
        let way = velocity * self.ahead_s;
        let length2 = way.length2();
        let share = if length2 > 0.0 { (place.dot(way) / length2).clamp(0.0, 1.0) } else { 0.0 };
        (place - way * share).length2() <= self.radius_m * self.radius_m
    }
}

impl FloorPlan {
    /// The box around the plan and the starts of these groups; `None` if both are empty.
    pub(crate) fn bounds(&self, groups: &[Group]) -> Option<Bounds> {
        let walls = self.walls.iter().flat_map(|s| [s.a, s.b]);
        let shells = self.walkable.iter().flat_map(|(shell, _)| shell.points.iter().copied());
        let goals = self.goals.iter().flat_map(|g| g.what.points());
        let starts = groups.iter().flat_map(|g| match &g.spawn {
            Spawn::Random(area) | Spawn::Lattice { area, .. } => area.points.clone(),
            Spawn::Points(points) | Spawn::Near { points, .. } | Spawn::Apart { points, .. } => points.clone(),
            Spawn::Honeycomb { middle, .. } => vec![*middle],
        });
        Bounds::of(walls.chain(shells).chain(goals).chain(starts))
    }
}

/// A place with its people.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Name of its table in the experiment file; it also names the random streams.
    pub name: String,
    /// The place.
    pub world: Arc<super::World>,
    /// The groups in it, in name order.
    pub groups: Vec<Group>,
    /// Simulated time at which a run ends normally, s.
    pub limit_s: f64,
    /// A run also ends if nobody has left for this long, s.
    pub give_up_s: Option<f64>,
    /// Recorded tracks: their people come in at the first frame of each, and are compared with them.
    pub tracks: Option<Arc<super::tracks::Tracks>>,
}

impl Scenario {
    /// Number of people of all groups; ids run from 0 to one less.
    pub fn people(&self) -> usize {
        self.groups.iter().map(|group| group.count).sum()
    }

    /// Time that the people of each group together spend in a run in which nobody is out before the end, s; of recorded people, the time of
    /// their recording.
    pub fn person_seconds(&self) -> impl Iterator<Item = f64> {
        (0..).zip(&self.groups).map(|(at, group)| match &self.tracks {
            Some(tracks) => tracks.person_seconds(at),
            None => group.person_seconds(self.limit_s),
        })
    }

    /// True if there are places where people do not like to be, drawn or brought along by a group.
    pub fn has_discomfort(&self) -> bool {
        !self.world.plan.discomfort.is_empty() || self.groups.iter().any(|g| g.discomfort.is_some())
    }

    /// True if people leave when they were seen last, whatever they do in the run.
    pub fn leaves_as_recorded(&self) -> bool {
        self.tracks.as_ref().is_some_and(|tracks| tracks.leave == super::Leave::AsRecorded)
    }

    /// True if people of recorded tracks walk among the others as they were recorded.
    pub(crate) fn walks_among_recorded(&self) -> bool {
        self.tracks.as_ref().is_some_and(|tracks| tracks.one_in.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::Group;

    #[test]
    fn who_comes_in_later_is_there_for_less_time() {
        let group = Group { count: 10, ..Group::default() };
        assert_eq!(group.person_seconds(3.0), 30.0);
        // At 0, 0.5, ... 2.5 s: six people.
        let coming = Group { inflow_per_s: Some(2.0), ..group };
        assert_eq!(coming.person_seconds(3.0), 3.0 + 2.5 + 2.0 + 1.5 + 1.0 + 0.5);
        assert_eq!(coming.person_seconds(0.0), 0.0);
    }
}
