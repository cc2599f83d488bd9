//! Goals: their points, their nearest point, and what counts as past a door.

use super::geometry::{Polygon, Segment, check_point};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;

/// Where people want to go.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// A point, reached within `radius` meters.
    Point {
        /// Where.
        at: Vec2,
        /// Distance at which it counts as reached, m.
        radius: f64,
    },
    /// A door or line: reached when the center is one body radius past it.
    Door {
        /// The line, from post to post.
        line: Segment,
        /// Unit vector across the line, pointing away from where people come from.
        outward: Vec2,
    },
    /// An area: reached when the center is inside.
    Area(Polygon),
}

impl Goal {
    /// The points that define it: the point, both posts, or the corners.
    pub fn points(&self) -> impl Iterator<Item = Vec2> + '_ {
        let (pair, corners): ([Option<Vec2>; 2], &[Vec2]) = match self {
            Self::Point { at, .. } => ([Some(*at), None], &[]),
            Self::Door { line, .. } => ([Some(line.a), Some(line.b)], &[]),
            Self::Area(polygon) => ([None, None], &polygon.points),
        };
        pair.into_iter().flatten().chain(corners.iter().copied())
    }

    /// Its point nearest to `p`; `p` itself inside an area.
    pub fn nearest(&self, p: Vec2) -> Vec2 {
        match self {
            Self::Point { at, .. } => *at,
            Self::Door { line, .. } => line.closest(p),
            Self::Area(polygon) if polygon.contains(p) => p,
            Self::Area(polygon) => polygon.closest_on_outline(p),
        }
    }

    /// Checks what a file or a program gave.
    ///
    /// # Errors
    /// Coordinates out of range, a radius that is not positive, a door without length, an `outward` that is not a
    /// unit vector across the door, an area with fewer than three corners.
    pub fn check(&self) -> Result<(), Error> {
        self.points().try_for_each(check_point)?;
        match self {
            Self::Point { radius, .. } if !(*radius > 0.0 && radius.is_finite()) => {
                Err(Error::input(format!("the radius of a goal is {radius}")).allowed("a positive number of meters"))
            }
            Self::Door { line, .. } if line.length() < 0.01 => {
                Err(Error::input(format!("the line of a goal is {} m long", line.length()))
                    .allowed("at least 0.01 m")
                    .help("give two different end points"))
            }
            Self::Door { line, outward }
                if !((outward.length() - 1.0).abs() < 1e-6 && outward.dot(line.direction()).abs() < 1e-6) =>
            {
                Err(Error::input("the outward direction of a door is not a unit vector across its line"))
            }
            Self::Area(polygon) if polygon.points.len() < 3 => {
                Err(Error::input("the area of a goal has fewer than 3 corners"))
            }
            _ => Ok(()),
        }
    }
}

/// People this close to a door's line stand on it, m: any closer, the direction to the line is rounding noise.
pub(super) const ON_LINE_M: f64 = 1e-6;

/// A point goal, apart from its name: what a step reads of it is together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub at: Vec2,
    /// Distance at which it counts as reached, m.
    pub radius: f64,
}

impl Spot {
    /// The point of a goal, if it is one.
    pub fn of(goal: &Goal) -> Option<Self> {
        let Goal::Point { at, radius } = *goal else { return None };
        Some(Self { at, radius })
    }

    /// True only if it is reached at no moment of a step; found without a root or a quotient.
    pub fn is_far(&self, from: Vec2, to: Vec2) -> bool {
        // No point of the step is nearer than its end by more than its length, and (r + s)^2 is at most 2 (r^2 + s^2).
        (self.at - to).length2() > 2.5 * (self.radius * self.radius + (to - from).length2())
    }

    /// True if it is reached at any moment of a step.
    pub fn is_reached(&self, from: Vec2, to: Vec2) -> bool {
        !self.is_far(from, to) && Segment { a: from, b: to }.distance(self.at) <= self.radius
    }
}

/// A door with its length computed once, so that no step takes a root for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Door {
    a: Vec2,
    along: Vec2,
    length: f64,
    /// Unit vector across the line, pointing away from where people come from.
    pub outward: Vec2,
}

impl Door {
    /// The door of a goal, if it is one.
    pub fn of(goal: &Goal) -> Option<Self> {
        let Goal::Door { line, outward } = goal else { return None };
        Some(Self { a: line.a, along: line.direction(), length: line.length(), outward: *outward })
    }

    /// How far past the line `p` is, m; negative in front of it.
    pub fn depth(&self, p: Vec2) -> f64 {
        (p - self.a).dot(self.outward)
    }

    /// True if the line is still ahead of `p`, farther than that somebody could stand on it.
    pub fn is_ahead_of(&self, p: Vec2) -> bool {
        self.depth(p) < -ON_LINE_M
    }

    /// True if `p` is level with the door, or up to `beside` meters to its side.
    pub fn is_abreast(&self, p: Vec2, beside: f64) -> bool {
        let t = (p - self.a).dot(self.along);
        t >= -beside && t <= self.length + beside
    }

    /// Its point nearest to `p`.
    pub fn nearest(&self, p: Vec2) -> Vec2 {
        self.a + self.along * (p - self.a).dot(self.along).max(0.0).min(self.length)
    }

    /// The nearest point of the door shrunk by the body's radius at both ends; the middle if the door is narrower than
    /// the body.
    pub fn aim(&self, p: Vec2, radius: f64) -> Vec2 {
        let t = (p - self.a).dot(self.along);
        let at = if self.length > 2.0 * radius { t.max(radius).min(self.length - radius) } else { 0.5 * self.length };
        self.a + self.along * at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_point_is_reached_where_the_step_comes_that_near(
            (x, y) in (-2.0..2.0_f64, -2.0..2.0_f64),
            (from, way, angle) in (-1.0..1.0_f64, 0.0..2.0_f64, 0.0..std::f64::consts::TAU),
            radius in 1e-9..1.5_f64,
        ) {
            let (at, from) = (vec2(x, y), vec2(from, 0.0));
            let to = from + vec2(libm::cos(angle), libm::sin(angle)) * way;
            let reached = Segment { a: from, b: to }.distance(at) <= radius;
            prop_assert_eq!(Spot { at, radius }.is_reached(from, to), reached);
        }
    }

    #[test]
    fn a_door_is_aimed_at_within_its_shrunk_interval() {
        let line = Segment { a: vec2(15.0, 7.0), b: vec2(15.0, 8.0) };
        let door = Goal::Door { line, outward: vec2(1.0, 0.0) };
        let aim = |p, radius| Door::of(&door).unwrap().aim(p, radius);
        assert_eq!(aim(vec2(3.0, 2.0), 0.25), vec2(15.0, 7.25));
        assert_eq!(aim(vec2(3.0, 12.0), 0.25), vec2(15.0, 7.75));
        assert_eq!(aim(vec2(3.0, 7.5), 0.25), vec2(15.0, 7.5));
        assert_eq!(aim(vec2(3.0, 2.0), 0.6), vec2(15.0, 7.5));
        assert_eq!(door.nearest(vec2(3.0, 2.0)), vec2(15.0, 7.0));
        assert!(door.check().is_ok());
        assert!(Goal::Door { line, outward: vec2(0.0, 1.0) }.check().is_err());
    }

    #[test]
    fn an_area_is_reached_at_its_edge_and_a_point_at_itself() {
        let area = Goal::Area(Polygon::rectangle(vec2(0.0, 0.0), vec2(2.0, 2.0)));
        assert_eq!(area.nearest(vec2(5.0, 1.0)), vec2(2.0, 1.0));
        assert_eq!(area.nearest(vec2(0.5, 1.0)), vec2(0.5, 1.0));
        let point = Goal::Point { at: vec2(1.0, 1.0), radius: 0.0 };
        assert_eq!(point.nearest(Vec2::ZERO), vec2(1.0, 1.0));
        assert!(Door::of(&point).is_none());
        assert!(point.check().is_err());
    }
}
