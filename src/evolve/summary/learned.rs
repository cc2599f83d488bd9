//! What the log says about the parameters beyond the recommendation.

use serde::{Deserialize, Serialize};

/// How much the parameters mattered for an objective, as far as a model of the log can tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Importance {
    /// Name of the objective.
    pub objective: String,
    /// Trials that the model was fitted to.
    pub trials: u64,
    /// Share of the variance of the ranks that it explains for trials it has not seen; `None` if there were too few.
    pub explained: Option<f64>,
    /// One per parameter; empty if the model explains too little.
    pub shares: Vec<Share>,
}

/// Shares of a parameter in the variance of the modeled rank over the whole space, 0 to 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// Dotted key.
    pub key: String,
    /// Alone.
    pub first: f64,
    /// Alone and with others.
    pub total: f64,
}

/// How well the parameters are determined around the best trial. Where [`Identified::widths`] is empty nothing could be
/// told: there were fewer trials than `needed`, the model explains too little, or the log contradicts it (`denied`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Identified {
    /// Trials that the model was fitted to, or that there were.
    pub rows: u64,
    /// Trials that it needs, if there were fewer.
    pub needed: Option<u64>,
    /// Share of the variance near the best that the model explains for trials it has not seen.
    pub explained: Option<f64>,
    /// Number of trials that lie in the region of the model or are as good as its minimum, and of those that contradict it (clearly
    /// worse inside, as good outside). Given if most contradict it: then the model is not believed.
    #[serde(default)]
    pub denied: Option<(u64, u64)>,
    /// Standard error of the loss near the best.
    pub noise: Option<f64>,
    /// What the noise was measured from: `replicas`, `scenarios`, or `fit`, what the model leaves open.
    pub noise_from: String,
    /// A loss that is larger by less than this cannot be told apart from the best one.
    pub threshold: Option<f64>,
    /// Numbers that were searched, in key order.
    pub widths: Vec<Width>,
    /// Curvatures of the loss over the unit cube of the numbers, the flattest first.
    pub curvature: Vec<f64>,
    /// Their directions.
    pub directions: Vec<Vec<f64>>,
    /// The most confounded pair, then all others that are confounded.
    pub pairs: Vec<Confounded>,
}

/// The interval of a parameter in which the loss cannot be told apart from its minimum.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Width {
    /// Dotted key.
    pub key: String,
    /// Minimum of the model.
    pub center: f64,
    /// While all others follow; cut to the range.
    pub free: (f64, f64),
    /// While all others stay.
    pub alone: (f64, f64),
    /// Share of the range that `free` covers.
    pub share: f64,
    /// Whether `free` reaches the lower and the upper end of the range.
    pub open: (bool, bool),
}

/// Two parameters that make up for each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Confounded {
    /// Dotted keys.
    pub keys: (String, String),
    /// Correlation in the region, -1 to 1.
    pub tied: f64,
    /// True if it is so strong that the two cannot be told apart.
    pub confounded: bool,
    /// The minimum.
    pub from: (f64, f64),
    /// An end of the region along the valley, inside both ranges: where the first one is larger, if there is room.
    pub to: (f64, f64),
    /// Outline of the region in the plane of both.
    pub outline: Vec<(f64, f64)>,
}
