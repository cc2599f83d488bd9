//! The numbers behind metrics in the recorded runs: over time, as maps, or density against speed.

use super::Plot;
use super::axis::{Axis, Panel, Scale};
use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::file_stem;
use super::style::{DEFAULT, INK, LABEL, SOFT, TICK, TUNED, WANTED, ramp, series};
use crate::report::format;
use crate::report::run::Run;
use crate::report::run_table::RunTable;
use crowdtune_sim::metrics::Plot as Shape;
use plotters::style::RGBColor;

/// Most points of a curve or scatter; of more, evenly chosen ones. Chosen here: finer than a screen shows.
const MOST_POINTS: usize = 1500;
/// Most values of one table that are drawn, in the order of its columns. Chosen here: what a page can hold.
const MOST_VALUES: usize = 4;
/// Steps of the color scale of a map. Chosen here: neighbors of one color are drawn as one, and 32 look smooth.
const STEPS: f64 = 32.0;

/// The columns from this one on that are drawn, each by itself.
fn values(table: &RunTable, from: usize) -> Vec<usize> {
    (from..table.columns.len()).take(MOST_VALUES).collect()
}

/// What the tables of one column show, in words, and their plot; `None` where there is nothing to draw.
fn draw(shape: Shape, tables: &[&RunTable]) -> Option<(String, String)> {
    let own = |from: usize| Some(values(tables[0], from)).filter(|v| !v.is_empty());
    Some(match shape {
        Shape::Curves => ("Over time".into(), lines(tables, 0, None, &own(1)?)),
        Shape::Steps => ("Over time".into(), lines(tables, 0, Some(1), &own(2)?)),
        Shape::Maps => ("Where in the place".into(), maps(tables, &own(2)?)),
        Shape::Dots { x, y, band } => {
            let (low, high) = band.unwrap_or((x, y));
            if [x, y, low, high].into_iter().any(|at| at >= tables[0].columns.len()) {
                return None;
            }
            let wanted = if band.is_some() { ", the wanted band green" } else { "" };
            let what = format!("{} over {}{wanted}", title(tables[0], y), title(tables[0], x));
            (what, dots(tables, x, y, band))
        }
    })
}

/// One plot for each column with a table, of its first case.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let mut plots: Vec<Plot> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for first in run.tables {
        if seen.contains(&first.about.column.as_str()) {
            continue;
        }
        seen.push(&first.about.column);
        let of = |t: &&RunTable| {
            (&t.about.column, &t.about.case) == (&first.about.column, &first.about.case) && t.columns == first.columns
        };
        let tables: Vec<&RunTable> = run.tables.iter().filter(of).filter(|t| !t.rows.is_empty()).collect();
        let drawn = first.plot.filter(|_| !tables.is_empty()).and_then(|shape| draw(shape, &tables));
        let Some((what, svg)) = drawn else { continue };
        let about = &first.about;
        plots.push(Plot {
            name: format!("table_{}", file_stem(&about.column)),
            caption: format!(
                "{what}: {} in one recorded run of {}, the same seed for all. The numbers: {}.",
                about.metric,
                about.case,
                tables.iter().map(|t| t.file()).collect::<Vec<_>>().join(", ")
            ),
            svg,
        });
    }
    plots
}

fn color(tables: &[&RunTable], at: usize) -> RGBColor {
    match tables[at].about.label.as_str() {
        "defaults" => DEFAULT,
        "tuned" => TUNED,
        _ => series(at),
    }
}

/// What a column of a table holds, with its unit; the one value of a metric goes by the name of the metric.
fn title(table: &RunTable, column: usize) -> String {
    let name = &table.columns[column];
    format::words(if name == "value" { &table.about.metric } else { name })
}

fn head(c: &mut Canvas<'_>, tables: &[&RunTable], keys: bool) {
    let about = &tables[0].about;
    c.title(&about.column, &format!("{}, {}", about.metric, about.case));
    let mut x = 72.0;
    for (at, table) in tables.iter().enumerate().filter(|_| keys) {
        let text = cut(&table.about.label, LABEL, 180.0);
        c.line(&[(x, 60.0), (x + 20.0, 60.0)], color(tables, at), 2.2, 1.0);
        c.text(x + 26.0, 60.0, &text, LABEL, INK, Hold::Start);
        x += 50.0 + text_width(&text, LABEL);
    }
}

fn all<'t>(tables: &'t [&RunTable], at: usize) -> impl Iterator<Item = f64> + 't {
    tables.iter().flat_map(move |t| t.rows.iter().map(move |r| r[at]))
}

fn thinned(table: &RunTable) -> impl Iterator<Item = &Vec<f64>> {
    table.rows.iter().step_by(table.rows.len().div_ceil(MOST_POINTS).max(1))
}

fn lines(tables: &[&RunTable], time: usize, until: Option<usize>, values: &[usize]) -> String {
    let each = if values.len() > 1 { 150.0 } else { 236.0 };
    let height = 78.0 + values.len() as f64 * (each + 48.0) + 4.0;
    let name = format!("{} over time", tables[0].about.column);
    svg(760.0, height, &name, |c| {
        head(c, tables, true);
        let x = Axis::around(all(tables, time).chain(until.iter().flat_map(|&u| all(tables, u))), Scale::Linear);
        for (k, &value) in values.iter().enumerate() {
            let y = Axis::around(all(tables, value), Scale::Linear);
            // Counts stand still between two samples.
            let counts = all(tables, value).all(|v| !v.is_finite() || v.fract() == 0.0);
            let top = 78.0 + k as f64 * (each + 48.0);
            let p = Panel { left: 72.0, top, right: 736.0, bottom: top + each, x, y };
            p.frame(c, if k + 1 == values.len() { "time (s)" } else { "" }, &title(tables[0], value));
            for (at, table) in tables.iter().enumerate() {
                let mut piece: Vec<(f64, f64)> = Vec::new();
                for row in thinned(table) {
                    let (t, v) = (row[time], row[value]);
                    if !t.is_finite() || !v.is_finite() {
                        c.line(&std::mem::take(&mut piece), color(tables, at), 2.0, 1.0);
                        continue;
                    }
                    let here = p.place(t, v);
                    if let (true, Some(&(_, before))) = (counts || until.is_some(), piece.last()) {
                        piece.push((here.0, before));
                    }
                    piece.push(here);
                    piece.extend(until.map(|u| p.place(row[u], v)));
                }
                c.line(&piece, color(tables, at), 2.0, 1.0);
            }
        }
    })
}

fn dots(tables: &[&RunTable], right: usize, up: usize, band: Option<(usize, usize)>) -> String {
    let name = format!("{} over {}: {}", title(tables[0], up), title(tables[0], right), tables[0].about.column);
    svg(760.0, 400.0, &name, |c| {
        head(c, tables, true);
        let ends = band.iter().flat_map(|b| all(tables, b.0).chain(all(tables, b.1)));
        let x = Axis::around(all(tables, right).chain([0.0]), Scale::Linear);
        let y = Axis::around(all(tables, up).chain(ends).chain([0.0]), Scale::Linear);
        let p = Panel { left: 72.0, top: 78.0, right: 736.0, bottom: 348.0, x, y };
        p.frame(c, &title(tables[0], right), &title(tables[0], up));
        if let Some((low, high)) = band {
            let mut rows: Vec<&Vec<f64>> = tables.iter().flat_map(|t| &t.rows).collect();
            rows.retain(|r| [right, low, high].iter().all(|&at| r[at].is_finite()));
            rows.sort_by(|a, b| a[right].total_cmp(&b[right]));
            rows.dedup_by(|a, b| a[right] == b[right]);
            let mut outline: Vec<_> = rows.iter().map(|r| p.place(r[right], r[high])).collect();
            outline.extend(rows.iter().rev().map(|r| p.place(r[right], r[low])));
            if rows.len() > 1 {
                c.polygon(&outline, WANTED, 0.2);
            }
        }
        for (at, table) in tables.iter().enumerate() {
            for row in thinned(table).filter(|r| r[right].is_finite() && r[up].is_finite()) {
                let (px, py) = p.place(row[right], row[up]);
                c.dot(px, py, 2.2, color(tables, at), 0.45);
            }
        }
    })
}

/// Width of the cells of a map along one column: the smallest difference of two values, 1 m where there is one value.
fn cell(tables: &[&RunTable], at: usize) -> f64 {
    let mut seen: Vec<f64> = all(tables, at).filter(|v| v.is_finite()).collect();
    seen.sort_by(f64::total_cmp);
    let smallest = seen.windows(2).map(|w| w[1] - w[0]).filter(|d| *d > 1e-9).fold(f64::INFINITY, f64::min);
    if smallest.is_finite() { smallest } else { 1.0 }
}

fn maps(tables: &[&RunTable], values: &[usize]) -> String {
    let ends = |at: usize, half: f64| {
        let seen = || all(tables, at).filter(|v| v.is_finite());
        (seen().fold(f64::INFINITY, f64::min) - half, seen().fold(f64::NEG_INFINITY, f64::max) + half)
    };
    let (dx, dy) = (cell(tables, 0), cell(tables, 1));
    let (x, y) = (ends(0, dx / 2.0), ends(1, dy / 2.0));
    let (w, h) = ((x.1 - x.0).max(1e-6), (y.1 - y.0).max(1e-6));
    let columns = if w > 2.2 * h { 1 } else { tables.len().min(2) };
    let rows = tables.len().div_ceil(columns);
    let room = (728.0 - 20.0 * (columns - 1) as f64) / columns as f64;
    let scale = if w.is_finite() && h.is_finite() { (room / w).min(320.0 / h) } else { 1.0 };
    let (block, bar) = (26.0 + h * scale, 40.0);
    let each = rows as f64 * (block + 8.0) + bar;
    let name = format!("{} over the place", tables[0].about.column);
    svg(760.0, 56.0 + values.len() as f64 * each + 10.0, &name, |c| {
        head(c, tables, false);
        for (k, &value) in values.iter().enumerate() {
            let top = 56.0 + k as f64 * each;
            let most = all(tables, value).filter(|v| v.is_finite()).fold(0.0, f64::max);
            let least = all(tables, value).filter(|v| v.is_finite()).fold(0.0, f64::min);
            let level = |v: f64| (((v - least) / (most - least).max(1e-12)) * STEPS).round() as i64;
            for (i, table) in tables.iter().enumerate() {
                let left = 16.0 + (i % columns) as f64 * (room + 20.0);
                let upper = top + (i / columns) as f64 * (block + 8.0);
                let text = format!("{}: {}", table.about.label, title(table, value));
                c.bold(left, upper + 12.0, &cut(&text, LABEL * 1.06, room), LABEL, INK, Hold::Start);
                let at = |px: f64, py: f64| (left + (px - x.0) * scale, upper + 26.0 + (y.1 - py) * scale);
                let mut cells: Vec<&Vec<f64>> = table.rows.iter().filter(|r| r[0].is_finite()).collect();
                cells.retain(|r| r[1].is_finite() && r[value].is_finite());
                cells.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
                let same = |a: &&Vec<f64>, b: &&Vec<f64>| {
                    a[1] == b[1] && b[0] - a[0] < 1.5 * dx && level(a[value]) == level(b[value])
                };
                for run in cells.chunk_by(same) {
                    let (first, last) = (run[0], run[run.len() - 1]);
                    let (x0, y0) = at(first[0] - dx / 2.0, first[1] - dy / 2.0);
                    let (x1, y1) = at(last[0] + dx / 2.0, first[1] + dy / 2.0);
                    // A little over the neighbors to the right and below: between edges that only touch, paper shines through.
                    c.rect(x0, y0 + 0.5, x1 + 0.5, y1, ramp(level(first[value]) as f64 / STEPS), 1.0);
                }
                let ((x0, y0), (x1, y1)) = (at(x.0, y.0), at(x.1, y.1));
                c.line(&[(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)], SOFT, 1.0, 1.0);
            }
            let y = top + each - bar + 8.0;
            for s in 0..32 {
                let x = 60.0 + 5.0 * f64::from(s);
                c.rect(x, y, x + 5.5, y + 9.0, ramp((f64::from(s) + 0.5) / STEPS), 1.0);
            }
            c.text(54.0, y + 4.5, &format::plain(least), TICK, SOFT, Hold::End);
            let unit = title(tables[0], value);
            c.text(226.0, y + 4.5, &format!("{}  {unit}", format::number(most)), TICK, SOFT, Hold::Start);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn a_table_is_drawn_as_it_says() {
        let (summary, trials) = (fixture::summary(), fixture::trials());
        let drawn = |shape: Option<Shape>, columns: usize| {
            let mut tables = fixture::tables();
            tables.retain(|t| t.about.column == "diagram");
            for table in &mut tables {
                table.plot = shape;
                table.columns.truncate(columns);
                table.rows.iter_mut().for_each(|row| row.truncate(columns));
            }
            let plots = plots(&fixture::run(&summary, &trials, &[]).with_tables(&tables));
            plots.first().map(|plot| plot.caption.split(':').next().unwrap_or_default().to_string())
        };
        let dots = |x, y, band| Some(Shape::Dots { x, y, band });
        for (shape, columns, wanted) in [
            (Some(Shape::Curves), 2, Some("Over time")),
            (Some(Shape::Steps), 3, Some("Over time")),
            (Some(Shape::Maps), 3, Some("Where in the place")),
            (dots(0, 1, None), 2, Some("speed (m/s) over density (1/m\u{b2})")),
            (dots(0, 1, Some((2, 3))), 4, Some("speed (m/s) over density (1/m\u{b2}), the wanted band green")),
            // Nothing to draw: no value beside time or place, a column that is not there, a table that does not say.
            (Some(Shape::Curves), 1, None),
            (Some(Shape::Steps), 2, None),
            (Some(Shape::Maps), 2, None),
            (dots(0, 4, None), 4, None),
            (dots(0, 1, Some((2, 4))), 4, None),
            (None, 4, None),
        ] {
            assert_eq!(drawn(shape, columns).as_deref(), wanted, "{shape:?} of {columns}");
        }
    }

    #[test]
    fn every_shape_is_drawn_with_gaps_and_without_rows() {
        let (summary, trials) = (fixture::summary(), fixture::trials());
        let mut tables = fixture::tables();
        for table in &mut tables {
            table.rows[3].fill(f64::NAN);
        }
        let draw = |tables: &[RunTable]| plots(&fixture::run(&summary, &trials, &[]).with_tables(tables));
        let drawn = draw(&tables);
        let names: Vec<_> = drawn.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["table_count", "table_diagram", "table_profile"]);
        for plot in &drawn {
            roxmltree::Document::parse(&plot.svg).unwrap_or_else(|e| panic!("{}: {e}", plot.name));
            assert!(!plot.svg.contains("NaN") && plot.caption.contains("tables/"), "{}", plot.name);
        }
        tables.iter_mut().for_each(|t| t.rows.truncate(1));
        draw(&tables).iter().for_each(|p| assert!(roxmltree::Document::parse(&p.svg).is_ok()));
        tables.iter_mut().for_each(|t| t.rows.clear());
        assert_eq!(draw(&tables), []);
    }
}
