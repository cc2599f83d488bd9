//! Numbers, random streams, errors and the registry that crowdtune is built on. This crate knows no crowd.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod error;
pub mod math;
pub mod registry;
pub mod suggest;

pub use error::Error;
