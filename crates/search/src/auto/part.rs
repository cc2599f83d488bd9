//! A part of the portfolio.

use crate::{MakeOptimizer, Optimizer, Setup};
use crowdtune_core::registry::{Entry, Settings, defaults};

/// An optimizer with its usual settings.
pub(super) fn part(entry: &Entry<MakeOptimizer>, setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let values = defaults(entry.params);
    (entry.make.make)(&Setup { settings: Settings::new(entry.params, &values), ..setup.clone() })
}
