//! `report.html`: one self-contained page that says what was wanted, what came out, and how it was made.

pub mod atlas;
mod learned;
mod shell;
mod tables;
pub mod validation;

pub use shell::shell;
pub(in crate::report) use tables::figure as kept;

use super::charts;
use super::front;
use super::page::{self, Crowds, Lab};
use super::plots::{Plot, Section};
use super::run::Run;
use super::verdict;
use crate::evolve::summary::Tone;
use crate::evolve::summary::{Figure, ObjectiveSummary, Summary};
use crate::evolve::verdict::failures;
use crate::evolve::verdict::front::axis_words;
use crate::format;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Recordings in a page without a simulator. Chosen here: with two crowds each they are about a megabyte.
const MOST_RECORDED: usize = 2;

/// What the page shows besides the run itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// The experiment and the crowds to begin with, for a page with a simulator.
    pub lab: Option<Lab>,
    /// The simulator, packed.
    pub simulator: Option<Cow<'static, [u8]>>,
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
    let crowds = crowds(run, extras);
    html! {
        (DOCTYPE)
        html lang="en" {
            (shell::live_head(title))
            body {
                main #report {
                    (head(run, title, extras, &crowds))
                    (atlas::section(run, &of(Section::Atlas), figure))
                    @if let Some(front) = &s.front {
                        h2 { "The front" }
                        p.note { "Recommended: " (front::picked(front)) ". \u{201c}Search saw\u{201d} is the mean over all "
                            "replicas that the search ran of a point; where it is much better than fresh seeds, the point was lucky." }
                        div data-place="front" { }
                        (tables::front(s, front))
                    }
                    h2 { @if s.front.is_some() { "Targets of the recommended point" } @else { "Targets" } }
                    p.note { "Means over " (format::count(s.replicas.1.into(), "fresh seed")) ", used neither by the search nor to "
                        "choose the recommendation, with bootstrap 95 % intervals in brackets. \u{201c}Search saw\u{201d} is "
                        "what the search itself measured: where it is much better than the tuned value, the search has "
                        "fitted its own seeds." @if let Some(unlike) = verdict::unlike(s) { " " (unlike) "." } }
                    (tables::targets(s))
                    div data-place="targets" { }
                    @for plot in of(Section::Results).into_iter().filter(|plot| !is_live(&plot.name)) { (figure(plot)) }
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
                    (learned::section(s, &of(Section::Identified).into_iter().filter(|plot| !is_live(&plot.name)).collect::<Vec<_>>(), figure))
                    @if !of(Section::Search).is_empty() { h2 { "The search" } }
                    div data-place="loss" { }
                    div data-place="convergence" { }
                    div data-place="parallel" { }
                    @for plot in of(Section::Search).into_iter().filter(|plot| !is_live(&plot.name)) { (figure(plot)) }
                    (papers(plots))
                    (made(run, extras))
                    (glossary(run))
                }
                (page::scripts(&crowds, extras.simulator.as_deref()))
            }
        }
    }
    .into_string()
}

/// True if the page draws a plot itself, so that people can ask it; the file beside the report has it as a picture.
fn is_live(plot: &str) -> bool {
    ["convergence", "parallel", "targets", "valley"].contains(&plot)
        || plot.starts_with("loss")
        || plot.starts_with("front")
        || plot.starts_with("importance")
}

/// The crowds and charts of the page. A page with a simulator needs one recording, which is there before the simulator is.
fn crowds<'a>(run: &Run<'a>, extras: &Extras) -> Crowds<'a> {
    let most = if extras.simulator.is_some() { 1 } else { MOST_RECORDED };
    Crowds {
        replays: run.replays.iter().take(most).collect(),
        columns: run.wishes.clone(),
        lab: extras.lab.clone(),
        charts: Some(charts::data(run)),
        ..Crowds::default()
    }
}

/// The plots as files, for papers and for readers without scripts.
fn papers(plots: &[(Section, Plot)]) -> Markup {
    html! {
        h2 { "Pictures for papers" }
        p.note { "Every chart as an SVG file beside this page: "
            @for (at, (_, plot)) in plots.iter().enumerate() {
                @if at > 0 { ", " }
                a href=(format!("plots/{}.svg", plot.name)) { (plot.name) }
            } "." }
    }
}

/// With a single case the table of targets says everything.
fn several_cases(run: &Run<'_>) -> bool {
    run.summary.cases.windows(2).any(|c| c[0].case != c[1].case)
}

/// How a judgment looks.
pub fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Green => "verdict good",
        Tone::Amber => "verdict mixed",
        Tone::Red => "verdict bad",
    }
}

fn head(run: &Run<'_>, title: &str, extras: &Extras, crowds: &Crowds<'_>) -> Markup {
    let s = run.summary;
    let class = tone_class(s.verdict.tone);
    let (judgment, reasons) = s.verdict.sentences.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
    html! {
        h1 { (title) }
        p.lead { "The constants of " code { (s.model) } ", tuned by " code { (s.optimizer) } " with "
            (format::count(s.evaluations, "evaluation")) "." }
        div.top {
            div {
                div class=(class) {
                    strong { (judgment) }
                    @for reason in reasons { p { (prose(reason)) } }
                }
                (facts(s))
            }
            div.beside {
                (page::crowd(crowds))
                @if extras.replays.len() > crowds.replays.len() {
                    p.note { "Recorded beside this page: "
                        @for (name, address) in &extras.replays { a href=(address) { (name) } " " } }
                }
                @if let Some(shown) = s.shown.filter(|_| !extras.replays.is_empty()) {
                    p.note { "Recorded crowds, paths and tables of single runs show " (shown.words()) "." }
                }
            }
        }
    }
}

/// A sentence of the terminal: what stands in backticks there is code here.
fn prose(sentence: &str) -> Markup {
    html! { @for (at, part) in sentence.split('`').enumerate() { @if at % 2 == 1 { code { (part) } } @else { (part) } } }
}

fn facts(s: &Summary) -> Markup {
    html! {
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
        let replays_of = vec![("room".into(), "replays/room.html".into())];
        let extras = Extras { replays: replays_of, experiment: "a < b".into(), ..Extras::default() };
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
            "href=\"plots/loss.svg\"",
            "fresh seed 7 of 20",
            "3f1c9a3f1c9a",
            "a &lt; b",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert_eq!(page.matches("class=\"ctplot\"").count(), 4);
        assert_eq!(page.matches("<div data-place=").count(), 6);
    }

    #[test]
    fn hostile_names_stay_text_and_nothing_is_fetched() {
        let page = text(|s| {
            s.title = "<script>alert(1)</script>".into();
            s.targets[0].name = "\"><img src=x>".into();
            s.genes[0].key = "<b>".into();
            s.cases[0].case = "<i>".into();
        });
        for mark in ["<script>alert", "<img", "<b>relax", "<i>", "src=\"", "url(", "@import", "<link"] {
            assert!(!page.contains(mark), "{mark}");
        }
        assert_eq!(page.matches("<script").count(), 3, "the data, the library and the page");
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
