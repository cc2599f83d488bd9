//! The front of a search, its scale, its knee, and the point that suits a preference.

use super::archive::Point;
use super::dominance::{in_order, layers};
use crate::{Purpose, Trial};
use std::collections::BTreeMap;

/// The reference point in units of the front, whose ideal is 0 and whose nadir is 1. Chosen here: 1.1, the usual one of
/// comparisons; larger ones favor the ends.
pub(super) const REFERENCE: f64 = 1.1;

/// A candidate of a search, with the means over all its trials, each on replicas of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Index of its first trial.
    pub first: usize,
    /// Mean losses.
    pub losses: Vec<f64>,
    /// Mean violation, 0 if feasible.
    pub violation: f64,
    /// Number of its trials.
    pub rounds: u32,
}

/// The candidates of the search, in the order of their first trials; without those that failed in any, and without trials of
/// other purposes.
pub fn candidates(trials: &[Trial]) -> Vec<Candidate> {
    let mut places: BTreeMap<Vec<u64>, Option<(usize, Point)>> = BTreeMap::new();
    let m = trials.iter().find(|t| t.is_done()).map_or(0, |t| t.objectives.len());
    for (first, trial) in trials.iter().enumerate().filter(|(_, t)| t.question.purpose == Purpose::Search) {
        // An evaluator may have no replicas beyond the first ones: that says nothing about the candidate.
        if !trial.is_done() && trial.question.replicas.start > 0 && trial.values.iter().all(Vec::is_empty) {
            continue;
        }
        let key = trial.question.genome.iter().map(|u| u.to_bits()).collect();
        let fresh = || {
            let losses = trial.objectives.clone();
            Some((first, Point { genome: Vec::new(), losses, violation: trial.violation, rounds: 0 }))
        };
        let place = places.entry(key).or_insert_with(fresh);
        if !trial.is_done() || trial.objectives.len() != m {
            *place = None;
        } else if let Some((_, point)) = place {
            point.add(&trial.objectives, trial.violation);
        }
    }
    let mut found: Vec<Candidate> = places
        .into_values()
        .flatten()
        .map(|(first, p)| Candidate { first, losses: p.losses, violation: p.violation, rounds: p.rounds })
        .collect();
    found.sort_by_key(|c| c.first);
    found
}

/// The front of a search: indices of the first trials of the [`candidates`] that are feasible and that no other such candidate
/// dominates, in their order; of equal ones the first. Empty if nothing is feasible.
///
/// Where candidates were asked again on new replicas, only those that were asked most often count: the others may be
/// luck.
pub fn front(trials: &[Trial]) -> Vec<usize> {
    let mut feasible = candidates(trials);
    feasible.retain(|c| c.violation <= 0.0);
    let most = feasible.iter().map(|c| c.rounds).max().unwrap_or(0);
    feasible.retain(|c| c.rounds == most);
    let points: Vec<&[f64]> = feasible.iter().map(|c| c.losses.as_slice()).collect();
    let layer = layers(&points);
    let mut first: Vec<usize> = (0..points.len()).filter(|&i| layer[i] == 0).collect();
    first.sort_by(|&a, &b| in_order(points[a], points[b]).then(a.cmp(&b)));
    first.dedup_by(|b, a| points[*a] == points[*b]);
    first.sort_unstable();
    first.into_iter().map(|i| feasible[i].first).collect()
}

/// The points in units of the front: 0 is the best of each objective, 1 the worst value among the ends of the front.
///
/// The end that belongs to an objective is the point whose largest other loss is smallest, so that a point that is slightly
/// better in one objective and far worse in another does not stretch the scale (Deb, Jain, IEEE Trans. Evol. Comput. 18,
/// 577, 2014, eq. 4; differs: the largest coordinates of the ends instead of the intercepts of the plane through them).
pub(super) fn scaled(points: &[&[f64]]) -> Vec<Vec<f64>> {
    let unit = ranged(points);
    let ends = ends(&unit);
    stretched(unit, &ends)
}

/// As [`scaled`]; but where one point is the end of two objectives, which then hardly oppose each other, 1 is the worst value of
/// the front: in units of such an end it would look like the worst of both, and the other end too good.
fn balanced(points: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let unit = ranged(&points.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let ends = ends(&unit);
    let shared = ends.iter().enumerate().any(|(d, end)| ends[..d].contains(end));
    if shared { unit } else { stretched(unit, &ends) }
}

/// The points in units of their range: 0 is the best of each objective, 1 the worst.
fn ranged(points: &[&[f64]]) -> Vec<Vec<f64>> {
    let m = points.first().map_or(0, |p| p.len());
    let column = |d: usize| points.iter().map(move |p| p[d]);
    let low: Vec<f64> = (0..m).map(|d| column(d).fold(f64::INFINITY, f64::min)).collect();
    let high: Vec<f64> = (0..m).map(|d| column(d).fold(f64::NEG_INFINITY, f64::max)).collect();
    // Halves, because the span of huge numbers is not finite.
    let share =
        |x: f64, low: f64, high: f64| if high > low { (0.5 * x - 0.5 * low) / (0.5 * high - 0.5 * low) } else { 0.0 };
    points.iter().map(|p| (0..m).map(|d| share(p[d], low[d], high[d])).collect()).collect()
}

/// For each objective the end of the front that belongs to it; none for one objective.
fn ends(unit: &[Vec<f64>]) -> Vec<usize> {
    let m = unit.first().map_or(0, Vec::len);
    if m < 2 {
        return Vec::new();
    }
    let others = |p: &[f64], d: usize| (0..m).filter(|&e| e != d).map(|e| p[e]).fold(0.0, f64::max);
    (0..m)
        .map(|d| {
            let key = |i: usize| (others(&unit[i], d), unit[i][d]);
            (1..unit.len()).fold(0, |best, i| if key(i) < key(best) { i } else { best })
        })
        .collect()
}

/// Points in units of their range, in units of their ends.
fn stretched(mut unit: Vec<Vec<f64>>, ends: &[usize]) -> Vec<Vec<f64>> {
    for d in 0..ends.len() {
        let nadir = ends.iter().map(|&i| unit[i][d]).fold(0.0, f64::max);
        // For a front narrower than this part of the range the range itself is the better scale.
        if nadir > 1e-6 {
            unit.iter_mut().for_each(|p| p[d] /= nadir);
        }
    }
    unit
}

/// The most balanced of these points: the one furthest below the plane through the ends of the front, which has the smallest
/// sum of losses in units of the front; where the front does not bulge below that plane, the one whose largest loss is
/// smallest. The first of equals; 0 for no points.
pub fn knee(points: &[Vec<f64>]) -> usize {
    let unit = balanced(points);
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

/// Weight of the sum of the weighted losses beside the largest of them. Chosen here: enough to tell apart points whose
/// largest is the same.
const SUM: f64 = 1e-3;

/// The point that suits these weights, one for each objective, 0 or more: with losses in units of the front, the smallest
/// largest product of weight and loss.
///
/// The augmented weighted Chebyshev distance from the ideal (Steuer, Choo, Math. Program. 26, 326, 1983): unlike a weighted sum it
/// reaches points where the front bulges away from the ideal. The first of equals; 0 for no points.
pub fn preferred(points: &[Vec<f64>], weights: &[f64]) -> usize {
    let unit = balanced(points);
    let cost = |p: &[f64]| {
        let weighted = || p.iter().zip(weights).map(|(x, w)| x * w);
        // An objective without weight still decides among equals.
        let rest = SUM * p.iter().sum::<f64>();
        weighted().fold(0.0, f64::max) + SUM * (weighted().sum::<f64>() + rest)
    };
    (1..unit.len()).fold(0, |best, i| if cost(&unit[i]) < cost(&unit[best]) { i } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Question};

    /// A trial of the candidate with this one gene.
    fn trial(gene: f64, losses: &[f64], violation: f64) -> Trial {
        let outcome = if losses.is_empty() { Outcome::Failed("fell over".to_owned()) } else { Outcome::Done };
        let question = Question { purpose: Purpose::Search, genome: vec![gene], replicas: 0..1 };
        let objectives = losses.to_vec();
        Trial { id: 0, question, outcome, objectives, violation, measures: Vec::new(), values: Vec::new() }
    }

    fn rows<const N: usize, const M: usize>(points: [[f64; M]; N]) -> Vec<Vec<f64>> {
        points.iter().map(|p| p.to_vec()).collect()
    }

    #[test]
    fn a_front_by_hand() {
        let mut trials = vec![
            trial(0.0, &[], 0.0),
            trial(0.1, &[2.0, 2.0], 0.0),
            trial(0.2, &[0.0, 0.0], 0.5),
            trial(0.3, &[1.0, 3.0], 0.0),
            trial(0.4, &[2.0, 3.0], 0.0),
            trial(0.5, &[2.0, 2.0], 0.0),
            trial(0.6, &[3.0, 1.0], 0.0),
        ];
        assert_eq!(front(&trials), [1, 3, 6]);
        assert!(front(&trials[2..3]).is_empty() && front(&trials[..1]).is_empty() && front(&[]).is_empty());
        trials[1].question.purpose = Purpose::Report;
        assert_eq!(front(&trials), [3, 5, 6]);
    }

    #[test]
    fn only_what_was_asked_most_often_is_on_the_front() {
        let trials = [
            trial(0.1, &[1.0, 4.0], 0.0),
            trial(0.2, &[0.0, 0.0], 0.0),
            trial(0.3, &[3.0, 3.0], 0.0),
            trial(0.4, &[0.0, 1.0], 0.0),
            trial(0.1, &[3.0, 2.0], 0.0),
            trial(0.3, &[3.0, 5.0], 0.0),
            trial(0.4, &[], 0.0),
        ];
        let one = Candidate { first: 0, losses: vec![2.0, 3.0], violation: 0.0, rounds: 2 };
        let lucky = Candidate { first: 1, losses: vec![0.0, 0.0], violation: 0.0, rounds: 1 };
        let worse = Candidate { first: 2, losses: vec![3.0, 4.0], violation: 0.0, rounds: 2 };
        assert_eq!(candidates(&trials), [one, lucky, worse]);
        assert_eq!(front(&trials), [0]);
        // Without fresh replicas nothing is known.
        let mut none = trial(0.1, &[], 0.0);
        none.question.replicas = 1..2;
        assert_eq!(front(&[trials[0].clone(), none]), [0]);
    }

    #[test]
    fn knees_by_hand() {
        // Below the line between the ends; the second objective is counted in thousands.
        assert_eq!(knee(&rows([[0.0, 1e3], [0.2, 300.0], [0.4, 200.0], [1.0, 0.0]])), 1);
        // Bulging outward: the smallest of the largest losses 1, 0.95, 0.8, 1.
        assert_eq!(knee(&rows([[0.0, 1.0], [0.3, 0.95], [0.75, 0.8], [1.0, 0.0]])), 2);
        // A straight front: its middle.
        assert_eq!(knee(&rows([[0.0, 1.0], [0.1, 0.9], [0.5, 0.5], [1.0, 0.0]])), 2);
        assert_eq!((knee(&[]), knee(&rows([[3.0, 4.0]]))), (0, 0));
        // An end that is hardly better in one objective and far worse in the others does not stretch the scale: with it the sums
        // of the first three points would be 0.1, 0.18 and 1.
        let long = rows([[1.0, 0.0, 0.0], [0.5, 0.45, 0.45], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [10.0, -1e-9, 0.9]]);
        assert_eq!(knee(&long), 1);
        // The first two objectives go together: neither end of the front is the most balanced point.
        assert_eq!(knee(&rows([[0.0, 0.0, 1.0], [0.16, 0.19, 0.05], [1.0, 1.0, 0.0]])), 1);
    }

    #[test]
    fn preferences_by_hand() {
        // Bulging outward; in units of the front the second objective counts in thousands.
        let points = rows([[0.0, 1e3], [0.3, 950.0], [0.75, 800.0], [1.0, 0.0]]);
        // 1, 0.95, 0.8, 1: then 3, 2.85, 2.4, 1; then 1, 0.95, 1.5, 2.
        assert_eq!(preferred(&points, &[1.0, 1.0]), 2);
        assert_eq!(preferred(&points, &[1.0, 3.0]), 3);
        assert_eq!(preferred(&points, &[2.0, 1.0]), 1);
        assert_eq!((preferred(&points, &[1.0, 0.0]), preferred(&points, &[0.0, 1.0])), (0, 3));
        // Without a weight the better one of equals.
        assert_eq!(preferred(&rows([[0.0, 2.0, 1.0], [0.0, 1.0, 1.0], [2.0, 0.0, 0.0]]), &[1.0, 0.0, 0.0]), 1);
        assert_eq!(preferred(&[], &[]), 0);
    }

    #[test]
    fn huge_losses_are_scaled() {
        let (low, high) = (-f64::MAX, f64::MAX);
        let points = rows([[low, high], [0.0, 0.0], [high, low]]);
        let unit = scaled(&points.iter().map(Vec::as_slice).collect::<Vec<_>>());
        assert_eq!(unit, rows([[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]));
    }
}
