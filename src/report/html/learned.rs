//! The section of the report on what mattered and what is determined.

use crate::evolve::summary::Summary;
use crate::format;
use crate::report::learned;
use crate::report::plots::Plot;
use maud::{Markup, html};

/// The section around the plots that the page does not draw itself; empty where there is nothing to say.
pub(super) fn section(s: &Summary, plots: &[&Plot], figure: fn(&Plot) -> Markup) -> Markup {
    if s.importance.is_empty() && s.identified.is_none() {
        return html! {};
    }
    html! {
        h2 { "What mattered, and what is determined" }
        @for i in &s.importance { p { (learned::importance(i, s.importance.len() > 1)) "." } }
        div data-place="importance" { }
        @if let Some(found) = &s.identified {
            @for warning in learned::valleys(s) { p class="verdict mixed" { strong { (warning) "." } } }
            p.note { (learned::determined(found)) "." }
            @let alone = found.profiles.iter().filter_map(|p| Some((p, p.interval.as_ref()?)));
            @let rows: Vec<_> = alone.filter_map(|(p, i)| Some((p, i, s.genes.iter().find(|g| g.key == p.keys[0])?))).collect();
            @if !rows.is_empty() {
                div.card { table {
                    thead { tr { th { "parameter" } th.n { "recommended" } th.n { "minimum, 90 %" }
                        th.n { "simulated within the noise, others adjusted" } } }
                    tbody { @for (p, i, g) in rows { tr {
                        td { b { (format::key(&g.key)) } }
                        td.n { (learned::number(g, g.tuned)) }
                        td.n { @if i.level.is_some() { (learned::interval(g, i)) } @else { (format::NONE) } }
                        td.n { (learned::within(found, g, p).unwrap_or_default()) }
                    } } }
                } }
            }
        }
        div data-place="valleys" { }
        @for plot in plots { (figure(plot)) }
    }
}
