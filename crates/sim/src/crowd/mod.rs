//! The people, their traits, one step of time; recordings and trajectories.

mod health;
pub mod people;
mod plausible;
pub mod recording;
mod recording_text;
mod sim;
mod state;
mod steering;
mod trajectory;

pub use health::Health;
pub(crate) use health::is_backward;
pub use sim::{RunSetup, Sim, Start};
pub use state::{Crowd, Exit, Person, RowMap, Status};
pub use steering::{Looks, Steering, Update, View};
pub use trajectory::{Frame, Trajectory};
