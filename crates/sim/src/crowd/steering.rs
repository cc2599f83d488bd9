//! What a model may read and what it writes.

use super::{Crowd, RowMap, Status};
use crate::world::{Neighbors, World};
use crowdtune_core::math::Vec2;

/// What a model may read: the crowd as it was at the end of the last step, frozen.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The people.
    pub crowd: &'a Crowd,
    /// Who is near whom, built for [`Steering::reach_m`].
    pub near: &'a Neighbors,
    /// The place.
    pub world: &'a World,
    /// Unit vector towards where each person wants to go now; zero for anyone without a goal or who has not started.
    pub desired: &'a [Vec2],
    /// True for those who know the way; false for those who only keep a direction because no goal is in sight.
    pub sees_goal: &'a [bool],
    /// Length of the way to where each person wants to arrive, m: to a point at the end of the journey, or the middle of
    /// a followed group. 0 for those who want to go nowhere; infinite for those who pass on: along a heading, through a
    /// door, into an area, to a place to visit on the way. Empty unless the model asks for it ([`Steering::needs_distance`]).
    pub distance: &'a [f64],
    /// Preferred velocities, m/s, which a model made of other models hands to them. Empty otherwise; read [`View::preferred_velocity`].
    pub preferred: &'a [Vec2],
    /// Step, s.
    pub dt: f64,
    /// Number of this step, from 0; time is `step * dt`.
    pub step: u64,
}

/// Time to walk the last meter before a point, s, so that nobody overshoots it.
const ARRIVE_S: f64 = 1.0;

impl View<'_> {
    /// The velocity somebody would take if nobody were in the way, m/s: the desired speed along the way; close to a point
    /// to stay at or to leave at, no more than the distance per second, as in the circle example of the RVO2 library.
    /// Zero for anyone waiting or without a goal. For models that ask for the distance ([`Steering::needs_distance`]).
    #[inline]
    pub fn preferred_velocity(&self, row: usize) -> Vec2 {
        if let Some(&preferred) = self.preferred.get(row) {
            return preferred;
        }
        self.desired[row] * self.preferred_speed(row)
    }

    /// The speed of that velocity, m/s.
    #[inline]
    pub fn preferred_speed(&self, row: usize) -> f64 {
        self.crowd.desired_speed[row].min(self.distance[row] / ARRIVE_S)
    }
}

/// What a model writes, one entry per person.
#[derive(Debug)]
pub struct Update<'a> {
    /// Velocity during the step, m/s.
    pub vel: &'a mut [Vec2],
    /// Extra displacement, m. Empty before the call: a model that pushes positions apart fills it for everybody.
    pub shift: &'a mut Vec<Vec2>,
    /// Summed radial contact force over the circumference, N/m; 0 before the call.
    pub pressure: &'a mut [f64],
    /// What each person is doing; as in the last step before the call.
    pub status: &'a mut [Status],
}

/// A crowd model: from the frozen crowd to the velocities of the next step.
///
/// Velocity is the common currency: force models integrate to one, velocity models compute one, fields look one up.
/// [`Sim`](super::Sim) alone moves people, by `p + v dt + shift`.
pub trait Steering: Send {
    /// Fills `next` for everybody, without allocating in the steady state.
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>);

    /// Distance between centers beyond which people do not act on each other, m; the neighbor grid is built for it.
    fn reach_m(&self) -> f64;

    /// True if the model reads [`View::near`]; else it is empty.
    fn looks_around(&self) -> bool {
        true
    }

    /// True if the model reads [`View::distance`].
    fn needs_distance(&self) -> bool {
        false
    }

    /// Rows have moved because people left: a model that keeps columns of its own lets them follow with
    /// [`RowMap::apply`]. People who come in are appended at the end; the model finds its columns too short then, and
    /// fills them.
    fn remap(&mut self, rows: &RowMap) {
        let _ = rows;
    }
}
