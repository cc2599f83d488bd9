//! The legend: what the marks of a picture mean.

use super::canvas::Canvas;
use super::marks::{Fill, Stroke, Symbol};
use super::style::{INK, SOFT, ramp};
use super::text::{Anchor, Font};

/// Height of a row, px.
pub const ROW: f64 = 18.0;
/// Width of the sample before a text, px.
const SAMPLE: f64 = 20.0;
/// Half the height of a sample that is an area, px.
const HALF: f64 = 5.0;
/// Between a sample and its text, px.
const GAP: f64 = 6.0;
/// Between entries, px.
const BETWEEN: f64 = 18.0;
/// Longer texts are cut, px. Chosen here: two entries fit the narrowest picture.
const LONGEST: f64 = 340.0;
/// Width and number of steps of a color scale, px. Chosen here: steps of two pixels look smooth.
const SCALE: (f64, u32) = (80.0, 40);

/// A sample of what is explained.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// A line.
    Line(Stroke),
    /// A point.
    Mark(Symbol),
    /// A point on a line.
    Marked(Stroke, Symbol),
    /// An area.
    Area(Fill),
    /// An area with a line through it.
    Band(Fill, Stroke),
    /// A frame.
    Frame(Stroke),
    /// A short slanting stroke.
    Slash(Stroke),
    /// The color scale of [`ramp`] from one value to another, with an opacity; the text stands before it.
    Ramp(String, String, f64),
}

impl Key {
    fn width(&self) -> f64 {
        match self {
            Self::Mark(_) | Self::Frame(_) | Self::Slash(_) => 12.0,
            Self::Ramp(low, high, _) => Font::TICK.width(low) + Font::TICK.width(high) + SCALE.0 + 2.0 * GAP,
            _ => SAMPLE,
        }
    }

    fn draw(&self, c: &mut Canvas<'_>, x: f64, y: f64) {
        let (middle, right) = (x + self.width() / 2.0, x + self.width());
        let area = ((x, y - HALF), (right, y + HALF));
        match self {
            Self::Line(stroke) => c.line(&[(x, y), (right, y)], *stroke),
            Self::Mark(symbol) => c.mark((middle, y), *symbol),
            Self::Marked(stroke, symbol) => {
                c.line(&[(x, y), (right, y)], *stroke);
                c.mark((middle, y), *symbol);
            }
            Self::Area(fill) => c.rect(area.0, area.1, *fill),
            Self::Band(fill, stroke) => {
                c.rect(area.0, area.1, *fill);
                c.line(&[(x, y), (right, y)], *stroke);
            }
            Self::Frame(stroke) => c.frame((x + 1.0, y - HALF), (x + 11.0, y + HALF), *stroke),
            Self::Slash(stroke) => c.line(&[(x + 2.0, y + HALF - 1.0), (x + 10.0, y - HALF + 1.0)], *stroke),
            Self::Ramp(low, high, alpha) => {
                c.text((x, y), low, Font::TICK, SOFT, Anchor::Start);
                let left = x + Font::TICK.width(low) + GAP;
                scale(c, (left, y - HALF), SCALE.0, 2.0 * HALF, *alpha);
                c.text((left + SCALE.0 + GAP, y), high, Font::TICK, SOFT, Anchor::Start);
            }
        }
    }
}

/// The color scale of [`ramp`] in a box, from the left to the right.
fn scale(c: &mut Canvas<'_>, (left, top): (f64, f64), width: f64, height: f64, alpha: f64) {
    let step = width / f64::from(SCALE.1);
    for k in 0..SCALE.1 {
        let x = left + step * f64::from(k);
        let color = ramp(f64::from(k) / f64::from(SCALE.1 - 1));
        // Opaque steps overlap a little: between edges that only touch, paper shines through.
        let over = if alpha < 1.0 { 0.0 } else { 0.5 };
        c.rect((x, top), (x + step + over, top + height), Fill { color, alpha });
    }
}

/// Entries in reading order, in as many rows as they need.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Legend {
    entries: Vec<(Key, String)>,
}

impl Legend {
    /// No entries; nothing is drawn.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more entry.
    #[must_use]
    pub fn with(mut self, key: Key, text: impl Into<String>) -> Self {
        self.entries.push((key, Font::LABEL.cut(&text.into(), LONGEST)));
        self
    }

    /// With one more entry if there is something to explain.
    #[must_use]
    pub fn with_if(self, some: bool, key: Key, text: impl Into<String>) -> Self {
        if some { self.with(key, text) } else { self }
    }

    /// The entries that fit into one row of a width, px.
    #[must_use]
    pub fn first_row(mut self, width: f64) -> Self {
        let fit = self.places(width).iter().filter(|(_, row)| *row == 0.0).count();
        self.entries.truncate(fit);
        self
    }

    /// Start and row of each entry in a width, px.
    fn places(&self, width: f64) -> Vec<(f64, f64)> {
        let (mut x, mut row) = (0.0, 0.0);
        let place = |(key, text): &(Key, String)| {
            let needs = key.width() + GAP + Font::LABEL.width(text);
            if x > 0.0 && x + needs > width {
                (x, row) = (0.0, row + 1.0);
            }
            let here = (x, row);
            x += needs + BETWEEN;
            here
        };
        self.entries.iter().map(place).collect()
    }

    /// Height that the legend takes in a width, px.
    pub fn height(&self, width: f64) -> f64 {
        self.places(width).last().map_or(0.0, |(_, row)| (row + 1.0) * ROW)
    }

    /// Draws it below `top`.
    pub fn draw(&self, c: &mut Canvas<'_>, (left, top): (f64, f64), width: f64) {
        for ((key, text), (x, row)) in self.entries.iter().zip(self.places(width)) {
            let (x, y) = (left + x, top + ROW * (row + 0.5));
            let before = matches!(key, Key::Ramp(..));
            let (sample, words) =
                if before { (x + Font::LABEL.width(text) + GAP, x) } else { (x, x + key.width() + GAP) };
            key.draw(c, sample, y);
            c.text((words, y), text, Font::LABEL, INK, Anchor::Start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::style::TUNED;
    use super::*;

    #[test]
    fn entries_go_on_in_a_new_row_where_one_is_full() {
        let key = || Key::Line(Stroke::new(TUNED, 2.0));
        let legend = Legend::new().with(key(), "one").with_if(false, key(), "none").with(key(), "two");
        assert_eq!((legend.height(400.0), legend.height(60.0), Legend::new().height(9.0)), (ROW, 2.0 * ROW, 0.0));
        let places = legend.places(60.0);
        assert_eq!((places.len(), places[1]), (2, (0.0, 1.0)));
    }
}
