//! Targets with their bands: a row each, defaults and tuned with their intervals.

use super::plot::Plot;
use crate::evolve::summary::Tone;
use crate::evolve::summary::{Figure, TargetSummary};
use crate::format;
use crate::report::chart::style::{DEFAULT, INK, SOFT, TUNED, WANTED};
use crate::report::chart::{Anchor, Axis, Canvas, Fill, Font, Key, Legend, SIDE, Scale, Sheet, Strip, Stroke, rule};
use crate::report::run::Run;
use crate::report::verdict;

/// Width of the picture: names, a strip of values, figures and a word, px.
const WIDTH: f64 = 820.0;
/// Height of a row, px.
const ROW: f64 = 64.0;
/// Ends of the strip of values, px.
const STRIP: (f64, f64) = (196.0, 556.0);
/// Where names and what is wanted are cut, px.
const NAME: f64 = STRIP.0 - 40.0;
/// From the top of a row: the upper and lower edge of the band, px.
const BAND: (f64, f64) = (5.0, 43.0);
/// From the top of a row: the defaults, and the tuned set, px.
const LINES: [f64; 2] = [14.0, 32.0];
/// Room for the word at the right end, px.
const WORD: f64 = 84.0;
const AREA: Fill = Fill::new(WANTED).alpha(0.22);

const CAPTION: &str = "What is wanted (green), the defaults and the tuned set with 95 % intervals on fresh seeds; \
                       each row has its own scale.";

/// One plot; none where nothing is measured.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let targets = &run.summary.targets;
    if targets.is_empty() {
        return Vec::new();
    }
    let figure = |color| Key::Marked(Strip::interval(color), Strip::value(color));
    let legend = Legend::new()
        .with(Key::Area(AREA), "wanted")
        .with(figure(DEFAULT), run.summary.defaults_called())
        .with(figure(TUNED), "tuned");
    let sheet = Sheet::new("Targets").width(WIDTH).legend(legend);
    let svg = sheet.draw(ROW * targets.len() as f64 + 8.0, |c, top| {
        targets.iter().enumerate().for_each(|(i, t)| row(c, t, top + ROW * i as f64));
    });
    vec![Plot { name: "targets".into(), caption: CAPTION.into(), svg }]
}

fn row(c: &mut Canvas<'_>, t: &TargetSummary, top: f64) {
    rule(c, (SIDE, WIDTH - SIDE), top);
    let name = if t.unit.is_empty() { t.name.clone() } else { format!("{} ({})", t.name, format::unit(&t.unit)) };
    c.text((SIDE, top + 16.0), &Font::HEADING.cut(&name, NAME), Font::HEADING, INK, Anchor::Start);
    let must = if t.must { ", must" } else { "" };
    let wanted = if t.wanted.is_empty() { "measured only".into() } else { format!("{}{must}", t.wanted) };
    c.text((SIDE, top + 33.0), &Font::TICK.cut(&wanted, NAME), Font::TICK, SOFT, Anchor::Start);

    let ends = |f: &Figure| [f.value, f.low, f.high];
    let values = ends(&t.default).into_iter().chain(ends(&t.tuned)).chain([t.band.0, t.band.1]);
    let strip = Strip { left: STRIP.0, right: STRIP.1, axis: Axis::around(values.flatten(), Scale::Linear) };
    let edges = [t.band.0, t.band.1];
    if edges.iter().any(Option::is_some) {
        let low = edges[0].map_or(strip.left, |v| strip.at(v));
        let high = edges[1].map_or(strip.right, |v| strip.at(v));
        c.rect((low, top + BAND.0), (high, top + BAND.1), AREA);
        for x in edges.into_iter().flatten().map(|v| strip.at(v)) {
            c.line(&[(x, top + BAND.0), (x, top + BAND.1)], Stroke::new(WANTED, 1.6));
        }
    }
    strip.ruler(c, top + BAND.1);
    for ((f, color), y) in [(&t.default, DEFAULT), (&t.tuned, TUNED)].into_iter().zip(LINES) {
        strip.figure(c, f, top + y, color);
        let text = Font::TICK.cut(&f.to_string(), WIDTH - STRIP.1 - WORD);
        c.text((STRIP.1 + 14.0, top + y), &text, Font::TICK, color, Anchor::Start);
    }
    let (word, tone) = verdict::standing(t);
    let color = if tone == Tone::Green { WANTED } else { INK };
    c.text((WIDTH - SIDE, top + 24.0), word, Font::STRONG, color, Anchor::End);
}
