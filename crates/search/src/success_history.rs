//! Success-history adaptation of differential variation (SHADE: Tanabe, Fukunaga, CEC 2013).

use crowdtune_core::math::rng::{ChaCha8Rng, below, normal};

/// Length of the history, H. Chosen here: 5, the order of published variants of L-SHADE.
const LENGTH: usize = 5;

/// The strengths of differential variation that have worked recently.
///
/// Tanabe and Fukunaga, CEC 2013: a ring of means, one of which is drawn for each child; F is
/// a Cauchy and CR a normal deviate around it, both of width 0.1. Differs from the source: successes count equally, as in JADE
/// (Zhang, Sanderson 2009), because violations and losses have no common scale; a batch is a generation.
pub(crate) struct SuccessHistory {
    f: [f64; LENGTH],
    cr: [f64; LENGTH],
    at: usize,
}

impl SuccessHistory {
    /// Strengths before anything was learned.
    pub(crate) fn new() -> Self {
        Self { f: [0.5; LENGTH], cr: [0.5; LENGTH], at: 0 }
    }

    /// F in (0, 1] and CR in [0, 1] for one child.
    pub(crate) fn draw(&self, rng: &mut ChaCha8Rng) -> (f64, f64) {
        let i = below(rng, LENGTH);
        let cr = (self.cr[i] + 0.1 * normal(rng)).clamp(0.0, 1.0);
        let f = loop {
            // A Cauchy deviate is the quotient of two normal ones.
            let f = self.f[i] + 0.1 * normal(rng) / normal(rng);
            if f > 0.0 {
                break f.min(1.0);
            }
        };
        (f, cr)
    }

    /// Learns from the strengths of the children of one batch that beat their parents.
    pub(crate) fn learn(&mut self, successes: &[(f64, f64)]) {
        if successes.is_empty() {
            return;
        }
        let sum = |value: fn(&(f64, f64)) -> f64| successes.iter().map(value).sum::<f64>();
        self.f[self.at] = sum(|s| s.0 * s.0) / sum(|s| s.0);
        self.cr[self.at] = sum(|s| s.1) / successes.len() as f64;
        self.at = (self.at + 1) % LENGTH;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::rng::Seed;

    #[test]
    fn means_by_hand() {
        let mut memory = SuccessHistory::new();
        memory.learn(&[(0.5, 0.2), (1.0, 0.4)]);
        // Lehmer mean (0.25 + 1) / (0.5 + 1), arithmetic mean 0.3.
        assert_eq!(memory.f, [1.25 / 1.5, 0.5, 0.5, 0.5, 0.5]);
        assert!((memory.cr[0] - 0.3).abs() < 1e-15);
        memory.learn(&[]);
        assert_eq!(memory.at, 1);
    }

    #[test]
    fn strengths_stay_in_range() {
        let memory = SuccessHistory { f: [0.01; LENGTH], cr: [0.99; LENGTH], at: 0 };
        let mut rng = Seed(1).rng();
        assert!(
            (0..10_000).map(|_| memory.draw(&mut rng)).all(|(f, cr)| f > 0.0 && f <= 1.0 && (0.0..=1.0).contains(&cr))
        );
    }
}
