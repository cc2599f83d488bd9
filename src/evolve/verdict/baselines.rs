//! Whether a model knows more of recorded tracks than people who walk straight on or stand still.

use super::said::Said;
use crate::evolve::summary::{Baseline, Summary};
use crate::format;

/// A sentence for each track error: a reservation unless the model is better than both.
pub(super) fn judged(s: &Summary, said: &mut Said) {
    for (better, text) in s.baselines.iter().filter_map(|baseline| sentence(s, baseline)) {
        if better { said.note(text) } else { said.caution(text) }
    }
}

fn sentence(s: &Summary, baseline: &Baseline) -> Option<(bool, String)> {
    let Baseline { case, target, constant_velocity, standing_still } = baseline;
    let of = s.cases.iter().find(|c| c.case == *case && c.target == *target)?;
    let tuned = of.tuned.value?;
    let better = tuned < constant_velocity.min(*standing_still);
    let than = if better { "" } else { ", so the model predicts no better than that" };
    Some((
        better,
        format!(
            "{target} in {case} is {}; for people who walk straight on it is {}, for people who stand still {}{than}.",
            format::number(tuned),
            format::number(*constant_velocity),
            format::number(*standing_still)
        ),
    ))
}
