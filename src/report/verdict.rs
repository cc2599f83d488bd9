//! Parts of a result in words, for the terminal and the page alike.

use crate::evolve::StopRules;
use crate::evolve::summary::{
    AtlasSummary, FinalistSummary, GeneSplit, GeneSummary, Split, Summary, TargetSummary, Tone,
};
use crate::evolve::verdict::{gene_value, met};
use crate::format;

/// What became of a target: a word for the tables, and whether it is good news.
///
/// A target with a band is met or missed, and so is one that only wants more or less once it reaches `good`; before that
/// its loss is compared with that of the defaults. Measures have no word; a dash stands where no report was run.
pub fn standing(t: &TargetSummary) -> (&'static str, Tone) {
    let unlike = t.loss.0 != t.loss.1;
    match met(t) {
        _ if t.wanted.is_empty() => ("", Tone::Amber),
        Some(true) if t.met.is_none() && t.loss.1 > Some(0.0) => ("better", Tone::Green),
        Some(true) => ("met", Tone::Green),
        Some(false) if t.met.is_some() => ("missed", Tone::Red),
        Some(false) if unlike => ("worse", Tone::Red),
        Some(false) => ("as defaults", Tone::Amber),
        None => (format::NONE, Tone::Amber),
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
    let says = format!("fresh seeds say {}", one.fresh);
    // Luck shows most in what looked best.
    let looked = s.race.iter().filter(|f| f.search.is_some_and(|v| v < search) && f.selection.value.is_some());
    let looked = looked.min_by(|a, b| a.search.unwrap_or(f64::NAN).total_cmp(&b.search.unwrap_or(f64::NAN)));
    let beside = looked.map_or_else(String::new, |f| {
        let (who, seen) = (finalist(f), format::option(f.search));
        format!(". What looked best to it, {who} with {seen}, scores {} on fresh seeds", f.selection)
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

/// On which sides of a split the candidates lie, in sentences.
pub fn split(atlas: &AtlasSummary, split: &Split) -> String {
    let axis = &atlas.axes[split.axis];
    let value = format::setting(split.value);
    let mut text = format!(
        "{} of at least {value}: of {} on fresh seeds, {} with the whole 95 % interval at or above it, {} below it, {} \
         on neither side",
        format::name_with_unit(&axis.name, &axis.unit),
        format::count(split.above + split.below + split.unclear, "candidate"),
        split.above,
        split.below,
        split.unclear,
    );
    let Some(chance) = split.chance else {
        return text + "; too few on a side to compare their constants.";
    };
    text += &format!(
        ". Two random samples of these sizes differ by more than {} in one of 20 cases",
        format::number(chance)
    );
    let told: Vec<&str> = split.genes.iter().filter(|g| split.differs(g)).map(|g| format::key(&g.key)).collect();
    match told.is_empty() {
        true => text + "; no constant differs by more.",
        false => format!("{text}; more than that differ: {}.", told.join(", ")),
    }
}

/// The searched range of a constant, or its choices.
pub fn searched(gene: &GeneSummary) -> String {
    match gene.choices.is_empty() {
        true => format!("{} to {}", gene_value(gene, gene.low), gene_value(gene, gene.high)),
        false => gene.choices.join(", "),
    }
}

/// The range of a constant among the candidates above a split; a dash where they are too few.
pub fn split_range(gene: &GeneSummary, split: &GeneSplit) -> String {
    let ends = |(low, high)| format!("{} to {}", gene_value(gene, low), gene_value(gene, high));
    split.range.map_or_else(|| format::NONE.into(), ends)
}

/// Candidates above of those on either side, for each part of the searched range.
pub fn split_parts(split: &GeneSplit) -> Vec<String> {
    split.parts.iter().map(|(above, below)| format!("{above}/{}", above + below)).collect()
}

/// What the columns of the table of a split mean.
pub const SPLIT_NOTE: &str = "In each fifth of a searched range (on its scale, lowest first) or for each choice: candidates at or above of those \
                              on either side. The search chose the candidates, so these are no shares of all constants.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn bands_are_met_or_missed_and_slopes_are_better_or_worse() {
        let mut s = fixture::summary();
        assert_eq!(s.targets.iter().map(|t| standing(t).0).collect::<Vec<_>>(), ["met", "missed", "met", "met", ""]);
        s.targets[1].met = None;
        s.targets[1].loss = (Some(0.4), Some(0.1));
        assert_eq!(standing(&s.targets[1]), ("better", Tone::Green));
        s.targets[1].loss = (Some(0.1), Some(0.4));
        assert_eq!(standing(&s.targets[1]), ("worse", Tone::Red));
        s.targets[1].loss = (Some(0.1), Some(0.1));
        assert_eq!(standing(&s.targets[1]), ("as defaults", Tone::Amber));
        // At `good` a wish is met, whatever the published values give.
        s.targets[1].loss = (Some(0.0), Some(0.0));
        assert_eq!(standing(&s.targets[1]), ("met", Tone::Green));
        for t in &mut s.targets {
            (t.met, t.loss) = (None, (None, None));
        }
        assert_eq!(standing(&s.targets[1]).0, format::NONE, "no report");
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
}
