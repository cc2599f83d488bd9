//! What a model sees of losses: weights by rank, heights that finite numbers can carry, and how well two rankings agree.

use super::{Cost, compare};

/// Weight of the best evaluation against 1 of the worst, falling linearly with rank. Hansen 2019, section 2.
const TOP_WEIGHT: f64 = 20.0;

/// Weight by rank, 0 the best of `count`.
pub fn weight(rank: usize, count: usize) -> f64 {
    1.0 + (TOP_WEIGHT - 1.0) * (count - 1 - rank) as f64 / (count.max(2) - 1) as f64
}

/// Losses of sorted costs: those of feasible evaluations as they are, above them the infeasible ones by rank; without
/// any feasible one the violations. `None` if nothing is finite.
pub fn heights(costs: impl Iterator<Item = Cost> + Clone) -> Option<Vec<f64>> {
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
pub fn kendall(pairs: &[(Cost, f64)]) -> f64 {
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

    #[test]
    fn ranks_by_hand() {
        let pair = |a: f64, b: f64| ((0.0, a), b);
        assert_eq!(kendall(&[pair(1.0, 1.0), pair(2.0, 3.0), pair(3.0, 2.0)]), 1.0 / 3.0);
        assert_eq!(kendall(&[pair(1.0, 1.0), pair(2.0, 3.0)]), 0.0);
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
