//! Many standard normal deviates: the ziggurat, four times as fast as [`super::rng::normal`].
//!
//! Marsaglia, Tsang, The Ziggurat Method for Generating Random Variables, J. Stat. Softw. 5(8), 2000, with numbers of 32
//! bits as there: a deviate has 24 of them. All tables and tails come from `libm`: the same bits on every machine.

use super::rng::{ChaCha8Rng, unit};
use rand::RngExt as _;
use std::sync::LazyLock;

/// Layers of equal area; a power of two, so that the low bits of a number choose one.
const LAYERS: usize = 256;
/// Where the tail begins with so many layers, Marsaglia and Tsang 2000, section 3 (rounded there to 3.6541528853610088).
const TAIL: f64 = 3.654_152_885_361_009;

/// Right ends of the layers, the lowest and widest first, and the density there, 1 at 0.
struct Layers {
    ends: [f64; LAYERS + 1],
    heights: [f64; LAYERS + 1],
}

static ZIGGURAT: LazyLock<Layers> = LazyLock::new(|| {
    let density = |x: f64| libm::exp(-0.5 * x * x);
    // Area of the lowest layer: a rectangle and the tail.
    let tail = (std::f64::consts::PI / 2.0).sqrt() * libm::erfc(TAIL / std::f64::consts::SQRT_2);
    let area = TAIL * density(TAIL) + tail;
    let mut ends = [0.0; LAYERS + 1];
    (ends[0], ends[1]) = (area / density(TAIL), TAIL);
    for i in 1..LAYERS - 1 {
        ends[i + 1] = (-2.0 * libm::log(area / ends[i] + density(ends[i]))).sqrt();
    }
    Layers { heights: ends.map(density), ends }
});

/// Numbers drawn at a time, which is cheaper than one by one.
const AT_A_TIME: usize = 32;

/// Fills `out` with standard normal deviates.
pub fn normals(rng: &mut ChaCha8Rng, out: &mut [f64]) {
    let ziggurat = &*ZIGGURAT;
    let mut bits = [0_u32; AT_A_TIME];
    for out in out.chunks_mut(AT_A_TIME) {
        let bits = &mut bits[..out.len()];
        rng.fill(bits);
        for (out, bits) in out.iter_mut().zip(bits) {
            *out = loop {
                match ziggurat.deviate(*bits, rng) {
                    Some(x) => break x,
                    None => *bits = rng.random(),
                }
            };
        }
    }
}

impl Layers {
    /// The deviate of a number, if it has one.
    #[inline(always)]
    fn deviate(&self, bits: u32, rng: &mut ChaCha8Rng) -> Option<f64> {
        let layer = bits as usize % LAYERS;
        // The upper 24 bits with their sign, in [-1, 1).
        let u = f64::from(bits.cast_signed() >> 8) * (1.0 / f64::from(1 << 23));
        let x = u * self.ends[layer];
        if x.abs() < self.ends[layer + 1] {
            return Some(x);
        }
        if layer == 0 {
            let x = beyond(rng);
            return Some(if u < 0.0 { -x } else { x });
        }
        let (low, high) = (self.heights[layer], self.heights[layer + 1]);
        (low + (high - low) * unit(rng) < libm::exp(-0.5 * x * x)).then_some(x)
    }
}

/// A deviate beyond the lowest layer. Marsaglia, Technometrics 6, 101, 1964.
fn beyond(rng: &mut ChaCha8Rng) -> f64 {
    loop {
        // 1 - u is never 0.
        let x = -libm::log(1.0 - unit(rng)) / TAIL;
        let y = -libm::log(1.0 - unit(rng));
        if y + y > x * x {
            return TAIL + x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Seed;
    use crate::math::stats::ks_distance;
    use rand_distr::{Distribution as _, StandardNormal};

    #[test]
    fn deviates_are_distributed_like_those_of_rand_distr() {
        let mut ours = vec![0.0; 100_000];
        normals(&mut Seed(3).rng(), &mut ours);
        let mut rng = Seed(4).rng();
        let theirs: Vec<f64> = (0..ours.len()).map(|_| StandardNormal.sample(&mut rng)).collect();
        // Two samples of one distribution exceed this distance once in a thousand: 1.95 sqrt(2 / n).
        let distance = ks_distance(&ours, &theirs).unwrap();
        assert!(distance < 0.0087, "{distance}");
    }

    #[test]
    fn layers_meet_at_the_top() {
        // The last layer ends where the density is 1 within rounding: the areas are right.
        let top = ZIGGURAT.ends[LAYERS - 1];
        let area = ZIGGURAT.ends[0] * ZIGGURAT.heights[1];
        assert!((ZIGGURAT.heights[LAYERS - 1] + area / top - 1.0).abs() < 1e-12);
        assert_eq!((ZIGGURAT.ends[LAYERS], ZIGGURAT.heights[LAYERS]), (0.0, 1.0));
    }

    #[test]
    fn shares_are_those_of_tables() {
        let mut numbers = vec![0.0; 400_000];
        normals(&mut Seed(1).rng(), &mut numbers);
        // Four standard errors around the normal integral at each place.
        for (place, share) in
            [(-3.7, 1.078e-4), (-2.0, 0.022_750), (-0.3, 0.382_089), (0.0, 0.5), (1.0, 0.841_345), (3.0, 0.998_650)]
        {
            let below = numbers.iter().filter(|x| **x < place).count() as f64 / 4e5;
            assert!((below - share).abs() < 4.0 * (share * (1.0_f64 - share) / 4e5).sqrt(), "{place}: {below}");
        }
        let moment = |k: i32| numbers.iter().map(|x| x.powi(k)).sum::<f64>() / 4e5;
        assert!((moment(2) - 1.0).abs() < 0.009 && (moment(4) - 3.0).abs() < 0.065);
    }
}
