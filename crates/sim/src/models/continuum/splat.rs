//! From people to density and mean velocity on the cells.

use super::ground::Ground;
use crowdtune_core::math::Vec2;

/// Density and flow on the cells.
#[derive(Clone, Debug, Default)]
pub struct Splat {
    /// Persons per square meter.
    pub density: Vec<f64>,
    /// Mean velocity of the people there, m/s; zero in empty cells.
    pub flow: Vec<Vec2>,
    /// By index of the people: the four cells around them, and where they are between these, as [`Ground::around`] says.
    pub places: Vec<Option<([u32; 4], Vec2)>>,
}

impl Splat {
    /// Clears all cells.
    pub fn clear(&mut self, ground: &Ground) {
        self.density.clear();
        self.density.resize(ground.len(), 0.0);
        self.flow.clear();
        self.flow.resize(ground.len(), Vec2::ZERO);
        self.places.clear();
    }

    /// Adds people: the four cells around each get the weights of [`shares`]; people beyond the grid add nothing.
    /// `counts` says by index how many persons somebody counts as. [`Splat::finish`] turns the sums into densities and means.
    pub fn add(&mut self, ground: &Ground, pos: &[Vec2], vel: &[Vec2], exponent: f64, counts: impl Fn(usize) -> f64) {
        for (i, (&p, &v)) in pos.iter().zip(vel).enumerate() {
            let count = counts(i);
            let place = ground.around(p);
            self.places.push(place.map(|(cells, at)| (cells.map(|c| c as u32), at)));
            let Some((cells, at)) = place else { continue };
            for (c, share) in cells.into_iter().zip(shares(at, exponent)) {
                let share = count * share;
                self.density[c] += share;
                self.flow[c] += v * share;
            }
        }
    }

    /// Divides momentum by mass and mass by area.
    pub fn finish(&mut self, ground: &Ground) {
        let per_area = 1.0 / ground.area();
        for (density, flow) in self.density.iter_mut().zip(&mut self.flow) {
            *flow = if *density > 1e-9 { *flow / *density } else { Vec2::ZERO };
            *density *= per_area;
        }
    }
}

/// What a person at `at` between four cell centers adds to each: min(1 - x, 1 - y)^lambda to the lower left, and so on.
/// The own cell gets at least [`at_least`], any other at most that.
#[inline]
pub fn shares(at: Vec2, exponent: f64) -> [f64; 4] {
    let Vec2 { x, y } = at;
    let nearer = |a: f64, b: f64| if a < b { a } else { b };
    let near = [nearer(1.0 - x, 1.0 - y), nearer(x, 1.0 - y), nearer(1.0 - x, y), nearer(x, y)];
    if exponent == 1.0 {
        near
    } else if exponent == 2.0 {
        [near[0] * near[0], near[1] * near[1], near[2] * near[2], near[3] * near[3]]
    } else if exponent == 1.375 {
        // The exponent of group dynamics: roots, because a power would cost more than all the rest.
        near.map(|n| {
            let fourth = n.sqrt().sqrt();
            n * fourth * fourth.sqrt()
        })
    } else {
        near.map(|n| libm::pow(n, exponent))
    }
}

/// 2^-lambda: the least that a person adds to their own cell, and the most to any other.
pub fn at_least(exponent: f64) -> f64 {
    libm::pow(0.5, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;
    use proptest::prelude::*;

    #[test]
    fn shares_by_hand() {
        assert_eq!(shares(vec2(0.0, 0.0), 2.0), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(shares(vec2(0.5, 0.5), 2.0), [0.25; 4]);
        assert_eq!(shares(vec2(0.25, 0.5), 1.0), [0.5, 0.25, 0.5, 0.25]);
        assert!((shares(vec2(0.25, 0.0), 3.0)[0] - 0.421875).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn the_own_cell_gets_most_and_the_sum_is_bounded(x in 0.0..1.0f64, y in 0.0..1.0f64, exponent in 0.5..4.0f64) {
            let all = shares(vec2(x, y), exponent);
            let own = usize::from(x >= 0.5) + 2 * usize::from(y >= 0.5);
            let bound = at_least(exponent);
            for (k, share) in all.into_iter().enumerate() {
                let bounded = if k == own { share >= bound - 1e-12 } else { share <= bound + 1e-12 };
                prop_assert!(bounded);
            }
            // On an edge two cells share (x, 1 - x); in a corner one has all, in the middle four have the bound each.
            let sum: f64 = all.iter().sum();
            let (least, most) = (f64::min(1.0, 2.0 * bound), f64::max(1.0, 4.0 * bound));
            prop_assert!(sum >= least - 1e-12 && sum <= most + 1e-12, "{sum} of {least} to {most}");
        }
    }
}
