//! The weighted least-squares fit of the surrogate: better evaluations count more.

use super::quadratic::{Degree, Quadratic};
use super::whitening::Whitening;
use crate::cma::coding::Point;
use crate::cost::Cost;
use crowdtune_core::math::least_squares::LeastSquares;

/// The weight is halved at the height above the best loss that this share of the fitted evaluations stays below; at twice the
/// height it is a third, and so on. Differs from the source, which weighs by rank alone: where losses fall by orders of
/// magnitude, old evaluations from far above would drown the new ones. Chosen here: see docs/decisions.md.
const LOW: f64 = 0.25;
/// Weight of the best evaluation against 1 of the worst, falling linearly with rank. Hansen 2019, section 2.
const TOP_WEIGHT: f64 = 20.0;

/// Ridge as a share of the diagonal of the normal equations. Chosen here: far above rounding, far below the data.
const RIDGE: f64 = 1e-10;

/// Noise is even if the squared residuals of the better half of the evaluations sum up to more than this share of those of the
/// worse half. Chosen here: noise in proportion to the loss leaves far less.
const EVEN: f64 = 0.25;

/// One evaluation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The candidate.
    pub point: Point,
    /// Its cost.
    pub cost: Cost,
}

/// A fitted model.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Loss is low + range times its value.
    pub model: Quadratic,
    /// The lowest loss.
    pub low: f64,
    /// The highest loss less the lowest.
    pub range: f64,
    /// Height above the lowest loss at which the weight is halved.
    level: f64,
    /// The fitted losses, ascending.
    losses: Vec<f64>,
    /// True if the best of them is feasible.
    pub feasible: bool,
    /// True if better evaluations count more.
    ranked: bool,
    /// Standard deviation of the residuals where all evaluations count alike and noise is even; else 0.
    pub deviation: f64,
}

impl Fit {
    /// Fits a model of this degree to evaluations in order, the best first. Better ones count more if `ranked`. `None` if
    /// all losses are equal, or too far apart to compute with.
    pub fn new(
        degree: Degree,
        words: &[usize],
        order: &[&Evaluation],
        ranked: bool,
        normal: &mut LeastSquares,
    ) -> Option<Self> {
        let used = order.len();
        let losses = heights(order.iter().map(|k| k.cost))?;
        let (low, high) = (losses[0], losses.iter().fold(f64::MIN, |m, x| m.max(*x)));
        let range = high - low;
        if !(range > 0.0 && range.is_finite()) {
            return None;
        }
        let level = (losses[(LOW * (used - 1) as f64) as usize] - low).max(f64::MIN_POSITIVE);
        let heights = losses.iter().map(|loss| (loss - low) / level);
        let weights: Vec<f64> =
            heights.enumerate().map(|(i, h)| if ranked { weight(i, used) / (1.0 + h) } else { 1.0 }).collect();
        let points: Vec<&Point> = order.iter().map(|k| &k.point).collect();
        let whitening = Whitening::new(degree == Degree::Full, &points, &weights);
        let mut model = Quadratic { degree, whitening, words: words.to_vec(), terms: Vec::new() };
        let mut row = Vec::new();
        for ((point, weight), loss) in points.iter().zip(&weights).zip(&losses) {
            model.row(point, &mut row);
            normal.push(row.iter().map(|t| weight * t), weight * (loss - low) / range);
        }
        let feasible = order[0].cost.0 <= 0.0;
        if !normal.solve(RIDGE, &mut model.terms) {
            return None;
        }
        let mut fit = Self { model, low, range, level, losses, feasible, ranked, deviation: 0.0 };
        if !ranked {
            let mut values = Vec::with_capacity(used);
            fit.model.values(&points, &mut values);
            let gaps: Vec<f64> = values.iter().zip(&fit.losses).map(|(v, loss)| low + range * v - loss).collect();
            let square = |gaps: &[f64]| gaps.iter().map(|g| g * g).sum::<f64>();
            let (better, worse) = gaps.split_at(used / 2);
            if square(better) > EVEN * square(worse) {
                fit.deviation = (square(&gaps) / used.saturating_sub(fit.model.terms.len()).max(1) as f64).sqrt();
            }
        }
        Some(fit)
    }

    /// Appends further feasible evaluations. `losses` are those of all feasible ones, a share `best` of which is fitted. False
    /// if losses have become much smaller or larger: then the fit is spoiled, and a new one is due.
    pub fn append<'a>(
        &mut self,
        mut losses: Vec<f64>,
        best: f64,
        fresh: impl Iterator<Item = &'a Evaluation>,
        normal: &mut LeastSquares,
    ) -> bool {
        let at = (LOW * best * (losses.len() - 1) as f64) as usize;
        let level = *losses.select_nth_unstable_by(at, f64::total_cmp).1;
        let low = losses[..=at].iter().copied().fold(level, f64::min);
        // Weights are relative to `level`, which has moved: instead of weighing the old points less, the new one weighs more.
        let shrunk = self.level / (level - low);
        if self.ranked && !(shrunk > 0.25 && shrunk < 4.0) {
            return false;
        }
        let mut row = Vec::with_capacity(self.model.terms.len());
        for known in fresh {
            let height = (known.cost.1 - low).max(0.0) / self.level * shrunk;
            let rank = self.losses.partition_point(|l| *l < known.cost.1);
            if rank < self.losses.len() {
                let weight = if self.ranked { shrunk * weight(rank, self.losses.len()) / (1.0 + height) } else { 1.0 };
                self.model.row(&known.point, &mut row);
                row.iter_mut().for_each(|r| *r *= weight);
                normal.append(&mut row, weight * (known.cost.1 - self.low) / self.range);
            }
        }
        normal.solution(&mut self.model.terms);
        self.model.terms.iter().all(|t| t.is_finite())
    }
}

/// Weight by rank, 0 the best of `count`.
fn weight(rank: usize, count: usize) -> f64 {
    1.0 + (TOP_WEIGHT - 1.0) * (count - 1 - rank) as f64 / (count.max(2) - 1) as f64
}

/// Losses of sorted costs: those of feasible evaluations as they are, above them the infeasible ones by rank; without
/// any feasible one the violations. `None` if nothing is finite.
fn heights(costs: impl Iterator<Item = Cost> + Clone) -> Option<Vec<f64>> {
    let feasible: Vec<f64> = costs.clone().filter(|c| c.0 <= 0.0).map(|c| c.1).collect();
    let (Some(low), Some(high)) = (feasible.first(), feasible.last()) else {
        return Some(costs.map(|c| c.0).collect());
    };
    let range = high - low;
    let range = if range > 0.0 { range } else { 1.0 };
    let count = costs.clone().count();
    let all: Vec<f64> = (0..count)
        .map(|i| match feasible.get(i) {
            Some(loss) => *loss,
            None => high + range * (i + 1 - feasible.len()) as f64 / (count - feasible.len()) as f64,
        })
        .collect();
    all.iter().all(|x| x.is_finite()).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_by_hand() {
        assert_eq!((weight(0, 5), weight(2, 5), weight(4, 5)), (20.0, 10.5, 1.0));
    }

    #[test]
    fn infeasible_lies_above_and_huge_is_given_up() {
        let costs = [(0.0, 1.0), (0.0, 3.0), (0.1, -5.0), (9.0, -9.0)];
        assert_eq!(heights(costs.into_iter()).unwrap(), [1.0, 3.0, 4.0, 5.0]);
        assert_eq!(heights([(1.0, 0.0), (2.0, 0.0)].into_iter()).unwrap(), [1.0, 2.0]);
        assert!(heights([(0.0, -f64::MAX), (0.0, f64::MAX), (1.0, 0.0)].into_iter()).is_none());
    }
}
