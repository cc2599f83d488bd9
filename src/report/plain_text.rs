//! Text of others, such as names and units, made harmless for a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// What starts the color codes of our own tables and verdicts.
const ESCAPE: char = '\u{1b}';

/// True for what a terminal obeys instead of showing it: control characters but line ends and tabs, and marks that turn
/// the direction of reading.
fn acts(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\n' && c != '\t') || turns
}

/// The text with every such character spelled out, `\u001b` for an escape; that is also how JSON writes it.
pub fn neutral(text: &str) -> Cow<'_, str> {
    if text.contains(acts) { Cow::Owned(spell(text, |_| 0)) } else { Cow::Borrowed(text) }
}

/// The same, but the color codes that our own tables and verdicts write stay. Whoever puts text of others between them
/// has to make it [`neutral`] before.
pub fn neutral_but_color(text: &str) -> String {
    spell(text, color)
}

/// Bytes of a color code (`ESC [ digits and ; m`) at the start of a text; 0 if there is none.
fn color(text: &str) -> usize {
    let Some(rest) = text.strip_prefix(ESCAPE).and_then(|rest| rest.strip_prefix('[')) else { return 0 };
    let digits = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b';').count();
    if rest.as_bytes().get(digits) == Some(&b'm') { digits + 3 } else { 0 }
}

fn spell(text: &str, kept: impl Fn(&str) -> usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if acts(c) { kept(rest) } else { c.len_utf8() };
        if length > 0 {
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        } else {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_spelled_out() {
        let cases = [
            ("a name\twith 1/m\u{b2}\n", "a name\twith 1/m\u{b2}\n"),
            ("\u{1b}[2J", "\\u001b[2J"),
            ("\r\u{7}\u{7f}", "\\u000d\\u0007\\u007f"),
            ("\u{9b}2J", "\\u009b2J"),
            ("\u{202e}txt.exe", "\\u202etxt.exe"),
        ];
        for (text, shown) in cases {
            assert_eq!(neutral(text), shown);
        }
        let json = serde_json::json!({ "name": "a\u{9b}b" });
        assert_eq!(neutral(&json.to_string()).parse::<serde_json::Value>().unwrap(), json);
    }

    #[test]
    fn only_color_codes_are_kept_where_they_are_ours() {
        assert_eq!(neutral_but_color("\u{1b}[1m\u{1b}[38;5;8mx\u{1b}[0m"), "\u{1b}[1m\u{1b}[38;5;8mx\u{1b}[0m");
        assert_eq!(neutral_but_color("\u{1b}[2J\u{1b}]0;t\u{7}\u{1b}["), "\\u001b[2J\\u001b]0;t\\u0007\\u001b[");
    }
}
