//! What `crowdtune posterior` gives: terminal tables and the report page. The plots are in [`super::plots::posterior`].

mod advice;
mod odds;
mod page;
mod text;

pub use advice::advice;
pub use odds::odds;
pub use page::page;
pub use text::text;

use crate::evolve::posterior::{Agreement, Calibration, FEWEST, Margin, Posterior};
use crate::evolve::summary::Tone;
use crate::evolve::verdict::reasons;
use crate::format;
use crowdtune_search::{DOUBT, SURPRISE};

/// Ranks that are less likely than this to come from a right posterior speak against it.
const UNLIKELY: f64 = 0.01;

/// A sentence, without its full stop, and whether it is good news.
type Said = (Tone, String);

/// What was done, in a sentence without a full stop.
fn done(p: &Posterior) -> String {
    if p.doubt.is_some() {
        return format!(
            "Posterior of {} from {}, from which Gaussian processes learned what runs give",
            format::count(p.genes.len() as u64, "parameter"),
            format::count(p.evaluated, "evaluation"),
        );
    }
    format!(
        "Posterior of {} from {}, {} of them effective",
        format::count(p.genes.len() as u64, "parameter"),
        format::count(p.evaluated, "evaluation"),
        format::number(p.draws.round())
    )
}

/// What can be said of it, the most important first.
fn said(p: &Posterior) -> Vec<Said> {
    let mut all = Vec::new();
    let missed: Vec<&Agreement> = p.missed().collect();
    let spread = format::significant(p.widened, 2);
    if p.widened > 0.0 && missed.iter().any(|a| !a.held_out) {
        all.push((
            Tone::Red,
            format!(
                "No evaluation comes as near to what was measured as its errors allow, so these were widened by {spread} of the spread that runs \
                 of the last generation have: what follows is where the model comes nearest, not where it agrees. Widen the ranges, look \
                 whether the errors are right, or take another model"
            ),
        ));
    } else if p.widened > 0.0 {
        all.push((
            Tone::Amber,
            format!(
                "The errors of what was measured were widened by {spread} of the spread that runs of the last generation have: the posterior may be \
                 wider than what was measured says; continue with --resume and more --evaluations",
            ),
        ));
    }
    all.extend(emulated(p));
    for a in &missed {
        let [_, low, high] = a.predicted.unwrap_or_default();
        let held_out = if a.held_out { ", held out" } else { "" };
        all.push((
            Tone::Red,
            format!(
                "Not as measured: {} ({}{held_out}) is {}, far from fresh runs with the posterior, 90 % of which give {} to {}",
                a.target,
                a.case,
                with_unit(a.measured, &a.unit),
                format::number(low),
                with_unit(high, &a.unit)
            ),
        ));
    }
    if p.statistics.iter().filter(|a| !a.held_out).all(|a| a.predicted.is_none()) {
        all.push((
            Tone::Red,
            "No fresh run with the posterior gives a value that could be compared with what was measured".into(),
        ));
    }
    if missed.is_empty() && p.statistics.iter().any(|a| a.predicted.is_some()) {
        all.push((Tone::Green, "Everything that was measured is what fresh runs with the posterior give, too".into()));
    }
    for m in p.genes.iter().filter(|m| m.is_unchanged()) {
        all.push((
            Tone::Amber,
            format!(
                "Hardly anything was learned of {} alone: its interval is as wide as before",
                format::parameter(&m.gene.key)
            ),
        ));
    }
    for (a, b, r) in p.together() {
        let how = if r < 0.0 { "one makes up for the other" } else { "they grow together" };
        all.push((
            Tone::Amber,
            format!(
                "Known together better than alone: {} and {}, {how}, correlation {}",
                format::parameter(&p.genes[a].gene.key),
                format::parameter(&p.genes[b].gene.key),
                format::fixed(r, 2)
            ),
        ));
    }
    if let Some(failed) = failed(p) {
        all.push((Tone::Amber, failed));
    }
    all.extend(p.calibration.iter().flat_map(calibrated));
    all
}

/// Whether processes are good enough to stand for runs, or `None` where they do not.
fn emulated(p: &Posterior) -> Option<Said> {
    let doubt = format!("{} %", format::significant(100.0 * p.doubt?, 2));
    let off = p.surprise.map_or_else(
        || "no generation has tested them yet".to_string(),
        |off| format!("runs of the last generation were {} times as far off as expected", format::significant(off, 2)),
    );
    Some(if p.settled {
        (
            Tone::Green,
            format!(
                "The processes are good enough: of the variance of what is measured {doubt} is their own error, and {off}"
            ),
        )
    } else {
        (
            Tone::Amber,
            format!(
                "The processes are not good enough yet: of the variance of what is measured {doubt} is their own error ({} % would be enough), and \
                 {off} ({} would be enough); continue with --resume and more --evaluations, or without --likelihood emulated",
                format::number(100.0 * DOUBT),
                format::number(SURPRISE)
            ),
        )
    })
}

/// Evaluations that agree with nothing, or `None`.
fn failed(p: &Posterior) -> Option<String> {
    let total: u64 = p.failures.values().sum();
    let mut parts = Vec::new();
    if total > 0 {
        parts.push(format!("{total} failed ({})", reasons(&p.failures)));
    }
    if p.beyond > 0 {
        parts.push(format!("{} gave no value or were beyond a limit", p.beyond));
    }
    (!parts.is_empty()).then(|| {
        format!("Of {}, {}: they agree with nothing", format::count(p.evaluated, "evaluation"), parts.join(" and "))
    })
}

/// What planted truths say.
fn calibrated(c: &Calibration) -> Vec<Said> {
    let ranked = c.planted - c.without;
    let of = format::count(ranked, "planted truth");
    if ranked < FEWEST {
        let text = format!(
            "{of} with a rank: too few to say whether intervals hold what they should; --check with at least {FEWEST}"
        );
        return vec![(Tone::Amber, text)];
    }
    let mut all: Vec<Said> = c
        .genes
        .iter()
        .filter(|g| g.p < UNLIKELY)
        .map(|g| {
            let text = format!(
                "The posterior of {} is not to be trusted: the ranks of {of} are not uniform (p {}), and its interval of 90 % holds {} % of them",
                format::parameter(&g.key),
                format::significant(g.p, 1),
                format::fixed(100.0 * g.inside_90, 0)
            );
            (Tone::Red, text)
        })
        .collect();
    if all.is_empty() {
        let shares: Vec<String> = c.genes.iter().map(|g| format::fixed(100.0 * g.inside_90, 0)).collect();
        all.push((
            Tone::Green,
            format!("Intervals of 90 % hold {} % of {of}, by parameter, and their ranks show no sign of being other than uniform", shares.join(", ")),
        ));
    }
    if c.without > 0 {
        all.push((
            Tone::Amber,
            format!(
                "{} of {} have no rank: their own run failed, or nothing agreed with it",
                c.without,
                format::count(c.planted, "planted truth")
            ),
        ));
    }
    all
}

fn with_unit(x: f64, unit: &str) -> String {
    if unit.is_empty() { format::number(x) } else { format!("{} {}", format::number(x), format::unit(unit)) }
}

/// A value of a parameter with its interval of 90 %; of a choice the likeliest with its probability.
pub(super) fn value(m: &Margin) -> String {
    if m.shares.is_empty() {
        let [low, .., high] = m.quantiles;
        return format::interval(Some(m.quantiles[2]), Some(low), Some(high));
    }
    let at = m.gene.tuned as usize;
    let share = m.shares.get(at).copied().unwrap_or(0.0);
    format!("{} ({} %)", m.gene.choices.get(at).map_or("", String::as_str), format::fixed(100.0 * share, 0))
}

/// How much of the prior's interval is left, in percent.
fn left(m: &Margin) -> String {
    m.left().map_or_else(|| format::NONE.into(), |left| format!("{} %", format::fixed(100.0 * left, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::plots::posterior::fixture::posterior;

    #[test]
    fn few_planted_truths_say_nothing() {
        let (mut p, _) = posterior();
        let words = |p: &Posterior| {
            said(p).into_iter().map(|(tone, text)| format!("{tone:?} {text}")).collect::<Vec<_>>().join("\n")
        };
        // One of two parameters has unlikely ranks.
        assert!(words(&p).contains("Red The posterior of rule is not to be trusted"), "{}", words(&p));
        assert!(words(&p).contains("1 of 61 planted truths have no rank"));
        let c = p.calibration.as_mut().unwrap();
        c.genes[1].p = 0.5;
        assert!(words(&p).contains("Green Intervals of 90 % hold 90, 90 % of 60 planted truths"), "{}", words(&p));
        let c = p.calibration.as_mut().unwrap();
        (c.planted, c.without) = (40, 1);
        assert!(words(&p).contains("Amber 39 planted truths with a rank: too few"), "{}", words(&p));
        assert!(!words(&p).contains("Intervals of 90 %"));
    }
}
