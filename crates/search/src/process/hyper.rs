//! The likeliest constants of a process, given what they usually are.

use super::{Constants, Pairs};
use crowdtune_core::math::box_descent::{Bounds, descend};

/// What the logarithm of a constant usually is: its mode, its deviation, and its ends.
#[derive(Clone, Copy, Debug)]
struct Usual {
    mode: f64,
    deviation: f64,
    ends: (f64, f64),
}

/// Of a length, without what it gains with the number of genes, and its deviation: Hvarfner, Hellsten, Nardi, ICML 2024, whose density is largest at
/// sqrt(2) - 3; longer lengths did better on crowds (docs/decisions.md). Ends chosen here: fifty values on a line can show a length of 0.02.
const LENGTH: Usual = Usual { mode: 0.0, deviation: 1.732_050_807_568_877_2, ends: (-4.0, 7.0) };
/// Of the signal. Chosen here: values have variance 1.
const SIGNAL: Usual = Usual { mode: 0.0, deviation: 1.0, ends: (-4.0, 4.0) };
/// Of the noise. Chosen here, wide: of one loss all is noise, of the next nothing. A millionth keeps the covariance regular.
const NOISE: Usual = Usual { mode: -4.0, deviation: 2.0, ends: (-13.8, 2.0) };

/// What is usual for the logarithms of all lengths, the signal and the noise.
fn usual(genes: usize) -> Vec<Usual> {
    let length = Usual { mode: LENGTH.mode + 0.5 * libm::log(genes.max(1) as f64), ..LENGTH };
    std::iter::repeat_n(length, genes).chain([SIGNAL, NOISE]).collect()
}

/// Constants as they usually are: where a fit begins that knows nothing.
pub(super) fn unknown(genes: usize) -> Constants {
    from_logarithms(&usual(genes).iter().map(|usual| usual.mode).collect::<Vec<f64>>())
}

/// Constants near these that are likelier, found in at most so many steps, and how unlikely they are: minus the logarithm of likelihood times prior.
/// Infinitely so where the values have no likelihood at all.
pub(super) fn likelier(from: &Constants, pairs: &Pairs, values: &[f64], steps: usize) -> (f64, Constants) {
    let usual = usual(from.lengths.len());
    let (low, high) = usual.iter().map(|usual| usual.ends).unzip();
    let mut x: Vec<f64> = from.lengths.iter().chain([&from.signal, &from.noise]).map(|&c| libm::log(c)).collect();
    let unlikely = descend(&Bounds { low, high }, &mut x, steps, |x, slope| {
        let Some((likelihood, along)) = pairs.likelihood(&from_logarithms(x), values) else { return f64::INFINITY };
        let mut rare = 0.0;
        for (at, usual) in usual.iter().enumerate() {
            let off = (x[at] - usual.mode) / usual.deviation;
            rare += 0.5 * off * off;
            slope[at] = off / usual.deviation - along[at];
        }
        rare - likelihood
    });
    (unlikely, from_logarithms(&x))
}

fn from_logarithms(x: &[f64]) -> Constants {
    let (lengths, rest) = x.split_at(x.len() - 2);
    let exp = libm::exp;
    Constants { lengths: lengths.iter().map(|&x| exp(x)).collect(), signal: exp(rest[0]), noise: exp(rest[1]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::rng::{Seed, normal, unit};

    #[test]
    fn noise_and_what_does_not_matter_are_found() {
        // Forty values of sin(6 x0) with a deviation of 0.3; x1 does nothing.
        let mut rng = Seed(1).rng();
        let points: Vec<Vec<f64>> = (0..40).map(|_| vec![unit(&mut rng), unit(&mut rng)]).collect();
        let values: Vec<f64> = points.iter().map(|p| libm::sin(6.0 * p[0]) + 0.3 * normal(&mut rng)).collect();
        let (_, found) = likelier(&unknown(2), &Pairs::new(&[0, 1], &points), &values, 50);
        assert!((0.05..0.16).contains(&found.noise), "{found:?}");
        assert!(found.lengths[1] > 3.0 * found.lengths[0], "{found:?}");
    }

    #[test]
    fn the_slope_is_that_of_the_likelihood() {
        let points = [[0.1, 0.2], [0.4, 0.9], [0.8, 0.3], [0.6, 0.6]].map(|p| p.to_vec());
        let pairs = Pairs::new(&[0, 1], &points);
        let values = [0.5, -1.2, 0.3, 0.9];
        let x = [-1.0, -0.3, 0.2, -2.0];
        let at = |x: &[f64]| pairs.likelihood(&from_logarithms(x), &values).unwrap();
        for i in 0..4 {
            let step = |h: f64| {
                let mut x = x;
                x[i] += h;
                at(&x).0
            };
            let by_steps = (step(1e-5) - step(-1e-5)) / 2e-5;
            assert!((at(&x).1[i] - by_steps).abs() < 1e-7, "{i}: {}, not {by_steps}", at(&x).1[i]);
        }
    }
}
