//! What the crowd models promise, each and all of them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod cars;
mod continuum;
mod discomfort;
mod every_model;
mod five_force;
mod followers;
mod ground;
mod group_dynamics;
mod hybrid;
mod jupedsim;
mod mixed;
mod orca;
mod physics;
mod rvo;
