//! The five forces, each normalized to a length of at most 1 (equations 3.1 to 3.19).

use crate::world::Walls;
use crowdtune_core::math::Vec2;

/// Gap at which a path counts as touching a wall, m. Chosen here: a millimeter changes no force visibly.
const TOUCH_M: f64 = 1e-3;
/// Below this angle to a wall (its sine) a path slides along the wall instead of hitting it. Chosen here: 0.06 degrees.
const GRAZES: f64 = 1e-3;
/// Most moves along a path towards a wall. Chosen here: each one halves the gap at angles of 30 degrees or more.
const MOVES: usize = 24;
/// Length of path examined at once, m: the reach of the walls' cell lists.
const LOOK_M: f64 = 2.0;

/// `v`, cut to a length of `most`.
pub(in crate::models) fn limited(v: Vec2, most: f64) -> Vec2 {
    let length2 = v.length2();
    if length2 > most * most { v * (most / length2.sqrt()) } else { v }
}

/// What a person sees of the neighbors: sums over those that count.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::models) struct Seen {
    pub(super) count: f64,
    pub(super) apart: Vec2,
    pub(super) vel: Vec2,
    pub(super) way: Vec2,
}

impl Seen {
    /// Adds several people: sums of their pushes (2 r/d away, 1 closer than contact), of their velocities and of the
    /// vectors to them.
    pub(super) fn add(&mut self, count: u32, apart: Vec2, vel: Vec2, way: Vec2) {
        self.count += f64::from(count);
        self.apart += apart;
        self.vel += vel;
        self.way += way;
    }

    /// Adds somebody at the same place.
    pub(super) fn meet(&mut self, away: Vec2, vel: Vec2) {
        self.add(1, away, vel, Vec2::ZERO);
    }

    /// True if the counts are equal and the sums differ by less than `most`.
    #[cfg(test)]
    pub(super) fn is_near(&self, o: &Self, most: f64) -> bool {
        let off = [self.apart - o.apart, self.vel - o.vel, self.way - o.way];
        self.count == o.count && off.iter().all(|v| v.length() < most)
    }

    /// Mean velocity of the people seen, equation 3.5.
    pub(in crate::models) fn mean_vel(&self) -> Option<Vec2> {
        (self.count > 0.0).then(|| self.vel * (1.0 / self.count))
    }

    /// Equation 3.4: away from each of them by 1/d, on average.
    pub(in crate::models) fn separation(&self) -> Vec2 {
        if self.count > 0.0 { self.apart * (1.0 / self.count) } else { Vec2::ZERO }
    }

    /// Equation 3.7: towards their mean velocity, divided by the largest possible difference.
    pub(in crate::models) fn alignment(&self, v: Vec2, cap: f64) -> Vec2 {
        self.mean_vel().map_or(Vec2::ZERO, |mean| limited((mean - v) * (0.5 / cap), 1.0))
    }

    /// Equation 3.10: towards their center, divided by the range of sight.
    pub(in crate::models) fn cohesion(&self, range: f64) -> Vec2 {
        if self.count > 0.0 { limited(self.way * (1.0 / (self.count * range)), 1.0) } else { Vec2::ZERO }
    }
}

/// Equation 3.15: towards a velocity that falls with the distance to the goal once the goal is within sight.
///
/// `goal` is the direction, the distance and the preferred speed. People without a goal (no direction, no distance)
/// feel nothing; people at their goal brake.
#[cfg(test)]
pub(super) fn attraction((way, distance, speed): (Vec2, f64, f64), range: f64, v: Vec2, cap: f64) -> Vec2 {
    if way == Vec2::ZERO && distance <= 0.0 {
        return Vec2::ZERO;
    }
    let wanted = way * (speed * (distance / range).min(1.0));
    limited((wanted - v) * (0.5 / cap), 1.0)
}

/// Equation 3.19: against the velocity, by 1/d relative to its value at one radius, if the body would hit a wall within
/// `ahead` seconds at this velocity; d is the distance to that point.
pub(in crate::models) fn repulsion(walls: &Walls, p: Vec2, v: Vec2, radius: f64, ahead: f64) -> Vec2 {
    // Mostly no wall is near.
    if walls.are_far(p, radius + v.length() * ahead + TOUCH_M) {
        return Vec2::ZERO;
    }
    let Some(way) = v.unit() else { return Vec2::ZERO };
    match free_way(walls, p, way, radius, v.length() * ahead) {
        Some(d) => -way * (radius / d.max(radius)),
        None => Vec2::ZERO,
    }
}

/// How far a body can move in a direction before it hits a wall, m; `None` if it can move the whole `length`.
fn free_way(walls: &Walls, p: Vec2, way: Vec2, radius: f64, length: f64) -> Option<f64> {
    let mut gone = 0.0;
    for _ in 0..MOVES {
        let look = (length - gone).min(LOOK_M - radius).max(TOUCH_M);
        // A move brings no wall closer than its own length, so moving by the whole gap is safe.
        let mut gap = look;
        walls.contacts(p + way * gone, radius + look, &mut |wall| {
            if way.dot(wall.normal) < -GRAZES {
                gap = gap.min(wall.distance - radius);
            }
        });
        if gap <= TOUCH_M && gap < look {
            return Some(gone);
        }
        gone += gap;
        if gone >= length {
            return None;
        }
    }
    Some(gone)
}

#[cfg(test)]
#[path = "forces_tests.rs"]
mod tests;
