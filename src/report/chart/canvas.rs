//! Where everything is drawn: plotters' SVG backend, in CSS pixels.
//!
//! The backend has three habits, which end in this file: it counts in whole units (here [`UNITS`] to a pixel), it divides
//! font sizes by a number of its own ([`FONT`]), and it writes a whole document. The latter is nested in one of ours, which
//! says its size in pixels, what it shows, and its colors on a dark screen.

use super::marks::{Fill, Shape, Stroke, Symbol};
use super::style::{self, INK, PAPER, RGBColor};
use super::text::{Anchor, Font, escape, printable};
use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, FontTransform, IntoFont, ShapeStyle, TextStyle};

/// Units of the backend in a pixel. Chosen here: a quarter of a pixel is finer than eyes are, and digits cost space.
pub(super) const UNITS: f64 = 4.0;

/// plotters takes a font size as the height of a line and divides it by this to get the size of the letters
/// (`draw_text` in plotters-svg 0.3); a test holds us to it.
const FONT: f64 = 1.24;

/// Lengths of a dash and of the gap behind it, px.
const DASH: (f64, f64) = (5.0, 4.0);

/// The line of rings and crosses, px.
const OUTLINE: f64 = 1.4;

/// Why drawing is not fallible here.
const NO_IO: &str = "drawing into a string cannot fail";

/// A place on the canvas: x to the right, y down, px.
pub type Point = (f64, f64);

/// Somewhere to draw.
pub struct Canvas<'a> {
    backend: SVGBackend<'a>,
    width: f64,
}

/// Draws a picture of this width and height in pixels as an SVG document; `label` tells those who cannot see it what it shows.
pub fn svg(width: f64, height: f64, label: &str, draw: impl FnOnce(&mut Canvas<'_>)) -> String {
    let (w, h) = (units(width), units(height));
    let label = escape(label);
    let mut out = format!(
        "<svg class=\"ctplot\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{label}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {w} {h}\" stroke-linejoin=\"round\">\n\
         <title>{label}</title><style>{}</style>\n",
        style::DARK
    );
    let mut canvas = Canvas { backend: SVGBackend::with_string(&mut out, (w, h)), width };
    canvas.rect((0.0, 0.0), (width, height), Fill::new(PAPER));
    draw(&mut canvas);
    canvas.backend.present().expect(NO_IO);
    drop(canvas);
    out + "</svg>\n"
}

/// A picture of [`svg`] with more of SVG on top, in pixels; the caller answers for what that contains.
pub fn over(picture: &str, content: &str) -> String {
    let inside = picture.trim_end().strip_suffix("</svg>").unwrap_or(picture);
    format!("{inside}<g transform=\"scale({UNITS})\">{content}</g></svg>\n")
}

impl Canvas<'_> {
    /// Width, px.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// A line through points; fewer than two draw nothing.
    pub fn line(&mut self, points: &[Point], stroke: Stroke) {
        if stroke.dashed {
            points.windows(2).for_each(|ends| self.dashes(ends[0], ends[1], stroke));
        } else if points.len() > 1 {
            let style =
                ShapeStyle { color: stroke.color.mix(stroke.alpha), filled: false, stroke_width: units(stroke.width) };
            self.backend.draw_path(points.iter().map(unit), &style).expect(NO_IO);
        }
    }

    fn dashes(&mut self, from: Point, to: Point, stroke: Stroke) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = (dx * dx + dy * dy).sqrt();
        let at = |d: f64| (from.0 + dx * d / length, from.1 + dy * d / length);
        let mut d = 0.0;
        while d < length {
            self.line(&[at(d), at((d + DASH.0).min(length))], Stroke { dashed: false, ..stroke });
            d += DASH.0 + DASH.1;
        }
    }

    /// The outline of a rectangle between two corners.
    pub fn frame(&mut self, a: Point, b: Point, stroke: Stroke) {
        self.line(&[a, (b.0, a.1), b, (a.0, b.1), a], stroke);
    }

    /// An interval from one place to another, with bars of this half width across its ends.
    pub fn interval(&mut self, from: Point, to: Point, half: f64, stroke: Stroke) {
        self.line(&[from, to], stroke);
        let across = if from.0 == to.0 { (half, 0.0) } else { (0.0, half) };
        for end in [from, to].into_iter().filter(|_| half > 0.0) {
            self.line(&[(end.0 - across.0, end.1 - across.1), (end.0 + across.0, end.1 + across.1)], stroke);
        }
    }

    /// A filled rectangle between two corners.
    pub fn rect(&mut self, a: Point, b: Point, fill: Fill) {
        let (low, high) = (unit(&(a.0.min(b.0), a.1.min(b.1))), unit(&(a.0.max(b.0), a.1.max(b.1))));
        self.backend.draw_rect(low, high, &filled(fill), true).expect(NO_IO);
    }

    /// A filled polygon; fewer than three corners draw nothing.
    pub fn polygon(&mut self, points: &[Point], fill: Fill) {
        if points.len() > 2 {
            self.backend.fill_polygon(points.iter().map(unit), &filled(fill)).expect(NO_IO);
        }
    }

    /// A point.
    pub fn mark(&mut self, at: Point, symbol: Symbol) {
        let (x, y) = at;
        let Symbol { shape, color, size, alpha } = symbol;
        match shape {
            Shape::Dot => {
                let style = filled(Fill { color, alpha });
                self.backend.draw_circle(unit(&at), units(size), &style, true).expect(NO_IO);
            }
            Shape::Ring => {
                self.mark(at, Symbol::dot(color, size + OUTLINE / 2.0));
                self.mark(at, Symbol::dot(PAPER, size - OUTLINE / 2.0));
            }
            Shape::Ringed => {
                self.mark(at, Symbol::dot(INK, size + 2.0 + OUTLINE));
                self.mark(at, Symbol::dot(PAPER, size + 2.0));
                self.mark(at, Symbol::dot(color, size));
            }
            Shape::Cross => {
                let stroke = Stroke::new(color, OUTLINE);
                self.line(&[(x - size, y - size), (x + size, y + size)], stroke);
                self.line(&[(x - size, y + size), (x + size, y - size)], stroke);
            }
            Shape::Diamond => {
                let corners = [(x - size, y), (x, y - size), (x + size, y), (x, y + size)];
                self.polygon(&corners, Fill { color, alpha });
            }
        }
    }

    /// A text at the middle of its height.
    pub fn text(&mut self, at: Point, text: &str, font: Font, color: RGBColor, anchor: Anchor) {
        let h = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        self.write(at, text, font, color, (h, FontTransform::None));
    }

    /// A text that runs upwards, centered at its place.
    pub fn upwards(&mut self, at: Point, text: &str, font: Font, color: RGBColor) {
        self.write(at, text, font, color, (HPos::Center, FontTransform::Rotate270));
    }

    fn write(&mut self, at: Point, text: &str, font: Font, color: RGBColor, (h, turn): (HPos, FontTransform)) {
        if text.is_empty() {
            return;
        }
        let mut face = ("sans-serif", font.size * UNITS * FONT).into_font().transform(turn);
        if font.bold {
            face = face.style(FontStyle::Bold);
        }
        let style = TextStyle::from(face).color(&color).pos(Pos::new(h, VPos::Center));
        self.backend.draw_text(&printable(text), &style, unit(&at)).expect(NO_IO);
    }
}

fn filled(fill: Fill) -> ShapeStyle {
    ShapeStyle { color: fill.color.mix(fill.alpha), filled: true, stroke_width: 0 }
}

/// Pixels to units; what is far outside stays far outside without overflow.
fn unit(p: &Point) -> (i32, i32) {
    let one = |x: f64| (x * UNITS).round().clamp(-1e8, 1e8) as i32;
    (one(p.0), one(p.1))
}

/// A length in units, at least one.
fn units(length: f64) -> u32 {
    (length * UNITS).round().max(1.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        let text = svg(100.0, 50.0, "a\"><b>\u{0}&", |c| {
            for text in ["</text><script>\u{7}", "&amp;"] {
                c.text((0.0, 0.0), text, Font::TITLE, INK, Anchor::Start);
            }
        });
        let doc = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(doc.root_element().attribute("aria-label"), Some("a\"><b> &"));
        assert!(!doc.descendants().any(|n| n.has_tag_name("script") || n.has_tag_name("b")));
        assert!(doc.descendants().any(|n| n.text().is_some_and(|t| t.trim() == "&amp;")));
    }

    #[test]
    fn letters_have_the_size_that_was_asked_for() {
        let font = Font { size: 12.0, bold: false };
        let text = svg(100.0, 50.0, "x", |c| c.text((0.0, 0.0), "x", font, INK, Anchor::Start));
        let doc = roxmltree::Document::parse(&text).unwrap();
        let size = doc.descendants().find_map(|n| n.attribute("font-size")).unwrap();
        assert!((size.parse::<f64>().unwrap() - 12.0 * UNITS).abs() < 1e-9, "{size}");
    }

    #[test]
    fn what_lies_over_a_picture_is_inside_its_document() {
        let text = over(&svg(10.0, 10.0, "x", |_| {}), "<g id=\"top\"/>");
        let doc = roxmltree::Document::parse(&text).unwrap();
        assert!(doc.root_element().descendants().any(|n| n.attribute("id") == Some("top")));
    }
}
