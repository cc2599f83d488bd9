//! The program as its users see it: commands, files, exit codes, the tour of the README.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[cfg(unix)]
mod answer;
mod ask_tell;
mod atlas;
mod cli;
mod configs;
mod docs_partners;
#[cfg(unix)]
mod engine;
mod evaluate;
mod examples;
mod fit;
mod fit_tracks;
mod import;
mod kill;
mod measure;
#[cfg(unix)]
mod memory;
mod models;
mod partner;
mod posterior;
mod process;
mod readme;
mod reference;
mod room;
mod sensitivity;
mod validate;
mod watch;
