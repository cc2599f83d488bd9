//! Statistics of samples: location, spread, rank correlation, distances between samples, bootstrap intervals.
//!
//! Samples are finite numbers in any order. What an empty sample gives is said at each function; nothing panics.

use super::rng::{ChaCha8Rng, Seed, below};

/// Resamples of a bootstrap. Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13: 1000 or more for
/// a percentile interval; chosen here: 2000, which costs less than a millisecond for 50 values.
pub const RESAMPLES: usize = 2000;

/// Arithmetic mean, summed in the given order; NaN for an empty sample.
pub fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

/// Variance of the sample (divisor n - 1); 0 for one value, NaN for none.
pub fn variance(x: &[f64]) -> f64 {
    match x.len() {
        0 => return f64::NAN,
        1 => return 0.0,
        _ => {}
    }
    let m = mean(x);
    x.iter().map(|v| (v - m) * (v - m)).sum::<f64>() / (x.len() as f64 - 1.0)
}

/// Standard deviation of the sample, the root of its [`variance`]; 0 for one value, NaN for none.
pub fn sd(x: &[f64]) -> f64 {
    variance(x).sqrt()
}

/// Quantile of order `p` in [0, 1] (clamped), linear between the order statistics; NaN for an empty sample.
///
/// Type 7 of Hyndman and Fan, Am. Stat. 50, 361 (1996): the value at place (n - 1) p of the sorted sample, counted
/// from 0, as numpy and R have it by default.
pub fn quantile(x: &[f64], p: f64) -> f64 {
    quantile_sorted(&sorted(x), p)
}

/// Median: the middle value, or the mean of the two middle ones; NaN for an empty sample.
pub fn median(x: &[f64]) -> f64 {
    quantile(x, 0.5)
}

/// Quantile of order 0.95; NaN for an empty sample.
pub fn p95(x: &[f64]) -> f64 {
    quantile(x, 0.95)
}

fn sorted(x: &[f64]) -> Vec<f64> {
    let mut sorted = x.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn quantile_sorted(x: &[f64], p: f64) -> f64 {
    let Some(last) = x.len().checked_sub(1) else { return f64::NAN };
    let place = last as f64 * p.clamp(0.0, 1.0);
    let below = (place as usize).min(last);
    let share = place - below as f64;
    if share == 0.0 { x[below] } else { x[below] + share * (x[below + 1] - x[below]) }
}

/// Ranks from 1; equal values share the mean of their ranks.
pub fn ranks(x: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
    let mut ranks = vec![0.0; x.len()];
    let mut first = 0;
    for end in 1..=order.len() {
        if end == order.len() || x[order[end]] != x[order[first]] {
            // Places first + 1 ..= end share their mean.
            order[first..end].iter().for_each(|&i| ranks[i] = (first + 1 + end) as f64 / 2.0);
            first = end;
        }
    }
    ranks
}

/// Spearman's rank correlation in [-1, 1]: Pearson's correlation of the [`ranks`].
///
/// `None` if the samples differ in length, are shorter than two, or one of them is constant.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() || x.len() < 2 {
        return None;
    }
    let (rx, ry) = (ranks(x), ranks(y));
    let center = (x.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - center) * (b - center)).sum::<f64>();
    let (xx, yy) = (product(&rx, &rx), product(&ry, &ry));
    (xx > 0.0 && yy > 0.0).then(|| (product(&rx, &ry) / (xx * yy).sqrt()).clamp(-1.0, 1.0))
}

/// Kolmogorov-Smirnov distance of two samples in [0, 1]: the largest gap between their distribution functions.
///
/// `None` if one of them is empty.
pub fn ks_distance(x: &[f64], y: &[f64]) -> Option<f64> {
    steps(x, y).map(|steps| steps.iter().map(|s| s.gap).fold(0.0, f64::max))
}

/// Wasserstein-1 distance of two samples, in their unit: the area between their distribution functions, which is the mean
/// distance of the values in order where the sizes are equal.
///
/// Vallender, Theory Probab. Appl. 18, 784 (1974). `None` if one of them is empty.
pub fn wasserstein(x: &[f64], y: &[f64]) -> Option<f64> {
    steps(x, y).map(|steps| steps.iter().map(|s| s.gap * s.width).sum())
}

/// A stretch between two neighboring values of the pooled sample.
struct Step {
    /// How far the next value is; 0 at the last one.
    width: f64,
    /// Gap of the two distribution functions over it.
    gap: f64,
}

fn steps(x: &[f64], y: &[f64]) -> Option<Vec<Step>> {
    if x.is_empty() || y.is_empty() {
        return None;
    }
    let (x, y) = (sorted(x), sorted(y));
    let (mut i, mut j) = (0, 0);
    let mut steps = Vec::with_capacity(x.len() + y.len());
    loop {
        let at = match (x.get(i), y.get(j)) {
            (Some(&a), Some(&b)) => a.min(b),
            (Some(&a), None) => a,
            (None, Some(&b)) => b,
            (None, None) => return Some(steps),
        };
        i += x[i..].iter().take_while(|&&v| v <= at).count();
        j += y[j..].iter().take_while(|&&v| v <= at).count();
        let gap = (i as f64 / x.len() as f64 - j as f64 / y.len() as f64).abs();
        let next = match (x.get(i), y.get(j)) {
            (Some(&a), Some(&b)) => a.min(b),
            (Some(&v), None) | (None, Some(&v)) => v,
            (None, None) => at,
        };
        steps.push(Step { width: next - at, gap });
    }
}

/// Percentile bootstrap 95 % interval of `statistic`: [`RESAMPLES`] samples drawn with replacement, the quantiles of
/// order 0.025 and 0.975 of their statistics (Efron, Tibshirani 1993, chapter 13).
///
/// The same seed gives the same bits. A sample of one value gives (value, value): nothing is known of its spread. `None` for
/// an empty sample.
pub fn bootstrap(x: &[f64], statistic: fn(&[f64]) -> f64, seed: Seed) -> Option<(f64, f64)> {
    match x.len() {
        0 => return None,
        1 => return Some((statistic(x), statistic(x))),
        _ => {}
    }
    let mut rng: ChaCha8Rng = seed.child("bootstrap", 0).rng();
    let mut resample = vec![0.0; x.len()];
    let mut values: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            resample.iter_mut().for_each(|v| *v = x[below(&mut rng, x.len())]);
            statistic(&resample)
        })
        .collect();
    values.sort_by(f64::total_cmp);
    Some((quantile_sorted(&values, 0.025), quantile_sorted(&values, 0.975)))
}

/// Mean of the paired differences x - y with its [`bootstrap`] 95 % interval: `(mean, low, high)`.
///
/// Pairs are resampled, so what both sides of a pair share (equal seeds) cancels. `None` if the samples differ in length
/// or are empty.
pub fn paired_difference(x: &[f64], y: &[f64], seed: Seed) -> Option<(f64, f64, f64)> {
    if x.len() != y.len() {
        return None;
    }
    let differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    bootstrap(&differences, mean, seed).map(|(low, high)| (mean(&differences), low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::normal;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    }

    #[test]
    fn location_and_spread_by_hand() {
        let x = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        assert_eq!(mean(&x), 5.0);
        close(sd(&x), (32.0_f64 / 7.0).sqrt());
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(quantile(&[10.0, 20.0, 30.0, 40.0], 0.25), 17.5);
        close(p95(&(0..=10).map(f64::from).collect::<Vec<_>>()), 9.5);
        assert_eq!((quantile(&x, -1.0), quantile(&x, 2.0)), (2.0, 9.0));
    }

    #[test]
    fn empty_and_single_samples() {
        assert!(mean(&[]).is_nan() && sd(&[]).is_nan() && median(&[]).is_nan());
        assert_eq!((mean(&[3.0]), sd(&[3.0]), p95(&[3.0])), (3.0, 0.0, 3.0));
        assert_eq!(bootstrap(&[], mean, Seed(1)), None);
        assert_eq!(bootstrap(&[3.0], mean, Seed(1)), Some((3.0, 3.0)));
        assert_eq!(ks_distance(&[], &[1.0]), None);
        assert_eq!(wasserstein(&[1.0], &[]), None);
    }

    #[test]
    fn rank_correlation_by_hand() {
        assert_eq!(ranks(&[10.0, 30.0, 20.0, 20.0]), [1.0, 4.0, 2.5, 2.5]);
        // 1 - 6 sum d^2 / (n (n^2 - 1)) with d = 0, 1, -1, 0: 1 - 12 / 60.
        close(spearman(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0]).unwrap(), 0.8);
        close(spearman(&[1.0, 2.0, 3.0], &[9.0, 4.0, 1.0]).unwrap(), -1.0);
        // Ranks 1.5 1.5 3 and 1 2 3: sums of products 1.5, squares 1.5 and 2.
        close(spearman(&[5.0, 5.0, 6.0], &[1.0, 2.0, 3.0]).unwrap(), 1.5 / 3.0_f64.sqrt());
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[1.0], &[1.0]), None);
    }

    #[test]
    fn distances_by_hand() {
        assert_eq!(ks_distance(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]), Some(0.0));
        assert_eq!(ks_distance(&[1.0, 2.0], &[3.0, 4.0]), Some(1.0));
        // Distribution functions at 1, 2, 3: 1/2, 1/2, 1 and 0, 1, 1.
        assert_eq!(ks_distance(&[1.0, 3.0], &[2.0, 2.0, 2.0]), Some(0.5));
        assert_eq!(wasserstein(&[0.0, 1.0, 3.0], &[5.0, 6.0, 8.0]), Some(5.0));
        // Half of the mass goes from 0 to 1, the other half from 2 to 1.
        assert_eq!(wasserstein(&[0.0, 2.0], &[1.0]), Some(1.0));
        // Mass 1/6 goes from 0 to 1: |1/2 - 1/3| over a width of 1.
        close(wasserstein(&[0.0, 1.0], &[0.0, 1.0, 1.0]).unwrap(), 1.0 / 6.0);
    }

    #[test]
    fn the_bootstrap_of_two_values_is_known() {
        // Resamples of {0, 1} have the mean 0, 1/2, 1 with probability 1/4, 1/2, 1/4.
        assert_eq!(bootstrap(&[0.0, 1.0], mean, Seed(7)), Some((0.0, 1.0)));
        assert_eq!(bootstrap(&[4.0; 9], p95, Seed(7)), Some((4.0, 4.0)));
    }

    #[test]
    fn the_bootstrap_is_repeatable_and_near_the_normal_interval() {
        let mut rng = Seed(11).rng();
        let x: Vec<f64> = (0..200).map(|_| normal(&mut rng)).collect();
        let (low, high) = bootstrap(&x, mean, Seed(1)).unwrap();
        assert_eq!(bootstrap(&x, mean, Seed(1)), Some((low, high)));
        let half = 1.96 * sd(&x) / 200.0_f64.sqrt();
        assert!((low - (mean(&x) - half)).abs() < 0.15 * half && (high - (mean(&x) + half)).abs() < 0.15 * half);
    }

    #[test]
    fn pairing_removes_what_pairs_share() {
        let (m, low, high) = paired_difference(&[11.0, 102.0, 1003.0], &[10.0, 101.0, 1002.0], Seed(2)).unwrap();
        assert_eq!((m, low, high), (1.0, 1.0, 1.0));
        assert_eq!(paired_difference(&[1.0], &[], Seed(2)), None);
    }
}
