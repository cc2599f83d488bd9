//! Convex hulls of groups, by QuickHull (the source calls it divide and conquer).
//!
//! Not the hull of the `geo` crate: this one works in memory that is used again, and of points on one line or equally
//! far away it takes the same ones on every machine and in every order of the people.

use crate::math::Vec2;

/// Twice the area of a triangle below which its corners count as lying on one line, m2.
const FLAT_M2: f64 = 1e-12;

/// A convex polygon: its corners counterclockwise, from the one with the least x (of these the least y). One point and
/// two points are polygons too; corners on a straight edge are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hull {
    corners: Vec<Vec2>,
    work: Vec<Vec2>,
}

/// Where somebody is, seen from a hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Away {
    /// Unit vector away from the hull; inside it along the shortest way out.
    pub normal: Vec2,
    /// Distance from the edge, m; inside negative.
    pub distance: f64,
}

impl Hull {
    /// Becomes the hull of some points; none gives an empty hull.
    pub fn wrap(&mut self, points: impl IntoIterator<Item = Vec2>) {
        self.corners.clear();
        self.work.clear();
        self.work.extend(points);
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

    /// Becomes the hull of another one and of the same shifted: what it sweeps on a straight way.
    pub fn sweep(&mut self, other: &Self, shift: Vec2) {
        self.wrap(other.corners.iter().flat_map(|&p| [p, p + shift]));
    }

    /// The corners.
    pub fn corners(&self) -> &[Vec2] {
        &self.corners
    }

    /// Where `p` is; `None` for an empty hull and for who stands on a hull that is one point. Of several shortest ways
    /// out the one over the first edge; out of a line to its left.
    pub fn away(&self, p: Vec2) -> Option<Away> {
        let n = self.corners.len();
        let mut outside: Option<(f64, Vec2)> = None;
        let mut inside: Option<Away> = None;
        for (k, &a) in self.corners.iter().enumerate() {
            let b = self.corners[(k + 1) % n];
            let edge = b - a;
            let length2 = edge.length2();
            let along = if length2 > 0.0 { ((p - a).dot(edge) / length2).clamp(0.0, 1.0) } else { 0.0 };
            let way = p - (a + edge * along);
            let depth = edge.cross(p - a);
            if depth <= 0.0 || n < 3 {
                if outside.is_none_or(|(least, _)| way.length2() < least) {
                    outside = Some((way.length2(), way));
                }
            }
            if let Some(along) = edge.unit() {
                let distance = -along.cross(p - a);
                if inside.is_none_or(|most| distance > most.distance) {
                    inside = Some(Away { normal: -along.left(), distance });
                }
            }
        }
        match outside {
            Some((_, way)) => match way.unit() {
                Some(normal) => Some(Away { normal, distance: way.length() }),
                None => inside.map(|edge| Away { distance: 0.0, ..edge }),
            },
            None => inside,
        }
    }
}

/// True if `p` comes before `q`: smaller x, then smaller y.
fn before(p: Vec2, q: Vec2) -> bool {
    p.x < q.x || (p.x == q.x && p.y < q.y)
}

/// Brings those of `points[from..to]` that lie beside a line to the front: on its left for a `side` of 1, on its right
/// for -1. Gives where they end.
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

/// Adds the corners between `a` and `b`; all points lie on the right of the line from `a` to `b`.
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
