//! A global linear or quadratic model of the loss, fitted to the latest evaluations.
//!
//! Hansen, A Global Surrogate Assisted CMA-ES, GECCO 2019, doi 10.1145/3321707.3321842. The model is linear, then quadratic
//! without mixed terms, then fully quadratic, each as soon as there are enough evaluations; the better an evaluation, the
//! more it counts. Choices enter as one linear term a word.

mod fit;
mod minimum;
mod quadratic;
mod whitening;

use crate::cma::coding::Point;
use crate::cost::{Cost, compare};
use crowdtune_core::math::least_squares::LeastSquares;
use fit::{Evaluation, Fit};
use quadratic::Degree;
use std::collections::VecDeque;

/// A model needs this many evaluations per term. Hansen 2019, section 2.
const ENOUGH: f64 = 1.1;
/// The same for noisy losses: with few evaluations a term the terms follow the noise. Chosen here: see docs/decisions.md.
const NOISY_ENOUGH: f64 = 4.0;
/// With more numbers than this mixed terms are left out: their number and the time of a fit grow with the square and the
/// sixth power. Chosen here: a fit of 861 terms takes a tenth of a second.
const MIXED: usize = 40;
/// The archive holds this many evaluations per term of the largest model. As in cma 4.5.0.
const ARCHIVE: usize = 2;
/// The same for noisy losses: many evaluations show what noise hides in one. Chosen here: see docs/decisions.md.
const NOISY_ARCHIVE: usize = 8;
/// Share of the archive, the best, that the model is fitted to. As in cma 4.5.0.
const BEST: f64 = 0.75;
/// The model is refitted once this many evaluations per term were appended. Chosen here: by then appending has cost about
/// as much as fitting.
const APPENDED: f64 = 0.25;

/// The archive and the model of it.
#[derive(Clone, Debug)]
pub struct Surrogate {
    n: usize,
    words: Vec<usize>,
    archive: VecDeque<Evaluation>,
    /// Archive size below which nothing is thrown away, for large populations.
    least: usize,
    largest: Degree,
    fit: Option<Fit>,
    /// Evaluations at the end of the archive that the fit does not know.
    waiting: usize,
    /// Evaluations that were appended to the fit since it was made.
    appended: usize,
    normal: LeastSquares,
    noisy: bool,
}

impl Surrogate {
    /// An empty model of n numbers and of choices with these numbers of words. The archive holds at least `lambda`
    /// evaluations.
    pub fn new(n: usize, words: Vec<usize>, lambda: usize) -> Self {
        Self {
            n,
            words,
            archive: VecDeque::new(),
            least: lambda,
            largest: Degree::Linear,
            fit: None,
            waiting: 0,
            appended: 0,
            normal: LeastSquares::default(),
            noisy: false,
        }
    }

    /// Losses are noisy from now on: more evaluations are kept, and where noise is as strong at high losses as at low ones,
    /// all evaluations count alike, because the best of them are just lucky.
    pub fn hear_noise(&mut self) {
        if !self.noisy {
            self.noisy = true;
            (self.fit, self.largest) = (None, Degree::Linear);
            self.grow();
            self.waiting = self.waiting.max(1);
        }
    }

    /// Standard deviation of the losses around the model; `None` unless losses are noisy, and equally so high and low.
    pub fn deviation(&mut self) -> Option<f64> {
        self.refit();
        self.fit.as_ref().map(|fit| fit.deviation).filter(|deviation| *deviation > 0.0)
    }

    /// Number of evaluations it holds.
    pub fn len(&self) -> usize {
        self.archive.len()
    }

    fn terms(&self, degree: Degree) -> usize {
        degree.terms(self.n) + self.words.iter().map(|w| w - 1).sum::<usize>()
    }

    /// Adds an evaluation, whoever asked for it. Failed ones have no cost and do not belong here.
    pub fn note(&mut self, point: Point, cost: Cost) {
        self.archive.push_back(Evaluation { point, cost });
        let most = self.least.max(if self.noisy { NOISY_ARCHIVE } else { ARCHIVE } * self.terms(self.top()));
        while self.archive.len() > most {
            self.archive.pop_front();
        }
        self.grow();
        self.waiting += 1;
    }

    /// The largest model that this many numbers allow.
    fn top(&self) -> Degree {
        if self.n > MIXED { Degree::Diagonal } else { Degree::Full }
    }

    /// Moves on to the largest model that there are enough evaluations for.
    fn grow(&mut self) {
        let enough = if self.noisy { NOISY_ENOUGH } else { ENOUGH };
        for degree in [Degree::Diagonal, Degree::Full] {
            if degree <= self.top() && self.archive.len() as f64 * BEST >= enough * self.terms(degree) as f64 {
                self.largest = self.largest.max(degree);
            }
        }
    }

    /// Predicted losses of points, which replace what is in `out`; false without a model.
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

    /// Brings the fit up to date with the evaluations since the last one: appends them if little has changed, else refits.
    fn refit(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting > 0 && !self.append(waiting) {
            self.fit = self.fitted();
            self.appended = 0;
        }
    }

    /// Appends the last evaluations to the fit, if that is cheaper than a new one and as good.
    fn append(&mut self, waiting: usize) -> bool {
        self.appended += waiting;
        let terms = self.terms(self.largest);
        let Some(fit) = self.fit.as_mut().filter(|fit| fit.feasible && fit.model.degree == self.largest) else {
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
        let mut order: Vec<&Evaluation> = self.archive.iter().rev().collect();
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

    /// The minimum of the model within the cube and within `trust` of the best evaluation, in standard deviations of the
    /// fitted points; `None` without a model or a slope.
    pub fn minimum(&mut self, trust: f64) -> Option<Point> {
        self.refit();
        let model = &self.fit.as_ref()?.model;
        let best = self.archive.iter().reduce(|b, k| if compare(k.cost, b.cost).is_lt() { k } else { b })?;
        let mut from = Vec::with_capacity(self.n);
        model.whitening.local(&best.point.x, &mut from);
        Some(Point { x: model.least(&from, trust)?, words: model.least_words() })
    }
}

/// Kendall's tau of costs and values; ties on both sides count half, ties on one side nothing.
fn kendall(pairs: &[(Cost, f64)]) -> f64 {
    if pairs.len() < 3 {
        return 0.0;
    }
    let mut sum = 0.0;
    for (i, a) in pairs.iter().enumerate() {
        for b in &pairs[..i] {
            let (x, y) = (compare(a.0, b.0) as i8, a.1.total_cmp(&b.1) as i8);
            sum += if x == 0 && y == 0 { 0.5 } else { f64::from(x * y) };
        }
    }
    sum * 2.0 / (pairs.len() * (pairs.len() - 1)) as f64
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
        assert_eq!(model.largest, Degree::Linear);
        assert!((value(&mut model, &at(&[0.1, 0.2, 0.3])) - 3.85).abs() < 1e-7);
        let least = model.minimum(9.0).unwrap();
        assert!(least.x[1] > 0.9, "{least:?}");
    }

    #[test]
    fn a_turned_bowl_is_met_exactly() {
        let bowl = |x: &[f64]| 1e4 * (x[0] + x[1] - 1.0).powi(2) + (x[0] - x[1] - 0.2).powi(2) + x[2] * x[2] - 7.0;
        let mut model = fed(3, 20, bowl);
        assert_eq!(model.largest, Degree::Full);
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

    #[test]
    fn kendalls_tau_by_hand() {
        let pair = |a: f64, b: f64| ((0.0, a), b);
        assert_eq!(kendall(&[pair(1.0, 1.0), pair(2.0, 3.0), pair(3.0, 2.0)]), 1.0 / 3.0);
        assert_eq!(kendall(&[pair(1.0, 1.0), pair(2.0, 3.0)]), 0.0);
    }
}
