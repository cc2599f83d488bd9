//! The report page of `crowdtune sensitivity`.

use super::{done, failures, largest, morris_word, order, sizes, sobol_word, whole};
use crate::evolve::sensitivity::{Effects, Method, OutputEffects, Sensitivity};
use crate::evolve::summary::Figure;
use crate::evolve::verdict::draft;
use crate::evolve::verdict::gene_value;
use crate::format;
use crate::report::html::shell;
use crate::report::plots::Plot;
use maud::{Markup, PreEscaped, html};

/// The page around its plots, which [`super::super::plots::effects`] makes: all of an output carry its number.
pub fn page(s: &Sensitivity, plots: &[Vec<Plot>], experiment: &str) -> String {
    let title = if s.title.is_empty() { &s.name } else { &s.title };
    shell(
        title,
        &html! {
            h1 { (title) }
            p.lead { "Which constants of " code { (s.model) } " matter. " (done(s)) "." }
            p.note { (how_to_read(s.design.method)) }
            @if let Some(draft) = draft(s.draft_step_s) { p class="verdict bad" { strong { (draft) "." } } }
            @if let Some(failures) = failures(s) { p class="verdict mixed" { strong { (failures) "." } } }
            @for (o, plots) in s.outputs.iter().zip(plots) {
                h2 { (format::name_with_unit(&o.name, &o.unit)) " " span.tag { (o.kind) } }
                p.note {
                    "Over all trials: mean " (format::option(o.mean)) ", standard deviation " (format::option(o.sd)) "."
                    @if let Some(whole) = whole(o) { " " (whole) "." }
                    @if o.missing > 0 { " " (format::count(o.missing, "trial")) " without a value." }
                }
                (effects(o))
                @for plot in plots {
                    figure { (PreEscaped(&plot.svg)) figcaption { (plot.caption) } }
                }
            }
            h2 { "What was varied" }
            div.card { table {
                thead { tr { th { "parameter" } th.n { "default" } th.n { "range" } } }
                tbody { @for g in &s.genes { tr {
                    td { b { (format::key(&g.key)) } @if !g.symbol.is_empty() { " " span.sub { (g.symbol) } } }
                    td.n { (gene_value(g, g.default)) }
                    td.n {
                        @if g.choices.is_empty() {
                            (gene_value(g, g.low)) " \u{2026} " (gene_value(g, g.high)) @if g.log { small { "logarithmic" } }
                        } @else { (g.choices.join(", ")) }
                    }
                } } }
            } }
            h2 { "How it was made" }
            dl.card {
                dt { "Experiment" } dd { (s.name) ", digest " code { (s.digest) } }
                dt { "Design" } dd { (done(s)) ", seed " (s.seed) "; all trials on the same seeds of the simulation" }
                dt { "Made by" } dd { "crowdtune " (s.crowdtune) }
            }
            @if !experiment.is_empty() {
                details { summary { "The experiment file with every default written out" } pre { (experiment) } }
            }
        },
    )
}

fn how_to_read(method: Method) -> &'static str {
    match method {
        Method::Morris => {
            "From many points of the space, one parameter at a time is changed by two thirds of its range. mu* is the mean size of \
             the effect, scaled to the whole range: how much the parameter matters. mu is the mean with its sign: the direction. \
             sigma is the spread between points: it is large where the effect is curved or depends on other parameters. A \
             screening only ranks parameters; --method sobol gives shares of the variance."
        }
        Method::Sobol => {
            "When every parameter is drawn from its whole range, the result varies. S1 is the share of that variance that a \
             parameter explains alone; ST adds everything it does together with others. A parameter with ST near 0 can be \
             fixed. Small negative shares are sampling error; intervals are bootstrap 95 %."
        }
    }
}

fn effects(o: &OutputEffects) -> Markup {
    let places = order(&sizes(&o.effects));
    let f = |f: &Figure| {
        let text = f.to_string();
        let (value, interval) =
            text.split_once(" [").map_or((text.clone(), None), |(v, i)| (v.into(), Some(format!("[{i}"))));
        html! { span.keep { (value) } @if let Some(ends) = interval { " " span.keep { (ends) } } }
    };
    html! {
        div.card { table { @match &o.effects {
            Effects::Morris(all) => {
                thead { tr { th { "parameter" } th.n { "mu*" } th.n { "mu" } th.n { "sigma" } th { "effect" } th.n { "steps" } } }
                tbody { @for e in places.iter().map(|&i| &all[i]) { tr {
                    td { b { (format::key(&e.key)) } } td.n { (f(&e.mu_star)) } td.n { (f(&e.mu)) } td.n { (f(&e.sigma)) }
                    td { (morris_word(e, largest(all))) } td.n { (e.effects) }
                } } }
            }
            Effects::Sobol { genes, .. } => {
                thead { tr { th { "parameter" } th.n { "alone (S1)" } th.n { "total (ST)" } th { "acts" } } }
                tbody { @for e in places.iter().map(|&i| &genes[i]) { tr {
                    td { b { (format::key(&e.key)) } } td.n { (f(&e.first)) } td.n { (f(&e.total)) } td { (sobol_word(e)) }
                } } }
            }
        } } }
    }
}
