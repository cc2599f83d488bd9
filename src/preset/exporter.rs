//! What an exporter gets, and what it gives.

use super::Preset;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_search::{Space, Trial};
use crowdtune_sim::crowd::Trajectory;
use crowdtune_sim::crowd::people::Traits;
use crowdtune_sim::models::MakeModel;
use crowdtune_sim::world::scenario::Scenario;

/// What an exporter may use.
#[derive(Clone, Debug)]
pub struct ExportInput<'a> {
    /// The models of the preset; the first steers the groups that name none.
    pub models: Vec<&'static Entry<MakeModel>>,
    /// The constants and where they come from.
    pub preset: &'a Preset,
    /// The scenarios of the experiment with the preset's people; empty where only the preset is at hand.
    pub places: Vec<Placed<'a>>,
    /// Runs in these places, where the exporter needs them.
    pub runs: Vec<Walked>,
    /// All evaluations of the run, where they are at hand.
    pub history: Option<History<'a>>,
    /// True if what the other tool cannot say shall be left out, and listed, instead of refused.
    pub force: bool,
    /// Seed of what is drawn: traits and starting places.
    pub seed: u64,
}

/// A scenario and who walks there.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    /// Name of the case, unique in the experiment.
    pub name: &'a str,
    /// Place, groups and limits.
    pub scenario: &'a Scenario,
    /// Traits of each group.
    pub traits: Vec<Traits>,
    /// Constants of each group, in the order of the params of its model.
    pub constants: Vec<Vec<f64>>,
}

/// A recorded run in a place.
#[derive(Clone, Debug)]
pub struct Walked {
    /// Index into the places.
    pub place: usize,
    /// With which constants: `defaults` or `tuned`.
    pub label: &'static str,
    /// Which of the fresh seeds, from 0.
    pub replica: u32,
    /// Where everybody was.
    pub track: Trajectory,
}

/// The evaluations of a run and what their columns mean.
#[derive(Clone, Copy, Debug)]
pub struct History<'a> {
    /// Gives the values of a genome.
    pub space: &'a Space,
    /// Names of the objectives.
    pub objectives: &'a [String],
    /// The evaluations, in id order.
    pub trials: &'a [Trial],
}

/// Files for another tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// Relative path and contents of each file.
    pub files: Vec<(String, Vec<u8>)>,
    /// What the other tool cannot express, one sentence each; the files repeat it where they have comments.
    pub warnings: Vec<String>,
}

/// How an exporter works.
#[derive(Debug)]
pub struct MakeExporter {
    /// Writes the files.
    pub export: fn(&ExportInput<'_>) -> Result<Export, Error>,
    /// The files, in words.
    pub writes: &'static str,
    /// True if it needs at least one place.
    pub needs_place: bool,
    /// True if it needs runs in these places.
    pub needs_runs: bool,
}
