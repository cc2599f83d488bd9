//! The tables of the report page.

use crate::evolve::summary::Tone;
use crate::evolve::summary::{Figure, FrontSummary, GeneSummary, Summary, TargetSummary};
use crate::evolve::verdict::front::axis_words;
use crate::evolve::verdict::gene_value;
use crate::format;
use crate::report::front::{defaults, genes as genes_of, mark, search_saw};
use crate::report::run::Run;
use crate::report::verdict;
use maud::{Markup, html};

/// A figure; its line may break only before the interval.
pub(in crate::report) fn figure(f: &Figure) -> Markup {
    let text = f.to_string();
    let (value, interval) = text.split_once(" [").map_or((text.as_str(), None), |(v, i)| (v, Some(i)));
    html! { span.keep { (value) } @if let Some(ends) = interval { " " span.keep { "[" (ends) } } }
}

/// A value of a gene on one line.
fn value(g: &GeneSummary, v: f64) -> Markup {
    html! { span.keep { (gene_value(g, v)) } }
}

/// Targets with their bands, then the objectives.
pub fn targets(s: &Summary) -> Markup {
    html! {
        div.card { table.stack {
            thead { tr {
                th { "target" } th.w { "wanted" } th.n { "defaults" } th.n { "tuned" } th.n.saw { "search saw" } th { "result" }
            } }
            tbody {
                @for t in &s.targets { (target(t)) }
                @for o in &s.objectives { tr.sum {
                    td { (o.name) small.w { "low is good" } } td.w { "objective, low is good" }
                    td.n.d { (figure(&o.default)) } td.n.t { (figure(&o.tuned)) }
                    td.n.saw { (format::option(o.search)) }
                    td { @if o.difference.high.is_some_and(|h| h < 0.0) { span.yes { "better" } } }
                } }
            }
        } }
    }
}

/// The finalists: search value beside fresh values.
pub fn finalists(s: &Summary) -> Markup {
    html! {
        div.card { table.stack {
            thead { tr {
                th { "finalist" } th.n { "search saw" } th.n { "selection" } th.n { "replicas" } th.n { "report" } th { "race" }
            } }
            tbody {
                @for f in &s.race { tr {
                    td { @if f.recommended { b { (verdict::finalist(f)) } } @else { (verdict::finalist(f)) } }
                    td.n { (format::option(f.search)) }
                    td.n { (figure(&f.selection)) }
                    td.n { (f.selection_replicas) }
                    td.n { (figure(&f.fresh)) }
                    td { (verdict::fate(f)) }
                } }
            }
        } }
    }
}

fn target(t: &TargetSummary) -> Markup {
    // A must beside several objectives is a limit only.
    let weight = if t.weight == 1.0 || (t.must && t.weight == 0.0) {
        String::new()
    } else {
        format!("weight {}", format::plain(t.weight))
    };
    html! { tr {
        td {
            b { (t.name) } small { (format::name_with_unit(&t.metric, &t.unit)) }
            // On a phone what is wanted stands here.
            small.w { @if t.wanted.is_empty() { "measured only" } @else { (t.wanted) } @if t.must { " (must)" } }
        }
        td.w {
            @if t.wanted.is_empty() { span.sub { "measured only" } } @else { (t.wanted) }
            @if t.must { " " span.tag { "must" } }
            @if !t.wanted.is_empty() && !weight.is_empty() { small { (weight) } }
        }
        td.n.d { (figure(&t.default)) }
        td.n.t { (figure(&t.tuned)) }
        td.n.saw { (format::option(t.search)) }
        td {
            @let (word, tone) = verdict::standing(t);
            @match tone {
                Tone::Green => span.yes { "\u{2713} " (word) },
                Tone::Red => span.no { "\u{2717} " (word) },
                Tone::Amber => (word),
            }
            @if let (Tone::Red, Some(loss)) = (tone, t.loss.1) { small { "loss " (format::number(loss)) } }
        }
    } }
}

/// Every column in every case; held-out cases come last and are marked.
pub fn cases(s: &Summary) -> Markup {
    let mut rows: Vec<_> = s.cases.iter().collect();
    rows.sort_by_key(|c| c.held_out);
    let wanted = |value: Option<f64>, tolerance: Option<f64>| match (value, tolerance) {
        (Some(v), Some(t)) => {
            let band = Figure { value: Some(v), low: Some(v - t), high: Some(v + t) };
            figure(&band)
        }
        (value, _) => html! { (format::option(value)) },
    };
    html! {
        div.card { table.stack {
            thead { tr {
                th { "case" } th { "target" } th.n { "wanted [tolerance]" } th.n { "defaults" } th.n { "tuned" } th { }
            } }
            tbody { @for c in rows { tr {
                td { (c.case) } td { (c.target) }
                td.n { (wanted(c.wanted, c.tolerance)) }
                td.n.d { (figure(&c.default)) }
                td.n.t { (figure(&c.tuned)) }
                td { @if c.held_out { span.tag { "held out" } } }
            } } }
        } }
    }
}

/// The points of a front, the published defaults below; parameters in the last columns.
pub fn front(s: &Summary, front: &FrontSummary) -> Markup {
    let published = s
        .genes
        .iter()
        .map(|g| if g.choices.is_empty() { format::setting(g.default) } else { gene_value(g, g.default) });
    html! {
        div.card.wide { table {
            thead { tr {
                th { "id" }
                @for axis in &front.axes { th.n { (axis_words(axis)) } th.n { "search saw" } }
                th { }
                @for g in &s.genes { th.n { (format::words(&g.key)) } }
            } }
            tbody {
                @for p in &front.points { tr.sum[p.recommended] {
                    td.short { @if p.recommended { b { (p.id) } } @else { (p.id) } }
                    @for (at, axis) in front.axes.iter().enumerate() {
                        td.n.t { (figure(&axis.figure(&p.fresh.get(at).copied().unwrap_or_default()))) }
                        td.n { (format::option(search_saw(axis, p, at))) }
                    }
                    td { @let text = mark(p); @if p.recommended { span.yes { (text) } } @else { (text) } }
                    @for value in genes_of(s, p) { td.n { span.keep { (value) } } }
                } }
                tr.sum {
                    td.short { (format::NONE) }
                    @for (axis, loss) in front.axes.iter().zip(defaults(s)) {
                        td.n.d { (figure(&axis.figure(&loss))) } td.n { }
                    }
                    td { (s.defaults_called()) }
                    @for value in published { td.n { span.keep { (value) } } }
                }
            }
        } }
    }
}

/// Searched parameters: default, tuned, range.
pub fn genes(run: &Run<'_>) -> Markup {
    let s = run.summary;
    html! {
        div.card { table {
            thead { tr {
                th { "parameter" } th.n { @if s.engine.is_some() { "engine's default" } @else { "published default" } } th.n { "tuned" } th.n { "searched" } th { }
            } }
            tbody { @for (at, g) in s.genes.iter().enumerate() { tr {
                td {
                    b { (format::key(&g.key)) }
                    @if !g.symbol.is_empty() { " " span.sub { (g.symbol) } }
                    @if let Some(param) = run.params.get(at).copied().flatten() { small { (param.doc) } }
                }
                td.n.d { (value(g, g.default)) }
                td.n.t { b { (value(g, g.tuned)) } }
                td.n {
                    @if g.choices.is_empty() {
                        (value(g, g.low)) " \u{2026} " (value(g, g.high)) @if g.log { small { "logarithmic" } }
                    } @else { (g.choices.join(", ")) }
                }
                td { @if g.at_bound && g.choices.is_empty() { span.tag { "at the end of its range" } } }
            } } }
        } }
    }
}
