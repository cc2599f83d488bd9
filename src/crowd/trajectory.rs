//! Recorded positions, thinned.

use crate::math::Vec2;

/// One recorded moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Time, s.
    pub time_s: f64,
    /// Who was there, by id.
    pub id: Vec<u32>,
    /// Where, in the same order.
    pub pos: Vec<Vec2>,
}

/// A recorded run: frames at a fixed interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Interval of the frames, s.
    pub every_s: f64,
    /// The frames, in time order; an empty room at the end is recorded too.
    pub frames: Vec<Frame>,
    /// Radius of person `id`, m.
    pub radius: Vec<f64>,
    /// Group of person `id`.
    pub group: Vec<u16>,
    /// When person `id` left, s; `None` who never did.
    pub left_s: Vec<Option<f64>>,
}
