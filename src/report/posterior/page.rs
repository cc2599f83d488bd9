//! The report page of `crowdtune posterior`.

use super::{done, left, said, value, with_unit};
use crate::evolve::posterior::Posterior;
use crate::evolve::verdict::draft;
use crate::format;
use crate::report::html::{shell, tone_class};
use crate::report::plots::Plot;
use maud::{PreEscaped, html};

const HOW_TO_READ: &str = "A posterior is what is known of the parameters after the measurement: of all candidates that the priors allow, \
    those whose runs give what was measured, each as often as it would. The tolerance of a target is the standard deviation of the \
    error of its measurement; limits hold without any error. Draws that fail agree with nothing. The numbers are for this \
    model: that its runs can look like the measurement does not make it right.";

/// The page around its plots.
pub fn page(p: &Posterior, plots: &[Plot], experiment: &str) -> String {
    let title = if p.title.is_empty() { &p.name } else { &p.title };
    shell(
        title,
        &html! {
            h1 { (title) }
            p.lead { "Which constants of " code { (p.model) } " agree with what was measured. " (done(p)) "." }
            @if let Some(draft) = draft(p.draft_step_s) { p class="verdict bad" { strong { (draft) "." } } }
            @for (tone, sentence) in said(p) { p class=(tone_class(tone)) { (sentence) "." } }
            h2 { "What is known" }
            div.card { table {
                thead { tr { th { "parameter" } th.n { "median [90 %]" } th.n { "before, 90 %" } th { "prior" } th.n { "left of it" } } }
                tbody { @for m in &p.genes { tr {
                    td { b { (format::parameter(&m.gene.key)) } @if !m.gene.symbol.is_empty() { " " span.sub { (m.gene.symbol) } } }
                    td.n { (value(m)) }
                    td.n {
                        @if m.shares.is_empty() { (format::number(m.before[0])) " to " (format::number(m.before[4])) }
                        @else { (m.gene.choices.join(", ")) }
                    }
                    td { (m.prior) }
                    td.n { (left(m)) }
                } } }
            } }
            @for plot in plots { figure { (PreEscaped(&plot.svg)) figcaption { (plot.caption) } } }
            h2 { "What was measured" }
            div.card { table {
                thead { tr { th { "target" } th { "in" } th.n { "measured" } th.n { "error" } th.n { "fresh runs [90 %]" } } }
                tbody { @for a in &p.statistics { tr {
                    td { b { (a.target) } }
                    td { (a.case) @if a.held_out { " " span.tag { "held out" } } }
                    td.n { (with_unit(a.measured, &a.unit)) }
                    td.n { (format::number(a.sd)) }
                    td.n {
                        @if let Some([mean, low, high]) = a.predicted { (format::interval(Some(mean), Some(low), Some(high))) }
                        @else { (format::NONE) }
                    }
                } } }
            } }
            p.note { (HOW_TO_READ) }
            h2 { "How it was made" }
            dl.card {
                dt { "Experiment" } dd { (p.name) ", digest " code { (p.digest) } }
                dt { "Draws" } dd {
                    (format::count(p.evaluated, "evaluation")) " in generations of " (p.design.generation(p.genes.len())) ", seed " (p.seed)
                    "; each on seeds of its own"
                }
                dt { "Files" } dd {
                    code { "samples.csv" } " and " code { "samples.jsonl" } " have all draws with their weights, " code { "draws" }
                    " presets that count alike: " code { "crowdtune play EXPERIMENT --preset draws/01.json" }
                }
                dt { "Made by" } dd { "crowdtune " (p.crowdtune) }
            }
            @if !experiment.is_empty() {
                details { summary { "The experiment file with every default written out" } pre { (experiment) } }
            }
        },
    )
}
