//! The model's minimum as a candidate: how far away it is sought, by what became of the last one.

use super::{Cost, compare};

/// The model's minimum is sought so far from the best evaluation at first, times the square root of n, in units of the
/// deviation of the fitted points; doubled and halved with success. Chosen here: see docs/optimizers.md.
const TRUST: f64 = 1.0;
/// Least of that, times [`TRUST`]. Chosen here: see docs/optimizers.md.
const NARROWEST: f64 = 0.5;
/// Most of that, times [`TRUST`]. Chosen here: a few deviations further the model knows nothing.
const WIDEST: f64 = 8.0;

/// A generation and the index of a candidate in it.
pub type Which = (u64, usize);

/// One question at a time to the model's minimum.
#[derive(Clone, Debug)]
pub struct Probe {
    unit: f64,
    trust: f64,
    /// The candidate that is not answered yet, its predicted loss, the best cost before it.
    waiting: Option<(Which, f64, Cost)>,
    /// True if the last one was no better than what was known.
    missed: bool,
}

impl Probe {
    /// For n numbers.
    pub fn new(n: usize) -> Self {
        let unit = TRUST * (n as f64).sqrt();
        Self { unit, trust: unit, waiting: None, missed: false }
    }

    /// How far the model's minimum may lie from the best evaluation.
    pub fn trust(&self) -> f64 {
        self.trust
    }

    /// True if no candidate waits for its answer.
    pub fn free(&self) -> bool {
        self.waiting.is_none()
    }

    /// True if the last one was no better than what was known.
    pub fn missed(&self) -> bool {
        self.missed
    }

    /// The model's minimum has become this candidate.
    pub fn send(&mut self, which: Which, best: Cost) {
        self.waiting = Some((which, f64::NAN, best));
    }

    /// What the model says of a candidate, if that is the one.
    pub fn predict(&mut self, predicted: impl FnOnce(Which) -> Option<f64>) {
        if let Some((which, value, _)) = &mut self.waiting
            && let Some(predicted) = predicted(*which)
        {
            *value = predicted;
        }
    }

    /// Forgets the candidate unless somebody still waits for its answer.
    pub fn drop_unless(&mut self, asked: impl FnOnce(Which) -> bool) {
        self.waiting.take_if(|waiting| !asked(waiting.0));
    }

    /// Widens or narrows the trust by the answer of a candidate, if that is the one.
    pub fn judge(&mut self, which: Which, cost: Option<Cost>) {
        let Some((_, predicted, before)) = self.waiting.take_if(|p| p.0 == which) else { return };
        let better = cost.is_some_and(|cost| compare(cost, before).is_lt());
        let gained = match cost {
            Some(cost) if cost.0 == before.0 => (before.1 - cost.1) / (before.1 - predicted),
            _ => f64::from(u8::from(better)),
        };
        if gained > 0.5 {
            self.trust = (2.0 * self.trust).min(WIDEST * self.unit);
        } else if gained <= 0.1 || gained.is_nan() {
            self.trust = (0.5 * self.trust).max(NARROWEST * self.unit);
        }
        self.missed = !better;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_follows_what_was_gained() {
        let mut probe = Probe::new(4);
        let mut answer = |loss: f64| {
            probe.send((1, 0), (0.0, 10.0));
            probe.predict(|which| (which == (1, 0)).then_some(0.0));
            probe.judge((7, 0), Some((0.0, 1.0)));
            assert!(!probe.free());
            probe.judge((1, 0), Some((0.0, loss)));
            (probe.trust(), probe.missed())
        };
        // More than half of 10, less, next to nothing, worse.
        assert_eq!(
            [answer(4.0), answer(6.0), answer(9.5), answer(11.0)],
            [(4.0, false), (4.0, false), (2.0, false), (1.0, true)]
        );
        assert_eq!((answer(20.0).0, (0..9).map(|_| answer(0.0).0).last()), (1.0, Some(16.0)));
    }
}
