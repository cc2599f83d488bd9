//! The finalists: what the search saw of each beside what fresh seeds say.

use super::Plot;
use super::axis::{Axis, Scale};
use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::style::{DEFAULT, GRID, INK, LABEL, POINT, SOFT, TICK, TUNED};
use crate::evolve::summary::{Figure, FinalistSummary};
use crate::report::format;
use crate::report::run::Run;
use crate::report::verdict;
use plotters::style::RGBColor;

const WIDTH: f64 = 760.0;
const HEAD: f64 = 64.0;
const ROW: f64 = 34.0;
const LEFT: f64 = 210.0;
const RIGHT: f64 = 730.0;
/// Defaults further off than so many times the spread of the finalists are named at the edge. Chosen here: the finalists still
/// take a quarter of the width beside defaults that are shown.
const FAR: f64 = 3.0;
/// Least half width of the axis beside far defaults, as a share of the values. Chosen here: three digits tell the ticks apart.
const LEAST: f64 = 0.02;

/// One plot; none before a selection.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let race = &run.summary.race;
    if race.is_empty() {
        return Vec::new();
    }
    let spread = |defaults: bool| {
        let shown: Vec<f64> = race.iter().filter(|f| defaults || !f.defaults).flat_map(values).collect();
        let (low, high) = shown.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
        (shown, high - low)
    };
    let ((near, narrow), (all, wide)) = (spread(false), spread(true));
    let far = !near.is_empty() && wide > (1.0 + FAR) * narrow;
    // Equal values need an axis all the same, wide enough for its ticks to be told apart.
    let size = near.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let around = near.first().filter(|_| narrow < LEAST * size).map(|v| [v - LEAST * size, v + LEAST * size]);
    let shown = if far { near.iter().copied().chain(around.into_iter().flatten()).collect() } else { all };
    let axis = Axis::around(shown, Scale::Linear);
    let bottom = HEAD + ROW * race.len() as f64;
    let picture = svg(WIDTH, bottom + 44.0, "Finalists: search value beside fresh values", |c| {
        c.title("Finalists: search value beside fresh values", "");
        legend(c);
        let x = |v: f64| LEFT + (RIGHT - LEFT) * axis.at(v).clamp(0.0, 1.0);
        for (v, text) in axis.ticks(6) {
            c.line(&[(x(v), HEAD), (x(v), bottom)], GRID, 1.0, 1.0);
            c.text(x(v), bottom + 12.0, &text, TICK, SOFT, Hold::Middle);
        }
        let name = run.summary.objectives.first().map_or("loss", |o| o.name.as_str());
        c.text(f64::midpoint(LEFT, RIGHT), bottom + 30.0, name, LABEL, INK, Hold::Middle);
        for (i, f) in race.iter().enumerate() {
            let top = HEAD + ROW * i as f64;
            row(c, f, top, &x, !(far && f.defaults));
            if far && f.defaults {
                beyond(c, f, top, &axis);
            }
        }
    });
    let caption = "What the search saw of each finalist (ring), what the fresh seeds of the selection say (gray), and what the seeds of the \
                   report say, that nothing else saw. A ring left of its intervals looked better than it is: the best of \
                   many is partly luck."
        .into();
    vec![Plot { name: "finalists".into(), caption, svg: picture }]
}

fn legend(c: &mut Canvas<'_>) {
    let (mut x, y) = (LEFT, 44.0);
    for (color, text) in
        [(SOFT, "search"), (POINT, "selection"), (TUNED, "report, tuned"), (DEFAULT, "report, defaults")]
    {
        if text == "search" {
            c.ring(x + 10.0, y, 4.0, color);
        } else {
            c.line(&[(x, y), (x + 20.0, y)], color, 2.0, 1.0);
            c.dot(x + 10.0, y, 4.0, color, 1.0);
        }
        c.text(x + 26.0, y, text, LABEL, INK, Hold::Start);
        x += 46.0 + text_width(text, LABEL);
    }
}

/// Everything that is shown of a finalist.
fn values(f: &FinalistSummary) -> Vec<f64> {
    let ends = |f: &Figure| [f.value, f.low, f.high];
    let all = [f.search].into_iter().chain(ends(&f.selection)).chain(ends(&f.fresh));
    all.flatten().filter(|v| v.abs() < 1e300).collect()
}

/// Defaults that the axis does not reach: an arrow, and what they are worth in words.
fn beyond(c: &mut Canvas<'_>, f: &FinalistSummary, top: f64, axis: &Axis) {
    let figure = if f.fresh.value.is_some() { &f.fresh } else { &f.selection };
    let y = top + ROW / 2.0;
    let text = format!("beyond the axis: {}", format::figure(figure));
    let right = figure.value.is_none_or(|v| v > axis.high);
    let (tip, tail, hold, way) =
        if right { (RIGHT, RIGHT - 16.0, Hold::End, -1.0) } else { (LEFT, LEFT + 16.0, Hold::Start, 1.0) };
    c.line(&[(tail, y), (tip, y)], DEFAULT, 2.0, 1.0);
    c.line(&[(tip + 5.0 * way, y - 4.0), (tip, y), (tip + 5.0 * way, y + 4.0)], DEFAULT, 2.0, 1.0);
    c.text(tail + 6.0 * way, y, &text, TICK, DEFAULT, hold);
}

fn row(c: &mut Canvas<'_>, f: &FinalistSummary, top: f64, x: &dyn Fn(f64) -> f64, marks: bool) {
    let middle = top + ROW / 2.0;
    c.line(&[(16.0, top), (WIDTH - 16.0, top)], GRID, 1.0, 1.0);
    let name = cut(&verdict::finalist(f), LABEL * 1.06, LEFT - 30.0);
    if f.recommended {
        c.bold(16.0, middle - 6.0, &name, LABEL, INK, Hold::Start);
    } else {
        c.text(16.0, middle - 6.0, &name, LABEL, INK, Hold::Start);
    }
    c.text(16.0, middle + 8.0, &cut(&verdict::fate(f), TICK, LEFT - 30.0), TICK, SOFT, Hold::Start);
    if !marks {
        return;
    }
    mark(c, &f.selection, middle - 4.0, POINT, x);
    mark(c, &f.fresh, middle + 7.0, if f.defaults { DEFAULT } else { TUNED }, x);
    if let Some(v) = f.search.filter(|v| v.is_finite()) {
        c.ring(x(v), middle - 4.0, 4.0, SOFT);
    }
}

fn mark(c: &mut Canvas<'_>, f: &Figure, y: f64, color: RGBColor, x: &dyn Fn(f64) -> f64) {
    if let (Some(low), Some(high)) = (f.low, f.high) {
        c.line(&[(x(low), y), (x(high), y)], color, 2.0, 1.0);
    }
    if let Some(v) = f.value {
        c.dot(x(v), y, 4.0, color, 1.0);
    }
}
