//! The local potential field around groups (equation 7 of the source), which turns others aside.

use super::grouping::ALONE;
use super::lateral::Party;
use crate::world::{Away, Hull};
use crowdtune_core::math::{Vec2, vec2};

/// Cell width of the group lookup, m. Chosen here: about the width of one person with the field.
const CELL_M: f64 = 2.0;
/// Most cells of the lookup; in larger places the cells grow.
const MOST_CELLS: f64 = 65_536.0;

/// Shape and strength of the field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// delta: how far it reaches from the hull, m.
    pub reach_m: f64,
    /// eta: its scale, the push at half the reach, m/s.
    pub scale_m_per_s: f64,
    /// Smaller distances count as this, m: the field is singular at the edge.
    pub least_m: f64,
}

impl Field {
    /// The push eta (delta - |V|) / |V|^2 V at the vector V from the hull, m/s; zero from delta on. Closer than
    /// `least_m`, or inside, the push is that at `least_m`, along the shortest way out.
    pub fn push(&self, away: Away) -> Vec2 {
        let distance = away.distance.max(self.least_m);
        if away.distance >= self.reach_m || distance >= self.reach_m {
            return Vec2::ZERO;
        }
        away.normal * (self.scale_m_per_s * (self.reach_m - distance) / distance)
    }
}

/// A group as others see it.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Its label.
    pub label: u32,
    /// Hull around the centers of its members, now and `look_ahead_s` from now.
    pub hull: Hull,
    /// How far bodies extend beyond the hull, m: the largest radius of a member.
    pub radius_m: f64,
    /// v_G: mean velocity of the members, m/s.
    pub vel: Vec2,
    /// Lowest id of the members.
    pub first_id: u32,
    /// Number of members.
    pub members: usize,
    /// How many of them are in which group of the scenario, in stretches of equal groups.
    pub of: Vec<(u16, u32)>,
    now: Hull,
    /// Box around the hull, the bodies and the field.
    low: Vec2,
    high: Vec2,
}

impl Shape {
    /// The group as a party to a conflict.
    pub fn party(&self) -> Party {
        Party { members: self.members, speed_m_per_s: self.vel.length(), first_id: self.first_id }
    }

    /// False if `p` is outside the shape's box.
    #[inline]
    fn may_touch(&self, p: Vec2) -> bool {
        p.x >= self.low.x && p.x <= self.high.x && p.y >= self.low.y && p.y <= self.high.y
    }
}

/// A member of some group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// Label of the group.
    pub label: u32,
    /// Who.
    pub id: u32,
    /// Group of the scenario.
    pub group: u16,
    /// Center, m.
    pub pos: Vec2,
    /// Velocity, m/s.
    pub vel: Vec2,
    /// Radius, m.
    pub radius_m: f64,
}

/// The shapes of all groups at one moment.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    shapes: Vec<Shape>,
    count: usize,
    /// A grid over all shapes, which lists the shapes that reach into each cell.
    origin: Vec2,
    per_cell: f64,
    columns: usize,
    rows: usize,
    start: Vec<u32>,
    listed: Vec<u32>,
}

impl Shapes {
    /// Makes the shapes from members sorted by label, then by id; people who are [`ALONE`] have no shape. A shape
    /// covers the area that the group sweeps within `look_ahead_s` at its mean velocity; with 0 it covers the group
    /// itself (static field). A group is felt up to `reach_m` from its bodies: the reach of the field plus the radius
    /// of the person who feels it.
    ///
    /// The caller unrolls groups across the seam of a periodic place around their first member.
    pub fn make(&mut self, members: &[Member], look_ahead_s: f64, reach_m: f64) {
        self.count = 0;
        for group in members.chunk_by(|a, b| a.label == b.label) {
            if group[0].label == ALONE {
                continue;
            }
            if self.count == self.shapes.len() {
                self.shapes.push(Shape::default());
            }
            let shape = &mut self.shapes[self.count];
            self.count += 1;
            let sum = group.iter().fold(Vec2::ZERO, |sum, m| sum + m.vel);
            shape.vel = sum / group.len() as f64;
            shape.label = group[0].label;
            shape.first_id = group.iter().map(|m| m.id).min().unwrap_or(0);
            shape.members = group.len();
            shape.of.clear();
            for member in group {
                match shape.of.last_mut() {
                    Some((of, count)) if *of == member.group => *count += 1,
                    _ => shape.of.push((member.group, 1)),
                }
            }
            shape.radius_m = group.iter().fold(0.0, |most, m| most.max(m.radius_m));
            shape.now.wrap(group.iter().map(|m| m.pos));
            let Shape { now, hull, vel, .. } = shape;
            hull.sweep(now, *vel * look_ahead_s);
            (shape.low, shape.high) = bounds(shape, reach_m);
        }
        self.list();
    }

    /// The shapes, by label.
    pub fn all(&self) -> &[Shape] {
        &self.shapes[..self.count]
    }

    /// The shapes whose field may reach `p`, and possibly others, by label.
    pub fn near(&self, p: Vec2) -> impl Iterator<Item = &Shape> {
        let (x, y) = ((p.x - self.origin.x) * self.per_cell, (p.y - self.origin.y) * self.per_cell);
        let inside = x >= 0.0 && y >= 0.0 && x < self.columns as f64 && y < self.rows as f64;
        let cell = if inside { y as usize * self.columns + x as usize } else { 0 };
        let range = if inside { self.start[cell] as usize..self.start[cell + 1] as usize } else { 0..0 };
        self.listed[range].iter().map(|&k| &self.shapes[k as usize])
    }

    /// Lists each cell's shapes.
    fn list(&mut self) {
        let Self { shapes, count, start, listed, .. } = self;
        let boxes = shapes[..*count].iter().map(|s| (s.low, s.high));
        let (mut low, mut high) = (vec2(f64::INFINITY, f64::INFINITY), vec2(f64::NEG_INFINITY, f64::NEG_INFINITY));
        for (a, b) in boxes.clone() {
            low = vec2(low.x.min(a.x), low.y.min(a.y));
            high = vec2(high.x.max(b.x), high.y.max(b.y));
        }
        start.clear();
        listed.clear();
        (self.columns, self.rows) = (0, 0);
        if *count == 0 {
            return;
        }
        let size = high - low;
        let cell = CELL_M.max((size.x * size.y / MOST_CELLS).sqrt()).max(size.x.max(size.y) / MOST_CELLS);
        (self.origin, self.per_cell) = (low, 1.0 / cell);
        (self.columns, self.rows) = ((size.x / cell) as usize + 1, (size.y / cell) as usize + 1);
        let (columns, rows, per_cell) = (self.columns, self.rows, self.per_cell);
        let span = |a: f64, b: f64, from: f64, cells: usize| {
            let at = |x: f64| (((x - from) * per_cell) as usize).min(cells - 1);
            at(a)..=at(b)
        };
        start.resize(columns * rows + 2, 0);
        for pass in 0..2 {
            for (k, (a, b)) in boxes.clone().enumerate() {
                for row in span(a.y, b.y, low.y, rows) {
                    for column in span(a.x, b.x, low.x, columns) {
                        let cell = row * columns + column;
                        if pass == 0 {
                            start[cell + 2] += 1;
                        } else {
                            listed[start[cell + 1] as usize] = k as u32;
                            start[cell + 1] += 1;
                        }
                    }
                }
            }
            if pass == 0 {
                for cell in 1..start.len() {
                    start[cell] += start[cell - 1];
                }
                listed.resize(start[start.len() - 1] as usize, 0);
            }
        }
    }
}

/// The box of a shape with its field.
fn bounds(shape: &Shape, reach_m: f64) -> (Vec2, Vec2) {
    let (mut low, mut high) = (vec2(f64::INFINITY, f64::INFINITY), vec2(f64::NEG_INFINITY, f64::NEG_INFINITY));
    for p in shape.hull.corners() {
        low = vec2(low.x.min(p.x), low.y.min(p.y));
        high = vec2(high.x.max(p.x), high.y.max(p.y));
    }
    let grown = vec2(shape.radius_m + reach_m, shape.radius_m + reach_m);
    (low - grown, high + grown)
}

/// What groups do to a person.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Felt {
    /// Sum of the pushes, m/s.
    pub push: Vec2,
    /// The group with the largest push; on ties, the lowest label.
    pub by: Option<Party>,
    most: f64,
}

impl Felt {
    /// Adds the fields of all other groups at `p`, measured between the bodies of the group and of the person. Each
    /// counts with twice the other group's share of the members of both, times `counts`. `own` and `members` are the label and size of
    /// the person's own group; `parting` gives the direction for a person right on a hull of one point.
    pub fn add(
        &mut self,
        shapes: &Shapes,
        field: &Field,
        (p, radius_m, (own, members)): (Vec2, f64, (u32, usize)),
        parting: impl Fn(&Shape) -> Vec2,
        counts: impl Fn(&Shape) -> f64,
    ) {
        for shape in shapes.near(p).filter(|s| s.label != own && s.may_touch(p)) {
            let bodies = shape.radius_m + radius_m;
            let Some(away) = shape.hull.away(p, field.reach_m + bodies) else { continue };
            let normal = if away.normal == Vec2::ZERO { parting(shape) } else { away.normal };
            let share = shape.members as f64 / (shape.members + members) as f64;
            let push = field.push(Away { normal, distance: away.distance - bodies }) * (2.0 * share * counts(shape));
            self.push += push;
            if push.length() > self.most {
                self.most = push.length();
                self.by = Some(shape.party());
            }
        }
    }
}

#[cfg(test)]
#[path = "local_tests.rs"]
mod tests;
