//! ORCA lines due to walls: people take on all of the avoidance of walls they would hit within the horizon.

use crate::world::{Edge, Obstacles};
use crowdtune_core::math::Vec2;

/// Edge of a half-plane of velocities: those to the left of the direction are allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// A point of the line, m/s.
    pub point: Vec2,
    /// Its direction, a unit vector.
    pub along: Vec2,
}

impl Line {
    /// How far a velocity is on the wrong side, m/s; negative on the allowed side.
    #[inline]
    pub fn beyond(&self, v: Vec2) -> f64 {
        self.along.cross(self.point - v)
    }

    /// As a row of [`super::program::Lines`].
    pub fn in_lanes(&self) -> [f32; 3] {
        [self.along.cross(self.point), self.along.x, self.along.y].map(|x| x as f32)
    }
}

/// A person near walls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub pos: Vec2,
    pub vel: Vec2,
    pub radius: f64,
    /// Inverse of the horizon, 1/s.
    pub per_horizon: f64,
    /// Distance within which edges matter, m.
    pub reach: f64,
}

/// Tolerance of the test whether an edge is covered, m/s: as in the RVO2 library.
const COVERED: f64 = 1e-5;

/// Adds the lines of the edges in sight, nearest first; `near` is scratch.
pub(super) fn bounds(obstacles: &Obstacles, body: &Body, near: &mut Vec<(f64, u32)>, lines: &mut Vec<Line>) {
    near.clear();
    obstacles.seen(body.pos, body.reach, &mut |edge, d2| near.push((d2, edge)));
    near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let from = lines.len();
    for &(_, edge) in &*near {
        if !is_covered(obstacles.edge(edge), body, &lines[from..])
            && let Some(line) = bound(obstacles, edge, body)
        {
            lines.push(line);
        }
    }
}

/// True if the lines already forbid what the edge would.
fn is_covered(edge: &Edge, body: &Body, lines: &[Line]) -> bool {
    let (from, to) = ((edge.from - body.pos) * body.per_horizon, (edge.to - body.pos) * body.per_horizon);
    let least = body.radius * body.per_horizon - COVERED;
    // Both ends, grown by the body, are on the wrong side of one line.
    lines.iter().any(|line| line.beyond(from) >= least && line.beyond(to) >= least)
}

/// The line of one edge; `None` if a neighboring edge sets it.
fn bound(obstacles: &Obstacles, edge: u32, body: &Body) -> Option<Line> {
    let seen = obstacles.edge(edge);
    let (mut left, mut right) = (seen, obstacles.edge(seen.after));
    let (to_left, to_right) = (left.from - body.pos, seen.to - body.pos);
    let (r, r2) = (body.radius, body.radius * body.radius);
    let (left2, right2) = (to_left.length2(), to_right.length2());
    let length = (seen.to - seen.from).length();
    let t = -to_left.dot(seen.along) / length;
    let aside = seen.along.cross(to_left);
    let in_line = aside * aside <= r2;
    // In contact: no closer.
    if t < 0.0 && left2 <= r2 {
        return left.convex.then(|| away_from(to_left, seen));
    }
    if t > 1.0 && right2 <= r2 {
        let owns = right.convex && to_right.cross(right.along) >= 0.0;
        return owns.then(|| away_from(to_right, seen));
    }
    if (0.0..=1.0).contains(&t) && in_line {
        return Some(Line { point: Vec2::ZERO, along: -seen.along });
    }
    // Directions that pass on the left and on the right.
    let (mut left_leg, mut right_leg);
    let (mut left_at, mut right_at) = (to_left, to_right);
    let one_end = in_line;
    if in_line && t < 0.0 {
        // Seen end-on: the near end hides the rest.
        if !left.convex {
            return None;
        }
        right = left;
        right_at = left_at;
        (left_leg, right_leg) = legs(to_left, left2, r);
    } else if in_line {
        if !right.convex {
            return None;
        }
        left = right;
        left_at = right_at;
        (left_leg, right_leg) = legs(to_right, right2, r);
    } else {
        // At a concave corner the edge itself is the leg.
        left_leg = if left.convex { legs(to_left, left2, r).0 } else { -seen.along };
        right_leg = if right.convex { legs(to_right, right2, r).1 } else { seen.along };
    }
    // A leg that points into the neighboring edge is left to that edge.
    let back = -obstacles.edge(left.before).along;
    let (mut left_foreign, mut right_foreign) = (false, false);
    if left.convex && left_leg.cross(back) >= 0.0 {
        (left_leg, left_foreign) = (back, true);
    }
    if right.convex && right_leg.cross(right.along) <= 0.0 {
        (right_leg, right_foreign) = (right.along, true);
    }
    // Closest point of the velocity obstacle: at the cut-off line between the ends, at a round end, or on a leg.
    let (left_end, right_end) = (left_at * body.per_horizon, right_at * body.per_horizon);
    let from_left = body.vel - left_end;
    let from_right = body.vel - right_end;
    let between = right_end - left_end;
    let t = if one_end { 0.5 } else { from_left.dot(between) / between.length2() };
    let (on_left, on_right) = (from_left.dot(left_leg), from_right.dot(right_leg));
    let swollen = r * body.per_horizon;
    if (t < 0.0 && on_left < 0.0) || (one_end && on_left < 0.0 && on_right < 0.0) {
        return Some(round(from_left, left_end, swollen, to_left));
    }
    if t > 1.0 && on_right < 0.0 {
        return Some(round(from_right, right_end, swollen, to_right));
    }
    let far = f64::INFINITY;
    let cut2 = if !(0.0..=1.0).contains(&t) || one_end { far } else { (from_left - between * t).length2() };
    let left2 = if on_left < 0.0 { far } else { (from_left - left_leg * on_left).length2() };
    let right2 = if on_right < 0.0 { far } else { (from_right - right_leg * on_right).length2() };
    let shifted = |end: Vec2, along: Vec2| Line { point: end + along.left() * swollen, along };
    if cut2 <= left2 && cut2 <= right2 {
        Some(shifted(left_end, -left.along))
    } else if left2 <= right2 {
        (!left_foreign).then(|| shifted(left_end, left_leg))
    } else {
        (!right_foreign).then(|| shifted(right_end, -right_leg))
    }
}

/// The line for a person in contact with an end: no closer to it. A person right on it may leave to the side of the
/// edge.
fn away_from(to_end: Vec2, edge: &Edge) -> Line {
    Line { point: Vec2::ZERO, along: to_end.left().unit().unwrap_or(-edge.along) }
}

/// The line at the round end of the velocity obstacle.
fn round(from_end: Vec2, end: Vec2, swollen: f64, to_end: Vec2) -> Line {
    let out = from_end.unit().or_else(|| (-to_end).unit()).unwrap_or(Vec2 { x: 1.0, y: 0.0 });
    Line { point: end + out * swollen, along: -out.left() }
}

/// Directions that pass an end of the grown wall on its left and on its right.
fn legs(to: Vec2, distance2: f64, radius: f64) -> (Vec2, Vec2) {
    let along = (distance2 - radius * radius).max(0.0).sqrt();
    ((to * along + to.left() * radius) / distance2, (to * along - to.left() * radius) / distance2)
}
