//! Whether the recommendation carries over to what the search never saw.

use super::said::Said;
use crate::evolve::summary::{CaseSummary, Summary};
use crate::format;

/// A held-out loss may exceed that of the searched cases by so much: a tenth of the way from `good` to `bad`, or of a tolerance
/// beyond the band. Chosen here.
const SLACK: f64 = 0.1;

/// A reservation for each target that does clearly worse on the held-out cases than on those of the search.
pub(super) fn judged(s: &Summary, said: &mut Said) {
    s.targets.iter().filter_map(|t| sentence(s, &t.name)).for_each(|text| said.caution(text));
}

fn sentence(s: &Summary, target: &str) -> Option<String> {
    let of = |held_out: bool| {
        let cases = s.cases.iter().filter(move |c| c.target == target && c.held_out == held_out);
        cases.filter_map(|c| Some((c, c.loss.1?)))
    };
    let mean = |held_out: bool| {
        let losses: Vec<f64> = of(held_out).map(|(_, loss)| loss).collect();
        (!losses.is_empty()).then(|| crowdtune_core::math::stats::mean(&losses))
    };
    let unseen = mean(true)?;
    let seen = mean(false).unwrap_or(0.0);
    if unseen <= seen + SLACK {
        return None;
    }
    let worst: Vec<(&CaseSummary, f64)> = of(true).filter(|(_, loss)| *loss > seen + SLACK).collect();
    let all = of(true).count();
    let named: Vec<String> = worst.iter().take(3).map(|(c, _)| one(c)).collect();
    let more = if worst.len() > 3 { ", ..." } else { "" };
    let seen = if mean(false).is_some() {
        format!(" on the cases of the search {}", format::number(seen))
    } else {
        " 0 is met".into()
    };
    Some(format!(
        "It does not carry over: on held-out cases {target} has a loss of {},{seen}; {} of {} held-out {} far off ({}{more}).",
        format::number(unseen),
        worst.len(),
        all,
        if all == 1 { "case is" } else { "cases are" },
        named.join("; ")
    ))
}

/// `neck[width_m=0.9]: 1.29, wanted 1.67`.
fn one(c: &CaseSummary) -> String {
    let wanted = c.wanted.map_or_else(String::new, |wanted| format!(", wanted {}", format::number(wanted)));
    format!("{}: {}{wanted}", c.case, format::option(c.tuned.value))
}
