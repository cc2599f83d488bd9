//! A global linear or quadratic model of the loss, fitted to the latest evaluations.
//!
//! Hansen, A Global Surrogate Assisted CMA-ES, GECCO 2019, doi 10.1145/3321707.3321842. The model is linear, then quadratic
//! without mixed terms, then fully quadratic, each as soon as there are enough evaluations; the better an evaluation, the
//! more it counts. Choices enter as one linear term a word.

use super::bounds::Point;
use super::{Cost, compare};
use crate::math::linear::{LeastSquares, cholesky, solve_transposed, solve_upper};
use std::collections::VecDeque;

/// A kind of model is used from so many times its number of terms on. Hansen 2019, section 2.
const ENOUGH: f64 = 1.1;
/// With more numbers than this mixed terms are left out: their number and the time of a fit grow with the square and the
/// sixth power. Chosen here: a fit of 861 terms takes a third of a second.
const MIXED: usize = 40;
/// The archive holds so many times the terms of the largest model. As in cma 4.5.0.
const ARCHIVE: usize = 2;
/// Share of the archive, the best, that the model is fitted to. As in cma 4.5.0.
const BEST: f64 = 0.75;
/// Weight of the best evaluation against 1 of the worst, falling linearly with rank. Hansen 2019, section 2.
const TOP_WEIGHT: f64 = 20.0;
/// The evaluation at this share of the fitted ones, the best first, lies at the height above the best at which the weight is
/// halved; twice as high it is a third, and so on. Differs from the source, which weighs by rank alone: where losses
/// fall by orders of magnitude, old evaluations from far up would drown what the new ones say. Chosen here: see
/// docs/optimizers.md.
const LOW: f64 = 0.25;
/// Models with so many terms take in new evaluations by appending. Chosen here: below, a new fit costs no more.
const APPEND: usize = 30;
/// So many evaluations are appended, times the number of terms, until the model is fitted anew. Chosen here: appending
/// then costs about as much as fitting.
const APPENDED: f64 = 0.25;
/// Ridge as a share of the diagonal of the normal equations. Chosen here: far above rounding, far below the data.
const RIDGE: f64 = 1e-10;

/// Which terms a model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Linear,
    Diagonal,
    Full,
}

impl Kind {
    /// Number of terms for n numbers, without those of choices.
    fn terms(self, n: usize) -> usize {
        match self {
            Self::Linear => n + 1,
            Self::Diagonal => 2 * n + 1,
            Self::Full => (n + 1) * (n + 2) / 2,
        }
    }
}

/// One evaluation.
#[derive(Clone, Debug)]
struct Known {
    point: Point,
    cost: Cost,
}

/// A fitted model.
#[derive(Clone, Debug)]
struct Fit {
    kind: Kind,
    center: Vec<f64>,
    scale: Vec<f64>,
    /// Upper triangular R; u solves R^T u = (x - center) / scale. Empty for the identity.
    shape: Vec<f64>,
    terms: Vec<f64>,
    /// Loss is low + range times the model.
    low: f64,
    range: f64,
    /// Height above the lowest loss at which an evaluation counts half.
    level: f64,
    /// Losses that were fitted, ascending.
    losses: Vec<f64>,
    /// True if the best of them is feasible.
    feasible: bool,
}

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
        }
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
        let top = if self.n > MIXED { Kind::Diagonal } else { Kind::Full };
        let most = self.least.max(ARCHIVE * self.terms(top));
        while self.archive.len() > most {
            self.archive.pop_front();
        }
        for kind in [Kind::Diagonal, Kind::Full] {
            if kind <= top && self.archive.len() as f64 * BEST >= ENOUGH * self.terms(kind) as f64 {
                self.largest = self.largest.max(kind);
            }
        }
        self.waiting += 1;
    }

    /// What the model says, in units of the loss; `None` without a model.
    pub fn predict(&mut self, point: &Point) -> Option<f64> {
        self.refit();
        self.fit.as_ref().map(|fit| fit.value(point, &self.words))
    }

    /// Kendall's rank correlation between the last `count` evaluations and the model; 0 without a model.
    pub fn tau(&mut self, count: usize) -> f64 {
        self.refit();
        let Some(fit) = &self.fit else { return 0.0 };
        let last = self.archive.iter().rev().take(count);
        let pairs: Vec<(Cost, f64)> = last.map(|k| (k.cost, fit.value(&k.point, &self.words))).collect();
        kendall(&pairs)
    }

    /// Takes in the evaluations that came since the last fit: one by one if little has changed, else by fitting anew.
    fn refit(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting == 0 {
            return;
        }
        if !self.append(waiting) {
            self.fit = self.fitted(self.largest);
            self.appended = 0;
        }
    }

    /// Appends the last evaluations to the fit, if that is worth it and as good as a new one.
    fn append(&mut self, waiting: usize) -> bool {
        self.appended += waiting;
        let terms = self.terms(self.largest);
        let Some(fit) = self.fit.as_mut().filter(|fit| fit.feasible && fit.kind == self.largest) else { return false };
        let fresh = self.archive.range(self.archive.len().saturating_sub(waiting)..);
        if terms < APPEND as f64 as usize
            || self.appended as f64 > APPENDED * terms as f64
            || fresh.clone().any(|k| k.cost.0 > 0.0)
        {
            return false;
        }
        let mut losses: Vec<f64> = self.archive.iter().filter(|k| k.cost.0 <= 0.0).map(|k| k.cost.1).collect();
        let at = (LOW * BEST * (losses.len() - 1) as f64) as usize;
        let level = *losses.select_nth_unstable_by(at, f64::total_cmp).1;
        let best = losses[..=at].iter().copied().fold(level, f64::min);
        // What weights are relative to has shrunk or grown; a new point counts as much more as the old ones would less.
        let shrunk = fit.level / (level - best);
        if !(shrunk > 0.25 && shrunk < 4.0) {
            return false;
        }
        for known in fresh {
            let height = known.cost.1 - best;
            let rank = fit.losses.partition_point(|l| *l < known.cost.1);
            if rank >= fit.losses.len() {
                continue;
            }
            let weight = shrunk * weight(rank, fit.losses.len()) / (1.0 + height.max(0.0) / fit.level * shrunk);
            let mut row = fit.row(&known.point, &self.words);
            row.iter_mut().for_each(|r| *r *= weight);
            self.normal.append(&mut row, weight * (known.cost.1 - fit.low) / fit.range, &mut fit.terms);
        }
        fit.terms.iter().all(|t| t.is_finite())
    }

    fn fitted(&mut self, kind: Kind) -> Option<Fit> {
        let size = self.archive.len();
        if size < 3 {
            return None;
        }
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by(|&a, &b| compare(self.archive[a].cost, self.archive[b].cost).then(b.cmp(&a)));
        let used = size.min((self.terms(kind) + 2).max((BEST * (size + 1) as f64) as usize));
        order.truncate(used);
        let losses = heights(order.iter().map(|&i| self.archive[i].cost))?;
        let (low, high) = (losses[0], losses.iter().fold(f64::MIN, |m, x| m.max(*x)));
        let range = high - low;
        if !(range > 0.0 && range.is_finite()) {
            return None;
        }
        let level = (losses[(LOW * (used - 1) as f64) as usize] - low).max(f64::MIN_POSITIVE);
        let heights = losses.iter().map(|loss| (loss - low) / level);
        let weights: Vec<f64> = heights.enumerate().map(|(i, h)| weight(i, used) / (1.0 + h)).collect();
        let points: Vec<&Point> = order.iter().map(|&i| &self.archive[i].point).collect();
        let mut fit = frame(kind, &points, &weights);
        self.normal.start(kind.terms(self.n) + self.words.iter().map(|w| w - 1).sum::<usize>());
        for ((point, weight), loss) in points.iter().zip(&weights).zip(&losses) {
            let row = fit.row(point, &self.words);
            self.normal.push(row.iter().map(|t| weight * t), weight * (loss - low) / range);
        }
        fit.terms = self.normal.solve(RIDGE)?;
        (fit.low, fit.range, fit.level) = (low, range, level);
        fit.feasible = self.archive[order[0]].cost.0 <= 0.0;
        fit.losses = losses;
        Some(fit)
    }

    /// Where the model is least within the cube and no farther than `trust` from the best evaluation, in units of the
    /// deviation of the fitted points; `None` without a model.
    pub fn minimum(&mut self, trust: f64) -> Option<Point> {
        self.refit();
        let fit = self.fit.as_ref()?;
        let best = self.archive.iter().reduce(|b, k| if compare(k.cost, b.cost).is_lt() { k } else { b })?;
        let x = fit.least(self.n, &fit.local(&best.point.x), trust)?;
        let mut at = fit.kind.terms(self.n);
        let mut words = Vec::with_capacity(self.words.len());
        for count in &self.words {
            let of = |w: usize| if w == 0 { 0.0 } else { fit.terms[at + w - 1] };
            words.push((0..*count).fold(0, |b, w| if of(w) < of(b) { w } else { b }));
            at += count - 1;
        }
        Some(Point { x, words })
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

/// The terms of a model at u: 1, u, squares, products.
fn expand(kind: Kind, u: &[f64], row: &mut Vec<f64>) {
    row.push(1.0);
    row.extend_from_slice(u);
    if kind >= Kind::Diagonal {
        row.extend(u.iter().map(|u| u * u));
    }
    if kind == Kind::Full {
        for (i, a) in u.iter().enumerate() {
            row.extend(u[..i].iter().map(|b| a * b));
        }
    }
}

/// Coordinates in which the weighted points have mean 0 and deviation 1, for the full model without correlation too.
fn frame(kind: Kind, points: &[&Point], weights: &[f64]) -> Fit {
    let n = points[0].x.len();
    let total: f64 = weights.iter().sum();
    let mut center = vec![0.0; n];
    for (point, w) in points.iter().zip(weights) {
        center.iter_mut().zip(&point.x).for_each(|(c, x)| *c += w / total * x);
    }
    let mut scale = vec![0.0; n];
    for (point, w) in points.iter().zip(weights) {
        for ((s, x), c) in scale.iter_mut().zip(&point.x).zip(&center) {
            *s += w / total * (x - c) * (x - c);
        }
    }
    scale.iter_mut().for_each(|s| *s = if *s > 0.0 { s.sqrt() } else { 1.0 });
    let mut shape = Vec::new();
    if kind == Kind::Full {
        shape = vec![0.0; n * n];
        for (point, w) in points.iter().zip(weights) {
            let s: Vec<f64> = (0..n).map(|i| (point.x[i] - center[i]) / scale[i]).collect();
            for i in 0..n {
                let factor = w / total * s[i];
                shape[i * n..(i + 1) * n].iter_mut().zip(&s).for_each(|(c, s)| *c += factor * s);
            }
        }
        (0..n).for_each(|i| shape[i * n + i] += 1e-13);
        if !cholesky(n, &mut shape) {
            shape.clear();
        }
    }
    Fit {
        kind,
        center,
        scale,
        shape,
        terms: Vec::new(),
        low: 0.0,
        range: 1.0,
        level: 1.0,
        losses: Vec::new(),
        feasible: false,
    }
}

impl Fit {
    /// x in the model's coordinates.
    fn local(&self, x: &[f64]) -> Vec<f64> {
        let mut u: Vec<f64> = x.iter().zip(&self.center).zip(&self.scale).map(|((x, c), s)| (x - c) / s).collect();
        if !self.shape.is_empty() {
            solve_transposed(u.len(), &self.shape, &mut u);
        }
        u
    }

    /// The terms at a point.
    fn row(&self, point: &Point, words: &[usize]) -> Vec<f64> {
        let mut row = Vec::with_capacity(self.terms.len());
        expand(self.kind, &self.local(&point.x), &mut row);
        for (count, word) in words.iter().zip(&point.words) {
            row.extend((1..*count).map(|w| if w == *word { 1.0 } else { 0.0 }));
        }
        row
    }

    fn value(&self, point: &Point, words: &[usize]) -> f64 {
        self.low + self.range * self.row(point, words).iter().zip(&self.terms).map(|(r, t)| r * t).sum::<f64>()
    }

    /// Second derivatives in u.
    fn hessian(&self, n: usize) -> Vec<f64> {
        let mut h = vec![0.0; n * n];
        if self.kind >= Kind::Diagonal {
            (0..n).for_each(|i| h[i * n + i] = 2.0 * self.terms[1 + n + i]);
        }
        if self.kind == Kind::Full {
            let mut at = 2 * n + 1;
            for i in 0..n {
                for j in 0..i {
                    (h[i * n + j], h[j * n + i]) = (self.terms[at], self.terms[at]);
                    at += 1;
                }
            }
        }
        h
    }

    /// The minimum within a ball, by a shift of the Hessian as in trust-region methods (More, Sorensen, SIAM J. Sci. Stat.
    /// Comput. 4, 553, 1983, in a coarse form), then within the cube, where coordinates that would leave it are fixed at
    /// its faces one round after another.
    fn least(&self, n: usize, from: &[f64], most: f64) -> Option<Vec<f64>> {
        let h = self.hessian(n);
        let mut g = self.terms[1..=n].to_vec();
        for (row, from) in h.chunks_exact(n.max(1)).zip(from) {
            g.iter_mut().zip(row).for_each(|(g, h)| *g += h * from);
        }
        let slope = g.iter().map(|g| g * g).sum::<f64>().sqrt();
        if n == 0 || !(most > 0.0 && slope > 0.0) {
            return None;
        }
        let largest = h.iter().fold(slope / most, |m, x| m.max(x.abs()));
        let mut shift = 0.0;
        for _ in 0..60 {
            let mut r = h.clone();
            (0..n).for_each(|i| r[i * n + i] += shift);
            if cholesky(n, &mut r) {
                let mut d: Vec<f64> = g.iter().map(|g| -g).collect();
                solve_transposed(n, &r, &mut d);
                solve_upper(n, &r, &mut d);
                let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
                if length <= 1.01 * most {
                    d.iter_mut().zip(from).for_each(|(d, f)| *d += f);
                    let x = self.global(&d);
                    let inside = x.iter().all(|x| (0.0..=1.0).contains(x));
                    return if inside { Some(x) } else { self.boxed(n, &h, shift, from) };
                }
            }
            shift = if shift == 0.0 { (slope / most).min(1e-4 * largest) } else { shift * 1.5 };
        }
        None
    }

    /// u in the coordinates of the search.
    fn global(&self, u: &[f64]) -> Vec<f64> {
        let n = u.len();
        let mut s = u.to_vec();
        if !self.shape.is_empty() {
            // s = R^T u
            for i in (0..n).rev() {
                s[i] = (0..=i).map(|k| self.shape[k * n + i] * u[k]).sum();
            }
        }
        s.iter().zip(&self.center).zip(&self.scale).map(|((s, c), d)| c + d * s).collect()
    }

    /// The minimum of the shifted model in the cube.
    fn boxed(&self, n: usize, h: &[f64], shift: f64, from: &[f64]) -> Option<Vec<f64>> {
        // The same model in s = (x - center) / scale: gradient R^-1 (g - shift from), Hessian R^-1 (H + shift) R^-T.
        let mut g: Vec<f64> = self.terms[1..=n].iter().zip(from).map(|(g, f)| g - shift * f).collect();
        let mut m = h.to_vec();
        (0..n).for_each(|i| m[i * n + i] += shift);
        if !self.shape.is_empty() {
            solve_upper(n, &self.shape, &mut g);
            for row in m.chunks_exact_mut(n) {
                solve_upper(n, &self.shape, row);
            }
            let mut t: Vec<f64> = (0..n * n).map(|k| m[k % n * n + k / n]).collect();
            for row in t.chunks_exact_mut(n) {
                solve_upper(n, &self.shape, row);
            }
            m = t;
        }
        let bound = |i: usize, x: f64| (x - self.center[i]) / self.scale[i];
        let mut s = vec![0.0; n];
        let mut fixed = vec![false; n];
        for _ in 0..=n {
            let free: Vec<usize> = (0..n).filter(|i| !fixed[*i]).collect();
            let k = free.len();
            let mut r: Vec<f64> =
                free.iter().flat_map(|i| free.iter().map(|j| m[i * n + j]).collect::<Vec<_>>()).collect();
            let held = |i: usize| (0..n).filter(|j| fixed[*j]).map(|j| m[i * n + j] * s[j]).sum::<f64>();
            let mut b: Vec<f64> = free.iter().map(|&i| -g[i] - held(i)).collect();
            if !cholesky(k, &mut r) {
                return None;
            }
            solve_transposed(k, &r, &mut b);
            solve_upper(k, &r, &mut b);
            let mut left = false;
            for (i, value) in free.iter().zip(&b) {
                let (low, high) = (bound(*i, 0.0), bound(*i, 1.0));
                s[*i] = value.clamp(low, high);
                if *value < low || *value > high {
                    fixed[*i] = true;
                    left = true;
                }
            }
            if !left {
                break;
            }
        }
        let x = |(i, s): (usize, &f64)| (self.center[i] + self.scale[i] * s).clamp(0.0, 1.0);
        Some(s.iter().enumerate().map(x).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::{Seed, unit};

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

    #[test]
    fn a_plane_is_met_exactly_and_left_at_a_corner() {
        let mut model = fed(3, 6, |x| 4.0 + x[0] - 2.0 * x[1] + 0.5 * x[2]);
        assert_eq!(model.largest, Kind::Linear);
        assert!((model.predict(&at(&[0.1, 0.2, 0.3])).unwrap() - 3.85).abs() < 1e-7);
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
        assert!((model.predict(&least).unwrap() + 7.0).abs() < 1e-5);
        assert!((model.tau(15) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_minimum_outside_is_sought_on_the_face() {
        // Least at (1.4, 0.5) without bounds; on the face x0 = 1 the mixed term moves x1 to 0.5 + 0.2.
        let mut model = fed(2, 14, |x| (x[0] - 1.4).powi(2) + (x[1] - 0.5).powi(2) + (x[0] - 1.4) * (x[1] - 0.5));
        let least = model.minimum(9.0).unwrap();
        assert!((least.x[0] - 1.0).abs() < 1e-9 && (least.x[1] - 0.7).abs() < 1e-5, "{least:?}");
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
    fn ranks_by_hand() {
        let pair = |a: f64, b: f64| ((0.0, a), b);
        assert_eq!(kendall(&[pair(1.0, 1.0), pair(2.0, 3.0), pair(3.0, 2.0)]), 1.0 / 3.0);
        assert_eq!(kendall(&[pair(1.0, 1.0), pair(2.0, 3.0)]), 0.0);
    }

    #[test]
    fn infeasible_lies_above_and_huge_is_given_up() {
        let costs = [(0.0, 1.0), (0.0, 3.0), (0.1, -5.0), (9.0, -9.0)];
        assert_eq!(heights(costs.into_iter()).unwrap(), [1.0, 3.0, 4.0, 5.0]);
        assert_eq!(heights([(1.0, 0.0), (2.0, 0.0)].into_iter()).unwrap(), [1.0, 2.0]);
        assert!(heights([(0.0, -f64::MAX), (0.0, f64::MAX), (1.0, 0.0)].into_iter()).is_none());
        assert!(fed(2, 20, |_| 1.0).minimum(9.0).is_none());
    }
}
