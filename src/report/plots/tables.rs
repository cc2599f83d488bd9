//! The tables behind metrics in the recorded runs: over time, as maps, or speed over density.

use super::diagram::{self, Columns};
use super::maps::maps;
use super::plot::Plot;
use super::table::{OF_RECORDING, all, color, is_recorded, recorded, sheet, stroke, title};
use crate::evolve::summary::ShownSeed;
use crate::format::file_stem;
use crate::report::chart::{Axis, Graph, Panel, Scale, Symbol, WIDTH, steps};
use crate::report::run::Run;
use crate::report::run_table::RunTable;
use crowdtune_sim::metrics::Plot as Shape;

/// Most points of a curve or scatter; of more, evenly chosen ones. Chosen here: finer than a screen shows.
const MOST_POINTS: usize = 1500;
/// Most values of one table that are drawn, in the order of its columns. Chosen here: what fits a page.
const MOST_VALUES: usize = 4;
/// Height of a panel of lines, px.
const PANEL: f64 = 236.0;

/// The columns from this one on that are drawn, each by itself.
fn values(table: &RunTable, from: usize) -> Vec<usize> {
    (from..table.columns.len()).take(MOST_VALUES).collect()
}

/// What the tables of one column show, in words, and their plot; `None` where there is nothing to draw. `held_out` says of each
/// whether the search never saw its case.
fn draw(shape: Shape, tables: &[&RunTable], held_out: &[bool]) -> Option<(String, String)> {
    let own = |from: usize| Some(values(tables[0], from)).filter(|v| !v.is_empty());
    Some(match shape {
        Shape::Curves => {
            // Beside the run, in the same panel.
            let mut values = own(1)?;
            values.retain(|&value| !is_recorded(tables[0], value));
            ("Over time".into(), lines(tables, 0, None, &values))
        }
        Shape::Steps => ("Over time".into(), lines(tables, 0, Some(1), &own(2)?)),
        Shape::Maps => ("Over the place".into(), maps(tables, &own(2)?)),
        Shape::Dots { x, y, band } => {
            let (low, high) = band.unwrap_or((x, y));
            if [x, y, low, high].into_iter().any(|at| at >= tables[0].columns.len()) {
                return None;
            }
            let what = format!("{} over {}", title(tables[0], y), title(tables[0], x));
            let Some(band) = band else { return Some((what, dots(tables, x, y))) };
            let rings = if held_out.contains(&true) { ", rings those that the search never saw" } else { "" };
            let what = format!(
                "{what}, with the wanted band in green; small dots are samples, large ones the mean of each case{rings}"
            );
            let tables: Vec<_> = tables.iter().copied().zip(held_out.iter().copied()).collect();
            (what, diagram::draw(&tables, Columns { x, y, band }))
        }
    })
}

/// The picture of one table; `None` where there is nothing to draw.
pub fn of_table(table: &RunTable) -> Option<String> {
    let shape = table.plot.filter(|_| !table.rows.is_empty())?;
    draw(shape, &[table], &[false]).map(|(_, svg)| svg)
}

/// One plot for each column with a table: of its first case, or where a band is wanted of all.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let mut plots: Vec<Plot> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for first in run.tables {
        if seen.contains(&first.about.column.as_str()) {
            continue;
        }
        seen.push(&first.about.column);
        let about = &first.about;
        let whole = matches!(first.plot, Some(Shape::Dots { band: Some(_), .. }));
        let of = |t: &&RunTable| {
            t.about.column == about.column && (whole || t.about.case == about.case) && t.columns == first.columns
        };
        let tables: Vec<&RunTable> = run.tables.iter().filter(of).filter(|t| !t.rows.is_empty()).collect();
        let unseen = |t: &&RunTable| run.summary.cases.iter().any(|c| c.held_out && c.case == t.about.case);
        let held_out: Vec<bool> = tables.iter().map(unseen).collect();
        let drawn = first.plot.filter(|_| !tables.is_empty()).and_then(|shape| draw(shape, &tables, &held_out));
        let Some((what, svg)) = drawn else { continue };
        let shown = run.summary.shown.map_or_else(|| "one seed".to_string(), ShownSeed::words);
        let (of, files) = match &tables[..] {
            _ if whole => ("of every case".to_string(), format!("tables/{}-*.csv", file_stem(&about.column))),
            [one] => (format!("of {}", about.case), one.file()),
            several => {
                let files: Vec<String> = several.iter().map(|t| t.file()).collect();
                (format!("of {}", about.case), files.join(", "))
            }
        };
        plots.push(Plot {
            name: format!("table_{}", file_stem(&about.column)),
            caption: format!("{what}: {} in one run {of} on {shown}. The numbers are in {files}.", about.metric),
            svg,
        });
    }
    plots
}

/// The table with the most rows: of runs that end early only this one has all of the recording.
fn longest<'t>(tables: &[&'t RunTable]) -> &'t RunTable {
    tables.iter().copied().max_by_key(|table| table.rows.len()).expect("a plot has tables")
}

fn thinned(table: &RunTable) -> impl Iterator<Item = &Vec<f64>> {
    table.rows.iter().step_by(table.rows.len().div_ceil(MOST_POINTS).max(1))
}

fn lines(tables: &[&RunTable], time: usize, until: Option<usize>, values: &[usize]) -> String {
    let each = if values.len() > 1 { PANEL / values.len() as f64 + 60.0 } else { PANEL };
    let row = each + Panel::FOOT;
    let x = Axis::around(all(tables, time).chain(until.iter().flat_map(|&u| all(tables, u))), Scale::Linear);
    sheet(tables, true).draw(values.len() as f64 * row, |c, top| {
        for (k, &value) in values.iter().enumerate() {
            let top = top + k as f64 * row;
            let beside = recorded(tables[0], value);
            let y = Axis::around(all(tables, value).chain(beside.iter().flat_map(|&b| all(tables, b))), Scale::Linear);
            let p = Panel { left: Panel::LEFT, top, right: WIDTH - 24.0, bottom: top + each, x, y };
            p.frame(c, if k + 1 == values.len() { "time (s)" } else { "" }, &title(tables[0], value));
            // Counts keep their value until the next sample.
            let counts = all(tables, value).all(|v| !v.is_finite() || v.fract() == 0.0);
            let curves = tables.iter().enumerate().map(|(at, table)| (*table, value, stroke(tables, at)));
            for (table, value, stroke) in curves.chain(beside.map(|beside| (longest(tables), beside, OF_RECORDING))) {
                let rows: Vec<&Vec<f64>> = thinned(table).collect();
                let known = |r: &&Vec<f64>| r[time].is_finite() && r[value].is_finite();
                for piece in rows.chunk_by(|a, b| known(a) && known(b)).filter(|piece| known(&piece[0])) {
                    let ends = |r: &&Vec<f64>| {
                        let until = until.map(|u| p.at(r[u], r[value]));
                        [Some(p.at(r[time], r[value])), until].into_iter().flatten()
                    };
                    let points = piece.iter().flat_map(ends);
                    let held = counts || until.is_some();
                    let points = if held { steps(points) } else { points.collect() };
                    c.line(&points, stroke);
                }
            }
        }
    })
}

fn dots(tables: &[&RunTable], right: usize, up: usize) -> String {
    let x = Axis::around(all(tables, right).chain([0.0]), Scale::Linear);
    let y = Axis::around(all(tables, up).chain([0.0]), Scale::Linear);
    let titles = (title(tables[0], right), title(tables[0], up));
    Graph::new(sheet(tables, true), (x, titles.0), (y, titles.1)).draw(|c, p| {
        for (at, table) in tables.iter().enumerate() {
            for row in thinned(table).filter(|r| r[right].is_finite() && r[up].is_finite()) {
                c.mark(p.at(row[right], row[up]), Symbol::dot(color(tables, at), 2.2).alpha(0.45));
            }
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
            (Some(Shape::Maps), 3, Some("Over the place")),
            (dots(0, 1, None), 2, Some("speed (m/s) over density (1/m\u{b2})")),
            (
                dots(0, 1, Some((2, 3))),
                4,
                Some(
                    "speed (m/s) over density (1/m\u{b2}), with the wanted band in green; small dots are samples, large ones the \
                     mean of each case",
                ),
            ),
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
