//! Streams, statistics, linear algebra, kernels: numbers only, the same bits on every machine.

pub mod beta;
pub mod box_descent;
pub mod chi_square;
pub mod doubles;
pub mod eigen;
pub mod eikonal;
pub mod exp;
pub mod lanes;
pub mod least_squares;
pub mod linear;
pub mod normal;
pub mod normals;
pub mod paired;
pub mod planes;
pub mod rng;
pub mod stats;
pub mod student;
pub mod vec2;

pub use vec2::{Vec2, vec2};
