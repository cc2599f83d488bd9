//! The place and the groups in it: walls, goals, navigation, scenarios.

pub mod cells;
pub mod field;
pub mod geometry;
mod goal;
pub mod grid;
mod lists;
pub mod march;
mod navigation;
pub mod obstacles;
pub(crate) mod overlay;
pub mod plan;
pub mod scenario;
pub mod scenarios;
pub mod spawn;
pub mod tile;
pub mod torus;
pub mod tracks;
pub mod walls;

pub use field::{Field, FieldCache};
pub use grid::Neighbors;
pub use obstacles::{Edge, Obstacles};
pub use torus::Torus;
pub use walls::{Contact, Walls};

use scenario::Plan;
use std::sync::{Arc, OnceLock};

/// The place with its look-up structures, shared by all runs of a scenario.
#[derive(Debug)]
pub struct World {
    /// What the scenario describes.
    pub plan: Plan,
    /// Walls and how to look them up.
    pub walls: Walls,
    /// The same walls as chains of edges, made when a model asks for them.
    obstacles: OnceLock<Obstacles>,
    /// One per goal, or none without a travel-time field.
    fields: Vec<Arc<Field>>,
    /// Goals that every journey visits first.
    waypoints: Vec<usize>,
    /// Those goals that are doors, by goal.
    doors: Vec<Option<goal::Door>>,
}
