//! Models of all residuals around a candidate, and of their error, and the minimum of the sum of their squares.

use crate::Genome;
use crate::cost::Cost;
use crowdtune_core::math::exp::exp;
use crowdtune_core::math::least_squares::LeastSquares;

/// How fast the weight of a candidate falls with its distance: a normal distribution with this many radii. Chosen here.
const SPREAD: f64 = 1.5;
/// Candidates that weigh less are left out.
const LEAST_WEIGHT: f64 = 0.01;
/// Radius of the line through the errors. Chosen here: a few replicas say little of what they scatter, so many candidates have to.
const ERRORS: f64 = 0.5;
/// Candidates for each coefficient from which a model gets its squares, and then its products. Chosen here: noise needs more than one.
const FOR_EACH: f64 = 1.5;
/// Ridge of the regression, and of the steps, relative: so small that it matters only where candidates lie on a line.
const RIDGE: f64 = 1e-6;
/// Steps of Gauss and Newton, and sweeps over the genes in each.
const STEPS: usize = 30;
const SWEEPS: usize = 60;

/// A candidate that was answered.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub at: Genome,
    pub residuals: Vec<f64>,
    /// Their standard error, of all together, by how much its replicas differ.
    pub error: f64,
    pub cost: Cost,
}

/// Which terms a model has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Terms {
    Linear,
    Squares,
    Products,
}

/// Models of all residuals in a box around a candidate.
#[derive(Clone, Debug)]
pub(super) struct Model {
    center: Genome,
    radius: f64,
    terms: Terms,
    /// Coefficients of each residual, and of their error where replicas differ.
    of: Vec<Vec<f64>>,
}

/// The candidates that count within a radius, each with its weight.
pub(super) fn near<'a>(points: &'a [Point], center: &[f64], radius: f64) -> impl Iterator<Item = (f64, &'a Point)> {
    let weighed = move |point: &'a Point| (weight(&point.at, center, radius), point);
    points.iter().map(weighed).filter(|(weight, _)| *weight >= LEAST_WEIGHT)
}

fn weight(at: &[f64], center: &[f64], radius: f64) -> f64 {
    let d2: f64 = at.iter().zip(center).map(|(a, c)| (a - c) * (a - c)).sum();
    let spread = SPREAD * radius;
    exp(-d2 / (2.0 * spread * spread))
}

/// The terms of every candidate, with the root of its weight.
fn weighted(used: &[(f64, &Point)], terms: impl Fn(&[f64]) -> Vec<f64>) -> Vec<(f64, Vec<f64>)> {
    used.iter().map(|(weight, point)| (weight.sqrt(), terms(&point.at))).collect()
}

/// The coefficients by regression of one number of every candidate; `None` where the candidates do not tell.
fn fitted(
    regression: &mut LeastSquares,
    rows: &[(f64, Vec<f64>)],
    numbers: impl Iterator<Item = f64>,
) -> Option<Vec<f64>> {
    regression.start(rows[0].1.len());
    for ((root, row), number) in rows.iter().zip(numbers) {
        regression.push(row.iter().map(|x| root * x), root * number);
    }
    let mut solution = Vec::new();
    regression.solve(RIDGE, &mut solution).then_some(solution)
}

impl Model {
    /// By weighted regression; `None` with fewer candidates than coefficients.
    pub fn of(points: &[Point], center: &[f64], radius: f64) -> Option<Self> {
        let genes = center.len();
        let used: Vec<(f64, &Point)> = near(points, center, radius).collect();
        let (count, all) = (used.len() as f64, (genes + 1) * (genes + 2) / 2);
        let terms = if count >= FOR_EACH * all as f64 {
            Terms::Products
        } else if count >= FOR_EACH * (1 + 2 * genes) as f64 {
            Terms::Squares
        } else if used.len() > genes {
            Terms::Linear
        } else {
            return None;
        };
        let mut model = Self { center: center.to_vec(), radius, terms, of: Vec::new() };
        let columns = model.row(center).len();
        let rows = weighted(&used, |at| model.row(at));
        let mut regression = LeastSquares::default();
        for residual in 0..used[0].1.residuals.len() {
            let right = used.iter().map(|(_, point)| point.residuals[residual]);
            model.of.push(fitted(&mut regression, &rows, right)?);
        }
        if used.iter().any(|(_, point)| point.error > 0.0) {
            let mut line = model.errors(points)?;
            line.resize(columns, 0.0);
            model.of.push(line);
        }
        Some(model)
    }

    /// The line through the errors of many candidates. The loss is that of the means of the replicas, so their squared error is part of what
    /// to expect of it, and a candidate that scatters less is the better one.
    fn errors(&self, points: &[Point]) -> Option<Vec<f64>> {
        let terms = 1 + self.center.len();
        let used: Vec<(f64, &Point)> = near(points, &self.center, ERRORS).collect();
        let rows = weighted(&used, |at| self.row(at)[..terms].to_vec());
        let mut line = fitted(&mut LeastSquares::default(), &rows, used.iter().map(|(_, point)| point.error))?;
        let sum = |of: &dyn Fn(&[f64], f64) -> f64| -> f64 {
            used.iter().zip(&rows).map(|((weight, point), (_, row))| weight * of(row, point.error)).sum()
        };
        let at = |row: &[f64]| line.iter().zip(row).map(|(a, b)| a * b).sum::<f64>();
        let count = sum(&|_, _| 1.0);
        let mean = sum(&|_, error| error) / count;
        let square = |x: f64| x * x;
        let explained = sum(&|row, _| square(at(row) - mean));
        let rest = sum(&|row, error| square(error - at(row)));
        // Slopes no larger than chance gives are none (James, Stein 1961).
        let chance = (terms - 1) as f64 * rest / (count - terms as f64).max(1.0);
        let share = if explained > chance { 1.0 - chance / explained } else { 0.0 };
        line[0] -= mean;
        line.iter_mut().for_each(|slope| *slope *= share);
        line[0] += mean;
        Some(line)
    }

    /// The terms at a place, in radii from the center.
    fn row(&self, at: &[f64]) -> Vec<f64> {
        let d: Vec<f64> = at.iter().zip(&self.center).map(|(a, c)| (a - c) / self.radius).collect();
        let mut row = vec![1.0];
        row.extend(&d);
        if self.terms != Terms::Linear {
            row.extend(d.iter().map(|x| x * x));
        }
        if self.terms == Terms::Products {
            for (k, x) in d.iter().enumerate() {
                row.extend(d[..k].iter().map(|y| x * y));
            }
        }
        row
    }

    fn residuals(&self, at: &[f64]) -> Vec<f64> {
        let row = self.row(at);
        self.of.iter().map(|model| model.iter().zip(&row).map(|(a, b)| a * b).sum()).collect()
    }

    /// The sum of the squared models.
    pub fn loss(&self, at: &[f64]) -> f64 {
        self.residuals(at).iter().map(|r| r * r).sum()
    }

    /// True for a place in the box.
    pub fn holds(&self, at: &[f64]) -> bool {
        at.iter().zip(&self.center).all(|(a, c)| (a - c).abs() <= self.radius)
    }

    /// The place in the box with the smallest sum of squares, and that sum.
    pub fn minimum(&self) -> (Genome, f64) {
        let low: Genome = self.center.iter().map(|c| (c - self.radius).max(0.0)).collect();
        let high: Genome = self.center.iter().map(|c| (c + self.radius).min(1.0)).collect();
        let (mut at, mut loss) = (self.center.clone(), self.loss(&self.center));
        for _ in 0..STEPS {
            let mut step = self.step(&at, (&low, &high));
            let mut gained = false;
            // A whole step, a half, a quarter...
            for _ in 0..8 {
                let to: Genome = at.iter().zip(&step).map(|(x, s)| x + s).collect();
                let there = self.loss(&to);
                if there < loss {
                    (at, loss, gained) = (to, there, true);
                    break;
                }
                step.iter_mut().for_each(|s| *s *= 0.5);
            }
            if !gained {
                break;
            }
        }
        (at, loss)
    }

    /// The step of Gauss and Newton within the box: linear least squares, gene by gene in turn.
    fn step(&self, at: &[f64], (low, high): (&[f64], &[f64])) -> Genome {
        let genes = at.len();
        let mut rest = self.residuals(at);
        // Slopes by differences, exact for a model of the second degree.
        let slopes: Vec<Vec<f64>> = (0..genes)
            .map(|gene| {
                let shifted = |by: f64| {
                    let mut to = at.to_vec();
                    to[gene] += by;
                    self.residuals(&to)
                };
                let (up, down) = (shifted(self.radius), shifted(-self.radius));
                up.iter().zip(&down).map(|(u, d)| (u - d) / (2.0 * self.radius)).collect()
            })
            .collect();
        let mut step = vec![0.0; genes];
        for _ in 0..SWEEPS {
            for gene in 0..genes {
                let size: f64 = slopes[gene].iter().map(|s| s * s).sum();
                if size == 0.0 {
                    continue;
                }
                let pull: f64 = slopes[gene].iter().zip(&rest).map(|(s, r)| s * r).sum();
                let to =
                    (step[gene] - pull / (size * (1.0 + RIDGE))).clamp(low[gene] - at[gene], high[gene] - at[gene]);
                let by = to - step[gene];
                step[gene] = to;
                rest.iter_mut().zip(&slopes[gene]).for_each(|(r, s)| *r += s * by);
            }
        }
        step
    }
}
