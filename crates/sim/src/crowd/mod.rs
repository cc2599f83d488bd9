//! People and one step of time.

pub mod health;
pub mod people;
pub mod recording;
mod recording_text;
pub mod simulation;
pub mod state;
pub mod steering;
pub mod trajectory;

pub use state::{Crowd, RowMap, Status};
pub use steering::{Next, Steering, View};
