//! Iterates over the cells of the neighbor grid.

use super::grid::Neighbors;
use std::ops::Range;

/// Iterator over the occupied cells.
#[derive(Debug)]
pub struct Cells<'a> {
    near: &'a Neighbors,
    columns: usize,
    row_count: usize,
    /// First slot of each cell, and the end of the last cell.
    start: &'a [u32],
    column: usize,
    row: usize,
    /// The neighboring rows.
    rows: Range<usize>,
}

impl<'a> Cells<'a> {
    pub(super) fn new(near: &'a Neighbors, (columns, row_count): (usize, usize), start: &'a [u32]) -> Self {
        Self { near, columns, row_count, start, column: 0, row: 0, rows: beside(0, row_count) }
    }

    /// The slots of the next occupied cell, and the slots around it (as in [`Neighbors::around`] for all its people).
    #[inline(always)]
    pub fn advance(&mut self) -> Option<(Range<usize>, [Range<usize>; 6])> {
        let (columns, start) = (self.columns, self.start);
        while self.row < self.row_count {
            let base = self.row * columns;
            while self.column < columns {
                let column = self.column;
                self.column += 1;
                let slots = start[base + column] as usize..start[base + column + 1] as usize;
                if slots.is_empty() {
                    continue;
                }
                if !self.near.is_open() {
                    return Some((slots, self.near.spans(column as i64, self.row as i64)));
                }
                let near = beside(column as i64, columns);
                return Some((slots, block(start, columns, &near, self.rows.clone())));
            }
            (self.row, self.column) = (self.row + 1, 0);
            self.rows = beside(self.row as i64, self.row_count);
        }
        None
    }

    /// All slots as if they were one cell; after that nothing is left.
    #[inline(always)]
    pub fn all(&mut self) -> Option<(Range<usize>, [Range<usize>; 6])> {
        let slots = 0..self.near.len();
        if slots.is_empty() || self.row == self.row_count {
            return None;
        }
        self.row = self.row_count;
        let mut ranges = [const { 0..0 }; 6];
        ranges[0] = slots.clone();
        Some((slots, ranges))
    }
}

/// The slots of a block of at most three rows of cells, one range per row.
#[inline(always)]
pub(super) fn block(start: &[u32], columns: usize, within: &Range<usize>, rows: Range<usize>) -> [Range<usize>; 6] {
    let mut ranges = [const { 0..0 }; 6];
    for (range, row) in ranges.iter_mut().zip(rows) {
        *range = start[row * columns + within.start] as usize..start[row * columns + within.end] as usize;
    }
    ranges
}

/// The cells next to one on an open axis; the one may lie outside.
#[inline]
pub(super) fn beside(at: i64, cells: usize) -> Range<usize> {
    let (first, end) = (at.saturating_sub(1).max(0), at.saturating_add(2).min(cells as i64));
    if first < end { first as usize..end as usize } else { 0..0 }
}

/// The cells next to one on an axis; the one may lie outside. One range, or two at the seam of a periodic axis.
#[inline]
pub(super) fn span(ring: bool, at: i64, cells: usize) -> [Range<usize>; 2] {
    if !ring {
        return [beside(at, cells), 0..0];
    }
    if cells <= 3 {
        return [0..cells, 0..0];
    }
    let here = at.clamp(0, cells as i64 - 1) as usize;
    if here == 0 {
        [0..2, cells - 1..cells]
    } else if here == cells - 1 {
        [here - 1..cells, 0..1]
    } else {
        [here - 1..here + 2, 0..0]
    }
}
