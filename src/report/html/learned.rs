//! The section of the report on what mattered and what is determined.

use crate::evolve::summary::Summary;
use crate::format;
use crate::report::learned;
use crate::report::plots::Plot;
use maud::{Markup, html};

/// The section around its plots; empty where there is nothing to say.
pub(super) fn section(s: &Summary, importance: &[&Plot], valley: &[&Plot], figure: fn(&Plot) -> Markup) -> Markup {
    if s.importance.is_empty() && s.identified.is_none() {
        return html! {};
    }
    html! {
        h2 { "What mattered, and what is determined" }
        @for i in &s.importance { p { (learned::importance(i, s.importance.len() > 1)) "." } }
        @for plot in importance { (figure(plot)) }
        @if let Some(found) = &s.identified {
            @for warning in learned::valleys(s) { p class="verdict mixed" { strong { (warning) "." } } }
            p.note { (learned::determined(found)) "." }
            @if !found.widths.is_empty() {
                div.card { table {
                    thead { tr { th { "parameter" } th.n { "minimum" } th.n { "within the noise, others adjusted" }
                        th.n { "others fixed" } } }
                    tbody { @for (w, g) in found.widths.iter().filter_map(|w| Some((w, s.genes.iter().find(|g| g.key == w.key)?))) { tr {
                        td { b { (format::key(&w.key)) } }
                        td.n { (learned::number(g, w.center)) }
                        td.n { (learned::interval(g, w)) }
                        td.n { (learned::number(g, w.alone.0)) " to " (learned::number(g, w.alone.1)) }
                    } } }
                } }
            }
        }
        @for plot in valley { (figure(plot)) }
    }
}
