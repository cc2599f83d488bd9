//! Which people form a group: those who are close and walk alike (equation 4 of the source).
//!
//! The source's relation is not transitive, so groups are its connected components. The limits for staying together are
//! a little wider than those for joining, and groups keep their labels from step to step.

use crate::crowd::RowMap;
use crate::world::Neighbors;
use crowdtune_core::math::{Vec2, vec2};
use std::ops::Range;

/// The label of people in no group.
pub const ALONE: u32 = u32::MAX;
/// When two people belong to one group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// d: they are closer than this, m,
    pub distance_m: f64,
    /// lambda_v: and their velocities differ by less than this, m/s.
    pub speed_m_per_s: f64,
    /// Members of a group part only beyond this many times both limits.
    pub hold: f64,
    /// Smallest group.
    pub least: usize,
}

/// The groups at one moment.
#[derive(Clone, Debug, Default)]
pub struct Grouping {
    /// Group of each row, or [`ALONE`].
    label: Vec<u32>,
    /// Union-find forest over rows; a root is the lowest row of its tree.
    parent: Vec<u32>,
    /// Number of members, by root.
    size: Vec<u32>,
    /// New label, by root.
    fresh: Vec<u32>,
    /// Root and old label, for people with both, with the number of successive rows.
    kept: Vec<(u32, u32, u32)>,
    /// How many members of an old label each root has.
    overlap: Vec<Overlap>,
    /// Labels that are taken.
    taken: Vec<bool>,
    /// The occupied cells.
    cells: Vec<Cell>,
    /// For each cell of the grid, and of a rim around it, the tree of all its people, or [`EMPTY`] or [`MIXED`].
    tree: Vec<u32>,
    /// Index into `cells`, for occupied cells.
    index: Vec<u32>,
    /// Squared length of a step between cells, in cells, and its offset in `tree`.
    steps: Vec<(i64, usize)>,
}

/// Nobody is in a cell.
const EMPTY: u32 = u32::MAX;
/// The cell's people belong to several trees.
const MIXED: u32 = u32::MAX - 1;

/// The people of a cell.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Index into `tree`.
    at: u32,
    /// First slot, and the end of the last.
    slots: (u32, u32),
    /// Boxes around positions and velocities.
    pos: (Vec2, Vec2),
    vel: (Vec2, Vec2),
}

impl Cell {
    fn slots(&self) -> Range<usize> {
        self.slots.0 as usize..self.slots.1 as usize
    }
}

/// Squares of the largest distance, m2, and velocity difference, m2/s2, for joining and for staying together.
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

    /// Finds the groups; the cells of `near` may have any size.
    ///
    /// A new group inherits the label of the old group with which it shares most members (on ties, the lowest label).
    /// If several groups claim a label, it goes to the one with most of its members (on ties, the one with the first
    /// row). Other groups get the lowest free label.
    pub fn update(&mut self, near: &Neighbors, rule: &Rule) {
        let n = near.len();
        self.label.resize(n, ALONE);
        self.parent.clear();
        self.parent.extend(0..n as u32);
        self.link(near, rule);
        self.size.clear();
        self.size.resize(n, 0);
        for row in 0..n {
            // Parents are lower rows, whose roots are already known.
            let root = self.parent[self.parent[row] as usize];
            self.parent[row] = root;
            self.size[root as usize] += 1;
        }
        self.relabel(rule.least);
    }

    /// Joins everybody who belongs together, first inside each cell, then between cells of growing distance, so that
    /// most pairs of cells already share a tree when their turn comes.
    fn link(&mut self, near: &Neighbors, rule: &Rule) {
        let within = Limits::of(rule);
        let edge = self.find_steps(near, rule.hold * rule.distance_m);
        let wide = near.shape().0 + 2 * edge.0;
        self.cells.clear();
        let mut cells = near.cells();
        while let Some((slots, _)) = cells.advance() {
            self.link_inside(near, slots.clone(), &within);
            let (column, row) = near.cell(near.pos[slots.start]);
            let at = (row as usize * wide + edge.0 + column as usize) as u32;
            let (pos, vel) = (around(&near.pos[slots.clone()]), around(&near.vel[slots.clone()]));
            self.cells.push(Cell { at, slots: (slots.start as u32, slots.end as u32), pos, vel });
        }
        let next = self.steps.partition_point(|step| step.0 <= 2);
        for steps in [0..next, next..self.steps.len()] {
            self.find_trees(near, edge);
            for cell in 0..self.cells.len() {
                self.link_cell(near, self.cells[cell], steps.clone(), &within);
            }
        }
    }

    /// Joins the people of one cell.
    fn link_inside(&mut self, near: &Neighbors, slots: Range<usize>, within: &Limits) {
        // Most belong to the first person's tree, and then nothing is left to do.
        let mut all = true;
        for b in slots.start + 1..slots.end {
            all &= self.try_join(near, (slots.start, b), within);
        }
        if !all {
            for a in slots.start + 1..slots.end {
                for b in a + 1..slots.end {
                    self.try_join(near, (a, b), within);
                }
            }
        }
    }

    /// Notes each cell's tree. On a periodic axis the rim repeats the cells of the other end.
    fn find_trees(&mut self, near: &Neighbors, edge: (usize, usize)) {
        let (columns, rows) = near.shape();
        let wide = columns + 2 * edge.0;
        self.tree.clear();
        self.tree.resize(wide * (rows + edge.1), EMPTY);
        self.index.resize(self.tree.len(), 0);
        for k in 0..self.cells.len() {
            let cell = self.cells[k];
            let root = self.root(near.row[cell.slots.0 as usize]);
            let whole = cell.slots().all(|slot| self.root(near.row[slot]) == root);
            self.tree[cell.at as usize] = if whole { root } else { MIXED };
            self.index[cell.at as usize] = k as u32;
        }
        let (ring_x, ring_y) = near.lanes.ring;
        if ring_x > 0.0 {
            for row in 0..rows {
                let base = row * wide + edge.0;
                for k in 0..edge.0 {
                    self.repeat(base + columns - 1 - k % columns, base - 1 - k);
                    self.repeat(base + k % columns, base + columns + k);
                }
            }
        }
        if ring_y > 0.0 {
            for at in 0..wide * edge.1 {
                self.repeat(at / wide % rows * wide + at % wide, rows * wide + at);
            }
        }
    }

    fn repeat(&mut self, from: usize, to: usize) {
        (self.tree[to], self.index[to]) = (self.tree[from], self.index[from]);
    }

    /// Joins the people of a cell with those of the cells these steps away.
    fn link_cell(&mut self, near: &Neighbors, cell: Cell, steps: Range<usize>, within: &Limits) {
        let at = cell.at as usize;
        let own = self.tree[at];
        for step in steps {
            let other = at + self.steps[step].1;
            let tree = self.tree[other];
            if tree == EMPTY || (tree == own && own != MIXED) {
                continue;
            }
            let one = tree != MIXED && own != MIXED;
            if one && self.root(tree) == self.root(own) {
                continue;
            }
            let other = self.cells[self.index[other] as usize];
            // No two people are closer than their boxes.
            let open = near.lanes.ring == (0.0, 0.0);
            if gap2(cell.vel, other.vel) < within.held.1 && !(open && gap2(cell.pos, other.pos) >= within.held.0) {
                self.link_cells(near, (cell.slots(), other.slots()), within, one);
            }
        }
    }

    /// Joins people who belong together across two cells; if each cell is of `one` tree, one pair is enough.
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

    /// Steps from a cell to the later cells that may hold somebody within `reach` m, nearest first. Returns how many
    /// columns and rows they can leave the grid by.
    fn find_steps(&mut self, near: &Neighbors, reach: f64) -> (usize, usize) {
        let (cell, size) = (near.cell_size(), near.shape());
        let most = |cell: f64, cells: usize| ((reach / cell) as usize + 1).min(cells) as i64;
        let (columns, rows) = (most(cell.x, size.0), most(cell.y, size.1));
        let edge = (columns as usize, rows as usize);
        let wide = (size.0 + 2 * edge.0) as i64;
        self.steps.clear();
        for dy in 0..=rows {
            for dx in -columns..=columns {
                let gap = |d: i64, cell: f64| (d.abs() - 1).max(0) as f64 * cell;
                let (x, y) = (gap(dx, cell.x), gap(dy, cell.y));
                if (dy > 0 || dx > 0) && x * x + y * y < reach * reach {
                    self.steps.push((dx * dx + dy * dy, (dy * wide + dx) as usize));
                }
            }
        }
        self.steps.sort_unstable();
        edge
    }

    /// Joins two slots if they belong together; true if they do or already shared a tree.
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

    /// Labels the trees that have enough members.
    fn relabel(&mut self, least: usize) {
        // Successive rows often share root and label, so counting them as runs shortens the sort.
        self.kept.clear();
        let mut labels = 0;
        for row in 0..self.parent.len() {
            let (root, old) = (self.parent[row], self.label[row]);
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
            let root = self.parent[row] as usize;
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
}

/// Corners of the box around at least one position.
fn around(places: &[Vec2]) -> (Vec2, Vec2) {
    let (mut low, mut high) = (places[0], places[0]);
    for p in places {
        low = vec2(low.x.min(p.x), low.y.min(p.y));
        high = vec2(high.x.max(p.x), high.y.max(p.y));
    }
    (low, high)
}

/// Squared distance between two boxes.
#[inline]
fn gap2((low, high): (Vec2, Vec2), other: (Vec2, Vec2)) -> f64 {
    let gap = |low: f64, high: f64, other_low: f64, other_high: f64| (other_low - high).max(low - other_high).max(0.0);
    vec2(gap(low.x, high.x, other.0.x, other.1.x), gap(low.y, high.y, other.0.y, other.1.y)).length2()
}

#[cfg(test)]
#[path = "grouping_tests.rs"]
mod tests;
