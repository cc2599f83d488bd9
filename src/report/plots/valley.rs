//! The two parameters that are hardest to tell apart: trials, the region that the noise leaves open, the way along the valley.

use super::plot::Plot;
use crate::evolve::summary::{Confounded, GeneSummary};
use crate::format;
use crate::report::chart::style::{DEFAULT, INK, POINT, TUNED, WANTED, ramp};
use crate::report::chart::{Axis, Canvas, Fill, Graph, Key, Legend, Panel, Scale, Sheet, Stroke, Symbol};
use crate::report::run::Run;
use crowdtune_search::{Trial, better};

/// The picture is this many times as wide as the region. Chosen here: its surroundings are seen, and it is not a dot.
const ZOOM: f64 = 6.0;
/// Share of the trials, the best ones, over which the color scale runs.
const COLORED: f64 = 0.5;

const INSIDE: Fill = Fill::new(WANTED).alpha(0.14);
const OUTLINE: Stroke = Stroke::new(WANTED, 2.0);
const MINIMUM: Symbol = Symbol::ring(INK, 4.5);
const CHOSEN: Symbol = Symbol::dot(TUNED, 5.5);
const DEFAULTS: Symbol = Symbol::cross(DEFAULT, 6.0);
const WORSE: Symbol = Symbol::dot(POINT, 2.2).alpha(0.45);

const CAPTION: &str = "Trials of the search by two of its parameters, around the best; blue is a small loss. The outline holds \
                       what cannot be told apart from the minimum of a quadratic model of the best trials while all other \
                       parameters follow; it is cut at the ends of the ranges. A trial inside it may still be worse, because its \
                       other parameters differ. Where there are no good trials, the model only guesses.";

fn colored(share: f64) -> Symbol {
    Symbol::dot(ramp(share), 3.2).alpha(0.85)
}

/// One plot; none with fewer than two numbers or where nothing can be said.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let s = run.summary;
    let Some(pair) = s.identified.as_ref().and_then(|i| i.pairs.first()) else { return Vec::new() };
    let gene = |key: &str| s.genes.iter().position(|g| g.key == key);
    let (Some(a), Some(b)) = (gene(&pair.keys.0), gene(&pair.keys.1)) else { return Vec::new() };
    let below = if pair.confounded {
        "These two make up for each other: inside the outline, a model puts the loss within its noise of the minimum"
    } else {
        "The pair that is hardest to tell apart: inside the outline, a model puts the loss within its noise of the minimum"
    };
    let legend = Legend::new()
        .with(Key::Band(INSIDE, OUTLINE), "within the noise")
        .with(Key::Mark(MINIMUM), "minimum of the model")
        .with(Key::Mark(CHOSEN), "tuned")
        .with(Key::Mark(DEFAULTS), "published defaults")
        .with(Key::Mark(colored(0.0)), "best trials")
        .with(Key::Mark(colored(1.0)), "middling")
        .with(Key::Mark(WORSE), "worse half");
    let (x, y) = (format::words(&pair.keys.0), format::words(&pair.keys.1));
    let sheet = Sheet::new(format!("{y} against {x}")).below(below).legend(legend);
    let (xs, ys): (Vec<f64>, Vec<f64>) = pair.outline.iter().copied().unzip();
    let graph = Graph {
        height: 344.0,
        right: 40.0,
        ..Graph::new(sheet, (axis(&s.genes[a], &xs), x), (axis(&s.genes[b], &ys), y))
    };
    let svg = graph.draw(|c, p| draw(c, p, run, pair, (a, b)));
    vec![Plot { name: "valley".into(), caption: CAPTION.into(), svg }]
}

fn draw(c: &mut Canvas<'_>, p: &Panel, run: &Run<'_>, pair: &Confounded, (a, b): (usize, usize)) {
    let genes = &run.summary.genes;
    let mut done: Vec<(&Trial, &[f64])> = run.search().filter(|(t, _)| t.is_done() && t.violation <= 0.0).collect();
    done.sort_by(|a, b| better(a.0, b.0));
    let best = ((done.len() as f64 * COLORED) as usize).max(1).min(done.len());
    for (rank, (_, row)) in done.iter().enumerate().rev().filter(|(_, (_, row))| p.holds(row[a], row[b])) {
        c.mark(p.at(row[a], row[b]), if rank < best { colored(rank as f64 / best as f64) } else { WORSE });
    }
    let mut outline: Vec<_> = pair.outline.iter().map(|&(x, y)| p.at(x, y)).collect();
    outline.extend(outline.first().copied());
    c.polygon(&outline, INSIDE);
    c.line(&outline, OUTLINE);
    if p.holds(genes[a].default, genes[b].default) {
        c.mark(p.at(genes[a].default, genes[b].default), DEFAULTS);
    }
    c.mark(p.at(genes[a].tuned, genes[b].tuned), CHOSEN);
    c.mark(p.at(pair.from.0, pair.from.1), MINIMUM);
}

/// The part of a range around an outline, [`ZOOM`] times as wide.
fn axis(g: &GeneSummary, outline: &[f64]) -> Axis {
    let whole = Axis { low: g.low, high: g.high, scale: if g.log { Scale::Log } else { Scale::Linear } };
    let places = || outline.iter().map(|v| whole.at(*v));
    let (low, high) = (places().fold(1.0, f64::min), places().fold(0.0, f64::max));
    let (middle, half) = (f64::midpoint(low, high), ZOOM * (high - low).max(0.01) / 2.0);
    let value = |share: f64| match whole.scale {
        Scale::Log => g.low * libm::pow(g.high / g.low, share),
        _ => g.low + share * (g.high - g.low),
    };
    Axis { low: value((middle - half).max(0.0)), high: value((middle + half).min(1.0)), ..whole }
}
