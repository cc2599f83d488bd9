//! The experiment file, the evaluation of candidates, the loop and its log, and what came out.
//!
//! [`run::evolve`] answers the questions of an optimizer through an [`evaluate::Evaluate`] and keeps every answer in a
//! [`log::Journal`]; [`Results`] says what such a log holds, [`summary`] has the types of `summary.json`, and
//! [`preset`] those of `best.json`. [`crate::folder`] does all of it for a run folder.

mod atlas;
pub(crate) mod baselines;
mod budget;
mod candidates;
mod chain;
pub(crate) mod codec;
pub mod compare;
pub mod config;
pub mod engine;
pub mod evaluate;
pub mod exchange;
pub mod experiment;
pub mod features;
mod figures;
mod finalists;
pub mod fit;
mod front;
pub(crate) mod genes;
#[cfg(feature = "program")]
pub(crate) mod grid;
mod identify;
mod importance;
mod journal;
pub mod log;
mod neighborhood;
mod optimizer;
pub mod people;
pub mod posterior;
pub mod preset;
mod profile;
mod race;
pub(crate) mod reading;
mod repeats;
mod results;
pub mod run;
pub mod scene;
pub(crate) mod scoring;
pub mod sensitivity;
mod shown;
mod sides;
pub(crate) mod stop;
mod summarize;
pub mod summary;
mod tracked;
pub(crate) mod unfinished;
pub(crate) mod verdict;
mod watch;

pub(crate) use atlas::{near, nearest};
pub use repeats::repeats;
pub use results::Results;
pub use stop::StopRules;
pub use summarize::summarize;
