//! Evolutionary parameter tuning for crowd models.
//!
//! crowdtune searches the constants of a crowd model (weights, force strengths, ranges) for the crowd that a
//! target description asks for: it runs headless simulations in parallel, measures what emerges, and scores it.
//!
//! The house has floors; a room uses only rooms below it:
//!
//! | floor | rooms |
//! |---|---|
//! | 0 | [`error`], [`registry`], [`math`] |
//! | 1 | [`world`] (the place), [`search`] (optimizers; knows no crowd) |
//! | 2 | [`crowd`] (people and one step of time) |
//! | 3 | [`models`], [`metrics`] |
//! | 4 | [`target`] (what is wanted) |
//! | 5 | [`evolve`] (experiment file, evaluation, the loop, the log) |
//! | 6 | `report`, [`export`] |
//! | 7 | `cli` |
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod crowd;
pub mod error;
pub mod evolve;
pub mod export;
pub mod math;
pub mod metrics;
pub mod models;
pub mod registry;
pub mod search;
pub mod target;
pub mod world;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod report;

pub use error::Error;
