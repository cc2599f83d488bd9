//! The place and its groups: walls, goals, wayfinding, scenarios.

pub(crate) mod cells;
mod corners;
pub mod custom;
pub(crate) mod few;
mod field;
pub(crate) mod geometry;
pub(crate) mod goal;
mod grid;
mod hull;
mod lists;
mod march;
mod moving;
mod navigation;
mod obstacles;
pub(crate) mod overlay;
mod relief;
mod relief_text;
pub mod scenario;
mod scenarios;
mod sorting;
pub(crate) mod spawn;
mod speeds;
mod starts;
mod ties;
pub(crate) mod tile;
mod torus;
mod track_traits;
mod tracks;
mod walls;
mod watch;

pub use corners::CORNER_MARGIN_M;
pub(crate) use corners::Corners;
pub use field::{Field, FieldCache};
pub use geometry::{check_holes, check_point};
pub use grid::Neighbors;
pub use hull::{Away, Hull};
pub(crate) use moving::{BOLDNESS, LEAST_SPEED_M_PER_S, Potential, Terrain};
pub use obstacles::{Edge, Obstacles};
pub use relief::{HeightGrid, Hill, Relief, SlopeLaw};
pub use scenarios::{Built, MakeScenario, SCENARIOS};
pub(crate) use speeds::{Carrier, Speeds};
pub use torus::Torus;
pub use track_traits::{Closest, Walked};
pub use tracks::{Leave, Track, Tracks};
pub(crate) use walls::Clearing;
pub use walls::{Contact, Walls};
pub(crate) use watch::Watch;

use scenario::FloorPlan;
use std::sync::{Arc, OnceLock};

/// The place with its lookup structures, shared by all runs of a scenario.
#[derive(Debug)]
pub struct World {
    /// What the scenario describes.
    pub plan: FloorPlan,
    /// The walls, with lookup by position.
    pub walls: Walls,
    /// The same walls as chains of edges, built when a model asks for them.
    obstacles: OnceLock<Obstacles>,
    /// One per goal; empty without travel-time fields.
    fields: Vec<Arc<Field>>,
    /// The corners that shortest ways bend at, where people go by them.
    corners: Option<Corners>,
    /// The cells of fields of people who move, built when somebody follows others or runs away from them.
    terrain: OnceLock<Option<Terrain>>,
    /// Goals that every journey visits first.
    waypoints: Vec<usize>,
    /// By goal, the door if it is one.
    doors: Vec<Option<goal::Door>>,
    /// By goal, the point if it is one.
    spots: Vec<Option<goal::Spot>>,
}
