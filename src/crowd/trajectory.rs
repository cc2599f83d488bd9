//! Recorded positions, thinned.

use super::Crowd;
use super::simulation::Exit;
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

impl Trajectory {
    /// An empty recording with frames every so many seconds.
    pub fn every(every_s: f64) -> Self {
        Self { every_s, ..Self::default() }
    }

    /// Takes radii and groups of everybody at the start; ids are 0.. without gaps.
    pub fn begin(&mut self, crowd: &Crowd) {
        self.radius.clone_from(&crowd.radius);
        self.group.clone_from(&crowd.group);
        self.left_s = vec![None; crowd.len()];
    }

    /// Takes a frame.
    pub fn frame(&mut self, time_s: f64, crowd: &Crowd) {
        self.frames.push(Frame { time_s, id: crowd.id.clone(), pos: crowd.pos.clone() });
    }

    /// Takes who has left.
    pub fn end(&mut self, exits: &[Exit]) {
        for exit in exits {
            self.left_s[exit.id as usize] = Some(exit.time_s);
        }
    }
}
