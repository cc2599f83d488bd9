//! Convex hulls, by QuickHull (Yang, He and Rao 2017, whose groups have them, call it divide and conquer).
//!
//! Not the hull of the `geo` crate: this one reuses its memory, and picks the same corners among collinear or equally
//! distant points on every machine and for any order of people.

use crowdtune_core::math::Vec2;

/// Corners of a triangle count as collinear if twice its area is below this, m2.
const FLAT_M2: f64 = 1e-12;

/// A convex polygon: its corners counterclockwise, starting at the least x (on ties, the least y). A single point and a
/// pair are polygons too; corners on a straight edge are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hull {
    corners: Vec<Vec2>,
    /// Outward unit vector of the edge that begins at each corner.
    normals: Vec<Vec2>,
    work: Vec<Vec2>,
}

/// The position of a point relative to a hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Away {
    /// Unit vector away from the hull; inside, along the shortest way out. Zero right on a hull of one point.
    pub normal: Vec2,
    /// Distance from the edge, m; negative inside.
    pub distance: f64,
}

impl Hull {
    /// Becomes the hull of these points; empty without any.
    pub fn wrap(&mut self, points: impl IntoIterator<Item = Vec2>) {
        self.work.clear();
        self.work.extend(points);
        self.corners.clear();
        self.find_corners();
        let next = self.corners.iter().skip(1).chain(self.corners.first());
        self.normals.clear();
        self.normals
            .extend(self.corners.iter().zip(next).map(|(&a, &b)| (b - a).unit().map_or(Vec2::ZERO, |e| -e.left())));
    }

    fn find_corners(&mut self) {
        let Some(&first) = self.work.first() else { return };
        let (mut low, mut high) = (first, first);
        for &p in &self.work {
            if before(p, low) {
                low = p;
            }
            if before(high, p) {
                high = p;
            }
        }
        self.corners.push(low);
        if low == high {
            return;
        }
        let n = self.work.len();
        let below = partition(&mut self.work, 0, n, (low, high), -1.0);
        chain(&mut self.work[..below], (low, high), &mut self.corners);
        self.corners.push(high);
        let above = partition(&mut self.work, below, n, (low, high), 1.0);
        chain(&mut self.work[below..above], (high, low), &mut self.corners);
    }

    /// Becomes the hull of another hull and its shifted copy: the area it sweeps.
    pub fn sweep(&mut self, other: &Self, shift: Vec2) {
        self.wrap(other.corners.iter().flat_map(|&p| [p, p + shift]));
    }

    /// The corners.
    pub fn corners(&self) -> &[Vec2] {
        &self.corners
    }

    /// Position of `p`; `None` for an empty hull or farther away than `within`, m. Of several shortest ways out it
    /// takes the one over the first edge; out of a line, to its right.
    pub fn away(&self, p: Vec2, within: f64) -> Option<Away> {
        let mut edge = Away { normal: Vec2::ZERO, distance: f64::NEG_INFINITY };
        for (&a, &normal) in self.corners.iter().zip(&self.normals) {
            let distance = normal.dot(p - a);
            if distance > edge.distance {
                edge = Away { normal, distance };
            }
        }
        // A point in front of an edge's line is at least as far from the hull as from that line.
        if self.corners.is_empty() || edge.distance > within {
            return None;
        }
        if edge.distance < 0.0 {
            return Some(edge);
        }
        let (mut least, mut nearest) = (f64::INFINITY, Vec2::ZERO);
        for (k, &a) in self.corners.iter().enumerate() {
            let along = self.corners[(k + 1) % self.corners.len()] - a;
            let length2 = along.length2();
            let share = if length2 > 0.0 { ((p - a).dot(along) / length2).clamp(0.0, 1.0) } else { 0.0 };
            let way = p - (a + along * share);
            if way.length2() < least {
                (least, nearest) = (way.length2(), way);
            }
        }
        let distance = least.sqrt();
        let away = nearest.unit().map_or(Away { distance: 0.0, ..edge }, |normal| Away { normal, distance });
        (distance <= within).then_some(away)
    }
}

/// True if `p` comes before `q`: smaller x, then smaller y.
fn before(p: Vec2, q: Vec2) -> bool {
    p.x < q.x || (p.x == q.x && p.y < q.y)
}

/// Moves the points of `points[from..to]` on one side of a line to the front: its left for `side` 1, its right for -1.
/// Returns where they end.
fn partition(points: &mut [Vec2], from: usize, to: usize, (a, b): (Vec2, Vec2), side: f64) -> usize {
    let mut end = from;
    for k in from..to {
        if side * (b - a).cross(points[k] - a) > FLAT_M2 {
            points.swap(k, end);
            end += 1;
        }
    }
    end
}

/// Adds the corners between `a` and `b`; all points lie right of the line from `a` to `b`.
fn chain(points: &mut [Vec2], (a, b): (Vec2, Vec2), corners: &mut Vec<Vec2>) {
    let Some(&first) = points.first() else { return };
    let (mut far, mut most) = (first, f64::NEG_INFINITY);
    for &p in points.iter() {
        let distance = (a - b).cross(p - b);
        if distance > most || (distance == most && before(p, far)) {
            (far, most) = (p, distance);
        }
    }
    let n = points.len();
    let first_end = partition(points, 0, n, (a, far), -1.0);
    let second_end = partition(points, first_end, n, (far, b), -1.0);
    let (head, tail) = points.split_at_mut(first_end);
    chain(head, (a, far), corners);
    corners.push(far);
    chain(&mut tail[..second_end - first_end], (far, b), corners);
}

#[cfg(test)]
#[path = "hull_tests.rs"]
mod tests;
