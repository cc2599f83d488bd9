//! What the tests of crowdtune share: an experiment without a simulator, runs step by step, recordings, golden values.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

pub mod everything;
pub mod fake;
pub mod golden;
pub mod place;
pub mod recorded;
pub mod walk;
