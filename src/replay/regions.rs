//! Parts of a place as polygons with holes.

use serde::{Deserialize, Serialize};

/// A region where people can be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Outer corners, cm.
    pub shell: Vec<[i64; 2]>,
    /// Holes.
    pub holes: Vec<Vec<[i64; 2]>>,
}

/// The parts of a place that lie higher than a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// The level, m.
    pub height_m: f64,
    /// The parts.
    pub areas: Vec<Region>,
}
