//! The atlas of behaviors as a heat map: cells colored by loss, each with a thumbnail of its crowd.

mod layout;
mod thumb;

pub use layout::{Box4, Layout};
pub use thumb::{SIDE, size};

use super::Plot;
use super::canvas::{Canvas, Hold, escape, svg, text_width};
use super::style::{DEFAULT, GRID, INK, LABEL, SOFT, TICK, ramp};
use crate::evolve::summary::{AtlasCell, AtlasSummary, AxisSummary};
use crate::report::format;
use crate::report::replay_file::ReplayFile;
use crate::report::run::Run;
use std::fmt::Write as _;

/// Name of the plot.
pub const NAME: &str = "atlas";
/// How strongly a cell with a picture in it is colored. Chosen here: people stand out, and the scale is still read.
const TINT: f64 = 0.7;

/// One plot; none without an atlas.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let Some(atlas) = &run.summary.atlas else { return Vec::new() };
    vec![Plot { name: NAME.into(), caption: caption(atlas, run.crowds), svg: picture(atlas, run.crowds) }]
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
    text +=
        ". Cells with a stroke were not reached. What lies beyond an end of an axis counts as the cell at that end.";
    text
}

fn picture(atlas: &AtlasSummary, crowds: Option<&ReplayFile>) -> String {
    let layout = layout(atlas, crowds);
    let title = title(atlas);
    let losses = || atlas.cells.iter().filter_map(|c| c.loss.value);
    let (low, high) = losses().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    let share = |cell: &AtlasCell| match cell.loss.value {
        Some(loss) if high > low => (loss - low) / (high - low),
        _ => 0.0,
    };
    let tint = if crowds.is_some() { TINT } else { 1.0 };
    let base = svg(layout.width, layout.height, &title, |c| {
        c.title(&title, &below(atlas));
        legend(c, atlas, (low, high), tint);
        for slice in 0..layout.counts[2] {
            panel(c, atlas, &layout, slice);
        }
        for cell in &atlas.cells {
            let (x, y, w, h) = layout.cell(&cell.at);
            c.rect(x + 0.5, y + 0.5, x + w - 0.5, y + h - 0.5, ramp(share(cell)), tint);
        }
        if let Some(best) = atlas.best().filter(|_| atlas.graded) {
            let (x, y, w, h) = layout.cell(&best.at);
            c.line(&[(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)], INK, 2.4, 1.0);
        }
        if let Some(at) = &atlas.defaults {
            let (x, y) = spot(atlas, &layout, at);
            c.ring(x, y, 4.0, DEFAULT);
        }
    });
    // The thumbnails are groups of their own, so that the page can show them again, larger.
    let mut groups = String::from(thumb::STYLE);
    for cell in &atlas.cells {
        let (x, y, w, h) = layout.cell(&cell.at);
        let crowd = crowds.and_then(|file| Some((file, file.crowds.iter().find(|c| c.label == cell.name)?)));
        let (inner, (tw, th)) =
            crowd.map_or((String::new(), (1.0, 1.0)), |(file, crowd)| (thumb::draw(file, crowd), size(file)));
        // Units of the canvas: a quarter of a pixel.
        let scale = (w / tw).min(h / th) * super::canvas::UNITS;
        let (left, top) = (x + (w - tw * scale / 4.0) / 2.0, y + (h - th * scale / 4.0) / 2.0);
        let _ = writeln!(
            groups,
            "<g transform=\"translate({:.1} {:.1}) scale({scale:.3})\"><title>{}</title><g id=\"{}\">{inner}</g></g>",
            left * super::canvas::UNITS,
            top * super::canvas::UNITS,
            escape(&words(atlas, cell)),
            id(cell)
        );
    }
    base.replacen("</svg>", &format!("{groups}</svg>"), 1)
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
fn spot(atlas: &AtlasSummary, layout: &Layout, measures: &[f64]) -> (f64, f64) {
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
            c.line(&[(cx + inset, cy + ch - inset), (cx + cw - inset, cy + inset)], GRID, 1.2, 1.0);
        }
    }
    for i in 0..=nx {
        let at = x + f64::from(i) * layout.cell.0;
        c.line(&[(at, y), (at, y + h)], GRID, 1.0, 1.0);
    }
    for k in 0..=ny {
        let at = y + f64::from(k) * layout.cell.1;
        c.line(&[(x, at), (x + w, at)], GRID, 1.0, 1.0);
    }
    if let Some(axis) = atlas.axes.first() {
        for (border, text) in ticks(axis, w, 44.0) {
            c.text(x + f64::from(border) * layout.cell.0, y + h + 10.0, &text, TICK, SOFT, Hold::Middle);
        }
        let name = heading(axis);
        c.text(x + w / 2.0, y + h + 28.0, &super::canvas::cut(&name, LABEL, w + 40.0), LABEL, INK, Hold::Middle);
    }
    if let Some(axis) = atlas.axes.get(1) {
        for (border, text) in ticks(axis, h, 24.0) {
            c.text(x - 7.0, y + h - f64::from(border) * layout.cell.1, &text, TICK, SOFT, Hold::End);
        }
        let name = heading(axis);
        c.upwards(x - 52.0, y + h / 2.0, &super::canvas::cut(&name, LABEL, h + 40.0), LABEL, INK);
    }
    if let Some(axis) = atlas.axes.get(2) {
        let [from, to] = [slice, slice + 1].map(|at| format::plain(axis.border(at)));
        let text = format!("{} {from} to {to}", heading(axis));
        c.bold(x, y - 11.0, &super::canvas::cut(&text, LABEL * 1.06, w), LABEL, INK, Hold::Start);
    }
}

/// Name and unit of an axis.
fn heading(axis: &AxisSummary) -> String {
    format::name_with_unit(&axis.name, &axis.unit)
}

/// Borders between cells that get a label, as many as there is room for.
fn ticks(axis: &AxisSummary, length: f64, room: f64) -> Vec<(u32, String)> {
    let most = (length / room).floor().max(1.0) as u32;
    let step = axis.cells.div_ceil(most).max(1);
    (0..=axis.cells).step_by(step as usize).map(|at| (at, format::plain(axis.border(at)))).collect()
}

fn legend(c: &mut Canvas<'_>, atlas: &AtlasSummary, (low, high): (f64, f64), tint: f64) {
    let y = 62.0;
    let mut x = 16.0;
    if atlas.graded && low.is_finite() {
        c.text(x, y, "loss", LABEL, INK, Hold::Start);
        x += 34.0;
        let (from, to) = (format::number(low), format::number(high));
        c.text(x, y, &from, TICK, SOFT, Hold::Start);
        x += text_width(&from, TICK) + 6.0;
        for k in 0..40 {
            let left = x + 2.0 * f64::from(k);
            c.rect(left, y - 5.0, left + 2.0, y + 5.0, ramp(f64::from(k) / 39.0), tint);
        }
        x += 86.0;
        c.text(x, y, &to, TICK, SOFT, Hold::Start);
        x += text_width(&to, TICK) + 28.0;
        c.line(&[(x, y - 5.0), (x + 12.0, y - 5.0), (x + 12.0, y + 5.0), (x, y + 5.0), (x, y - 5.0)], INK, 2.4, 1.0);
        c.text(x + 20.0, y, "best cell", LABEL, INK, Hold::Start);
        x += 96.0;
    }
    c.line(&[(x + 3.0, y + 4.0), (x + 11.0, y - 4.0)], SOFT, 1.2, 1.0);
    c.text(x + 18.0, y, "empty", LABEL, INK, Hold::Start);
    x += 76.0;
    if atlas.defaults.is_some() {
        c.ring(x + 6.0, y, 4.0, DEFAULT);
        c.text(x + 18.0, y, "published defaults", LABEL, INK, Hold::Start);
    }
}

#[cfg(test)]
mod tests;
