//! The last words of a stream.

use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that are kept; chosen here: a page of a terminal.
const KEPT: usize = 4096;

/// What came last.
#[derive(Clone, Debug, Default)]
pub struct Tail(Arc<Mutex<Vec<u8>>>);

impl Tail {
    /// Reads the stream to its end; only the last bytes are kept.
    pub fn follow(&self, mut from: impl Read) {
        let mut piece = [0; 4096];
        while let Ok(got @ 1..) = from.read(&mut piece) {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend_from_slice(&piece[..got]);
            let over = kept.len().saturating_sub(KEPT);
            kept.drain(..over);
        }
    }

    /// As text; what is not UTF-8 is shown as such. The first line is left out where its beginning is lost.
    pub fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = match kept.iter().position(|&byte| byte == b'\n') {
            Some(end) if kept.len() == KEPT && end + 1 < KEPT => &kept[end + 1..],
            _ => &kept[..],
        };
        String::from_utf8_lossy(whole).trim_end().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept() {
        let tail = Tail::default();
        tail.follow(&b"one\ntwo\xff\n\n"[..]);
        assert_eq!(tail.text(), "one\ntwo\u{fffd}");
        tail.follow("x".repeat(KEPT).as_bytes());
        assert_eq!(tail.text(), "x".repeat(KEPT));
        tail.follow(&b"\nthree\nfour\n"[..]);
        assert_eq!(tail.text(), "three\nfour");
    }
}
