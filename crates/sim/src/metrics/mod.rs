//! What can be measured; one file per family.
//!
//! A metric is something that looks at samples ([`Metric`]) and an entry that says what it is, where it looks and what it needs
//! ([`MakeMetric`]); [`averaged()`] makes one of a closure. A new one is a file here, its `mod` line and its line in [`METRICS`]:
//! files, `list`, the schema, the reference pages and the report then know it, and the contract tests hold it to what its entry
//! says. The same metrics measure recorded tracks ([`recorded`]).
//!
//! `docs/metrics.md` has the formulas and conventions.

mod alignment;
mod arrival;
mod averaged;
mod beside;
mod caught;
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
mod headings;
mod jerk;
mod lanes;
mod leavers;
mod line;
mod make;
mod members;
mod motion;
mod near;
mod pace;
mod passing;
pub mod played;
mod pressure;
mod profile;
pub mod recorded;
mod region;
mod seen;
mod series;
mod spacing;
mod span;
mod squares;
mod stops;
mod table;
#[cfg(test)]
mod testing;
mod track_error;
mod tracks;
mod turning;
mod walls;
mod window;

pub use crate::crowd::Exit;
use crate::world::scenario::Scenario;
pub use averaged::averaged;
use crowdtune_core::registry::Entry;
pub use make::{At, Better, MakeMetric, Maker, Place, Spec, Window};
pub use seen::{Need, Sample, Seen};
pub use table::{Plot, Table};

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
    /// Where the value is a sum over a number, as a mean over people and times is: what each person adds to both, by id. For
    /// intervals over people; empty elsewhere.
    fn by_person(&self) -> Vec<(f64, u64)> {
        Vec::new()
    }
    /// Forgets everything, keeping its memory.
    fn reset(&mut self);
}

/// All metrics.
pub static METRICS: &[&Entry<MakeMetric>] = &[
    &evacuation::EVACUATION_TIME_95_S,
    &evacuation::EVACUATION_TIME_100_S,
    &evacuation::PEOPLE_LEFT,
    &exits::EXIT_SHARE,
    &exits::EXIT_IMBALANCE,
    &exits::PEOPLE_OUT,
    &caught::CAUGHT_SHARE,
    &caught::TIME_TO_CATCH_S,
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
    &track_error::ADE_M,
    &track_error::FDE_M,
    &track_error::ENTROPY_METRIC_BITS,
    &beside::N_T_ERROR_S,
    &beside::DENSITY_MAP_ERROR_PER_M2,
    &beside::FUNDAMENTAL_DIAGRAM_ERROR_M_PER_S,
    &motion::BACKWARD_SHARE,
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
    &alignment::ROTATION_SIZE,
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

/// Number of people who want to leave: those of groups with a journey.
fn leavers(scenario: &Scenario) -> usize {
    scenario.groups.iter().filter(|g| g.leaves()).map(|g| g.count).sum()
}
