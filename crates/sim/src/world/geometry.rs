//! Plane geometry of segments and polygons; queries do not allocate.

use crowdtune_core::Error;
use crowdtune_core::math::rng::{self, ChaCha8Rng};
use crowdtune_core::math::{Vec2, vec2};
use robust::{Coord, orient2d};

/// A straight line between two points: a wall, a door, or a measurement line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// One end.
    pub a: Vec2,
    /// Other end.
    pub b: Vec2,
}

/// A simple polygon, counterclockwise, first point not repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    /// Corners.
    pub points: Vec<Vec2>,
}

/// Largest coordinate of a place, m. Chosen here: f64 still resolves a nanometer there.
pub const MAX_COORDINATE_M: f64 = 1e6;

/// An axis-aligned rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower left corner.
    pub min: Vec2,
    /// Upper right corner.
    pub max: Vec2,
}

impl Bounds {
    /// The smallest rectangle around the points; `None` if there are none.
    pub fn of(points: impl IntoIterator<Item = Vec2>) -> Option<Self> {
        points.into_iter().fold(None, |bounds, p| {
            Some(match bounds {
                None => Self { min: p, max: p },
                Some(Self { min, max }) => {
                    Self { min: vec2(min.x.min(p.x), min.y.min(p.y)), max: vec2(max.x.max(p.x), max.y.max(p.y)) }
                }
            })
        })
    }

    /// Width and height, m.
    pub fn size(self) -> Vec2 {
        self.max - self.min
    }

    /// The rectangle grown by `by` meters on all sides.
    #[must_use]
    pub fn grown(self, by: f64) -> Self {
        Self { min: self.min - vec2(by, by), max: self.max + vec2(by, by) }
    }
}

impl Segment {
    /// Length, m.
    pub fn length(&self) -> f64 {
        (self.b - self.a).length()
    }

    /// Unit vector from `a` to `b`; zero for a segment shorter than 1e-12 m.
    pub fn direction(&self) -> Vec2 {
        (self.b - self.a).unit().unwrap_or(Vec2::ZERO)
    }

    /// The middle.
    pub fn middle(&self) -> Vec2 {
        (self.a + self.b) * 0.5
    }

    /// The point of the segment nearest to `p`.
    pub fn closest(&self, p: Vec2) -> Vec2 {
        let d = self.b - self.a;
        let l2 = d.length2();
        if l2 <= 0.0 {
            return self.a;
        }
        let t = (p - self.a).dot(d) / l2;
        if t <= 0.0 {
            self.a
        } else if t >= 1.0 {
            self.b
        } else {
            self.a + d * t
        }
    }

    /// Distance of `p` to the segment, m.
    pub fn distance(&self, p: Vec2) -> f64 {
        (p - self.closest(p)).length()
    }
}

impl Polygon {
    /// A rectangle between two opposite corners.
    pub fn rectangle(a: Vec2, b: Vec2) -> Self {
        let (x0, x1) = (a.x.min(b.x), a.x.max(b.x));
        let (y0, y1) = (a.y.min(b.y), a.y.max(b.y));
        Self { points: vec![vec2(x0, y0), vec2(x1, y0), vec2(x1, y1), vec2(x0, y1)] }
    }

    /// Checks the corners that a user gave and orders them counterclockwise; a repeated first point is dropped.
    ///
    /// # Errors
    /// Fewer than three corners, a coordinate that is not finite or more than 1000 km from the origin, an outline that
    /// crosses or touches itself, no area.
    pub fn checked(mut points: Vec<Vec2>) -> Result<Self, Error> {
        points.dedup();
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        for &p in &points {
            check_point(p)?;
        }
        if points.len() < 3 {
            return Err(Error::input(format!("a polygon has {} different corners", points.len()))
                .allowed("at least 3 corners")
                .help("list the corners in order around the outline"));
        }
        let polygon = Self { points };
        if polygon.signed_area().abs() < 1e-9 {
            return Err(Error::input("a polygon has no area").help("its corners lie on one line; move one of them"));
        }
        if let Some(at) = crossing(&[&polygon]) {
            return Err(Error::input(format!(
                "the outline of a polygon crosses or touches itself near ({}, {})",
                at.x, at.y
            ))
            .help("list the corners in order around the outline, each once"));
        }
        Ok(polygon.counter_clockwise())
    }

    /// The same outline with its corners counterclockwise.
    #[must_use]
    pub fn counter_clockwise(mut self) -> Self {
        if self.signed_area() < 0.0 {
            self.points.reverse();
        }
        self
    }

    /// Area by the shoelace formula, positive if counterclockwise, m2.
    pub fn signed_area(&self) -> f64 {
        // Relative to the first corner, so that no digits are lost far from the origin.
        let Some(&o) = self.points.first() else { return 0.0 };
        let mut twice = 0.0;
        for edge in self.edges() {
            twice += (edge.a - o).cross(edge.b - o);
        }
        twice * 0.5
    }

    /// Area, m2.
    pub fn area(&self) -> f64 {
        self.signed_area().abs()
    }

    /// The edges in order.
    pub fn edges(&self) -> impl Iterator<Item = Segment> + '_ {
        let n = self.points.len();
        (0..n).map(move |i| Segment { a: self.points[i], b: self.points[(i + 1) % n] })
    }

    /// Bounding box; an empty box at the origin for a polygon without corners.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.points.iter().copied()).unwrap_or(Bounds { min: Vec2::ZERO, max: Vec2::ZERO })
    }

    /// Centroid; the mean of the corners if the area is zero.
    pub fn centroid(&self) -> Vec2 {
        let Some(&o) = self.points.first() else { return Vec2::ZERO };
        let (mut sum, mut twice) = (Vec2::ZERO, 0.0);
        for edge in self.edges() {
            let w = (edge.a - o).cross(edge.b - o);
            sum += (edge.a - o + (edge.b - o)) * w;
            twice += w;
        }
        if twice.abs() < 1e-12 {
            let total = self.points.iter().fold(Vec2::ZERO, |s, &p| s + p);
            return total / self.points.len() as f64;
        }
        o + sum / (3.0 * twice)
    }

    /// True if `p` is inside, by the even-odd rule. A rectangle includes its lower and left edges but not the upper and
    /// right ones, so that adjacent polygons share no point.
    pub fn contains(&self, p: Vec2) -> bool {
        let mut inside = false;
        for Segment { a, b } in self.edges() {
            if (a.y <= p.y) != (b.y <= p.y) {
                // Side of the upward edge; exact for axis-aligned edges.
                let side = if a.y < b.y { (b - a).cross(p - a) } else { (a - b).cross(p - b) };
                if side > 0.0 {
                    inside = !inside;
                }
            }
        }
        inside
    }

    /// True if `p` is inside and not on the outline, as PedPy counts people in an area.
    pub fn contains_strictly(&self, p: Vec2) -> bool {
        let on = |e: Segment| {
            let (along, way) = (e.b - e.a, p - e.a);
            along.cross(way) == 0.0 && (0.0..=along.length2()).contains(&way.dot(along))
        };
        self.contains(p) && !self.edges().any(on)
    }

    /// The nearest point of the outline.
    pub fn closest_on_outline(&self, p: Vec2) -> Vec2 {
        let mut best = (f64::INFINITY, p);
        for edge in self.edges() {
            let q = edge.closest(p);
            let d2 = (p - q).length2();
            if d2 < best.0 {
                best = (d2, q);
            }
        }
        best.1
    }

    /// A uniform random point of the polygon, drawn from its bounding box; `None` after `tries` misses.
    pub fn random_point(&self, rng: &mut ChaCha8Rng, tries: usize) -> Option<Vec2> {
        let Bounds { min, max } = self.bounds();
        for _ in 0..tries {
            let p = vec2(min.x + (max.x - min.x) * rng::unit(rng), min.y + (max.y - min.y) * rng::unit(rng));
            if self.contains(p) {
                return Some(p);
            }
        }
        None
    }
}

/// A point where edges of the rings cross, touch or overlap, if there is one. Neighboring edges of a ring may share
/// their corner.
fn crossing(rings: &[&Polygon]) -> Option<Vec2> {
    let all = Bounds::of(rings.iter().flat_map(|r| r.points.iter().copied()))?;
    // Sweep along the longer side, where edges overlap least.
    let turned = all.size().y > all.size().x;
    let range = |s: &Segment| {
        let (a, b) = if turned { (s.a.y, s.b.y) } else { (s.a.x, s.b.x) };
        (a.min(b), a.max(b))
    };
    let mut edges: Vec<(usize, usize, Segment)> = Vec::new();
    for (r, ring) in rings.iter().enumerate() {
        edges.extend(ring.edges().enumerate().map(|(k, edge)| (r, k, edge)));
    }
    edges.sort_by(|x, y| range(&x.2).0.total_cmp(&range(&y.2).0).then((x.0, x.1).cmp(&(y.0, y.1))));
    for (i, (ring, k, edge)) in edges.iter().enumerate() {
        let end = range(edge).1;
        for (other_ring, l, other) in edges[i + 1..].iter().take_while(|(_, _, s)| range(s).0 <= end) {
            let n = rings[*ring].points.len();
            let neighbors = ring == other_ring && ((k + 1) % n == *l || (l + 1) % n == *k);
            match meeting(edge, other) {
                Some(Meeting::Along(at)) => return Some(at),
                Some(Meeting::At(at)) if !neighbors => return Some(at),
                _ => {}
            }
        }
    }
    None
}

/// Checks that holes lie inside their shell and touch neither it nor each other.
///
/// # Errors
/// A hole that touches or crosses an outline, or lies outside.
pub fn check_holes(shell: &Polygon, holes: &[Polygon]) -> Result<(), Error> {
    let all: Vec<&Polygon> = std::iter::once(shell).chain(holes).collect();
    // If outlines do not meet, any corner decides for the whole hole.
    let apart = holes.is_empty() || crossing(&all).is_none();
    if apart && holes.iter().all(|hole| hole.points.first().is_some_and(|&corner| shell.contains(corner))) {
        return Ok(());
    }
    Err(Error::input("a hole of a polygon touches its outline or another hole, or lies outside"))
}

/// How two segments meet.
enum Meeting {
    /// In one point.
    At(Vec2),
    /// They overlap from this point on.
    Along(Vec2),
}

/// Where two segments meet; exact, by Shewchuk's predicate, Discrete Comput. Geom. 18, 305 (1997).
fn meeting(p: &Segment, q: &Segment) -> Option<Meeting> {
    let coord = |p: Vec2| Coord { x: p.x, y: p.y };
    let side = |s: &Segment, at: Vec2| orient2d(coord(s.a), coord(s.b), coord(at));
    let same_side = |a: f64, b: f64| (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0);
    let (qa, qb, pa, pb) = (side(p, q.a), side(p, q.b), side(q, p.a), side(q, p.b));
    if same_side(qa, qb) || same_side(pa, pb) {
        return None;
    }
    let beside = |s: &Segment, at: Vec2| {
        let bounds =
            Bounds { min: vec2(s.a.x.min(s.b.x), s.a.y.min(s.b.y)), max: vec2(s.a.x.max(s.b.x), s.a.y.max(s.b.y)) };
        bounds.min.x <= at.x && at.x <= bounds.max.x && bounds.min.y <= at.y && at.y <= bounds.max.y
    };
    if [qa, qb, pa, pb] == [0.0; 4] {
        // Collinear: they share what is between the ends that lie on the other segment.
        let ends = [(p, q.a), (p, q.b), (q, p.a), (q, p.b)];
        let mut shared = ends.into_iter().filter(|(s, end)| beside(s, *end)).map(|(_, end)| end);
        let first = shared.next()?;
        let more = shared.any(|end| end != first);
        return Some(if more || p.a == p.b || q.a == q.b { Meeting::Along(first) } else { Meeting::At(first) });
    }
    let touch = [(qa, q.a), (qb, q.b), (pa, p.a), (pb, p.b)].into_iter().find(|(side, _)| *side == 0.0);
    Some(Meeting::At(match touch {
        Some((_, end)) => end,
        None => p.a + (p.b - p.a) * (pa / (pa - pb)),
    }))
}

/// Refuses coordinates that are not finite or more than 1000 km from the origin.
///
/// # Errors
/// Names the point.
pub fn check_point(p: Vec2) -> Result<(), Error> {
    if p.is_finite() && p.x.abs() <= MAX_COORDINATE_M && p.y.abs() <= MAX_COORDINATE_M {
        return Ok(());
    }
    Err(Error::input(format!("the point ({}, {}) cannot be placed", p.x, p.y))
        .allowed(format!("finite coordinates between -{MAX_COORDINATE_M:e} and {MAX_COORDINATE_M:e} m"))
        .help("give coordinates in meters; move geographic coordinates near the origin"))
}

#[cfg(test)]
#[path = "geometry_tests.rs"]
mod tests;
