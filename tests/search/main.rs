//! The loop of a search: replicas, races, stops, fronts and summaries, and what every optimizer owes to it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod adaptive;
mod front;
mod optimizers;
mod racing;
mod stopping;
mod summary;
