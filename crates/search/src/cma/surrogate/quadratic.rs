//! The model: a linear or quadratic function of the numbers, with one more linear term for each word of a choice.

use super::whitening::Whitening;
use crate::cma::coding::Point;
use crowdtune_core::math::lanes::{Kernel, Lanes, run};

/// Which terms a model has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degree {
    /// No squares.
    #[default]
    Linear,
    /// Squares, but no products of two numbers.
    Diagonal,
    /// All squares and products.
    Full,
}

impl Degree {
    /// Number of terms for n numbers, without those of choices.
    pub fn terms(self, n: usize) -> usize {
        match self {
            Self::Linear => n + 1,
            Self::Diagonal => 2 * n + 1,
            Self::Full => (n + 1) * (n + 2) / 2,
        }
    }
}

/// The model.
#[derive(Clone, Debug, Default)]
pub struct Quadratic {
    /// Which terms it has.
    pub degree: Degree,
    /// Its coordinates.
    pub whitening: Whitening,
    /// Number of words of each choice.
    pub words: Vec<usize>,
    /// Factors of 1, u, squares, products, then of each word but the first of every choice.
    pub terms: Vec<f64>,
}

impl Quadratic {
    /// Writes what the terms are multiplied by at a point to `row`.
    pub fn row(&self, point: &Point, row: &mut Vec<f64>) {
        let mut u = Vec::with_capacity(point.x.len());
        self.whitening.local(&point.x, &mut u);
        row.clear();
        row.push(1.0);
        row.extend_from_slice(&u);
        if self.degree >= Degree::Diagonal {
            row.extend(u.iter().map(|u| u * u));
        }
        if self.degree == Degree::Full {
            for (i, a) in u.iter().enumerate() {
                row.extend(u[..i].iter().map(|b| a * b));
            }
        }
        for (count, word) in self.words.iter().zip(&point.words) {
            row.extend((1..*count).map(|w| if w == *word { 1.0 } else { 0.0 }));
        }
    }

    /// Appends its values at points to `out`.
    pub fn values(&self, points: &[&Point], out: &mut Vec<f64>) {
        run(Values { model: self, points, out });
    }

    /// Second derivatives in u.
    pub fn hessian(&self) -> Vec<f64> {
        let n = self.whitening.center.len();
        let mut h = vec![0.0; n * n];
        if self.degree >= Degree::Diagonal {
            (0..n).for_each(|i| h[i * n + i] = 2.0 * self.terms[1 + n + i]);
        }
        if self.degree == Degree::Full {
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

    /// The word of each choice with the smallest term, the first of equals.
    pub fn least_words(&self) -> Vec<usize> {
        let mut rest = &self.terms[self.degree.terms(self.whitening.center.len())..];
        let least = |count: &usize| {
            let (of, others) = rest.split_at(count - 1);
            rest = others;
            let value = |w: usize| if w == 0 { 0.0 } else { of[w - 1] };
            (0..*count).fold(0, |b, w| if value(w) < value(b) { w } else { b })
        };
        self.words.iter().map(least).collect()
    }

    /// The sum of the terms of the words of a point.
    fn of_words(&self, point: &Point) -> f64 {
        let mut at = self.degree.terms(self.whitening.center.len());
        let mut sum = 0.0;
        for (count, word) in self.words.iter().zip(&point.words) {
            sum += if *word == 0 { 0.0 } else { self.terms[at + word - 1] };
            at += count - 1;
        }
        sum
    }
}

/// Points whose values are computed together: what two wide registers hold.
const BESIDE: usize = 8;
type Beside = [f64; BESIDE];

struct Values<'a> {
    model: &'a Quadratic,
    points: &'a [&'a Point],
    out: &'a mut Vec<f64>,
}

#[inline(always)]
fn add(to: &mut Beside, factor: f64, from: &Beside) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

#[inline(always)]
fn add_product(to: &mut Beside, a: &Beside, b: &Beside) {
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to += a * b;
    }
}

impl Kernel for Values<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Quadratic { degree, whitening, terms, .. } = self.model;
        let n = whitening.center.len();
        let mut u = vec![[0.0; BESIDE]; n];
        for points in self.points.chunks(BESIDE) {
            for (lane, point) in points.iter().enumerate() {
                u.iter_mut().zip(&point.x).for_each(|(u, x)| u[lane] = *x);
            }
            for ((u, center), inverse) in u.iter_mut().zip(&whitening.center).zip(&whitening.inverse) {
                u.iter_mut().for_each(|u| *u = (*u - center) * inverse);
            }
            for (k, row) in whitening.shape.chunks_exact(n.max(1)).enumerate() {
                let (solved, rest) = u.split_at_mut(k + 1);
                let own = &mut solved[k];
                own.iter_mut().for_each(|u| *u /= row[k]);
                rest.iter_mut().zip(&row[k + 1..]).for_each(|(u, r)| add(u, -r, own));
            }
            let mut sums = [terms[0]; BESIDE];
            for (i, own) in u.iter().enumerate() {
                // What the coordinate is multiplied by.
                let mut slope = [terms[1 + i]; BESIDE];
                if *degree >= Degree::Diagonal {
                    add(&mut slope, terms[1 + n + i], own);
                }
                if *degree == Degree::Full {
                    let at = 2 * n + 1 + i * i.saturating_sub(1) / 2;
                    u[..i].iter().zip(&terms[at..]).for_each(|(u, t)| add(&mut slope, *t, u));
                }
                add_product(&mut sums, own, &slope);
            }
            self.out.extend(points.iter().zip(sums).map(|(point, sum)| sum + self.model.of_words(point)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_terms_times_rows() {
        let shape = vec![2.0, 0.5, -0.25, 0.0, 1.5, 0.75, 0.0, 0.0, 0.5];
        let whitening = Whitening { shape, ..Whitening::straight(vec![0.5, 0.25, 0.75], vec![0.5, 2.0, 1.0]) };
        for degree in [Degree::Linear, Degree::Diagonal, Degree::Full] {
            let terms: Vec<f64> =
                (0..degree.terms(3) + 2).map(|k| 1.0 + 0.5 * k as f64 - 0.1 * (k * k) as f64).collect();
            let model = Quadratic { degree, whitening: whitening.clone(), words: vec![3], terms };
            let points: Vec<Point> =
                (0..11).map(|k| Point { x: vec![0.09 * k as f64, 0.4, 0.9], words: vec![k % 3] }).collect();
            let (mut values, mut row) = (Vec::new(), Vec::new());
            model.values(&points.iter().collect::<Vec<_>>(), &mut values);
            assert_eq!(values.len(), 11);
            for (point, value) in points.iter().zip(values) {
                model.row(point, &mut row);
                let sum: f64 = row.iter().zip(&model.terms).map(|(r, t)| r * t).sum();
                assert!((sum - value).abs() < 1e-12, "{degree:?} {sum} {value}");
            }
        }
    }

    #[test]
    fn derivatives_and_words_by_hand() {
        // 1 + 2 a + 3 b + 4 a^2 + 5 b^2 + 6 a b, and words worth 0, 7, -1.
        let whitening = Whitening::straight(vec![0.0; 2], vec![1.0; 2]);
        let terms = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, -1.0];
        let model = Quadratic { degree: Degree::Full, whitening, words: vec![3], terms };
        assert_eq!(model.hessian(), [8.0, 6.0, 6.0, 10.0]);
        assert_eq!(model.least_words(), [2]);
        let mut values = Vec::new();
        model.values(&[&Point { x: vec![2.0, -1.0], words: vec![1] }], &mut values);
        assert_eq!(values, [1.0 + 4.0 - 3.0 + 16.0 + 5.0 - 12.0 + 7.0]);
    }
}
