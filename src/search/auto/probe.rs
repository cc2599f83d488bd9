//! What kind of loss is it? A few first evaluations tell whether it is smooth and whether it is a sum over coordinates.

use super::Genome;

/// How far the near repeat lies beside the start, in every coordinate. Chosen here: a smooth loss does not see it.
const NEAR: f64 = 1e-9;
/// A near repeat may differ by this share of what a far point differs. Chosen here: a thousand times what a smooth loss of
/// high condition shows, and a thousandth of what the noise of a simulation shows.
const SMOOTH: f64 = 1e-5;
/// A sum over coordinates leaves no more than this share of the values involved: their rounding. Chosen here.
const SUM: f64 = 1e-11;

/// The findings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Kind {
    /// A near repeat gave nearly the same loss.
    pub smooth: bool,
    /// The loss is a sum of functions of one coordinate each, as far as the test can see (differential grouping: Omidvar, Li,
    /// Mei, Yao, IEEE Trans. Evol. Comput. 18, 378, 2014, for all pairs at once).
    pub separable: bool,
}

/// The test: asks for points until it knows.
pub(super) struct Probe {
    start: Genome,
    far: Genome,
    loss: f64,
    far_loss: f64,
    asked: Asked,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    /// The near repeat and the far point.
    Repeat,
    /// Both mixtures of start and far point by one bit of the number of a coordinate.
    Mixture(u32),
}

impl Probe {
    /// Around a start whose loss is known, against a far point.
    pub(super) fn new(start: Genome, loss: f64, far: Genome) -> Self {
        Self { start, far, loss, far_loss: f64::NAN, asked: Asked::Repeat }
    }

    /// The next points.
    pub(super) fn ask(&self) -> Vec<Genome> {
        match self.asked {
            Asked::Repeat => {
                let near = self.start.iter().map(|u| if *u < 0.5 { u + NEAR } else { u - NEAR }).collect();
                vec![near, self.far.clone()]
            }
            Asked::Mixture(bit) => [0, 1].map(|side| self.mixture(bit, side)).to_vec(),
        }
    }

    fn mixture(&self, bit: u32, side: usize) -> Genome {
        let far = |i: usize| (i >> bit) & 1 == side;
        (0..self.start.len()).map(|i| if far(i) { self.far[i] } else { self.start[i] }).collect()
    }

    /// Losses of those points; the findings when they are complete.
    pub(super) fn tell(&mut self, losses: &[f64]) -> Option<Kind> {
        let [a, b] = losses else { return Some(Kind::default()) };
        match self.asked {
            Asked::Repeat => {
                self.far_loss = *b;
                let smooth = b.is_finite() && (a - self.loss).abs() <= SMOOTH * (b - self.loss).abs();
                if !smooth {
                    return Some(Kind { smooth, separable: false });
                }
                self.asked = Asked::Mixture(0);
                // One coordinate is a sum of one function.
                (self.start.len() == 1).then_some(Kind { smooth: true, separable: true })
            }
            Asked::Mixture(bit) => {
                let left = (a + b) - (self.loss + self.far_loss);
                let most = [*a, *b, self.loss, self.far_loss].iter().fold(0.0, |m: f64, v| m.max(v.abs()));
                if left.is_nan() || left.abs() > SUM * most {
                    return Some(Kind { smooth: true, separable: false });
                }
                self.asked = Asked::Mixture(bit + 1);
                (1 << (bit + 1) >= self.start.len()).then_some(Kind { smooth: true, separable: true })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(f: impl Fn(&[f64]) -> f64) -> (Kind, usize) {
        let start = vec![0.5; 5];
        let mut probe = Probe::new(start.clone(), f(&start), vec![0.1, 0.9, 0.3, 0.8, 0.2]);
        let mut count = 0;
        loop {
            let losses: Vec<f64> = probe.ask().iter().map(|x| f(x)).collect();
            count += losses.len();
            if let Some(kind) = probe.tell(&losses) {
                return (kind, count);
            }
        }
    }

    #[test]
    fn sums_rotated_bowls_and_rough_losses_are_told_apart() {
        let sum = |x: &[f64]| x.iter().enumerate().map(|(i, u)| (i as f64 + 1.0) * (u - 0.3) * (u - 0.3) + 77.7).sum();
        assert_eq!(kind(sum), (Kind { smooth: true, separable: true }, 8));
        let pair = |x: &[f64]| sum(x) + 1e-3 * x[1] * x[4];
        assert_eq!(kind(pair), (Kind { smooth: true, separable: false }, 4));
        let later = |x: &[f64]| sum(x) + 1e-3 * x[0] * x[2];
        assert_eq!(kind(later).0, Kind { smooth: true, separable: false });
        let rough = |x: &[f64]| sum(x) + 0.01 * libm::sin(1e12 * x[0]);
        assert_eq!(kind(rough), (Kind { smooth: false, separable: false }, 2));
    }

    #[test]
    fn failures_are_not_smooth() {
        assert_eq!(kind(|x| if x[0] == 0.5 { 1.0 } else { f64::INFINITY }).0, Kind::default());
    }
}
