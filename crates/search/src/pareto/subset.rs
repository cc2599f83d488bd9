//! A few points that show a whole front: hypervolume subset selection.

use super::directions::{along, apart, directions, intersection};
use super::dominance::{in_order, layers};
use super::front::{REFERENCE, knee, scaled};
use super::hypervolume::exclusive3;

/// Indices of at most `k` of these points that show the front best: the knee first, then always the one that adds most.
///
/// Dominated points and all but the first of equal ones are left out. Two objectives: the subset of the largest hypervolume
/// (Bringmann, Friedrich, Klitzke, GECCO 2014), up to the reference 1.1 in units of the front. Three: the greedy one
/// (Guerreiro, Fonseca, Paquete, Evol. Comput. 24, 521, 2016). More: the points that suit up to `k` reference directions best, each next
/// one the furthest from those before.
pub fn subset(points: &[Vec<f64>], k: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    let all: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
    let layer = layers(&all);
    order.retain(|&i| layer[i] == 0);
    order.sort_by(|&a, &b| in_order(&points[a], &points[b]).then(a.cmp(&b)));
    order.dedup_by(|b, a| points[*a] == points[*b]);
    let unit = scaled(&order.iter().map(|&i| all[i]).collect::<Vec<_>>());
    if k == 0 || order.is_empty() {
        return Vec::new();
    }
    let m = unit[0].len();
    let chosen: Vec<usize> = match m {
        _ if order.len() <= k => (0..unit.len()).collect(),
        2 => largest(&unit, k),
        0 | 1 | 3 => (0..unit.len()).collect(),
        _ => along(&unit, &directions(m, k), intersection),
    };
    let shown: Vec<Vec<f64>> = chosen.iter().map(|&i| unit[i].clone()).collect();
    let first = knee(&shown);
    let spread = if m <= 3 {
        let flat = |p: &Vec<f64>| std::array::from_fn::<f64, 3, _>(|d| p.get(d).copied().unwrap_or(0.0).min(REFERENCE));
        greedy(&shown.iter().map(flat).collect::<Vec<_>>(), first, k)
    } else {
        apart(&shown, first, k)
    };
    spread.into_iter().map(|i| order[chosen[i]]).collect()
}

/// The `k` of the points, two objectives in the order of the first, none dominated, that have the largest hypervolume.
///
/// With i_1 < ... < i_k the volume is the sum of (x_{j+1} - x_j) (r - y_j), where x_{k+1} = r. The best predecessor of a point
/// moves up with the point, so that each of the k rows takes O(n log n) by divide and conquer.
fn largest(points: &[Vec<f64>], k: usize) -> Vec<usize> {
    let n = points.len();
    let x: Vec<f64> = points.iter().map(|p| p[0].min(REFERENCE)).collect();
    let height: Vec<f64> = points.iter().map(|p| (REFERENCE - p[1]).max(0.0)).collect();
    let mut before: Vec<Vec<u32>> = Vec::with_capacity(k);
    // The volume left of each point, if it is the j-th chosen one; those before the j-th cannot be.
    let mut row = vec![0.0; n];
    for j in 1..k {
        let mut next = vec![f64::NEG_INFINITY; n];
        let mut from = vec![0_u32; n];
        let mut todo = vec![(j, n, j - 1, n - 1)];
        while let Some((begin, end, low, high)) = todo.pop() {
            if begin >= end {
                continue;
            }
            let middle = begin + (end - begin) / 2;
            let mut best = low;
            for p in low..=high.min(middle - 1) {
                let volume = row[p] + (x[middle] - x[p]) * height[p];
                if volume > next[middle] {
                    next[middle] = volume;
                    best = p;
                }
            }
            from[middle] = best as u32;
            todo.push((begin, middle, low, best));
            todo.push((middle + 1, end, best, high));
        }
        before.push(from);
        row = next;
    }
    let total = |i: usize| row[i] + (REFERENCE - x[i]) * height[i];
    let mut at = (k - 1..n).fold(k - 1, |best, i| if total(i) > total(best) { i } else { best });
    let mut chosen = vec![at];
    for from in before.iter().rev() {
        at = from[at] as usize;
        chosen.push(at);
    }
    chosen.reverse();
    chosen
}

/// At most `k` of the points, beginning with one, then always one that adds the largest volume.
///
/// What a point adds never grows, so the first one of the list stays first if it still adds as much.
fn greedy(points: &[[f64; 3]], first: usize, k: usize) -> Vec<usize> {
    let mut scratch = Vec::new();
    let mut adds = |i: usize, chosen: &[usize]| {
        exclusive3(&points[i], chosen.iter().map(|&j| &points[j]), [REFERENCE; 3], &mut scratch)
    };
    let mut chosen = vec![first];
    // What each adds, and the number of points taken when that was found.
    let mut added: Vec<(f64, usize)> = (0..points.len()).map(|i| (adds(i, &chosen), 1)).collect();
    added[first].0 = f64::NEG_INFINITY;
    while chosen.len() < k.min(points.len()) {
        let best = (1..points.len()).fold(0, |best, i| if added[i].0 > added[best].0 { i } else { best });
        if added[best].1 == chosen.len() {
            chosen.push(best);
            added[best].0 = f64::NEG_INFINITY;
        } else {
            added[best] = (adds(best, &chosen), chosen.len());
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pareto::hypervolume;
    use proptest::prelude::*;

    fn rows<const N: usize, const M: usize>(points: [[f64; M]; N]) -> Vec<Vec<f64>> {
        points.iter().map(|p| p.to_vec()).collect()
    }

    #[test]
    fn subsets_by_hand() {
        let points = rows([[0.0, 4.0], [1.0, 2.0], [2.0, 1.9], [4.0, 0.0], [4.0, 4.0], [1.0, 2.0]]);
        // With the reference (4.4, 4.4) three points have 9.36, 7.56, 8.8 or 9.16. The knee adds first, then 0.8, 0.4, 0.2.
        assert_eq!(subset(&points, 3), [1, 3, 0]);
        assert_eq!(subset(&points, 9), [1, 3, 0, 2]);
        assert!(subset(&points, 0).is_empty() && subset(&[], 3).is_empty());
        assert_eq!(subset(&rows([[3.0], [1.0], [1.0]]), 5), [1]);
        // Two of three corners and the middle: the middle is the knee.
        let corners = rows([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.2, 0.2, 0.2]]);
        assert_eq!(subset(&corners, 2)[0], 3);
        // One point a direction, four directions in the corners: the two in between are left out.
        let four = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]].map(|p| p.map(f64::from));
        let four = [rows(four), rows([[0.5, 0.5, 0.4, 0.4], [0.4, 0.4, 0.5, 0.5]])].concat();
        let mut found = subset(&four, 4);
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2, 3]);
        let huge = rows([[-f64::MAX, f64::MAX], [0.0, 0.0], [f64::MAX, -f64::MAX]]);
        assert_eq!(subset(&huge, 1), [1]);
    }

    /// Hypervolume of some of the points in units of the front.
    fn worth(points: &[Vec<f64>], chosen: &[usize]) -> f64 {
        let unit = scaled(&points.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let shown: Vec<Vec<f64>> = chosen.iter().map(|&i| unit[i].clone()).collect();
        hypervolume(&shown, &vec![REFERENCE; points[0].len()])
    }

    fn any_front(m: usize) -> impl Strategy<Value = Vec<Vec<f64>>> {
        prop::collection::vec(prop::collection::vec(0.0..1.0_f64, m), 1..60).prop_map(|points| {
            let layer = layers(&points.iter().map(Vec::as_slice).collect::<Vec<_>>());
            points.into_iter().zip(layer).filter(|(_, layer)| *layer == 0).map(|(p, _)| p).take(12).collect()
        })
    }

    proptest! {
        #[test]
        fn subsets_in_two_objectives_are_the_best(points in any_front(2), k in 1_usize..5) {
            let found = worth(&points, &subset(&points, k));
            for set in 0_u32..1 << points.len() {
                if set.count_ones() as usize == k {
                    let other: Vec<usize> = (0..points.len()).filter(|i| set >> i & 1 == 1).collect();
                    prop_assert!(worth(&points, &other) <= found + 1e-12);
                }
            }
        }

        #[test]
        fn more_points_show_more(m in 2_usize..4, k in 1_usize..6, numbers in prop::collection::vec(0.0..1.0_f64, 3..90)) {
            let points: Vec<Vec<f64>> = numbers.chunks_exact(m).map(<[f64]>::to_vec).collect();
            let all = subset(&points, points.len());
            let front: Vec<Vec<f64>> = all.iter().map(|&i| points[i].clone()).collect();
            let of = |k: usize| worth(&front, &subset(&front, k));
            prop_assert!(of(k) <= of(k + 1) + 1e-12);
            prop_assert!((of(front.len()) - worth(&front, &(0..front.len()).collect::<Vec<_>>())).abs() < 1e-12);
        }

        #[test]
        fn greedy_subsets_are_nearly_the_best(points in any_front(3), k in 1_usize..5) {
            let unit = scaled(&points.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let flat: Vec<[f64; 3]> = unit.iter().map(|p| [p[0], p[1], p[2]].map(|x| x.min(REFERENCE))).collect();
            let found = greedy(&flat, 0, k);
            // Plain: each next one is the best of all.
            for taken in 1..found.len() {
                let with = |i: usize| worth(&points, &[&found[..taken], &[i]].concat());
                let best = (0..points.len()).map(with).fold(0.0, f64::max);
                prop_assert!(with(found[taken]) >= best - 1e-12);
            }
        }
    }
}
