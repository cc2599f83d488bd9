//! What the log says about the parameters beyond the recommendation.

pub use crate::preset::Interval;
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

/// How well the parameters are determined around the best: what profiles showed ([`Self::profiles`]), or before there are any what a
/// quadratic model of the log makes of it ([`Self::pairs`]), which may be wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Identified {
    /// Trials that the model was fitted to, or that there were.
    pub rows: u64,
    /// Trials that it needs, if there were fewer.
    pub needed: Option<u64>,
    /// Share of the variance near the best that the model explains for trials it has not seen.
    pub explained: Option<f64>,
    /// Number of trials that lie in the region of the model or are as good as its minimum, and of those that contradict it (clearly
    /// worse inside, as good outside). Given if most contradict it: then the model is not believed.
    pub denied: Option<(u64, u64)>,
    /// The pair that the model has most tied to each other, then all others that make up for each other there.
    pub pairs: Vec<Tied>,
    /// Standard error of the difference between a loss and that of the recommendation; before profiles that of a loss near the best.
    pub noise: Option<f64>,
    /// What the noise was measured from: `replicas`, `scenarios`, or `fit`, what the model leaves open.
    pub noise_from: String,
    /// A loss that is larger than that of the recommendation by at most this cannot be told apart from it.
    pub threshold: Option<f64>,
    /// Points that were simulated for the profiles.
    pub points: u64,
    /// How many of them ran on fresh replicas once more, the recommendation among them.
    pub again: u64,
    /// Replicas of each.
    pub replicas: u32,
    /// Searched numbers: the order of [`ProfilePoint::at`].
    pub numbers: Vec<String>,
    /// Profiles along directions of several parameters, then one for each searched number; empty before a check.
    pub profiles: Vec<Profile>,
}

/// One parameter, or one direction, held at values on both sides of the recommendation while the others were searched anew.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// Dotted key of the parameter, or those of the parameters that take part in the direction.
    pub keys: Vec<String>,
    /// The best that was simulated at each value, in order.
    pub points: Vec<ProfilePoint>,
    /// How far it can go to either side.
    pub within: Within,
    /// Where the minimum may be; of a parameter only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

/// A simulated point of a profile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProfilePoint {
    /// Values of the searched numbers.
    pub at: Vec<f64>,
    /// By how much its loss exceeds that of the recommendation; `None` if it failed or misses a must.
    pub worse: Option<f64>,
}

/// The simulated points around the recommendation that are within the noise without a gap, the first and the last confirmed on fresh
/// replicas where replicas differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Within {
    /// Index of the first one in [`Profile::points`].
    pub first: usize,
    /// Index of the last one.
    pub last: usize,
    /// Whether the range ends at the first and the last.
    pub reached: (bool, bool),
}

/// Two parameters that may make up for each other, says a model of the log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tied {
    /// Dotted keys.
    pub keys: (String, String),
    /// Correlation in the region of the model, -1 to 1.
    pub tied: f64,
    /// True if each alone has less than half of the width that both have together.
    pub confounded: bool,
}
