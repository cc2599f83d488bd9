//! The crowd models; one file or folder each.

mod ahead;
mod among_recorded;
mod anticipation_velocity;
mod bodies;
mod collision_free_speed;
mod contact;
mod continuum;
mod five_force;
mod giving;
mod group_dynamics;
mod headway;
mod hybrid;
mod keep_off;
mod mixed;
mod model;
mod orca;
mod output;
mod rvo;
mod social_force;
mod strangers;
mod velocity_obstacle;

use crate::crowd::{Start, Steering};
use crate::world::scenario::{Group, Scenario};
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Entry, Settings};
pub use mixed::{Part, fit_together, max_time_step_s, time_step_s, together};
pub use model::Model;
pub use social_force::{ENTRY as SOCIAL_FORCE, felt_gap};
use std::fmt;

/// The circumstances that a model is made for.
#[derive(Clone, Copy, Debug)]
pub struct ModelSetup<'a> {
    /// The place and the groups.
    pub scenario: &'a Scenario,
    /// Largest body radius in the run, m.
    pub max_radius_m: f64,
    /// Smallest mass in the run, kg.
    pub min_mass_kg: f64,
    /// Seed of the run.
    pub seed: Seed,
}

impl<'a> ModelSetup<'a> {
    /// For people who are ready to walk.
    pub fn new(start: &'a Start) -> Self {
        Self {
            scenario: start.scenario(),
            max_radius_m: start.max_radius_m(),
            min_mass_kg: start.min_mass_kg(),
            seed: start.setup().seed,
        }
    }
}

/// Makes the model of one run. A reference, so that a program can add one that it made itself.
pub type Maker = &'static (dyn Fn(&ModelSetup<'_>, &[Settings<'_>]) -> Box<dyn Steering> + Sync);

/// How a model is made, and what it needs to know of time.
pub struct MakeModel {
    /// Makes the model of one run from its circumstances and the constants of each group; those that are not `per_group` are the same
    /// in all.
    pub make: Maker,
    /// Checks, before any run, that the model can steer these groups of a scenario.
    ///
    /// # Errors
    /// What in the scenario the model cannot handle, and what to do.
    pub fits: fn(&Scenario, &[&Group]) -> Result<(), Error>,
    /// Default step, s.
    pub time_step_s: f64,
    /// Largest step that is accepted, s.
    pub max_time_step_s: f64,
    /// What a step of one person takes on one core at least, s, in rooms of 20 to 200 people with metrics: rounded down from the shipped
    /// experiments. No run uses it, but an optimizer that thinks long about a question.
    pub person_step_s: f64,
    /// How it integrates; presets record it.
    pub integrator: &'static str,
    /// Why it cannot meet another model in one place; `None` if it leaves alone whom another model steers ([`View::steers`]).
    ///
    /// [`View::steers`]: crate::crowd::View::steers
    pub alone: Option<&'static str>,
    /// What mirroring the scene does to results.
    pub mirror: Symmetry,
    /// What renumbering people does to results.
    pub renumber: Symmetry,
}

impl fmt::Debug for MakeModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MakeModel").field("time_step_s", &self.time_step_s).finish_non_exhaustive()
    }
}

/// All models.
pub static MODELS: &[&Entry<MakeModel>] = &[
    &social_force::ENTRY,
    &five_force::ENTRY,
    &velocity_obstacle::ENTRY,
    &rvo::ENTRY,
    &orca::ENTRY,
    &continuum::ENTRY,
    &group_dynamics::ENTRY,
    &hybrid::ENTRY,
    &collision_free_speed::ENTRY,
    &anticipation_velocity::ENTRY,
];

/// How well results keep a symmetry of the scene, and what breaks it. Tests check every model against this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// The same results up to rounding, until chaos amplifies it.
    UpToRounding(&'static str),
    /// The same means over many runs.
    Statistically(&'static str),
}

/// Checks, before any run, that a model can run in a scenario.
///
/// # Errors
/// What in the scenario the model cannot handle, and what to do.
pub fn fits(model: &'static Entry<MakeModel>, scenario: &Scenario) -> Result<(), Error> {
    fit_together(&[model], &vec![0; scenario.groups.len()], scenario)
}

/// The constant of models that put a price on paths.
pub const DISCOMFORT_WEIGHT: &str = "discomfort_weight";

/// `fits` for models that run in every scenario.
pub(crate) fn everywhere(_: &Scenario, _: &[&Group]) -> Result<(), Error> {
    Ok(())
}

/// Cosine of half a field of view, degrees; below -1 from 360 degrees on, so that everything is seen.
pub(crate) fn view_cos(field_deg: f64) -> f64 {
    if field_deg < 360.0 { libm::cos((0.5 * field_deg).to_radians()) } else { -2.0 }
}

/// Direction in which two people at the same place part: by their ids, opposite for the two.
pub(crate) fn parting(id: u32, other: u32) -> Vec2 {
    let key = Seed(u64::from(id.min(other)) << 32 | u64::from(id.max(other))).child("parting", 0).0;
    let angle = key as f64 / u64::MAX as f64 * std::f64::consts::TAU;
    let n = vec2(libm::cos(angle), libm::sin(angle));
    if id < other { n } else { -n }
}
