//! Who belongs together: people who are near each other and walk alike (equation 4 of the source).
//!
//! The relation of the source is not transitive, so groups are its connected components. Who is together stays together
//! a little longer than strangers take to come together, and groups keep their labels from step to step.

use crate::crowd::RowMap;
use crate::world::Neighbors;
use std::ops::Range;

/// The label of who is in no group.
pub const ALONE: u32 = u32::MAX;
/// When people belong together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Two are together who are nearer than this, d, m,
    pub distance_m: f64,
    /// and whose velocities differ by less, lambda_v, m/s.
    pub speed_m_per_s: f64,
    /// People of one group may be so many times farther apart, and walk so many times more differently, before they part.
    pub hold: f64,
    /// Fewer are no group.
    pub least: usize,
}

/// The groups of one moment.
#[derive(Clone, Debug, Default)]
pub struct Grouping {
    /// Group of each row, or [`ALONE`].
    label: Vec<u32>,
    /// Forest over rows; a root is the least row of its tree.
    parent: Vec<u32>,
    /// Members of the tree of each root.
    size: Vec<u32>,
    /// New label of each root.
    fresh: Vec<u32>,
    /// Root and old label of everybody who has both, and how many rows on end.
    kept: Vec<(u32, u32, u32)>,
    /// How many of an old label a root has.
    overlap: Vec<Overlap>,
    /// Labels that are taken.
    taken: Vec<bool>,
    /// The cells with somebody in them.
    cells: Vec<Cell>,
    /// For the first slot of a cell, whether all of its people are of one tree.
    whole: Vec<bool>,
    /// Squared length of a step from cell to cell, in cells, and the step.
    steps: Vec<(i64, (i64, i64))>,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    at: (i64, i64),
    first: u32,
    whole: bool,
}

/// Squares of the largest distance, m2, and difference of velocities, m2/s2, of who comes and who stays together.
struct Limits {
    met: (f64, f64),
    held: (f64, f64),
}

impl Limits {
    fn of(rule: &Rule) -> Self {
        let squares = |hold: f64| {
            let (d, v) = (hold * rule.distance_m, hold * rule.speed_m_per_s);
            (d * d, v * v)
        };
        Self { met: squares(1.0), held: squares(rule.hold) }
    }
}

#[derive(Clone, Copy, Debug)]
struct Overlap {
    count: u32,
    label: u32,
    root: u32,
}

impl Grouping {
    /// The group of each row, or [`ALONE`].
    pub fn labels(&self) -> &[u32] {
        &self.label
    }

    /// Finds the groups anew; the cells of `near` may have any size.
    ///
    /// A new group takes over the label of the old one with which it shares most members, the lowest one of equals; an old
    /// label goes to the group that has most of it, of equals to the one with the first row. Others get the lowest free one.
    pub fn update(&mut self, near: &Neighbors, rule: &Rule) {
        let n = near.len();
        self.label.resize(n, ALONE);
        self.parent.clear();
        self.parent.extend(0..n as u32);
        self.link(near, rule);
        self.size.clear();
        self.size.resize(n, 0);
        for row in 0..n as u32 {
            let root = self.root(row);
            self.size[root as usize] += 1;
        }
        self.relabel(rule.least);
    }

    /// Joins all who are together: first inside each cell, then cell by cell outwards, so that most pairs of cells are of
    /// one tree already when their turn comes.
    fn link(&mut self, near: &Neighbors, rule: &Rule) {
        let within = Limits::of(rule);
        self.cells.clear();
        let mut cells = near.cells();
        while let Some((slots, _)) = cells.advance() {
            for a in slots.clone() {
                for b in a + 1..slots.end {
                    self.try_join(near, (a, b), &within);
                }
            }
            let root = self.root(near.row[slots.start]);
            let whole = slots.clone().all(|slot| self.root(near.row[slot]) == root);
            self.cells.push(Cell { at: near.cell(near.pos[slots.start]), first: slots.start as u32, whole });
        }
        self.whole.clear();
        self.whole.resize(near.len(), false);
        for cell in &self.cells {
            self.whole[cell.first as usize] = cell.whole;
        }
        self.find_steps(near, rule.hold * rule.distance_m);
        let next = self.steps.partition_point(|step| step.0 <= 2);
        for steps in [0..next, next..self.steps.len()] {
            for cell in 0..self.cells.len() {
                self.link_cell(near, self.cells[cell], steps.clone(), &within);
            }
        }
    }

    /// Joins the people of a cell with those of the cells some steps away.
    fn link_cell(&mut self, near: &Neighbors, cell: Cell, steps: Range<usize>, within: &Limits) {
        let Cell { at, first, whole } = cell;
        let own = near.of_cell(at);
        let mut root = self.root(near.row[first as usize]);
        for step in steps {
            let (dx, dy) = self.steps[step].1;
            let others = near.of_cell((at.0 + dx, at.1 + dy));
            if others.is_empty() {
                continue;
            }
            let both = whole && self.whole[others.start];
            if both && self.root(near.row[others.start]) == root {
                continue;
            }
            self.link_cells(near, (own.clone(), others), within, both);
            root = self.root(root);
        }
    }

    /// Joins who is together in two cells; where each is of `one` tree, one pair is enough.
    fn link_cells(
        &mut self,
        near: &Neighbors,
        (own, others): (Range<usize>, Range<usize>),
        within: &Limits,
        one: bool,
    ) {
        for a in own {
            for b in others.clone() {
                if self.try_join(near, (a, b), within) && one {
                    return;
                }
            }
        }
    }

    /// Steps from a cell to those in front of it that may hold somebody within `reach` m, the nearest first.
    fn find_steps(&mut self, near: &Neighbors, reach: f64) {
        let (cell, size) = (near.cell_size(), near.shape());
        let most = |cell: f64, cells: usize| ((reach / cell) as usize + 1).min(cells) as i64;
        let (columns, rows) = (most(cell.x, size.0), most(cell.y, size.1));
        self.steps.clear();
        for dy in 0..=rows {
            for dx in -columns..=columns {
                let gap = |d: i64, cell: f64| (d.abs() - 1).max(0) as f64 * cell;
                let (x, y) = (gap(dx, cell.x), gap(dy, cell.y));
                if (dy > 0 || dx > 0) && x * x + y * y < reach * reach {
                    self.steps.push((dx * dx + dy * dy, (dx, dy)));
                }
            }
        }
        self.steps.sort_unstable();
    }

    /// Joins two slots if they are together; true if they are, or were of one tree before.
    #[inline]
    fn try_join(&mut self, near: &Neighbors, (slot, other): (usize, usize), within: &Limits) -> bool {
        let differ2 = (near.vel[other] - near.vel[slot]).length2();
        if differ2 >= within.held.1 {
            return false;
        }
        let apart2 = near.apart(near.pos[slot], near.pos[other]).length2();
        if apart2 >= within.held.0 {
            return false;
        }
        let (row, other) = (near.row[slot], near.row[other]);
        let together = (apart2 < within.met.0 && differ2 < within.met.1) || {
            let label = self.label[row as usize];
            label != ALONE && label == self.label[other as usize]
        };
        if together {
            self.join(row, other);
        }
        together
    }

    #[inline]
    fn root(&mut self, row: u32) -> u32 {
        let mut at = row as usize;
        while self.parent[at] as usize != at {
            self.parent[at] = self.parent[self.parent[at] as usize];
            at = self.parent[at] as usize;
        }
        at as u32
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Gives the trees with enough members their labels.
    fn relabel(&mut self, least: usize) {
        // Neighbors in a row often go on together, so that runs of the same root and label are short cuts of the sort.
        self.kept.clear();
        let mut labels = 0;
        for row in 0..self.parent.len() as u32 {
            let root = self.root(row);
            let old = self.label[row as usize];
            if old != ALONE && self.size[root as usize] as usize >= least {
                labels = labels.max(old as usize + 1);
                match self.kept.last_mut() {
                    Some(last) if (last.0, last.1) == (root, old) => last.2 += 1,
                    _ => self.kept.push((root, old, 1)),
                }
            }
        }
        self.kept.sort_unstable();
        self.overlap.clear();
        for &(root, label, count) in &self.kept {
            match self.overlap.last_mut() {
                Some(last) if (last.root, last.label) == (root, label) => last.count += count,
                _ => self.overlap.push(Overlap { count, label, root }),
            }
        }
        self.overlap.sort_unstable_by_key(|o| (u32::MAX - o.count, o.label, o.root));
        self.fresh.clear();
        self.fresh.resize(self.parent.len(), ALONE);
        self.taken.clear();
        self.taken.resize(labels, false);
        for o in &self.overlap {
            let (fresh, taken) = (&mut self.fresh[o.root as usize], &mut self.taken[o.label as usize]);
            if *fresh == ALONE && !*taken {
                (*fresh, *taken) = (o.label, true);
            }
        }
        let mut free = 0;
        for row in 0..self.parent.len() {
            let root = self.root(row as u32) as usize;
            let group = self.size[root] as usize >= least;
            if group && self.fresh[root] == ALONE {
                while self.taken.get(free).copied().unwrap_or(false) {
                    free += 1;
                }
                self.fresh[root] = free as u32;
                free += 1;
            }
            self.label[row] = self.fresh[root];
        }
    }

    /// Rows have moved because people left.
    pub fn remap(&mut self, rows: &RowMap) {
        rows.apply(&mut self.label);
    }

    /// Forgets all groups, and keeps the memory.
    pub fn clear(&mut self) {
        self.label.clear();
    }
}

#[cfg(test)]
#[path = "grouping_tests.rs"]
mod tests;
