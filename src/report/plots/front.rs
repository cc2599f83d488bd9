//! The front: every candidate of the search, and the reported compromises on fresh seeds; a panel for each pair of objectives.

use super::plot::Plot;
use crate::evolve::summary::{Figure, FrontPoint, FrontSummary, Standing, Summary};
use crate::evolve::verdict::front::axis_words;
use crate::format;
use crate::report::chart::style::{DEFAULT, INK, PAPER, POINT, RGBColor, SOFT, TUNED};
use crate::report::chart::{
    Anchor, Axis, Canvas, Fill, Font, Key, Labels, Legend, Panel, Point, Rect, Scale, Sheet, Stroke, Symbol, steps,
};
use crate::report::front::defaults;
use crate::report::run::Run;

/// Size of the only panel of two objectives, and of a panel where there are several, px.
const WIDE: (f64, f64) = (820.0, 496.0);
const CELL: (f64, f64) = (450.0, 380.0);
/// How far the axes reach beyond the reported points, in widths of their range, where there are candidates of the search.
/// Chosen here: the cloud is seen, and the front is not squeezed into a corner.
const BEYOND: f64 = 0.15;

const HOLDS: Symbol = Symbol::dot(TUNED, 4.0);
const UNCHECKED: Symbol = Symbol::ring(TUNED, 3.6);
const BEHIND: Symbol = Symbol::ring(SOFT, 3.6);
const DEFAULTS: Symbol = Symbol::dot(DEFAULT, 5.0);
const CANDIDATE: Symbol = Symbol::dot(POINT, 2.4).alpha(0.6);
const INFEASIBLE: Symbol = Symbol::ring(POINT, 2.2);

/// One plot; none for one objective, or before there is a point.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let Some(front) = run.summary.front.as_ref().filter(|f| !f.points.is_empty() && f.axes.len() > 1) else {
        return Vec::new();
    };
    let pairs: Vec<(usize, usize)> = (0..front.axes.len()).flat_map(|y| (0..y).map(move |x| (x, y))).collect();
    let cell = if pairs.len() == 1 { WIDE } else { CELL };
    let columns = pairs.len().min(2);
    let mut hidden = 0;
    let sheet = Sheet::new("Compromises between the objectives").width(cell.0 * columns as f64);
    let svg = sheet.legend(legend(run, front)).draw(cell.1 * pairs.len().div_ceil(columns) as f64, |c, top| {
        for (i, pair) in pairs.iter().enumerate() {
            let corner = ((i % columns) as f64 * cell.0, top + (i / columns) as f64 * cell.1);
            hidden = hidden.max(panel(c, run, front, *pair, (corner, cell)));
        }
    });
    let beyond = match hidden {
        0 => String::new(),
        n => format!(" {} outside the picture.", format::are(n, "candidate")),
    };
    let caption = format!(
        "The reported compromises on fresh seeds with 95 % intervals; a thin line leads to what the search saw of each, and the \
         numbers are the ids that crowdtune export --pick takes. Gray: every candidate as the search saw it; those beyond the \
         front were lucky on its few replicas.{beyond}"
    );
    vec![Plot { name: "front".into(), caption, svg }]
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
    ((left, top), (width, height)): (Point, (f64, f64)),
) -> u64 {
    let (x, y) = (axis(run, front, pair.0), axis(run, front, pair.1));
    let (right, bottom) = (left + width - 26.0, top + height - Panel::FOOT);
    let p = Panel { left: left + Panel::LEFT, top, right, bottom, x, y };
    let title = |o: usize, room: f64| {
        let good = if front.axes[o].high_is_good() { "high is good" } else { "low is good" };
        Font::LABEL.cut(&format!("{}, {good}", axis_words(&front.axes[o])), room)
    };
    p.frame(c, &title(pair.0, p.width()), &title(pair.1, p.height()));

    let mut hidden = 0;
    for (trial, _) in run.search().filter(|(t, _)| t.is_done()) {
        match shown(front, pair, &trial.objectives) {
            Some((vx, vy)) if p.holds(vx, vy) => {
                c.mark(p.at(vx, vy), if trial.violation <= 0.0 { CANDIDATE } else { INFEASIBLE });
            }
            Some(_) => hidden += 1,
            None => {}
        }
    }
    if front.axes.len() == 2 {
        stairs(c, front, &p);
    }
    let figures = |f: &[Figure]| Some((*f.get(pair.0)?, *f.get(pair.1)?));
    if let Some(both) = figures(&defaults(run.summary)) {
        intervals(c, &p, front, pair, both, DEFAULT);
        if let Some((x, y)) = values(front, pair, both) {
            c.mark(p.at(x, y), DEFAULTS);
        }
    }
    for point in &front.points {
        let Some((vx, vy)) = shown(front, pair, &losses(point)) else { continue };
        let at = p.at(vx, vy);
        let symbol = match point.standing {
            Standing::Front => HOLDS,
            Standing::Unchecked => UNCHECKED,
            _ => BEHIND,
        };
        if let Some((sx, sy)) = shown(front, pair, &point.search) {
            c.line(&[p.at(sx, sy), at], Stroke::new(SOFT, 1.0).alpha(0.8));
        }
        if let Some(both) = figures(&point.fresh) {
            intervals(c, &p, front, pair, both, symbol.color);
        }
        c.mark(at, symbol);
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
    let points = ends.iter().filter_map(|l| shown(front, (0, 1), l)).map(|(x, y)| p.at(x, y));
    c.line(&steps(points), Stroke::new(TUNED, 1.6).alpha(0.45));
}

/// Values of two figures.
fn values(front: &FrontSummary, pair: (usize, usize), (x, y): (Figure, Figure)) -> Option<(f64, f64)> {
    let both = (x.value?, y.value?);
    Some((front.axes[pair.0].value(both.0), front.axes[pair.1].value(both.1)))
}

/// The intervals of both objectives.
fn intervals(
    c: &mut Canvas<'_>,
    p: &Panel,
    front: &FrontSummary,
    pair: (usize, usize),
    both: (Figure, Figure),
    color: RGBColor,
) {
    let Some((vx, vy)) = values(front, pair, both) else { return };
    let stroke = Stroke::new(color, 1.2).alpha(0.55);
    let ends = |f: Figure, o: usize| f.low.zip(f.high).map(|(a, b)| (front.axes[o].value(a), front.axes[o].value(b)));
    if let Some((a, b)) = ends(both.0, pair.0) {
        c.line(&[p.at(a, vy), p.at(b, vy)], stroke);
    }
    if let Some((a, b)) = ends(both.1, pair.1) {
        c.line(&[p.at(vx, a), p.at(vx, b)], stroke);
    }
}

/// Ids where there is room for them, the recommended point and the knee first; the recommended one gets a halo.
fn labels(c: &mut Canvas<'_>, front: &FrontSummary, p: &Panel, pair: (usize, usize)) {
    let place = |q: &FrontPoint| shown(front, pair, &losses(q)).map(|(x, y)| p.at(x, y));
    let room = Rect { left: p.left, top: p.top - 8.0, right: p.right + 20.0, bottom: p.bottom };
    let mut labels = Labels::new(room, front.points.iter().filter_map(place), 5.0);
    let mut order: Vec<&FrontPoint> =
        front.points.iter().filter(|q| q.standing <= Standing::Unchecked || q.recommended).collect();
    order.sort_by_key(|q| (!q.recommended, !q.knee));
    for q in order {
        let Some((x, y)) = place(q) else { continue };
        let (text, font) = match (q.recommended, q.knee) {
            (true, true) => (format!("{} recommended (knee)", q.id), Font::STRONG),
            (true, false) => (format!("{} recommended", q.id), Font::STRONG),
            (false, true) => (format!("{} knee", q.id), Font::TICK),
            _ => (q.id.to_string(), Font::TICK),
        };
        if q.recommended {
            c.mark((x, y), Symbol::dot(TUNED, 7.5).alpha(0.28));
            c.mark((x, y), Symbol::dot(TUNED, 4.8));
        }
        let width = font.width(&text);
        // Upper right, lower right, lower left, upper left: wherever there is room.
        let places = [(8.0, -9.0), (8.0, 9.0), (-8.0 - width, 9.0), (-8.0 - width, -9.0)]
            .map(|(dx, dy)| Rect::of_text(x + dx, y + dy, width, font.size));
        let found = if q.recommended { labels.must(&places) } else { labels.free(&places) };
        let Some(at) = found else { continue };
        c.rect((at.left, at.top), (at.right, at.bottom), Fill::new(PAPER).alpha(0.7));
        c.text(at.start(), &text, font, INK, Anchor::Start);
    }
}

fn legend(run: &Run<'_>, front: &FrontSummary) -> Legend {
    let has = |standing: fn(Standing) -> bool| front.points.iter().any(|p| standing(p.standing));
    let infeasible = run.search().any(|(t, _)| t.is_done() && t.violation > 0.0);
    Legend::new()
        .with_if(has(|s| s == Standing::Front), Key::Mark(HOLDS), "compromise, on fresh seeds")
        .with_if(has(|s| s == Standing::Unchecked), Key::Mark(UNCHECKED), "front of the search, not checked")
        .with_if(has(|s| s > Standing::Unchecked), Key::Mark(BEHIND), "fell behind on fresh seeds")
        .with_if(published(run.summary), Key::Mark(DEFAULTS), run.summary.defaults_called())
        .with(Key::Mark(CANDIDATE), "candidate")
        .with_if(infeasible, Key::Mark(INFEASIBLE), "misses a must")
}

/// True if the defaults have figures.
fn published(s: &Summary) -> bool {
    defaults(s).iter().all(|f| f.value.is_some())
}
