//! The numbers behind metrics in the recorded runs: over time, as maps, or density against speed.

use super::Plot;
use super::axis::{Axis, Panel, Scale};
use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::file_stem;
use super::style::{DEFAULT, INK, LABEL, SOFT, TICK, TUNED, WANTED, ramp, series};
use crate::report::format;
use crate::report::run::Run;
use crate::report::run_table::RunTable;
use plotters::style::RGBColor;

/// Most points of a curve or scatter; of more, evenly chosen ones. Chosen here: finer than a screen shows.
const MOST_POINTS: usize = 1500;
/// Most values of one table that are drawn, in the order of its columns. Chosen here: what a page can hold.
const MOST_VALUES: usize = 4;
/// Steps of the color scale of a map. Chosen here: neighbors of one color are drawn as one, and 32 look smooth.
const STEPS: f64 = 32.0;

/// How a table is drawn, with the places of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    /// Values over time; with an end, each value holds from its time to that.
    Lines { time: usize, until: Option<usize>, values: Vec<usize> },
    /// Values over the place: x and y are the first two columns.
    Map { values: Vec<usize> },
    /// Density against speed, with the ends of a reference band.
    Scatter { density: usize, speed: usize, band: Option<(usize, usize)> },
}

impl Shape {
    /// From the names of the columns: `time_s` or `from_s, to_s` first gives lines, `x_m, y_m` first maps, a density
    /// beside a speed a scatter (columns with `low` and `high` in their names are a band); nothing else is drawn.
    fn of(columns: &[String]) -> Option<Self> {
        let name = |at: usize| columns.get(at).map_or("", String::as_str);
        let rest = |from: usize| (from..columns.len()).take(MOST_VALUES).collect::<Vec<_>>();
        let shape = match (name(0), name(1)) {
            ("time_s", _) => Self::Lines { time: 0, until: None, values: rest(1) },
            ("from_s", "to_s") => Self::Lines { time: 0, until: Some(1), values: rest(2) },
            ("x_m", "y_m") => Self::Map { values: rest(2) },
            _ => {
                let has = |c: &String, word: &str| c.split('_').any(|w| w == word);
                let end = |word: &str| columns.iter().position(|c| has(c, word));
                let first =
                    |word: &str| columns.iter().position(|c| c.starts_with(word) && !has(c, "low") && !has(c, "high"));
                Self::Scatter { density: first("density")?, speed: first("speed")?, band: end("low").zip(end("high")) }
            }
        };
        match &shape {
            Self::Lines { values, .. } | Self::Map { values } if values.is_empty() => None,
            _ => Some(shape),
        }
    }
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
        let Some(shape) = Shape::of(&first.columns).filter(|_| !tables.is_empty()) else { continue };
        let about = &first.about;
        let (what, svg) = match &shape {
            Shape::Lines { time, until, values } => ("Over time", lines(&tables, *time, *until, values)),
            Shape::Map { values } => ("Where in the place", maps(&tables, values)),
            Shape::Scatter { density, speed, band } => {
                ("Density and speed, the wanted band green", scatter(&tables, *density, *speed, *band))
            }
        };
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

fn scatter(tables: &[&RunTable], density: usize, speed: usize, band: Option<(usize, usize)>) -> String {
    let name = format!("Speed over density: {}", tables[0].about.column);
    svg(760.0, 400.0, &name, |c| {
        head(c, tables, true);
        let ends = band.iter().flat_map(|b| all(tables, b.0).chain(all(tables, b.1)));
        let x = Axis::around(all(tables, density).chain([0.0]), Scale::Linear);
        let y = Axis::around(all(tables, speed).chain(ends).chain([0.0]), Scale::Linear);
        let p = Panel { left: 72.0, top: 78.0, right: 736.0, bottom: 348.0, x, y };
        p.frame(c, &title(tables[0], density), &title(tables[0], speed));
        if let Some((low, high)) = band {
            let mut rows: Vec<&Vec<f64>> = tables.iter().flat_map(|t| &t.rows).collect();
            rows.retain(|r| [density, low, high].iter().all(|&at| r[at].is_finite()));
            rows.sort_by(|a, b| a[density].total_cmp(&b[density]));
            rows.dedup_by(|a, b| a[density] == b[density]);
            let mut outline: Vec<_> = rows.iter().map(|r| p.place(r[density], r[high])).collect();
            outline.extend(rows.iter().rev().map(|r| p.place(r[density], r[low])));
            if rows.len() > 1 {
                c.polygon(&outline, WANTED, 0.2);
            }
        }
        for (at, table) in tables.iter().enumerate() {
            for row in thinned(table).filter(|r| r[density].is_finite() && r[speed].is_finite()) {
                let (px, py) = p.place(row[density], row[speed]);
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

    fn shape(columns: &[&str]) -> Option<Shape> {
        Shape::of(&columns.iter().map(|c| (*c).to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn the_names_of_the_columns_say_how_a_table_is_drawn() {
        let lines = |until, values| Some(Shape::Lines { time: 0, until, values });
        assert_eq!(shape(&["time_s", "people"]), lines(None, vec![1]));
        assert_eq!(shape(&["from_s", "to_s", "people", "flow_per_s"]), lines(Some(1), vec![2, 3]));
        assert_eq!(shape(&["x_m", "y_m", "density_per_m2"]), Some(Shape::Map { values: vec![2] }));
        let band = ["density_per_m2", "speed_m_per_s", "low_m_per_s", "high_m_per_s"];
        assert_eq!(shape(&band), Some(Shape::Scatter { density: 0, speed: 1, band: Some((2, 3)) }));
        let passing = ["person", "entered_s", "left_s", "speed_m_per_s", "density_per_m2"];
        assert_eq!(shape(&passing), Some(Shape::Scatter { density: 4, speed: 3, band: None }));
        for none in [&["time_s"][..], &["x_m", "y_m"], &["person", "speed_m_per_s"], &[]] {
            assert_eq!(shape(none), None);
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
