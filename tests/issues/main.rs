//! Bugs that were found once, one file each; its first line is the story, its number the issue it was found in.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "002_a_report_forgot_the_name.rs"]
mod forgotten_name;
#[path = "002_a_refused_resume_rewrote_the_experiment.rs"]
mod refused_resume;
