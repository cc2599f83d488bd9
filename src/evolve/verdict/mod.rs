//! The verdict on a run: what its figures add up to, in sentences.
//!
//! Green if every wish is met and nothing that is held out or that nobody weighs collapses; red if nothing ran, a `must` is missed,
//! or the loss is clearly higher than with the published values; amber otherwise.

mod baselines;
pub mod front;
mod held_out;
mod said;
#[cfg(test)]
mod tests;
mod unweighed;
mod wishes;

use super::summary::{GeneSummary, Summary, Verdict};
use super::unfinished;
use crate::format;
use said::Said;
use wishes::Wishes;
pub use wishes::met;

/// The verdict that the figures of a summary lead to.
pub fn judge(s: &Summary) -> Verdict {
    let mut said = Said::default();
    if let Some(draft) = draft(s.draft_step_s) {
        said.caution(format!("{draft}."));
    }
    if nothing_ran(s) {
        said.worst(format!(
            "There is no valid candidate: {}.",
            failures(s).unwrap_or_else(|| "nothing was simulated".into())
        ));
        return said.verdict();
    }
    if s.replicas.1 == 0 {
        said.caution("Nothing was checked on fresh seeds yet: the search alone has seen these values.".into());
        s.front.iter().for_each(|found| said.note(format!("{}.", front::sentence(s, found))));
    } else {
        wishes(s, &mut said);
    }
    if s.repeats == Some(false) {
        said.caution(
            "The engine gave other numbers when it was asked for the same run again: nobody can repeat this search."
                .into(),
        );
    }
    for g in s.genes.iter().filter(|g| g.at_bound && g.choices.is_empty()) {
        said.note(at_bound(g));
    }
    if let Some(failures) = failures(s) {
        said.note(format!("{failures}."));
    }
    said.verdict()
}

/// True if every row of the search failed and the defaults are no better off.
fn nothing_ran(s: &Summary) -> bool {
    let failed: u64 = s.failures.values().sum();
    let defaults = s.objectives.iter().any(|o| o.default.value.is_some());
    s.trials > 0 && failed == s.trials && s.recommended.is_none() && !s.proposed && !defaults
}

/// What the check on fresh seeds says, the headline first.
fn wishes(s: &Summary, said: &mut Said) {
    if s.atlas.as_ref().is_some_and(|atlas| !atlas.graded) {
        said.note("Nothing is wanted here: the atlas holds a preset for each behavior that was found.".into());
        return;
    }
    let wishes = Wishes::of(s);
    if let Some(reason) = &s.fresh_failure {
        said.worst(format!("A run on fresh seeds failed: {reason}."));
    }
    wishes.musts(said);
    let published = s.recommended.is_none() && !s.proposed;
    if let Some(found) = s.front.as_ref().filter(|found| !published || front::goes_on(found)) {
        // What a compromise gives up is no wish that it misses.
        front::judged(s, found, said);
    } else if published {
        said.caution(format!("The search found nothing better than {}, so they are recommended.", s.compared_with()));
        wishes.missed(said);
    } else {
        wishes.headline(said);
        against_published(s, said);
        wishes.missed(said);
    }
    for (t, of) in s.targets.iter().filter_map(|t| Some((t, t.unfinished?))) {
        said.caution(format!("{}.", unfinished::words(&t.name, of)));
    }
    held_out::judged(s, said);
    unweighed::judged(s, said);
    baselines::judged(s, said);
}

/// The loss beside that of the published values: better or worse if the whole interval of the paired difference says so.
fn against_published(s: &Summary, said: &mut Said) {
    let beside = s.compared_with();
    for o in &s.objectives {
        let d = &o.difference;
        let (Some(value), Some(low), Some(high)) = (d.value, d.low, d.high) else {
            said.caution(format!("It cannot be compared with {beside}: one of the two has no loss."));
            continue;
        };
        if high < 0.0 {
            let gain = format::interval(Some(-value), Some(-high), Some(-low));
            said.note(format!("Better than {beside}: the loss is lower by {gain}."));
        } else if low > 0.0 {
            said.worst(format!("Worse than {beside}: the loss is higher by {d}."));
        } else {
            let short = if s.engine.is_some() { "defaults" } else { "published" };
            said.caution(format!("No clear difference from {beside}: tuned \u{2212} {short} = {d}."));
        }
    }
}

/// `DRAFT: steps of 0.02 s, longer than the model's own`, or `None` if they are not; it stands before the verdict.
pub fn draft(step_s: Option<f64>) -> Option<String> {
    step_s.map(|step| {
        format!("DRAFT: steps of {} s, longer than the model's own. Nothing here is final", format::plain(step))
    })
}

/// `4 of 60 evaluations failed (3 like: person 7 reached 8.3 m/s; left the walls)`, or `None` if none did; the most frequent reason first.
pub fn failures(s: &Summary) -> Option<String> {
    let total: u64 = s.failures.values().sum();
    if total == 0 {
        return None;
    }
    Some(format!("{total} of {} failed ({})", format::count(s.trials, "evaluation"), reasons(&s.failures)))
}

/// `3 like: person 7 reached 8.3 m/s; left the walls`; the most frequent reason first.
pub fn reasons(failures: &std::collections::BTreeMap<String, u64>) -> String {
    let mut reasons: Vec<_> = failures.iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let one = |(reason, n): &(&String, &u64)| if **n == 1 { (*reason).clone() } else { format!("{n} like: {reason}") };
    reasons.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn at_bound(g: &GeneSummary) -> String {
    let [value, low, high] = [g.tuned, g.low, g.high].map(|v| gene_value(g, v));
    let key = format::key(&g.key);
    format!("{key} = {value} lies at the end of its range ({low} to {high}); a wider range may do better.")
}

/// A value of a gene as it is printed: the word of a choice, else a number with its unit.
pub fn gene_value(g: &GeneSummary, value: f64) -> String {
    let word = (value >= 0.0).then(|| g.choices.get(value.round() as usize)).flatten();
    match word {
        Some(word) => word.clone(),
        None if g.unit.is_empty() => format::setting(value),
        None => format!("{} {}", format::setting(value), format::unit(&g.unit)),
    }
}
