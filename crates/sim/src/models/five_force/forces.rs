//! The five forces, each normalised to a length of at most 1 (equations 3.1 to 3.19).

use crate::world::Walls;
use crowdtune_core::math::Vec2;

/// Gap at which a path counts as touching a wall, m. Chosen here: a millimetre changes no force visibly.
const TOUCH_M: f64 = 1e-3;
/// Walls met at a flatter angle (sine) than this are slid along, not run into. Chosen here: 0.06 degrees.
const GRAZES: f64 = 1e-3;
/// Moves along a path towards a wall at most. Chosen here: each halves the gap at an angle of 30 degrees or more.
const MOVES: usize = 24;
/// How far a path looks at once, m: the reach of the cell lists of walls.
const LOOK_M: f64 = 2.0;

/// `v`, shortened to a length of `most` where it is longer.
pub(in crate::models) fn limited(v: Vec2, most: f64) -> Vec2 {
    let length2 = v.length2();
    if length2 > most * most { v * (most / length2.sqrt()) } else { v }
}

/// What somebody sees of the neighbors: sums over those that count.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::models) struct Seen {
    count: f64,
    apart: Vec2,
    vel: Vec2,
    way: Vec2,
}

impl Seen {
    /// Adds several people: the sums of their pushes (2 r/d away, 1 nearer than contact), velocities and ways to them.
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

    /// True if the sums differ by less than `most`; counts have to be equal.
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

    /// Equation 3.7: towards their mean velocity, over the largest difference.
    pub(in crate::models) fn alignment(&self, v: Vec2, cap: f64) -> Vec2 {
        self.mean_vel().map_or(Vec2::ZERO, |mean| limited((mean - v) * (0.5 / cap), 1.0))
    }

    /// Equation 3.10: towards their middle, over the range of sight.
    pub(in crate::models) fn cohesion(&self, range: f64) -> Vec2 {
        if self.count > 0.0 { limited(self.way * (1.0 / (self.count * range)), 1.0) } else { Vec2::ZERO }
    }
}

/// Equation 3.15: towards a velocity that falls with the distance of the goal within the range of sight.
///
/// `goal` is the direction, the length of the way and the wanted speed. Anyone without a goal (no direction, no way) feels
/// nothing; anyone at the goal brakes.
pub(super) fn attraction((way, distance, speed): (Vec2, f64, f64), range: f64, v: Vec2, cap: f64) -> Vec2 {
    if way == Vec2::ZERO && distance <= 0.0 {
        return Vec2::ZERO;
    }
    let wanted = way * (speed * (distance / range).min(1.0));
    limited((wanted - v) * (0.5 / cap), 1.0)
}

/// Equation 3.19: against the velocity, by 1/d over its value at one radius, if the body meets a wall at this velocity
/// within `ahead` seconds; d is the way to there.
pub(in crate::models) fn repulsion(walls: &Walls, p: Vec2, v: Vec2, radius: f64, ahead: f64) -> Vec2 {
    let Some(way) = v.unit() else { return Vec2::ZERO };
    match free_way(walls, p, way, radius, v.length() * ahead) {
        Some(d) => -way * (radius / d.max(radius)),
        None => Vec2::ZERO,
    }
}

/// How far a body can go in a direction until it meets a wall, m; `None` if it can go all the `length`.
fn free_way(walls: &Walls, p: Vec2, way: Vec2, radius: f64, length: f64) -> Option<f64> {
    let mut gone = 0.0;
    for _ in 0..MOVES {
        let look = (length - gone).min(LOOK_M - radius).max(TOUCH_M);
        // No wall comes nearer by more than the way that is gone, so a gap can be gone in one move.
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
