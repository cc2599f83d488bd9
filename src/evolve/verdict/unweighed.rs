//! Whether the recommendation pays with something that nobody weighs.

use super::said::Said;
use crate::evolve::summary::{Summary, TargetSummary};
use crate::format;
use crowdtune_sim::metrics::Better;

/// A measure got much worse if it doubled (halved, where more is better). Chosen here: what a person would call another crowd.
const FACTOR: f64 = 2.0;

/// A reservation for each measure without a wish that is clearly and much worse than with the published values.
pub(super) fn judged(s: &Summary, said: &mut Said) {
    s.targets.iter().filter(|t| t.wanted.is_empty() && collapsed(t)).for_each(|t| said.caution(sentence(t)));
}

/// Clearly: the intervals do not touch. Much: by the factor.
pub(super) fn collapsed(t: &TargetSummary) -> bool {
    let (Some(before), Some(after)) = (t.default.value, t.tuned.value) else { return false };
    let above = |a: Option<f64>, b: Option<f64>| matches!((a, b), (Some(a), Some(b)) if a > b);
    match t.better {
        Better::Less => above(t.tuned.low, t.default.high) && after > before * FACTOR,
        Better::More => above(t.default.low, t.tuned.high) && after * FACTOR < before,
        Better::Neither => false,
    }
}

fn sentence(t: &TargetSummary) -> String {
    let unit = if t.unit.is_empty() { String::new() } else { format!(" {}", format::unit(&t.unit)) };
    let way = if t.better == Better::Less { "rose" } else { "fell" };
    format!("Nobody weighs {}, and it {way} from {} to {}{unit}.", t.name, t.default, t.tuned)
}
