//! Who belongs together: people who are near each other and walk alike (equation 4 of the source).
//!
//! The relation of the source is not transitive, so groups are its connected components. Who is together stays together
//! a little longer than strangers take to come together, and groups keep their labels from step to step.

use crate::crowd::RowMap;
use crate::world::Neighbors;

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
    /// Root and old label of everybody who has both.
    kept: Vec<(u32, u32)>,
    /// How many of an old label a root has.
    overlap: Vec<Overlap>,
    /// Labels that are taken.
    taken: Vec<bool>,
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

    /// Finds the groups anew; `near` is built for at least `hold` times the distance of the rule.
    ///
    /// A new group takes over the label of the old one with which it shares most members, the lowest one of equals; an old
    /// label goes to the group that has most of it, of equals to the one with the first row. Others get the lowest free one.
    pub fn update(&mut self, near: &Neighbors, rule: &Rule) {
        let n = near.len();
        self.label.resize(n, ALONE);
        self.parent.clear();
        self.parent.extend(0..n as u32);
        for slot in 0..n {
            let row = near.row[slot];
            for other in near.around(near.pos[slot]).into_iter().flatten() {
                if other > slot && self.together(near, (slot, other), rule) {
                    self.join(row, near.row[other]);
                }
            }
        }
        self.size.clear();
        self.size.resize(n, 0);
        for row in 0..n as u32 {
            let root = self.root(row);
            self.size[root as usize] += 1;
        }
        self.relabel(rule.least);
    }

    fn together(&self, near: &Neighbors, (slot, other): (usize, usize), rule: &Rule) -> bool {
        let apart2 = near.apart(near.pos[slot], near.pos[other]).length2();
        let differ2 = (near.vel[other] - near.vel[slot]).length2();
        let within = |hold: f64| {
            let (d, v) = (hold * rule.distance_m, hold * rule.speed_m_per_s);
            apart2 < d * d && differ2 < v * v
        };
        within(rule.hold) && {
            let label = self.label[near.row[slot] as usize];
            let held = label != ALONE && label == self.label[near.row[other] as usize];
            held || within(1.0)
        }
    }

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
        self.kept.clear();
        for row in 0..self.parent.len() as u32 {
            let root = self.root(row);
            let old = self.label[row as usize];
            if old != ALONE && self.size[root as usize] as usize >= least {
                self.kept.push((root, old));
            }
        }
        self.kept.sort_unstable();
        self.overlap.clear();
        for &(root, label) in &self.kept {
            match self.overlap.last_mut() {
                Some(last) if (last.root, last.label) == (root, label) => last.count += 1,
                _ => self.overlap.push(Overlap { count: 1, label, root }),
            }
        }
        self.overlap.sort_unstable_by_key(|o| (u32::MAX - o.count, o.label, o.root));
        self.fresh.clear();
        self.fresh.resize(self.parent.len(), ALONE);
        let labels = self.kept.iter().map(|kept| kept.1 as usize + 1).max().unwrap_or(0);
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
