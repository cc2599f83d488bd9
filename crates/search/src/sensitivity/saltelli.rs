//! Sobol' indices by Saltelli's design: shares of the variance of an answer over the whole space.
//!
//! Design with two base matrices and every column exchanged both ways: Saltelli, Comput. Phys. Commun. 145, 280 (2002). First
//! order: Saltelli et al., Comput. Phys. Commun. 181, 259 (2010), table 2, (b). Total: Jansen, Comput. Phys. Commun. 117, 35
//! (1999), there (f). Second order: Saltelli 2002, theorem 2. Differs from the sources: every index is the mean of the
//! estimator and of the same one with the two base matrices exchanged, which costs no further answer.

use super::Estimate;
use super::points::{DIMENSIONS, Points};
use crate::Genome;
use crate::space::Space;
use crowdtune_core::math::rng::{Seed, below};
use crowdtune_core::math::stats::RESAMPLES;

/// Most genes: there are direction numbers for twice as many dimensions.
pub const MOST_GENES: usize = DIMENSIONS / 2;

/// Fewer complete pairs than this give no index.
const FEWEST: usize = 8;

/// Rows for each base point of `genes` genes: A, A with each column of B, B with each column of A, B.
pub const fn stride(genes: usize) -> usize {
    2 * genes + 2
}

/// The genomes of `samples` base points, [`stride`] rows each, of at most [`MOST_GENES`] genes. A base point depends on the
/// seed and its number alone, so a design can be extended; powers of two fill the space most evenly.
pub fn design(space: &Space, samples: u32, seed: Seed) -> Vec<Genome> {
    let genes = space.len();
    let points = Points::scrambled(2 * genes, seed);
    let mut rows = Vec::with_capacity(samples as usize * stride(genes));
    for k in 0..samples {
        let point = points.point(k);
        let (a, b) = point.split_at(genes);
        let exchanged = |base: &[f64], from: &[f64], gene: usize| {
            let mut row = base.to_vec();
            row[gene] = from[gene];
            row
        };
        rows.push(a.to_vec());
        rows.extend((0..genes).map(|g| exchanged(a, b, g)));
        rows.extend((0..genes).map(|g| exchanged(b, a, g)));
        rows.push(b.to_vec());
    }
    rows.into_iter().map(|row| space.canonical(&row)).collect()
}

/// Indices of one answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Indices {
    /// First order of each gene: the share of the variance that it explains alone.
    pub first: Vec<Estimate>,
    /// Total of each gene: the share that would be left if all others were known.
    pub total: Vec<Estimate>,
    /// Second order of the pairs (0, 1), (0, 2), ..., (1, 2), ...: the share of both together beyond each alone.
    pub second: Vec<Estimate>,
}

/// The indices of one answer; `y` has one number per row of the design, NaN where it is missing.
///
/// A product is left out where one of its answers is missing. Intervals resample base points. All indices are
/// [`Estimate::NONE`] where the answer does not vary or too few pairs are complete.
pub fn indices(genes: usize, y: &[f64], seed: Seed) -> Indices {
    if flat(y) {
        let none = |n| vec![Estimate::NONE; n];
        let second = none(genes * genes.saturating_sub(1) / 2);
        return Indices { first: none(genes), total: none(genes), second };
    }
    let rows: Vec<Vec<f64>> = centered(genes, y).iter().map(|base| products(genes, base)).collect();
    let once = vec![1_u32; rows.len()];
    let point = estimate(genes, &rows, &once);
    let mut rng = seed.child("bootstrap", 0).rng();
    let mut draws: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLES); point.len()];
    if point.iter().any(|x| x.is_finite()) {
        let mut times = vec![0_u32; rows.len()];
        for _ in 0..RESAMPLES {
            times.fill(0);
            (0..rows.len()).for_each(|_| times[below(&mut rng, rows.len())] += 1);
            for (draw, value) in draws.iter_mut().zip(estimate(genes, &rows, &times)) {
                draw.push(value);
            }
        }
    }
    let mut all = point.iter().zip(&draws).map(|(&value, draws)| Estimate::new(value, draws));
    let first = all.by_ref().take(genes).collect();
    let total = all.by_ref().take(genes).collect();
    Indices { first, total, second: all.collect() }
}

/// First order and total of each gene without intervals, for answers that are cheap; NaN where [`indices`] gives none.
pub fn shares(genes: usize, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    if flat(y) {
        return (vec![f64::NAN; genes], vec![f64::NAN; genes]);
    }
    let rows: Vec<Vec<f64>> = centered(genes, y).iter().map(|base| products(genes, base)).collect();
    let mut all = estimate(genes, &rows, &vec![1; rows.len()]);
    all.truncate(2 * genes);
    let total = all.split_off(genes);
    (all, total)
}

/// True if all answers are equal but for rounding, or there is none.
fn flat(y: &[f64]) -> bool {
    let ends = |(low, high): (f64, f64), x: &f64| (low.min(*x), high.max(*x));
    let finite = y.iter().filter(|x| x.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), ends);
    // Without an answer the ends are crossed.
    high - low <= 1e-12 * high.abs().max(low.abs())
}

/// Answers less their mean, one list per base point: removes rounding and most of the variance of the estimators (Saltelli
/// 2002).
fn centered(genes: usize, y: &[f64]) -> Vec<Vec<f64>> {
    let finite: Vec<f64> = y.iter().copied().filter(|x| x.is_finite()).collect();
    let mean = if finite.is_empty() { 0.0 } else { crowdtune_core::math::stats::mean(&finite) };
    y.chunks_exact(stride(genes)).map(|base| base.iter().map(|x| x - mean).collect()).collect()
}

/// What a base point adds to the sums: A and B, their squares, then first order, total and closed second order numerators.
fn products(genes: usize, base: &[f64]) -> Vec<f64> {
    let (a, b) = (base[0], base[stride(genes) - 1]);
    let (ab, ba) = (&base[1..=genes], &base[genes + 1..=2 * genes]);
    let mut out = vec![a, b, a * a, b * b];
    out.extend((0..genes).map(|j| (b * (ab[j] - a) + a * (ba[j] - b)) / 2.0));
    out.extend((0..genes).map(|j| ((a - ab[j]) * (a - ab[j]) + (b - ba[j]) * (b - ba[j])) / 4.0));
    for j in 0..genes {
        out.extend((j + 1..genes).map(|k| (ba[j] * ab[k] + ab[j] * ba[k]) / 2.0 - a * b));
    }
    out
}

/// First order, total, second order; each base point with its count.
fn estimate(genes: usize, rows: &[Vec<f64>], times: &[u32]) -> Vec<f64> {
    let columns = 4 + 2 * genes + genes * genes.saturating_sub(1) / 2;
    let mut sums = vec![0.0; columns];
    let mut counts = vec![0_u32; columns];
    for (row, &times) in rows.iter().zip(times).filter(|(_, times)| **times > 0) {
        for ((sum, count), x) in sums.iter_mut().zip(&mut counts).zip(row) {
            if x.is_finite() {
                *sum += x * f64::from(times);
                *count += times;
            }
        }
    }
    let known = counts[0] + counts[1];
    let mean = (sums[0] + sums[1]) / f64::from(known);
    let square = (sums[2] + sums[3]) / f64::from(known);
    let variance = square - mean * mean;
    let share = |at: usize| {
        let enough = counts[at] as usize >= FEWEST && variance > 0.0;
        if enough { sums[at] / f64::from(counts[at]) / variance } else { f64::NAN }
    };
    let mut out: Vec<f64> = (4..4 + 2 * genes).map(share).collect();
    let mut at = 4 + 2 * genes;
    for j in 0..genes {
        for k in j + 1..genes {
            out.push(share(at) - out[j] - out[k]);
            at += 1;
        }
    }
    out
}

#[cfg(test)]
#[path = "saltelli_tests.rs"]
mod tests;
