//! The archive of an atlas: the measures cut into cells, and the best candidates of each cell.

use crate::{Genome, Measure, Trial};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A candidate in its cell, with the means over all replicas it was tried on.
#[derive(Clone, Debug, PartialEq)]
pub struct Elite {
    /// Id of the first trial of the candidate.
    pub id: u64,
    /// The candidate.
    pub genome: Genome,
    /// Mean violation, 0 if feasible.
    pub violation: f64,
    /// Mean loss.
    pub loss: f64,
    /// Mean measures, as they are: they may lie outside the axes.
    pub measures: Vec<f64>,
    /// Number of replicas behind the means.
    pub replicas: u32,
    /// Slopes of loss and measures around it, as the optimizer learned them; empty in a rebuilt archive.
    pub(super) slopes: Vec<f64>,
}

impl Elite {
    /// The candidate of a trial that is done and has finite objectives and `count` finite measures, else `None`.
    pub fn of(trial: &Trial, count: usize) -> Option<Self> {
        let loss = *trial.objectives.first()?;
        let sound = trial.is_done() && loss.is_finite() && trial.violation.is_finite();
        let placed = trial.measures.len() == count && trial.measures.iter().all(|m| m.is_finite());
        (sound && placed).then(|| Self {
            id: trial.id,
            genome: trial.question.genome.clone(),
            violation: trial.violation,
            loss,
            measures: trial.measures.clone(),
            replicas: trial.question.replicas.len() as u32,
            slopes: Vec::new(),
        })
    }

    /// The candidates of these trials: trials of one candidate are averaged; one that failed once, or lacks one of `count`
    /// measures, is none. In the order of their genomes.
    pub fn candidates<'t>(count: usize, trials: impl IntoIterator<Item = &'t Trial>) -> Vec<Self> {
        let mut candidates: BTreeMap<Vec<u64>, Option<Self>> = BTreeMap::new();
        for trial in trials {
            let key = trial.question.genome.iter().map(|u| u.to_bits()).collect();
            let elite = Self::of(trial, count);
            candidates
                .entry(key)
                .and_modify(|known| {
                    *known = match (known.take(), &elite) {
                        (Some(mut known), Some(new)) => {
                            known.merge(new);
                            Some(known)
                        }
                        _ => None,
                    }
                })
                .or_insert(elite);
        }
        candidates.into_values().flatten().collect()
    }

    /// Takes in the same candidate on other replicas: the means become those over all of them.
    pub fn merge(&mut self, other: &Self) {
        let all = f64::from(self.replicas.max(1)) + f64::from(other.replicas.max(1));
        let (old, new) = (f64::from(self.replicas.max(1)) / all, f64::from(other.replicas.max(1)) / all);
        // Weights first: sums of huge losses would overflow. Equal means stay as they are to the last digit: any difference
        // would be taken for noise.
        let mean = |mine: f64, theirs: f64| if mine == theirs { mine } else { mine * old + theirs * new };
        self.violation = mean(self.violation, other.violation);
        self.loss = mean(self.loss, other.loss);
        for (mine, theirs) in self.measures.iter_mut().zip(&other.measures) {
            *mine = mean(*mine, *theirs);
        }
        self.id = self.id.min(other.id);
        self.replicas = self.replicas.saturating_add(other.replicas);
    }

    /// Compares two candidates of a cell, better first: violation, loss, then the smaller id.
    pub fn compare(&self, other: &Self) -> Ordering {
        let by_cost = self.violation.total_cmp(&other.violation).then(self.loss.total_cmp(&other.loss));
        by_cost.then(self.id.cmp(&other.id))
    }
}

/// What became of a candidate that was offered to the archive.
#[derive(Clone, Debug, PartialEq)]
pub enum Offer {
    /// Its cell was empty.
    Filled,
    /// It is the new best of its cell; violation and loss of the one before.
    Improved(f64, f64),
    /// It is kept behind the best of its cell, or not at all.
    Behind,
}

/// A cell with at least one candidate.
#[derive(Clone, Debug)]
struct Cell {
    index: u64,
    /// Best first, never empty.
    ranks: Vec<Elite>,
}

/// The measures cut into cells, each with the best candidates seen there.
#[derive(Clone, Debug)]
pub struct Grid {
    measures: Vec<Measure>,
    depth: usize,
    places: BTreeMap<u64, usize>,
    cells: Vec<Cell>,
}

impl Grid {
    /// An empty archive on these axes that keeps `depth` candidates in a cell, 1 or more.
    pub fn new(measures: &[Measure], depth: usize) -> Self {
        Self { measures: measures.to_vec(), depth: depth.max(1), places: BTreeMap::new(), cells: Vec::new() }
    }

    /// The archive of these trials, of every [candidate](Elite::candidates) of them.
    pub fn from_trials(measures: &[Measure], trials: &[Trial]) -> Self {
        let mut grid = Self::new(measures, 1);
        for elite in Elite::candidates(measures.len(), trials) {
            grid.offer(elite);
        }
        grid
    }

    /// The axes.
    pub fn measures(&self) -> &[Measure] {
        &self.measures
    }

    /// Where a value lies on an axis, in cells: 0 at the low end. Not clamped.
    pub fn place(axis: &Measure, value: f64) -> f64 {
        (value - axis.low) / (axis.high - axis.low) * f64::from(axis.cells)
    }

    /// The cell on an axis; what lies outside belongs to the cell at that end, a value on an inner border to the upper cell.
    fn step(axis: &Measure, value: f64) -> u64 {
        (Self::place(axis, value).max(0.0) as u64).min(u64::from(axis.cells.max(1)) - 1)
    }

    /// Number of the cell of these measures, the first axis varying slowest. Measures outside an axis count as its border cell.
    pub fn index(&self, measures: &[f64]) -> u64 {
        self.measures.iter().zip(measures).fold(0, |index: u64, (axis, &value)| {
            index.wrapping_mul(u64::from(axis.cells.max(1))).wrapping_add(Self::step(axis, value))
        })
    }

    /// The cell's number on each axis.
    pub fn coordinates(&self, mut index: u64) -> Vec<u32> {
        let mut coordinates = vec![0; self.measures.len()];
        for (at, axis) in coordinates.iter_mut().zip(&self.measures).rev() {
            let cells = u64::from(axis.cells.max(1));
            *at = (index % cells) as u32;
            index /= cells;
        }
        coordinates
    }

    /// Offers a candidate to its cell, and says what became of it.
    pub fn offer(&mut self, elite: Elite) -> Offer {
        let index = self.index(&elite.measures);
        let Some(&at) = self.places.get(&index) else {
            self.places.insert(index, self.cells.len());
            self.cells.push(Cell { index, ranks: vec![elite] });
            return Offer::Filled;
        };
        let ranks = &mut self.cells[at].ranks;
        let rank = ranks.partition_point(|other| other.compare(&elite).is_lt());
        let before = (ranks[0].violation, ranks[0].loss);
        if rank < self.depth {
            ranks.truncate(self.depth - 1);
            ranks.insert(rank, elite);
        }
        if rank == 0 { Offer::Improved(before.0, before.1) } else { Offer::Behind }
    }

    /// Takes a candidate out of its cell; `None` if it is not there any more.
    pub(super) fn take(&mut self, index: u64, id: u64) -> Option<Elite> {
        let at = *self.places.get(&index)?;
        let ranks = &mut self.cells[at].ranks;
        let rank = ranks.iter().position(|elite| elite.id == id)?;
        let elite = ranks.remove(rank);
        if ranks.is_empty() {
            self.places.remove(&index);
            self.cells.swap_remove(at);
            if let Some(moved) = self.cells.get(at) {
                self.places.insert(moved.index, at);
            }
        }
        Some(elite)
    }

    /// A candidate of a cell, to learn about its surroundings.
    pub(super) fn find_mut(&mut self, index: u64, id: u64) -> Option<&mut Elite> {
        let at = *self.places.get(&index)?;
        self.cells[at].ranks.iter_mut().find(|elite| elite.id == id)
    }

    /// Keeps `depth` candidates in a cell from now on.
    pub(super) fn deepen(&mut self, depth: usize) {
        self.depth = depth.max(1);
    }

    /// The best of a cell, if it has one.
    pub fn best(&self, index: u64) -> Option<&Elite> {
        self.places.get(&index).map(|&at| &self.cells[at].ranks[0])
    }

    /// The best of the filled cell with this number in the order of filling.
    pub(super) fn nth(&self, at: usize) -> &Elite {
        &self.cells[at].ranks[0]
    }

    /// The candidates of each filled cell, best first, in the order of filling.
    pub(super) fn ranks(&self) -> impl Iterator<Item = &[Elite]> {
        self.cells.iter().map(|cell| cell.ranks.as_slice())
    }

    /// Number of filled cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// True if no cell is filled.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Filled cells and their elites, by number of the cell.
    pub fn elites(&self) -> impl Iterator<Item = (u64, &Elite)> {
        self.places.iter().map(|(&index, &at)| (index, &self.cells[at].ranks[0]))
    }

    /// Number of cells, filled or not.
    pub fn size(&self) -> f64 {
        self.measures.iter().map(|axis| f64::from(axis.cells.max(1))).product()
    }

    /// Share of the cells that are filled, 0 to 1.
    pub fn coverage(&self) -> f64 {
        self.len() as f64 / self.size()
    }

    /// Sum over filled cells of how far the loss lies below `bad`, a loss that is as bad as an empty cell; worse and infeasible
    /// elites add nothing.
    pub fn qd_score(&self, bad: f64) -> f64 {
        self.elites().filter(|(_, e)| e.violation <= 0.0).map(|(_, e)| (bad - e.loss).max(0.0)).sum()
    }

    /// The elite nearest to a wanted point, in units of the axes' ranges; `None` leaves an axis free. Of equally near ones
    /// the better, `None` if the archive is empty.
    pub fn nearest(&self, wanted: &[Option<f64>]) -> Option<(u64, &Elite)> {
        let distance = |elite: &Elite| -> f64 {
            let axes = self.measures.iter().zip(wanted).zip(&elite.measures);
            axes.filter_map(|((axis, wanted), got)| wanted.map(|w| (got - w) / (axis.high - axis.low)))
                .map(|d| d * d)
                .sum()
        };
        self.elites().min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)).then_with(|| a.compare(b)))
    }
}
