//! What to think of a result, in words.

use serde::{Deserialize, Serialize};

/// How good a result is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// Every wish is met, and nothing else got much worse.
    Green,
    /// Of use, with reservations that the sentences name.
    #[default]
    Amber,
    /// Worse than the published values, a `must` is missed, or nothing ran.
    Red,
}

/// A judgment in words, made from the other figures of a summary.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// How good it is.
    pub tone: Tone,
    /// Whole sentences: the judgment first, then what it rests on, each reservation one of its own.
    pub sentences: Vec<String>,
}
