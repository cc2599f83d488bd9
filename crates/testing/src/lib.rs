//! What the tests of crowdtune share: an experiment without a simulator, runs step by step, recordings, golden
//! values, the program in a folder of its own.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

pub mod everything;
pub mod fake;
pub mod golden;
pub mod mutate;
pub mod place;
pub mod program;
pub mod recorded;
pub mod sealed;
pub mod walk;
