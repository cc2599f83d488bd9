//! `report.html`: one self-contained page that says what was wanted, what came out, and how it was made.

pub mod atlas;
mod learned;
mod shell;
mod tables;
pub mod validation;

pub use shell::shell;
pub(in crate::report) use tables::figure as kept;

use super::front;
use super::plots::{Plot, Section};
use super::run::Run;
use super::verdict;
use crate::evolve::summary::Tone;
use crate::evolve::summary::{Figure, ObjectiveSummary};
use crate::evolve::verdict::failures;
use crate::evolve::verdict::front::axis_words;
use crate::format;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::collections::{BTreeMap, BTreeSet};

/// What the page shows besides the run itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Replay pages: what they show, and their address relative to the report.
    pub replays: Vec<(String, String)>,
    /// The resolved experiment file; "" leaves it out.
    pub experiment: String,
}

/// The page around the plots of the run, each with its section.
pub fn page(run: &Run<'_>, plots: &[(Section, Plot)], extras: &Extras) -> String {
    let s = run.summary;
    let title = if s.title.is_empty() { &s.name } else { &s.title };
    let of = |section| plots.iter().filter(|p| p.0 == section).map(|p| &p.1).collect::<Vec<&Plot>>();
    let held_out = s.cases.iter().any(|c| c.held_out);
    html! {
        (DOCTYPE)
        html lang="en" {
            (shell::head(title))
            body {
                main {
                    (head(run, title, extras))
                    (atlas::section(run, &of(Section::Atlas), figure))
                    @if let Some(front) = &s.front {
                        h2 { "The front" }
                        p.note { "Recommended: " (front::picked(front)) ". \u{201c}Search saw\u{201d} is the mean over all "
                            "replicas that the search ran of a point; where it is much better than fresh seeds, the point was lucky." }
                        @for plot in of(Section::Front) { (figure(plot)) }
                        (tables::front(s, front))
                    }
                    h2 { @if s.front.is_some() { "Targets of the recommended point" } @else { "Targets" } }
                    p.note { "Means over " (format::count(s.replicas.1.into(), "fresh seed")) ", used neither by the search nor to "
                        "choose the recommendation, with bootstrap 95 % intervals in brackets. \u{201c}Search saw\u{201d} is "
                        "what the search itself measured: where it is much better than the tuned value, the search has "
                        "fitted its own seeds." @if let Some(unlike) = verdict::unlike(s) { " " (unlike) "." } }
                    (tables::targets(s))
                    @for plot in of(Section::Results) { (figure(plot)) }
                    @if several_cases(run) {
                        h2 { @if held_out { "Every case, the held-out ones last" } @else { "Every case" } }
                        @if held_out { p.note { "The search never saw the held-out cases: they show whether the "
                            "recommendation carries over." } }
                        (tables::cases(s))
                    }
                    @if !s.genes.is_empty() {
                        h2 { "Parameters" }
                        (tables::genes(run))
                    }
                    @if !s.race.is_empty() {
                        h2 { "Did the search promise too much?" }
                        p.note { @if let Some(promised) = verdict::promised(s) { (promised) ". " }
                            "The best of many candidates is partly lucky, so finalists race on fresh seeds, the same for all of them; those \
                             that are clearly worse drop out. The seeds of the report were used neither by the search nor in the race." }
                        (tables::finalists(s))
                        @for plot in of(Section::Finalists) { (figure(plot)) }
                    }
                    (learned::section(s, &of(Section::Importance), &of(Section::Identified), figure))
                    @if !of(Section::Search).is_empty() { h2 { "The search" } }
                    @for plot in of(Section::Search) { (figure(plot)) }
                    (made(run, extras))
                    (glossary(run))
                }
            }
        }
    }
    .into_string()
}

/// With a single case the table of targets says everything.
fn several_cases(run: &Run<'_>) -> bool {
    run.summary.cases.windows(2).any(|c| c[0].case != c[1].case)
}

fn head(run: &Run<'_>, title: &str, extras: &Extras) -> Markup {
    let s = run.summary;
    let class = match s.verdict.tone {
        Tone::Green => "verdict good",
        Tone::Amber => "verdict mixed",
        Tone::Red => "verdict bad",
    };
    let (judgment, reasons) = s.verdict.sentences.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
    html! {
        h1 { (title) }
        p.lead { "The constants of " code { (s.model) } ", tuned by " code { (s.optimizer) } " with "
            (format::count(s.evaluations, "evaluation")) "." }
        div class=(class) {
            strong { (judgment) }
            @for reason in reasons { p { (reason) } }
        }
        ul.facts {
            @for axis in s.front.iter().flat_map(|f| &f.axes) {
                @let o = s.objectives.iter().find(|o| o.name == axis.objective);
                @let shown = |f: fn(&ObjectiveSummary) -> Figure| format::option(o.and_then(|o| axis.figure(&f(o)).value));
                li { b { (shown(|o| o.default)) " \u{2192} " (shown(|o| o.tuned)) }
                    span { (axis_words(axis)) ", defaults \u{2192} recommended" } }
            }
            @for o in s.objectives.iter().filter(|_| s.front.is_none()) {
                li { b { (format::option(o.default.value)) " \u{2192} " (format::option(o.tuned.value)) }
                    span { (o.name) ", defaults \u{2192} tuned" } }
            }
            li { b { (s.evaluations) } span { "evaluations (" (s.stopped) ")" } }
            li { b { (s.failures.values().sum::<u64>()) } span { "failed evaluations" } }
        }
        @for (name, address) in &extras.replays {
            a.play href=(address) { "Play: " (name) }
        }
        @if let Some(shown) = s.shown.filter(|_| !extras.replays.is_empty()) {
            p.note { "Replays, paths and tables of single runs show " (shown.words()) "." }
        }
    }
}

fn figure(plot: &Plot) -> Markup {
    html! { figure { (PreEscaped(&plot.svg)) figcaption { (plot.caption) } } }
}

fn made(run: &Run<'_>, extras: &Extras) -> Markup {
    let s = run.summary;
    let tables: BTreeSet<&str> = s.cases.iter().map(|c| c.table.as_str()).collect();
    let cases: BTreeSet<&str> = s.cases.iter().map(|c| c.case.as_str()).collect();
    let finalists: Vec<String> = s.finalists.iter().map(u64::to_string).collect();
    let recommended = match s.recommended {
        Some(id) => format!("trial {id}"),
        None if s.proposed => "what the optimizer proposed at the end".into(),
        None => format!("the {}", s.defaults_called()),
    };
    html! {
        h2 { "How it was made" }
        dl.card {
            dt { "Experiment" } dd { (s.name) ", digest " code { (s.digest) } }
            dt { "Model" } dd { code { (s.model) } }
            @if let Some(engine) = &s.engine { dt { "Simulated by" } dd { (engine)
                @match s.repeats {
                    Some(true) => "; asked for a run again, it gave the same numbers",
                    Some(false) => "; asked for a run again, it gave other numbers",
                    None => "",
                } } }
            @if !tables.is_empty() {
                dt { "Scenarios" } dd { (tables.iter().copied().collect::<Vec<_>>().join(", "))
                    @if cases.len() > tables.len() { " (" (cases.len()) " cases)" } }
            }
            dt { "Search" } dd { code { (s.optimizer) } ", seed " (s.seed) ", " (verdict::stopped(s)) }
            dt { "Recommended" } dd { (recommended)
                @if !finalists.is_empty() {
                    @if s.front.is_some() { "; reported: " } @else { "; finalists, best first: " } (finalists.join(", "))
                } }
            dt { "Seeds" } dd { "the recommendation was chosen on up to " (s.replicas.0) " fresh replicas; its figures come from "
                (s.replicas.1) " others" }
            dt { "Failures" } dd { (failures(s).unwrap_or_else(|| "none".into())) }
            dt { "Made by" } dd { "crowdtune " (s.crowdtune) }
        }
        @if !extras.experiment.is_empty() {
            details { summary { "The experiment file with every default written out" } pre { (extras.experiment) } }
        }
    }
}

fn glossary(run: &Run<'_>) -> Markup {
    let entries: BTreeMap<&str, _> = run.metrics.iter().map(|metric| (metric.name, metric)).collect();
    html! {
        @if !entries.is_empty() {
            h2 { "What the metrics mean" }
            div.card { table {
                thead { tr { th { "metric" } th { "unit" } th { "meaning" } th { "source" } } }
                tbody { @for e in entries.values() { tr {
                    td { code { (e.name) } } td { @if e.make.unit.is_empty() { (format::NONE) } @else { (e.make.unit) } }
                    td { (e.doc) } td { (e.source) }
                } } }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{fixture, plots};

    fn text(change: impl Fn(&mut crate::evolve::summary::Summary)) -> String {
        let (mut summary, trials, replays) = (fixture::summary(), fixture::trials(), [fixture::replay()]);
        change(&mut summary);
        summary.verdict = crate::evolve::verdict::judge(&summary);
        let extras = Extras { replays: vec![("room".into(), "replays/room.html".into())], experiment: "a < b".into() };
        let run = fixture::run(&summary, &trials, &replays);
        page(&run, &plots::all(&run), &extras)
    }

    #[test]
    fn the_page_says_what_was_asked_what_came_out_and_how() {
        let page = text(|_| {});
        for part in [
            "Leave the room sooner without squeezing",
            "lower by 1.29 [1.15, 1.43]",
            "[131, 141]",
            "held out",
            "relaxation_time_s = 0.1 s lies at the end of its range",
            "5 of 60 evaluations failed",
            "href=\"replays/room.html\"",
            "fresh seed 7 of 20",
            "3f1c9a3f1c9a",
            "a &lt; b",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert_eq!(page.matches("class=\"ctplot\"").count(), 10);
    }

    #[test]
    fn hostile_names_stay_text_and_nothing_is_fetched() {
        let page = text(|s| {
            s.title = "<script>alert(1)</script>".into();
            s.targets[0].name = "\"><img src=x>".into();
            s.genes[0].key = "<b>".into();
            s.cases[0].case = "<i>".into();
        });
        for mark in ["<script", "<img", "<b>relax", "<i>", "src=\"", "url(", "@import", "<link"] {
            assert!(!page.contains(mark), "{mark}");
        }
    }

    #[test]
    fn an_empty_run_is_a_page_too() {
        let page = text(|s| {
            s.targets.clear();
            s.genes.clear();
            s.cases.clear();
            s.objectives.clear();
            s.recommended = None;
            s.importance.clear();
            s.identified = None;
        });
        assert!(page.contains("they are recommended") && page.ends_with("</html>"));
    }
}
