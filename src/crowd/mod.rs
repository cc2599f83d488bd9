//! People and one step of time.

pub mod crowd;
pub mod health;
pub mod people;
pub mod simulation;
pub mod steering;
pub mod trajectory;

pub use crowd::{Crowd, RowMap, Status};
pub use steering::{Next, Steering, View};
