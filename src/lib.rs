//! Evolutionary parameter tuning for crowd models.
//!
//! crowdtune searches the constants of a crowd model (weights, force strengths, ranges) for the crowd that a
//! target description asks for: it runs headless simulations in parallel, measures what emerges, and scores it.
//!
//! The house has floors; a room uses only rooms below it:
//!
//! | floor | rooms |
//! |---|---|
//! | 0 | [`core`]: errors, the registry, numbers |
//! | 1 | [`sim`]: place, people, models, metrics; [`search`]: optimizers, which know no crowd |
//! | 2 | [`target`] (what is wanted), `preset` (tuned constants, and what an exporter is), `importer` (what an importer is), `figure`, [`replay`] (recorded crowds in their place), `limits` (how large things may be), `files` (those of the user), [`worker`] (programs at the other end of a pipe), `simulator` (crowdtune itself as WebAssembly, for pages) |
//! | 3 | [`registry`]: what an experiment can name |
//! | 4 | [`evolve`] (experiment file, evaluation, the loop, the log) |
//! | 5 | [`export`] (presets for other tools), [`import`] (files of other tools), `builtin` (all that comes with crowdtune, as a registry), `presets` (tuned ones that come with it), `remote` (answers of workers elsewhere) |
//! | 6 | [`validation`] (published experiments), `track_fit` (models fitted to recorded tracks), `demo` (demonstrations), `bench` (the workloads of `crowdtune bench`) |
//! | 7 | `report` |
//! | 8 | [`folder`] (an experiment run to a complete run folder), `watch` (running searches as a live page) |
//! | 9 | [`cli`] |
//!
//! An experiment is a text; a candidate is a point of its space; a run gives one number for each target and measure:
//!
//! ```
//! use crowdtune::evolve::evaluate;
//! use crowdtune::search::Purpose;
//! use crowdtune::{Experiment, Registry, no_files};
//!
//! let text = r#"
//!     model = "social_force"
//!     parameters.relaxation_time_s = { range = [0.1, 2.0] }
//!     scenario.room = { kind = "room", count = 10, width_m = 5.0, depth_m = 5.0 }
//!     target.time = { metric = "evacuation_time_95_s", minimize = { good = 5.0, bad = 20.0 } }
//! "#;
//! let experiment = Experiment::load(&Registry::builtin(), text, "tiny.toml", &[], &mut no_files)?;
//! let candidate = experiment.space.decode(&[0.25]);
//! let seed = evaluate::run_seed(1, Purpose::Search, "room", 0);
//! let values = evaluate::simulate(&experiment, 0, &candidate, seed).expect("a healthy run");
//! println!("tau {:.3} s: 95 % are out after {:.1} s", candidate[0], values[0].expect("somebody left"));
//! # assert!((candidate[0] - 0.575).abs() < 1e-12 && (2.0..30.0).contains(&values[0].expect("somebody left")));
//! # Ok::<(), crowdtune::Error>(())
//! ```
//!
//! Without the feature `program` there are floors 0 to 8 alone, without `folder` floors 0 to 4: an experiment from text to trials,
//! with neither clap nor SQLite nor plotters; without `parallel` in one thread.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// What only the floors above use.
#![cfg_attr(not(feature = "program"), allow(dead_code, unused_imports))]

#[cfg(feature = "program")]
mod bench;
mod builtin;
#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
mod demo;
#[cfg(feature = "folder")]
pub mod engine;
pub mod evolve;
#[cfg(feature = "folder")]
pub mod export;
mod figure;
pub mod files;
#[cfg(feature = "folder")]
pub mod folder;
mod format;
#[cfg(feature = "folder")]
pub mod import;
mod importer;
pub mod limits;
mod preset;
#[cfg(feature = "folder")]
mod presets;
pub mod registry;
#[cfg(feature = "program")]
mod remote;
pub mod replay;
#[cfg(feature = "folder")]
mod report;
#[cfg(feature = "folder")]
mod simulator;
pub mod target;
#[cfg(feature = "program")]
mod track_fit;
#[cfg(feature = "folder")]
pub mod tracks;
#[cfg(feature = "folder")]
pub mod validation;
#[cfg(feature = "program")]
mod watch;
pub mod wkt;
pub mod worker;

pub use crowdtune_core::Error;
pub use evolve::experiment::{Experiment, no_files};
pub use registry::Registry;
pub use {crowdtune_core as core, crowdtune_search as search, crowdtune_sim as sim};
