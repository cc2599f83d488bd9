//! Tests of paired differences without any assumption on their size: the sign test and Wilcoxon's signed ranks.

use super::stats::ranks;

/// Two-sided probability of signs at least as one-sided as these by chance; zeros are left out, none left give 1.
///
/// Exact, from the binomial distribution with probability 1/2 (Dixon, Mood, J. Am. Stat. Assoc. 41, 557, 1946).
pub fn sign_test(differences: &[f64]) -> f64 {
    let above = differences.iter().filter(|d| **d > 0.0).count();
    let below = differences.iter().filter(|d| **d < 0.0).count();
    let mut chances = vec![1.0];
    for _ in 0..above + below {
        let mut next = vec![0.0; chances.len() + 1];
        for (k, chance) in chances.iter().enumerate() {
            next[k] += 0.5 * chance;
            next[k + 1] += 0.5 * chance;
        }
        chances = next;
    }
    let tail: f64 = chances[..=above.min(below)].iter().sum();
    (2.0 * tail).min(1.0)
}

/// Two-sided probability of a rank sum at least as one-sided as that of these differences by chance; zeros are left
/// out, none left give 1; equal sizes share the mean of their ranks.
///
/// Exact, over all assignments of signs (Wilcoxon, Biometrics Bulletin 1, 80, 1945; Pratt, Gibbons 1981, chapter 3).
pub fn wilcoxon(differences: &[f64]) -> f64 {
    let kept: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0 && d.is_finite()).collect();
    // Means of two ranks are halves, so twice the rank is whole.
    let doubled: Vec<usize> =
        ranks(&kept.iter().map(|d| d.abs()).collect::<Vec<_>>()).iter().map(|r| (2.0 * r).round() as usize).collect();
    let total: usize = doubled.iter().sum();
    let above: usize = doubled.iter().zip(&kept).filter(|(_, d)| **d > 0.0).map(|(r, _)| r).sum();
    let mut chances = vec![0.0; total + 1];
    chances[0] = 1.0;
    for &rank in &doubled {
        for sum in (0..=total).rev() {
            let with = if sum >= rank { chances[sum - rank] } else { 0.0 };
            chances[sum] = 0.5 * (chances[sum] + with);
        }
    }
    let tail: f64 = chances[..=above.min(total - above)].iter().sum();
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    }

    #[test]
    fn signs_by_hand() {
        // Ten of ten: 2 / 1024; nine of ten: 2 (1 + 10) / 1024; the zero does not count.
        close(sign_test(&[1.0; 10]), 2.0 / 1024.0);
        let mut nine = [-1.0; 11];
        (nine[0], nine[1]) = (5.0, 0.0);
        close(sign_test(&nine), 22.0 / 1024.0);
        close(sign_test(&[1.0, -1.0]), 1.0);
        close(sign_test(&[]), 1.0);
    }

    #[test]
    fn signed_ranks_by_hand() {
        // All above: 2 / 2^5. Only the smallest below: rank sum 1, sums 0 and 1 have one way each: 4 / 2^5.
        close(wilcoxon(&[1.0, 2.0, 3.0, 4.0, 5.0]), 2.0 / 32.0);
        close(wilcoxon(&[-1.0, 2.0, 3.0, 4.0, 5.0]), 4.0 / 32.0);
        // Only the third below: sums 0, 1, 2, 3 in 1 + 1 + 1 + 2 ways.
        close(wilcoxon(&[1.0, 2.0, -3.0, 4.0, 5.0]), 10.0 / 32.0);
        // Ranks 1.5, 1.5 and 3; the smaller sum is 1.5, with 1 + 2 ways of 8.
        close(wilcoxon(&[-1.0, 1.0, 2.0, 0.0]), 6.0 / 8.0);
        close(wilcoxon(&[]), 1.0);
    }
}
