//! Metrics of real crowds, against numbers that other programs computed from the same recordings.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod challenge;
mod corridor;
mod density;
mod flow;
mod lanes;
