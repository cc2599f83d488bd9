//! The finalists: what the search saw of each beside what fresh seeds say.

use super::plot::Plot;
use crate::evolve::summary::{Figure, FinalistSummary};
use crate::report::chart::style::{DEFAULT, INK, POINT, SOFT, TUNED};
use crate::report::chart::{
    Anchor, Axis, Canvas, Font, Key, Legend, Panel, SIDE, Scale, Sheet, Strip, Stroke, Symbol, WIDTH, rule,
};
use crate::report::run::Run;
use crate::report::verdict;

/// Height of a row, px.
const ROW: f64 = 34.0;
/// Ends of the strip of values, px.
const STRIP: (f64, f64) = (210.0, 730.0);
/// Where names are cut, px.
const NAME: f64 = STRIP.0 - 30.0;
/// Defaults further off than this many times the spread of the finalists are named at the edge. Chosen here: next to
/// defaults that are shown, the finalists still take a quarter of the width.
const FAR: f64 = 3.0;
/// Least half width of the axis where defaults are far off, as a share of the values. Chosen here: three digits tell the
/// ticks apart.
const LEAST: f64 = 0.02;
const SEARCH: Symbol = Symbol::ring(SOFT, 4.0);
const ARROW: Stroke = Stroke::new(DEFAULT, 2.0);

const TITLE: &str = "Finalists: what the search saw, and what fresh seeds say";
const CAPTION: &str = "What the search saw of each finalist (ring), what the fresh seeds of the selection say (gray), and what \
                       the seeds of the report say, which were used for nothing else. A ring to the left of its intervals \
                       looked better than it is: the best of many is partly luck.";

/// One plot; none before a selection.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let race = &run.summary.race;
    if race.is_empty() {
        return Vec::new();
    }
    let (axis, far) = axis(race);
    let strip = Strip { left: STRIP.0, right: STRIP.1, axis };
    let figure = |color| Key::Marked(Strip::interval(color), Strip::value(color));
    let legend = Legend::new()
        .with(Key::Mark(SEARCH), "search")
        .with(figure(POINT), "selection")
        .with(figure(TUNED), "report, tuned")
        .with(figure(DEFAULT), "report, defaults");
    let rows = ROW * race.len() as f64;
    let svg = Sheet::new(TITLE).legend(legend).draw(rows + Panel::FOOT, |c, top| {
        let name = run.summary.objectives.first().map_or("loss", |o| o.name.as_str());
        strip.frame(c, (top, top + rows), name);
        for (i, f) in race.iter().enumerate() {
            row(c, f, top + ROW * i as f64, &strip, far && f.defaults);
        }
    });
    vec![Plot { name: "finalists".into(), caption: CAPTION.into(), svg }]
}

/// The axis, and whether it leaves out the defaults because they lie far off.
fn axis(race: &[FinalistSummary]) -> (Axis, bool) {
    let spread = |defaults: bool| {
        let shown: Vec<f64> = race.iter().filter(|f| defaults || !f.defaults).flat_map(values).collect();
        let (low, high) = shown.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
        (shown, high - low)
    };
    let ((near, narrow), (all, wide)) = (spread(false), spread(true));
    let far = !near.is_empty() && wide > (1.0 + FAR) * narrow;
    // Equal values need an axis all the same, wide enough to tell its ticks apart.
    let size = near.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let around = near.first().filter(|_| narrow < LEAST * size).map(|v| [v - LEAST * size, v + LEAST * size]);
    let shown = if far { near.iter().copied().chain(around.into_iter().flatten()).collect() } else { all };
    (Axis::around(shown, Scale::Linear), far)
}

/// Everything that is shown of a finalist.
fn values(f: &FinalistSummary) -> Vec<f64> {
    let ends = |f: &Figure| [f.value, f.low, f.high];
    let all = [f.search].into_iter().chain(ends(&f.selection)).chain(ends(&f.fresh));
    all.flatten().filter(|v| v.abs() < 1e300).collect()
}

fn row(c: &mut Canvas<'_>, f: &FinalistSummary, top: f64, strip: &Strip, beyond: bool) {
    let middle = top + ROW / 2.0;
    rule(c, (SIDE, WIDTH - SIDE), top);
    let font = if f.recommended { Font::HEADING } else { Font::LABEL };
    c.text((SIDE, middle - 6.0), &font.cut(&verdict::finalist(f), NAME), font, INK, Anchor::Start);
    c.text((SIDE, middle + 8.0), &Font::TICK.cut(&verdict::fate(f), NAME), Font::TICK, SOFT, Anchor::Start);
    if beyond {
        return arrow(c, f, middle, strip);
    }
    strip.figure(c, &f.selection, middle - 4.0, POINT);
    strip.figure(c, &f.fresh, middle + 7.0, if f.defaults { DEFAULT } else { TUNED });
    if let Some(v) = f.search.filter(|v| v.is_finite()) {
        c.mark((strip.at(v), middle - 4.0), SEARCH);
    }
}

/// Defaults that the axis does not reach: an arrow, and their figure in words.
fn arrow(c: &mut Canvas<'_>, f: &FinalistSummary, y: f64, strip: &Strip) {
    let figure = if f.fresh.value.is_some() { &f.fresh } else { &f.selection };
    let right = figure.value.is_none_or(|v| v > strip.axis.high);
    let (tip, way, anchor) = if right { (strip.right, -1.0, Anchor::End) } else { (strip.left, 1.0, Anchor::Start) };
    let tail = tip + 16.0 * way;
    c.line(&[(tail, y), (tip, y)], ARROW);
    c.line(&[(tip + 5.0 * way, y - 4.0), (tip, y), (tip + 5.0 * way, y + 4.0)], ARROW);
    let text = format!("beyond the axis: {}", figure);
    c.text((tail + 6.0 * way, y), &text, Font::TICK, DEFAULT, anchor);
}
