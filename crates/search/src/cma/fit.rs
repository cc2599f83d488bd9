//! A model fitted to evaluations, the better ones counting more.

use super::Cost;
use super::bounds::Point;
use super::frame::Frame;
use super::quadratic::{Kind, Quadratic};
use super::ranks::{heights, weight};
use crowdtune_core::math::least_squares::LeastSquares;

/// The evaluation at this share of the fitted ones, the best first, lies at the height above the best at which the weight is
/// halved; twice as high it is a third, and so on. Differs from the source, which weighs by rank alone: where losses
/// fall by orders of magnitude, old evaluations from far up would drown what the new ones say. Chosen here: see
/// docs/optimizers.md.
const LOW: f64 = 0.25;
/// Ridge as a share of the diagonal of the normal equations. Chosen here: far above rounding, far below the data.
const RIDGE: f64 = 1e-10;

/// Noise is even if the better half of the evaluations has more than this share of the squared gaps of the worse one. Chosen
/// here: noise in proportion to the loss leaves far less.
const EVEN: f64 = 0.25;

/// One evaluation.
#[derive(Clone, Debug)]
pub struct Known {
    /// Where.
    pub point: Point,
    /// What it cost.
    pub cost: Cost,
}

/// A fitted model.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Loss is low + range times its value.
    pub model: Quadratic,
    /// The lowest loss.
    pub low: f64,
    /// From there to the highest.
    pub range: f64,
    /// Height above the lowest loss at which an evaluation counts half.
    level: f64,
    /// Losses that were fitted, ascending.
    losses: Vec<f64>,
    /// True if the best of them is feasible.
    pub feasible: bool,
    /// True if better evaluations count more.
    ranked: bool,
    /// Standard deviation of the losses around the model, where all count alike and it is the same high and low; else 0.
    pub deviation: f64,
}

impl Fit {
    /// The model of this kind of evaluations, the best first, which count more if `ranked`; `None` if their losses are equal or too
    /// far apart to compute with.
    pub fn new(kind: Kind, words: &[usize], order: &[&Known], ranked: bool, normal: &mut LeastSquares) -> Option<Self> {
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
        let frame = Frame::new(kind == Kind::Full, &points, &weights);
        let mut model = Quadratic { kind, frame, words: words.to_vec(), terms: Vec::new() };
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

    /// Takes in further feasible evaluations. `losses` are all feasible ones, of which a share `best` is fitted. False, with
    /// the fit spoiled, if a new one is due because losses have become much smaller or larger.
    pub fn append<'a>(
        &mut self,
        mut losses: Vec<f64>,
        best: f64,
        fresh: impl Iterator<Item = &'a Known>,
        normal: &mut LeastSquares,
    ) -> bool {
        let at = (LOW * best * (losses.len() - 1) as f64) as usize;
        let level = *losses.select_nth_unstable_by(at, f64::total_cmp).1;
        let low = losses[..=at].iter().copied().fold(level, f64::min);
        // What weights are relative to has shrunk or grown; a new point counts as much more as the old ones would less.
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
