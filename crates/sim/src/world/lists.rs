//! Which segments are near a point: a static cell list.

use super::geometry::Bounds;
use super::scenario::Segment;
use super::walls::MEET_M;
use crowdtune_core::math::{Vec2, vec2};

/// Width of a cell, m. Chosen here: a body; with cells of 1 m a search in a room takes 3 % longer.
const CELL_M: f64 = 0.25;
/// Most cells; in larger places cells grow. Chosen here: 16 MB, and the lists.
const MAX_CELLS: f64 = 1e6;

/// Segments listed by cell, for lookups up to some reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    reach: f64,
    origin: Vec2,
    cell: f64,
    per_cell: f64,
    columns: usize,
    rows: usize,
    /// Both again, to be compared with places: a lookup would have to convert them.
    size: Vec2,
    cells: Vec<Cell>,
    /// The segments of one cell after those of another, in ascending order.
    listed: Vec<u32>,
}

/// One cell: where its segments are listed, and a lower bound of the distance from the cell to any segment, m, at most the reach of the lists.
#[derive(Clone, Copy, Debug)]
struct Cell {
    first: u32,
    end: u32,
    clear: f64,
}

/// What the lists know of the surroundings of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near<'a> {
    cell: Cell,
    listed: &'a [u32],
}

impl<'a> Near<'a> {
    /// A lower bound of the distance to any segment, m.
    #[inline(always)]
    pub fn clear(&self) -> f64 {
        self.cell.clear
    }

    /// The segments that can be within reach.
    #[inline(always)]
    pub fn segments(&self) -> &'a [u32] {
        &self.listed[self.cell.first as usize..self.cell.end as usize]
    }
}

impl Lists {
    /// Lists segments for lookups up to `reach` meters.
    pub fn of(segments: &[Segment], reach: f64) -> Self {
        let mut this = Self { reach, ..Self::default() };
        let Some(bounds) = Bounds::of(segments.iter().flat_map(|w| [w.a, w.b])) else { return this };
        let bounds = bounds.grown(reach + MEET_M);
        let size = bounds.size();
        this.cell = CELL_M.max((size.x * size.y / MAX_CELLS).sqrt()).max(size.x.max(size.y) / MAX_CELLS);
        this.per_cell = 1.0 / this.cell;
        this.origin = bounds.min;
        this.columns = (size.x / this.cell).floor() as usize + 1;
        this.rows = (size.y / this.cell).floor() as usize + 1;
        let mut counts = vec![0u32; this.columns * this.rows + 1];
        for segment in segments {
            this.cells_of(segment, &mut |c| counts[c + 1] += 1);
        }
        for c in 1..counts.len() {
            counts[c] += counts[c - 1];
        }
        let mut next = counts.clone();
        let mut listed = vec![0; counts[counts.len() - 1] as usize];
        for (i, segment) in segments.iter().enumerate() {
            this.cells_of(segment, &mut |c| {
                listed[next[c] as usize] = i as u32;
                next[c] += 1;
            });
        }
        // A cell with an empty list is at least the reach away from all segments; a nanometer for rounding.
        let half = this.cell * std::f64::consts::FRAC_1_SQRT_2 + MEET_M;
        this.cells = (0..this.columns * this.rows)
            .map(|c| {
                let (column, row) = ((c % this.columns) as f64, (c / this.columns) as f64);
                let middle = this.origin + vec2(column + 0.5, row + 0.5) * this.cell;
                let (first, end) = (counts[c], counts[c + 1]);
                let here = listed[first as usize..end as usize].iter();
                let nearest = here.fold(f64::INFINITY, |d, &i| d.min(segments[i as usize].distance(middle)));
                Cell { first, end, clear: (nearest - half).clamp(0.0, reach) }
            })
            .collect();
        this.size = vec2(this.columns as f64, this.rows as f64);
        this.listed = listed;
        this
    }

    /// What is known around `p`; `None` if all segments must be checked. Twice a step for everybody, so that nothing is looked up that is not asked.
    #[inline(always)]
    pub fn near(&self, p: Vec2, reach: f64) -> Option<Near<'_>> {
        if reach > self.reach || self.cells.is_empty() {
            return None;
        }
        let (x, y) = ((p.x - self.origin.x) * self.per_cell, (p.y - self.origin.y) * self.per_cell);
        if !(x >= 0.0 && y >= 0.0 && x < self.size.x && y < self.size.y) {
            // The cells cover everything within reach of a segment.
            return Some(Near { cell: Cell { first: 0, end: 0, clear: self.reach }, listed: &[] });
        }
        let cell = self.cells[y as u32 as usize * self.columns + x as u32 as usize];
        Some(Near { cell, listed: &self.listed })
    }

    /// Number of cells.
    #[cfg(test)]
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Calls `f` for each cell with a point within reach of the segment, and for some more at corners.
    fn cells_of(&self, segment: &Segment, f: &mut impl FnMut(usize)) {
        // The reach plus half the diagonal of a cell, and a nanometer for rounding.
        let near = self.reach + self.cell * std::f64::consts::FRAC_1_SQRT_2 + MEET_M;
        let (a, b) = (segment.a - self.origin, segment.b - self.origin);
        let index = |x: f64, n: usize| ((x / self.cell).floor().max(0.0) as usize).min(n - 1);
        for row in index(a.y.min(b.y) - near, self.rows)..=index(a.y.max(b.y) + near, self.rows) {
            // The part of the segment near this row bounds the columns.
            let (low, high) = (row as f64 * self.cell - near, (row as f64 + 1.0) * self.cell + near);
            let (mut s, mut e) = (0.0, 1.0);
            let dy = b.y - a.y;
            if dy != 0.0 {
                let (t0, t1) = ((low - a.y) / dy, (high - a.y) / dy);
                s = t0.min(t1).clamp(0.0, 1.0);
                e = t0.max(t1).clamp(0.0, 1.0);
            }
            let (x0, x1) = (a.x + (b.x - a.x) * s, a.x + (b.x - a.x) * e);
            for column in index(x0.min(x1) - near, self.columns)..=index(x0.max(x1) + near, self.columns) {
                let center = vec2((column as f64 + 0.5) * self.cell, (row as f64 + 0.5) * self.cell);
                if (Segment { a, b }).distance(center) <= near {
                    f(row * self.columns + column);
                }
            }
        }
    }
}
