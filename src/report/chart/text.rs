//! Sizes of text, and how wide a text will be.

/// Which end of a text lies at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It starts there.
    Start,
    /// Its middle lies there.
    Middle,
    /// It ends there.
    End,
}

/// A size of the one sans-serif face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Font {
    /// Size, px.
    pub size: f64,
    /// True for bold letters.
    pub bold: bool,
}

impl Font {
    /// Titles of pictures.
    pub const TITLE: Self = Self { size: 15.0, bold: true };
    /// Titles of panels and names of rows.
    pub const HEADING: Self = Self { size: 12.0, bold: true };
    /// Titles of axes, entries of legends.
    pub const LABEL: Self = Self { size: 12.0, bold: false };
    /// Ticks and figures.
    pub const TICK: Self = Self { size: 11.0, bold: false };
    /// Figures that stand out.
    pub const STRONG: Self = Self { size: 11.0, bold: true };
    /// Remarks, and what is too long for the size above.
    pub const SMALL: Self = Self { size: 10.0, bold: false };

    /// Estimated width of a text, px.
    ///
    /// Nobody knows which sans-serif face a reader has, so no font is measured: letters are sorted into five widths, those
    /// of Verdana, the widest usual face, rounded up. Text may turn out narrower than this, never much wider. Bold letters are 6 % wider.
    pub fn width(self, text: &str) -> f64 {
        let em = |c: char| match c {
            'i' | 'l' | 'j' | '.' | ',' | '\'' | '|' | ':' | ';' | '!' => 0.33,
            'f' | 't' | 'r' | ' ' | '(' | ')' | '[' | ']' | '/' | '-' => 0.42,
            'm' | 'w' | 'M' | 'W' | '%' => 0.95,
            c if c.is_uppercase() => 0.72,
            _ => 0.62,
        };
        text.chars().map(em).sum::<f64>() * self.size * if self.bold { 1.06 } else { 1.0 }
    }

    /// A text cut to a width, with an ellipsis where something is missing.
    pub fn cut(self, text: &str, width: f64) -> String {
        if self.width(text) <= width {
            return text.to_string();
        }
        let mut out = String::new();
        for c in text.chars() {
            out.push(c);
            // The ellipsis takes one em.
            if self.width(&out) + self.size > width {
                out.pop();
                break;
            }
        }
        out.trim_end().to_string() + "\u{2026}"
    }

    /// A text broken at spaces and underscores into at most `rows` lines of a width; the last one is cut.
    pub fn wrap(self, text: &str, width: f64, rows: usize) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for word in text.split_inclusive([' ', '_']) {
            let full = out.len() == rows;
            match out.last_mut() {
                Some(last) if full || self.width(last) + self.width(word.trim_end()) <= width => last.push_str(word),
                _ => out.push(word.to_string()),
            }
        }
        out.iter().map(|row| self.cut(row.trim_end(), width)).collect()
    }
}

/// A text inside SVG, also inside an attribute.
pub fn escape(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A text without control characters, which XML does not allow.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_or_broken() {
        let font = Font::LABEL;
        assert_eq!(font.cut("speed", 100.0), "speed");
        assert!(font.cut("a very long name that cannot stay", 60.0).ends_with('\u{2026}'));
        assert_eq!(font.wrap("repulsion_strength_n", 80.0, 3), ["repulsion_", "strength_n"]);
        assert_eq!(font.wrap("a b c d", 12.0, 2).len(), 2);
        assert!(Font::HEADING.width("speed") > font.width("speed"));
    }
}
