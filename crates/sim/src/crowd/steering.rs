//! What a model reads and writes.

use super::{Crowd, RowMap, Status};
use crate::world::{Neighbors, Torus, World};
use crowdtune_core::math::Vec2;

/// What a model may read: the crowd, frozen as it was at the end of the last step.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The people.
    pub crowd: &'a Crowd,
    /// The neighbor search, built for [`Steering::reach_m`], with what [`Steering::looks`] asks for.
    pub near: &'a Neighbors,
    /// The place.
    pub world: &'a World,
    /// Direction in which each person wants to go now, a unit vector; zero for people without a goal or who have not
    /// started.
    pub desired: &'a [Vec2],
    /// True for people who know the way; false for people who only keep a direction because no goal is in sight.
    pub sees_goal: &'a [bool],
    /// Walking distance to where each person wants to arrive, m: the point at the end of the journey, or the center of
    /// the group they follow. 0 for people who want to go nowhere; infinite for people who will not stop there: along a
    /// heading, through a door, into an area, at an intermediate stop. Empty unless the model asks for it
    /// ([`Steering::needs_distance`]).
    pub distance: &'a [f64],
    /// True for people who run away from a group now ([`crate::world::scenario::Group::flees`]); empty where nobody ever does. Read
    /// [`View::is_afraid`] instead.
    pub afraid: &'a [bool],
    /// Preferred velocities, m/s, that a model made of other models passes to them; empty otherwise. Read
    /// [`View::preferred_velocity`] instead.
    pub preferred: &'a [Vec2],
    /// Share of their speed on flat ground that people have along their desired directions, by row; empty on flat ground. Read
    /// [`View::desired_speed`] instead.
    pub pace: &'a [f64],
    /// For each group of the scenario, whether this model steers its people; empty if it steers everybody. Read [`View::steers`]
    /// instead.
    pub steered: &'a [bool],
    /// Radial contact force of people of other models in the last step, by row, N; empty if one model steers everybody.
    pub pressed: &'a [f64],
    /// Step, s.
    pub dt: f64,
    /// Number of this step, from 0; the time is `step * dt`.
    pub step: u64,
}

/// Time to walk the last meter to a point, s, so that nobody overshoots it.
const ARRIVE_S: f64 = 1.0;

impl View<'_> {
    /// True if the model steers this person, false if it only sees them: another model steers their group.
    #[inline]
    pub fn steers(&self, row: usize) -> bool {
        self.steered.is_empty() || self.steered[usize::from(self.crowd.group[row])]
    }

    /// True for somebody who runs away from a group now.
    #[inline]
    pub fn is_afraid(&self, row: usize) -> bool {
        self.afraid.get(row) == Some(&true)
    }

    /// The velocity a person would take if nobody were in the way, m/s: the desired speed along the way. Close to a
    /// point to stay or leave at, no more than the distance per second, as in the circle example of the RVO2 library.
    /// Zero for people who wait or have no goal. Only for models that ask for the distance
    /// ([`Steering::needs_distance`]).
    #[inline]
    pub fn preferred_velocity(&self, row: usize) -> Vec2 {
        if let Some(&preferred) = self.preferred.get(row) {
            return preferred;
        }
        self.desired[row] * self.preferred_speed(row)
    }

    /// The magnitude of that velocity, m/s.
    #[inline]
    pub fn preferred_speed(&self, row: usize) -> f64 {
        self.desired_speed(row).min(self.distance[row] / ARRIVE_S)
    }

    /// The speed a person would have on flat ground, m/s, if nobody were in the way: as [`View::preferred_speed`], for
    /// models that know the slopes themselves.
    #[inline]
    pub fn flat_speed(&self, row: usize) -> f64 {
        self.crowd.desired_speed[row].min(self.distance[row] / ARRIVE_S)
    }

    /// The desired speed on the ground where the person stands, along the desired direction, m/s.
    #[inline]
    pub fn desired_speed(&self, row: usize) -> f64 {
        let flat = self.crowd.desired_speed[row];
        self.pace.get(row).map_or(flat, |pace| flat * pace)
    }

    /// As [`Crowd::top_speed`]; where the ground makes people faster, by as much more.
    #[inline]
    pub fn top_speed(&self, row: usize, factor: f64) -> f64 {
        let flat = self.crowd.top_speed(row, factor);
        self.pace.get(row).map_or(flat, |pace| flat * pace.max(1.0))
    }
}

/// What a model writes, one entry per person.
#[derive(Debug)]
pub struct Update<'a> {
    /// Velocity during the step, m/s.
    pub vel: &'a mut [Vec2],
    /// Extra displacement, m. Empty before the call; a model that pushes positions apart fills it for everybody.
    pub shift: &'a mut Vec<Vec2>,
    /// Sum of radial contact forces over the circumference, N/m; 0 before the call.
    pub pressure: &'a mut [f64],
    /// What each person is doing; before the call, as in the last step.
    pub status: &'a mut [Status],
}

/// What a model reads of [`View::near`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// Nothing: it is left empty.
    Nowhere,
    /// Rows and what kernels read, but no positions, velocities and radii by slot: a model that asks for those fails. A step of a large crowd
    /// takes as long as memory does.
    AtLanes,
    /// Everything.
    Around,
}

/// A crowd model: from the frozen crowd to the velocities of the next step.
///
/// Velocity is the common currency: force models integrate to it, velocity models choose it, fields look it up. Only
/// [`Sim`](super::Sim) moves people, by `p + v dt + shift`.
pub trait Steering: Send {
    /// Fills `next` for everybody, without allocating in the steady state.
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>);

    /// Distance between centers beyond which people do not interact, m; the neighbor search is built for it.
    fn reach_m(&self) -> f64;

    /// What the model reads of [`View::near`].
    fn looks(&self) -> Looks {
        Looks::Around
    }

    /// True if the model reads [`View::distance`].
    fn needs_distance(&self) -> bool {
        false
    }

    /// Rows have moved because people left: a model with columns of its own compacts them with [`RowMap::apply`].
    /// People who enter are appended; the model then finds its columns too short and extends them.
    fn remap(&mut self, rows: &RowMap) {
        let _ = rows;
    }
}

impl dyn Steering {
    /// Builds the neighbor search that the model asks for.
    pub(crate) fn find_neighbors(&self, near: &mut Neighbors, crowd: &Crowd, periodic: Torus) {
        match self.looks() {
            Looks::Nowhere => near.build(1.0, periodic, &[], &[], &[]),
            Looks::AtLanes => near.build_lanes(self.reach_m(), periodic, &crowd.pos, &crowd.radius),
            Looks::Around => near.build(self.reach_m(), periodic, &crowd.pos, &crowd.vel, &crowd.radius),
        }
    }
}
