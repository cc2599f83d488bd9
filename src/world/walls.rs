//! Walls and how to look them up.

use crate::math::Vec2;

/// A point where a wall acts on somebody.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Nearest point of the wall.
    pub point: Vec2,
}

/// All walls.
#[derive(Clone, Debug, Default)]
pub struct Walls {}
