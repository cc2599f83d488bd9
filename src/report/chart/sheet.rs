//! Whole pictures: title, second line and legend above, and what the plot draws below.

use super::axis::{Axis, Ticks};
use super::canvas::{Canvas, svg};
use super::legend::{Legend, ROW};
use super::panel::Panel;
use super::style::{INK, SOFT};
use super::text::{Anchor, Font};

/// Usual width of a picture, px. Chosen here: a column of text in the report, where no letter has to shrink.
pub const WIDTH: f64 = 760.0;
/// Margin at the left and right, px.
pub const SIDE: f64 = 16.0;
/// Height of the title, px.
const TITLE: f64 = 34.0;
/// Between the head and what is drawn, px.
const GAP: f64 = 14.0;
/// Usual height of a panel, px: 2 : 5 of its width.
const HEIGHT: f64 = 280.0;

/// A picture with its head.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Width, px.
    pub width: f64,
    title: String,
    below: String,
    legend: Legend,
}

impl Sheet {
    /// A picture of the usual width with a title, which is also what it says to those who cannot see it.
    pub fn new(title: impl Into<String>) -> Self {
        Self { width: WIDTH, title: title.into(), below: String::new(), legend: Legend::new() }
    }

    /// With a second line.
    #[must_use]
    pub fn below(self, below: impl Into<String>) -> Self {
        Self { below: below.into(), ..self }
    }

    /// With a legend.
    #[must_use]
    pub fn legend(self, legend: Legend) -> Self {
        Self { legend, ..self }
    }

    /// With another width, px.
    #[must_use]
    pub fn width(self, width: f64) -> Self {
        Self { width, ..self }
    }

    /// Height of the head, px: what is drawn starts here.
    pub fn head(&self) -> f64 {
        TITLE + self.second() + self.legend.height(self.room()) + GAP
    }

    fn second(&self) -> f64 {
        if self.below.is_empty() { 0.0 } else { ROW }
    }

    fn room(&self) -> f64 {
        self.width - 2.0 * SIDE
    }

    /// The picture with this height below the head; `draw` gets the place where that starts.
    pub fn draw(&self, height: f64, draw: impl FnOnce(&mut Canvas<'_>, f64)) -> String {
        let room = self.room();
        svg(self.width, self.head() + height, &self.title, |c| {
            let title = Font::TITLE.cut(&self.title, room);
            c.text((SIDE, 20.0), &title, Font::TITLE, INK, Anchor::Start);
            c.text((SIDE, TITLE + 5.0), &Font::LABEL.cut(&self.below, room), Font::LABEL, SOFT, Anchor::Start);
            self.legend.draw(c, (SIDE, TITLE + self.second()), room);
            draw(c, self.head());
        })
    }
}

/// A picture with a single panel.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Title and legend.
    pub sheet: Sheet,
    /// Axis to the right, and what it is.
    pub x: (Axis, String),
    /// Axis upwards, and what it is.
    pub y: (Axis, String),
    /// Words at 0, 1, ... along x; empty for numbers.
    pub words: Vec<String>,
    /// Height of the panel, px.
    pub height: f64,
    /// Room to the right of the panel, px.
    pub right: f64,
}

impl Graph {
    /// A panel of the usual size.
    pub fn new(sheet: Sheet, x: (Axis, impl Into<String>), y: (Axis, impl Into<String>)) -> Self {
        let (x, y) = ((x.0, x.1.into()), (y.0, y.1.into()));
        Self { sheet, x, y, words: Vec::new(), height: HEIGHT, right: 24.0 }
    }

    /// The picture: frame and ticks, and then what `draw` puts on the panel.
    pub fn draw(&self, draw: impl FnOnce(&mut Canvas<'_>, &Panel)) -> String {
        self.sheet.draw(self.height + Panel::FOOT, |c, top| {
            let (left, right, bottom) = (Panel::LEFT, self.sheet.width - self.right, top + self.height);
            let p = Panel { left, top, right, bottom, x: self.x.0, y: self.y.0 };
            let x_ticks: Ticks = if self.words.is_empty() { p.x_ticks() } else { p.word_ticks(&self.words) };
            p.frame_with(c, (&self.x.1, &x_ticks), (&self.y.1, &p.y_ticks()));
            draw(c, &p);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::legend::Key;
    use super::super::marks::Stroke;
    use super::super::style::TUNED;
    use super::*;

    #[test]
    fn the_head_has_room_for_what_it_holds() {
        let bare = Sheet::new("Title");
        let full = bare.clone().below("more").legend(Legend::new().with(Key::Line(Stroke::new(TUNED, 2.0)), "one"));
        assert_eq!(full.head(), bare.head() + 2.0 * ROW);
        let axis = || (Axis::linear(0.0, 1.0), "values");
        let text = Graph::new(full, axis(), axis()).draw(|c, p| p.level(c, 0.5, Stroke::dashed(TUNED, 1.0)));
        let doc = roxmltree::Document::parse(&text).unwrap();
        let texts: Vec<_> = doc.descendants().filter_map(|n| n.text()).map(str::trim).collect();
        for text in ["Title", "more", "one", "values", "0.4"] {
            assert!(texts.contains(&text), "{text}");
        }
    }
}
