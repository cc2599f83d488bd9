//! Published experiments and benchmark workloads: that they do the work that they say.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scalar;
mod signed;
mod validate;
mod workloads;
