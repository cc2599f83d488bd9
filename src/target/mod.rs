//! What is wanted: from measured values to losses.

pub mod behaviors;
mod kinds;
mod rule;
mod score;
mod words;

pub use kinds::{TARGETS, TargetKind};
pub use score::{CaseView, Cell, Score, lines, parts, score, score_replicas};

use crowdtune_core::math::stats;
use crowdtune_core::registry::Entry;
use crowdtune_sim::metrics::MakeMetric;

/// How the values of the replicas become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// Their mean.
    Mean,
    /// Their median.
    Median,
    /// Their 95th percentile.
    P95,
    /// The one with the largest loss.
    Worst,
}

impl Combine {
    /// The word of the file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Median => "median",
            Self::P95 => "p95",
            Self::Worst => "worst",
        }
    }
}

/// What is wanted of a metric.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// As small as possible: loss 0 up to `good`, 1 at `bad`, linear beyond it too.
    Minimize {
        /// Value of loss 0.
        good: f64,
        /// Value of loss 1.
        bad: f64,
    },
    /// As large as possible: loss 0 from `good` on, 1 at `bad`, linear beyond it too.
    Maximize {
        /// Value of loss 0.
        good: f64,
        /// Value of loss 1.
        bad: f64,
    },
    /// This value, within a tolerance.
    Equals {
        /// The value.
        value: f64,
        /// Half the width of the band, absolute.
        tolerance: f64,
        /// The loss is the square of how many tolerances it is off, without a band.
        squares: bool,
    },
    /// A band.
    Between {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// An upper limit; `scale` is one unit of loss.
    AtMost {
        /// The limit.
        limit: f64,
        /// One unit of loss.
        scale: f64,
    },
    /// A lower limit; `scale` is one unit of loss.
    AtLeast {
        /// The limit.
        limit: f64,
        /// One unit of loss.
        scale: f64,
    },
    /// A curve over an `each` key: (value of the key, wanted value, absolute tolerance).
    Points {
        /// The key without its table.
        over: String,
        /// The points.
        points: Vec<(f64, f64, f64)>,
        /// As for one value.
        squares: bool,
    },
    /// A distribution; the value of a run is already its distance from the reference.
    Like {
        /// The reference sample, sorted.
        reference: Vec<f64>,
        /// Which distance.
        by: Distance,
        /// One unit of loss, absolute; the loss is 0 up to it.
        tolerance: f64,
    },
}

/// A distance between two samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Area between the distribution functions, in the unit of the variable.
    Wasserstein,
    /// Largest difference of the distribution functions, 0 to 1.
    Ks,
}

/// One target of the file, or (without `wanted`) one thing that is only measured.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name; columns are in name order.
    pub name: String,
    /// What is measured.
    pub metric: &'static Entry<MakeMetric>,
    /// Values of the metric's params.
    pub settings: Vec<f64>,
    /// What is wanted; `None` for `[measure.*]`.
    pub wanted: Option<Wanted>,
    /// Name of the scenario table it is for; `None`: all that can give it.
    pub scenario: Option<String>,
    /// How replicas are combined.
    pub combine: Combine,
    /// Share in the objective.
    pub weight: f64,
    /// Missing it makes a candidate infeasible.
    pub must: bool,
    /// Index of the objective it belongs to.
    pub objective: usize,
}

impl Target {
    /// Unit of the values that are compared: that of the metric, or "" for a Kolmogorov-Smirnov distance, which is a
    /// share.
    pub fn unit(&self) -> &'static str {
        match self.wanted {
            Some(Wanted::Like { by: Distance::Ks, .. }) => "",
            _ => self.metric.make.unit,
        }
    }
}

/// Distance of two samples; `None` if one of them is empty. This is the value of a run for a [`Wanted::Like`].
pub fn distance(by: Distance, samples: &[f64], reference: &[f64]) -> Option<f64> {
    match by {
        Distance::Wasserstein => stats::wasserstein(samples, reference),
        Distance::Ks => stats::ks_distance(samples, reference),
    }
}
