//! Targets with their bands: a row each, defaults and tuned with their intervals.

use super::Plot;
use super::axis::{Axis, Scale};
use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::style::{DEFAULT, GRID, INK, LABEL, SOFT, TICK, TUNED, WANTED};
use crate::evolve::summary::{Figure, TargetSummary};
use crate::report::format;
use crate::report::run::Run;
use crate::report::verdict::{self, Tone};
use plotters::style::RGBColor;

const WIDTH: f64 = 820.0;
const HEAD: f64 = 64.0;
const ROW: f64 = 64.0;
const LEFT: f64 = 196.0;
const RIGHT: f64 = 556.0;

/// One plot; none where nothing is measured.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let targets = &run.summary.targets;
    if targets.is_empty() {
        return Vec::new();
    }
    let height = HEAD + ROW * targets.len() as f64 + 8.0;
    let picture = svg(WIDTH, height, "Targets with their bands", |c| {
        c.title("Targets", "");
        legend(c);
        for (i, t) in targets.iter().enumerate() {
            row(c, t, HEAD + ROW * i as f64);
        }
    });
    let caption = "What is wanted (green), the published defaults and the tuned set with 95 % intervals on fresh \
                   seeds; each row has its own scale."
        .into();
    vec![Plot { name: "targets".into(), caption, svg: picture }]
}

fn legend(c: &mut Canvas<'_>) {
    let y = 44.0;
    c.rect(LEFT, y - 6.0, LEFT + 20.0, y + 6.0, WANTED, 0.22);
    c.text(LEFT + 26.0, y, "wanted", LABEL, INK, Hold::Start);
    for (x, color, text) in [(LEFT + 96.0, DEFAULT, "defaults"), (LEFT + 186.0, TUNED, "tuned")] {
        c.line(&[(x, y), (x + 20.0, y)], color, 2.0, 1.0);
        c.dot(x + 10.0, y, 4.0, color, 1.0);
        c.text(x + 26.0, y, text, LABEL, INK, Hold::Start);
    }
}

fn row(c: &mut Canvas<'_>, t: &TargetSummary, top: f64) {
    let middle = top + 24.0;
    c.line(&[(16.0, top), (WIDTH - 16.0, top)], GRID, 1.0, 1.0);
    let name = if t.unit.is_empty() { t.name.clone() } else { format!("{} ({})", t.name, format::unit(&t.unit)) };
    c.bold(16.0, middle - 8.0, &cut(&name, LABEL * 1.06, LEFT - 40.0), LABEL, INK, Hold::Start);
    let must = if t.must { ", must" } else { "" };
    let wanted = if t.wanted.is_empty() { "measured only".into() } else { format!("{}{must}", t.wanted) };
    c.text(16.0, middle + 9.0, &cut(&wanted, TICK, LEFT - 40.0), TICK, SOFT, Hold::Start);

    let ends = |f: &Figure| [f.value, f.low, f.high];
    let values = ends(&t.default).into_iter().chain(ends(&t.tuned)).chain([t.band.0, t.band.1]);
    let axis = Axis::around(values.flatten().filter(|v| v.abs() < 1e300), Scale::Linear);
    let x = |v: f64| LEFT + (RIGHT - LEFT) * axis.at(v).clamp(0.0, 1.0);
    let (low, high) = (t.band.0.map_or(LEFT, x), t.band.1.map_or(RIGHT, x));
    if t.band.0.is_some() || t.band.1.is_some() {
        c.rect(low, top + 5.0, high, top + 43.0, WANTED, 0.22);
        for edge in [t.band.0, t.band.1].into_iter().flatten() {
            c.line(&[(x(edge), top + 5.0), (x(edge), top + 43.0)], WANTED, 1.6, 1.0);
        }
    }
    c.line(&[(LEFT, top + 43.0), (RIGHT, top + 43.0)], SOFT, 1.0, 1.0);
    let mut free = LEFT - 40.0;
    for (v, text) in axis.ticks(4) {
        let half = text_width(&text, TICK - 1.0) / 2.0;
        c.line(&[(x(v), top + 43.0), (x(v), top + 46.0)], SOFT, 1.0, 1.0);
        if x(v) - half > free {
            c.text(x(v), top + 53.0, &text, TICK - 1.0, SOFT, Hold::Middle);
            free = x(v) + half + 4.0;
        }
    }
    mark(c, &t.default, middle - 10.0, DEFAULT, &x);
    mark(c, &t.tuned, middle + 8.0, TUNED, &x);
    let figures = [(&t.default, middle - 10.0, DEFAULT), (&t.tuned, middle + 8.0, TUNED)];
    for (f, y, color) in figures {
        let text = cut(&format::figure(f), TICK, WIDTH - RIGHT - 84.0);
        c.text(RIGHT + 14.0, y, &text, TICK, color, Hold::Start);
    }
    let (word, tone) = verdict::standing(t);
    let color = if tone == Tone::Good { WANTED } else { INK };
    c.bold(WIDTH - 16.0, middle, word, TICK, color, Hold::End);
}

fn mark(c: &mut Canvas<'_>, f: &Figure, y: f64, color: RGBColor, x: &dyn Fn(f64) -> f64) {
    if let (Some(low), Some(high)) = (f.low, f.high) {
        c.line(&[(x(low), y), (x(high), y)], color, 2.0, 1.0);
        for end in [low, high] {
            c.line(&[(x(end), y - 4.0), (x(end), y + 4.0)], color, 1.6, 1.0);
        }
    }
    if let Some(v) = f.value {
        c.dot(x(v), y, 4.0, color, 1.0);
    }
}
