//! Where people want to go: crowdtune's ways to doors, areas and points.

#![allow(dead_code, reason = "not every crate that steers needs all of them")]

use crate::place::{Goal, Group, Person, Place, Point};

/// People slow down over this time before a point at which they stop, s.
const ARRIVE_S: f64 = 1.0;
const ON_LINE_M: f64 = 1e-6;

pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub fn along(from: Point, way: Point, far: f64) -> Point {
    [from[0] + way[0] * far, from[1] + way[1] * far]
}

pub fn distance(a: Point, b: Point) -> f64 {
    dot(sub(a, b), sub(a, b)).sqrt()
}

/// The point of the line from a to b that is nearest to p.
pub fn nearest(a: Point, b: Point, p: Point) -> Point {
    let line = sub(b, a);
    along(a, line, (dot(sub(p, a), line) / dot(line, line)).clamp(0.0, 1.0))
}

/// True if the lines from a to b and from c to d cross.
fn cross(a: Point, b: Point, c: Point, d: Point) -> bool {
    let side = |p: Point, q: Point, r: Point| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

/// What somebody wants in a step.
#[derive(Clone, Copy)]
pub struct Wish {
    /// Unit vector, or zero.
    pub way: Point,
    pub speed: f64,
    /// The point that the way leads to.
    pub to: Point,
}

impl Place {
    /// True if p is so far past a door, level with it, and no wall is in between.
    fn past(&self, [a, b]: [Point; 2], out: Point, p: Point, least: f64, beside: f64) -> bool {
        let (line, length) = (sub(b, a), distance(a, b));
        let t = dot(sub(p, a), line) / length;
        if dot(sub(p, a), out) < least || t < -beside || t > length + beside {
            return false;
        }
        let to = nearest(a, b, p);
        !self.walls.iter().any(|wall| cross(p, to, wall[0], wall[1]))
    }

    /// How far p has to go to a goal.
    fn far(&self, goal: &Goal, p: Point) -> f64 {
        match *goal {
            Goal::Door(line, out) if self.past(line, out, p, 0.0, 0.0) => 0.0,
            _ => distance(closest(goal, p), p),
        }
    }

    /// The unit vector from p to a goal and where it leads: within a door, so that the body fits; straight out of it on its line.
    fn way(&self, goal: &Goal, p: Point, radius: f64) -> (Point, Point) {
        let to = match *goal {
            Goal::Door([a, b], out) => {
                if self.past([a, b], out, p, -ON_LINE_M, radius) {
                    return (out, along(p, out, 1.0));
                }
                let (line, length) = (sub(b, a), distance(a, b));
                let t = dot(sub(p, a), line) / length;
                let t = if length > 2.0 * radius { t.clamp(radius, length - radius) } else { 0.5 * length };
                along(a, line, t / length)
            }
            _ => closest(goal, p),
        };
        let far = distance(to, p);
        let near = if let Goal::Point(_, near) = goal { *near } else { 0.0 };
        (if far > near { along([0.0; 2], sub(to, p), 1.0 / far) } else { [0.0; 2] }, to)
    }

    /// True if a step reaches a goal: one radius past the line of a door, the inside of an area, the circle of a point.
    fn reached(&self, goal: &Goal, start: Point, end: Point, radius: f64) -> bool {
        match *goal {
            Goal::Point(at, near) => distance(if start == end { end } else { nearest(start, end, at) }, at) <= near,
            Goal::Area(corners) => inside(corners, end),
            Goal::Door(line, out) => {
                let (before, after) = (dot(sub(start, line[0]), out), dot(sub(end, line[0]), out));
                if after < radius {
                    return false;
                }
                let passed = || along(start, sub(end, start), (radius - before) / (after - before));
                self.past(line, out, end, radius, radius)
                    || before < radius && self.past(line, out, passed(), 0.0, radius)
            }
        }
    }
}

/// True if p lies in a polygon.
fn inside(corners: &[Point], p: Point) -> bool {
    let mut odd = false;
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) {
            odd = !odd;
        }
    }
    odd
}

/// The point of a goal that is nearest to p.
fn closest(goal: &Goal, p: Point) -> Point {
    match *goal {
        Goal::Point(at, _) => at,
        Goal::Door([a, b], _) => nearest(a, b, p),
        Goal::Area(corners) if inside(corners, p) => p,
        Goal::Area(corners) => {
            let edges = (0..corners.len()).map(|i| nearest(corners[i], corners[(i + 1) % corners.len()], p));
            edges.min_by(|a, b| distance(*a, p).total_cmp(&distance(*b, p))).unwrap_or(p)
        }
    }
}

/// Somebody on the way.
pub struct Walker {
    pub who: &'static Person,
    pub group: &'static Group,
    pub at: Point,
    pub velocity: Point,
    pub present: bool,
    rank: usize,
    stage: usize,
}

impl Walker {
    /// Everybody at the start.
    pub fn all(place: &'static Place) -> Vec<Self> {
        let mut ranks = vec![0; place.groups.len()];
        let walker = |who: &'static Person| {
            ranks[who.group] += 1;
            let (group, rank) = (&place.groups[who.group], ranks[who.group] - 1);
            Self { who, group, at: who.at, velocity: [0.0; 2], present: true, rank, stage: 0 }
        };
        place.people.iter().map(walker).collect()
    }

    /// The goals of the present stage.
    fn choice(&self) -> &'static [usize] {
        let goals = self.group.stages[self.stage];
        if self.group.own_goals { std::slice::from_ref(&goals[self.rank % goals.len()]) } else { goals }
    }

    /// What this person wants now.
    pub fn wish(&self, place: &Place, time_s: f64) -> Wish {
        let (p, mut speed) = (self.at, self.who.desired_speed);
        let still = Wish { way: [0.0; 2], speed: 0.0, to: p };
        if time_s < self.who.start_s {
            return still;
        }
        if self.group.stages.is_empty() {
            return match (self.group.heading, self.group.stay) {
                (Some(way), _) => Wish { way, speed, to: along(p, way, 1.0) },
                (_, Some((at, near))) if distance(at, p) > near => {
                    let far = distance(at, p);
                    Wish { way: along([0.0; 2], sub(at, p), 1.0 / far), speed: speed.min(far / ARRIVE_S), to: at }
                }
                _ => still,
            };
        }
        let goals = self.choice().iter().map(|&goal| &place.goals[goal]);
        let Some(goal) = goals.min_by(|a, b| place.far(a, p).total_cmp(&place.far(b, p))) else { return still };
        if self.stage + 1 == self.group.stages.len() && matches!(goal, Goal::Point(..)) {
            speed = speed.min(place.far(goal, p) / ARRIVE_S);
        }
        let (way, to) = place.way(goal, p, self.who.radius_m);
        Wish { way, speed, to }
    }

    /// Takes a step, and goes on to the next stage or leaves.
    pub fn step(&mut self, place: &Place, velocity: Point) {
        let start = self.at;
        (self.velocity, self.at) = (velocity, along(start, velocity, place.time_step_s));
        let reached = |goal: &usize| place.reached(&place.goals[*goal], start, self.at, self.who.radius_m);
        if !self.group.stages.is_empty() && self.choice().iter().any(reached) {
            self.stage += 1;
            if self.stage == self.group.stages.len() {
                (self.present, self.stage) = (self.group.rounds, 0);
            }
        }
    }
}
