//! Programs at the other end of a pipe: each a process of its own that reads lines and writes lines until it is told to end.
//!
//! [`Process`] is one of them. Nothing that it does, or fails to do, blocks its owner for longer than the owner wants: lines are
//! written and read by threads, a line has a largest size, and the end of a [`Process`] is the end of all that it started.

pub(crate) mod lines;
mod process;
mod strays;
mod tail;

pub use process::{LONGEST, Missed, Process, end_all};
pub use strays::Mark;
