//! The crowd models; one file each.

pub mod contact;
pub mod five_force;
pub mod social_force;

use crate::crowd::Steering;
use crate::registry::{Entry, Settings};

/// What a model is told at its birth.
#[derive(Clone, Copy, Debug)]
pub struct Birth<'a> {
    /// Constants, one set per group; those that are not `per_group` are the same in all.
    pub groups: &'a [Settings<'a>],
    /// Largest body radius in the run, m.
    pub max_radius_m: f64,
    /// Smallest mass in the run, kg.
    pub min_mass_kg: f64,
    /// Number of people at the start.
    pub people: usize,
    /// Seed of the run.
    pub seed: crate::math::rng::Seed,
}

/// How a model is made, and what it needs to know of time.
#[derive(Debug)]
pub struct MakeModel {
    /// Makes the model of one run.
    pub make: fn(&Birth<'_>) -> Box<dyn Steering>,
    /// Default step, s.
    pub time_step_s: f64,
    /// Largest step that is accepted, s.
    pub max_time_step_s: f64,
    /// How it integrates, for presets.
    pub integrator: &'static str,
    /// Whether mirroring the scene keeps results exactly, statistically or not, and why.
    pub mirror: &'static str,
    /// Whether renumbering people keeps results exactly, statistically or not, and why.
    pub renumber: &'static str,
}

/// All models.
pub static MODELS: &[&Entry<MakeModel>] = &[&social_force::ENTRY, &five_force::ENTRY];
