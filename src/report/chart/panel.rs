//! Where values lie on the canvas: a panel has two axes, a strip has one.

use super::axis::{Axis, Ticks};
use super::canvas::{Canvas, Point};
use super::legend::ROW;
use super::marks::{Fill, Stroke, Symbol};
use super::style::{GRID, INK, RGBColor, SOFT};
use super::text::{Anchor, Font};
use crate::evolve::summary::Figure;

/// Grid lines.
const RULE: Stroke = Stroke::new(GRID, 1.0);
/// The axes themselves.
const EDGE: Stroke = Stroke::new(SOFT, 1.0);
/// From an axis to the middle of its tick labels, px: to the right of the y axis, below the x axis.
const TICK: (f64, f64) = (7.0, 13.0);
/// From the x axis to the middle of its title, px.
const TITLE: f64 = 32.0;
/// Half the length of the bars across the ends of an interval, px.
const CAP: f64 = 3.5;
/// Least distance of two tick labels, px.
const APART: f64 = 4.0;
/// Room for a tick of the x and of the y axis, px. Chosen here: numbers of five digits with air around them.
const PER_TICK: (f64, f64) = (60.0, 36.0);

/// A rectangle with an axis to the right and one upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Panel {
    /// Left edge, px.
    pub left: f64,
    /// Upper edge, px.
    pub top: f64,
    /// Right edge, px.
    pub right: f64,
    /// Lower edge, px.
    pub bottom: f64,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
}

impl Panel {
    /// Room below a panel for ticks and title of its x axis, px.
    pub const FOOT: f64 = TITLE + ROW;
    /// Room to the left of a panel for ticks and title of its y axis, px: numbers of five digits.
    pub const LEFT: f64 = 84.0;

    /// Width, px.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Height, px.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Place of a point; what lies beyond an axis is put on the edge.
    pub fn at(&self, x: f64, y: f64) -> Point {
        let (u, v) = (self.x.at(x).clamp(0.0, 1.0), self.y.at(y).clamp(0.0, 1.0));
        (self.left + self.width() * u, self.bottom - self.height() * v)
    }

    /// True if both axes reach a point.
    pub fn holds(&self, x: f64, y: f64) -> bool {
        self.x.holds(x) && self.y.holds(y)
    }

    /// The area between two lines over x, given as (x, low, high) from left to right.
    pub fn band(&self, c: &mut Canvas<'_>, rows: &[(f64, f64, f64)], fill: Fill) {
        let upper = rows.iter().map(|r| self.at(r.0, r.2));
        let lower = rows.iter().rev().map(|r| self.at(r.0, r.1));
        c.polygon(&upper.chain(lower).collect::<Vec<_>>(), fill);
    }

    /// A line across the panel at a value of y.
    pub fn level(&self, c: &mut Canvas<'_>, y: f64, stroke: Stroke) {
        let y = self.at(self.x.low, y).1;
        c.line(&[(self.left, y), (self.right, y)], stroke);
    }

    /// Ticks that suit the width.
    pub fn x_ticks(&self) -> Ticks {
        self.x.ticks(((self.width() / PER_TICK.0) as usize).max(2))
    }

    /// Ticks that suit the height.
    pub fn y_ticks(&self) -> Ticks {
        self.y.ticks(((self.height() / PER_TICK.1) as usize).max(2))
    }

    /// Ticks at words, which stand at 0, 1, ...; each is cut to its share of the width.
    pub fn word_ticks(&self, words: &[String]) -> Ticks {
        let slot = self.width() / words.len().max(1) as f64;
        words.iter().enumerate().map(|(i, w)| (i as f64, Font::TICK.cut(w, slot))).collect()
    }

    /// Grid, ticks and titles of both axes.
    pub fn frame(&self, c: &mut Canvas<'_>, x_title: &str, y_title: &str) {
        self.frame_with(c, (x_title, &self.x_ticks()), (y_title, &self.y_ticks()));
    }

    /// As [`Panel::frame`], with given ticks; of ticks of x, those that would run into each other have no label.
    pub fn frame_with(&self, c: &mut Canvas<'_>, x: (&str, &Ticks), y: (&str, &Ticks)) {
        let mut widest = 0.0_f64;
        for (v, text) in y.1 {
            self.level(c, *v, RULE);
            c.text((self.left - TICK.0, self.at(self.x.low, *v).1), text, Font::TICK, SOFT, Anchor::End);
            widest = widest.max(Font::TICK.width(text));
        }
        let mut free = f64::NEG_INFINITY;
        for (v, text) in x.1 {
            let at = self.at(*v, self.y.low).0;
            c.line(&[(at, self.top), (at, self.bottom)], RULE);
            free = label(c, (at, self.bottom + TICK.1), text, free);
        }
        c.line(&[(self.left, self.top), (self.left, self.bottom), (self.right, self.bottom)], EDGE);
        let (middle, center) = (f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom));
        c.text((middle, self.bottom + TITLE), x.0, Font::LABEL, INK, Anchor::Middle);
        // The title of y stands clear of the widest tick, but inside the picture.
        let beside = (self.left - TICK.0 - widest - 13.0).max(10.0);
        let font = if Font::LABEL.width(y.0) > self.height() + 40.0 { Font::SMALL } else { Font::LABEL };
        c.upwards((beside, center), y.0, font, INK);
    }
}

/// A tick label, unless it would touch the one before, which ends at `free`; gives where it ends.
fn label(c: &mut Canvas<'_>, at: Point, text: &str, free: f64) -> f64 {
    let half = Font::TICK.width(text) / 2.0;
    if at.0 - half < free {
        return free;
    }
    c.text(at, text, Font::TICK, SOFT, Anchor::Middle);
    at.0 + half + APART
}

/// The corners of a staircase through points from left to right: each value holds until the next.
pub fn steps(points: impl IntoIterator<Item = Point>) -> Vec<Point> {
    let mut out: Vec<Point> = Vec::new();
    for now in points {
        if let Some(&(_, before)) = out.last() {
            out.push((now.0, before));
        }
        out.push(now);
    }
    out
}

/// One axis to the right, for rows of values below each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip {
    /// Left edge, px.
    pub left: f64,
    /// Right edge, px.
    pub right: f64,
    /// The axis.
    pub axis: Axis,
}

impl Strip {
    /// Where a value lies, px; beyond the axis, its end.
    pub fn at(&self, v: f64) -> f64 {
        self.left + (self.right - self.left) * self.axis.at(v).clamp(0.0, 1.0)
    }

    /// Grid lines from `top` to `bottom` with labels below, and a title if it is not empty.
    pub fn frame(&self, c: &mut Canvas<'_>, (top, bottom): (f64, f64), title: &str) {
        for (v, text) in self.axis.ticks(((self.right - self.left) / PER_TICK.0) as usize) {
            let x = self.at(v);
            c.line(&[(x, top), (x, bottom)], RULE);
            c.text((x, bottom + TICK.1), &text, Font::TICK, SOFT, Anchor::Middle);
        }
        let middle = f64::midpoint(self.left, self.right);
        c.text((middle, bottom + TITLE), title, Font::LABEL, INK, Anchor::Middle);
    }

    /// An axis line at `y` with few short ticks and labels below.
    pub fn ruler(&self, c: &mut Canvas<'_>, y: f64) {
        c.line(&[(self.left, y), (self.right, y)], EDGE);
        let mut free = f64::NEG_INFINITY;
        for (v, text) in self.axis.ticks(((self.right - self.left) / PER_TICK.0) as usize) {
            let x = self.at(v);
            c.line(&[(x, y), (x, y + 3.0)], EDGE);
            free = label(c, (x, y + 10.0), &text, free);
        }
    }

    /// A value with its interval at `y`.
    pub fn figure(&self, c: &mut Canvas<'_>, f: &Figure, y: f64, color: RGBColor) {
        if let (Some(low), Some(high)) = (f.low, f.high) {
            c.interval((self.at(low), y), (self.at(high), y), CAP, Self::interval(color));
        }
        if let Some(v) = f.value {
            c.mark((self.at(v), y), Self::value(color));
        }
    }

    /// How an interval of [`Strip::figure`] looks, for the legend.
    pub fn interval(color: RGBColor) -> Stroke {
        Stroke::new(color, 2.0)
    }

    /// How a value of [`Strip::figure`] looks, for the legend.
    pub fn value(color: RGBColor) -> Symbol {
        Symbol::dot(color, 4.0)
    }
}

/// A thin line between rows.
pub fn rule(c: &mut Canvas<'_>, (left, right): (f64, f64), y: f64) {
    c.line(&[(left, y), (right, y)], RULE);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lie_on_the_panel_and_a_staircase_holds_its_values() {
        let (x, y) = (Axis::linear(0.0, 10.0), Axis::linear(0.0, 1.0));
        let p = Panel { left: 10.0, top: 20.0, right: 110.0, bottom: 70.0, x, y };
        assert_eq!((p.at(5.0, 0.5), p.at(20.0, -1.0)), ((60.0, 45.0), (110.0, 70.0)));
        assert!(p.holds(10.0, 0.0) && !p.holds(10.1, 0.0));
        assert_eq!(steps([(0.0, 1.0), (2.0, 3.0)]), [(0.0, 1.0), (2.0, 1.0), (2.0, 3.0)]);
        assert_eq!(Strip { left: 0.0, right: 50.0, axis: x }.at(5.0), 25.0);
    }
}
