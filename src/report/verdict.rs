//! The verdict on a run in sentences, for the terminal and the page alike.

use super::format;
use crate::evolve::StopRules;
use crate::evolve::summary::AtlasSummary;
use crate::evolve::summary::{FinalistSummary, GeneSummary, ObjectiveSummary, Summary, TargetSummary};
use std::collections::BTreeMap;

/// How clear a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Better than the defaults, nothing missed.
    Good,
    /// Not clearly better, or incomplete.
    Mixed,
    /// Worse than the defaults, or a `must` is missed.
    Bad,
}

/// The verdict on the recommendation, without a full stop.
pub fn verdict(s: &Summary) -> (Tone, String) {
    if !s.missed_musts.is_empty() {
        return (Tone::Bad, format!("The recommendation misses a must: {}", s.missed_musts.join(", ")));
    }
    if s.atlas.as_ref().is_some_and(|atlas| !atlas.graded) {
        return (Tone::Good, "There are no targets: the atlas holds a preset for each behavior that was found".into());
    }
    if s.recommended.is_none() && !s.proposed {
        return (
            Tone::Mixed,
            "The search found nothing that beats the published defaults, so they are recommended".into(),
        );
    }
    let (tones, parts): (Vec<Tone>, Vec<String>) =
        s.objectives.iter().map(|o| compare(o, s.objectives.len() > 1)).unzip();
    // Better in one objective and worse in another is a compromise, not a failure.
    let tone = match (tones.contains(&Tone::Good), tones.contains(&Tone::Bad)) {
        (false, true) => Tone::Bad,
        _ if tones.iter().all(|t| *t == Tone::Good) => Tone::Good,
        _ => Tone::Mixed,
    };
    let text = if parts.is_empty() { "There is no objective to compare".into() } else { parts.join(". ") };
    (tone, text)
}

/// What became of a target: a word for the tables, and whether it is good news.
///
/// A target with a band is met or missed. One that only wants more or less has none: its loss is compared with that of
/// the defaults. Measures have no word; a dash stands where no report was run.
pub fn standing(t: &TargetSummary) -> (&'static str, Tone) {
    match (t.met, t.loss) {
        _ if t.wanted.is_empty() => ("", Tone::Mixed),
        (Some(true), _) => ("met", Tone::Good),
        (Some(false), _) => ("missed", Tone::Bad),
        (None, (Some(default), Some(tuned))) if tuned < default => ("better", Tone::Good),
        (None, (Some(default), Some(tuned))) if tuned > default => ("worse", Tone::Bad),
        (None, (Some(_), Some(_))) => ("as defaults", Tone::Mixed),
        (None, _) => (format::NONE, Tone::Mixed),
    }
}

/// Why the search value of some targets cannot be compared: the worst of few replicas is milder than the worst of
/// many; `None` if all targets take means or medians.
pub fn unlike(s: &Summary) -> Option<String> {
    let extreme = |t: &&TargetSummary| matches!(t.combine.as_str(), "worst" | "p95");
    let names: Vec<&str> = s.targets.iter().filter(extreme).map(|t| t.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "What the search saw of {} cannot be compared: the worst of its few replicas is milder than the worst of {}",
            names.join(", "),
            s.replicas.1
        )
    })
}

/// How many of the targets with a band are met, and how many there are; `None` where there is none or no report.
pub fn met(s: &Summary) -> Option<(usize, usize)> {
    let judged = || s.targets.iter().filter_map(|t| t.met);
    let all = judged().count();
    (all > 0).then(|| (judged().filter(|met| *met).count(), all))
}

/// One objective: better if the whole interval of the paired difference lies below 0.
fn compare(o: &ObjectiveSummary, named: bool) -> (Tone, String) {
    let of = if named { format!(" in {}", o.name) } else { String::new() };
    let d = &o.difference;
    let (Some(value), Some(low), Some(high)) = (d.value, d.low, d.high) else {
        return (Tone::Mixed, format!("The tuned set cannot be compared with the defaults{of}"));
    };
    // Said as a gain: the signs turn over and the ends of the interval change places.
    let size = |sign: f64| {
        let (a, b) = if sign < 0.0 { (-high, -low) } else { (low, high) };
        format::figure(&crate::evolve::summary::Figure { value: Some(value * sign), low: Some(a), high: Some(b) })
    };
    if high < 0.0 {
        (Tone::Good, format!("Better than the published defaults{of}: the loss is lower by {}", size(-1.0)))
    } else if low > 0.0 {
        (Tone::Bad, format!("Worse than the published defaults{of}: the loss is higher by {}", size(1.0)))
    } else {
        let text =
            format!("No clear difference from the published defaults{of}: tuned \u{2212} default = {}", size(1.0));
        (Tone::Mixed, text)
    }
}

/// `4 of 60 evaluations failed (too fast: 3, left the walls: 1)`, or `None` if none did; the most frequent reason first.
pub fn failures(s: &Summary) -> Option<String> {
    let total: u64 = s.failures.values().sum();
    if total == 0 {
        return None;
    }
    Some(format!("{total} of {} failed ({})", format::count(s.trials, "evaluation"), reasons(&s.failures)))
}

/// `too fast: 3, left the walls: 1`; the most frequent reason first.
pub fn reasons(failures: &BTreeMap<String, u64>) -> String {
    let mut reasons: Vec<_> = failures.iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let reasons: Vec<_> = reasons.iter().map(|(reason, n)| format!("{reason}: {n}")).collect();
    reasons.join(", ")
}

/// `DRAFT: steps of 0.02 s, longer than the model's own`, or `None` if they are not; it stands before the verdict.
pub fn draft(step_s: Option<f64>) -> Option<String> {
    step_s.map(|step| {
        format!("DRAFT: steps of {} s, longer than the model's own. Nothing here is final", format::plain(step))
    })
}

/// Why the search ended, in words.
pub fn stopped(s: &Summary) -> String {
    let done = format::count(s.evaluations, "evaluation");
    let early = |why: String| format!("stopped after {} of {} evaluations: {why}", s.evaluations, s.budget);
    match (s.stopped.as_str(), s.stop) {
        ("budget", _) => format!("{done} done"),
        ("exhausted", _) => format!("{done} done, then every combination had been tried"),
        ("loss", StopRules { loss: Some(loss), .. }) => {
            early(format!("a loss of {} or less was reached", format::setting(loss)))
        }
        ("stagnation", StopRules { stagnation: Some(n), .. }) => {
            early(format!("no better candidate in {}", format::count(n, "evaluation")))
        }
        ("time", StopRules { time_s: Some(time), .. }) => {
            early(format!("the time limit of {} s was reached", format::setting(time)))
        }
        (why, _) => format!("{why} after {} of {} evaluations", s.evaluations, s.budget),
    }
}

/// Whether the search promised too much: the search value of the recommendation next to its value on fresh seeds, as a
/// sentence without a full stop; `None` where one of them is missing.
pub fn promised(s: &Summary) -> Option<String> {
    let one = s.race.iter().find(|f| f.recommended && !f.defaults)?;
    let search = one.search.filter(|_| one.fresh.value.is_some())?;
    let seen = format!(
        "the search saw {} on {}",
        format::number(search),
        format::count(one.search_replicas.into(), "replica")
    );
    let says = format!("fresh seeds say {}", format::figure(&one.fresh));
    // Luck shows most in what looked best.
    let looked = s.race.iter().filter(|f| f.search.is_some_and(|v| v < search) && f.selection.value.is_some());
    let looked = looked.min_by(|a, b| a.search.unwrap_or(f64::NAN).total_cmp(&b.search.unwrap_or(f64::NAN)));
    let beside = looked.map_or_else(String::new, |f| {
        let (who, seen) = (finalist(f), format::option(f.search));
        format!(". What looked best to it, {who} with {seen}, scores {} on fresh seeds", format::figure(&f.selection))
    });
    let text = match (one.fresh.low, one.fresh.high) {
        _ if format::option(one.fresh.value) == format::number(search) => {
            format!("As good as it looked: {seen}, {says}")
        }
        (Some(low), _) if search < low => format!("Winner's curse: {seen}, {says}"),
        (_, Some(high)) if search > high => format!("Better than it looked: {seen}, {says}"),
        _ => format!("No winner's curse in the recommendation: {seen}, {says}"),
    };
    Some(text + &beside)
}

/// Who a finalist is: `trial 12`, `defaults`, `proposed by the optimizer`.
pub fn finalist(f: &FinalistSummary) -> String {
    match (f.defaults, f.trial) {
        (true, _) => "defaults".into(),
        (_, Some(id)) => format!("trial {id}"),
        _ => "proposed by the optimizer".into(),
    }
}

/// What became of a finalist in the race.
pub fn fate(f: &FinalistSummary) -> String {
    match (f.recommended, f.out) {
        (true, _) => "recommended".into(),
        (_, Some(_)) if f.selection.value.is_none() => format!("failed in round {}", f.out.unwrap_or(0)),
        (_, Some(round)) => format!("out after round {round}"),
        _ => "not clearly worse".into(),
    }
}

/// How many cells of an atlas are filled, in sentences.
pub fn atlas(atlas: &AtlasSummary) -> String {
    let mut text = format!("{} of {} cells are filled", atlas.filled, atlas.total);
    if atlas.fresh && atlas.found != atlas.filled {
        text += &format!(" (the search had seen {})", atlas.found);
    }
    if atlas.moved > 0 {
        text += &format!("; {} elites lie in a different cell than the search saw", atlas.moved);
    }
    if atlas.graded {
        text += &format!(". QD score {} of {}", format::number(atlas.qd_score), atlas.total);
    } else {
        text += ". There are no targets, so every candidate is equally good";
    }
    text + "."
}

/// True if the recommendation lies at the end of a range, so that a wider one may do better; the words of a choice have no ends.
pub fn at_bound(g: &GeneSummary) -> bool {
    g.at_bound && g.choices.is_empty()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::summary::Figure;
    use crate::report::fixture;

    #[test]
    fn better_means_that_the_whole_interval_is_below_zero() {
        let mut s = fixture::summary();
        let mut with = |value, low, high| {
            s.objectives[0].difference = Figure { value: Some(value), low: Some(low), high: Some(high) };
            verdict(&s)
        };
        let (tone, text) = with(-2.0, -2.5, -1.5);
        assert_eq!(tone, Tone::Good);
        assert!(text.ends_with("lower by 2.00 [1.50, 2.50]"), "{text}");
        assert_eq!(with(-2.0, -2.5, 0.1).0, Tone::Mixed);
        assert_eq!(with(2.0, 1.5, 2.5).0, Tone::Bad);
        s.missed_musts = vec!["squeeze".into()];
        assert_eq!(verdict(&s).0, Tone::Bad);
    }

    #[test]
    fn bands_are_met_or_missed_and_slopes_are_better_or_worse() {
        let mut s = fixture::summary();
        assert_eq!(s.targets.iter().map(|t| standing(t).0).collect::<Vec<_>>(), ["met", "missed", "met", "met", ""]);
        assert_eq!(met(&s), Some((3, 4)));
        s.targets[1].met = None;
        s.targets[1].loss = (Some(0.4), Some(0.1));
        assert_eq!((standing(&s.targets[1]), met(&s)), (("better", Tone::Good), Some((3, 3))));
        s.targets[1].loss = (Some(0.1), Some(0.4));
        assert_eq!(standing(&s.targets[1]), ("worse", Tone::Bad));
        s.targets[1].loss = (Some(0.1), Some(0.1));
        assert_eq!(standing(&s.targets[1]), ("as defaults", Tone::Mixed));
        for t in &mut s.targets {
            (t.met, t.loss) = (None, (None, None));
        }
        assert_eq!((standing(&s.targets[1]).0, met(&s)), (format::NONE, None), "no report");
        assert_eq!(unlike(&s), None);
        s.targets[2].combine = "worst".into();
        assert!(unlike(&s).unwrap().contains("saw of squeeze cannot be compared"));
    }

    #[test]
    fn a_search_value_outside_of_the_fresh_interval_is_said() {
        let mut s = fixture::summary();
        let curse = "Winner's curse: the search saw 0.0700 on 3 replicas, fresh seeds say 0.130 [0.090, 0.170]";
        assert_eq!(promised(&s).unwrap(), curse);
        s.race[0].search = Some(0.1);
        let text = promised(&s).unwrap();
        assert!(text.starts_with("No winner's curse"), "{text}");
        assert!(text.ends_with("trial 52 with 0.0900, scores 0.140 [0.110, 0.170] on fresh seeds"), "{text}");
        s.race[0].search = Some(0.2);
        assert!(promised(&s).unwrap().starts_with("Better than it looked"));
        s.race[0].search = None;
        assert_eq!(promised(&s), None);
        let fates: Vec<String> = s.race.iter().map(fate).collect();
        assert_eq!(fates, ["recommended", "not clearly worse", "out after round 2", "out after round 1"]);
    }

    #[test]
    fn the_end_of_a_search_is_said_with_its_rule() {
        let mut s = fixture::summary();
        assert_eq!(stopped(&s), "60 evaluations done");
        s.stop = StopRules { loss: Some(0.05), stagnation: Some(200), time_s: Some(600.0) };
        s.budget = 1000;
        for (word, text) in [
            ("loss", "stopped after 60 of 1000 evaluations: a loss of 0.05 or less was reached"),
            ("stagnation", "stopped after 60 of 1000 evaluations: no better candidate in 200 evaluations"),
            ("time", "stopped after 60 of 1000 evaluations: the time limit of 600 s was reached"),
            ("interrupted", "interrupted after 60 of 1000 evaluations"),
        ] {
            s.stopped = word.into();
            assert_eq!(stopped(&s), text);
        }
    }

    #[test]
    fn failures_name_the_most_frequent_reason_first() {
        let mut s = fixture::summary();
        s.failures = [("a".to_string(), 1), ("b".to_string(), 3)].into();
        assert_eq!(failures(&s).unwrap(), "4 of 60 evaluations failed (b: 3, a: 1)");
        s.failures.clear();
        assert_eq!(failures(&s), None);
    }
}
