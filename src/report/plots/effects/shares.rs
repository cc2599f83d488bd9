//! Bars of shares with intervals, a row for each parameter.

use crate::evolve::sensitivity::{Sensitivity, SobolEffect};
use crate::evolve::summary::Figure;
use crate::format;
use crate::report::chart::style::{INK, RGBColor, SOFT, TUNED, WANTED};
use crate::report::chart::{Anchor, Axis, Canvas, Fill, Font, Key, Legend, Panel, Sheet, Strip, Stroke};

/// Ends of the strip of bars, px; names stand to the left, figures to the right.
const STRIP: (f64, f64) = (210.0, 590.0);
/// Height of a row, px.
const ROW: f64 = 46.0;
/// Half the height of a bar, px.
const HALF: f64 = 6.5;
/// Shares beyond these are cut off: an index lies in 0 to 1 but for sampling error.
const ENDS: (f64, f64) = (-0.5, 1.5);
/// The share of a parameter alone, and in total.
const COLORS: [RGBColor; 2] = [TUNED, WANTED];

/// A parameter with its shares.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report::plots) struct Bar {
    /// Dotted key.
    pub key: String,
    /// Alone.
    pub first: Figure,
    /// In total, with its interactions.
    pub total: Figure,
}

pub(super) fn draw(s: &Sensitivity, name: &str, genes: &[SobolEffect]) -> String {
    let rows: Vec<Bar> = genes.iter().map(|e| Bar { key: e.key.clone(), first: e.first, total: e.total }).collect();
    bars(&format!("What explains {name}"), &format::count(s.design.samples.into(), "base point"), &rows)
}

/// The picture: the largest share first.
pub(in crate::report::plots) fn bars(title: &str, below: &str, bars: &[Bar]) -> String {
    let mut order: Vec<&Bar> = bars.iter().collect();
    let size = |b: &Bar| b.total.value.unwrap_or(f64::NEG_INFINITY);
    order.sort_by(|a, b| size(b).total_cmp(&size(a)).then_with(|| a.key.cmp(&b.key)));
    let figures = || bars.iter().flat_map(|b| [b.first, b.total]);
    let high = figures().flat_map(|f| [f.value, f.high]).flatten().fold(1.0, f64::max).min(ENDS.1);
    let low = figures().flat_map(|f| [f.value, f.low]).flatten().fold(0.0, f64::min).max(ENDS.0);
    let strip = Strip { left: STRIP.0, right: STRIP.1, axis: Axis::linear(low, high) };
    let [first, total] = COLORS.map(|color| Key::Area(fill(color)));
    let legend = Legend::new().with(first, "alone (S1)").with(total, "total, with interactions (ST)");
    let rows = ROW * order.len() as f64;
    Sheet::new(title).below(below).legend(legend).draw(rows + Panel::FOOT, |c, top| {
        let bottom = top + rows;
        strip.frame(c, (top - 6.0, bottom), "share of the variance");
        c.line(&[(strip.at(0.0), top - 6.0), (strip.at(0.0), bottom)], Stroke::new(SOFT, 1.0));
        for (i, bar) in order.iter().enumerate() {
            let middle = top + ROW * (i as f64 + 0.5) - 4.0;
            let name = Font::LABEL.cut(&format::parameter(&bar.key), STRIP.0 - 34.0);
            c.text((STRIP.0 - 12.0, middle), &name, Font::LABEL, INK, Anchor::End);
            one(c, &strip, &bar.first, middle - 8.0, COLORS[0]);
            one(c, &strip, &bar.total, middle + 8.0, COLORS[1]);
        }
    })
}

fn fill(color: RGBColor) -> Fill {
    Fill::new(color).alpha(0.55)
}

fn one(c: &mut Canvas<'_>, strip: &Strip, f: &Figure, y: f64, color: RGBColor) {
    let zero = strip.at(0.0);
    let Some(value) = f.value else {
        return c.text((zero + 6.0, y), "cannot tell", Font::TICK, SOFT, Anchor::Start);
    };
    c.rect((zero, y - HALF), (strip.at(value), y + HALF), fill(color));
    if let (Some(low), Some(high)) = (f.low, f.high) {
        c.interval((strip.at(low), y), (strip.at(high), y), 3.5, Stroke::new(INK, 1.3));
    }
    c.text((STRIP.1 + 14.0, y), &f.to_string(), Font::TICK, color, Anchor::Start);
}
