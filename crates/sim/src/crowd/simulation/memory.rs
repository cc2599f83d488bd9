//! The memory of a run that is over, for the next one.

use super::{Exit, Simulation};
use crate::crowd::{Crowd, RowMap, Status};
use crate::world::Neighbors;
use crowdtune_core::math::Vec2;

/// Columns of a run that is over. A run in them is the same as one in fresh memory.
#[derive(Debug, Default)]
pub struct Memory {
    pub(super) crowd: Crowd,
    pub(super) heading: Vec<Vec2>,
    pub(super) rank: Vec<u32>,
    pub(super) desired: Vec<Vec2>,
    pub(super) sees_goal: Vec<bool>,
    pub(super) next_pos: Vec<Vec2>,
    pub(super) next_vel: Vec<Vec2>,
    pub(super) shift: Vec<Vec2>,
    pub(super) pressure: Vec<f64>,
    pub(super) status: Vec<Status>,
    pub(super) near: Neighbors,
    pub(super) stay: RowMap,
    pub(super) exits: Vec<Exit>,
    pub(super) distance: Vec<f64>,
    pub(super) middles: Vec<Option<Vec2>>,
}

impl Simulation<'_> {
    /// Ends the run and gives its memory for another one.
    pub fn into_memory(self) -> Memory {
        Memory {
            crowd: self.crowd,
            heading: self.heading,
            rank: self.rank,
            desired: self.desired,
            sees_goal: self.sees_goal,
            next_pos: self.next_pos,
            next_vel: self.next_vel,
            shift: self.shift,
            pressure: self.pressure,
            status: self.status,
            near: self.near,
            stay: self.stay,
            exits: self.exits,
            distance: self.distance,
            middles: self.middles,
        }
    }
}

/// A column of `n` equal entries in the memory of an old one.
pub(super) fn filled<T: Clone>(mut column: Vec<T>, n: usize, entry: T) -> Vec<T> {
    column.clear();
    column.resize(n, entry);
    column
}

/// An empty column in the memory of an old one.
pub(super) fn emptied<T>(mut column: Vec<T>) -> Vec<T> {
    column.clear();
    column
}
