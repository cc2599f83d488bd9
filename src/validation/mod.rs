//! Published experiments and standard tests, each with its numbers and tolerances; one file each.
//!
//! An experiment writes its scenario as an experiment text, runs it, and says what must come out. Nothing here reads a
//! file, a clock or the number of cores: runs are done by the [`Lab`] that the caller brings.

mod alpha_shares;
mod around_group;
mod bottleneck;
mod chart;
mod circle_orca;
mod continuum_flows;
mod cures;
mod fast_car;
mod faster_is_slower;
mod five_forces;
mod ground;
mod groups_gap;
mod groups_stream;
mod herding;
mod imo_4;
mod imo_8;
mod lab;
mod lanes;
mod line;
mod mixed_crowds;
mod narrow_passage;
mod nist_1_1;
mod nist_2_9;
mod passing;
mod reasons;
mod rimea_1;
mod rimea_11;
mod rimea_12;
mod rimea_15;
mod rimea_4;
mod rimea_5;
mod rimea_6;
mod rimea_9;
mod single_file;
mod time_table;
mod together;
mod tuned;
mod vo_rvo;
mod widening;

pub use chart::{Chart, Mark, Series, band, plain};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
pub use lab::{InTurn, Lab, Plan, Ran, Run, Tried, between, exact, run};
pub use line::{Cause, Line, Tolerance, Verdict};

/// How an experiment runs.
#[derive(Debug)]
pub struct MakeExperiment {
    /// The models it runs.
    pub models: &'static [&'static str],
    /// True if it takes only a few seconds: part of `--quick`.
    pub quick: bool,
    /// Runs it.
    ///
    /// # Errors
    /// If the lab fails. Runs that cannot be trusted become lines that do not hold.
    pub run: fn(&dyn Lab) -> Result<Outcome, Error>,
}

/// The result of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What was compared.
    pub lines: Vec<Line>,
    /// The plots, at least one.
    pub charts: Vec<Chart>,
}

/// The registered models that claim to walk like pedestrians: standard tests run each of them.
pub const PEDESTRIANS: &[&str] =
    &["social_force", "rvo", "orca", "continuum", "hybrid", "collision_free_speed", "anticipation_velocity"];

/// All experiments: those of papers first, then the standards.
pub static EXPERIMENTS: &[&Entry<MakeExperiment>] = &[
    &faster_is_slower::ENTRY,
    &herding::ENTRY,
    &widening::ENTRY,
    &five_forces::ENTRY,
    &lanes::ENTRY,
    &bottleneck::ENTRY,
    &single_file::ENTRY,
    &vo_rvo::ENTRY,
    &alpha_shares::ENTRY,
    &circle_orca::ENTRY,
    &narrow_passage::ENTRY,
    &fast_car::ENTRY,
    &continuum_flows::ENTRY,
    &mixed_crowds::ENTRY,
    &around_group::ENTRY,
    &groups_gap::ENTRY,
    &groups_stream::ENTRY,
    &time_table::ENTRY,
    &rimea_1::ENTRY,
    &rimea_4::ENTRY,
    &rimea_5::ENTRY,
    &rimea_6::ENTRY,
    &rimea_9::ENTRY,
    &rimea_11::ENTRY,
    &rimea_12::ENTRY,
    &rimea_15::ENTRY,
    &imo_4::ENTRY,
    &imo_8::ENTRY,
    &nist_1_1::ENTRY,
    &nist_2_9::ENTRY,
];
