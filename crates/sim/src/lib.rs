//! Crowd models, places and metrics: a crowd steps without files, threads or a clock.
//!
//! A run is a [`Scenario`] (a place, the groups in it, when to stop), people drawn and placed ([`Start`]), and a model that
//! steers them; together they are a [`Sim`]:
//!
//! ```
//! use crowdtune_sim::{Error, Model, RunSetup, Scenario, Sim, Start};
//!
//! let room = Scenario::of_kind("room", &[("count", &20), ("width_m", &6.0), ("depth_m", &6.0)])?;
//! let model = Model::named("social_force", &[("relaxation_time_s", &0.4)])?;
//! let start = Start::new(RunSetup::new(room, model.time_step_s()))?;
//! let steering = model.make(&start)?;
//! let mut sim = Sim::new(start, steering);
//! while !sim.is_over() {
//!     sim.step()?;
//! }
//! assert_eq!((sim.exits().len(), sim.health().people_left), (20, 0));
//! # Ok::<(), Error>(())
//! ```
//!
//! Between two steps a program can read the people ([`Sim::crowd`]), move them ([`Sim::crowd_mut`]), add people ([`Sim::add`]) and
//! remove them ([`Sim::remove`]). A model of your own implements [`Steering`]: it reads the crowd as it was after the last step
//! ([`View`]) and writes everybody's next velocity ([`Update`]).
//!
//! The same setup gives the same steps, bit for bit, on every processor and for any number of threads around it.
//!
//! | module | what is there |
//! |---|---|
//! | [`world`] | the place as a model sees it, the scenarios; [`world::scenario`] describes a place and its groups, [`world::custom`] draws one from outlines |
//! | [`crowd`] | the people, one step of time, trajectories; [`crowd::people`] draws their traits, [`crowd::recording`] reads recorded tracks |
//! | [`models`] | the crowd models, and what a model of your own declares |
//! | [`metrics`] | what can be measured in a run; [`metrics::recorded`] measures recorded tracks |
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod crowd;
pub mod metrics;
pub mod models;
mod settings;
pub mod world;

pub use crowd::{Crowd, Looks, Person, RowMap, RunSetup, Sim, Start, Status, Steering, Update, View};
pub use crowdtune_core::Error;
pub use crowdtune_core::math::rng::Seed;
pub use crowdtune_core::math::{Vec2, vec2};
pub use models::Model;
pub use settings::SettingValue;
pub use world::scenario::Scenario;
