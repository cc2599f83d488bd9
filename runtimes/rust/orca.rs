//! van den Berg, Guy, Lin, Manocha, Reciprocal n-Body Collision Avoidance (2011): the velocity nearest to the preferred one that stays
//! free of collisions for some time, provided that all share the avoidance.

use super::crowd::{Cells, Person, parting};
use super::place::{Edge, Place, Vec2};

/// Constants of a group, with the keys of the preset.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    pub time_horizon_s: f64,
    pub obstacle_time_horizon_s: f64,
    pub neighbor_distance_m: f64,
    pub max_neighbors: usize,
    pub responsibility: f64,
    pub margin_m: f64,
    pub max_speed_factor: f64,
}

/// Sine below which two lines are parallel.
const PARALLEL: f64 = 1e-5;
/// Beyond any speed, m/s: the offset of a line that forbids nothing.
const FAR: f64 = 1e6;
/// Nearer people are at the same place, m.
const SAME_PLACE: f64 = 1e-4;
/// How much faster than allowed a step may approach a wall, m/s: rounding.
const SLACK: f64 = 1e-9;

/// Velocities to the left of a line are allowed: its offset to the left of velocity 0, m/s, and its direction.
#[derive(Clone, Copy, Debug)]
struct Line {
    offset: f64,
    along: Vec2,
}

impl Line {
    fn through(point: Vec2, along: Vec2) -> Self {
        Self { offset: along.cross(point), along }
    }

    /// How far a velocity is on the wrong side, m/s.
    fn beyond(&self, v: Vec2) -> f64 {
        self.offset - self.along.cross(v)
    }
}

/// The model.
pub struct Orca {
    groups: Vec<Constants>,
    lines: Vec<Line>,
    spare: Vec<Line>,
    near: Vec<(f64, usize)>,
}

impl Orca {
    /// Constants by group.
    pub fn new(groups: Vec<Constants>) -> Self {
        Self { groups, lines: Vec::new(), spare: Vec::new(), near: Vec::new() }
    }

    /// How far people see each other, m.
    pub fn reach(&self) -> f64 {
        self.groups.iter().map(|c| c.neighbor_distance_m).fold(0.0, f64::max)
    }

    /// Velocities of the next step.
    pub fn steer(&mut self, place: &Place, people: &[Person], cells: &Cells, dt: f64, next: &mut [Vec2]) {
        for (i, me) in people.iter().enumerate() {
            let c = self.groups[me.group];
            let most = me.top_speed(c.max_speed_factor);
            next[i] = Vec2::ZERO;
            if most <= 0.0 {
                continue;
            }
            self.lines.clear();
            self.bound_by_walls(place, me, &c, most, dt);
            let hard = self.lines.len();
            self.bound_by_people(place, people, cells, dt, i);
            let vel = self.solve(hard, most, me.way * me.preferred_speed());
            next[i] = keep_off(place, me, vel, dt);
        }
    }

    /// A line for each wall that would be hit within the horizon, nearest first.
    fn bound_by_walls(&mut self, place: &Place, me: &Person, c: &Constants, most: f64, dt: f64) {
        let (radius, ahead) = (me.radius + c.margin_m, c.obstacle_time_horizon_s.max(dt));
        let (per, reach) = (1.0 / ahead, radius + most * ahead);
        self.near.clear();
        for wall in 0..place.edges.len() / 2 {
            let edge = &place.edges[2 * wall];
            let way = me.pos - edge.from;
            let (side, t) = (edge.along.cross(way), way.dot(edge.along));
            let length = (edge.to - edge.from).dot(edge.along);
            let beside = t - t.max(0.0).min(length);
            let d2 = side * side + beside * beside;
            if d2 <= reach * reach {
                self.near.push((d2, 2 * wall + usize::from(side > 0.0)));
            }
        }
        self.near.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        for &(_, edge) in &self.near {
            let seen = &place.edges[edge];
            // Covered if both ends, grown by the body, are on the wrong side of one line.
            let (from, to) = ((seen.from - me.pos) * per, (seen.to - me.pos) * per);
            let least = radius * per - 1e-5;
            if self.lines.iter().any(|line| line.beyond(from) >= least && line.beyond(to) >= least) {
                continue;
            }
            if let Some(line) = wall_line(place, edge, (me.pos, me.vel), radius, per) {
                self.lines.push(line);
            }
        }
    }

    /// A line for each of the nearest people.
    fn bound_by_people(&mut self, place: &Place, people: &[Person], cells: &Cells, dt: f64, i: usize) {
        let me = &people[i];
        let c = self.groups[me.group];
        let near = &mut self.near;
        near.clear();
        cells.around(me.pos, &mut |j| {
            let d2 = place.apart(me.pos, people[j].pos).length2();
            if j == i || d2 >= c.neighbor_distance_m * c.neighbor_distance_m || c.max_neighbors == 0 {
                return;
            }
            // Kept in order; of equally near people the first stays in front.
            if near.len() < c.max_neighbors {
                near.push((d2, j));
            } else if d2 < near[near.len() - 1].0 {
                let last = near.len() - 1;
                near[last] = (d2, j);
            } else {
                return;
            }
            let mut at = near.len() - 1;
            while at > 0 && near[at].0 < near[at - 1].0 {
                near.swap(at, at - 1);
                at -= 1;
            }
        });
        for at in 0..self.near.len() {
            let other = &people[self.near[at].1];
            let theirs = self.groups[other.group].responsibility;
            let sum = c.responsibility + theirs;
            let share = if self.groups.len() > 1 && sum > 0.0 { c.responsibility / sum } else { 0.5 };
            if share > 0.0 {
                let way = place.apart(me.pos, other.pos);
                let body = (me.radius + c.margin_m, c.time_horizon_s.max(dt));
                self.lines.push(person_line(me, (other, way), body, share, dt));
            }
        }
    }

    /// The velocity nearest to the wish that all lines allow, no faster than `most`; or the one that violates the lines of people least.
    fn solve(&mut self, hard: usize, most: f64, wish: Vec2) -> Vec2 {
        let (mut v, stopped) = plane(&self.lines, most, wish, wish.limited(most), false);
        if stopped == self.lines.len() {
            return v;
        }
        let mut wrong = 0.0;
        for at in stopped..self.lines.len() {
            let line = self.lines[at];
            if line.beyond(v) <= wrong {
                continue;
            }
            self.spare.clear();
            self.spare.extend_from_slice(&self.lines[..hard.min(at)]);
            for other in &self.lines[hard.min(at)..at] {
                // The line on which both are violated equally; of parallel ones that face the same way none is before the other.
                let way = other.along - line.along;
                let length2 = way.length2();
                self.spare.push(if length2 <= PARALLEL * PARALLEL {
                    Line { offset: -FAR, along: Vec2 { x: 1.0, y: 0.0 } }
                } else {
                    let per = 1.0 / length2.sqrt();
                    Line { offset: (other.offset - line.offset) * per, along: way * per }
                });
            }
            let way = line.along.left();
            let (best, stopped) = plane(&self.spare, most, way, way * most, true);
            // Stopped early only by rounding: then the velocity so far stays.
            if stopped == self.spare.len() {
                v = best;
            }
            wrong = line.beyond(v);
        }
        v
    }
}

/// The best velocity for all lines and their number, or for those before the first that leaves nothing, and its number. Best is nearest to
/// `want`, or with `toward` farthest in its direction.
fn plane(lines: &[Line], most: f64, want: Vec2, start: Vec2, toward: bool) -> (Vec2, usize) {
    let mut v = start;
    for at in 0..lines.len() {
        if lines[at].beyond(v) > 0.0 {
            match best_on_line(lines, at, most, want, toward) {
                Some(best) => v = best,
                None => return (v, at),
            }
        }
    }
    (v, lines.len())
}

/// The best point of a line given those before it.
fn best_on_line(lines: &[Line], at: usize, most: f64, want: Vec2, toward: bool) -> Option<Vec2> {
    let Line { offset, along } = lines[at];
    let space = most * most - offset * offset;
    if space < 0.0 {
        return None;
    }
    let (mut first, mut last) = (-space.sqrt(), space.sqrt());
    for other in &lines[..at] {
        let sine = along.cross(other.along);
        let gap = offset * along.dot(other.along) - other.offset;
        if sine.abs() <= PARALLEL {
            if gap < 0.0 {
                return None;
            }
        } else if sine > 0.0 {
            last = last.min(gap / sine);
        } else {
            first = first.max(gap / sine);
        }
    }
    if first > last {
        return None;
    }
    let t = along.dot(want);
    let t = if toward { if t > 0.0 { last } else { first } } else { t.max(first).min(last) };
    Some(along * t + along.left() * offset)
}

/// The line due to somebody else: half of the smallest change (or another share of it) that keeps two bodies apart for the horizon.
fn person_line(me: &Person, (other, way): (&Person, Vec2), (radius, horizon): (f64, f64), share: f64, dt: f64) -> Line {
    let v = me.vel - other.vel;
    let touch = radius + other.radius;
    let (d2, touch2) = (way.length2(), touch * touch);
    let per = if d2 > touch2 { 1.0 / horizon } else { 1.0 / dt };
    let w = v - way * per;
    let (w2, on_way) = (w.length2(), w.dot(way));
    if w2 <= 1e-14 {
        // In the very middle: straight apart.
        let d = d2.sqrt();
        let out = if d > SAME_PLACE { way * (-1.0 / d) } else { parting(me.id, other.id) };
        return Line::through(me.vel + out * (touch * per * share), -out.left());
    }
    if d2 <= touch2 || (on_way < 0.0 && on_way * on_way > touch2 * w2) {
        let length = w2.sqrt();
        let out = w * (1.0 / length);
        return Line::through(me.vel + out * ((touch * per - length) * share), -out.left());
    }
    let leg = (d2 - touch2).sqrt();
    let leg = if way.cross(w) > 0.0 { leg } else { -leg };
    let along = (way * leg + way.left() * touch) * (1.0 / d2);
    Line::through(me.vel + (along * v.dot(along) - v) * share, along)
}

/// The line due to one side of a wall; `None` if a neighboring side sets it.
fn wall_line(place: &Place, number: usize, (pos, vel): (Vec2, Vec2), r: f64, per: f64) -> Option<Line> {
    let seen = &place.edges[number];
    let (mut left, mut right): (&Edge, &Edge) = (seen, &place.edges[seen.after]);
    let (to_left, to_right) = (left.from - pos, seen.to - pos);
    let (left2, right2, r2) = (to_left.length2(), to_right.length2(), r * r);
    let t = -to_left.dot(seen.along) / (seen.to - seen.from).length();
    let aside = seen.along.cross(to_left);
    let in_line = aside * aside <= r2;
    // In contact: no nearer.
    if t < 0.0 && left2 <= r2 {
        return left.convex.then(|| Line::through(Vec2::ZERO, off_end(to_left, seen)));
    }
    if t > 1.0 && right2 <= r2 {
        let owns = right.convex && to_right.cross(right.along) >= 0.0;
        return owns.then(|| Line::through(Vec2::ZERO, off_end(to_right, seen)));
    }
    if (0.0..=1.0).contains(&t) && in_line {
        return Some(Line::through(Vec2::ZERO, -seen.along));
    }
    // Directions that pass on the left and on the right; at a concave corner the wall itself.
    let (mut left_leg, mut right_leg);
    let (mut left_at, mut right_at) = (to_left, to_right);
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
        left_leg = if left.convex { legs(to_left, left2, r).0 } else { -seen.along };
        right_leg = if right.convex { legs(to_right, right2, r).1 } else { seen.along };
    }
    // A leg into the neighboring side is left to that side.
    let back = -place.edges[left.before].along;
    let (mut left_foreign, mut right_foreign) = (false, false);
    if left.convex && left_leg.cross(back) >= 0.0 {
        (left_leg, left_foreign) = (back, true);
    }
    if right.convex && right_leg.cross(right.along) <= 0.0 {
        (right_leg, right_foreign) = (right.along, true);
    }
    // The nearest point of the velocity obstacle: on the cut between the ends, at a round end, or on a leg.
    let (left_end, right_end) = (left_at * per, right_at * per);
    let (from_left, from_right, between) = (vel - left_end, vel - right_end, right_end - left_end);
    let t = if in_line { 0.5 } else { from_left.dot(between) / between.length2() };
    let (on_left, on_right) = (from_left.dot(left_leg), from_right.dot(right_leg));
    if (t < 0.0 && on_left < 0.0) || (in_line && on_left < 0.0 && on_right < 0.0) {
        return Some(round_end(from_left, left_end, r * per, to_left));
    }
    if t > 1.0 && on_right < 0.0 {
        return Some(round_end(from_right, right_end, r * per, to_right));
    }
    let far = f64::INFINITY;
    let cut2 = if !(0.0..=1.0).contains(&t) || in_line { far } else { (from_left - between * t).length2() };
    let left2 = if on_left < 0.0 { far } else { (from_left - left_leg * on_left).length2() };
    let right2 = if on_right < 0.0 { far } else { (from_right - right_leg * on_right).length2() };
    let shifted = |end: Vec2, along: Vec2| Line::through(end + along.left() * (r * per), along);
    if cut2 <= left2 && cut2 <= right2 {
        Some(shifted(left_end, -left.along))
    } else if left2 <= right2 {
        (!left_foreign).then(|| shifted(left_end, left_leg))
    } else {
        (!right_foreign).then(|| shifted(right_end, -right_leg))
    }
}

/// Direction of the line for a body that touches an end.
fn off_end(to_end: Vec2, edge: &Edge) -> Vec2 {
    let along = to_end.left().unit();
    if along == Vec2::ZERO { -edge.along } else { along }
}

/// The line at the round end of a velocity obstacle.
fn round_end(from_end: Vec2, end: Vec2, swollen: f64, to_end: Vec2) -> Line {
    let mut out = from_end.unit();
    if out == Vec2::ZERO {
        out = (-to_end).unit();
    }
    Line::through(end + out * swollen, -out.left())
}

/// Directions that pass an end of a grown wall on its left and on its right.
fn legs(to: Vec2, distance2: f64, radius: f64) -> (Vec2, Vec2) {
    let along = (distance2 - radius * radius).max(0.0).sqrt();
    ((to * along + to.left() * radius) * (1.0 / distance2), (to * along - to.left() * radius) * (1.0 / distance2))
}

/// The velocity without what leads nearer to a wall than the body is wide; zero if nothing is left.
fn keep_off(place: &Place, me: &Person, wanted: Vec2, dt: f64) -> Vec2 {
    let mut vel = wanted;
    let reach = me.radius + wanted.length() * dt;
    for _ in 0..4 {
        let mut turned = false;
        place.contacts(me.pos, reach, &mut |wall| {
            let into = -vel.dot(wall.normal) - (wall.distance - me.radius).max(0.0) / dt;
            if into > SLACK {
                vel += wall.normal * into;
                turned = true;
            }
        });
        if !turned {
            return if place.crosses(me.pos, me.pos + vel * dt) { Vec2::ZERO } else { vel };
        }
    }
    Vec2::ZERO
}
