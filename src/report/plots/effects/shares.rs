//! Bars of shares with intervals, a row for each parameter.

use super::label;
use crate::evolve::sensitivity::{Sensitivity, SobolEffect};
use crate::evolve::summary::Figure;
use crate::report::format;
use crate::report::plots::axis::{Axis, Scale};
use crate::report::plots::canvas::{Canvas, Hold, cut, svg, text_width};
use crate::report::plots::style::{GRID, INK, LABEL, SOFT, TICK, TUNED, WANTED};
use plotters::style::RGBColor;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 220.0;
const RIGHT: f64 = 610.0;
const HEAD: f64 = 84.0;
const ROW: f64 = 46.0;

/// A parameter with its share alone and in all.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Dotted key.
    pub key: String,
    /// Alone.
    pub first: Figure,
    /// Alone and with others.
    pub total: Figure,
}

pub(super) fn draw(s: &Sensitivity, name: &str, genes: &[SobolEffect]) -> String {
    let bars: Vec<Bar> = genes.iter().map(|e| Bar { key: e.key.clone(), first: e.first, total: e.total }).collect();
    self::bars(&format!("What explains {name}"), &format!("{} base points", s.design.samples), &bars)
}

/// The picture: the largest share first.
pub fn bars(title: &str, below: &str, bars: &[Bar]) -> String {
    let mut order: Vec<&Bar> = bars.iter().collect();
    let size = |b: &Bar| b.total.value.unwrap_or(f64::NEG_INFINITY);
    order.sort_by(|a, b| size(b).total_cmp(&size(a)).then_with(|| a.key.cmp(&b.key)));
    let figures = || bars.iter().flat_map(|b| [b.first, b.total]);
    let most = figures().flat_map(|f| [f.value, f.high]).flatten().fold(1.0, f64::max);
    let least = figures().flat_map(|f| [f.value, f.low]).flatten().fold(0.0, f64::min).max(-0.5);
    let axis = Axis { low: least, high: most.min(1.5), scale: Scale::Linear };
    let x = |v: f64| LEFT + (RIGHT - LEFT) * axis.at(v).clamp(0.0, 1.0);
    let bottom = HEAD + ROW * order.len() as f64;
    svg(WIDTH, bottom + 50.0, title, |c| {
        c.title(title, below);
        legend(c);
        for (v, text) in axis.ticks(6) {
            c.line(&[(x(v), HEAD - 6.0), (x(v), bottom)], GRID, 1.0, 1.0);
            c.text(x(v), bottom + 13.0, &text, TICK, SOFT, Hold::Middle);
        }
        c.line(&[(x(0.0), HEAD - 6.0), (x(0.0), bottom)], SOFT, 1.0, 1.0);
        c.text(f64::midpoint(LEFT, RIGHT), bottom + 34.0, "share of the variance", LABEL, INK, Hold::Middle);
        for (i, bar) in order.iter().enumerate() {
            let middle = HEAD + ROW * (i as f64 + 0.5) - 4.0;
            let name = cut(&label(&bar.key), LABEL, LEFT - 34.0);
            c.text(LEFT - 12.0, middle, &name, LABEL, INK, Hold::End);
            one(c, &bar.first, middle - 8.0, TUNED, &x);
            one(c, &bar.total, middle + 8.0, WANTED, &x);
        }
    })
}

fn one(c: &mut Canvas<'_>, f: &Figure, y: f64, color: RGBColor, x: &dyn Fn(f64) -> f64) {
    let Some(value) = f.value else {
        c.text(x(0.0) + 6.0, y, "cannot tell", TICK, SOFT, Hold::Start);
        return;
    };
    c.rect(x(0.0), y - 6.5, x(value), y + 6.5, color, 0.55);
    if let (Some(low), Some(high)) = (f.low, f.high) {
        c.line(&[(x(low), y), (x(high), y)], INK, 1.3, 1.0);
        for end in [low, high] {
            c.line(&[(x(end), y - 3.5), (x(end), y + 3.5)], INK, 1.3, 1.0);
        }
    }
    c.text(RIGHT + 14.0, y, &format::figure(f), TICK, color, Hold::Start);
}

fn legend(c: &mut Canvas<'_>) {
    let mut x = LEFT;
    for (color, text) in [(TUNED, "alone (S1)"), (WANTED, "in all (ST)")] {
        c.rect(x, 54.0, x + 20.0, 66.0, color, 0.55);
        c.text(x + 26.0, 60.0, text, LABEL, INK, Hold::Start);
        x += 52.0 + text_width(text, LABEL);
    }
}
