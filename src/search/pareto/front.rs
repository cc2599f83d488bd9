//! What a front is, and what of it is shown: a subset, its knee, its ends.

use super::directions::apart;
use super::hypervolume::exclusive3;
use super::sort::{in_order, layers};
use crate::search::Trial;

/// The reference point in units of the front, whose ideal is 0 and whose nadir is 1. Chosen here: 1.1, the usual one of
/// comparisons; larger ones favor the ends.
pub(super) const REFERENCE: f64 = 1.1;

/// Indices of the trials that are done, feasible and that no other such trial dominates, in their order; of equal ones the
/// first. Empty if nothing is feasible.
pub fn front(trials: &[Trial]) -> Vec<usize> {
    let m = trials.iter().find(|t| t.is_done()).map_or(0, |t| t.objectives.len());
    let fair = |t: &Trial| t.is_done() && t.violation <= 0.0 && t.objectives.len() == m;
    let feasible: Vec<usize> = (0..trials.len()).filter(|&i| fair(&trials[i])).collect();
    let points: Vec<&[f64]> = feasible.iter().map(|&i| trials[i].objectives.as_slice()).collect();
    let layer = layers(&points);
    let mut first: Vec<usize> = (0..points.len()).filter(|&i| layer[i] == 0).collect();
    first.sort_by(|&a, &b| in_order(points[a], points[b]).then(a.cmp(&b)));
    first.dedup_by(|b, a| points[*a] == points[*b]);
    first.sort_unstable();
    first.into_iter().map(|i| feasible[i]).collect()
}

/// The points in units of the front: 0 is the best of each objective, 1 its value at the worst of the front's ends.
///
/// The end that belongs to an objective is the point whose largest other loss is smallest, so that a point which is a trifle
/// better in one objective and far worse in another does not stretch the scale (Deb, Jain, IEEE Trans. Evol. Comput. 18,
/// 577, 2014, eq. 4; differs: the largest coordinates of the ends instead of the intercepts of the plane through them).
pub(super) fn scaled(points: &[&[f64]]) -> Vec<Vec<f64>> {
    let Some(m) = points.first().map(|p| p.len()) else { return Vec::new() };
    let column = |d: usize| points.iter().map(move |p| p[d]);
    let low: Vec<f64> = (0..m).map(|d| column(d).fold(f64::INFINITY, f64::min)).collect();
    let high: Vec<f64> = (0..m).map(|d| column(d).fold(f64::NEG_INFINITY, f64::max)).collect();
    // Halves, because the span of huge numbers is not finite.
    let share =
        |x: f64, low: f64, high: f64| if high > low { (0.5 * x - 0.5 * low) / (0.5 * high - 0.5 * low) } else { 0.0 };
    let mut unit: Vec<Vec<f64>> =
        points.iter().map(|p| (0..m).map(|d| share(p[d], low[d], high[d])).collect()).collect();
    if m < 2 {
        return unit;
    }
    let others = |p: &[f64], d: usize| (0..m).filter(|&e| e != d).map(|e| p[e]).fold(0.0, f64::max);
    let ends: Vec<usize> = (0..m)
        .map(|d| {
            let key = |i: usize| (others(&unit[i], d), unit[i][d]);
            (1..unit.len()).fold(0, |best, i| if key(i) < key(best) { i } else { best })
        })
        .collect();
    for d in 0..m {
        let nadir = ends.iter().map(|&i| unit[i][d]).fold(0.0, f64::max);
        // Of a front that has shrunk to less than this part of the range the range itself is the better scale.
        if nadir > 1e-6 {
            unit.iter_mut().for_each(|p| p[d] /= nadir);
        }
    }
    unit
}

/// The most balanced of these points: the one furthest below the plane through the ends of the front, that is with the smallest
/// sum of losses in units of the front; where the front does not bulge below that plane, the one whose largest loss is
/// smallest. The first of equals; 0 for no points.
pub fn knee(points: &[Vec<f64>]) -> usize {
    let unit = scaled(&points.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let least = |key: &dyn Fn(&[f64]) -> f64| {
        (1..unit.len()).fold(0, |best, i| if key(&unit[i]) < key(&unit[best]) { i } else { best })
    };
    let sum = |p: &[f64]| p.iter().sum::<f64>();
    let below = least(&sum);
    // Ends of a straight front lie in the plane up to rounding.
    if unit.get(below).is_some_and(|p| sum(p) < 1.0 - 1e-9) {
        return below;
    }
    least(&|p| p.iter().copied().fold(0.0, f64::max))
}

/// Indices of at most `k` of these points that show the front best: the knee first, then always the one that adds most.
///
/// Dominated points and all but the first of equal ones are left out. Two objectives: the subset of the largest hypervolume
/// (Bringmann, Friedrich, Klitzke, GECCO 2014), up to the reference 1.1 in units of the front. Three: the greedy one
/// (Guerreiro, Fonseca, Paquete, Evol. Comput. 24, 521, 2016). More: always the point furthest from those taken.
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
    let flat = |p: &Vec<f64>| std::array::from_fn(|d| p.get(d).copied().unwrap_or(0.0).min(REFERENCE));
    let mut chosen: Vec<usize> = if m == 2 && order.len() > k { largest(&unit, k) } else { (0..unit.len()).collect() };
    let first = knee(&chosen.iter().map(|&i| unit[i].clone()).collect::<Vec<_>>());
    let first = chosen[first];
    chosen = if m <= 3 {
        // A third objective that is constant does not matter.
        let rest: Vec<[f64; 3]> = chosen.iter().map(|&i| flat(&unit[i])).collect();
        let at = chosen.iter().position(|&i| i == first).unwrap_or(0);
        greedy(&rest, at, k).into_iter().map(|i| chosen[i]).collect()
    } else {
        let near: Vec<Vec<f64>> = unit.iter().map(|p| p.iter().map(|x| x.min(REFERENCE)).collect()).collect();
        apart(&near, first, k)
    };
    chosen.into_iter().map(|i| order[i]).collect()
}

/// The `k` of the points, two objectives in the order of the first, none dominated, that have the largest hypervolume.
///
/// With i_1 < ... < i_k the volume is the sum of (x_{j+1} - x_j) (r - y_j), where x_{k+1} = r. The best predecessor of a point
/// moves up with the point, so that each of the k rows takes O(n log n) by halving.
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
/// What a point adds never grows, so the one on top of the list stays on top if it still adds as much.
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
