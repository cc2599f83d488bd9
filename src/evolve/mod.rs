//! The experiment file, the evaluation of candidates, the loop and its log.

pub mod config;
pub mod experiment;
pub mod preset;
pub mod summary;
