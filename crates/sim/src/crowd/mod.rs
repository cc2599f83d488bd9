//! People and one step of time.

pub mod health;
pub mod people;
pub mod recording;
mod recording_text;
mod sim;
pub mod state;
pub mod steering;
pub mod trajectory;

pub use sim::{RunSetup, Sim, Start};
pub use state::{Crowd, Exit, Person, RowMap, Status};
pub use steering::{Next, Steering, View};
