//! A number with its uncertainty.

use crate::format;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::stats;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A mean over replicas with its bootstrap 95 % interval; `None` where no replica has a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Mean (or what `combine` says) over the replicas.
    pub value: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
}

impl Figure {
    /// Mean with its bootstrap 95 % interval; empty without values. The resampling has a fixed seed, so equal values give equal intervals.
    pub fn mean(values: &[f64]) -> Self {
        let Some((low, high)) = stats::bootstrap(values, stats::mean, Seed(0)) else { return Self::default() };
        Self { value: Some(stats::mean(values)), low: Some(low), high: Some(high) }
    }

    /// The same in another unit: everything times a positive number.
    pub fn times(self, factor: f64) -> Self {
        let scaled = |end: Option<f64>| end.map(|end| end * factor);
        Self { value: scaled(self.value), low: scaled(self.low), high: scaled(self.high) }
    }
}

/// `132 [128, 137]`; the value alone without an interval, a dash without a value.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format::interval(self.value, self.low, self.high))
    }
}
