//! Lines of a stream that nobody trusts.

use std::io::{BufRead, Read as _};
use std::sync::mpsc::SyncSender;

/// What a stream gave.
#[derive(Debug, PartialEq, Eq)]
pub enum Read {
    /// A whole line, without its end.
    Line(Vec<u8>),
    /// More bytes than a line may have.
    TooLong,
    /// The end. What came after the last line end is no line: the writer was stopped in the middle of it.
    End,
}

/// Reads the next line of at most `longest` bytes; a stream that breaks has ended.
pub fn read(from: &mut impl BufRead, longest: usize) -> Read {
    let mut line = Vec::new();
    let got = from.by_ref().take(longest as u64 + 1).read_until(b'\n', &mut line);
    match line.pop() {
        Some(b'\n') if got.is_ok() => Read::Line(line),
        Some(_) if line.len() >= longest => Read::TooLong,
        _ => Read::End,
    }
}

/// Reads lines of at most `longest` bytes to the end of a stream, and passes them on as long as somebody takes them.
pub fn follow(mut from: impl BufRead, longest: usize, to: &SyncSender<Read>) {
    loop {
        let next = read(&mut from, longest);
        let last = !matches!(next, Read::Line(_));
        if to.send(next).is_err() || last {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_line_is_none_and_a_long_one_is_not_read_to_its_end() {
        let mut from = &b"one\n\nfour\nha"[..];
        let next = |from: &mut &[u8]| read(from, 4);
        assert_eq!(next(&mut from), Read::Line(b"one".to_vec()));
        assert_eq!(next(&mut from), Read::Line(Vec::new()));
        assert_eq!(next(&mut from), Read::Line(b"four".to_vec()));
        assert_eq!(next(&mut from), Read::End);
        assert_eq!(read(&mut &b"fives\n"[..], 4), Read::TooLong);
        assert_eq!(read(&mut &b"fives"[..], 4), Read::TooLong);
        assert_eq!(read(&mut &b"four"[..], 4), Read::End);
    }
}
