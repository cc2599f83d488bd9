//! The atlas of behaviors as a heat map: cells colored by loss, each with a thumbnail of its crowd.

mod constants;
mod layout;
mod thumb;

pub use layout::{Box4, Layout};
pub use thumb::size;

use super::plot::Plot;
use crate::evolve::summary::{AtlasCell, AtlasSummary, AxisSummary};
use crate::format;
use crate::replay::ReplayFile;
use crate::report::chart::style::{DEFAULT, GRID, INK, SOFT, ramp};
use crate::report::chart::{
    Anchor, Canvas, Fill, Font, Key, Legend, Point, Sheet, Stroke, Symbol, Ticks, escape, over,
};
use crate::report::run::Run;
use std::fmt::Write as _;

/// Opacity of a cell with a picture in it. Chosen here: people stand out, and the colors can still be read.
const TINT: f64 = 0.7;
/// From the left edge of a panel to the title of its vertical axis, px.
const TITLE: f64 = 52.0;
/// Room for a tick label along an axis and up it, px. Chosen here: numbers of five digits with air around them.
const PER_TICK: (f64, f64) = (44.0, 24.0);
const BEST: Stroke = Stroke::new(INK, 2.4);
const EMPTY: Stroke = Stroke::new(SOFT, 1.2);
const RULE: Stroke = Stroke::new(GRID, 1.0);
const DEFAULTS: Symbol = Symbol::ring(DEFAULT, 4.0);

/// The heat map, then the constants; none without an atlas.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let Some(atlas) = &run.summary.atlas else { return Vec::new() };
    let map = Plot { name: "atlas".into(), caption: caption(atlas, run.crowds), svg: picture(atlas, run.crowds) };
    std::iter::once(map).chain(constants::plots(atlas, &run.summary.genes)).collect()
}

/// Places of the heat map of a run.
pub fn layout(atlas: &AtlasSummary, crowds: Option<&ReplayFile>) -> Layout {
    let aspect = crowds.map_or(1.0, |file| {
        let (w, h) = size(file);
        w / h
    });
    Layout::of(atlas, aspect)
}

fn caption(atlas: &AtlasSummary, crowds: Option<&ReplayFile>) -> String {
    let mut text = String::from(if atlas.fresh {
        "Each filled cell holds the best candidate whose behavior lies there, as measured on fresh seeds"
    } else {
        "Each filled cell holds the best candidate whose behavior lies there, as the search saw it"
    });
    if crowds.is_some() {
        text += "; the picture is the last recorded moment of one of its runs";
    }
    text += ". Cells with a slash were not reached. What lies beyond an end of an axis counts as the cell at that end.";
    text
}

fn picture(atlas: &AtlasSummary, crowds: Option<&ReplayFile>) -> String {
    let layout = layout(atlas, crowds);
    let losses = || atlas.cells.iter().filter_map(|c| c.loss.value);
    let (low, high) = losses().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    let share = |cell: &AtlasCell| match cell.loss.value {
        Some(loss) if high > low => (loss - low) / (high - low),
        _ => 0.0,
    };
    let tint = if crowds.is_some() { TINT } else { 1.0 };
    let legend = legend(atlas, (low, high), tint);
    let sheet = Sheet::new(title(atlas)).below(below(atlas)).width(layout.width).legend(legend);
    let base = sheet.draw(layout.height - sheet.head(), |c, _| {
        for slice in 0..layout.counts[2] {
            panel(c, atlas, &layout, slice);
        }
        for cell in &atlas.cells {
            let (x, y, w, h) = layout.cell(&cell.at);
            let fill = Fill { color: ramp(share(cell)), alpha: tint };
            c.rect((x + 0.5, y + 0.5), (x + w - 0.5, y + h - 0.5), fill);
        }
        if let Some(best) = atlas.best().filter(|_| atlas.graded) {
            let (x, y, w, h) = layout.cell(&best.at);
            c.frame((x, y), (x + w, y + h), BEST);
        }
        if let Some(at) = &atlas.defaults {
            c.mark(spot(atlas, &layout, at), DEFAULTS);
        }
    });
    over(&base, &thumbnails(atlas, &layout, crowds))
}

/// A crowd in each cell, as groups of their own, so that the page can show them again, larger.
fn thumbnails(atlas: &AtlasSummary, layout: &Layout, crowds: Option<&ReplayFile>) -> String {
    let mut groups = String::from(thumb::STYLE);
    for cell in &atlas.cells {
        let (x, y, w, h) = layout.cell(&cell.at);
        let crowd = crowds.and_then(|file| Some((file, file.crowds.iter().find(|c| c.label == cell.name)?)));
        let (inner, (tw, th)) =
            crowd.map_or((String::new(), (1.0, 1.0)), |(file, crowd)| (thumb::draw(file, crowd), size(file)));
        let scale = (w / tw).min(h / th);
        let (left, top) = (x + (w - tw * scale) / 2.0, y + (h - th * scale) / 2.0);
        let _ = writeln!(
            groups,
            "<g transform=\"translate({left:.2} {top:.2}) scale({scale:.4})\"><title>{}</title><g id=\"{}\">{inner}</g></g>",
            escape(&words(atlas, cell)),
            id(cell)
        );
    }
    groups
}

/// What a cell is called inside the page.
pub fn id(cell: &AtlasCell) -> String {
    let at: Vec<String> = cell.at.iter().map(u32::to_string).collect();
    format!("atlas-{}", at.join("-"))
}

/// A cell in one line.
fn words(atlas: &AtlasSummary, cell: &AtlasCell) -> String {
    let measures =
        atlas.axes.iter().zip(&cell.measures).map(|(axis, m)| format!("{} {}", axis.name, format::option(m.value)));
    let mut parts: Vec<String> = measures.collect();
    if atlas.graded {
        parts.push(format!("loss {}", format::option(cell.loss.value)));
    }
    parts.join(", ")
}

fn title(atlas: &AtlasSummary) -> String {
    let names: Vec<&str> = atlas.axes.iter().map(|a| a.name.as_str()).collect();
    format!("Atlas of behaviors: {}", names.join(" \u{d7} "))
}

fn below(atlas: &AtlasSummary) -> String {
    let seeds =
        if atlas.fresh { "means on fresh seeds" } else { "means that the search saw; not yet checked on fresh seeds" };
    format!("{} of {} cells filled; {seeds}", atlas.filled, atlas.total)
}

/// Where measures lie in the picture; what is beyond an axis at its end.
fn spot(atlas: &AtlasSummary, layout: &Layout, measures: &[f64]) -> Point {
    let along = |axis: usize| {
        atlas
            .axes
            .get(axis)
            .zip(measures.get(axis))
            .map_or(0.5, |(a, m)| ((m - a.low) / (a.high - a.low)).clamp(0.0, 1.0))
    };
    let slice = (along(2) * f64::from(layout.counts[2])) as u32;
    let (x, y, w, h) = layout.panel(slice.min(layout.counts[2] - 1));
    (x + along(0) * w, y + (1.0 - along(1)) * h)
}

/// Frame, empty cells and axes of one slice.
fn panel(c: &mut Canvas<'_>, atlas: &AtlasSummary, layout: &Layout, slice: u32) {
    let (x, y, w, h) = layout.panel(slice);
    let [nx, ny, slices] = layout.counts;
    for i in 0..nx {
        for k in 0..ny {
            let at = if slices > 1 { vec![i, k, slice] } else { vec![i, k] };
            if atlas.cells.iter().any(|cell| cell.at.iter().zip(&at).all(|(a, b)| a == b)) {
                continue;
            }
            let (cx, cy, cw, ch) = layout.cell(&at);
            let inset = 0.3 * cw.min(ch);
            c.line(&[(cx + inset, cy + ch - inset), (cx + cw - inset, cy + inset)], Stroke { color: GRID, ..EMPTY });
        }
    }
    for i in 0..=nx {
        let at = x + f64::from(i) * layout.cell.0;
        c.line(&[(at, y), (at, y + h)], RULE);
    }
    for k in 0..=ny {
        let at = y + f64::from(k) * layout.cell.1;
        c.line(&[(x, at), (x + w, at)], RULE);
    }
    let name = |axis: &AxisSummary, room: f64| Font::LABEL.cut(&heading(axis), room);
    if let Some(axis) = atlas.axes.first() {
        for (border, text) in ticks(axis, w, PER_TICK.0) {
            c.text((x + border * layout.cell.0, y + h + 10.0), &text, Font::TICK, SOFT, Anchor::Middle);
        }
        c.text((x + w / 2.0, y + h + 28.0), &name(axis, w + 40.0), Font::LABEL, INK, Anchor::Middle);
    }
    if let Some(axis) = atlas.axes.get(1) {
        for (border, text) in ticks(axis, h, PER_TICK.1) {
            c.text((x - 7.0, y + h - border * layout.cell.1), &text, Font::TICK, SOFT, Anchor::End);
        }
        c.upwards((x - TITLE, y + h / 2.0), &name(axis, h + 40.0), Font::LABEL, INK);
    }
    if let Some(axis) = atlas.axes.get(2) {
        let [from, to] = [slice, slice + 1].map(|at| format::setting(axis.border(at)));
        let text = format!("{} {from} to {to}", heading(axis));
        c.text((x, y - 11.0), &Font::HEADING.cut(&text, w), Font::HEADING, INK, Anchor::Start);
    }
}

/// Name and unit of an axis.
fn heading(axis: &AxisSummary) -> String {
    format::name_with_unit(&axis.name, &axis.unit)
}

/// Borders between cells that get a label, as many as there is room for.
fn ticks(axis: &AxisSummary, length: f64, room: f64) -> Ticks {
    let most = (length / room).floor().max(1.0) as u32;
    let step = axis.cells.div_ceil(most).max(1);
    (0..=axis.cells).step_by(step as usize).map(|at| (f64::from(at), format::setting(axis.border(at)))).collect()
}

fn legend(atlas: &AtlasSummary, (low, high): (f64, f64), tint: f64) -> Legend {
    let graded = atlas.graded && low.is_finite();
    Legend::new()
        .with_if(graded, Key::Ramp(format::number(low), format::number(high), tint), "loss")
        .with_if(graded, Key::Frame(BEST), "best cell")
        .with(Key::Slash(EMPTY), "empty")
        .with_if(atlas.defaults.is_some(), Key::Mark(DEFAULTS), "defaults")
}

#[cfg(test)]
mod tests;
