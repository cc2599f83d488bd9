//! What can be measured; one file per family.
//!
//! `docs/metrics.md` has the definitions with their formulas and conventions.

mod alignment;
mod arrival;
mod averaged;
mod cells;
mod chords;
mod cohesion;
mod collisions;
mod convex;
mod crossings;
mod crowd_pressure;
mod density;
mod evacuation;
mod exits;
mod flow;
mod fundamental;
mod goal;
mod ground;
mod guard;
mod jerk;
mod lanes;
mod leavers;
mod line;
mod members;
mod motion;
mod near;
mod pace;
mod passing;
mod pressure;
mod profile;
pub mod recorded;
mod region;
mod series;
mod spacing;
mod stops;
#[cfg(test)]
mod testing;
mod track_error;
mod tracks;
mod turning;
mod walls;
mod window;

use crate::crowd::Crowd;
pub use crate::crowd::Exit;
use crate::world::World;
use crate::world::scenario::{Polygon, Scenario, Segment};
pub use collisions::COLLISIONS;
use crowdtune_core::registry::{Entry, Param};
pub use track_error::TRACK_ERROR_M2;

/// One sample of a run or of a recorded trajectory.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Time, s; the first sample is at the start.
    pub time_s: f64,
    /// The people present. Columns that a recording does not have are empty or NaN; a metric that needs them says so.
    pub crowd: &'a Crowd,
    /// Who has left since the last sample, in order of time, then id.
    pub exits: &'a [Exit],
    /// The place.
    pub world: &'a World,
}

impl Seen<'_> {
    /// Who has left since the last sample, of one group or of all.
    fn leaving(&self, group: Option<u16>) -> impl Iterator<Item = &Exit> {
        self.exits.iter().filter(move |exit| group.is_none_or(|group| exit.group == group))
    }
}

/// Something measured during a run: one number.
pub trait Metric: Send {
    /// Takes a sample, at every `sample_every_s`.
    fn observe(&mut self, seen: &Seen<'_>);
    /// The value after the last sample, `None` where there is none (no two people passed, nobody moved).
    fn value(&self) -> Option<f64>;
    /// Single measurements behind the value (time gaps, the states at samples), for `like` targets and plots; a metric
    /// without any has its value as the only one.
    fn samples(&self) -> Vec<f64> {
        self.value().into_iter().collect()
    }
    /// What stands behind the value as a table: N(t), a map, points of a fundamental diagram. For plots and `measure`;
    /// `None` where there is nothing to see.
    fn table(&self) -> Option<Table> {
        None
    }
    /// Forgets everything, keeping its memory.
    fn reset(&mut self);
}

/// Numbers behind a metric, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of the columns, each with its unit suffix.
    pub columns: &'static [&'static str],
    /// The rows, each as long as `columns`; NaN where a row has no such number.
    pub rows: Vec<Vec<f64>>,
}

/// When to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Window {
    /// The whole run.
    All,
    /// From one time to another, s.
    TimeS(f64, f64),
    /// From one share of the people who passed to another, 0..1 (ranks at a line).
    Ranks(f64, f64),
    /// The middle of the run: from 20 % to 80 % of the time between the first and the last event.
    Steady,
}

/// Where to measure.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Across a line.
    Line(Segment),
    /// In an area.
    Area(Polygon),
}

/// What a metric needs to know where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Nothing: the whole place.
    Nowhere,
    /// A line; the default is the scenario's first line.
    Line,
    /// An area, or the whole place.
    Area,
    /// An area; the default is the scenario's first area.
    Region,
}

/// What a metric needs of the people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Body radii.
    pub radius: bool,
    /// Contact forces of a simulation.
    pub contact: bool,
    /// That people leave.
    pub exits: bool,
}

/// What a file asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Where.
    pub at: Option<Place>,
    /// When.
    pub window: Window,
    /// Interval between samples, s.
    pub sample_every_s: f64,
    /// Only people of this group count; `None`: everybody.
    pub group: Option<u16>,
    /// The group that distances are measured from: a leader, somebody to guard.
    pub center: Option<u16>,
    /// Values of the entry's params.
    pub settings: Vec<f64>,
}

/// How a metric is made, and what the report says of it.
#[derive(Debug)]
pub struct MakeMetric {
    /// Makes one for runs of a scenario.
    pub make: fn(&Spec, &Scenario) -> Box<dyn Metric>,
    /// Unit of the value.
    pub unit: &'static str,
    /// Where it looks.
    pub at: At,
    /// When it looks unless told otherwise.
    pub window: Window,
    /// True if the file may set a window.
    pub takes_window: bool,
    /// True if the file may restrict it to a group.
    pub takes_group: bool,
    /// True if it is measured from a group: that of `center`, else the one that the scenario's people follow.
    pub takes_center: bool,
    /// What it needs.
    pub needs: Needs,
}

impl MakeMetric {
    /// A metric of everybody in the whole place and run that needs positions only; entries change what differs.
    pub const fn plain(make: fn(&Spec, &Scenario) -> Box<dyn Metric>, unit: &'static str) -> Self {
        Self {
            make,
            unit,
            at: At::Nowhere,
            window: Window::All,
            takes_window: false,
            takes_group: false,
            takes_center: false,
            needs: Needs { radius: false, contact: false, exits: false },
        }
    }
}

/// All metrics.
pub static METRICS: &[&Entry<MakeMetric>] = &[
    &evacuation::EVACUATION_TIME_95_S,
    &evacuation::EVACUATION_TIME_100_S,
    &evacuation::PEOPLE_LEFT,
    &exits::EXIT_SHARE,
    &exits::EXIT_IMBALANCE,
    &exits::PEOPLE_OUT,
    &flow::TIME_GAP_MEAN_S,
    &flow::TIME_GAP_P95_S,
    &flow::TIME_GAP_TAIL,
    &flow::FLOW_PER_S,
    &flow::SPECIFIC_FLOW_PER_M_S,
    &crossings::CROSSINGS,
    &crossings::INTERVAL_FLOW_PER_S,
    &passing::PASSING_SPEED_M_PER_S,
    &passing::PASSING_DENSITY_PER_M2,
    &collisions::COLLISIONS,
    &collisions::COLLISION_TIME_S,
    &collisions::OVERLAP_MAX_M,
    &walls::WALL_OVERLAP_MAX_M,
    &motion::SPEED_MEAN_M_PER_S,
    &track_error::TRACK_ERROR_M2,
    &motion::EFFORT_J_PER_KG_M,
    &motion::PLE_EFFICIENCY,
    &motion::PATH_EFFICIENCY,
    &turning::TURNING_DEG_PER_M,
    &turning::TURN_RATE_P95_DEG_PER_S,
    &turning::SIDESTEP_P95_DEG,
    &stops::STUCK_S,
    &stops::STOP_SHARE,
    &stops::ACCELERATION_MEAN_M_PER_S2,
    &jerk::JERK_M2_PER_S6,
    &pressure::BODY_PRESSURE_P95_N_PER_M,
    &density::DENSITY_PER_M2,
    &density::DENSITY_VORONOI_PER_M2,
    &density::SPEED_AREA_M_PER_S,
    &density::SPEED_VORONOI_M_PER_S,
    &crowd_pressure::CROWD_PRESSURE_PER_S2,
    &alignment::POLARIZATION,
    &alignment::MILLING,
    &alignment::ROTATION,
    &alignment::VELOCITY_CORRELATION,
    &cohesion::DISPERSION_M,
    &cohesion::EXTENT_M,
    &cohesion::COHESION_INDEX,
    &spacing::NEAREST_NEIGHBOR_M,
    &spacing::CONNECTED_GROUPS,
    &spacing::CLARK_EVANS,
    &arrival::ARRIVAL_SPREAD_S,
    &goal::GOAL_DISTANCE_M,
    &guard::LEADER_DISTANCE_M,
    &guard::RING_COVERAGE,
    &lanes::LANE_ORDER,
    &lanes::LANE_ORDER_REDUCED,
    &lanes::BAND_INDEX,
    &fundamental::FUNDAMENTAL_DIAGRAM,
    &profile::DENSITY_PEAK_PER_M2,
];

/// No params.
pub const NO_PARAMS: &[Param] = &[];

/// Number of people of all groups; ids run from 0 to one less.
fn people(scenario: &Scenario) -> usize {
    scenario.groups.iter().map(|g| g.count).sum()
}

/// Number of people who want to leave: those of groups with a journey.
fn leavers(scenario: &Scenario) -> usize {
    scenario.groups.iter().filter(|g| g.leaves()).map(|g| g.count).sum()
}
