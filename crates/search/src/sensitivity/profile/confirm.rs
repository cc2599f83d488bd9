//! Which points are claimed to be within the noise: those that fresh replicas confirm.
//!
//! The last point within the threshold was chosen because its loss came out low, among several and on few replicas; in truth it is often
//! worse than the threshold. And "not seen to be worse" is not "as good". So the claim is a test of equivalence (Schuirmann, J. Pharmacokinet.
//! Biopharm. 15, 657, 1987): the point runs on as many replicas again, and it is claimed if the interval of its difference to the best
//! over all of them ends within the threshold.

use super::side::Claim;
use super::{Answer, LEVEL, Profiles};
use crowdtune_core::math::stats;
use crowdtune_core::math::student::quantile_above;

/// A step back aims at this share of what can just be confirmed. Chosen here: the middle.
const AIM: f64 = 0.5;
/// The next value lies at least this share of the distance away from either end. Chosen here.
const MARGIN: f64 = 0.2;
/// A claim that grows, or ends, within this share of the distance is not worth a simulation. Chosen here.
const WORTH: f64 = 0.15;

impl Profiles {
    /// How much worse than the best a point may be to be confirmed, if its noise is the common one; `None` where nothing is to be confirmed.
    pub(super) fn mark(&self, threshold: f64, noise: Option<f64>) -> Option<f64> {
        let count = self.points.first()?.answer.as_ref()?.parts.len();
        Some(threshold - student(2 * count) * noise.filter(|_| self.drawn)? / std::f64::consts::SQRT_2)
    }

    /// What a side needs next, once its end was passed.
    pub(super) fn claim(&self, at: usize, threshold: f64, mark: f64) -> Claim {
        let side = &self.sides[at];
        let worse = |k: usize| self.worse(k);
        let state = side.state(threshold, &worse);
        if state.outside.is_none() && !side.ends(state.inside) || matches!(self.points[0].again, Some(None)) {
            return Claim::Done;
        }
        let (mut confirmed, mut candidate, mut refused) = (0.0, None, None);
        for (distance, point) in side.best(&worse) {
            let distance = distance.abs();
            let so_far = match self.points[point].again {
                Some(_) if self.confirmed(point) => {
                    (confirmed, candidate) = (distance, None);
                    continue;
                }
                Some(_) => self.twice(point).map_or(f64::INFINITY, |(worse, _)| worse.max(mark)),
                None if worse(point) <= mark && distance <= state.inside => {
                    candidate = Some((distance, point));
                    continue;
                }
                None => worse(point),
            };
            refused = refused.or(Some((distance, so_far)));
            if self.points[point].again.is_some() || distance > state.inside {
                break;
            }
        }
        match (candidate, refused) {
            (Some((distance, point)), _) if distance - confirmed > WORTH * distance => Claim::Again(point),
            (_, Some((below, worse))) if confirmed == 0.0 && below > WORTH * state.outside.unwrap_or(state.inside) => {
                // Where a parabola from the best through the refused value is low enough.
                let share = if worse.is_finite() { (AIM * mark / worse).sqrt() } else { AIM };
                Claim::Back { to: share.clamp(MARGIN, 1.0 - MARGIN) * below, below }
            }
            _ => Claim::Done,
        }
    }

    /// True if the interval of the difference between a point and the best, over the first and the fresh replicas, ends within the
    /// threshold. Its standard error is that of the point, but not below the common one: of few replicas some spread little by chance.
    pub(super) fn confirmed(&self, point: usize) -> bool {
        let (threshold, Some(noise)) = self.threshold() else { return false };
        self.twice(point).is_some_and(|(worse, parts)| {
            let error = stats::sd(&parts) / (parts.len() as f64).sqrt();
            worse + student(parts.len()) * error.max(noise / std::f64::consts::SQRT_2) <= threshold
        })
    }

    /// How much worse than the best a point is over the first and the fresh replicas, and in each of them; `None` if it, or the best, did not
    /// run on both.
    fn twice(&self, point: usize) -> Option<(f64, Vec<f64>)> {
        let both = |k: usize| -> Option<[&Answer; 2]> {
            let point = self.points.get(k)?;
            Some([point.answer.as_ref()?, point.again.as_ref()?.as_ref()?])
        };
        let (best, point) = (both(0)?, both(point)?);
        let same = best.iter().zip(&point).all(|(best, point)| best.parts.len() == point.parts.len());
        let pairs = || best.iter().zip(&point);
        let parts = pairs().flat_map(|(best, point)| point.parts.iter().zip(&best.parts).map(|(a, b)| a - b));
        let worse = pairs().map(|(best, point)| point.loss - best.loss).sum::<f64>() / 2.0;
        same.then(|| (worse, parts.collect()))
    }
}

/// Student's t of [`LEVEL`] for the mean of so many differences.
fn student(count: usize) -> f64 {
    let df = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX).clamp(1, 100_000);
    quantile_above((1.0 - LEVEL) / 2.0, df)
}
