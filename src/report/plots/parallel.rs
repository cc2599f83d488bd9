//! The best tenth of the candidates, or the points of a front: a line each across all parameters.

use super::plot::Plot;
use crate::evolve::summary::GeneSummary;
use crate::evolve::summary::{FrontPoint, FrontSummary, Standing};
use crate::evolve::verdict::front::axis_words;
use crate::evolve::verdict::gene_value;
use crate::format;
use crate::report::chart::style::{DEFAULT, GRID, INK, SOFT, TUNED, ramp};
use crate::report::chart::{Anchor, Axis, Canvas, Font, Key, Legend, Point, Scale, Sheet, Stroke, Symbol, WIDTH};
use crate::report::run::Run;
use crowdtune_search::{Trial, better};

/// Height of the axes, px.
const HEIGHT: f64 = 212.0;
/// Room above the axes for names of up to three lines and the upper ends of the ranges, px.
const NAMES: f64 = 58.0;
/// Room below the axes for the lower ends of the ranges and the tuned values, px.
const FOOT: f64 = 50.0;
/// Least distance of two axes, px: a name of usual length fits.
const GAP: f64 = 128.0;
/// From the edge of the picture to the first axis, px.
const EDGE: f64 = 82.0;
const CHOSEN: Stroke = Stroke::new(TUNED, 3.0);
const DEFAULTS: Stroke = Stroke::dashed(DEFAULT, 2.2);

/// One plot; none without parameters or without a candidate that ran through.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let mut done: Vec<(&Trial, &[f64])> = run.search().filter(|(t, _)| t.is_done()).collect();
    if run.summary.genes.is_empty() || done.is_empty() {
        return Vec::new();
    }
    if let Some(front) = &run.summary.front {
        return along(run, front);
    }
    done.sort_by(|a, b| better(a.0, b.0));
    // A tenth, but at least ten lines if there are ten candidates.
    done.truncate(done.len().div_ceil(10).max(10));
    let lines: Vec<(f64, &[f64])> =
        done.iter().map(|(t, row)| (t.objectives.first().copied().unwrap_or(0.0), *row)).collect();
    let heads = Heads {
        title: "Parameters of the best candidates".into(),
        below: format!("{} of the search", format::count(lines.len() as u64, "candidate")),
        color: "loss".into(),
    };
    let caption = "The best tenth of the candidates (at least ten), a line each across all parameters; blue is a \
                   small loss. Where the lines spread out, the targets do not pin the parameter down."
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
        "A line for each compromise across all parameters, colored by {}: what has to change to move along the front, and what \
         all of them share.",
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
    let genes = &run.summary.genes;
    let (low, high) = lines.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), (v, _)| (a.min(*v), b.max(*v)));
    let legend = Legend::new()
        .with(Key::Ramp(format::number(low), format::number(high), 1.0), heads.color.as_str())
        .with(Key::Line(CHOSEN), "tuned")
        .with(Key::Line(DEFAULTS), run.summary.defaults_called());
    let width = WIDTH.max(2.0 * EDGE + GAP * (genes.len() as f64 - 1.0));
    let sheet = Sheet::new(&heads.title).below(&heads.below).width(width).legend(legend);
    sheet.draw(NAMES + HEIGHT + FOOT, |c, top| {
        let top = top + NAMES;
        let axes = axes(genes, width, (top, top + HEIGHT));
        for axis in &axes {
            c.line(&[(axis.x, axis.top), (axis.x, axis.bottom)], Stroke::new(GRID, 2.0));
        }
        for (value, row) in lines.iter().rev() {
            let share = if high > low { (value - low) / (high - low) } else { 0.0 };
            c.line(&way(&axes, row), Stroke::new(ramp(share), 1.5).alpha(0.9));
        }
        let of = |f: fn(&GeneSummary) -> f64| way(&axes, &genes.iter().map(f).collect::<Vec<_>>());
        c.line(&of(|g| g.default), DEFAULTS);
        let tuned = of(|g| g.tuned);
        c.line(&tuned, CHOSEN);
        tuned.iter().for_each(|&at| c.mark(at, Symbol::dot(TUNED, 4.5)));
        genes.iter().zip(&axes).for_each(|(g, axis)| words(c, g, axis));
    })
}

/// The upright axis of a parameter.
struct Upright {
    x: f64,
    top: f64,
    bottom: f64,
    axis: Axis,
}

/// The axes side by side; a single one stands in the middle.
fn axes(genes: &[GeneSummary], width: f64, (top, bottom): (f64, f64)) -> Vec<Upright> {
    let gap = if genes.len() > 1 { (width - 2.0 * EDGE) / (genes.len() - 1) as f64 } else { 0.0 };
    let x = |i: usize| if genes.len() > 1 { EDGE + gap * i as f64 } else { width / 2.0 };
    let one = |(i, g): (usize, &GeneSummary)| {
        let scale = if g.log && g.low > 0.0 { Scale::Log } else { Scale::Linear };
        let axis = if g.low < g.high { Axis { low: g.low, high: g.high, scale } } else { Axis::around([g.low], scale) };
        Upright { x: x(i), top, bottom, axis }
    };
    genes.iter().enumerate().map(one).collect()
}

/// The line of a candidate; with one parameter alone a short stroke, since a line needs two points.
fn way(axes: &[Upright], row: &[f64]) -> Vec<Point> {
    let at = |(a, v): (&Upright, &f64)| (a.x, a.bottom - (a.bottom - a.top) * a.axis.at(*v).clamp(0.0, 1.0));
    let points: Vec<Point> = axes.iter().zip(row).map(at).collect();
    match points[..] {
        [(x, y)] => vec![(x - 30.0, y), (x + 30.0, y)],
        _ => points,
    }
}

/// Name above, ends of the range at the ends of the axis, the tuned value below.
fn words(c: &mut Canvas<'_>, g: &GeneSummary, a: &Upright) {
    let lines = Font::LABEL.wrap(&format::name_with_unit(format::key(&g.key), &g.unit), GAP - 6.0, 3);
    for (k, text) in lines.iter().enumerate() {
        let y = a.top - 24.0 - 15.0 * (lines.len() - 1 - k) as f64;
        c.text((a.x, y), text, Font::LABEL, INK, Anchor::Middle);
    }
    let end = |v: f64| if g.choices.is_empty() { format::setting(v) } else { gene_value(g, v) };
    c.text((a.x, a.top - 8.0), &end(a.axis.high), Font::TICK, SOFT, Anchor::Middle);
    c.text((a.x, a.bottom + 12.0), &end(a.axis.low), Font::TICK, SOFT, Anchor::Middle);
    c.text((a.x, a.bottom + 30.0), &gene_value(g, g.tuned), Font::LABEL, TUNED, Anchor::Middle);
}
