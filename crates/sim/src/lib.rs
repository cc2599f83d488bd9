//! Crowd models, places and metrics: a crowd steps without files, threads or a clock.
//!
//! A run is a [`Scenario`] (a place, the groups in it, when to stop), people drawn and placed ([`Start`]), and a model that
//! steers them; together they are a [`Sim`]:
//!
//! ```
//! use crowdtune_sim::{Error, Model, RunSetup, Scenario, Sim, Start};
//!
//! let room = Scenario::of_kind("room", &[("count", 20.0), ("width_m", 6.0), ("depth_m", 6.0)])?;
//! let model = Model::named("social_force", &[("relaxation_time_s", 0.4)])?;
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
//! Between two steps a program reads the people ([`Sim::crowd`]), moves them ([`Sim::crowd_mut`]), lets somebody in
//! ([`Sim::add`]) or takes somebody out ([`Sim::remove`]). A model of one's own implements [`Steering`]: it sees the crowd as
//! it was at the end of the last step ([`View`]) and writes everybody's next velocity ([`Next`]).
//!
//! The same setup gives the same steps, bit for bit, for any number of threads around it and on every processor.
//!
//! | module | what is there |
//! |---|---|
//! | [`world`] | the place: walls, goals, ways, periodic rings; the scenarios |
//! | [`crowd`] | the people, their traits, one step of time, recordings |
//! | [`models`] | the crowd models |
//! | [`metrics`] | what is measured in a run or a recording |
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod crowd;
pub mod metrics;
pub mod models;
mod settings;
pub mod world;

pub use crowd::{Crowd, Next, Person, RowMap, RunSetup, Sim, Start, Status, Steering, View};
pub use crowdtune_core::Error;
pub use crowdtune_core::math::rng::Seed;
pub use crowdtune_core::math::{Vec2, vec2};
pub use models::Model;
pub use world::scenario::Scenario;
