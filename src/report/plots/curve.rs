//! A measured value over a key of the file: targets with points, every `each`, and sweeps.

use super::axis::{Axis, Panel, Scale};
use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::style::{DEFAULT, INK, LABEL, TUNED, series};
use super::{Plot, file_stem};
use crate::evolve::summary::{CaseSummary, Figure};
use crate::report::format::{self, words};
use crate::report::run::Run;
use crate::report::sweep::{AxisValue, SweepTable};
use plotters::style::RGBColor;

/// One line of a curve plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub label: String,
    /// Its color.
    pub color: RGBColor,
    /// Points: x, figure, and whether the search never saw it.
    pub points: Vec<(f64, Figure, bool)>,
}

/// A curve plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Title.
    pub title: String,
    /// Second line.
    pub below: String,
    /// What x is.
    pub x_title: String,
    /// What y is.
    pub y_title: String,
    /// Words under the x axis where x counts the words of a choice; empty for numbers.
    pub x_words: Vec<String>,
    /// The lines.
    pub series: Vec<Series>,
    /// Known points: x, value, absolute tolerance.
    pub reference: Vec<(f64, f64, f64)>,
}

/// A plot per column and table with an `each` key: defaults and tuned over it. Further keys make further plots.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let mut out = Vec::new();
    for target in &run.summary.targets {
        let mut groups: Vec<(String, Vec<&CaseSummary>)> = Vec::new();
        for case in run.summary.cases.iter().filter(|c| c.target == target.name && !c.axes.is_empty()) {
            let rest: Vec<String> =
                case.axes[1..].iter().map(|(k, v)| format!("{k} = {}", format::plain(*v))).collect();
            let key = format!("{}: {}", case.table, rest.join(", ")).trim_end_matches([':', ' ']).to_string();
            match groups.iter_mut().find(|(k, _)| *k == key) {
                Some((_, cases)) => cases.push(case),
                None => groups.push((key, vec![case])),
            }
        }
        let several = groups.len() > 1;
        for (i, (key, cases)) in groups.iter().filter(|(_, cases)| cases.len() > 1).enumerate() {
            let line = |label: &str, color, figure: fn(&CaseSummary) -> Figure| Series {
                label: label.into(),
                color,
                points: cases.iter().map(|c| (c.axes[0].1, figure(c), c.held_out)).collect(),
            };
            let reference = cases.iter().filter_map(|c| Some((c.axes[0].1, c.wanted?, c.tolerance.unwrap_or(0.0))));
            let x_key = &cases[0].axes[0].0;
            let curve = Curve {
                title: format!("{} over {}", target.name, words(x_key)),
                below: key.clone(),
                x_title: words(x_key),
                y_title: format::name_with_unit(&target.metric, &target.unit),
                x_words: Vec::new(),
                series: vec![line("defaults", DEFAULT, |c| c.default), line("tuned", TUNED, |c| c.tuned)],
                reference: reference.collect(),
            };
            let number = if several { format!("_{}", i + 1) } else { String::new() };
            out.push(Plot {
                name: format!("curve_{}{number}", file_stem(&target.name)),
                caption: format!(
                    "{} in every case, with 95 % intervals on fresh seeds. Rings were held out: the search never saw \
                     them. Diamonds are wanted, with their tolerance.",
                    target.name
                ),
                svg: draw(&curve),
            });
        }
    }
    out
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
    let one = |(at, column): (usize, &crate::report::sweep::SweepColumn)| {
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
pub fn draw(curve: &Curve) -> String {
    let finite = |v: &f64| v.is_finite() && v.abs() < 1e300;
    let points = || curve.series.iter().flat_map(|s| &s.points);
    let xs = points().map(|p| p.0).chain(curve.reference.iter().map(|r| r.0));
    let ys = points()
        .flat_map(|p| [p.1.value, p.1.low, p.1.high])
        .flatten()
        .chain(curve.reference.iter().flat_map(|r| [r.1 - r.2, r.1 + r.2]));
    let x = if curve.x_words.is_empty() {
        Axis::around(xs.filter(finite), Scale::Linear)
    } else {
        Axis { low: -0.5, high: curve.x_words.len() as f64 - 0.5, scale: Scale::Linear }
    };
    let y = Axis::around(ys.filter(finite), Scale::Linear);
    svg(760.0, 420.0, &curve.title, |c| {
        c.title(&curve.title, &curve.below);
        let rows = legend(c, curve);
        let p = Panel { left: 84.0, top: 66.0 + 18.0 * rows, right: 736.0, bottom: 366.0, x, y };
        let slot = (p.right - p.left) / curve.x_words.len().max(1) as f64;
        let named = curve.x_words.iter().enumerate().map(|(i, w)| (i as f64, cut(w, super::style::TICK, slot)));
        let ticks = if curve.x_words.is_empty() { p.x.ticks(8) } else { named.collect() };
        p.frame_with(c, &curve.x_title, &curve.y_title, &ticks, &p.y_ticks());
        for &(x, value, tolerance) in curve.reference.iter().filter(|r| finite(&r.1)) {
            let (px, py) = p.place(x, value);
            bar(c, px, p.place(x, value - tolerance).1, p.place(x, value + tolerance).1, INK, 6.0);
            diamond(c, px, py);
        }
        let count = curve.series.len() as f64;
        for (i, s) in curve.series.iter().enumerate() {
            // Bars of different series stand beside each other.
            let shift = (i as f64 - (count - 1.0) / 2.0) * 7.0f64.min(24.0 / count);
            let mut sorted: Vec<_> = s.points.iter().filter(|p| p.1.value.is_some_and(|v| finite(&v))).collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
            let at = |x: f64, v: f64| (p.place(x, v).0 + shift, p.place(x, v).1);
            let way: Vec<_> = sorted.iter().map(|q| at(q.0, q.1.value.unwrap_or(0.0))).collect();
            if curve.x_words.is_empty() {
                c.line(&way, s.color, 1.6, 0.6);
            }
            for (q, &(px, py)) in sorted.iter().zip(&way) {
                if let (Some(low), Some(high)) = (q.1.low, q.1.high) {
                    bar(c, px, at(q.0, low).1, at(q.0, high).1, s.color, 4.0);
                }
                if q.2 { c.ring(px, py, 4.2, s.color) } else { c.dot(px, py, 4.2, s.color, 1.0) }
            }
        }
    })
}

fn bar(c: &mut Canvas<'_>, x: f64, from: f64, to: f64, color: RGBColor, half: f64) {
    c.line(&[(x, from), (x, to)], color, 1.5, 1.0);
    for y in [from, to] {
        c.line(&[(x - half, y), (x + half, y)], color, 1.5, 1.0);
    }
}

fn diamond(c: &mut Canvas<'_>, x: f64, y: f64) {
    c.polygon(&[(x - 6.0, y), (x, y - 6.0), (x + 6.0, y), (x, y + 6.0)], INK, 1.0);
}

/// The legend; gives the number of further rows that it took.
fn legend(c: &mut Canvas<'_>, curve: &Curve) -> f64 {
    let (mut x, mut row) = (84.0, 0.0);
    let y = if curve.below.is_empty() { 42.0 } else { 58.0 };
    let start = y;
    let mut entry = |c: &mut Canvas<'_>, text: &str, mark: &dyn Fn(&mut Canvas<'_>, f64, f64)| {
        let text = cut(text, LABEL, 380.0);
        let width = 46.0 + text_width(&text, LABEL);
        if x > 84.0 && x + width > 752.0 {
            (x, row) = (84.0, row + 1.0);
        }
        let y = start + 18.0 * row;
        mark(c, x + 10.0, y);
        c.text(x + 26.0, y, &text, LABEL, INK, Hold::Start);
        x += width;
    };
    for s in &curve.series {
        entry(c, &s.label, &|c, x, y| {
            c.line(&[(x - 10.0, y), (x + 10.0, y)], s.color, 1.6, 0.6);
            c.dot(x, y, 4.2, s.color, 1.0);
        });
    }
    if curve.series.iter().any(|s| s.points.iter().any(|p| p.2)) {
        entry(c, "held out", &|c, x, y| c.ring(x, y, 4.2, super::style::SOFT));
    }
    if !curve.reference.is_empty() {
        entry(c, "wanted, with tolerance", &|c, x, y| diamond(c, x, y));
    }
    row + if curve.below.is_empty() { 0.0 } else { 0.5 }
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
