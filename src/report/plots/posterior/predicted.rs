//! What was measured beside what fresh runs with the posterior give.

use crate::evolve::posterior::{Agreement, Posterior};
use crate::evolve::summary::Figure;
use crate::format;
use crate::report::chart::style::{DEFAULT, INK, SOFT, TUNED, WANTED};
use crate::report::chart::{Anchor, Axis, Canvas, Fill, Font, Key, Legend, SIDE, Scale, Sheet, Strip, rule};

pub(super) const CAPTION: &str = "Each measured value with its error (green), and the mean and the interval of 90 % of what would be measured in fresh \
                                  runs with draws of the posterior (blue; red where the measured value is far from it). Each row has its own scale; \
                                  held-out rows say how far the posterior carries over.";

const ROW: f64 = 44.0;
const WIDTH: f64 = 820.0;
const STRIP: (f64, f64) = (230.0, 540.0);
const AREA: Fill = Fill::new(WANTED).alpha(0.22);

pub(super) fn draw(p: &Posterior) -> String {
    let legend = Legend::new()
        .with(Key::Area(AREA), "measured \u{b1} error")
        .with(Key::Marked(Strip::interval(TUNED), Strip::value(TUNED)), "fresh runs");
    let rows: Vec<&Agreement> = p.statistics.iter().filter(|a| a.predicted.is_some()).collect();
    Sheet::new("What was measured, and what the posterior gives").width(WIDTH).legend(legend).draw(
        ROW * rows.len() as f64 + 8.0,
        |c, top| {
            rows.iter().enumerate().for_each(|(i, a)| row(c, a, top + ROW * i as f64));
        },
    )
}

fn row(c: &mut Canvas<'_>, a: &Agreement, top: f64) {
    let Some([mean, low, high]) = a.predicted else { return };
    rule(c, (SIDE, WIDTH - SIDE), top);
    let room = STRIP.0 - 2.0 * SIDE;
    let name = format::name_with_unit(&a.target, &a.unit);
    c.text((SIDE, top + 15.0), &Font::LABEL.cut(&name, room), Font::LABEL, INK, Anchor::Start);
    let case = if a.held_out { format!("{}, held out", a.case) } else { a.case.clone() };
    c.text((SIDE, top + 31.0), &Font::TICK.cut(&case, room), Font::TICK, SOFT, Anchor::Start);
    let ends = [mean, low, high, a.measured - a.sd, a.measured + a.sd];
    let strip = Strip { left: STRIP.0, right: STRIP.1, axis: Axis::around(ends, Scale::Linear) };
    let band = (strip.at(a.measured - a.sd), strip.at(a.measured + a.sd));
    c.rect((band.0.min(band.1 - 1.5), top + 5.0), (band.1, top + 27.0), AREA);
    let color = if a.is_missed() { DEFAULT } else { TUNED };
    strip.figure(c, &Figure { value: Some(mean), low: Some(low), high: Some(high) }, top + 16.0, color);
    strip.ruler(c, top + 28.0);
    let text =
        format!("{}, measured {}", format::interval(Some(mean), Some(low), Some(high)), format::number(a.measured));
    c.text(
        (STRIP.1 + 16.0, top + 16.0),
        &Font::TICK.cut(&text, WIDTH - STRIP.1 - 16.0 - SIDE),
        Font::TICK,
        INK,
        Anchor::Start,
    );
}
