//! Tables for the terminal.

use super::plain_text::neutral;
use crate::evolve::summary::Figure;
use crate::format::NONE;
use comfy_table::{Attribute, Cell, CellAlignment, ContentArrangement, LineStyle, Table, presets};

/// What the terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Columns; `None` where there is no terminal, then nothing is wrapped.
    pub width: Option<u16>,
    /// True to write color codes.
    pub color: bool,
}

/// Terminals with fewer columns get intervals on a line of their own, and no column for what the search saw. Chosen here:
/// seven columns of usual names and numbers.
const WIDE: u16 = 110;

/// True where there is little room for columns.
pub fn narrow(terminal: Terminal) -> bool {
    terminal.width.is_some_and(|w| w < WIDE)
}

/// Text broken into lines that fit the terminal, all but the first indented; ends with a newline.
pub fn wrapped(text: &str, indent: &str, terminal: Terminal) -> String {
    let width = terminal.width.map_or(usize::MAX, |w| usize::from(w.max(40)));
    let (mut out, mut used) = (String::new(), 0);
    for word in neutral(text).split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            out += "\n";
            out += indent;
            used = indent.len();
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out += word;
        used += length;
    }
    out + "\n"
}

/// A table with a head; numbers are aligned to the right, words to the left.
pub fn plain(head: &[String], rows: &[Vec<String>], terminal: Terminal) -> String {
    let cells = rows.iter().map(|row| row.iter().map(|text| cell(text)).collect()).collect();
    build(head, cells, terminal)
}

/// A cell with words, which may be those of others.
pub(super) fn word(text: &str) -> Cell {
    Cell::new(neutral(text))
}

/// A cell with a number, or with words if there is none at its start.
pub(super) fn cell(text: &str) -> Cell {
    let numeric = text == NONE || text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    Cell::new(neutral(text)).set_alignment(if numeric { CellAlignment::Right } else { CellAlignment::Left })
}

/// A figure; where there is little room its interval stands below.
pub(super) fn figure(f: &Figure, narrow: bool) -> Cell {
    let text = f.to_string();
    cell(&if narrow { text.replacen(" [", "\n[", 1) } else { text })
}

pub(super) fn build(head: &[String], rows: Vec<Vec<Cell>>, terminal: Terminal) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none())).force_no_tty();
    if terminal.color {
        table.enforce_styling();
    }
    match terminal.width {
        Some(width) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.max(40)),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    table.set_header(head.iter().map(|h| word(h).add_attribute(Attribute::Bold)));
    table.add_rows(rows);
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_at_the_width_and_not_without_one() {
        let text = "a ".repeat(30);
        let at = |width| Terminal { width, color: false };
        assert_eq!(wrapped(&text, "", at(None)), format!("{}\n", text.trim()));
        let lines = wrapped(&text, "  ", at(Some(40)));
        // 20 of them and 19 spaces, then two of the indent and 10 more.
        assert_eq!(lines.lines().map(str::len).collect::<Vec<_>>(), [39, 21]);
        assert!(narrow(at(Some(80))) && !narrow(at(Some(120))) && !narrow(at(None)));
    }
}
