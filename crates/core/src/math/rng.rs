//! Random streams by meaning: switching one source of noise off never shifts another.

use rand::{RngExt as _, SeedableRng as _};
pub use rand_chacha::ChaCha8Rng;
use sha2::{Digest as _, Sha256};

/// A seed from which streams are derived by what they are for, never by the order of drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub u64);

impl Seed {
    /// The seed of a part: `meaning` names what it is for, `number` which one. Parts of other meanings or numbers share nothing.
    pub fn child(self, meaning: &str, number: u64) -> Self {
        let mut hash = Sha256::new();
        hash.update(self.0.to_le_bytes());
        hash.update(meaning.as_bytes());
        hash.update(number.to_le_bytes());
        let bytes = hash.finalize();
        Self(u64::from_le_bytes(std::array::from_fn(|i| bytes[i])))
    }

    /// A generator of this seed. ChaCha8 by name: the algorithm is part of the results.
    #[inline]
    pub fn rng(self) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(self.0)
    }
}

/// A number whose bits are mixed: the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). For chance by person and
/// step, where a stream for each would cost more than the model.
#[inline]
pub fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A uniform number in [0, 1), a multiple of 2^-53.
#[inline]
pub fn unit(rng: &mut ChaCha8Rng) -> f64 {
    rng.random::<f64>()
}

/// A standard normal deviate by Marsaglia's polar method, with `libm`'s logarithm: the same bits on every machine.
#[inline]
pub fn normal(rng: &mut ChaCha8Rng) -> f64 {
    loop {
        let x = 2.0 * unit(rng) - 1.0;
        let y = 2.0 * unit(rng) - 1.0;
        let s = x * x + y * y;
        if s > 0.0 && s < 1.0 {
            return x * (-2.0 * libm::log(s) / s).sqrt();
        }
    }
}

/// A uniform whole number in 0..n.
///
/// # Panics
/// If `n` is 0.
#[inline]
pub fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    rng.random_range(0..n as u64) as usize
}

#[cfg(test)]
mod tests {
    //! `rand_distr` is the independent reference here and in `normals`. It is not what the program draws with: as soon as any
    //! dependency turns on `std` of `num-traits`, its logarithms and exponentials are those of the standard library, whose last bits
    //! depend on the processor.

    use super::*;
    use crate::math::stats::ks_distance;
    use rand_distr::{Distribution as _, StandardNormal, Uniform};

    /// Numbers in each sample.
    const SIZE: usize = 100_000;
    /// The Kolmogorov-Smirnov distance that two samples of one distribution exceed once in a thousand: 1.95 sqrt(2 / n).
    const LIMIT: f64 = 0.0087;

    fn distance(ours: impl Fn(&mut ChaCha8Rng) -> f64, theirs: impl Fn(&mut ChaCha8Rng) -> f64) -> f64 {
        let (mut one, mut two) = (Seed(1).rng(), Seed(2).rng());
        let ours: Vec<f64> = (0..SIZE).map(|_| ours(&mut one)).collect();
        let theirs: Vec<f64> = (0..SIZE).map(|_| theirs(&mut two)).collect();
        ks_distance(&ours, &theirs).expect("two samples")
    }

    #[test]
    fn samples_are_distributed_like_those_of_rand_distr() {
        assert!(distance(normal, |rng| StandardNormal.sample(rng)) < LIMIT);
        let uniform = Uniform::new(0.0, 1.0).expect("a range");
        assert!(distance(unit, |rng| uniform.sample(rng)) < LIMIT);
        let dice = Uniform::new(0_u32, 7).expect("a range");
        assert!(distance(|rng| below(rng, 7) as f64, |rng| f64::from(dice.sample(rng))) < LIMIT);
        // A shift by a twentieth of the deviation is seen.
        assert!(distance(|rng| normal(rng) + 0.05, |rng| StandardNormal.sample(rng)) > LIMIT);
    }
}
