//! What came out of a run, as `summary.json` says it; tables, plots and the report are made from it.
//!
//! These are plain types that are read and written; [`super::Results`] fills them.

mod atlas;
mod constants;
mod front;
mod learned;
mod shown;
mod verdict;

pub use atlas::{AtlasCell, AtlasSummary, AxisSummary};
pub use constants::{Checked, GeneSplit, SideOf, Split};
pub use front::{FrontAxis, FrontPoint, FrontSummary, Standing};
pub use learned::{Identified, Importance, Interval, Profile, ProfilePoint, Share, Tied, Within};
pub use shown::ShownSeed;
pub use verdict::{Tone, Verdict};

pub use crate::figure::Figure;

use super::stop::StopRules;
use crowdtune_sim::metrics::Better;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One searched parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeneSummary {
    /// Dotted key.
    pub key: String,
    /// The paper's symbol, or "".
    pub symbol: String,
    /// Unit, or "".
    pub unit: String,
    /// Lower end of the search range (index 0 for choices).
    pub low: f64,
    /// Upper end of the search range.
    pub high: f64,
    /// True if it was searched on a logarithmic scale.
    pub log: bool,
    /// The words or numbers of a choice; empty otherwise.
    pub choices: Vec<String>,
    /// Published default.
    pub default: f64,
    /// Recommended value.
    pub tuned: f64,
    /// True if the recommendation lies within 1 % of an end of the range.
    pub at_bound: bool,
}

/// One target or measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TargetSummary {
    /// Name in the file.
    pub name: String,
    /// Metric.
    pub metric: String,
    /// Unit of the metric; "" for a Kolmogorov-Smirnov distance from a sample.
    pub unit: String,
    /// Whether less or more of the metric is better for everybody.
    #[serde(default)]
    pub better: Better,
    /// How replicas become one value: `mean`, `median`, `p95` or `worst`.
    #[serde(default)]
    pub combine: String,
    /// What is wanted, in words ("at most 0.05", "between 1 and 2"); "" for a measure.
    pub wanted: String,
    /// Ends of the wanted band where there is one.
    pub band: (Option<f64>, Option<f64>),
    /// Whether missing it makes a candidate infeasible.
    pub must: bool,
    /// Weight in the objective.
    pub weight: f64,
    /// Value of the published defaults on the report seeds: mean over the scenarios that the loss counts; of a `must`
    /// target that of the worst one, which decides.
    pub default: Figure,
    /// Value of the recommendation on the same seeds.
    pub tuned: Figure,
    /// Value that the search saw for the recommendation.
    pub search: Option<f64>,
    /// Loss of the defaults and of the recommendation on the report seeds.
    pub loss: (Option<f64>, Option<f64>),
    /// Whether the recommendation's loss is 0; `None` for a measure, where no report was run, and for `minimize` and
    /// `maximize`, which have no band to be in (one that must be met is judged all the same).
    pub met: Option<bool>,
    /// Of a time until people are out: report runs of the recommendation in which they were not at the limit, so that the value is a
    /// penalty, and all runs. Left out where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<(u32, u32)>,
}

/// A value of one column in one case, defaults beside tuned, on the report seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseSummary {
    /// Case.
    pub case: String,
    /// Table of the case.
    pub table: String,
    /// The `each` keys and values.
    pub axes: Vec<(String, f64)>,
    /// True if the search never saw it.
    pub held_out: bool,
    /// Name of the target or measure.
    pub target: String,
    /// What is wanted here (one point of a curve, else the middle of the band), where that is one number.
    pub wanted: Option<f64>,
    /// Absolute tolerance or half width of the band around `wanted`.
    pub tolerance: Option<f64>,
    /// Published defaults.
    pub default: Figure,
    /// Recommendation.
    pub tuned: Figure,
    /// Loss here of the defaults and of the recommendation; `None` for measures.
    #[serde(default)]
    pub loss: (Option<f64>, Option<f64>),
}

/// A track error of one case without any model, in the unit of the metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// Case.
    pub case: String,
    /// Name of the target or measure.
    pub target: String,
    /// Everybody keeps the recorded velocity of the last time that the run was put onto the tracks.
    pub constant_velocity: f64,
    /// Everybody stays at the recorded place of that time.
    pub standing_still: f64,
    /// Track error of the recommendation less the smaller one of these two, with an interval over people (paired); empty where no
    /// report was run.
    #[serde(default)]
    pub difference: Figure,
}

/// The objective of the defaults and of the recommendation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ObjectiveSummary {
    /// Name; `loss` unless the file names objectives.
    pub name: String,
    /// Defaults on the report seeds.
    pub default: Figure,
    /// Recommendation on the same seeds.
    pub tuned: Figure,
    /// Paired difference tuned - default on the same seeds; below 0 is better.
    pub difference: Figure,
    /// What the search saw for the recommendation.
    pub search: Option<f64>,
}

/// A candidate in the selection: what the search saw of it beside what fresh seeds say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FinalistSummary {
    /// Id of its search trial; `None` for what was no search trial (the defaults, or the optimizer's own proposal).
    pub trial: Option<u64>,
    /// True for the published defaults.
    pub defaults: bool,
    /// True for the recommendation.
    pub recommended: bool,
    /// First objective as the search saw it.
    pub search: Option<f64>,
    /// Replicas behind it.
    pub search_replicas: u32,
    /// First objective on the fresh seeds of the selection.
    pub selection: Figure,
    /// Replicas behind it: those that are clearly worse get fewer.
    pub selection_replicas: u32,
    /// Round of the race after which it was out, from 1; `None` for those that raced to the end.
    pub out: Option<u32>,
    /// First objective on the seeds of the report, of recommendation and defaults.
    pub fresh: Figure,
}

/// `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Format of this file, 1.
    pub format: u32,
    /// Version of crowdtune that made it.
    pub crowdtune: String,
    /// Stem of the experiment file.
    pub name: String,
    /// Title of the experiment.
    pub title: String,
    /// Model; of several each with its groups, `social_force (people), rvo (cars)`.
    pub model: String,
    /// Optimizer.
    pub optimizer: String,
    /// What to think of it, in words.
    #[serde(default)]
    pub verdict: Verdict,
    /// What ran the simulations, where it was not crowdtune's own simulator. Left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Whether it gave the same numbers when it was asked for a run again. Left out where it was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<bool>,
    /// Digest of the experiment.
    pub digest: String,
    /// Seed.
    pub seed: u64,
    /// The step, s, if it is longer than the model's own: the results are a draft. Left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_step_s: Option<f64>,
    /// Evaluations done: search trials; with adaptive replicas their simulations, divided by those of an evaluation with fixed
    /// replicas and rounded down.
    pub evaluations: u64,
    /// Rows of the search.
    #[serde(default)]
    pub trials: u64,
    /// Simulations of the search.
    #[serde(default)]
    pub simulations: u64,
    /// Evaluations asked for.
    pub budget: u64,
    /// `budget`, `exhausted`, `loss`, `stagnation`, `time`, or `interrupted`.
    pub stopped: String,
    /// Rules that could end the search earlier.
    #[serde(default)]
    pub stop: StopRules,
    /// Failed search trials by reason.
    pub failures: BTreeMap<String, u64>,
    /// Replicas of the selection (of the candidate that ran most) and of the report.
    pub replicas: (u32, u32),
    /// Why a run of the recommendation failed on the fresh seeds: it has no loss there. Left out where none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh_failure: Option<String>,
    /// The fresh seed that replays and plots of single runs show; `None` before a report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<ShownSeed>,
    /// Searched parameters.
    pub genes: Vec<GeneSummary>,
    /// Objectives.
    pub objectives: Vec<ObjectiveSummary>,
    /// Violation of the recommendation on the report seeds.
    pub violation: f64,
    /// Names of `must` targets that the recommendation misses.
    pub missed_musts: Vec<String>,
    /// Targets and measures in name order.
    pub targets: Vec<TargetSummary>,
    /// Every column in every case.
    pub cases: Vec<CaseSummary>,
    /// What every track error is without a model; empty where nothing is compared with tracks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<Baseline>,
    /// Id of the search trial that is recommended; `None` when the defaults are, or what `proposed` says.
    pub recommended: Option<u64>,
    /// True if the recommendation was not a search trial but the optimizer's own proposal (the mean of its distribution, the
    /// minimum of its model).
    #[serde(default)]
    pub proposed: bool,
    /// Ids of the finalists, best first as the selection ranks them; with several objectives those that were reported.
    pub finalists: Vec<u64>,
    /// Everybody who took part in the selection, best first; empty with several objectives.
    #[serde(default)]
    pub race: Vec<FinalistSummary>,
    /// With several objectives the best compromises. Left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub front: Option<FrontSummary>,
    /// The atlas of behaviors; left out if the experiment has no axes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atlas: Option<AtlasSummary>,
    /// Which parameters mattered, an entry per objective.
    #[serde(default)]
    pub importance: Vec<Importance>,
    /// How well the parameters are determined; `None` with several objectives or no numbers.
    #[serde(default)]
    pub identified: Option<Identified>,
}

impl Summary {
    /// What the search is compared with: the values that somebody has published, or those that a foreign simulator has.
    pub fn compared_with(&self) -> &'static str {
        if self.engine.is_some() { "the engine's defaults" } else { "the published values" }
    }

    /// The same in a legend.
    pub fn defaults_called(&self) -> &'static str {
        if self.engine.is_some() { "engine's defaults" } else { "published defaults" }
    }

    /// The cases in which a target wants different things, as a curve does: one for each of its points; empty for any other target.
    pub fn points(&self, target: &str) -> Vec<&CaseSummary> {
        let cases = || self.cases.iter().filter(|c| c.target == target && c.wanted.is_some());
        let curve = cases().any(|c| cases().next().is_some_and(|first| first.wanted != c.wanted));
        if curve { cases().collect() } else { Vec::new() }
    }
}

impl CaseSummary {
    /// Whether the recommendation is as wanted here: without a loss, or within the tolerance; `None` where it cannot be judged.
    pub fn met(&self) -> Option<bool> {
        let off = self.wanted.zip(self.tuned.value).map(|(wanted, value)| (value - wanted).abs());
        let within = off.zip(self.tolerance).is_some_and(|(off, tolerance)| off <= tolerance);
        self.loss.1.map(|loss| loss <= 0.0 || within)
    }

    /// Where on a curve it is: `width_m 0.8`; the name of the case where it has no `each`.
    pub fn place(&self) -> String {
        let one = |(key, value): &(String, f64)| {
            format!("{} {}", key.rsplit('.').next().unwrap_or(key), crate::format::plain(*value))
        };
        if self.axes.is_empty() { self.case.clone() } else { self.axes.iter().map(one).collect::<Vec<_>>().join(", ") }
    }
}
