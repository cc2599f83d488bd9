//! Numbers, random streams, errors and the registry that crowdtune is built on. This crate knows no crowd.
//!
//! ```
//! use crowdtune_core::math::{rng::{Seed, normal}, stats, vec2};
//!
//! // A stream belongs to what it is for, not to the order of drawing: the same bits on every machine.
//! let mut noise = Seed(1).child("noise", 3).rng();
//! let sample: Vec<f64> = (0..1000).map(|_| normal(&mut noise)).collect();
//! let (low, high) = stats::bootstrap(&sample, stats::mean, Seed(2)).expect("1000 values");
//! assert!(low < 0.1 && high > -0.1);
//! assert_eq!(vec2(3.0, 4.0).length(), 5.0);
//! ```
//!
//! # What is here
//!
//! * [`Error`]: what is wrong, where, what is allowed, what to do; its [`Class`] says who has to act.
//! * [`registry`]: an entry names a thing that users can choose, with its source and the params they can set; a list holds those of
//!   one kind.
//! * [`suggest`]: "did you mean ...?" for mistyped names.
//! * [`math`]: seeds and streams ([`math::rng`], [`math::normals`]), [`Vec2`](math::Vec2), statistics ([`math::stats`], [`math::paired`],
//!   [`math::student`]), small dense linear algebra ([`math::linear`], [`math::eigen`], [`math::least_squares`]), the eikonal equation
//!   ([`math::eikonal`]), and kernels of eight lanes ([`math::lanes`], [`math::planes`]).
//!
//! # The same bits everywhere
//!
//! Everything is + - * / and square roots in one order, and `libm` where a function is needed: never the functions of the standard
//! library, whose last bits depend on the processor. Nothing here starts a thread, opens a file or looks at a clock.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod error;
pub mod math;
pub mod registry;
pub mod suggest;

pub use error::{Class, Error};
