//! The velocities that are tried.

use crowdtune_core::math::lanes::WIDTH;
use crowdtune_core::math::planes::Planes;
use crowdtune_core::math::{Vec2, vec2};

/// Golden angle, 2 pi (1 - 1 / golden ratio), rad: points of the spiral never line up.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653_3;
/// Padding outside every disc.
const OUTSIDE: f32 = 1e6;

/// The samples: a spiral over all velocities, and a smaller one around the best of them.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub all: Spiral,
    pub fine: Spiral,
    /// How many times the smaller one is tried.
    pub refinements: usize,
    /// Its radius relative to the previous one: three spacings.
    pub shrink: f64,
}

/// Points in the unit disc.
#[derive(Clone, Debug)]
pub(super) struct Spiral {
    pub points: Planes<2>,
    pub count: usize,
}

impl Samples {
    /// `count` samples over all velocities, followed by `refinements` rounds of a quarter as many.
    pub fn new(count: usize, refinements: usize) -> Self {
        let spread = |count: usize| Spiral { points: spiral(count), count };
        let shrink = (3.0 / (count as f64).sqrt()).min(1.0);
        Self { all: spread(count), fine: spread(count.div_ceil(4)), refinements, shrink }
    }
}

/// Points spread evenly over the unit disc along a golden-angle spiral, from the center outwards, in full blocks of
/// [`WIDTH`]; padding lies far outside.
fn spiral(count: usize) -> Planes<2> {
    let mut points = Planes::default();
    let end = count.div_ceil(WIDTH) * WIDTH;
    points.reserve(end + 1);
    for k in 0..end {
        let (r, angle) = (((k as f64 + 0.5) / count as f64).sqrt(), k as f64 * GOLDEN_ANGLE);
        let at = if k < count { [r * libm::cos(angle), r * libm::sin(angle)].map(|x| x as f32) } else { [OUTSIDE; 2] };
        points.set(k, at);
    }
    points
}

/// The velocities that a person can reach in the next step, AV = {|v| <= v_max, |v - v_A| <= a_max dt}. Samples are
/// spread over the smaller of these two discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reachable {
    /// Velocity now, m/s.
    pub vel: Vec2,
    /// The reachable velocity nearest to the preferred one, m/s.
    pub wish: Vec2,
    /// Axis of the spiral, a unit vector.
    pub along: Vec2,
    /// Highest speed, m/s; people who are faster slow down as fast as possible.
    pub speed: f64,
    /// Largest change of velocity, m/s.
    pub change: f64,
}

impl Reachable {
    /// From velocity, preferred velocity with its direction, highest speed, and largest change per step.
    ///
    /// The spiral follows the preferred direction, so that two people who meet err to the same side and keep to it.
    pub fn new(vel: Vec2, (wish, along): (Vec2, Vec2), speed: f64, change: f64) -> Self {
        let wanted = limited(wish, speed);
        let wish = vel + limited(wanted - vel, change);
        // For people who cannot slow down to the highest speed within the step, this gets closest to it.
        Self { vel, wish, along, speed: speed.max(wish.length()), change }
    }

    /// Center and radius of the disc of samples, m/s.
    pub fn disc(&self) -> (Vec2, f64) {
        if self.change < self.speed { (self.vel, self.change) } else { (vec2(0.0, 0.0), self.speed) }
    }
}

/// The vector, cut to this length.
fn limited(v: Vec2, most: f64) -> Vec2 {
    let length = v.length();
    if length > most { v * (most / length) } else { v }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spiral_is_even_and_inside_the_disc() {
        let points = spiral(1000);
        let place = |k: usize| vec2(f64::from(points.get(0, k)), f64::from(points.get(1, k)));
        // Equal areas: a quarter of the points within half the radius, a half within 0.707.
        for (radius, wanted) in [(0.5, 250), (0.5_f64.sqrt(), 500), (1.0, 1000)] {
            let inside = (0..1000).filter(|&k| place(k).length() < radius).count();
            assert_eq!(inside, wanted, "{radius}");
        }
        // The middle of the points is the middle of the disc.
        let sum = (0..1000).fold(Vec2::ZERO, |sum, k| sum + place(k));
        assert!((sum / 1000.0).length() < 0.01, "{sum:?}");
    }

    #[test]
    fn what_fills_the_last_block_is_no_velocity() {
        let points = spiral(9);
        assert!((0..9).all(|k| points.get(0, k).abs() <= 1.0));
        assert!((9..16).all(|k| points.get(0, k) == OUTSIDE));
    }

    #[test]
    fn the_wish_is_brought_into_reach() {
        let r = Reachable::new(vec2(1.0, 0.0), (vec2(-4.0, 0.0), vec2(1.0, 0.0)), 2.0, 0.5);
        assert_eq!((r.wish, r.disc()), (vec2(0.5, 0.0), (vec2(1.0, 0.0), 0.5)));
        let r = Reachable::new(vec2(1.0, 0.0), (vec2(-4.0, 0.0), vec2(1.0, 0.0)), 2.0, 10.0);
        assert_eq!((r.wish, r.disc()), (vec2(-2.0, 0.0), (Vec2::ZERO, 2.0)));
    }

    #[test]
    fn who_is_too_fast_slows_down_as_fast_as_possible() {
        let r = Reachable::new(vec2(3.0, 0.0), (Vec2::ZERO, vec2(1.0, 0.0)), 1.0, 0.5);
        assert_eq!((r.wish, r.speed), (vec2(2.5, 0.0), 2.5));
    }
}
