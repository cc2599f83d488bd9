//! Crowd models, places and metrics: a crowd steps without files, threads or a clock.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod crowd;
pub mod metrics;
pub mod models;
mod settings;
pub mod world;
