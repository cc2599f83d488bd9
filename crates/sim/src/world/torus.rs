//! Periodic places: in x, in y, or in both.

use crowdtune_core::math::{Vec2, vec2};

/// Which axes are periodic: people who leave the interval on one side come back on the other.
///
/// The default is an open place, on which every method leaves numbers exactly as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Torus {
    /// Interval of x, m.
    pub x: Option<(f64, f64)>,
    /// Interval of y, m.
    pub y: Option<(f64, f64)>,
}

impl Torus {
    /// True if no axis is periodic.
    pub fn is_open(&self) -> bool {
        self.x.is_none() && self.y.is_none()
    }

    /// Periods, m; infinite for an open axis.
    pub fn size(&self) -> Vec2 {
        let length = |axis: Option<(f64, f64)>| axis.map_or(f64::INFINITY, |(low, high)| high - low);
        vec2(length(self.x), length(self.y))
    }

    /// The point wrapped into the intervals, lower end included.
    pub fn wrap(&self, p: Vec2) -> Vec2 {
        vec2(wrap(self.x, p.x), wrap(self.y, p.y))
    }

    /// The shortest vector from one point to another, m; both wrapped, or at most one period off.
    #[inline]
    pub fn apart(&self, from: Vec2, to: Vec2) -> Vec2 {
        let way = to - from;
        if self.is_open() { way } else { vec2(shortest(self.x, way.x), shortest(self.y, way.y)) }
    }

    /// Calls `f` with the shifts from a wrapped point to its neighboring images: none in an open place, 2 for one
    /// periodic axis, 8 for two.
    pub fn images(&self, mut f: impl FnMut(Vec2)) {
        let turns = |axis: Option<(f64, f64)>| if axis.is_some() { -1..=1 } else { 0..=0 };
        let size = vec2(self.x.map_or(0.0, |(l, h)| h - l), self.y.map_or(0.0, |(l, h)| h - l));
        for j in turns(self.y) {
            for i in turns(self.x) {
                if (i, j) != (0, 0) {
                    f(vec2(f64::from(i) * size.x, f64::from(j) * size.y));
                }
            }
        }
    }
}

fn wrap(axis: Option<(f64, f64)>, at: f64) -> f64 {
    let Some((low, high)) = axis else { return at };
    if at >= low && at < high {
        return at;
    }
    let length = high - low;
    let inside = at - length * ((at - low) / length).floor();
    // A point a rounding error below the interval would come out at its upper end.
    if inside < high { inside.max(low) } else { low }
}

fn shortest(axis: Option<(f64, f64)>, way: f64) -> f64 {
    let Some((low, high)) = axis else { return way };
    let length = high - low;
    if way > 0.5 * length {
        way - length
    } else if way < -0.5 * length {
        way + length
    } else {
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_shortest_way_leads_over_the_seam() {
        let ring = Torus { x: Some((0.0, 10.0)), y: None };
        assert_eq!(ring.apart(vec2(9.5, 0.0), vec2(0.5, 3.0)), vec2(1.0, 3.0));
        assert_eq!(ring.apart(vec2(0.5, 3.0), vec2(9.5, 0.0)), vec2(-1.0, -3.0));
        assert_eq!(ring.wrap(vec2(10.25, 11.0)), vec2(0.25, 11.0));
        assert_eq!(ring.wrap(vec2(-1e-18, 0.0)).x, 0.0);
        assert!(!ring.is_open() && Torus::default().is_open());
    }

    #[test]
    fn images_lie_next_door() {
        let mut shifts = Vec::new();
        Torus { x: Some((0.0, 4.0)), y: Some((1.0, 3.0)) }.images(|s| shifts.push((s.x, s.y)));
        assert_eq!(shifts.len(), 8);
        assert!(shifts.contains(&(-4.0, 2.0)) && shifts.contains(&(0.0, -2.0)));
        Torus::default().images(|_| panic!("an open place has no images"));
    }

    proptest! {
        #[test]
        fn wrapping_changes_no_distance(low in -50.0..50.0f64, length in 1.0..80.0f64, a in -200.0..200.0f64, b in -200.0..200.0f64) {
            let ring = Torus { x: Some((low, low + length)), y: None };
            let (p, q) = (ring.wrap(vec2(a, 0.0)), ring.wrap(vec2(b, 0.0)));
            prop_assert!(p.x >= low && p.x < low + length);
            let turns = (a - p.x) / length;
            prop_assert!((turns - turns.round()).abs() < 1e-9);
            let way = ring.apart(p, q).x;
            prop_assert!(way.abs() <= 0.5 * length + 1e-9);
            let off = (b - a - way) / length;
            prop_assert!((off - off.round()).abs() < 1e-9);
        }
    }
}
