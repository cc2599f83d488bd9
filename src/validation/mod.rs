//! Published experiments and standard tests, each with its numbers and tolerances; one file each.
//!
//! An experiment writes its scenario as an experiment text, runs it, and says what must come out. Nothing here reads a
//! file, a clock or the number of cores: runs are done by the [`Lab`] that the caller brings.

pub mod chart;
pub mod lab;
pub mod line;

mod faster_is_slower;
mod rimea_1;

use crate::Error;
use crate::registry::Entry;
pub use chart::Chart;
pub use lab::Lab;
pub use line::{Line, Tolerance, Verdict};

/// How an experiment is done.
#[derive(Debug)]
pub struct MakeExperiment {
    /// The models that it runs.
    pub models: &'static [&'static str],
    /// True if it takes a few seconds only: part of `--quick`.
    pub quick: bool,
    /// Does it.
    ///
    /// # Errors
    /// If the lab fails; runs that cannot be trusted are lines that do not hold.
    pub run: fn(&dyn Lab) -> Result<Outcome, Error>,
}

/// What an experiment gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What was compared.
    pub lines: Vec<Line>,
    /// What it looks like; at least one plot.
    pub charts: Vec<Chart>,
}

/// The registered models that claim to walk like pedestrians: standard tests run each of them.
pub const PEDESTRIANS: &[&str] = &["social_force"];

/// All experiments: those of papers first, then the standards.
pub static EXPERIMENTS: &[&Entry<MakeExperiment>] = &[&faster_is_slower::ENTRY, &rimea_1::ENTRY];
