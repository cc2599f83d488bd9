//! A trust region: how far from the best evaluation the minimum of the model is sought, by how well the last one did.
//!
//! Doubled and halved by the ratio of actual to predicted gain, as in Nocedal, Wright, Numerical Optimization, 2006,
//! algorithm 4.1, with other thresholds.

use crate::cost::{Cost, compare};

/// First radius, times the square root of n, in standard deviations of the fitted points. Chosen here: see
/// docs/decisions.md.
const FIRST: f64 = 1.0;
/// Smallest radius, in multiples of the first. Chosen here: see docs/decisions.md.
const NARROWEST: f64 = 0.5;
/// Largest radius, in multiples of the first. Chosen here: a few deviations away the model knows nothing.
const WIDEST: f64 = 8.0;

/// A candidate: its generation and the index in it.
pub type CandidateId = (u64, usize);

/// The radius, and the candidate that tests it: one minimum of the model at a time.
#[derive(Clone, Debug)]
pub struct TrustRegion {
    unit: f64,
    radius: f64,
    /// The minimum that is being evaluated, its predicted loss, the best cost before it.
    pending: Option<(CandidateId, f64, Cost)>,
    /// True if the last minimum was no better than the best before it.
    missed: bool,
}

impl TrustRegion {
    /// For n numbers.
    pub fn new(n: usize) -> Self {
        let unit = FIRST * (n as f64).sqrt();
        Self { unit, radius: unit, pending: None, missed: false }
    }

    /// How far the minimum of the model may lie from the best evaluation.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// True if no minimum is being evaluated.
    pub fn free(&self) -> bool {
        self.pending.is_none()
    }

    /// True if the last minimum was no better than the best before it.
    pub fn missed(&self) -> bool {
        self.missed
    }

    /// The minimum of the model has become this candidate.
    pub fn send(&mut self, which: CandidateId, best: Cost) {
        self.pending = Some((which, f64::NAN, best));
    }

    /// Notes the predicted loss of the minimum, if it is among the candidates that are `predicted`.
    pub fn predict(&mut self, predicted: impl FnOnce(CandidateId) -> Option<f64>) {
        if let Some((which, value, _)) = &mut self.pending
            && let Some(predicted) = predicted(*which)
        {
            *value = predicted;
        }
    }

    /// Forgets the minimum unless it is still `asked` for.
    pub fn drop_unless(&mut self, asked: impl FnOnce(CandidateId) -> bool) {
        self.pending.take_if(|pending| !asked(pending.0));
    }

    /// Widens or narrows the radius by the cost of the minimum; the costs of other candidates change nothing.
    pub fn judge(&mut self, which: CandidateId, cost: Option<Cost>) {
        let Some((_, predicted, before)) = self.pending.take_if(|p| p.0 == which) else { return };
        let better = cost.is_some_and(|cost| compare(cost, before).is_lt());
        let gained = match cost {
            Some(cost) if cost.0 == before.0 => (before.1 - cost.1) / (before.1 - predicted),
            _ => f64::from(u8::from(better)),
        };
        if gained > 0.5 {
            self.radius = (2.0 * self.radius).min(WIDEST * self.unit);
        } else if gained <= 0.1 || gained.is_nan() {
            self.radius = (0.5 * self.radius).max(NARROWEST * self.unit);
        }
        self.missed = !better;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radius_follows_what_was_gained() {
        let mut region = TrustRegion::new(4);
        let mut answer = |loss: f64| {
            region.send((1, 0), (0.0, 10.0));
            region.predict(|which| (which == (1, 0)).then_some(0.0));
            region.judge((7, 0), Some((0.0, 1.0)));
            assert!(!region.free());
            region.judge((1, 0), Some((0.0, loss)));
            (region.radius(), region.missed())
        };
        // More than half of 10, less, next to nothing, worse.
        assert_eq!(
            [answer(4.0), answer(6.0), answer(9.5), answer(11.0)],
            [(4.0, false), (4.0, false), (2.0, false), (1.0, true)]
        );
        assert_eq!((answer(20.0).0, (0..9).map(|_| answer(0.0).0).last()), (1.0, Some(16.0)));
    }
}
