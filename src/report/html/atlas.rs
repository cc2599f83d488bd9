//! The atlas on the page: the heat map, over each cell a spot that shows its crowd larger with what it measured.

use crate::evolve::summary::{AtlasCell, AtlasSummary, GeneSplit, GeneSummary, Split};
use crate::format;
use crate::replay::ReplayFile;
use crate::report::plots::Plot;
use crate::report::plots::atlas::{Box4, Layout, id, layout, size};
use crate::report::run::Run;
use crate::report::verdict;
use maud::{Markup, PreEscaped, html};

/// The section; nothing without an atlas.
pub(super) fn section(run: &Run<'_>, plots: &[&Plot], figure: fn(&Plot) -> Markup) -> Markup {
    let Some((atlas, plot)) = run.summary.atlas.as_ref().zip(plots.first()) else { return html! {} };
    let layout = layout(atlas, run.crowds);
    html! {
        h2 { "Atlas of behaviors" }
        p.note { (verdict::atlas(atlas)) " Point at a cell, or touch it, to see its crowd." }
        figure.atlas {
            div.map {
                (PreEscaped(&plot.svg))
                @for cell in &atlas.cells { (spot(atlas, cell, &layout, run.crowds)) }
            }
            figcaption { (plot.caption) }
        }
        div data-place="atlas" { }
        @if plots.len() > 1 { h2 { "Where the constants lie" } }
        @for split in &atlas.splits { (told(atlas, split, &run.summary.genes)) }
        @for plot in &plots[1..] { (figure(plot)) }
    }
}

/// What the constants on both sides of a value are.
fn told(atlas: &AtlasSummary, split: &Split, genes: &[GeneSummary]) -> Markup {
    let known = |g: &GeneSplit| genes.iter().find(|known| known.key == g.key);
    let rows: Vec<_> = split.genes.iter().filter_map(|g| Some((g, known(g)?))).collect();
    html! {
        p { (verdict::split(atlas, split)) }
        p.note { (verdict::SPLIT_NOTE) }
        div.card { table {
            thead { tr { th { "constant" } th.n { "searched" } th.n { "at or above" } th { "in each fifth" } th.n { "difference" } } }
            tbody { @for (g, gene) in rows { tr {
                td { @if split.differs(g) { b { (format::key(&g.key)) } } @else { (format::key(&g.key)) } }
                td.n { (verdict::searched(gene)) }
                td.n { (verdict::split_range(gene, g)) }
                td { @for part in verdict::split_parts(g) { span.keep { (part) } " " } }
                td.n { (format::option(g.distance)) }
            } } }
        } }
    }
}

fn spot(atlas: &AtlasSummary, cell: &AtlasCell, layout: &Layout, crowds: Option<&ReplayFile>) -> Markup {
    let (x, y, w, h) = layout.cell(&cell.at);
    let share = |part: f64, whole: f64| format!("{:.3}%", 100.0 * part / whole);
    let style = format!(
        "left:{};top:{};width:{};height:{}",
        share(x, layout.width),
        share(y, layout.height),
        share(w, layout.width),
        share(h, layout.height)
    );
    html! {
        div class=(side((x, y, w, h), layout)) style=(style) tabindex="0" {
            div.pop {
                @if let Some((w, h)) = crowds.map(size) {
                    svg width=(format!("{w:.0}")) height=(format!("{h:.0}")) viewBox=(format!("0 0 {w:.1} {h:.1}")) {
                        use href=(format!("#{}", id(cell))) {}
                    }
                }
                table {
                    @for (axis, m) in atlas.axes.iter().zip(&cell.measures) {
                        tr { td { (format::name_with_unit(&axis.name, &axis.unit)) } td.n { (m.to_string()) } }
                    }
                    @if atlas.graded { tr { td { "loss" } td.n { (cell.loss.to_string()) } } }
                    @if let (true, Some(saw)) = (atlas.graded && atlas.fresh, cell.search_loss) {
                        tr { td { "search saw" } td.n { (format::number(saw)) } }
                    }
                }
                @if cell.came_from.is_some() { p { "The search saw it in another cell." } }
                @if cell.outside { p { "A mean lies beyond the end of its axis." } }
                @if atlas.fresh { a href=(cell.preset()) { "preset" } }
            }
        }
    }
}

/// The picture opens to where there is room.
fn side((x, y, w, h): Box4, layout: &Layout) -> &'static str {
    match (x + w / 2.0 < layout.width / 2.0, y + h / 2.0 < layout.height / 2.0) {
        (true, true) => "spot",
        (false, true) => "spot left",
        (true, false) => "spot up",
        (false, false) => "spot left up",
    }
}
