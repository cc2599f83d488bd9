//! Which candidate to trust where losses are noisy or jagged: one whose neighbors are good too.
//!
//! The best loss of hundreds of noisy ones is the luckiest. A Gaussian process over the ranks of all candidates (Rasmussen,
//! Williams, Gaussian Processes for Machine Learning, 2006, chapters 2 and 5) tells what is shared with the neighbors from
//! what is luck; candidates are ordered by its mean plus some of its deviation, so that a place with few witnesses has to
//! look the better.

use super::cost::{Cost, compare};
use super::space::Space;
use crate::math::linear::{cholesky, dot, solve_transposed, solve_upper};

/// Candidates that are taken in, half of them the best, the others evenly from the rest. Chosen here: the time grows with the cube,
/// half a second.
const MOST: usize = 500;
/// Reaches of a neighborhood that are tried, root mean square distance over the genes, a share of the range. Chosen here.
const REACHES: [f64; 5] = [0.05, 0.1, 0.2, 0.4, 0.8];
/// Shares of luck that are tried, a variance in units of what neighbors share. Chosen here: without any luck nobody needs this.
const LUCK: [f64; 4] = [0.03, 0.1, 0.3, 1.0];
/// So many deviations of the mean count against a candidate. Chosen here: of 0, 0.5, 1, 1.5, 2 and 3 the best on fresh runs of 50 searches
/// (docs/optimizers.md).
const WARY: f64 = 2.0;
/// Distance of two different words in one gene, a share of the range. Chosen here: half of what two numbers can be apart.
const WORDS: f64 = 0.5;

/// Indices of candidates that did not fail, the most trusted first. Equal ones keep their order.
pub fn trusted(space: &Space, seen: &[(&[f64], Option<Cost>)]) -> Vec<usize> {
    let ranks = ranks(seen);
    let mut order: Vec<usize> = (0..seen.len()).collect();
    order.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
    if order.len() > MOST {
        let rest = order.split_off(MOST / 2);
        let each = rest.len() as f64 / (MOST - MOST / 2) as f64;
        order.extend((0..MOST - MOST / 2).map(|k| rest[(k as f64 * each) as usize]));
    }
    // A rank as the logarithm of the odds to be better: ends are further apart than the middle.
    let count = seen.len() as f64;
    let heights: Vec<f64> = order.iter().map(|&i| libm::log(ranks[i] / (count - ranks[i]))).collect();
    let genomes: Vec<&[f64]> = order.iter().map(|&i| seen[i].0).collect();
    let wary = wary(&squares(space, &genomes), &heights);
    let mut places: Vec<usize> = (0..order.len()).filter(|&k| seen[order[k]].1.is_some()).collect();
    if let Some(wary) = wary {
        places.sort_by(|&a, &b| wary[a].total_cmp(&wary[b]));
    }
    places.into_iter().map(|k| order[k]).collect()
}

/// Ranks from 0.5 on, the best first, failed ones last; equals share the mean of theirs.
fn ranks(seen: &[(&[f64], Option<Cost>)]) -> Vec<f64> {
    let cost = |i: usize| seen[i].1.unwrap_or((f64::INFINITY, f64::INFINITY));
    let mut order: Vec<usize> = (0..seen.len()).collect();
    order.sort_by(|&a, &b| compare(cost(a), cost(b)));
    let mut ranks = vec![0.0; seen.len()];
    let mut first = 0;
    for equals in order.chunk_by(|&a, &b| cost(a) == cost(b)) {
        let mean = first as f64 + 0.5 * equals.len() as f64;
        equals.iter().for_each(|&i| ranks[i] = mean);
        first += equals.len();
    }
    ranks
}

/// Mean square distances over the genes, row by row.
fn squares(space: &Space, genomes: &[&[f64]]) -> Vec<f64> {
    let apart = |a: &[f64], b: &[f64]| -> f64 {
        let genes = space.genes.iter().zip(a.iter().zip(b));
        let square = |(gene, (a, b)): (&super::space::Gene, (&f64, &f64))| match gene.axis.is_choice() {
            true if gene.axis.cell(*a) == gene.axis.cell(*b) => 0.0,
            true => WORDS * WORDS,
            false => (a - b) * (a - b),
        };
        genes.map(square).sum::<f64>() / space.len().max(1) as f64
    };
    genomes.iter().flat_map(|a| genomes.iter().map(move |b| apart(a, b))).collect()
}

/// Mean plus deviations of the process that explains the heights best; `None` if they are all equal.
fn wary(squares: &[f64], heights: &[f64]) -> Option<Vec<f64>> {
    let n = heights.len();
    let mean = heights.iter().sum::<f64>() / n as f64;
    let heights: Vec<f64> = heights.iter().map(|h| h - mean).collect();
    if n < 3 || dot(&heights, &heights) <= 0.0 {
        return None;
    }
    let (mut best, mut likelihood) = (None, f64::NEG_INFINITY);
    for reach in REACHES {
        let shared: Vec<f64> = squares.iter().map(|d| libm::exp(-d / (2.0 * reach * reach))).collect();
        for luck in LUCK {
            let mut factor = shared.clone();
            (0..n).for_each(|i| factor[i * n + i] += luck);
            if !cholesky(n, &mut factor) {
                continue;
            }
            let mut weights = heights.clone();
            solve_transposed(n, &factor, &mut weights);
            // The scale that fits best, and with it (2.30) of the source.
            let scale = dot(&weights, &weights) / n as f64;
            let log_det: f64 = (0..n).map(|i| libm::log(factor[i * n + i])).sum();
            let here = -0.5 * n as f64 * libm::log(scale) - log_det;
            if here > likelihood {
                solve_upper(n, &factor, &mut weights);
                likelihood = here;
                best = Some((shared.clone(), factor, weights, scale));
            }
        }
    }
    let (shared, factor, weights, scale) = best?;
    // (2.25) and (2.26).
    let wary = |row: &[f64]| {
        let mut known = row.to_vec();
        solve_transposed(n, &factor, &mut known);
        dot(row, &weights) + WARY * (scale * (1.0 - dot(&known, &known)).max(0.0)).sqrt()
    };
    Some(shared.chunks_exact(n).map(wary).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::{Seed, normal, unit};
    use crate::search::space::{Axis, Gene};

    fn space(axes: Vec<Axis>) -> Space {
        Space { genes: axes.into_iter().map(|axis| Gene { key: String::new(), axis }).collect() }
    }

    fn reals(n: usize) -> Space {
        space(vec![Axis::Real { low: 0.0, high: 1.0, log: false }; n])
    }

    #[test]
    fn a_lucky_one_among_bad_neighbors_is_not_trusted() {
        // A valley along the second gene; noise of a third of its height; over many draws the trusted one is better than the best.
        let space = reals(2);
        let truth = |x: &[f64]| (x[0] - 0.7) * (x[0] - 0.7);
        let (mut trusting, mut believing) = (0.0, 0.0);
        for number in 0..20 {
            let mut rng = Seed(3).child("draw", number).rng();
            let points: Vec<Vec<f64>> = (0..120).map(|_| vec![unit(&mut rng), unit(&mut rng)]).collect();
            let costs: Vec<f64> = points.iter().map(|x| truth(x) + 0.15 * normal(&mut rng)).collect();
            let seen: Vec<_> = points.iter().zip(&costs).map(|(x, c)| (&x[..], Some((0.0, *c)))).collect();
            let best = (0..120).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).unwrap();
            trusting += truth(&points[trusted(&space, &seen)[0]]);
            believing += truth(&points[best]);
        }
        assert!(trusting < 0.3 * believing, "{trusting} {believing}");
    }

    #[test]
    fn failed_ones_are_left_out_and_infeasible_neighbors_count_against_one() {
        let space = reals(1);
        let points: Vec<[f64; 1]> = (0..40).map(|i| [f64::from(i) / 39.0]).collect();
        // All alike in loss; right of 0.5 everything misses a must but one lucky point.
        let cost = |i: usize| match i {
            30 => Some((0.0, 0.9)),
            0 => None,
            i if i >= 20 => Some((1.0, 0.5)),
            i => Some((0.0, 1.0 + 0.001 * (i as f64 * 0.618).fract())),
        };
        let seen: Vec<_> = points.iter().enumerate().map(|(i, x)| (&x[..], cost(i))).collect();
        let order = trusted(&space, &seen);
        assert!(order.len() == 39 && !order.contains(&0) && order[0] < 20, "{order:?}");
    }

    #[test]
    fn words_are_neighbors_of_themselves_alone() {
        let space = space(vec![Axis::Choice(vec![0.0, 1.0, 2.0])]);
        let genomes: [&[f64]; 3] = [&[0.1], &[0.2], &[0.5]];
        assert_eq!(squares(&space, &genomes), [0.0, 0.0, 0.25, 0.0, 0.0, 0.25, 0.25, 0.25, 0.0]);
    }

    #[test]
    fn equal_few_and_many_candidates_are_ordered() {
        let space = reals(1);
        assert!(trusted(&space, &[]).is_empty());
        assert_eq!(trusted(&space, &[(&[0.5], Some((0.0, 1.0))), (&[0.6], Some((0.0, 1.0)))]), [0, 1]);
        let points: Vec<[f64; 1]> = (0..700).map(|i| [(f64::from(i) * 0.618).fract()]).collect();
        let seen: Vec<_> = points.iter().map(|x| (&x[..], Some((0.0, (x[0] - 0.4).abs())))).collect();
        let order = trusted(&space, &seen);
        assert!(order.len() == MOST && (points[order[0]][0] - 0.4).abs() < 0.02, "{:?}", points[order[0]]);
    }
}
