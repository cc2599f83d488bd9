//! The place and who enters it: walls, goals, navigation, scenarios.

pub mod geometry;
pub mod grid;
pub mod scenario;
pub mod scenarios;
pub mod walls;

pub use grid::Neighbors;
pub use walls::{Contact, Walls};

use scenario::Plan;

/// The place with its look-up structures, shared by all runs of a scenario.
#[derive(Debug)]
pub struct World {
    /// What the scenario describes.
    pub plan: Plan,
    /// Walls and how to look them up.
    pub walls: Walls,
}
