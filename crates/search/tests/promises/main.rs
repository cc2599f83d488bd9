//! What the optimizers and the posteriors promise, on searches that take long without optimization: the library is optimized here.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod advised;
mod gp;
mod posterior;
