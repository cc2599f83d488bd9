//! Where a log is kept while it grows.

use super::evaluate::Spent;
use crowdtune_core::Error;

/// Where an experiment's log is kept; a file in the run folder, or memory.
pub trait Journal {
    /// What errors call it.
    fn name(&self) -> String;
    /// Everything that is there.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read(&mut self) -> Result<Vec<u8>, Error>;
    /// Cuts it to its first `bytes` bytes.
    ///
    /// # Errors
    /// If that is refused.
    fn cut(&mut self, bytes: u64) -> Result<(), Error>;
    /// Appends a whole line, visible to other programs when the call returns.
    ///
    /// # Errors
    /// If it cannot be written; what was there before stays.
    fn append(&mut self, line: &[u8]) -> Result<(), Error>;
    /// Ends a batch of `rows` new rows, for which machines spent this: from now on they survive a power failure.
    ///
    /// # Errors
    /// If that cannot be promised.
    fn batch(&mut self, rows: u64, spent: &[Spent]) -> Result<(), Error> {
        let _ = (rows, spent);
        Ok(())
    }
    /// Wall time of the batches of the log, s, all sessions together; 0 without a clock.
    fn elapsed_s(&self) -> f64 {
        0.0
    }
}

/// A log in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryLog(pub Vec<u8>);

impl Journal for MemoryLog {
    fn name(&self) -> String {
        "log in memory".to_string()
    }

    fn read(&mut self) -> Result<Vec<u8>, Error> {
        Ok(self.0.clone())
    }

    fn cut(&mut self, bytes: u64) -> Result<(), Error> {
        self.0.truncate(bytes as usize);
        Ok(())
    }

    fn append(&mut self, line: &[u8]) -> Result<(), Error> {
        self.0.extend_from_slice(line);
        Ok(())
    }
}
