//! From a byte of a text to its line.

/// Where the lines of a text start.
pub struct Lines(Vec<usize>);

impl Lines {
    /// Counts the lines of a text.
    pub fn new(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(at, _)| at + 1).collect())
    }

    /// The line of a byte, counted from 1.
    pub fn of(&self, byte: usize) -> usize {
        1 + self.0.partition_point(|&start| start <= byte)
    }
}
