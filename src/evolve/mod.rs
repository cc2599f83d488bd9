//! The experiment file, the evaluation of candidates, the loop and its log.

pub mod atlas;
mod candidates;
pub mod compare;
pub mod config;
pub mod evaluate;
pub mod experiment;
pub mod figures;
pub mod folder;
pub mod front;
pub mod genes;
pub mod grid;
pub mod identify;
pub mod importance;
pub mod log;
pub mod preset;
pub mod race;
pub mod run;
pub mod scoring;
pub mod sensitivity;
pub mod stop;
mod subject;
pub mod summarize;
pub mod summary;
mod watch;
