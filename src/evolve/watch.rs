//! What the loop says while it runs, and why it ended.

use crowdtune_search::Trial;
use serde::{Deserialize, Serialize};

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// All evaluations are used.
    Budget,
    /// A finite space is used up.
    Exhausted,
    /// The wanted loss is reached.
    Loss,
    /// No better candidate came for the number of trials that `stagnation` gives.
    Stagnation,
    /// The wall time is over.
    Time,
    /// The user stopped it; nothing was selected.
    Interrupted,
}

impl Stopped {
    /// The word that files use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Exhausted => "exhausted",
            Self::Loss => "loss",
            Self::Stagnation => "stagnation",
            Self::Time => "time",
            Self::Interrupted => "interrupted",
        }
    }
}

/// What the loop is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The search.
    Search,
    /// Finalists and defaults on fresh seeds.
    Select,
    /// The recommendation and the defaults on seeds that nothing else saw.
    Report,
    /// How far parameters can go from the recommendation.
    Profile,
    /// Planted truths of a posterior.
    Planted,
}

/// Watches the loop: a progress bar, or a closure `|trial: &Trial, replayed: bool|` that hears of every trial.
pub trait Observer {
    /// A phase of `trials` trials begins; a search whose replicas adapt counts replicas instead.
    fn phase(&mut self, phase: Phase, trials: u64);
    /// A trial is in the log; `replayed` if it was there before.
    fn trial(&mut self, trial: &Trial, replayed: bool);
}

impl<F: FnMut(&Trial, bool)> Observer for F {
    fn phase(&mut self, _: Phase, _: u64) {}

    fn trial(&mut self, trial: &Trial, replayed: bool) {
        self(trial, replayed);
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {
    fn phase(&mut self, _: Phase, _: u64) {}
    fn trial(&mut self, _: &Trial, _: bool) {}
}
