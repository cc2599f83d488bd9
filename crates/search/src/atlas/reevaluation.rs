//! Which elites are evaluated again, on further replicas, until their cells count as settled (Flageat, Cully, arXiv:2302.00463).
//!
//! An archive of noisy answers collects lucky ones. A few repeats at the beginning find out whether answers are noisy at all; if
//! so, the best of a cell is asked again until its mean can be trusted.

use super::grid::{Elite, Grid};
use std::collections::VecDeque;

/// Numbers of answers after which one elite is repeated to look for noise. Chosen here: four repeats cost next to nothing, and
/// one that differs is enough.
const PROBES: [u64; 4] = [8, 32, 128, 512];
/// Questions about a candidate until it is settled. Chosen here: halves the standard error; Flageat and Cully take 2 to 8.
const SETTLED: u32 = 4;
/// New candidates between two repeats while cells are still being filled. Chosen here: 1, 4 and 10 scored 0.555, 0.613 and 0.607
/// with noise on coarse atlases at 1000 evaluations.
const BETWEEN: u32 = 4;
/// New candidates without a newly filled cell after which every second question is a repeat. Chosen here: when little is left
/// to find, it is time to know what was found.
const CALM: u32 = 100;
/// Candidates kept in a cell where answers are noisy. Chosen here: the next one takes over when one loses its place.
pub(super) const DEPTH: usize = 4;

/// What is known about noise, and which elites wait for their turn.
#[derive(Clone, Debug)]
pub(super) struct Reevaluation {
    /// True once a repeat differed.
    pub(super) noisy: bool,
    probes: usize,
    waiting: VecDeque<(u64, u64)>,
    replicas: u32,
    /// New candidates asked since the last repeat.
    since: u32,
    /// New candidates asked since a cell was filled.
    calm: u32,
}

impl Reevaluation {
    /// Nothing was asked yet; a question has this many replicas.
    pub(super) fn new(replicas: u32) -> Self {
        Self { noisy: false, probes: 0, waiting: VecDeque::new(), replicas: replicas.max(1), since: 0, calm: 0 }
    }

    /// True if the mean of a candidate can be trusted.
    pub(super) fn settled(&self, elite: &Elite) -> bool {
        !self.noisy || elite.replicas >= SETTLED.saturating_mul(self.replicas)
    }

    /// Notes that a new candidate is asked.
    pub(super) fn other(&mut self) {
        self.since = self.since.saturating_add(1);
        self.calm = self.calm.saturating_add(1);
    }

    /// Notes that an empty cell was filled.
    pub(super) fn filled(&mut self) {
        self.calm = 0;
    }

    /// Cell and elite to be asked again now, after `told` answers: a repeat to look for noise, or with noise in every fifth
    /// question, later in every second, the elite that has waited longest.
    pub(super) fn next<'a>(&mut self, grid: &'a Grid, told: u64) -> Option<(u64, &'a Elite)> {
        if !self.noisy {
            let due = PROBES.get(self.probes).is_some_and(|&at| told >= at) && !grid.is_empty();
            return due.then(|| {
                self.probes += 1;
                let elite = grid.nth(grid.len() - 1);
                (grid.index(&elite.measures), elite)
            });
        }
        let between = if self.calm < CALM { BETWEEN } else { 1 };
        while self.since >= between {
            let (cell, id) = self.waiting.pop_front()?;
            if let Some(elite) = grid.best(cell).filter(|best| best.id == id && !self.settled(best)) {
                self.since = 0;
                return Some((cell, elite));
            }
        }
        None
    }

    /// A repeat has differed: from now on every unsettled elite waits for its turn.
    pub(super) fn differs(&mut self, grid: &Grid) {
        self.noisy = true;
        self.waiting = grid.elites().map(|(cell, elite)| (cell, elite.id)).collect();
    }

    /// The best of this cell may have changed: if it is not settled, it waits for its turn.
    pub(super) fn look(&mut self, grid: &Grid, cell: u64) {
        if let Some(best) = grid.best(cell).filter(|best| !self.settled(best)) {
            self.waiting.push_back((cell, best.id));
        }
    }
}
