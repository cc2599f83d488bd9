//! Who is near whom: people sorted into square cells.

use crate::math::{Vec2, vec2};
use std::ops::Range;

/// More cells than this many per person make no look-up faster, they only cost memory.
const CELLS_PER_PERSON: usize = 8;

/// The people of one moment, sorted by cell, one column per field.
///
/// A *slot* is a place in this order: cell by cell along x, then y; within a cell by row. Three ranges of slots hold
/// everybody within `reach` of a point, so a sum over them always has the same order.
#[derive(Clone, Debug, Default)]
pub struct Neighbors {
    origin: Vec2,
    cell: f64,
    columns: usize,
    rows: usize,
    start: Vec<u32>,
    cell_of: Vec<u32>,
    /// Row of the crowd in each slot.
    pub row: Vec<u32>,
    /// Position in each slot, m.
    pub pos: Vec<Vec2>,
    /// Velocity in each slot, m/s.
    pub vel: Vec<Vec2>,
    /// Radius in each slot, m.
    pub radius: Vec<f64>,
}

impl Neighbors {
    /// Sorts people into cells at least `reach` wide; memory of earlier calls is used again.
    ///
    /// Positions have to be finite; all columns have the same length.
    pub fn build(&mut self, reach: f64, pos: &[Vec2], vel: &[Vec2], radius: &[f64]) {
        let n = pos.len();
        let (mut low, mut high) = (vec2(f64::INFINITY, f64::INFINITY), vec2(f64::NEG_INFINITY, f64::NEG_INFINITY));
        for p in pos {
            low = vec2(low.x.min(p.x), low.y.min(p.y));
            high = vec2(high.x.max(p.x), high.y.max(p.y));
        }
        if n == 0 {
            (low, high) = (Vec2::ZERO, Vec2::ZERO);
        }
        self.origin = low;
        self.cell = reach.max(1e-3);
        let most = (CELLS_PER_PERSON * n).max(64);
        loop {
            self.columns = ((high.x - low.x) / self.cell) as usize + 1;
            self.rows = ((high.y - low.y) / self.cell) as usize + 1;
            if self.columns.saturating_mul(self.rows) <= most {
                break;
            }
            self.cell *= 2.0;
        }
        self.start.clear();
        self.start.resize(self.columns * self.rows + 1, 0);
        self.cell_of.clear();
        for &p in pos {
            let c = self.cell_at(p);
            self.cell_of.push(c as u32);
            self.start[c + 1] += 1;
        }
        for c in 1..self.start.len() {
            self.start[c] += self.start[c - 1];
        }
        self.row.resize(n, 0);
        self.pos.resize(n, Vec2::ZERO);
        self.vel.resize(n, Vec2::ZERO);
        self.radius.resize(n, 0.0);
        // `start[c]` walks through its cell while it is filled and is moved back afterwards.
        for i in 0..n {
            let c = self.cell_of[i] as usize;
            let slot = self.start[c] as usize;
            self.start[c] += 1;
            self.row[slot] = i as u32;
            self.pos[slot] = pos[i];
            self.vel[slot] = vel[i];
            self.radius[slot] = radius[i];
        }
        for c in (1..self.start.len()).rev() {
            self.start[c] = self.start[c - 1];
        }
        self.start[0] = 0;
    }

    fn cell_at(&self, p: Vec2) -> usize {
        let column = (((p.x - self.origin.x) / self.cell) as usize).min(self.columns - 1);
        let row = (((p.y - self.origin.y) / self.cell) as usize).min(self.rows - 1);
        row * self.columns + column
    }

    /// Number of people.
    pub fn len(&self) -> usize {
        self.pos.len()
    }

    /// True if nobody is there.
    pub fn is_empty(&self) -> bool {
        self.pos.is_empty()
    }

    /// Slots that hold everybody within `reach` of `p` (and others); empty ranges outside the grid.
    pub fn around(&self, p: Vec2) -> [Range<usize>; 3] {
        let column = ((p.x - self.origin.x) / self.cell).floor();
        let row = ((p.y - self.origin.y) / self.cell).floor();
        std::array::from_fn(|k| {
            let row = row + k as f64 - 1.0;
            let (first, last) = ((column - 1.0).max(0.0), (column + 1.0).min(self.columns as f64 - 1.0));
            if !(row >= 0.0 && row < self.rows as f64 && first <= last) || self.is_empty() {
                return 0..0;
            }
            let base = row as usize * self.columns;
            self.start[base + first as usize] as usize..self.start[base + last as usize + 1] as usize
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(near: &Neighbors, p: Vec2, reach: f64) -> Vec<u32> {
        let mut rows: Vec<u32> = near
            .around(p)
            .into_iter()
            .flatten()
            .filter(|&s| (near.pos[s] - p).length2() <= reach * reach)
            .map(|s| near.row[s])
            .collect();
        rows.sort_unstable();
        rows
    }

    proptest! {
        #[test]
        fn finds_what_brute_force_finds(
            points in prop::collection::vec((-40.0..40.0_f64, -3.0..60.0_f64), 0..80),
            (x, y) in (-50.0..50.0_f64, -10.0..70.0_f64),
            reach in 0.05..9.0_f64,
        ) {
            let pos: Vec<Vec2> = points.iter().map(|&(x, y)| vec2(x, y)).collect();
            let vel = vec![Vec2::ZERO; pos.len()];
            let radius = vec![0.3; pos.len()];
            let mut near = Neighbors::default();
            near.build(1.0, &[vec2(5.0, 5.0)], &[Vec2::ZERO], &[0.1]);
            near.build(reach, &pos, &vel, &radius);
            for &p in pos.iter().chain(&[vec2(x, y)]) {
                let brute: Vec<u32> =
                    (0..pos.len()).filter(|&i| (pos[i] - p).length2() <= reach * reach).map(|i| i as u32).collect();
                prop_assert_eq!(found(&near, p, reach), brute);
            }
        }
    }

    #[test]
    fn slots_of_one_cell_are_in_row_order() {
        let pos = [vec2(0.2, 0.0), vec2(9.0, 0.0), vec2(0.1, 0.0), vec2(0.3, 0.0)];
        let mut near = Neighbors::default();
        near.build(1.0, &pos, &[Vec2::ZERO; 4], &[0.3; 4]);
        assert_eq!(near.row, [0, 2, 3, 1]);
    }
}
