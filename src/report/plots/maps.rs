//! Tables with values over the place, as maps side by side.

use super::table::{all, is_recorded, recorded, sheet, title};
use crate::format;
use crate::report::chart::style::{INK, SOFT, ramp};
use crate::report::chart::{Anchor, Canvas, Fill, Font, Key, Legend, Point, SIDE, Stroke, WIDTH};
use crate::report::run_table::RunTable;

/// Steps of the color scale of a map. Chosen here: neighbors of one color are drawn as one, and 32 look smooth.
const STEPS: f64 = 32.0;
/// A map this much longer than it is deep gets a row of its own.
const LONG: f64 = 2.2;
/// A map is at most this high, px.
const HIGHEST: f64 = 320.0;
/// Room for the name above a map, between maps side by side, and for the color scale below, px.
const NAME: f64 = 26.0;
const BESIDE: f64 = 20.0;
const BAR: f64 = 32.0;

/// Width of the cells of a map along one column: the smallest difference of two values, 1 m where there is one value.
fn cell(tables: &[&RunTable], at: usize) -> f64 {
    let mut seen: Vec<f64> = all(tables, at).filter(|v| v.is_finite()).collect();
    seen.sort_by(f64::total_cmp);
    let smallest = seen.windows(2).map(|w| w[1] - w[0]).filter(|d| *d > 1e-9).fold(f64::INFINITY, f64::min);
    if smallest.is_finite() { smallest } else { 1.0 }
}

/// Where the maps of all tables lie.
struct Maps {
    /// Ends of x and y, m.
    x: (f64, f64),
    y: (f64, f64),
    /// Size of a cell, m.
    cell: (f64, f64),
    /// Pixels per meter.
    scale: f64,
    /// Maps side by side, and the width of one, px.
    columns: usize,
    width: f64,
}

impl Maps {
    fn of(tables: &[&RunTable]) -> Self {
        let ends = |at: usize, half: f64| {
            let seen = || all(tables, at).filter(|v| v.is_finite());
            (seen().fold(f64::INFINITY, f64::min) - half, seen().fold(f64::NEG_INFINITY, f64::max) + half)
        };
        let cell = (cell(tables, 0), cell(tables, 1));
        let (x, y) = (ends(0, cell.0 / 2.0), ends(1, cell.1 / 2.0));
        let (w, h) = ((x.1 - x.0).max(1e-6), (y.1 - y.0).max(1e-6));
        let columns = if w > LONG * h { 1 } else { tables.len().min(2) };
        let width = (WIDTH - 2.0 * SIDE - BESIDE * (columns - 1) as f64) / columns as f64;
        let scale = if w.is_finite() && h.is_finite() { (width / w).min(HIGHEST / h) } else { 1.0 };
        Self { x, y, cell, scale, columns, width }
    }

    fn height(&self) -> f64 {
        let h = (self.y.1 - self.y.0) * self.scale;
        if h.is_finite() { h } else { 0.0 }
    }
}

pub(super) fn maps(tables: &[&RunTable], values: &[usize]) -> String {
    let maps = Maps::of(tables);
    let block = NAME + maps.height() + 8.0;
    // The recording is the same beside every run.
    let shown = |value: usize| if is_recorded(tables[0], value) { &tables[..1] } else { tables };
    let each = |value: usize| shown(value).len().div_ceil(maps.columns) as f64 * block + BAR;
    let height: f64 = values.iter().map(|&value| each(value)).sum();
    sheet(tables, false).draw(height, |c, top| {
        let mut below = top;
        for &value in values {
            let (top, each) = (below, each(value));
            below += each;
            // One scale for the run and the recording.
            let alike = values.iter().filter(|&&other| {
                other == value || recorded(tables[0], value) == Some(other) || recorded(tables[0], other) == Some(value)
            });
            let seen = || alike.clone().flat_map(|&other| all(tables, other)).filter(|v| v.is_finite());
            let (least, most) = (seen().fold(0.0, f64::min), seen().fold(0.0, f64::max));
            for (i, table) in shown(value).iter().enumerate() {
                let left = SIDE + (i % maps.columns) as f64 * (maps.width + BESIDE);
                let upper = top + (i / maps.columns) as f64 * block;
                let text = match is_recorded(table, value) {
                    true => title(table, value),
                    false => format!("{}: {}", table.about.label, title(table, value)),
                };
                let text = Font::HEADING.cut(&text, maps.width);
                c.text((left, upper + 12.0), &text, Font::HEADING, INK, Anchor::Start);
                map(c, table, value, &maps, (left, upper + NAME), (least, most));
            }
            let key = Key::Ramp(format::number(least), format::number(most), 1.0);
            let legend = Legend::new().with(key, title(tables[0], value));
            legend.draw(c, (SIDE, top + each - BAR), WIDTH - 2.0 * SIDE);
        }
    })
}

/// One map: cells of one color in a row are drawn as one.
fn map(c: &mut Canvas<'_>, table: &RunTable, value: usize, maps: &Maps, (left, top): Point, (least, most): (f64, f64)) {
    let (dx, dy) = maps.cell;
    let level = |v: f64| (((v - least) / (most - least).max(1e-12)) * STEPS).round() as i64;
    let at = |x: f64, y: f64| (left + (x - maps.x.0) * maps.scale, top + (maps.y.1 - y) * maps.scale);
    let mut cells: Vec<&Vec<f64>> = table.rows.iter().collect();
    cells.retain(|r| r[0].is_finite() && r[1].is_finite() && r[value].is_finite());
    cells.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
    let same =
        |a: &&Vec<f64>, b: &&Vec<f64>| a[1] == b[1] && b[0] - a[0] < 1.5 * dx && level(a[value]) == level(b[value]);
    for run in cells.chunk_by(same) {
        let (first, last) = (run[0], run[run.len() - 1]);
        let (x0, y0) = at(first[0] - dx / 2.0, first[1] - dy / 2.0);
        let (x1, y1) = at(last[0] + dx / 2.0, first[1] + dy / 2.0);
        // A little over the neighbors to the right and below: between edges that only touch, paper shines through.
        c.rect((x0, y0 + 0.5), (x1 + 0.5, y1), Fill::new(ramp(level(first[value]) as f64 / STEPS)));
    }
    c.frame(at(maps.x.0, maps.y.0), at(maps.x.1, maps.y.1), Stroke::new(SOFT, 1.0));
}
