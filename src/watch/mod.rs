//! A live page of running searches, on this machine alone: it reads their logs as they grow and writes nothing.
//!
//! [`tail`] reads what a log has more, [`board`] keeps what a page shows of a run, [`server`] answers browsers.

mod board;
mod server;
mod tail;

pub use server::Server;
