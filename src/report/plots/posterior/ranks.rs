//! Where planted truths lie in their posteriors.

use crate::evolve::posterior::{Calibration, RankOf};
use crate::format;
use crate::report::chart::style::{DEFAULT, SOFT, TUNED};
use crate::report::chart::{Anchor, Axis, Canvas, Fill, Font, Key, Legend, Panel, Sheet, Stroke};

pub(super) const CAPTION: &str = "How many planted truths have so much of their posterior below them. A right posterior has flat bars (line; 99 % of \
                                  bars lie in the gray band); a hump in the middle is a posterior that is too wide, horns at the ends one that is \
                                  too narrow, a slope one that is shifted.";

const HEIGHT: f64 = 130.0;
const GAP: f64 = 46.0;
const BAND: Fill = Fill::new(SOFT).alpha(0.15);
const LINE: Stroke = Stroke::dashed(DEFAULT, 1.4);
/// Standard deviations of 99 % of a normal distribution, to both sides.
const WIDE: f64 = 2.576;

pub(super) fn draw(calibration: &Calibration) -> String {
    let count = calibration.planted - calibration.without;
    let legend = Legend::new().with(Key::Area(BAND), "99 % of bars, were they flat").with(Key::Line(LINE), "flat");
    let sheet = Sheet::new("Ranks of planted truths in their posteriors")
        .below(format::count(count, "planted truth"))
        .legend(legend);
    let width = sheet.width;
    sheet.draw((HEIGHT + GAP) * calibration.genes.len() as f64, |c, top| {
        for (row, gene) in calibration.genes.iter().enumerate() {
            let top = top + (HEIGHT + GAP) * row as f64;
            ranks(c, (Panel::LEFT, width - 24.0, top), gene, count as f64);
        }
    })
}

fn ranks(c: &mut Canvas<'_>, (left, right, top): (f64, f64, f64), gene: &RankOf, count: f64) {
    let bins = gene.bins.len() as f64;
    let flat = count / bins;
    let sd = (flat * (1.0 - 1.0 / bins)).sqrt();
    let most = gene.bins.iter().map(|&n| n as f64).fold(flat + WIDE * sd, f64::max);
    let panel = Panel {
        left,
        top: top + 18.0,
        right,
        bottom: top + HEIGHT,
        x: Axis::linear(0.0, 1.0),
        y: Axis::linear(0.0, 1.1 * most),
    };
    panel.frame_with(c, ("", &panel.x_ticks()), ("truths", &panel.y_ticks()));
    panel.band(
        c,
        &[(0.0, (flat - WIDE * sd).max(0.0), flat + WIDE * sd), (1.0, (flat - WIDE * sd).max(0.0), flat + WIDE * sd)],
        BAND,
    );
    for (bin, &n) in gene.bins.iter().enumerate() {
        let (a, b) = (panel.at(bin as f64 / bins, n as f64), panel.at((bin as f64 + 1.0) / bins, 0.0));
        c.rect((a.0 + 1.0, a.1), (b.0 - 1.0, b.1), Fill::new(TUNED).alpha(0.5));
    }
    panel.level(c, flat, LINE);
    let text = format!(
        "{}: p {}; inside 50 %: {} %, inside 90 %: {} %",
        format::parameter(&gene.key),
        format::significant(gene.p, 2),
        format::fixed(100.0 * gene.inside_50, 0),
        format::fixed(100.0 * gene.inside_90, 0)
    );
    c.text((left, top + 8.0), &text, Font::LABEL, SOFT, Anchor::Start);
}
