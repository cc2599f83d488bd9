//! What the compromises of a front add up to.

use super::said::Said;
use crate::evolve::summary::{FrontAxis, FrontPoint, FrontSummary, Standing, Summary};
use crate::format;

/// The verdict on a front: how far it reaches on each objective, beside the published values.
pub(super) fn judged(s: &Summary, front: &FrontSummary, said: &mut Said) {
    said.note(format!("{}.", sentence(s, front)));
    if front.points.iter().any(|p| p.recommended && p.defaults) {
        said.caution(format!("The recommended compromise is {} themselves.", s.compared_with()));
    }
    for (at, axis) in front.axes.iter().enumerate() {
        let published = s.objectives.get(at).and_then(|o| o.default.value);
        let losses = || members(front).filter_map(|p| p.fresh.get(at)?.value);
        let (Some(best), Some(last)) = (losses().reduce(f64::min), losses().reduce(f64::max)) else { continue };
        let published_text = published.map_or_else(String::new, |loss| {
            format!("; {} have {}", s.compared_with(), format::number(axis.value(loss)))
        });
        let [best_text, last_text] = [best, last].map(|loss| format::number(axis.value(loss)));
        let text = format!("{}: from {best_text} (best) to {last_text}{published_text}.", axis_words(axis));
        // A front that reaches no further than what was there before has nothing to offer on this objective.
        if published.is_some_and(|loss| best >= loss) { said.caution(text) } else { said.note(text) }
    }
}

/// How many compromises there are, and how many are at least as good as the published values everywhere; without a full stop.
pub fn sentence(s: &Summary, front: &FrontSummary) -> String {
    if front.points.iter().all(|p| p.standing == Standing::Unchecked) {
        let size = format::count(front.size, "candidate");
        return format!("{size} on the front of the search so far, none of them checked on fresh seeds");
    }
    let others = || members(front).filter(|p| !p.defaults);
    let (count, reported) = (others().count() as u64, front.points.iter().filter(|p| !p.defaults).count() as u64);
    let of = if count == reported { String::new() } else { format!(" of the {reported} that were reported") };
    let published = s.compared_with();
    let beside = if members(front).any(|p| p.defaults) { format!(" beside {published}") } else { String::new() };
    let beats = |p: &&FrontPoint| {
        let pairs = || p.fresh.iter().zip(&s.objectives).filter_map(|(f, o)| f.value.zip(o.default.value));
        pairs().all(|(f, d)| f <= d) && pairs().any(|(f, d)| f < d)
    };
    let better = match others().filter(beats).count() as u64 {
        0 => format!("each trades one objective for another, also against {published}"),
        b if b == count => format!("each is nowhere worse than {published} and better somewhere"),
        1 => format!("1 is nowhere worse than {published} and better somewhere, the others trade"),
        b => format!("{b} are nowhere worse than {published} and better somewhere, the others trade"),
    };
    format!("{}{of}{beside}: {better}", format::count(count, "compromise"))
}

/// Whether it holds more than the published values.
pub(super) fn goes_on(front: &FrontSummary) -> bool {
    members(front).any(|p| !p.defaults)
}

fn members(front: &FrontSummary) -> impl Iterator<Item = &FrontPoint> {
    front.points.iter().filter(|p| p.standing == Standing::Front)
}

/// The head of the column of an axis: its objective, and what is shown of it, with the unit.
pub fn axis_words(axis: &FrontAxis) -> String {
    if axis.metric.is_empty() {
        return format!("{} (loss)", axis.objective.replace('_', " "));
    }
    let shown = format::name_with_unit(&axis.metric, &axis.unit);
    let known = format::name_in_words(&axis.metric, &axis.unit) == axis.objective.replace('_', " ");
    if known { shown } else { format!("{}: {shown}", axis.objective.replace('_', " ")) }
}
