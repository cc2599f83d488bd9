//! Which parameters mattered in a log, without a new run.
//!
//! A forest is fitted to the ranks of the search trials, and the variance of its prediction over the whole space is shared
//! out by Sobol indices (after Hutter, Hoos, Leyton-Brown, ICML 2014, which takes the same apart in closed form). Ranks keep
//! a few terrible losses from deciding; the whole space, and not the rows, is what an optimizer did not choose.

use super::experiment::Experiment;
use super::summary::{Importance, Share};
use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::stats;
use crowdtune_search::sensitivity::forest::Forest;
use crowdtune_search::sensitivity::saltelli;
use crowdtune_search::{Purpose, Trial};

/// Fewest trials that a forest is grown from. Chosen here: a tree of four leaves.
const FEWEST: usize = 40;
/// Most trials that a forest is grown from; more are thinned evenly. Chosen here: it still grows in the blink of an eye.
const MOST: usize = 2000;
/// Least share of the variance that a forest has to explain. Chosen here: below it, the order of the parameters changes with the
/// seed of the forest.
pub const EXPLAINS: f64 = 0.3;
/// Base points over the space. Chosen here: shares are good to about 0.02.
const POINTS: u32 = 256;

/// The importance of the genes for each objective; empty without genes or objectives.
pub fn importance(experiment: &Experiment, trials: &[Trial]) -> Vec<Importance> {
    let genes = experiment.space.len();
    let searched: Vec<&Trial> = trials.iter().filter(|t| t.question.purpose == Purpose::Search).collect();
    if genes == 0 || searched.is_empty() {
        return Vec::new();
    }
    let kept = searched.len().min(MOST);
    let rows: Vec<&Trial> = (0..kept).map(|k| searched[k * searched.len() / kept]).collect();
    let names = experiment.objectives.iter().enumerate();
    names.map(|(at, name)| of_objective(experiment, &rows, at, name)).collect()
}

fn of_objective(experiment: &Experiment, rows: &[&Trial], objective: usize, name: &str) -> Importance {
    let space = &experiment.space;
    let mut out =
        Importance { objective: name.to_string(), trials: rows.len() as u64, explained: None, shares: Vec::new() };
    if rows.len() < FEWEST || space.len() > saltelli::MOST_GENES {
        return out;
    }
    let genomes: Vec<Vec<f64>> = rows.iter().map(|t| space.canonical(&t.question.genome)).collect();
    let forest = Forest::grow(space, &genomes, &ranks(rows, objective), Seed(0));
    out.explained = Some(forest.explained);
    if forest.explained < EXPLAINS {
        return out;
    }
    let design = saltelli::design(space, POINTS, Seed(0));
    let y: Vec<f64> = design.iter().map(|genome| forest.predict(genome)).collect();
    let (first, total) = saltelli::shares(space.len(), &y);
    let share = |(g, (first, total)): (usize, (f64, f64))| Share {
        key: space.genes[g].key.clone(),
        first: first.clamp(0.0, 1.0),
        total: total.clamp(0.0, 1.0),
    };
    let pairs = first.into_iter().zip(total).enumerate();
    out.shares = pairs.filter(|(_, (a, b))| a.is_finite() && b.is_finite()).map(share).collect();
    out
}

/// Ranks from 0, the best, to 1: failed trials last, infeasible ones before them by their violation, then the loss.
fn ranks(rows: &[&Trial], objective: usize) -> Vec<f64> {
    let loss = |t: &Trial| t.objectives.get(objective).copied().unwrap_or(f64::INFINITY);
    let key = |t: &Trial| (!t.is_done(), t.violation, loss(t));
    let compare = |a: &Trial, b: &Trial| {
        let ((fa, va, la), (fb, vb, lb)) = (key(a), key(b));
        fa.cmp(&fb).then(va.total_cmp(&vb)).then(la.total_cmp(&lb))
    };
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| compare(rows[a], rows[b]));
    // Equal rows get equal numbers, which `stats::ranks` turns into shared ranks.
    let mut place = vec![0.0; rows.len()];
    for pair in order.windows(2) {
        let worse = compare(rows[pair[0]], rows[pair[1]]).is_lt();
        place[pair[1]] = place[pair[0]] + if worse { 1.0 } else { 0.0 };
    }
    let most = (rows.len() as f64 - 1.0).max(1.0);
    stats::ranks(&place).into_iter().map(|rank| (rank - 1.0) / most).collect()
}

#[cfg(test)]
#[path = "importance_tests.rs"]
mod tests;
