//! The best tenth of the candidates, or the points of a front, a line each across all parameters.

use super::Plot;
use super::axis::{Axis, Scale};
use super::canvas::{Canvas, Hold, svg, text_width, wrap};
use super::style::{DEFAULT, GRID, INK, LABEL, SOFT, TICK, TUNED, ramp};
use crate::evolve::summary::{FrontPoint, FrontSummary, GeneSummary, Standing};
use crate::report::format;
use crate::report::front::axis_words;
use crate::report::run::Run;
use crate::report::verdict::gene_value;
use crowdtune_search::{Trial, better};

const TOP: f64 = 138.0;
const BOTTOM: f64 = 350.0;
const GAP: f64 = 128.0;
const SIDE: f64 = 72.0;

/// One plot; none without parameters or without a candidate that ran through.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let mut done: Vec<(&Trial, &[f64])> = run.search().filter(|(t, _)| t.is_done()).collect();
    if run.summary.genes.is_empty() || done.is_empty() {
        return Vec::new();
    }
    if let Some(front) = &run.summary.front {
        return along(run, front);
    }
    done.sort_by(|a, b| better(a.0, b.0));
    // A tenth, but never fewer than ten lines where there are so many.
    done.truncate(done.len().div_ceil(10).max(10));
    let lines: Vec<(f64, &[f64])> =
        done.iter().map(|(t, row)| (t.objectives.first().copied().unwrap_or(0.0), *row)).collect();
    let heads = Heads {
        title: "Parameters of the best candidates".into(),
        below: format!("{} of the search", format::count(lines.len() as u64, "candidate")),
        color: "loss".into(),
    };
    let caption = "The best tenth of the candidates (at least ten), a line each across all parameters; blue is a \
                   small loss. Where the lines spread, the targets do not pin the parameter down."
        .into();
    vec![Plot { name: "parallel".into(), caption, svg: picture(run, &lines, &heads) }]
}

/// The points of a front, colored by their first objective.
fn along(run: &Run<'_>, front: &FrontSummary) -> Vec<Plot> {
    let members = front.points.iter().filter(|p| p.standing <= Standing::Unchecked);
    let loss = |p: &FrontPoint| p.fresh.first().and_then(|f| f.value).or(p.search.first().copied());
    let lines: Vec<(f64, &[f64])> = members.filter_map(|p| Some((loss(p)?, &p.genes[..]))).collect();
    let Some(axis) = front.axes.first().filter(|_| !lines.is_empty()) else { return Vec::new() };
    let shown: Vec<(f64, &[f64])> = lines.iter().map(|(l, row)| (axis.value(*l), *row)).collect();
    let heads = Heads {
        title: "Parameters along the front".into(),
        below: format::count(lines.len() as u64, "compromise"),
        color: axis_words(axis),
    };
    let caption = format!(
        "A line for each compromise across all parameters, colored by {}: what has to change to move along the front, and what all \
         of them share.",
        axis_words(axis)
    );
    vec![Plot { name: "parallel".into(), caption, svg: picture(run, &shown, &heads) }]
}

/// What is written above.
struct Heads {
    title: String,
    below: String,
    /// What the colors mean.
    color: String,
}

/// The picture of lines, each with what its color says.
fn picture(run: &Run<'_>, lines: &[(f64, &[f64])], heads: &Heads) -> String {
    let width = (2.0 * SIDE + GAP * run.summary.genes.len() as f64 + 40.0).max(760.0);
    svg(width, 400.0, &heads.title, |c| draw(c, run, lines, heads))
}

fn draw(c: &mut Canvas<'_>, run: &Run<'_>, best: &[(f64, &[f64])], heads: &Heads) {
    let genes = &run.summary.genes;
    let (low, high) = best.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), (v, _)| (a.min(*v), b.max(*v)));
    c.title(&heads.title, &heads.below);
    legend(c, (low, high), heads);
    let gap = if genes.len() > 1 { (c.width() - 2.0 * SIDE - 20.0) / (genes.len() - 1) as f64 } else { 0.0 };
    let x = |i: usize| if genes.len() > 1 { SIDE + 10.0 + gap * i as f64 } else { c.width() / 2.0 };
    let axes: Vec<(f64, Axis)> = genes.iter().enumerate().map(|(i, g)| (x(i), axis(g))).collect();
    let way = |row: &[f64]| -> Vec<(f64, f64)> {
        let mut points = Vec::new();
        for ((x, axis), v) in axes.iter().zip(row) {
            let y = BOTTOM - (BOTTOM - TOP) * axis.at(*v).clamp(0.0, 1.0);
            // A line needs two points: one parameter alone is a short stroke.
            if axes.len() == 1 {
                points.push((x - 30.0, y));
            }
            points.push((if axes.len() == 1 { x + 30.0 } else { *x }, y));
        }
        points
    };
    for (x, _) in &axes {
        c.line(&[(*x, TOP), (*x, BOTTOM)], GRID, 2.0, 1.0);
    }
    for (value, row) in best.iter().rev() {
        let share = if high > low { (value - low) / (high - low) } else { 0.0 };
        c.line(&way(row), ramp(share), 1.5, 0.9);
    }
    let of = |f: fn(&GeneSummary) -> f64| genes.iter().map(f).collect::<Vec<_>>();
    let default = way(&of(|g| g.default));
    for pair in default.windows(2) {
        c.dashes(pair[0], pair[1], DEFAULT, 2.2);
    }
    let tuned = way(&of(|g| g.tuned));
    c.line(&tuned, TUNED, 3.0, 1.0);
    for &(x, y) in &tuned {
        c.dot(x, y, 4.5, TUNED, 1.0);
    }
    for (g, (x, axis)) in genes.iter().zip(&axes) {
        let unit = if g.unit.is_empty() { String::new() } else { format!(" ({})", format::unit(&g.unit)) };
        let lines = wrap(&format!("{}{unit}", format::key(&g.key)), LABEL, GAP - 6.0, 3);
        for (k, text) in lines.iter().enumerate() {
            let y = TOP - 24.0 - 15.0 * (lines.len() - 1 - k) as f64;
            c.text(*x, y, text, LABEL, INK, Hold::Middle);
        }
        c.text(*x, TOP - 8.0, &end(g, axis.high), TICK, SOFT, Hold::Middle);
        c.text(*x, BOTTOM + 12.0, &end(g, axis.low), TICK, SOFT, Hold::Middle);
        c.text(*x, BOTTOM + 30.0, &gene_value(g, g.tuned), LABEL, TUNED, Hold::Middle);
    }
}

fn axis(g: &GeneSummary) -> Axis {
    let scale = if g.log && g.low > 0.0 { Scale::Log } else { Scale::Linear };
    if g.low < g.high { Axis { low: g.low, high: g.high, scale } } else { Axis::around([g.low], scale) }
}

/// The end of an axis: a number, or the word of a choice.
fn end(g: &GeneSummary, v: f64) -> String {
    if g.choices.is_empty() { format::setting(v) } else { gene_value(g, v) }
}

fn legend(c: &mut Canvas<'_>, (low, high): (f64, f64), heads: &Heads) {
    let y = 62.0;
    let mut x = 16.0;
    c.text(x, y, &heads.color, LABEL, INK, Hold::Start);
    let (from, to) = (format::number(low), format::number(high));
    x += text_width(&heads.color, LABEL) + 10.0;
    c.text(x, y, &from, TICK, SOFT, Hold::Start);
    x += text_width(&from, TICK) + 6.0;
    for k in 0..40 {
        c.rect(x + 2.0 * f64::from(k), y - 5.0, x + 2.0 * f64::from(k) + 3.0, y + 5.0, ramp(f64::from(k) / 39.0), 1.0);
    }
    x += 88.0;
    c.text(x, y, &to, TICK, SOFT, Hold::Start);
    x += text_width(&to, TICK) + 28.0;
    c.line(&[(x, y), (x + 22.0, y)], TUNED, 3.0, 1.0);
    c.text(x + 28.0, y, "tuned", LABEL, INK, Hold::Start);
    x += 92.0;
    c.dashes((x, y), (x + 22.0, y), DEFAULT, 2.2);
    c.text(x + 28.0, y, "published defaults", LABEL, INK, Hold::Start);
}
