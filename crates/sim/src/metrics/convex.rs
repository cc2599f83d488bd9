//! Polygons cut by straight lines, without allocating in the loop.

use crowdtune_core::math::{Vec2, vec2};

/// A polygon that is cut again and again. What is cut may be hollow: then the pieces stay joined by edges that lie on
/// the cut and have no area.
#[derive(Clone, Debug, Default)]
pub(super) struct Blade {
    /// What is left, in the order of its corners.
    pub points: Vec<Vec2>,
    spare: Vec<Vec2>,
    sides: Vec<f64>,
}

impl Blade {
    /// Takes a new polygon.
    pub fn set(&mut self, points: impl IntoIterator<Item = Vec2>) {
        self.points.clear();
        self.points.extend(points);
    }

    /// Keeps the points q with q n <= c (Sutherland and Hodgman 1974); false if that was everything.
    pub fn cut(&mut self, n: Vec2, c: f64) -> bool {
        self.sides.clear();
        self.sides.extend(self.points.iter().map(|q| q.dot(n) - c));
        if self.sides.iter().all(|&side| side <= 0.0) {
            return false;
        }
        self.spare.clear();
        for i in 0..self.points.len() {
            let j = if i + 1 == self.points.len() { 0 } else { i + 1 };
            let (a, b) = (self.sides[i], self.sides[j]);
            if a <= 0.0 {
                self.spare.push(self.points[i]);
            }
            if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
                self.spare.push(self.points[i] + (self.points[j] - self.points[i]) * (a / (a - b)));
            }
        }
        std::mem::swap(&mut self.points, &mut self.spare);
        true
    }

    /// Keeps what lies in a convex polygon with counter-clockwise corners.
    pub fn cut_to(&mut self, window: &[Vec2]) {
        for (k, &a) in window.iter().enumerate() {
            let right = -(window[(k + 1) % window.len()] - a).left();
            self.cut(right, a.dot(right));
        }
    }

    /// Square of the distance of the farthest corner from the origin, m2.
    pub fn reach2(&self) -> f64 {
        self.points.iter().fold(0.0, |reach, q| reach.max(q.length2()))
    }

    /// Area, m2.
    pub fn area(&self) -> f64 {
        area(&self.points).abs()
    }

    /// True if the stretch from `a` to `b` passes the inside of what is left (convex, counter-clockwise), deeper than
    /// `margin` from its edges.
    pub fn is_passed(&self, a: Vec2, b: Vec2, margin: f64) -> bool {
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (k, &corner) in self.points.iter().enumerate() {
            let Some(along) = (self.points[(k + 1) % self.points.len()] - corner).unit() else { continue };
            // Depth of both ends to the left of the edge.
            let (u, v) = (along.cross(a - corner) - margin, along.cross(b - corner) - margin);
            if u <= 0.0 && v <= 0.0 {
                return false;
            }
            if u < 0.0 {
                from = from.max(u / (u - v));
            } else if v < 0.0 {
                to = to.min(u / (u - v));
            }
        }
        from < to && self.points.len() > 2
    }
}

/// Area by the shoelace formula, positive if counter-clockwise, m2.
pub(super) fn area(points: &[Vec2]) -> f64 {
    let Some(&o) = points.first() else { return 0.0 };
    // Relative to the first corner, so that a far origin costs no digits.
    let twice: f64 = points.windows(2).map(|w| (w[0] - o).cross(w[1] - o)).sum();
    twice * 0.5
}

/// True if no corner of a counter-clockwise polygon turns right.
pub(super) fn is_convex(points: &[Vec2]) -> bool {
    let n = points.len();
    let turns_left = |k: usize| {
        let (a, b, c) = (points[k], points[(k + 1) % n], points[(k + 2) % n]);
        // 1e-12: chosen here, corners on a straight edge may be rounded to either side.
        (b - a).cross(c - b) >= -1e-12 * (b - a).length() * (c - b).length()
    };
    (0..n).all(turns_left)
}

/// The polygon with 12 corners on the circle of this radius around the origin: a quarter circle in three straight
/// edges, as PedPy draws its cut-off.
pub(super) fn twelve_corners(radius: f64) -> [Vec2; 12] {
    let (half, root) = (0.5 * radius, 0.75_f64.sqrt() * radius);
    let quarter = [vec2(radius, 0.0), vec2(root, half), vec2(half, root)];
    let mut all = [Vec2::ZERO; 12];
    for (k, corner) in all.iter_mut().enumerate() {
        *corner = (0..k / 3).fold(quarter[k % 3], |q, _| q.left());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Blade {
        let mut blade = Blade::default();
        blade.set([vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 2.0), vec2(0.0, 2.0)]);
        blade
    }

    #[test]
    fn a_square_is_cut() {
        let mut blade = square();
        assert!(!blade.cut(vec2(1.0, 0.0), 2.0));
        assert!(blade.cut(vec2(1.0, 0.0), 0.5));
        assert_eq!(blade.area(), 1.0);
        // The diagonal from (0, 0) to (0.5, 0.5) leaves the upper part: 1 - 1/8.
        assert!(blade.cut(vec2(1.0, -1.0), 0.0));
        assert_eq!(blade.area(), 0.875);
        assert_eq!(blade.reach2(), 4.25);
        assert!(blade.cut(vec2(1.0, 0.0), -1.0));
        assert!(blade.points.is_empty() && blade.area() == 0.0);
    }

    #[test]
    fn hollow_polygons_keep_their_area() {
        // A U of two posts 1 m wide; its upper half is the posts.
        let corners = [(0.0, 0.0), (3.0, 0.0), (3.0, 2.0), (2.0, 2.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
        let u: Vec<Vec2> = corners.iter().map(|c| vec2(c.0, c.1)).collect();
        assert!(!is_convex(&u));
        let mut blade = Blade::default();
        blade.set(u);
        blade.cut_to(&[vec2(-1.0, 1.5), vec2(4.0, 1.5), vec2(4.0, 9.0), vec2(-1.0, 9.0)]);
        assert_eq!(blade.area(), 1.0);
    }

    #[test]
    fn a_wall_passes_the_inside_or_only_touches() {
        let blade = square();
        assert!(blade.is_passed(vec2(-1.0, 1.0), vec2(3.0, 1.0), 1e-7));
        assert!(blade.is_passed(vec2(0.5, 1.0), vec2(0.7, 1.0), 1e-7));
        assert!(!blade.is_passed(vec2(-1.0, 2.0), vec2(3.0, 2.0), 1e-7));
        assert!(!blade.is_passed(vec2(2.0, 0.5), vec2(3.0, 0.5), 1e-7));
        assert!(!blade.is_passed(vec2(-1.0, 1.5), vec2(1.0, 3.5), 1e-7));
    }

    #[test]
    fn twelve_corners_have_three_r_squared() {
        // Area of a regular 12-gon: 6 r^2 sin 30 degrees.
        let corners = twelve_corners(0.8);
        assert!((area(&corners) - 3.0 * 0.64).abs() < 1e-12 && is_convex(&corners));
        assert_eq!(corners[0], vec2(0.8, 0.0));
    }
}
