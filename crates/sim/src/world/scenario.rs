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
    /// Through these points in order (each counts as passed within `radius_m`), then straight.
    Waypoints {
        /// The points.
        points: Vec<Vec2>,
        /// How near counts as passed.
        radius_m: f64,
    },
    /// Down the travel-time field around walls (fast marching).
    Field {
        /// Cell size of the field.
        cell_m: f64,
    },
}

/// Where a group starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Spawn {
    /// At random in the area, without overlap of people or walls.
    Random(Polygon),
    /// On a square lattice that fills the area.
    Lattice {
        /// The area.
        area: Polygon,
        /// Distance of lattice points; `None` takes the widest that holds everybody.
        spacing_m: Option<f64>,
    },
    /// At these points.
    Points(Vec<Vec2>),
    /// At these points, each moved at random by up to `within_m` along x and along y.
    Near {
        /// The points.
        points: Vec<Vec2>,
        /// How far at most, m.
        within_m: f64,
    },
}

impl Spawn {
    /// The area; `None` for points.
    pub fn area(&self) -> Option<&Polygon> {
        match self {
            Self::Random(area) | Self::Lattice { area, .. } => Some(area),
            Self::Points(_) | Self::Near { .. } => None,
        }
    }
}

impl Default for Spawn {
    fn default() -> Self {
        Self::Points(Vec::new())
    }
}

/// One step of a journey: any one of these goals (indices into [`crate::world::World::goals`]); people take the nearest.
pub type Stage = Vec<usize>;

/// People with one journey.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Name, unique in the scenario.
    pub name: String,
    /// Number of people.
    pub count: usize,
    /// Where they start, or where they come in.
    pub spawn: Spawn,
    /// How many come in per second, evenly spaced from time 0, until `count` are there; `None`: all are there at the
    /// start.
    pub inflow_per_s: Option<f64>,
    /// What they visit, in order; at the last stage they leave. Empty: they stay.
    pub stages: Vec<Stage>,
    /// True if each person has an own goal: the person of rank k in the group takes goal k of each stage, instead of
    /// the nearest (ranks beyond the end of a stage begin again at its first goal).
    pub own_goals: bool,
    /// True if they begin the journey again after its last stage, and never leave.
    pub rounds: bool,
    /// What draws a group without stages.
    pub pull: Pull,
}

impl Group {
    /// True if its people are on their way to leave.
    pub fn leaves(&self) -> bool {
        !self.stages.is_empty() && !self.rounds
    }

    /// What somebody of this rank in the group chooses from in a stage: all of it, or only the person's own goal.
    pub fn choice<'a>(&self, stage: &'a [usize], rank: usize) -> &'a [usize] {
        if !self.own_goals || stage.is_empty() {
            return stage;
        }
        let own = rank % stage.len();
        &stage[own..=own]
    }
}

/// What draws people without a journey.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Pull {
    /// Nothing.
    #[default]
    Nothing,
    /// Always the same direction, a unit vector.
    Heading(Vec2),
    /// The middle of another group, by its index: a leader, somebody to guard.
    Group(usize),
    /// A place where they stay: people who are there want to go nowhere, and come back when pushed away.
    Point {
        /// Where.
        at: Vec2,
        /// How near counts as there, m.
        radius_m: f64,
    },
}

/// The place as a scenario describes it; [`crate::world::World::new`] builds the look-up structures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FloorPlan {
    /// Walls; polygons are given by their edges.
    pub walls: Vec<Segment>,
    /// Where people can be: shells with holes, or empty where walls alone bound the place.
    pub walkable: Vec<(Polygon, Vec<Polygon>)>,
    /// Goals by name.
    pub goals: Vec<Named<Goal>>,
    /// Lines to measure at, by name.
    pub lines: Vec<Named<Segment>>,
    /// Areas to measure in, by name.
    pub areas: Vec<Named<Polygon>>,
    /// How people find their way.
    pub navigation: Navigation,
    /// Goals are seen only within this distance; beyond it people keep a random direction, reflected by walls.
    pub sight_m: Option<f64>,
    /// Which axes are closed to a ring. Walls act across the seam too.
    pub periodic: super::Torus,
}

impl FloorPlan {
    /// The box around the plan and the starts of these groups; `None` if both are empty.
    pub(crate) fn bounds(&self, groups: &[Group]) -> Option<Bounds> {
        let walls = self.walls.iter().flat_map(|s| [s.a, s.b]);
        let shells = self.walkable.iter().flat_map(|(shell, _)| shell.points.iter().copied());
        let goals = self.goals.iter().flat_map(|g| g.what.points());
        let starts = groups.iter().flat_map(|g| match &g.spawn {
            Spawn::Random(area) | Spawn::Lattice { area, .. } => area.points.clone(),
            Spawn::Points(points) | Spawn::Near { points, .. } => points.clone(),
        });
        Bounds::of(walls.chain(shells).chain(goals).chain(starts))
    }
}

/// A place with its people.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Name of the table in the experiment file; the stream of random numbers is named by it.
    pub name: String,
    /// The place.
    pub world: Arc<super::World>,
    /// The groups in it, in name order.
    pub groups: Vec<Group>,
    /// Simulated time at which a run ends, a normal end.
    pub limit_s: f64,
    /// A run also ends when nobody has left for this long, s.
    pub give_up_s: Option<f64>,
    /// Recorded people that the run is put beside.
    pub tracks: Option<Arc<super::tracks::Tracks>>,
}
