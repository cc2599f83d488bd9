//! Variation on the unit cube with mixed genes: crossover, mutation, differential variation, Latin hypercubes.
//!
//! Reals are recombined and mutated as they are. Whole numbers are treated as reals whose unit is one cell, then rounded up or
//! down at random in proportion to the distance. Choices have nothing in between: they are inherited whole or drawn anew. What
//! leaves the cube is reflected at its faces.

use crate::Genome;
use crate::space::{Axis, Space};
use crowdtune_core::math::rng::{ChaCha8Rng, below, normal, unit};
use crowdtune_core::registry::Param;

/// The setting of crossover, for every optimizer that uses it.
pub(crate) const SBX_ETA: Param = Param::real("sbx_eta", "", 15.0)
    .symbol("eta_c")
    .range(0.0, 200.0)
    .search(2.0, 30.0)
    .doc("distribution index of crossover; larger keeps children nearer to their parents")
    .source("Deb, Agrawal, Complex Systems 9, 115 (1995)");

/// The setting of mutation, for every optimizer that uses it.
pub(crate) const MUTATION_ETA: Param = Param::real("mutation_eta", "", 20.0)
    .symbol("eta_m")
    .range(0.0, 200.0)
    .search(5.0, 100.0)
    .doc("distribution index of mutation; larger makes smaller steps")
    .source("Deb, Deb, Int. J. Artif. Intell. Soft Comput. 4, 1 (2014)");

/// Into [0, 1] by reflection at both ends; what is not finite goes to the middle.
#[inline]
pub(crate) fn reflect(x: f64) -> f64 {
    if (0.0..=1.0).contains(&x) {
        return x;
    }
    if !x.is_finite() {
        return 0.5;
    }
    let y = x.rem_euclid(2.0);
    if y > 1.0 { 2.0 - y } else { y }
}

/// The coordinate of a child on its axis: reflected, and for whole numbers moved to the middle of one of the two
/// nearest cells, the nearer one more often.
#[inline]
pub(crate) fn settle(axis: &Axis, x: f64, rng: &mut ChaCha8Rng) -> f64 {
    let x = reflect(x);
    match axis.cells() {
        None => x,
        Some(cells) => {
            let place = (x * cells as f64 - 0.5).max(0.0);
            let up = unit(rng) < place - place.floor();
            axis.middle(place as u64 + u64::from(up))
        }
    }
}

/// A gene drawn anew, anywhere on its axis.
pub(crate) fn draw(axis: &Axis, rng: &mut ChaCha8Rng) -> f64 {
    axis.canonical(unit(rng))
}

/// A number of 0 or more to a power above 0 by logarithms: accurate enough here, and quicker than `libm::pow`.
fn power(base: f64, exponent: f64) -> f64 {
    libm::exp(libm::log(base.max(0.0)) * exponent)
}

/// Simulated binary crossover of two parents; one child.
///
/// Deb and Agrawal, Complex Systems 9, 115 (1995): the spread factor has density
/// (eta + 1) / 2 beta^eta below 1 and (eta + 1) / 2 beta^-(eta + 2) above. Every gene is crossed with probability 0.5
/// and the two children exchange it with probability 0.5, so that either child will do.
pub(crate) fn sbx(space: &Space, a: &[f64], b: &[f64], eta: f64, rng: &mut ChaCha8Rng) -> Genome {
    let gene = |(i, g): (usize, &crate::space::Gene)| {
        // One number for both coins and the spread: the whole part of its quadruple, and the rest.
        let coins = 4.0 * unit(rng);
        let (near, far) = if coins < 2.0 { (a[i], b[i]) } else { (b[i], a[i]) };
        let u = coins - coins.floor();
        let crossed = coins - u == 1.0 || coins - u == 3.0;
        if !crossed || g.axis.is_choice() || near == far {
            return near;
        }
        let spread = if u <= 0.5 { 2.0 * u } else { 0.5 / (1.0 - u) };
        let beta = power(spread, 1.0 / (eta + 1.0));
        settle(&g.axis, 0.5 * ((1.0 + beta) * near + (1.0 - beta) * far), rng)
    };
    space.genes.iter().enumerate().map(gene).collect()
}

/// Polynomial mutation, each gene with probability `rate`.
///
/// Deb and Deb, Int. J. Artif. Intell. Soft Comput. 4, 1 (2014), in the form that never leaves the bounds. A whole
/// number that is mutated moves by one cell at least (at an end inward), a choice is drawn anew.
pub(crate) fn mutate(space: &Space, genome: &mut [f64], eta: f64, rate: f64, rng: &mut ChaCha8Rng) {
    for i in 0..space.len() {
        if unit(rng) < rate {
            mutate_one(space, genome, i, eta, rng);
        }
    }
}

/// Polynomial mutation of the gene with this index, as [`mutate`] does it.
pub(crate) fn mutate_one(space: &Space, genome: &mut [f64], index: usize, eta: f64, rng: &mut ChaCha8Rng) {
    let (axis, x) = (&space.genes[index].axis, &mut genome[index]);
    if axis.is_choice() {
        *x = draw(axis, rng);
        return;
    }
    let u = unit(rng);
    let step = if u < 0.5 {
        power(2.0 * u + (1.0 - 2.0 * u) * power(1.0 - *x, eta + 1.0), 1.0 / (eta + 1.0)) - 1.0
    } else {
        1.0 - power(2.0 * (1.0 - u) + (2.0 * u - 1.0) * power(*x, eta + 1.0), 1.0 / (eta + 1.0))
    };
    let before = *x;
    *x = settle(axis, before + step, rng);
    if let Some(cells) = axis.cells()
        && cells > 1
        && axis.cell(before) == axis.cell(*x)
    {
        let cell = axis.cell(before);
        let down = cell > 0 && (u < 0.5 || cell == cells - 1);
        *x = axis.middle(if down { cell - 1 } else { cell + 1 });
    }
}

/// The four members of a differential variation, as current-to-pbest/1 names them.
#[derive(Clone, Copy)]
pub(crate) struct Quartet<'a> {
    /// The parent that is moved.
    pub current: &'a [f64],
    /// One of the best.
    pub best: &'a [f64],
    /// A third member.
    pub one: &'a [f64],
    /// A fourth.
    pub two: &'a [f64],
}

/// Differential variation current-to-pbest/1 with binomial crossover.
///
/// Zhang and Sanderson, IEEE Trans. Evol. Comput. 13, 945 (2009), the strategy without archive: v = x + F (best - x) + F (one - two); a gene is
/// taken from v with probability `cr`, one gene always. Differs from the source: bounds by reflection; a choice comes
/// from x, best or one with equal probability, and is drawn anew with probability 1/n.
pub(crate) fn differ(space: &Space, from: Quartet<'_>, f: f64, cr: f64, rng: &mut ChaCha8Rng) -> Genome {
    let n = space.len();
    let always = below(rng, n.max(1));
    let gene = |(i, g): (usize, &crate::space::Gene)| {
        let x = from.current[i];
        let taken = unit(rng) < cr;
        if !taken && i != always {
            x
        } else if g.axis.is_choice() {
            if unit(rng) * (n as f64) < 1.0 {
                draw(&g.axis, rng)
            } else {
                [x, from.best[i], from.one[i]][below(rng, 3)]
            }
        } else {
            settle(&g.axis, x + f * (from.best[i] - x) + f * (from.one[i] - from.two[i]), rng)
        }
    };
    space.genes.iter().enumerate().map(gene).collect()
}

/// A neighbor: every number moved by a normal deviate of this size (share of its range), every choice drawn anew with
/// probability 1/n.
pub(crate) fn near(space: &Space, genome: &[f64], sigma: f64, rng: &mut ChaCha8Rng) -> Genome {
    let n = space.len() as f64;
    let gene = |(g, &x): (&crate::space::Gene, &f64)| {
        if !g.axis.is_choice() {
            settle(&g.axis, x + sigma * normal(rng), rng)
        } else if unit(rng) * n < 1.0 {
            draw(&g.axis, rng)
        } else {
            x
        }
    };
    space.genes.iter().zip(genome).map(gene).collect()
}

/// A Latin hypercube of `count` points: every gene has one point in each of `count` equal slices.
///
/// McKay, Beckman, Conover, Technometrics 21, 239 (1979).
pub(crate) fn latin(genes: usize, count: usize, rng: &mut ChaCha8Rng) -> Vec<Genome> {
    let mut points = vec![Vec::with_capacity(genes); count];
    for _ in 0..genes {
        let mut slices: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            slices.swap(i, below(rng, i + 1));
        }
        for (point, slice) in points.iter_mut().zip(slices) {
            point.push((slice as f64 + unit(rng)) / count as f64);
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Gene;
    use crowdtune_core::math::rng::Seed;

    fn space(axes: Vec<Axis>) -> Space {
        Space { genes: axes.into_iter().map(|axis| Gene { key: String::new(), axis }).collect() }
    }

    fn reals(n: usize) -> Space {
        space(vec![Axis::Real { low: 0.0, high: 1.0, log: false }; n])
    }

    #[test]
    fn reflection_by_hand() {
        for (x, y) in [(0.25, 0.25), (-0.25, 0.25), (1.25, 0.75), (2.25, 0.25), (-1.5, 0.5), (1.0, 1.0)] {
            assert_eq!(reflect(x), y);
        }
        assert_eq!(reflect(f64::INFINITY), 0.5);
    }

    #[test]
    fn powers_by_hand() {
        for (base, exponent, wanted) in
            [(0.25, 0.5, 0.5), (0.5, 3.0, 0.125), (1.0, 21.0, 1.0), (4.0, 0.0625, 1.090_507_732_665_257_7)]
        {
            assert!((power(base, exponent) - wanted).abs() < 1e-15, "{base} to {exponent}");
        }
        assert_eq!((power(0.0, 2.0), power(-1e-17, 0.5)), (0.0, 0.0));
    }

    #[test]
    fn rounding_is_in_proportion() {
        let axis = Axis::Integer { low: 0, high: 9 };
        let mut rng = Seed(3).rng();
        // 0.375 lies a quarter of a cell above the middle of cell 3 (0.35), so it goes to cell 4 in 25 of 100 draws.
        let up = (0..10_000).filter(|_| axis.cell(settle(&axis, 0.375, &mut rng)) == 4).count();
        assert!((2300..2700).contains(&up), "{up}");
    }

    #[test]
    fn crossover_keeps_the_mean_and_its_spread() {
        let mut rng = Seed(4).rng();
        let children: Vec<f64> = (0..40_000).map(|_| sbx(&reals(1), &[0.4], &[0.6], 15.0, &mut rng)[0]).collect();
        let mean = children.iter().sum::<f64>() / 40_000.0;
        assert!((mean - 0.5).abs() < 0.001, "{mean}");
        // Half of the genes are not crossed, and the spread factor of the others is below 1 in half of the cases.
        let inside = children.iter().filter(|&&x| x > 0.4 && x < 0.6).count();
        assert!((9_500..10_500).contains(&inside), "{inside}");
    }

    #[test]
    fn mutation_is_small_and_stays_inside() {
        let mut rng = Seed(5).rng();
        let mut sum = 0.0;
        for _ in 0..20_000 {
            let mut x = [0.5];
            mutate(&reals(1), &mut x, 20.0, 1.0, &mut rng);
            sum += (x[0] - 0.5).abs();
        }
        // Far from the bounds |step| = 1 - (2u)^(1/21) with mean 1 - 21/22 = 1/22 = 0.0455.
        assert!((sum / 20_000.0 - 1.0 / 22.0).abs() < 0.001, "{}", sum / 20_000.0);
    }

    #[test]
    fn a_mutated_whole_number_moves() {
        let integer = space(vec![Axis::Integer { low: 0, high: 4 }]);
        let mut rng = Seed(6).rng();
        for cell in (0..5).cycle().take(100) {
            let middle = integer.genes[0].axis.middle(cell);
            let mut x = [middle];
            mutate(&integer, &mut x, 20.0, 1.0, &mut rng);
            assert_ne!(x[0], middle);
        }
    }

    #[test]
    fn differential_variation_by_hand() {
        let from = Quartet { current: &[0.2], best: &[0.6], one: &[0.5], two: &[0.3] };
        let child = differ(&reals(1), from, 0.5, 0.0, &mut Seed(7).rng());
        assert!((child[0] - 0.5).abs() < 1e-15);
    }

    #[test]
    fn a_latin_hypercube_has_one_point_a_slice() {
        let points = latin(3, 8, &mut Seed(8).rng());
        for gene in 0..3 {
            let mut slices: Vec<usize> = points.iter().map(|p| (p[gene] * 8.0) as usize).collect();
            slices.sort_unstable();
            assert_eq!(slices, (0..8).collect::<Vec<_>>());
        }
    }
}
