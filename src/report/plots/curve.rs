//! A measured value over a key of the file: targets with points, every `each`, and sweeps.

use super::plot::Plot;
use crate::evolve::summary::{CaseSummary, Figure, TargetSummary};
use crate::format::{self, file_stem, words};
use crate::report::chart::style::{DEFAULT, INK, RGBColor, SOFT, TUNED, WANTED, series};
use crate::report::chart::{Axis, Canvas, Fill, Graph, Key, Legend, Panel, Scale, Sheet, Stroke, Symbol};
use crate::report::run::Run;
use crate::report::sweep::{AxisValue, SweepColumn, SweepRow, SweepTable};

/// Radius of points, px.
const DOT: f64 = 4.2;
/// Width of intervals, px.
const BAR: f64 = 1.5;
/// Series stand this far apart, px, and all of them within the second number.
const APART: f64 = 7.0;
const SPREAD: f64 = 24.0;
const REFERENCE: Symbol = Symbol::diamond(INK, 6.0);
const AREA: Fill = Fill::new(WANTED).alpha(0.22);

/// One line.
#[derive(Clone, Debug, PartialEq)]
struct Series {
    /// Its name in the legend.
    label: String,
    /// Its color.
    color: RGBColor,
    /// Points: x, figure, and whether the search never saw it.
    points: Vec<(f64, Figure, bool)>,
}

/// A plot of lines.
#[derive(Clone, Debug, Default, PartialEq)]
struct Curve {
    /// Title.
    title: String,
    /// Second line.
    below: String,
    /// What x is.
    x_title: String,
    /// What y is.
    y_title: String,
    /// Words under the x axis where x counts the words of a choice; empty for numbers.
    x_words: Vec<String>,
    /// The lines.
    series: Vec<Series>,
    /// Known points: x, value, absolute tolerance.
    reference: Vec<(f64, f64, f64)>,
}

/// A plot per column and table with an `each` key: defaults and tuned over it. Further keys make further plots.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    run.summary.targets.iter().flat_map(|target| of_target(run, target)).collect()
}

fn of_target(run: &Run<'_>, target: &TargetSummary) -> Vec<Plot> {
    let mut groups: Vec<(String, Vec<&CaseSummary>)> = Vec::new();
    for case in run.summary.cases.iter().filter(|c| c.target == target.name && !c.axes.is_empty()) {
        let rest: Vec<String> = case.axes[1..].iter().map(|(k, v)| format!("{k} = {}", format::plain(*v))).collect();
        let key = format!("{}: {}", case.table, rest.join(", ")).trim_end_matches([':', ' ']).to_string();
        match groups.iter_mut().find(|(k, _)| *k == key) {
            Some((_, cases)) => cases.push(case),
            None => groups.push((key, vec![case])),
        }
    }
    let several = groups.len() > 1;
    let groups = groups.iter().filter(|(_, cases)| cases.len() > 1).enumerate();
    let plot = |(i, (key, cases)): (usize, &(String, Vec<&CaseSummary>))| {
        let number = if several { format!("_{}", i + 1) } else { String::new() };
        Plot {
            name: format!("curve_{}{number}", file_stem(&target.name)),
            caption: format!(
                "{} in every case, with 95 % intervals on fresh seeds. Rings are held-out cases, which the search never saw. \
                 Diamonds are what is wanted, with its tolerance; the green band joins them.",
                target.name
            ),
            svg: draw(&of_cases(run.summary.defaults_called(), target, key, cases)),
        }
    };
    groups.map(plot).collect()
}

fn of_cases(called: &str, target: &TargetSummary, key: &str, cases: &[&CaseSummary]) -> Curve {
    let line = |label: &str, color, figure: fn(&CaseSummary) -> Figure| Series {
        label: label.into(),
        color,
        points: cases.iter().map(|c| (c.axes[0].1, figure(c), c.held_out)).collect(),
    };
    let reference = cases.iter().filter_map(|c| Some((c.axes[0].1, c.wanted?, c.tolerance.unwrap_or(0.0))));
    let over = words(&cases[0].axes[0].0);
    Curve {
        title: format!("{} over {over}", target.name),
        below: key.into(),
        x_title: over,
        y_title: format::name_with_unit(&target.metric, &target.unit),
        x_words: Vec::new(),
        series: vec![line(called, DEFAULT, |c| c.default), line("tuned", TUNED, |c| c.tuned)],
        reference: reference.collect(),
    }
}

/// The plots of a sweep, one per column: the first axis to the right, a line for each combination of the others. Where
/// nothing is swept, scenarios stand to the right; a single point gives no plot.
pub fn sweep(table: &SweepTable) -> Vec<Plot> {
    if table.axes.is_empty() {
        if !table.many_scenarios() {
            return Vec::new();
        }
        let mut over = table.clone();
        over.axes.push("scenario".into());
        for row in &mut over.rows {
            row.axes.push(AxisValue::Word(std::mem::take(&mut row.scenario)));
        }
        return sweep(&over);
    }
    // A scenario without the first key has no place over it: it gets plots of its own, over what it sweeps or has.
    let has = |row: &&SweepRow| row.axes.first().is_some_and(|v| !v.text().is_empty());
    let without: Vec<SweepRow> = table.rows.iter().filter(|r| !has(r)).cloned().collect();
    if !without.is_empty() && without.len() < table.rows.len() {
        let over = SweepTable { rows: table.rows.iter().filter(has).cloned().collect(), ..table.clone() };
        let mut rest = SweepTable { axes: table.axes[1..].to_vec(), rows: without, ..table.clone() };
        rest.rows.iter_mut().for_each(|row| _ = row.axes.remove(0));
        let mut plots = sweep(&over);
        let names: Vec<&str> = rest.rows.iter().map(|row| row.scenario.as_str()).collect();
        let of = file_stem(names.first().copied().unwrap_or_default());
        plots.extend(sweep(&rest).into_iter().map(|p| Plot { name: format!("{}_{of}", p.name), ..p }));
        return plots;
    }
    let mut x_words: Vec<String> = Vec::new();
    for row in &table.rows {
        if let Some(AxisValue::Word(word)) = row.axes.first().filter(|_| !x_words.contains(&row.axes[0].text())) {
            x_words.push(word.clone());
        }
    }
    let x = |v: &AxisValue| match v {
        AxisValue::Number(x) => *x,
        AxisValue::Word(word) => x_words.iter().position(|w| w == word).unwrap_or(0) as f64,
    };
    let scenarios = table.many_scenarios();
    let one = |(at, column): (usize, &SweepColumn)| {
        let mut lines: Vec<Series> = Vec::new();
        for row in table.rows.iter().filter(|r| !r.axes.is_empty()) {
            let mut parts: Vec<String> = if scenarios { vec![row.scenario.clone()] } else { Vec::new() };
            let rest = table.axes.iter().zip(&row.axes).skip(1);
            parts.extend(rest.map(|(k, v)| format!("{} = {}", words(k), v.text())));
            let label = if parts.is_empty() { "mean with 95 % interval".into() } else { parts.join(", ") };
            let figure = row.cells.get(at).copied().unwrap_or_default();
            let point = (x(&row.axes[0]), figure, row.held_out);
            match lines.iter_mut().find(|l| l.label == label) {
                Some(line) => line.points.push(point),
                None => lines.push(Series { label, color: series(lines.len()), points: vec![point] }),
            }
        }
        let curve = Curve {
            title: format!("{} over {}", column.name, words(&table.axes[0])),
            below: table.title.clone(),
            x_title: words(&table.axes[0]),
            y_title: format::name_with_unit(&column.metric, &column.unit),
            x_words: x_words.clone(),
            series: lines,
            reference: column.reference.clone(),
        };
        let name = format!("sweep_{}", file_stem(&column.name));
        Plot { name, caption: format!("{} over {}", column.name, words(&table.axes[0])), svg: draw(&curve) }
    };
    table.columns.iter().enumerate().map(one).collect()
}

/// The picture.
fn draw(curve: &Curve) -> String {
    let points = || curve.series.iter().flat_map(|s| &s.points);
    let xs = points().map(|p| p.0).chain(curve.reference.iter().map(|r| r.0));
    let ys = points()
        .flat_map(|p| [p.1.value, p.1.low, p.1.high])
        .flatten()
        .chain(curve.reference.iter().flat_map(|r| [r.1 - r.2, r.1 + r.2]));
    let numbers = curve.x_words.is_empty();
    let x = if numbers { Axis::around(xs, Scale::Linear) } else { Axis::words(curve.x_words.len()) };
    let y = Axis::around(ys, Scale::Linear);
    let sheet = Sheet::new(&curve.title).below(&curve.below).legend(legend(curve));
    let mut graph = Graph::new(sheet, (x, &curve.x_title), (y, &curve.y_title));
    graph.words.clone_from(&curve.x_words);
    graph.draw(|c, p| {
        let mut reference: Vec<_> = curve.reference.iter().filter(|r| r.1.abs() < 1e300).collect();
        reference.sort_by(|a, b| a.0.total_cmp(&b.0));
        if numbers {
            p.band(c, &reference.iter().map(|r| (r.0, r.1 - r.2, r.1 + r.2)).collect::<Vec<_>>(), AREA);
        }
        for &&(x, value, tolerance) in &reference {
            let (low, high) = (p.at(x, value - tolerance), p.at(x, value + tolerance));
            c.interval(low, high, 6.0, Stroke::new(INK, BAR));
            c.mark(p.at(x, value), REFERENCE);
        }
        let count = curve.series.len() as f64;
        for (i, s) in curve.series.iter().enumerate() {
            // Intervals of different series stand side by side.
            let shift = (i as f64 - (count - 1.0) / 2.0) * APART.min(SPREAD / count);
            line(c, p, s, shift, numbers);
        }
    })
}

/// A series, moved to the right by `shift` pixels; joined where x are numbers.
fn line(c: &mut Canvas<'_>, p: &Panel, s: &Series, shift: f64, joined: bool) {
    let at = |x: f64, v: f64| (p.at(x, v).0 + shift, p.at(x, v).1);
    let known = |q: &&(f64, Figure, bool)| q.1.value.is_some_and(|v| v.abs() < 1e300);
    let mut sorted: Vec<_> = s.points.iter().filter(known).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let way: Vec<_> = sorted.iter().map(|q| at(q.0, q.1.value.unwrap_or(0.0))).collect();
    if joined {
        c.line(&way, way_of(s.color));
    }
    for (q, &here) in sorted.iter().zip(&way) {
        if let (Some(low), Some(high)) = (q.1.low, q.1.high) {
            c.interval(at(q.0, low), at(q.0, high), 4.0, Stroke::new(s.color, BAR));
        }
        c.mark(here, if q.2 { Symbol::ring(s.color, DOT) } else { Symbol::dot(s.color, DOT) });
    }
}

fn way_of(color: RGBColor) -> Stroke {
    Stroke::new(color, 1.6).alpha(0.6)
}

fn legend(curve: &Curve) -> Legend {
    let series = curve.series.iter().fold(Legend::new(), |legend, s| {
        legend.with(Key::Marked(way_of(s.color), Symbol::dot(s.color, DOT)), s.label.as_str())
    });
    let held_out = curve.series.iter().any(|s| s.points.iter().any(|p| p.2));
    let wanted = !curve.reference.is_empty();
    let banded = curve.x_words.is_empty() && curve.reference.len() > 1;
    series
        .with_if(held_out, Key::Mark(Symbol::ring(SOFT, DOT)), "held out")
        .with_if(wanted, Key::Mark(REFERENCE), "wanted, with tolerance")
        .with_if(banded, Key::Area(AREA), "wanted band")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn scenarios_are_an_axis_where_nothing_is_swept() {
        let mut table = fixture::sweep();
        table.axes.clear();
        for (i, row) in table.rows.iter_mut().enumerate() {
            row.axes.clear();
            row.scenario = ["hall", "street"][i % 2].into();
        }
        let plots = sweep(&table);
        assert_eq!(plots.len(), 2);
        for text in [">\nhall\n<", ">\nstreet\n<", "leave over scenario"] {
            assert!(plots[0].svg.contains(text), "{text}");
        }
        table.rows.truncate(1);
        assert_eq!(sweep(&table), []);
    }

    #[test]
    fn a_sweep_gives_a_plot_per_column_and_a_line_per_further_value() {
        let mut table = fixture::sweep();
        assert_eq!(sweep(&table).len(), 2);
        table.axes.push("panic".into());
        for (i, row) in table.rows.iter_mut().enumerate() {
            row.axes[0] = AxisValue::Word(["a", "b"][i % 2].into());
            row.axes.push(AxisValue::Number((i / 2) as f64));
        }
        let plots = sweep(&table);
        assert_eq!(plots[0].name, "sweep_leave");
        for text in ["panic = 0", "panic = 1", "panic = 2", ">\na\n<", "evacuation time 100 (s)"] {
            assert!(plots[0].svg.contains(text), "{text}");
        }
        for plot in plots {
            roxmltree::Document::parse(&plot.svg).unwrap();
        }
    }
}
