//! A posterior: what is known of each parameter and of pairs, what runs with it give, and the ranks of planted truths.

mod corner;
#[cfg(test)]
pub(in crate::report) mod fixture;
mod predicted;
mod ranks;

use super::plot::Plot;
use crate::evolve::posterior::{Draws, Posterior};

/// Its plots; none of what it has no figures for.
pub fn plots(p: &Posterior, draws: &Draws) -> Vec<Plot> {
    let plot = |name: &str, caption: &str, svg: String| Plot { name: name.into(), caption: caption.into(), svg };
    let mut all = Vec::new();
    if !draws.values.is_empty() {
        all.push(plot("posterior", corner::CAPTION, corner::draw(p, draws)));
    }
    if p.statistics.iter().any(|a| a.predicted.is_some()) {
        all.push(plot("predicted", predicted::CAPTION, predicted::draw(p)));
    }
    if let Some(calibration) = &p.calibration {
        all.push(plot("ranks", ranks::CAPTION, ranks::draw(calibration)));
    }
    all
}

#[cfg(test)]
mod tests;
