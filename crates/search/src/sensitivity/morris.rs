//! Morris screening: elementary effects along trajectories through the space.
//!
//! Morris, Technometrics 33, 161 (1991); mean of the absolute effects after Campolongo, Cariboni, Saltelli, Environ. Model.
//! Softw. 22, 1509 (2007). An effect is the change of the answer over the step, in units of the whole range of the gene
//! (for a choice: the change when the word is changed).

use super::Estimate;
use crate::Genome;
use crate::space::{Axis, Space};
use crowdtune_core::math::rng::{ChaCha8Rng, Seed, below};
use crowdtune_core::math::stats;

/// Levels of a real gene. Morris 1991 and Campolongo 2007 take four.
const LEVELS: usize = 4;

/// Fewer effects than this give no figures: a spread needs some.
const FEWEST: usize = 4;

/// One step of a trajectory: from row `from` to the row after it only this gene changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The row before.
    pub from: usize,
    /// The gene.
    pub gene: usize,
    /// The change as a share of the range, with its sign; 1 for a choice.
    pub change: f64,
}

/// The rows to be asked, and the steps between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Design {
    /// The genomes: trajectories of `genes + 1` rows, one after the other.
    pub rows: Vec<Genome>,
    /// The steps, trajectory by trajectory.
    pub steps: Vec<Step>,
}

/// A design of this many trajectories. Trajectory k depends on the seed and k alone, so a design can be extended.
///
/// Four trajectories in a row start a gene on each of its four levels once; genes are changed in random order. Whole
/// numbers take at most four levels, evenly spread; a choice changes to any other word.
pub fn design(space: &Space, trajectories: usize, seed: Seed) -> Design {
    let mut out = Design::default();
    for k in 0..trajectories {
        let block = seed.child("block", (k / LEVELS) as u64);
        let mut rng = seed.child("trajectory", k as u64).rng();
        let mut levels: Vec<usize> = (0..space.len())
            .map(|g| {
                let quarter = shuffled(LEVELS, &mut block.child("gene", g as u64).rng())[k % LEVELS];
                let count = levels(&space.genes[g].axis);
                (quarter * count + below(&mut rng, count)) / LEVELS
            })
            .collect();
        let row = |levels: &[usize]| -> Genome {
            space.genes.iter().zip(levels).map(|(gene, &level)| coordinate(&gene.axis, level)).collect()
        };
        out.rows.push(row(&levels));
        for gene in shuffled(space.len(), &mut rng) {
            let axis = &space.genes[gene].axis;
            let old = levels[gene];
            levels[gene] = other(axis, old, &mut rng);
            let change = change(axis, old, levels[gene]);
            out.steps.push(Step { from: out.rows.len() - 1, gene, change });
            out.rows.push(row(&levels));
        }
    }
    out
}

fn shuffled(n: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, below(rng, i + 1));
    }
    order
}

/// Number of levels: all words of a choice, of numbers at most [`LEVELS`].
fn levels(axis: &Axis) -> usize {
    let cells = axis.cells().map_or(LEVELS, |cells| cells.min(1 << 20) as usize);
    if axis.is_choice() { cells } else { cells.min(LEVELS) }
}

/// The cell of a level of a whole number or a choice.
fn cell(axis: &Axis, level: usize) -> u64 {
    let cells = axis.cells().unwrap_or(1);
    let steps = (levels(axis) as u64 - 1).max(1);
    if axis.is_choice() { level as u64 } else { (level as u64 * (cells - 1) + steps / 2) / steps }
}

fn coordinate(axis: &Axis, level: usize) -> f64 {
    match axis.cells() {
        Some(_) => axis.middle(cell(axis, level)),
        None => level as f64 / (LEVELS - 1) as f64,
    }
}

/// Half the levels up or down, whichever fits, so that every level is reached equally often (Morris 1991, section 3).
fn other(axis: &Axis, level: usize, rng: &mut ChaCha8Rng) -> usize {
    let count = levels(axis);
    if axis.is_choice() && count > 1 {
        return (level + 1 + below(rng, count - 1)) % count;
    }
    let jump = count / 2;
    match (level >= jump, level + jump < count) {
        (true, true) => {
            if below(rng, 2) == 0 {
                level - jump
            } else {
                level + jump
            }
        }
        (true, false) => level - jump,
        (false, _) => level + jump,
    }
}

/// The change between two levels as a share of the range; 1 where a gene cannot move, whose effect is 0 anyway.
fn change(axis: &Axis, from: usize, to: usize) -> f64 {
    let share = match axis.cells() {
        _ if axis.is_choice() => 1.0,
        Some(cells) => (cell(axis, to) as f64 - cell(axis, from) as f64) / (cells.max(2) - 1) as f64,
        None => (to as f64 - from as f64) / (LEVELS - 1) as f64,
    };
    if share == 0.0 { 1.0 } else { share }
}

/// What a gene does to an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Mean of the absolute effects: how much the gene matters, in the unit of the answer over the whole range.
    pub mu_star: Estimate,
    /// Mean of the effects: in which direction; near 0 where it goes both ways, and for choices.
    pub mu: Estimate,
    /// Standard deviation of the effects: how much the gene acts by curvature or together with others.
    pub sigma: Estimate,
    /// Number of effects with an answer at both ends of the step.
    pub effects: usize,
}

/// The effect of each gene on one answer; `y` has one number per row, NaN where it is missing. Steps with a missing end are
/// left out; intervals resample the effects of each gene.
pub fn effects(genes: usize, design: &Design, y: &[f64], seed: Seed) -> Vec<Effect> {
    (0..genes)
        .map(|gene| {
            let own = design.steps.iter().filter(|s| s.gene == gene);
            let effects: Vec<f64> =
                own.map(|s| (y[s.from + 1] - y[s.from]) / s.change).filter(|e| e.is_finite()).collect();
            let figure = |statistic: fn(&[f64]) -> f64, x: &[f64], meaning| {
                let ends = stats::bootstrap(x, statistic, seed.child(meaning, gene as u64));
                match ends.filter(|_| x.len() >= FEWEST) {
                    Some((low, high)) => Estimate { value: statistic(x), low, high },
                    None => Estimate::NONE,
                }
            };
            let sizes: Vec<f64> = effects.iter().map(|e| e.abs()).collect();
            Effect {
                mu_star: figure(stats::mean, &sizes, "mu_star"),
                mu: figure(stats::mean, &effects, "mu"),
                sigma: figure(stats::sd, &effects, "sigma"),
                effects: effects.len(),
            }
        })
        .collect()
}

#[cfg(test)]
#[path = "morris_tests.rs"]
mod tests;
