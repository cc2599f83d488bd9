//! A global linear or quadratic model of the loss, fitted to the latest evaluations.
//!
//! Hansen, A Global Surrogate Assisted CMA-ES, GECCO 2019, doi 10.1145/3321707.3321842. The model is linear, then quadratic
//! without mixed terms, then fully quadratic, each as soon as there are enough evaluations; the better an evaluation, the
//! more it counts. Choices enter as one linear term a word.

use super::bounds::Point;
use super::fit::{Fit, Known};
use super::quadratic::Kind;
use super::ranks::kendall;
use super::{Cost, compare};
use crowdtune_core::math::least_squares::LeastSquares;
use std::collections::VecDeque;

/// A kind of model is used from so many times its number of terms on. Hansen 2019, section 2.
const ENOUGH: f64 = 1.1;
/// The same where losses are noisy: with few evaluations a term the terms follow the noise. Chosen here: see docs/optimizers.md.
const NOISY_ENOUGH: f64 = 4.0;
/// With more numbers than this mixed terms are left out: their number and the time of a fit grow with the square and the
/// sixth power. Chosen here: a fit of 861 terms takes a tenth of a second.
const MIXED: usize = 40;
/// The archive holds so many times the terms of the largest model. As in cma 4.5.0.
const ARCHIVE: usize = 2;
/// The same where losses are noisy: what one evaluation hides many show together. Chosen here: see docs/optimizers.md.
const NOISY_ARCHIVE: usize = 8;
/// Share of the archive, the best, that the model is fitted to. As in cma 4.5.0.
const BEST: f64 = 0.75;
/// So many evaluations are appended, times the number of terms, until the model is fitted anew. Chosen here: appending
/// then costs about as much as fitting.
const APPENDED: f64 = 0.25;

/// The archive and the model of it.
#[derive(Clone, Debug)]
pub struct Surrogate {
    n: usize,
    words: Vec<usize>,
    archive: VecDeque<Known>,
    /// Archive size below which nothing is thrown away, for large populations.
    least: usize,
    largest: Kind,
    fit: Option<Fit>,
    /// Evaluations at the end of the archive that the fit does not know.
    waiting: usize,
    /// Evaluations that were appended to the fit since it was made.
    appended: usize,
    normal: LeastSquares,
    noisy: bool,
}

impl Surrogate {
    /// An empty model for n numbers and choices of so many words, whose archive holds one population of `lambda` at least.
    pub fn new(n: usize, words: Vec<usize>, lambda: usize) -> Self {
        Self {
            n,
            words,
            archive: VecDeque::new(),
            least: lambda,
            largest: Kind::Linear,
            fit: None,
            waiting: 0,
            appended: 0,
            normal: LeastSquares::default(),
            noisy: false,
        }
    }

    /// Losses are noisy from now on: more evaluations are kept, and where noise is the same high and low all fitted ones count
    /// alike, since the best of them are lucky.
    pub fn hear_noise(&mut self) {
        if !self.noisy {
            self.noisy = true;
            (self.fit, self.largest) = (None, Kind::Linear);
            self.grow();
            self.waiting = self.waiting.max(1);
        }
    }

    /// Standard deviation of the losses around the model, where they are known to be noisy and as much so high as low.
    pub fn deviation(&mut self) -> Option<f64> {
        self.refit();
        self.fit.as_ref().map(|fit| fit.deviation).filter(|deviation| *deviation > 0.0)
    }

    /// Number of evaluations it holds.
    pub fn len(&self) -> usize {
        self.archive.len()
    }

    fn terms(&self, kind: Kind) -> usize {
        kind.terms(self.n) + self.words.iter().map(|w| w - 1).sum::<usize>()
    }

    /// Takes in an evaluation, whoever asked for it; failed ones have no cost and do not belong here.
    pub fn note(&mut self, point: Point, cost: Cost) {
        self.archive.push_back(Known { point, cost });
        let most = self.least.max(if self.noisy { NOISY_ARCHIVE } else { ARCHIVE } * self.terms(self.top()));
        while self.archive.len() > most {
            self.archive.pop_front();
        }
        self.grow();
        self.waiting += 1;
    }

    /// The largest kind of model for so many numbers.
    fn top(&self) -> Kind {
        if self.n > MIXED { Kind::Diagonal } else { Kind::Full }
    }

    /// Takes the largest kind of model that there are enough evaluations for.
    fn grow(&mut self) {
        let enough = if self.noisy { NOISY_ENOUGH } else { ENOUGH };
        for kind in [Kind::Diagonal, Kind::Full] {
            if kind <= self.top() && self.archive.len() as f64 * BEST >= enough * self.terms(kind) as f64 {
                self.largest = self.largest.max(kind);
            }
        }
    }

    /// What the model says of points, in units of the loss, in place of what is in `out`; false without a model.
    pub fn values(&mut self, points: &[&Point], out: &mut Vec<f64>) -> bool {
        self.refit();
        out.clear();
        let Some(fit) = &self.fit else { return false };
        fit.model.values(points, out);
        out.iter_mut().for_each(|value| *value = fit.low + fit.range * *value);
        true
    }

    /// Kendall's rank correlation between the last `count` evaluations and the model; 0 without a model.
    pub fn tau(&mut self, count: usize) -> f64 {
        self.refit();
        let Some(fit) = &self.fit else { return 0.0 };
        let last = || self.archive.iter().rev().take(count);
        let mut values = Vec::with_capacity(count);
        fit.model.values(&last().map(|k| &k.point).collect::<Vec<_>>(), &mut values);
        let pairs: Vec<(Cost, f64)> = last().zip(values).map(|(k, v)| (k.cost, v)).collect();
        kendall(&pairs)
    }

    /// Takes in the evaluations that came since the last fit: one by one if little has changed, else by fitting anew.
    fn refit(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting > 0 && !self.append(waiting) {
            self.fit = self.fitted();
            self.appended = 0;
        }
    }

    /// Appends the last evaluations to the fit, if that is worth it and as good as a new one.
    fn append(&mut self, waiting: usize) -> bool {
        self.appended += waiting;
        let terms = self.terms(self.largest);
        let Some(fit) = self.fit.as_mut().filter(|fit| fit.feasible && fit.model.kind == self.largest) else {
            return false;
        };
        let fresh = self.archive.range(self.archive.len().saturating_sub(waiting)..);
        if self.appended as f64 > APPENDED * terms as f64 || fresh.clone().any(|k| k.cost.0 > 0.0) {
            return false;
        }
        let losses = self.archive.iter().filter(|k| k.cost.0 <= 0.0).map(|k| k.cost.1).collect();
        fit.append(losses, BEST, fresh, &mut self.normal)
    }

    /// The best of the archive, fitted.
    fn fitted(&mut self) -> Option<Fit> {
        let size = self.archive.len();
        if size < 3 {
            return None;
        }
        let terms = self.terms(self.largest);
        let mut order: Vec<&Known> = self.archive.iter().rev().collect();
        order.sort_by(|a, b| compare(a.cost, b.cost));
        order.truncate(size.min((terms + 2).max((BEST * (size + 1) as f64) as usize)));
        if self.noisy {
            self.normal.start(terms);
            let even = Fit::new(self.largest, &self.words, &order, false, &mut self.normal);
            if let Some(fit) = even.filter(|fit| fit.deviation > 0.0) {
                return Some(fit);
            }
        }
        self.normal.start(terms);
        Fit::new(self.largest, &self.words, &order, true, &mut self.normal)
    }

    /// Where the model is least within the cube and no farther than `trust` from the best evaluation, in units of the
    /// deviation of the fitted points; `None` without a model.
    pub fn minimum(&mut self, trust: f64) -> Option<Point> {
        self.refit();
        let model = &self.fit.as_ref()?.model;
        let best = self.archive.iter().reduce(|b, k| if compare(k.cost, b.cost).is_lt() { k } else { b })?;
        let mut from = Vec::with_capacity(self.n);
        model.frame.local(&best.point.x, &mut from);
        Some(Point { x: model.least(&from, trust)?, words: model.least_words() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::rng::{Seed, unit};

    fn fed(n: usize, count: usize, f: impl Fn(&[f64]) -> f64) -> Surrogate {
        let mut model = Surrogate::new(n, Vec::new(), 6);
        let mut rng = Seed(1).rng();
        for _ in 0..count {
            let x: Vec<f64> = (0..n).map(|_| unit(&mut rng)).collect();
            let loss = f(&x);
            model.note(Point { x, words: Vec::new() }, (0.0, loss));
        }
        model
    }

    fn at(x: &[f64]) -> Point {
        Point { x: x.to_vec(), words: Vec::new() }
    }

    fn value(model: &mut Surrogate, point: &Point) -> f64 {
        let mut values = Vec::new();
        assert!(model.values(&[point], &mut values));
        values[0]
    }

    #[test]
    fn a_plane_is_met_exactly_and_left_at_a_corner() {
        let mut model = fed(3, 6, |x| 4.0 + x[0] - 2.0 * x[1] + 0.5 * x[2]);
        assert_eq!(model.largest, Kind::Linear);
        assert!((value(&mut model, &at(&[0.1, 0.2, 0.3])) - 3.85).abs() < 1e-7);
        let least = model.minimum(9.0).unwrap();
        assert!(least.x[1] > 0.9, "{least:?}");
    }

    #[test]
    fn a_turned_bowl_is_met_exactly() {
        let bowl = |x: &[f64]| 1e4 * (x[0] + x[1] - 1.0).powi(2) + (x[0] - x[1] - 0.2).powi(2) + x[2] * x[2] - 7.0;
        let mut model = fed(3, 20, bowl);
        assert_eq!(model.largest, Kind::Full);
        let least = model.minimum(9.0).unwrap();
        for (x, truth) in least.x.iter().zip([0.6, 0.4, 0.0]) {
            assert!((x - truth).abs() < 1e-5, "{least:?}");
        }
        assert!((value(&mut model, &least) + 7.0).abs() < 1e-5);
        assert!((model.tau(15) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn words_have_their_own_terms() {
        let mut model = Surrogate::new(1, vec![3], 6);
        let mut rng = Seed(3).rng();
        for i in 0..12 {
            let x = unit(&mut rng);
            model.note(Point { x: vec![x], words: vec![i % 3] }, (0.0, (x - 0.3).powi(2) + [2.0, 0.5, 1.0][i % 3]));
        }
        let least = model.minimum(9.0).unwrap();
        assert_eq!(least.words, [1]);
        assert!((least.x[0] - 0.3).abs() < 1e-5);
    }

    #[test]
    fn equal_losses_have_no_minimum() {
        assert!(fed(2, 20, |_| 1.0).minimum(9.0).is_none());
    }

    #[test]
    fn appended_evaluations_count_like_fitted_ones() {
        // 45 terms of 8 numbers; the last 8 evaluations come one by one after a fit.
        let bowl = |x: &[f64]| x.iter().enumerate().map(|(i, x)| (1.0 + i as f64) * (x - 0.4) * (x - 0.4)).sum::<f64>();
        let mut model = fed(8, 70, bowl);
        let mut rng = Seed(2).rng();
        for _ in 0..8 {
            assert!(model.tau(15) > 0.9);
            let x: Vec<f64> = (0..8).map(|_| unit(&mut rng)).collect();
            model.note(at(&x), (0.0, bowl(&x) + 0.01 * (x[0] * 40.0).sin()));
        }
        let center = at(&[0.4; 8]);
        let appended = value(&mut model, &center);
        assert!(model.appended == 8 && model.fit.is_some());
        model.fit = None;
        model.waiting = 1;
        let fitted = value(&mut model, &center);
        assert!((appended - fitted).abs() < 0.02, "{appended} {fitted}");
    }
}
