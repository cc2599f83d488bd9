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
    let Baseline { case, target, constant_velocity, standing_still, difference } = baseline;
    let of = s.cases.iter().find(|c| c.case == *case && c.target == *target)?;
    let tuned = of.tuned.value?;
    let better = tuned < constant_velocity.min(*standing_still);
    let sure = difference.high.is_none_or(|high| high < 0.0);
    let than = match (better, sure) {
        (true, true) => "",
        (true, false) => ", and with other people the model might predict no better than that",
        (false, _) => ", so the model predicts no better than that",
    };
    let unit = s.targets.iter().find(|t| t.name == *target).map_or("", |t| t.unit.as_str());
    let with_unit = |text: String| format!("{text} {unit}").trim_end().to_string();
    let over = if of.tuned.low.is_some() && s.engine.is_none() { " (95 % over the recorded people)" } else { "" };
    Some((
        better && sure,
        format!(
            "{target} in {case} is {}{over}; for people who walk straight on it is {}, for people who stand still {}{than}.",
            with_unit(of.tuned.to_string()),
            with_unit(format::number(*constant_velocity)),
            with_unit(format::number(*standing_still))
        ),
    ))
}
