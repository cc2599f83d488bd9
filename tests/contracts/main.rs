//! What everything in the house keeps to: the lists, the sources, the log, the same bytes everywhere.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod circles;
mod determinism;
mod folder;
mod fresh_runs;
mod golden_tables;
mod house_rules;
mod log;
mod preset;
mod readers;
mod registry;
mod resume;
mod tuning_files;
