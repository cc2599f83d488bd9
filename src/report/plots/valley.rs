//! Two parameters that may make up for each other: trials of the search, and the profiles that were simulated.

use super::plot::Plot;
use crate::evolve::summary::{GeneSummary, Identified, Profile};
use crate::format;
use crate::report::chart::style::{DEFAULT, INK, POINT, TUNED, WANTED, ramp};
use crate::report::chart::{Axis, Canvas, Graph, Key, Legend, Panel, Scale, Sheet, Stroke, Symbol};
use crate::report::learned::place;
use crate::report::run::Run;
use crowdtune_search::{Trial, better};

/// The picture is this many times as wide as what is within the noise. Chosen here: its surroundings are seen.
const ZOOM: f64 = 3.0;
/// The same around the recommendation with all points of the profiles, where none but it is within the noise.
const WHOLE: f64 = 1.2;
/// Narrowest picture, as a share of the range. Chosen here: its ticks differ in the third digit.
const NARROW: f64 = 0.005;
/// Share of the trials, the best ones, over which the color scale runs.
const COLORED: f64 = 0.5;

const WAY: Stroke = Stroke::new(WANTED, 2.0);
const WITHIN: Symbol = Symbol::dot(WANTED, 4.5);
const BEYOND: Symbol = Symbol::ring(INK, 4.0);
const CHOSEN: Symbol = Symbol::dot(TUNED, 5.5);
const DEFAULTS: Symbol = Symbol::cross(DEFAULT, 6.0);
const WORSE: Symbol = Symbol::dot(POINT, 2.2).alpha(0.45);

const CHECKED: &str = "Everything here was simulated. Small points: trials of the search, blue is a small loss. Large points: profiles, \
                       each with one parameter or direction held and the others searched anew, on seeds of their own; filled \
                       ones are within the noise of the recommendation (the first and the last were confirmed on fresh seeds where seeds \
                       matter). The line joins those along the direction in which the \
                       loss is flattest. Other parameters differ from point to point.";
const UNCHECKED: &str = "Trials of the search by the two of its parameters that a model of the log has most tied to each other; blue is \
                         a small loss. How far they may go together was not simulated. Other parameters differ from point to point.";

fn colored(share: f64) -> Symbol {
    Symbol::dot(ramp(share), 3.2).alpha(0.85)
}

/// One plot; none with fewer than two numbers or where nothing can be said.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let s = run.summary;
    let Some(found) = &s.identified else { return Vec::new() };
    let way = found.profiles.iter().find(|p| p.keys.len() > 1);
    let keys = match (way, found.pairs.first()) {
        (Some(way), _) => most(s.genes.as_slice(), found, way),
        (None, Some(pair)) => Some((pair.keys.0.clone(), pair.keys.1.clone())),
        (None, None) => None,
    };
    let Some((first, second)) = keys else { return Vec::new() };
    let gene = |key: &str| s.genes.iter().position(|g| g.key == key);
    let (Some(a), Some(b)) = (gene(&first), gene(&second)) else { return Vec::new() };
    let mut legend = Legend::new();
    if way.is_some() {
        legend = legend.with(Key::Mark(WITHIN), "profile, within the noise").with(Key::Mark(BEYOND), "profile, beyond");
    }
    let legend = legend
        .with(Key::Mark(CHOSEN), "tuned")
        .with(Key::Mark(DEFAULTS), run.summary.defaults_called())
        .with(Key::Mark(colored(0.0)), "best trials")
        .with(Key::Mark(colored(1.0)), "middling")
        .with(Key::Mark(WORSE), "worse half");
    let (x, y) = (format::words(&first), format::words(&second));
    let below = match way {
        Some(_) => "How far these two can go while the others follow, as simulated",
        None => "These two may make up for each other; nothing was simulated to check it",
    };
    let sheet = Sheet::new(format!("{y} against {x}")).below(below).legend(legend);
    let shown = simulated(found, (&first, &second), s.genes[a].tuned, s.genes[b].tuned);
    let within = shown.iter().filter(|p| p.1).count() > 1;
    let zoom = if within { ZOOM } else { WHOLE };
    let (xs, ys): (Vec<f64>, Vec<f64>) = shown.iter().filter(|p| p.1 || !within).map(|p| p.0).unzip();
    let graph = Graph {
        height: 344.0,
        right: 40.0,
        ..Graph::new(sheet, (axis(&s.genes[a], &xs, zoom), x), (axis(&s.genes[b], &ys, zoom), y))
    };
    let joined: Vec<(f64, f64)> = way.map_or_else(Vec::new, |way| {
        let inside = &way.points[way.within.first..=way.within.last];
        let at = |key: &str| place(found, key);
        inside.iter().filter_map(|p| Some((p.at[at(&first)?], p.at[at(&second)?]))).collect()
    });
    let svg = graph.draw(|c, p| draw(c, p, run, (&shown, &joined), (a, b)));
    let caption = if way.is_some() { CHECKED } else { UNCHECKED };
    vec![Plot { name: "valley".into(), caption: caption.into(), svg }]
}

/// The two parameters that go furthest along a direction.
fn most(genes: &[GeneSummary], found: &Identified, way: &Profile) -> Option<(String, String)> {
    let (first, last) = (way.points.first()?, way.points.last()?);
    let share = |key: &String| -> Option<(f64, String)> {
        let (gene, k) = (genes.iter().find(|g| g.key == *key)?, place(found, key)?);
        let scale = |x: f64| if gene.log { libm::log(x) } else { x };
        Some(((scale(last.at[k]) - scale(first.at[k])).abs() / (scale(gene.high) - scale(gene.low)), key.clone()))
    };
    let mut all: Vec<_> = way.keys.iter().filter_map(share).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut two: Vec<String> = all.into_iter().take(2).map(|(_, key)| key).collect();
    two.sort();
    Some((two.first()?.clone(), two.get(1)?.clone()))
}

/// Profile points in the plane of two parameters, and whether they are claimed to be within the noise; the recommendation last.
fn simulated(found: &Identified, keys: (&str, &str), a: f64, b: f64) -> Vec<((f64, f64), bool)> {
    let (Some(i), Some(j)) = (place(found, keys.0), place(found, keys.1)) else { return vec![((a, b), true)] };
    let line = |p: &Profile| -> Vec<((f64, f64), bool)> {
        let within = p.within.first..=p.within.last;
        p.points.iter().enumerate().map(|(k, point)| ((point.at[i], point.at[j]), within.contains(&k))).collect()
    };
    let mut points: Vec<_> = found.profiles.iter().flat_map(line).filter(|p| p.0 != (a, b)).collect();
    points.sort_by_key(|p| p.1);
    points.push(((a, b), true));
    points
}

type Points<'a> = (&'a [((f64, f64), bool)], &'a [(f64, f64)]);

fn draw(c: &mut Canvas<'_>, p: &Panel, run: &Run<'_>, (shown, joined): Points<'_>, (a, b): (usize, usize)) {
    let genes = &run.summary.genes;
    let mut done: Vec<(&Trial, &[f64])> = run.search().filter(|(t, _)| t.is_done() && t.violation <= 0.0).collect();
    done.sort_by(|a, b| better(a.0, b.0));
    let best = ((done.len() as f64 * COLORED) as usize).max(1).min(done.len());
    for (rank, (_, row)) in done.iter().enumerate().rev().filter(|(_, (_, row))| p.holds(row[a], row[b])) {
        c.mark(p.at(row[a], row[b]), if rank < best { colored(rank as f64 / best as f64) } else { WORSE });
    }
    let joined: Vec<_> = joined.iter().map(|&(x, y)| p.at(x, y)).collect();
    c.line(&joined, WAY);
    // The recommendation comes last, below its own mark.
    for &((x, y), within) in shown[..shown.len() - 1].iter().filter(|((x, y), _)| p.holds(*x, *y)) {
        c.mark(p.at(x, y), if within { WITHIN } else { BEYOND });
    }
    if p.holds(genes[a].default, genes[b].default) {
        c.mark(p.at(genes[a].default, genes[b].default), DEFAULTS);
    }
    c.mark(p.at(genes[a].tuned, genes[b].tuned), CHOSEN);
}

/// The part of a range around values, so many times as wide; all of it around one value.
fn axis(g: &GeneSummary, values: &[f64], zoom: f64) -> Axis {
    let whole = Axis { low: g.low, high: g.high, scale: if g.log { Scale::Log } else { Scale::Linear } };
    let places = || values.iter().map(|v| whole.at(*v));
    let (low, high) = (places().fold(1.0, f64::min), places().fold(0.0, f64::max));
    if high <= low {
        return whole;
    }
    let (middle, half) = (f64::midpoint(low, high), (zoom * (high - low)).max(NARROW) / 2.0);
    let value = |share: f64| match whole.scale {
        Scale::Log => g.low * libm::pow(g.high / g.low, share),
        _ => g.low + share * (g.high - g.low),
    };
    Axis { low: value((middle - half).max(0.0)), high: value((middle + half).min(1.0)), ..whole }
}
