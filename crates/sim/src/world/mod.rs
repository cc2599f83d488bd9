//! The place and the groups in it: walls, goals, navigation, scenarios.

mod cells;
pub mod custom;
mod field;
pub(crate) mod geometry;
mod goal;
mod grid;
mod lists;
mod march;
mod navigation;
mod obstacles;
pub(crate) mod overlay;
pub mod scenario;
mod scenarios;
pub(crate) mod spawn;
pub(crate) mod tile;
mod torus;
mod tracks;
mod walls;

pub use field::{Field, FieldCache};
pub use geometry::{check_holes, check_point};
pub use grid::Neighbors;
pub use obstacles::{Edge, Obstacles};
pub use scenarios::{Built, MakeScenario, SCENARIOS};
pub use torus::Torus;
pub use tracks::Tracks;
pub use walls::{Contact, Walls};

use scenario::FloorPlan;
use std::sync::{Arc, OnceLock};

/// The place with its look-up structures, shared by all runs of a scenario.
#[derive(Debug)]
pub struct World {
    /// What the scenario describes.
    pub plan: FloorPlan,
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
