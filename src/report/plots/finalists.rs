//! The finalists: what the search saw of each beside what fresh seeds say.

use super::Plot;
use super::axis::{Axis, Scale};
use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::style::{DEFAULT, GRID, INK, LABEL, POINT, SOFT, TICK, TUNED};
use crate::evolve::summary::{Figure, FinalistSummary};
use crate::report::run::Run;
use crate::report::verdict;
use plotters::style::RGBColor;

const WIDTH: f64 = 760.0;
const HEAD: f64 = 64.0;
const ROW: f64 = 34.0;
const LEFT: f64 = 210.0;
const RIGHT: f64 = 730.0;

/// One plot; none before a selection.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let race = &run.summary.race;
    if race.is_empty() {
        return Vec::new();
    }
    let ends = |f: &Figure| [f.value, f.low, f.high];
    let all = race.iter().flat_map(|f| [f.search].into_iter().chain(ends(&f.selection)).chain(ends(&f.fresh)));
    let axis = Axis::around(all.flatten().filter(|v| v.abs() < 1e300), Scale::Linear);
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
            row(c, f, HEAD + ROW * i as f64, &x);
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

fn row(c: &mut Canvas<'_>, f: &FinalistSummary, top: f64, x: &dyn Fn(f64) -> f64) {
    let middle = top + ROW / 2.0;
    c.line(&[(16.0, top), (WIDTH - 16.0, top)], GRID, 1.0, 1.0);
    let name = cut(&verdict::finalist(f), LABEL * 1.06, LEFT - 30.0);
    if f.recommended {
        c.bold(16.0, middle - 6.0, &name, LABEL, INK, Hold::Start);
    } else {
        c.text(16.0, middle - 6.0, &name, LABEL, INK, Hold::Start);
    }
    c.text(16.0, middle + 8.0, &cut(&verdict::fate(f), TICK, LEFT - 30.0), TICK, SOFT, Hold::Start);
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
