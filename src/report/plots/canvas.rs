//! A thin layer over plotters' SVG backend: sizes in CSS pixels, text that needs no font.

use super::style::{self, INK, PAPER};
use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle};

/// The backend counts in whole units; so many make a pixel.
pub const UNITS: f64 = 4.0;

/// The backend divides font sizes by this.
const FONT: f64 = 1.24;

/// Where a text is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// At its start.
    Start,
    /// At its middle.
    Middle,
    /// At its end.
    End,
}

/// Somewhere to draw; x to the right, y down, in pixels. Every text is held at the middle of its height.
pub struct Canvas<'a> {
    backend: SVGBackend<'a>,
    width: f64,
    height: f64,
}

/// Draws a picture of so many pixels; `label` says what it shows to those who cannot see it.
pub fn svg(width: f64, height: f64, label: &str, draw: impl FnOnce(&mut Canvas<'_>)) -> String {
    let mut text = String::new();
    let units = |x: f64| (x * UNITS).round().max(1.0) as u32;
    {
        let backend = SVGBackend::with_string(&mut text, (units(width), units(height)));
        let mut canvas = Canvas { backend, width, height };
        canvas.rect(0.0, 0.0, width, height, PAPER, 1.0);
        draw(&mut canvas);
        canvas.backend.present().expect("drawing into a string cannot fail");
    }
    let body = text.find("viewBox").and_then(|at| text[at..].find('>').map(|end| &text[at + end + 1..])).unwrap_or("");
    let (w, h) = (units(width), units(height));
    let label = escape(label);
    format!(
        "<svg class=\"ctplot\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{label}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {w} {h}\" stroke-linejoin=\"round\">\n\
         <title>{label}</title><style>{}</style>{body}",
        style::DARK
    )
}

/// A text inside SVG, also inside an attribute.
pub fn escape(text: &str) -> String {
    clean(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// XML knows no control characters.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c }).collect()
}

/// Width of a text in a usual sans-serif face, px; an estimate that is rather too large.
pub fn text_width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'l' | 'j' | '.' | ',' | '\'' | '|' | ':' | ';' | '!' => 0.33,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '[' | ']' | '/' | '-' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' => 0.95,
        c if c.is_uppercase() => 0.72,
        _ => 0.62,
    };
    text.chars().map(em).sum::<f64>() * size
}

/// A text cut to a width, with an ellipsis where something is missing.
pub fn cut(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_string();
    }
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if text_width(&out, size) + size > width {
            out.pop();
            break;
        }
    }
    out.trim_end().to_string() + "\u{2026}"
}

/// A text broken at spaces and underscores into at most `rows` lines of a width; the last one is cut.
pub fn wrap(text: &str, size: f64, width: f64, rows: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in text.split_inclusive([' ', '_']) {
        let full = out.len() == rows;
        match out.last_mut() {
            Some(last) if full || text_width(last, size) + text_width(word.trim_end(), size) <= width => {
                last.push_str(word);
            }
            _ => out.push(word.to_string()),
        }
    }
    out.iter().map(|row| cut(row.trim_end(), size, width)).collect()
}

impl Canvas<'_> {
    /// Width, px.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Height, px.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// A line through points; fewer than two draw nothing.
    pub fn line(&mut self, points: &[(f64, f64)], color: RGBColor, width: f64, alpha: f64) {
        if points.len() > 1 {
            let style = ShapeStyle { color: color.mix(alpha), filled: false, stroke_width: stroke(width) };
            self.backend.draw_path(points.iter().map(unit), &style).expect("drawing into a string cannot fail");
        }
    }

    /// A dashed straight line.
    pub fn dashes(&mut self, from: (f64, f64), to: (f64, f64), color: RGBColor, width: f64) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = (dx * dx + dy * dy).sqrt();
        let at = |d: f64| (from.0 + dx * d / length, from.1 + dy * d / length);
        let mut d = 0.0;
        while d < length {
            self.line(&[at(d), at((d + 5.0).min(length))], color, width, 1.0);
            d += 9.0;
        }
    }

    /// A filled rectangle between two corners.
    pub fn rect(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, color: RGBColor, alpha: f64) {
        let style = ShapeStyle { color: color.mix(alpha), filled: true, stroke_width: 0 };
        let corners = (unit(&(x0.min(x1), y0.min(y1))), unit(&(x0.max(x1), y0.max(y1))));
        self.backend.draw_rect(corners.0, corners.1, &style, true).expect("drawing into a string cannot fail");
    }

    /// A filled polygon.
    pub fn polygon(&mut self, points: &[(f64, f64)], color: RGBColor, alpha: f64) {
        let style = ShapeStyle { color: color.mix(alpha), filled: true, stroke_width: 0 };
        self.backend.fill_polygon(points.iter().map(unit), &style).expect("drawing into a string cannot fail");
    }

    /// A disc.
    pub fn dot(&mut self, x: f64, y: f64, radius: f64, color: RGBColor, alpha: f64) {
        let style = ShapeStyle { color: color.mix(alpha), filled: true, stroke_width: 0 };
        let r = stroke(radius);
        self.backend.draw_circle(unit(&(x, y)), r, &style, true).expect("drawing into a string cannot fail");
    }

    /// A circle with paper inside.
    pub fn ring(&mut self, x: f64, y: f64, radius: f64, color: RGBColor) {
        self.dot(x, y, radius + 0.7, color, 1.0);
        self.dot(x, y, radius - 0.7, PAPER, 1.0);
    }

    /// A cross.
    pub fn cross(&mut self, x: f64, y: f64, size: f64, color: RGBColor) {
        self.line(&[(x - size, y - size), (x + size, y + size)], color, 1.4, 1.0);
        self.line(&[(x - size, y + size), (x + size, y - size)], color, 1.4, 1.0);
    }

    /// A text, held at the middle of its height.
    pub fn text(&mut self, x: f64, y: f64, text: &str, size: f64, color: RGBColor, hold: Hold) {
        self.write(x, y, text, size, color, hold, false);
    }

    /// A bold text.
    pub fn bold(&mut self, x: f64, y: f64, text: &str, size: f64, color: RGBColor, hold: Hold) {
        self.write(x, y, text, size, color, hold, true);
    }

    /// A title at the upper left, cut to the width, with an optional second line.
    pub fn title(&mut self, text: &str, below: &str) {
        let width = self.width - 32.0;
        self.bold(16.0, 20.0, &cut(text, style::TITLE * 1.06, width), style::TITLE, INK, Hold::Start);
        if !below.is_empty() {
            let below = cut(below, style::LABEL, width);
            self.text(16.0, 39.0, &below, style::LABEL, style::SOFT, Hold::Start);
        }
    }

    /// A text that runs upwards, held at its middle.
    pub fn upwards(&mut self, x: f64, y: f64, text: &str, size: f64, color: RGBColor) {
        let font = ("sans-serif", size * UNITS * FONT).into_font().transform(FontTransform::Rotate270);
        let style = TextStyle::from(font).color(&color).pos(Pos::new(HPos::Center, VPos::Center));
        self.backend.draw_text(&clean(text), &style, unit(&(x, y))).expect("drawing into a string cannot fail");
    }

    #[allow(clippy::too_many_arguments, reason = "the private end of three short methods")]
    fn write(&mut self, x: f64, y: f64, text: &str, size: f64, color: RGBColor, hold: Hold, bold: bool) {
        if text.is_empty() {
            return;
        }
        let h = match hold {
            Hold::Start => HPos::Left,
            Hold::Middle => HPos::Center,
            Hold::End => HPos::Right,
        };
        let mut font = ("sans-serif", size * UNITS * FONT).into_font();
        if bold {
            font = font.style(plotters::style::FontStyle::Bold);
        }
        let style = TextStyle::from(font).color(&color).pos(Pos::new(h, VPos::Center));
        self.backend.draw_text(&clean(text), &style, unit(&(x, y))).expect("drawing into a string cannot fail");
    }
}

/// Pixels to units; far outside stays far outside without overflow.
fn unit(p: &(f64, f64)) -> (i32, i32) {
    let one = |x: f64| (x * UNITS).round().clamp(-1e8, 1e8) as i32;
    (one(p.0), one(p.1))
}

fn stroke(width: f64) -> u32 {
    (width * UNITS).round().max(1.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        let text = svg(100.0, 50.0, "a\"><b>\u{0}&", |c| c.title("</text><script>\u{7}", "&amp;"));
        let doc = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(doc.root_element().attribute("aria-label"), Some("a\"><b> &"));
        assert!(!doc.descendants().any(|n| n.has_tag_name("script") || n.has_tag_name("b")));
        assert!(doc.descendants().any(|n| n.text().is_some_and(|t| t.trim() == "&amp;")));
    }

    #[test]
    fn long_names_are_cut_or_broken() {
        assert_eq!(cut("speed", 12.0, 100.0), "speed");
        assert!(cut("a very long name that cannot stay", 12.0, 60.0).ends_with('\u{2026}'));
        assert_eq!(wrap("repulsion_strength_n", 12.0, 80.0, 3), ["repulsion_", "strength_n"]);
        assert_eq!(wrap("a b c d", 12.0, 12.0, 2).len(), 2);
    }
}
