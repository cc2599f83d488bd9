//! The checksums of a log: each line ends with one of its own bytes and of the line before.
//!
//! So a changed digit is seen, and a line that was taken out, put in or moved; lines can still be cut off at the end and
//! written again.

use crowdtune_core::Error;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// What stands before the checksum in a line.
const KEY: &[u8] = b",\"check\":\"";
/// What stands after it.
const END: &[u8] = b"\"}";
/// Digits of a checksum, base 16. Chosen here: nobody changes 2^64 logs by accident until one fits.
const DIGITS: usize = 16;

/// The checksum of the last line; none before the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain(String);

impl Chain {
    /// The next line of the log, a header or a trial, with checksum and line end.
    pub fn line<T: Serialize>(&mut self, row: &T) -> Vec<u8> {
        self.seal(serde_json::to_vec(row).expect("headers and trials have string keys only"))
    }

    /// The same of its JSON, an object that is not empty.
    pub fn seal(&mut self, json: Vec<u8>) -> Vec<u8> {
        let mut bytes = json;
        bytes.pop();
        self.0 = self.next(&bytes);
        bytes.extend([KEY, self.0.as_bytes(), END, b"\n"].concat());
        bytes
    }

    /// The JSON of the next line, given without its line end, if the checksum fits it and the lines before.
    ///
    /// # Errors
    /// If it has none, or does not fit.
    pub fn check(&mut self, line: &[u8]) -> Result<Vec<u8>, Error> {
        let end = line.len().saturating_sub(KEY.len() + DIGITS + END.len());
        let (bytes, check) = line.split_at(end);
        let digits = check.strip_prefix(KEY).and_then(|rest| rest.strip_suffix(END));
        let Some(digits) = digits.filter(|_| line.len() > end) else {
            return Err(Error::input("the line has no checksum at its end"));
        };
        let wanted = self.next(bytes);
        if digits != wanted.as_bytes() {
            return Err(Error::input("the line does not fit its checksum: it, or a line before it, was changed"));
        }
        self.0 = wanted;
        Ok([bytes, b"}"].concat())
    }

    fn next(&self, bytes: &[u8]) -> String {
        let hash = Sha256::new().chain_update(self.0.as_bytes()).chain_update(bytes).finalize();
        hash.iter().take(DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
    }
}
