//! A place: walls, and the goals that people walk to. Meters; walls are lines that may meet at their ends and cross nowhere else.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Ends closer than this meet, m.
const MEET: f64 = 1e-9;

/// A point or a vector, m or m/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec2 {
    /// East.
    pub x: f64,
    /// North.
    pub y: f64,
}

/// A vector by its coordinates.
pub const fn vec2(x: f64, y: f64) -> Vec2 {
    Vec2 { x, y }
}

impl Vec2 {
    /// No length.
    pub const ZERO: Self = vec2(0.0, 0.0);

    /// Scalar product.
    pub fn dot(self, o: Self) -> f64 {
        self.x * o.x + self.y * o.y
    }

    /// Positive if `o` is to the left.
    pub fn cross(self, o: Self) -> f64 {
        self.x * o.y - self.y * o.x
    }

    /// Length squared.
    pub fn length2(self) -> f64 {
        self.dot(self)
    }

    /// Length.
    pub fn length(self) -> f64 {
        self.length2().sqrt()
    }

    /// Turned left by a right angle.
    pub fn left(self) -> Self {
        vec2(-self.y, self.x)
    }

    /// Of length 1; zero for what is shorter than 1e-12.
    pub fn unit(self) -> Self {
        let length = self.length();
        if length > 1e-12 { self * (1.0 / length) } else { Self::ZERO }
    }

    /// Cut to a length of `most`.
    pub fn limited(self, most: f64) -> Self {
        let length2 = self.length2();
        if length2 > most * most { self * (most / length2.sqrt()) } else { self }
    }
}

impl Add for Vec2 {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        vec2(self.x + o.x, self.y + o.y)
    }
}
impl Sub for Vec2 {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        vec2(self.x - o.x, self.y - o.y)
    }
}
impl Mul<f64> for Vec2 {
    type Output = Self;
    fn mul(self, s: f64) -> Self {
        vec2(self.x * s, self.y * s)
    }
}
impl Neg for Vec2 {
    type Output = Self;
    fn neg(self) -> Self {
        vec2(-self.x, -self.y)
    }
}
impl AddAssign for Vec2 {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl SubAssign for Vec2 {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

/// A point of a wall that acts on somebody.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// Distance to the person's center, m.
    pub distance: f64,
    /// Unit vector from the wall to the person.
    pub normal: Vec2,
}

/// A wall and the corners at its two ends.
#[derive(Clone, Debug)]
struct Wall {
    a: Vec2,
    along: Vec2,
    length: f64,
    ends: [usize; 2],
    b: Vec2,
}

/// A wall that ends in a corner, and its direction away from there.
#[derive(Clone, Debug)]
struct Arm {
    wall: usize,
    /// 0 for its end `a`, 1 for `b`.
    end: usize,
    at: Vec2,
    away: Vec2,
}

/// One side of a wall, seen from its right; sides are linked into chains around what is solid.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Its left end, seen from the walkable side.
    pub from: Vec2,
    /// Its right end.
    pub to: Vec2,
    /// Unit vector between them.
    pub along: Vec2,
    /// The edge before.
    pub before: usize,
    /// The edge after.
    pub after: usize,
    /// True if the corner at `from` is convex or straight.
    pub convex: bool,
}

/// Where people can go.
#[derive(Clone, Debug)]
pub enum Goal {
    /// Reached within `radius` of a point.
    Point {
        /// The point.
        at: Vec2,
        /// Distance, m.
        radius: f64,
    },
    /// Reached one body radius past a line; `out` is the unit vector across it.
    Door {
        /// One post.
        a: Vec2,
        /// The other post.
        b: Vec2,
        /// Away from where people come from.
        out: Vec2,
    },
    /// Reached inside an outline.
    Area {
        /// Corners, counterclockwise.
        points: Vec<Vec2>,
    },
}

/// Walls and goals.
#[derive(Clone, Debug, Default)]
pub struct Place {
    walls: Vec<Wall>,
    corners: Vec<Vec<Arm>>,
    /// Both sides of wall `i`: `2 i` and `2 i + 1`.
    pub edges: Vec<Edge>,
    /// Goals; stages of groups hold their numbers.
    pub goals: Vec<Goal>,
    /// Intervals of x and y, m, that are rings: whoever leaves at one end comes back at the other.
    pub rings: [Option<(f64, f64)>; 2],
}

impl Place {
    /// Joins walls that meet at their ends.
    pub fn new(lines: &[(Vec2, Vec2)], goals: Vec<Goal>, rings: [Option<(f64, f64)>; 2]) -> Self {
        let mut place = Self { goals, rings, ..Self::default() };
        let mut at: Vec<Vec2> = Vec::new();
        for &(a, b) in lines {
            let mut ends = [0, 0];
            for (end, p) in [a, b].into_iter().enumerate() {
                ends[end] = at.iter().position(|&q| (p - q).length() <= MEET).unwrap_or(at.len());
                if ends[end] == at.len() {
                    at.push(p);
                }
            }
            let length = (b - a).length();
            place.walls.push(Wall { a, b, along: (b - a) * (1.0 / length), length, ends });
        }
        place.corners = vec![Vec::new(); at.len()];
        for (i, wall) in place.walls.iter().enumerate() {
            place.corners[wall.ends[0]].push(Arm { wall: i, end: 0, at: wall.a, away: wall.along });
            place.corners[wall.ends[1]].push(Arm { wall: i, end: 1, at: wall.b, away: -wall.along });
        }
        place.link();
        place
    }

    /// True if no axis is a ring.
    pub fn is_open(&self) -> bool {
        self.rings == [None, None]
    }

    /// The vector from one point to another, the shorter way round in a ring.
    pub fn apart(&self, from: Vec2, to: Vec2) -> Vec2 {
        let way = to - from;
        vec2(shorter(self.rings[0], way.x), shorter(self.rings[1], way.y))
    }

    /// The point inside the rings.
    pub fn wrap(&self, p: Vec2) -> Vec2 {
        vec2(wrapped(self.rings[0], p.x), wrapped(self.rings[1], p.y))
    }

    /// Links the sides of walls: at a corner the chain goes on with the next side to the left of where it came from.
    fn link(&mut self) {
        for wall in &self.walls {
            let edge = |from, to, along| Edge { from, to, along, before: 0, after: 0, convex: true };
            self.edges.push(edge(wall.a, wall.b, wall.along));
            self.edges.push(edge(wall.b, wall.a, -wall.along));
        }
        for arms in &self.corners {
            let mut leaving: Vec<(f64, usize)> =
                arms.iter().map(|arm| (turn(arm.away), 2 * arm.wall + arm.end)).collect();
            leaving.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            for (k, &(_, edge)) in leaving.iter().enumerate() {
                let (comes, after) = (edge ^ 1, leaving[(k + 1) % leaving.len()].1);
                self.edges[comes].after = after;
                self.edges[after].before = comes;
                self.edges[after].convex = self.edges[comes].along.cross(self.edges[after].along) >= 0.0;
            }
        }
    }

    /// Calls `f` for every point of a wall within `reach` of `p` that acts there: the nearest point of each wall, but a corner only
    /// where it is the nearest point of all walls that meet in it, and then once.
    pub fn contacts(&self, p: Vec2, reach: f64, f: &mut dyn FnMut(Contact)) {
        for (i, wall) in self.walls.iter().enumerate() {
            let from_a = p - wall.a;
            if wall.along.cross(from_a).abs() > reach {
                continue;
            }
            let t = from_a.dot(wall.along);
            let mut point = wall.a + wall.along * t;
            if t <= MEET || t >= wall.length - MEET {
                let arms = &self.corners[wall.ends[if t <= MEET { 0 } else { 1 }]];
                if arms[0].wall != i || arms.iter().any(|arm| (p - arm.at).dot(arm.away) > MEET) {
                    continue;
                }
                point = arms[0].at;
            }
            let away = p - point;
            let distance = away.length();
            if distance <= reach {
                let normal = if distance < MEET { wall.along.left() } else { away * (1.0 / distance) };
                f(Contact { distance, normal });
            }
        }
    }

    /// True if a straight step crosses a wall.
    pub fn crosses(&self, from: Vec2, to: Vec2) -> bool {
        self.walls.iter().any(|wall| {
            let (s, e) = (wall.along.cross(from - wall.a), wall.along.cross(to - wall.a));
            if (s >= 0.0) == (e >= 0.0) {
                return false;
            }
            let t = (from + (to - from) * (s / (s - e)) - wall.a).dot(wall.along);
            t >= -MEET && t <= wall.length + MEET
        })
    }

    /// Unit vector from `p` to a goal for a body of this radius: to a point, to the nearest point of an area, to a door as far from its
    /// posts as the body is wide; straight out on a door's line and past it, zero where the goal is reached.
    pub fn toward(&self, goal: usize, p: Vec2, radius: f64) -> Vec2 {
        match &self.goals[goal] {
            Goal::Point { at, radius } => {
                if (p - *at).length() <= *radius {
                    Vec2::ZERO
                } else {
                    (*at - p).unit()
                }
            }
            Goal::Area { points } => (nearest_of_area(points, p) - p).unit(),
            Goal::Door { a, b, out } => {
                if self.is_past((*a, *b, *out), p, -1e-6, radius) {
                    return *out;
                }
                let (along, length) = ((*b - *a).unit(), (*b - *a).length());
                let t = (p - *a).dot(along);
                let t = if length > 2.0 * radius { t.max(radius).min(length - radius) } else { 0.5 * length };
                (*a + along * t - p).unit()
            }
        }
    }

    /// Straight distance from `p` to the nearest point of a goal, m; 0 past a door and inside an area.
    pub fn distance(&self, goal: usize, p: Vec2) -> f64 {
        match &self.goals[goal] {
            Goal::Point { at, .. } => (*at - p).length(),
            Goal::Area { points } => (nearest_of_area(points, p) - p).length(),
            Goal::Door { a, b, out } => {
                if self.is_past((*a, *b, *out), p, 0.0, 0.0) {
                    0.0
                } else {
                    (nearest(*a, *b, p) - p).length()
                }
            }
        }
    }

    /// True if a step takes a body of this radius to a goal.
    pub fn is_reached(&self, goal: usize, (from, to): (Vec2, Vec2), radius: f64) -> bool {
        match &self.goals[goal] {
            Goal::Point { at, radius } => (nearest(from, to, *at) - *at).length() <= *radius,
            Goal::Area { points } => is_inside(points, to),
            Goal::Door { a, b, out } => {
                let (before, after) = ((from - *a).dot(*out), (to - *a).dot(*out));
                if after < radius {
                    return false;
                }
                let door = (*a, *b, *out);
                // Level with the door at the end, or while the body got through the line.
                self.is_past(door, to, radius, radius)
                    || (before < radius
                        && self.is_past(door, from + (to - from) * ((radius - before) / (after - before)), 0.0, radius))
            }
        }
    }

    /// True at least `depth` past a door, level with it or up to `beside` to its side, with no wall in between.
    fn is_past(&self, (a, b, out): (Vec2, Vec2, Vec2), p: Vec2, depth: f64, beside: f64) -> bool {
        let (along, length) = ((b - a).unit(), (b - a).length());
        let t = (p - a).dot(along);
        if (p - a).dot(out) < depth || t < -beside || t > length + beside {
            return false;
        }
        let near = a + along * t.max(0.0).min(length);
        !self.crosses(p, p + (near - p) * (1.0 - 1e-6))
    }
}

fn shorter(ring: Option<(f64, f64)>, way: f64) -> f64 {
    let Some((low, high)) = ring else { return way };
    let length = high - low;
    if way > 0.5 * length {
        way - length
    } else if way < -0.5 * length {
        way + length
    } else {
        way
    }
}

fn wrapped(ring: Option<(f64, f64)>, at: f64) -> f64 {
    let Some((low, high)) = ring else { return at };
    if at >= low && at < high {
        return at;
    }
    let inside = at - (high - low) * ((at - low) / (high - low)).floor();
    // Rounding may leave it at the upper end, which is the lower one.
    if inside < high { inside.max(low) } else { low }
}

/// Ascends with the angle of a unit vector from east, counterclockwise, from 0 to 4.
fn turn(v: Vec2) -> f64 {
    if v.y >= 0.0 {
        if v.x >= 0.0 { v.y } else { 2.0 - v.y }
    } else if v.x < 0.0 {
        2.0 - v.y
    } else {
        4.0 + v.y
    }
}

/// The point of a line from `a` to `b` that is nearest to `p`.
pub fn nearest(a: Vec2, b: Vec2, p: Vec2) -> Vec2 {
    let (way, length2) = (b - a, (b - a).length2());
    if length2 <= 0.0 {
        return a;
    }
    let t = (p - a).dot(way) / length2;
    if t <= 0.0 {
        a
    } else if t >= 1.0 {
        b
    } else {
        a + way * t
    }
}

fn nearest_of_area(points: &[Vec2], p: Vec2) -> Vec2 {
    if is_inside(points, p) {
        return p;
    }
    let (mut best, mut best2) = (p, f64::INFINITY);
    for (i, &a) in points.iter().enumerate() {
        let q = nearest(a, points[(i + 1) % points.len()], p);
        if (p - q).length2() < best2 {
            (best, best2) = (q, (p - q).length2());
        }
    }
    best
}

/// True inside an outline, by the even-odd rule.
fn is_inside(points: &[Vec2], p: Vec2) -> bool {
    let mut inside = false;
    for (i, &a) in points.iter().enumerate() {
        let b = points[(i + 1) % points.len()];
        if (a.y <= p.y) != (b.y <= p.y) {
            let side = if a.y < b.y { (b - a).cross(p - a) } else { (a - b).cross(p - b) };
            if side > 0.0 {
                inside = !inside;
            }
        }
    }
    inside
}
