//! The fresh seed that stands for a result where a single run is shown.

use crate::format;
use serde::{Deserialize, Serialize};

/// The seed of the report whose loss of the recommendation is the median over its seeds (of an even number the lower of the two
/// in the middle, of equal ones the first). The published values are shown on the same seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownSeed {
    /// Its number among the fresh seeds of the report, from 1.
    pub seed: u32,
    /// How many there are.
    pub of: u32,
    /// Loss of the recommendation on it; with several objectives their mean.
    pub loss: f64,
}

impl ShownSeed {
    /// The replica of the report, from 0.
    pub fn replica(self) -> u32 {
        self.seed.saturating_sub(1)
    }

    /// `fresh seed 17 of 40, whose loss (0.21) is the median over the fresh seeds, for defaults and tuned alike`.
    pub fn words(self) -> String {
        format!(
            "fresh seed {} of {}, on which the tuned set has the median loss ({}), for defaults and tuned alike",
            self.seed,
            self.of,
            format::number(self.loss)
        )
    }
}
