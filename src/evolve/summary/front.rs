//! The compromises of a search with several objectives.

use super::Figure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What became of a point on fresh seeds; better first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Nothing dominates it.
    Front,
    /// It was not run on fresh seeds yet.
    Unchecked,
    /// Another point or the defaults are nowhere worse and better somewhere.
    Dominated,
    /// It misses a `must`.
    Infeasible,
    /// A run failed.
    Failed,
}

/// An objective as an axis of tables and plots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrontAxis {
    /// The objective.
    pub objective: String,
    /// The metric whose value is shown; "" where losses are shown.
    pub metric: String,
    /// Its unit, or "".
    pub unit: String,
    /// What is shown for the losses 0 and 1; between and beyond them it is linear. Where a metric is shown, the objective goes on
    /// below 0: `good` is no end of a front.
    pub ends: (f64, f64),
}

impl FrontAxis {
    /// What is shown for a loss.
    pub fn value(&self, loss: f64) -> f64 {
        self.ends.0 + loss * (self.ends.1 - self.ends.0)
    }

    /// What is shown for the figure of a loss.
    pub fn figure(&self, loss: &Figure) -> Figure {
        let [value, low, high] = [loss.value, loss.low, loss.high].map(|x| x.map(|x| self.value(x)));
        if self.high_is_good() { Figure { value, low: high, high: low } } else { Figure { value, low, high } }
    }

    /// True if larger values are better.
    pub fn high_is_good(&self) -> bool {
        self.ends.1 < self.ends.0
    }
}

/// One compromise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrontPoint {
    /// Id of its first row in the log; `crowdtune export --pick` takes it.
    pub id: u64,
    /// Values of the searched parameters, in the order of `genes` of the summary; of a choice its index.
    pub genes: Vec<f64>,
    /// How often the search asked it, each time on other replicas.
    pub rounds: u32,
    /// Its losses as the search saw them, means over the rounds; empty if the search did not.
    pub search: Vec<f64>,
    /// Its losses on the seeds of the report.
    pub fresh: Vec<Figure>,
    /// Its violation on these seeds.
    pub violation: f64,
    /// What became of it there.
    pub standing: Standing,
    /// True for the most balanced one.
    pub knee: bool,
    /// True for the recommended one.
    pub recommended: bool,
    /// True if it has the published defaults.
    pub defaults: bool,
}

/// The best compromises of a run with several objectives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrontSummary {
    /// The objectives.
    pub axes: Vec<FrontAxis>,
    /// Weights that chose the recommended point; empty: it is the knee.
    pub preference: BTreeMap<String, f64>,
    /// Number of candidates on the front of the search, of which a subset was checked.
    pub size: u64,
    /// The points, by their first loss.
    pub points: Vec<FrontPoint>,
}
