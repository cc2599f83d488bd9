//! The front: every candidate of the search, and the reported compromises on fresh seeds; a panel for each pair of objectives.

use super::Plot;
use super::axis::{Axis, Panel, Scale};
use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::style::{DEFAULT, INK, LABEL, PAPER, POINT, SOFT, TICK, TUNED};
use crate::evolve::summary::{Figure, FrontPoint, FrontSummary, Standing, Summary};
use crate::report::front::{axis_words, defaults};
use crate::report::run::Run;
use plotters::style::RGBColor;

/// Size of the picture of two objectives.
const WIDE: (f64, f64) = (820.0, 560.0);
/// Size of a panel where there are several.
const CELL: (f64, f64) = (450.0, 380.0);
const HEAD: f64 = 64.0;
/// By how much the axes reach beyond the points that are shown, in widths of their range, where candidates of the search lie.
/// Chosen here: the cloud is seen, and the front is not squeezed into a corner.
const BEYOND: f64 = 0.15;

/// One plot; none for one objective, or before there is a point.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let Some(front) = run.summary.front.as_ref().filter(|f| !f.points.is_empty() && f.axes.len() > 1) else {
        return Vec::new();
    };
    let pairs: Vec<(usize, usize)> = (0..front.axes.len()).flat_map(|y| (0..y).map(move |x| (x, y))).collect();
    let cell = if pairs.len() == 1 { WIDE } else { CELL };
    let columns = pairs.len().min(2);
    let size = (
        cell.0 * columns as f64,
        HEAD + (cell.1 - if pairs.len() == 1 { HEAD } else { 0.0 }) * pairs.len().div_ceil(columns) as f64,
    );
    let label = "Compromises between the objectives";
    let mut hidden = 0;
    let picture = svg(size.0, size.1, label, |c| {
        c.title(label, "");
        legend(c, run, front);
        for (i, pair) in pairs.iter().enumerate() {
            let corner = ((i % columns) as f64 * cell.0, HEAD + (i / columns) as f64 * cell.1);
            let height = if pairs.len() == 1 { cell.1 - HEAD } else { cell.1 };
            let beyond = panel(c, run, front, *pair, (corner, (cell.0, height)));
            hidden = hidden.max(beyond);
        }
    });
    let beyond = match hidden {
        0 => String::new(),
        n => format!(" {n} candidates lie beyond the axes."),
    };
    let caption = format!(
        "The reported compromises on fresh seeds with 95 % intervals; a thin line leads to what the search saw of each, and numbers \
         are the ids that crowdtune export --pick takes. Gray: every candidate as the search saw it; those beyond the front were \
         lucky on its few replicas.{beyond}"
    );
    vec![Plot { name: "front".into(), caption, svg: picture }]
}

/// A loss pair as it is shown.
fn shown(front: &FrontSummary, (x, y): (usize, usize), losses: &[f64]) -> Option<(f64, f64)> {
    let at = |o: usize| losses.get(o).map(|l| front.axes[o].value(*l)).filter(|v| v.is_finite() && v.abs() < 1e300);
    at(x).zip(at(y))
}

/// Values of fresh figures, of a point that has them; else what the search saw.
fn losses(p: &FrontPoint) -> Vec<f64> {
    let fresh: Vec<f64> = p.fresh.iter().filter_map(|f| f.value).collect();
    if fresh.len() == p.fresh.len() && !fresh.is_empty() { fresh } else { p.search.clone() }
}

/// The axis of one objective: all that was reported and the defaults, and the cloud of the search as far as it is near.
fn axis(run: &Run<'_>, front: &FrontSummary, o: usize) -> Axis {
    let show = |l: f64| front.axes[o].value(l);
    let ends = |f: &Figure| [f.value, f.low, f.high].into_iter().flatten();
    let of_points =
        front.points.iter().flat_map(|p| p.fresh.get(o).into_iter().flat_map(ends).chain(p.search.get(o).copied()));
    let of_defaults = run.summary.objectives.get(o).map(|s| s.default);
    let near: Vec<f64> =
        of_points.chain(of_defaults.iter().flat_map(ends)).map(show).filter(|v| v.abs() < 1e300).collect();
    let (low, high) = near.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
    let reach = BEYOND * (high - low);
    let cloud = run.search().filter_map(|(t, _)| t.objectives.get(o).copied()).map(show);
    let cloud = cloud.filter(|v| (low - reach..=high + reach).contains(v));
    Axis::around(near.iter().copied().chain(cloud), Scale::Linear)
}

/// One pair of objectives; gives the number of candidates beyond the axes.
fn panel(
    c: &mut Canvas<'_>,
    run: &Run<'_>,
    front: &FrontSummary,
    pair: (usize, usize),
    ((left, top), (width, height)): ((f64, f64), (f64, f64)),
) -> usize {
    let (x, y) = (axis(run, front, pair.0), axis(run, front, pair.1));
    let p = Panel { left: left + 84.0, top: top + 14.0, right: left + width - 26.0, bottom: top + height - 52.0, x, y };
    let title = |o: usize, room: f64| {
        let good = if front.axes[o].high_is_good() { "high is good" } else { "low is good" };
        cut(&format!("{}, {good}", axis_words(&front.axes[o])), LABEL, room)
    };
    let ticks = p.x.ticks(((p.right - p.left) / 55.0) as usize);
    let (right, up) = (title(pair.0, p.right - p.left), title(pair.1, p.bottom - p.top));
    p.frame_with(c, &right, &up, &ticks, &p.y_ticks());

    let mut hidden = 0;
    for (trial, _) in run.search().filter(|(t, _)| t.is_done()) {
        let Some((vx, vy)) = shown(front, pair, &trial.objectives) else { continue };
        if vx < x.low || vx > x.high || vy < y.low || vy > y.high {
            hidden += 1;
            continue;
        }
        let (px, py) = p.place(vx, vy);
        if trial.violation <= 0.0 { c.dot(px, py, 2.4, POINT, 0.6) } else { c.ring(px, py, 2.2, POINT) }
    }
    if front.axes.len() == 2 {
        stairs(c, front, &p);
    }
    let figures = |f: &[Figure]| Some((*f.get(pair.0)?, *f.get(pair.1)?));
    if let Some(both) = figures(&defaults(run.summary)) {
        cross(c, &p, front, pair, both, DEFAULT);
        if let Some((px, py)) = values(front, pair, both).map(|(x, y)| p.place(x, y)) {
            c.dot(px, py, 5.0, DEFAULT, 1.0);
        }
    }
    for point in &front.points {
        let Some((vx, vy)) = shown(front, pair, &losses(point)) else { continue };
        let at = p.place(vx, vy);
        let color = if point.standing > Standing::Unchecked { SOFT } else { TUNED };
        if let Some((sx, sy)) = shown(front, pair, &point.search) {
            c.line(&[p.place(sx, sy), at], SOFT, 1.0, 0.8);
        }
        if let Some(both) = figures(&point.fresh) {
            cross(c, &p, front, pair, both, color);
        }
        match point.standing {
            Standing::Front => c.dot(at.0, at.1, 4.0, color, 1.0),
            _ => c.ring(at.0, at.1, 3.6, color),
        }
    }
    labels(c, front, &p, pair);
    hidden
}

/// The edge of what is dominated, of two objectives.
fn stairs(c: &mut Canvas<'_>, front: &FrontSummary, p: &Panel) {
    let standing = front.points.iter().map(|p| p.standing).min();
    let members = front.points.iter().filter(|p| Some(p.standing) == standing && p.standing <= Standing::Unchecked);
    let mut ends: Vec<Vec<f64>> = members.map(losses).filter(|l| l.len() == 2).collect();
    ends.sort_by(|a, b| a[0].total_cmp(&b[0]).then(b[1].total_cmp(&a[1])));
    let mut way = Vec::new();
    for (i, here) in ends.iter().enumerate() {
        if i > 0 {
            way.extend(shown(front, (0, 1), &[here[0], ends[i - 1][1]]));
        }
        way.extend(shown(front, (0, 1), here));
    }
    let way: Vec<(f64, f64)> = way.into_iter().map(|(x, y)| p.place(x, y)).collect();
    c.line(&way, TUNED, 1.6, 0.45);
}

/// Values of two figures.
fn values(front: &FrontSummary, pair: (usize, usize), (x, y): (Figure, Figure)) -> Option<(f64, f64)> {
    let both = (x.value?, y.value?);
    Some((front.axes[pair.0].value(both.0), front.axes[pair.1].value(both.1)))
}

/// Intervals to both sides.
fn cross(
    c: &mut Canvas<'_>,
    p: &Panel,
    front: &FrontSummary,
    pair: (usize, usize),
    both: (Figure, Figure),
    color: RGBColor,
) {
    let Some((vx, vy)) = values(front, pair, both) else { return };
    let ends = |f: Figure, o: usize| f.low.zip(f.high).map(|(a, b)| (front.axes[o].value(a), front.axes[o].value(b)));
    if let Some((a, b)) = ends(both.0, pair.0) {
        c.line(&[p.place(a, vy), p.place(b, vy)], color, 1.2, 0.55);
    }
    if let Some((a, b)) = ends(both.1, pair.1) {
        c.line(&[p.place(vx, a), p.place(vx, b)], color, 1.2, 0.55);
    }
}

/// Ids where there is room for them; rings around the knee and the recommended point, which are named first.
fn labels(c: &mut Canvas<'_>, front: &FrontSummary, p: &Panel, pair: (usize, usize)) {
    let place = |q: &FrontPoint| shown(front, pair, &losses(q)).map(|(x, y)| p.place(x, y));
    let dots: Vec<(f64, f64)> = front.points.iter().filter_map(place).collect();
    let mut taken: Vec<(f64, f64, f64, f64)> = dots.iter().map(|(x, y)| (x - 5.0, y - 5.0, x + 5.0, y + 5.0)).collect();
    let mut order: Vec<&FrontPoint> =
        front.points.iter().filter(|q| q.standing <= Standing::Unchecked || q.recommended).collect();
    order.sort_by_key(|q| (!q.recommended, !q.knee));
    for q in order {
        let Some((x, y)) = place(q) else { continue };
        let (text, bold) = match (q.recommended, q.knee) {
            (true, true) => (format!("{} recommended (knee)", q.id), true),
            (true, false) => (format!("{} recommended", q.id), true),
            (false, true) => (format!("{} knee", q.id), false),
            _ => (q.id.to_string(), false),
        };
        if q.recommended {
            c.dot(x, y, 7.5, TUNED, 0.28);
            c.dot(x, y, 4.8, TUNED, 1.0);
        }
        let width = text_width(&text, TICK) * if bold { 1.08 } else { 1.0 };
        // Right above, right below, left below, left above: where it is free.
        let spots = [(8.0, -9.0), (8.0, 9.0), (-8.0 - width, 9.0), (-8.0 - width, -9.0)];
        let boxes = spots.map(|(dx, dy)| (x + dx, y + dy - 6.0, x + dx + width, y + dy + 6.0));
        let free = |b: &(f64, f64, f64, f64)| {
            let inside = b.0 > p.left && b.2 < p.right + 20.0 && b.1 > p.top - 8.0 && b.3 < p.bottom;
            inside && !taken.iter().any(|t| b.0 < t.2 && b.2 > t.0 && b.1 < t.3 && b.3 > t.1)
        };
        let found = boxes.into_iter().find(free).or_else(|| bold.then_some(boxes[0]));
        let Some(spot) = found else { continue };
        taken.push(spot);
        let (tx, ty) = (spot.0, spot.1 + 6.0);
        c.rect(spot.0, spot.1, spot.2, spot.3, PAPER, 0.7);
        if bold { c.bold(tx, ty, &text, TICK, INK, Hold::Start) } else { c.text(tx, ty, &text, TICK, INK, Hold::Start) }
    }
}

fn legend(c: &mut Canvas<'_>, run: &Run<'_>, front: &FrontSummary) {
    let y = 44.0;
    let mut x = 16.0;
    let mut entry = |c: &mut Canvas<'_>, text: &str, mark: &dyn Fn(&mut Canvas<'_>, f64)| {
        mark(c, x);
        c.text(x + 16.0, y, text, LABEL, INK, Hold::Start);
        x += 32.0 + text_width(text, LABEL);
    };
    let has = |standing: fn(Standing) -> bool| front.points.iter().any(|p| standing(p.standing));
    if has(|s| s == Standing::Front) {
        entry(c, "compromise, on fresh seeds", &|c, x| c.dot(x + 6.0, y, 4.0, TUNED, 1.0));
    }
    if has(|s| s == Standing::Unchecked) {
        entry(c, "front of the search, not checked", &|c, x| c.ring(x + 6.0, y, 3.6, TUNED));
    }
    if has(|s| s > Standing::Unchecked) {
        entry(c, "fell behind on fresh seeds", &|c, x| c.ring(x + 6.0, y, 3.6, SOFT));
    }
    if published(run.summary) {
        entry(c, "published defaults", &|c, x| c.dot(x + 6.0, y, 5.0, DEFAULT, 1.0));
    }
    entry(c, "candidate", &|c, x| c.dot(x + 6.0, y, 2.4, POINT, 0.7));
    if run.search().any(|(t, _)| t.is_done() && t.violation > 0.0) {
        entry(c, "misses a must", &|c, x| c.ring(x + 6.0, y, 2.2, POINT));
    }
}

/// True if the defaults have figures.
fn published(s: &Summary) -> bool {
    defaults(s).iter().all(|f| f.value.is_some())
}
