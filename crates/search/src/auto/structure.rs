//! Is the loss smooth, and is it a sum over coordinates? A few evaluations at the beginning tell (differential grouping:
//! Omidvar, Li, Mei, Yao, IEEE Trans. Evol. Comput. 18, 378, 2014, for all pairs of coordinates at once).

use crate::Genome;

/// Distance of the near point from the start in every coordinate; a second one is half as far. Chosen here: the losses of a
/// smooth function then differ by a thousand times their rounding, and by no more than its slope.
const NEAR: f64 = 1e-7;
/// The near point may differ by this share of what a far point differs. Chosen here: a thousand times what a smooth loss of
/// high condition shows, and a thousandth of what the noise of a simulation shows.
const SMOOTH: f64 = 1e-5;
/// At half the distance a smooth loss differs by half as much, up to this share. Chosen here: noise passes once in fifty.
const STRAIGHT: f64 = 0.02;
/// Rounding of a loss as a share of its size. Chosen here: a hundred times the precision of the numbers.
const ROUNDING: f64 = 1e-14;
/// A sum over coordinates leaves no more than this share of the values involved. Chosen here: their rounding.
const SUM: f64 = 1e-11;

/// The findings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Structure {
    /// A near point has nearly the same loss.
    pub smooth: bool,
    /// The loss is a sum of functions of one coordinate each, as far as the test can see.
    pub separable: bool,
}

/// The test: asks for points until it knows.
pub(super) struct StructureTest {
    start: Genome,
    far: Genome,
    /// Another far point, in case the first lies as high as the start.
    spare: Option<Genome>,
    loss: f64,
    far_loss: f64,
    /// By how much the near point differs.
    near: f64,
    asked: Asked,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    /// The near points and the far point.
    Near,
    /// The other far point.
    Far,
    /// Both mixtures of start and far point: a coordinate comes from one or the other by this bit of its index.
    Mixture(u32),
}

impl StructureTest {
    /// Around a start whose loss is known, against a far point, or two.
    pub(super) fn new(start: Genome, loss: f64, [far, spare]: [Genome; 2]) -> Self {
        Self { start, far, spare: Some(spare), loss, far_loss: f64::NAN, near: f64::NAN, asked: Asked::Near }
    }

    /// The next points.
    pub(super) fn ask(&self) -> Vec<Genome> {
        match self.asked {
            Asked::Near => {
                let beside = |by: f64| self.start.iter().map(|u| if *u < 0.5 { u + by } else { u - by }).collect();
                vec![beside(NEAR), beside(0.5 * NEAR), self.far.clone()]
            }
            Asked::Far => vec![self.far.clone()],
            Asked::Mixture(bit) => [0, 1].map(|side| self.mixture(bit, side)).to_vec(),
        }
    }

    fn mixture(&self, bit: u32, side: usize) -> Genome {
        let far = |i: usize| (i >> bit) & 1 == side;
        (0..self.start.len()).map(|i| if far(i) { self.far[i] } else { self.start[i] }).collect()
    }

    /// Losses of those points; the findings when they are complete.
    pub(super) fn tell(&mut self, losses: &[f64]) -> Option<Structure> {
        match (self.asked, losses) {
            (Asked::Near, [near, nearer, far]) => {
                let (whole, half) = (near - self.loss, nearer - self.loss);
                let bent = (whole - 2.0 * half).abs();
                let rounding = ROUNDING * self.loss.abs().max(far.abs());
                self.near = whole.abs();
                // Where nothing changes at all (stairs, or a band without loss) a slope leads nowhere.
                if !far.is_finite() || whole == 0.0 || bent.is_nan() || bent > STRAIGHT * whole.abs() + rounding {
                    return Some(Structure::default());
                }
                self.compare(*far)
            }
            (Asked::Far, [far]) => self.compare(*far),
            (Asked::Mixture(bit), [a, b]) => {
                let left = (a + b) - (self.loss + self.far_loss);
                let most = [*a, *b, self.loss, self.far_loss].iter().fold(0.0, |m: f64, v| m.max(v.abs()));
                if left.is_nan() || left.abs() > SUM * most {
                    return Some(Structure { smooth: true, separable: false });
                }
                self.asked = Asked::Mixture(bit + 1);
                (1 << (bit + 1) >= self.start.len()).then_some(Structure { smooth: true, separable: true })
            }
            _ => Some(Structure::default()),
        }
    }

    /// Compares what the near point differs by with what the far one does.
    fn compare(&mut self, far: f64) -> Option<Structure> {
        self.far_loss = far;
        if far.is_finite() && self.near <= SMOOTH * (far - self.loss).abs() {
            self.asked = Asked::Mixture(0);
            // One coordinate is a sum of one function.
            return (self.start.len() == 1).then_some(Structure { smooth: true, separable: true });
        }
        let Some(spare) = self.spare.take() else { return Some(Structure::default()) };
        (self.far, self.asked) = (spare, Asked::Far);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn structure(f: impl Fn(&[f64]) -> f64) -> (Structure, usize) {
        let start = vec![0.5; 5];
        let far = [vec![0.1, 0.9, 0.3, 0.8, 0.2], vec![0.2, 0.3, 0.9, 0.6, 0.1]];
        let mut probe = StructureTest::new(start.clone(), f(&start), far);
        let mut count = 0;
        loop {
            let losses: Vec<f64> = probe.ask().iter().map(|x| f(x)).collect();
            count += losses.len();
            if let Some(structure) = probe.tell(&losses) {
                return (structure, count);
            }
        }
    }

    #[test]
    fn sums_rotated_bowls_and_rough_losses_are_told_apart() {
        let sum = |x: &[f64]| x.iter().enumerate().map(|(i, u)| (i as f64 + 1.0) * (u - 0.3) * (u - 0.3) + 77.7).sum();
        assert_eq!(structure(sum), (Structure { smooth: true, separable: true }, 9));
        let pair = |x: &[f64]| sum(x) + 1e-3 * x[1] * x[4];
        assert_eq!(structure(pair), (Structure { smooth: true, separable: false }, 5));
        let later = |x: &[f64]| sum(x) + 1e-3 * x[0] * x[2];
        assert_eq!(structure(later).0, Structure { smooth: true, separable: false });
        let rough = |x: &[f64]| sum(x) + 0.01 * libm::sin(1e12 * x[0]);
        assert_eq!(structure(rough), (Structure { smooth: false, separable: false }, 3));
    }

    #[test]
    fn a_far_point_as_high_as_the_start_is_replaced() {
        // The bottom is halfway between the start and the first far point.
        let bottom = [0.3, 0.7, 0.4, 0.65, 0.35];
        let bowl = |x: &[f64]| x.iter().zip(&bottom).map(|(x, b)| (x - b) * (x - b)).sum();
        assert_eq!(structure(bowl), (Structure { smooth: true, separable: true }, 10));
    }

    #[test]
    fn stairs_and_noise_are_not_smooth() {
        assert_eq!(structure(|x| (10.0 * x[0]).floor()), (Structure::default(), 3));
        // Noise that is small beside what a far point differs by: the half repeat does not differ by half.
        let noisy = |x: &[f64]| 1e7 * (x[0] - 0.3) * (x[0] - 0.3) + libm::sin(1e12 * x[1]);
        assert_eq!(structure(noisy), (Structure::default(), 3));
    }

    #[test]
    fn failures_are_not_smooth() {
        assert_eq!(structure(|x| if x[0] == 0.5 { 1.0 } else { f64::INFINITY }).0, Structure::default());
    }
}
