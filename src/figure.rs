//! A number with its uncertainty.

use serde::{Deserialize, Serialize};

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
