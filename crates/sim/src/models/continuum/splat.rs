//! From people to density and mean velocity on the cells.

use super::ground::{Around, Ground};
use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::lanes::{self, Kernel, Lanes, WIDTH};
use crowdtune_core::math::{Vec2, vec2};

/// What the people of a cell add up to: their velocities times how many they are, m/s, and how many they are. The fourth number makes
/// it as wide as a register.
type Sum = [f64; 4];

/// Density and flow on the cells.
#[derive(Clone, Debug, Default)]
pub struct Splat {
    /// Persons per square meter.
    pub density: Vec<f64>,
    /// Mean velocity of the people there, m/s; zero in empty cells.
    pub flow: Vec<Vec2>,
    /// By index of the people: the lower left one of the four cells around them, and where they are between these, as
    /// [`Ground::around`] says.
    pub places: Vec<Option<(u32, Vec2)>>,
    sums: Vec<Sum>,
}

impl Splat {
    /// Finds density and flow: the four cells around each person get the weights of [`shares`]; people beyond the grid add nothing.
    /// `counts` says by index how many persons somebody counts as.
    pub fn find(
        &mut self,
        ground: &Ground,
        (pos, vel): (&[Vec2], &[Vec2]),
        exponent: f64,
        counts: impl Fn(usize) -> f64,
    ) {
        let Self { density, flow, places, sums } = self;
        sums.clear();
        sums.resize(ground.len(), [0.0; 4]);
        places.resize(pos.len(), None);
        density.resize(ground.len(), 0.0);
        flow.resize(ground.len(), Vec2::ZERO);
        lanes::run(Add { ground, pos, vel, exponent, counts, sums, places });
        lanes::run(Means { per_area: 1.0 / ground.area(), sums, density, flow });
    }
}

/// Adds people to the cells.
struct Add<'a, C> {
    ground: &'a Ground,
    pos: &'a [Vec2],
    vel: &'a [Vec2],
    exponent: f64,
    counts: C,
    sums: &'a mut [Sum],
    places: &'a mut [Option<(u32, Vec2)>],
}

impl<C: Fn(usize) -> f64> Kernel for Add<'_, C> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let (blocks, rest) = self.pos.as_chunks::<WIDTH>();
        for (block, pos) in blocks.iter().enumerate() {
            self.block::<L::Double>(block * WIDTH, pos, WIDTH);
        }
        let mut last = [Vec2::ZERO; WIDTH];
        last[..rest.len()].copy_from_slice(rest);
        self.block::<L::Double>(blocks.len() * WIDTH, &last, rest.len());
    }
}

impl<C: Fn(usize) -> f64> Add<'_, C> {
    /// Adds the first `count` of eight people; where they are is found for all together.
    #[inline(always)]
    fn block<D: Doubles>(&mut self, first: usize, pos: &[Vec2; WIDTH], count: usize) {
        let (mut x, mut y) = ([0.0; WIDTH], [0.0; WIDTH]);
        for (p, (x, y)) in pos.iter().zip(x.iter_mut().zip(&mut y)) {
            (*x, *y) = (p.x, p.y);
        }
        let Around { inside, cells: [a, b, c, d], at: [x, y] } = self.ground.around_eight(D::of(&x), D::of(&y));
        let (right, upper) = (D::splat(1.0).sub(x), D::splat(1.0).sub(y));
        let near = [right.min(upper).store(), x.min(upper).store(), right.min(y).store(), x.min(y).store()];
        let (cells, x, y) = ([a.whole(), b.whole(), c.whole(), d.whole()], x.store(), y.store());
        for k in 0..count {
            let (i, is_inside) = (first + k, inside >> k & 1 == 1);
            self.places[i] = is_inside.then(|| (cells[0][k], vec2(x[k], y[k])));
            if !is_inside {
                continue;
            }
            let (counts, v) = ((self.counts)(i), self.vel[i]);
            for (cells, share) in
                cells.iter().zip(raised([near[0][k], near[1][k], near[2][k], near[3][k]], self.exponent))
            {
                let share = counts * share;
                let sum = &mut self.sums[cells[k] as usize];
                for (sum, one) in sum.iter_mut().zip([v.x * share, v.y * share, share, 0.0]) {
                    *sum += one;
                }
            }
        }
    }
}

/// Divides momentum by mass and mass by area.
struct Means<'a> {
    per_area: f64,
    sums: &'a [Sum],
    density: &'a mut [f64],
    flow: &'a mut [Vec2],
}

impl Kernel for Means<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for ((&[x, y, people, _], density), flow) in self.sums.iter().zip(self.density).zip(self.flow) {
            *flow = if people > 1e-9 { vec2(x, y) / people } else { Vec2::ZERO };
            *density = people * self.per_area;
        }
    }
}

/// What a person at `at` between four cell centers adds to each: min(1 - x, 1 - y)^lambda to the lower left, and so on.
/// The own cell gets at least [`at_least`], any other at most that.
#[inline]
pub fn shares(at: Vec2, exponent: f64) -> [f64; 4] {
    let Vec2 { x, y } = at;
    let nearer = |a: f64, b: f64| if a < b { a } else { b };
    raised([nearer(1.0 - x, 1.0 - y), nearer(x, 1.0 - y), nearer(1.0 - x, y), nearer(x, y)], exponent)
}

/// These powers.
#[inline(always)]
fn raised(near: [f64; 4], exponent: f64) -> [f64; 4] {
    if exponent == 1.0 {
        near
    } else if exponent == 2.0 {
        near.map(|n| n * n)
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
