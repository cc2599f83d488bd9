//! Neighbor search: people sorted into square cells.

use super::cells::{Cells, beside, block, span};
use super::sorting::{CellsOf, Extent};
use super::tile::Columns;
use super::torus::Torus;
use crowdtune_core::math::{Vec2, lanes, vec2};
use std::ops::Range;

/// Most cells per person: more would not make lookups faster, only cost memory.
const CELLS_PER_PERSON: usize = 8;

/// Crowds larger than this do not fit the caches, and what lies anywhere in memory is asked for so many people ahead. Chosen here: a person has some 200
/// bytes, and a step of one takes a tenth of a microsecond; 8 to 64 people do as well.
const LARGE: usize = 5_000;
const AHEAD: usize = 16;

/// The people at one moment, sorted by cell, one column per field.
///
/// A *slot* is an index in this order: cell by cell along x, then y; within a cell by row. A few ranges of slots hold
/// everybody within `reach` of a point, so sums over them always run in the same order. In a periodic place everybody
/// is listed once; [`Neighbors::apart`] gives the vector to the nearest image.
#[derive(Clone, Debug, Default)]
pub struct Neighbors {
    origin: Vec2,
    torus: Torus,
    cell: f64,
    per_cell: Vec2,
    size: Vec2,
    columns: usize,
    rows: usize,
    start: Vec<u32>,
    cell_of: Vec<u32>,
    /// Row of the crowd in each slot.
    pub row: Vec<u32>,
    /// Position in each slot, m; this and the next two are empty where only kernels read the search
    /// ([`crate::crowd::Looks::AtLanes`]).
    pub pos: Vec<Vec2>,
    /// Velocity in each slot, m/s.
    pub vel: Vec<Vec2>,
    /// Radius in each slot, m.
    pub radius: Vec<f64>,
    /// The same in single precision, for kernels; there without velocities.
    pub(crate) lanes: Columns,
}

impl Neighbors {
    /// Sorts people into cells at least `reach` wide, reusing memory.
    ///
    /// Positions must be finite, and wrapped in a periodic place; all columns have the same length.
    pub fn build(&mut self, reach: f64, torus: Torus, pos: &[Vec2], vel: &[Vec2], radius: &[f64]) {
        let low = self.sort(reach, torus, pos);
        let n = pos.len();
        self.pos.resize(n, Vec2::ZERO);
        self.vel.resize(n, Vec2::ZERO);
        self.radius.resize(n, 0.0);
        let row = &self.row[..n];
        let columns = (&mut self.pos[..n], &mut self.vel[..n], &mut self.radius[..n]);
        let mut lanes = self.lanes.planes.write();
        for slot in 0..n {
            if let Some(ahead) = ahead(row, slot) {
                ask_for(ahead, pos, radius);
                lanes::prefetch(vel, ahead);
            }
            let i = row[slot] as usize;
            let (pos, vel, radius) = (pos[i], vel[i], radius[i]);
            (columns.0[slot], columns.1[slot], columns.2[slot]) = (pos, vel, radius);
            let p = pos - low;
            lanes.set(slot, [p.x, p.y, radius, vel.x, vel.y].map(|x| x as f32));
        }
    }

    /// The same for who reads nothing by slot but rows and what kernels read, without velocities: half the memory to read and write.
    pub(crate) fn build_lanes(&mut self, reach: f64, torus: Torus, pos: &[Vec2], radius: &[f64]) {
        let low = self.sort(reach, torus, pos);
        self.pos.clear();
        self.vel.clear();
        self.radius.clear();
        let row = &self.row[..pos.len()];
        let mut lanes = self.lanes.planes.write();
        for (slot, &i) in row.iter().enumerate() {
            if let Some(ahead) = ahead(row, slot) {
                ask_for(ahead, pos, radius);
            }
            let p = pos[i as usize] - low;
            lanes.set(slot, [p.x, p.y, radius[i as usize]].map(|x| x as f32));
        }
    }

    /// Finds the cells and who is in them, and makes room for the columns. Gives the lower left corner.
    fn sort(&mut self, reach: f64, torus: Torus, pos: &[Vec2]) -> Vec2 {
        let n = pos.len();
        let (mut low, mut high) = lanes::run(Extent(pos));
        if n == 0 {
            (low, high) = (Vec2::ZERO, Vec2::ZERO);
        }
        // The cells of a periodic axis start at its seam and divide it evenly; none may be narrower than the reach.
        if let Some((first, last)) = torus.x {
            (low.x, high.x) = (first, last);
        }
        if let Some((first, last)) = torus.y {
            (low.y, high.y) = (first, last);
        }
        self.torus = torus;
        self.origin = low;
        self.cell = reach.max(1e-3);
        let most = (CELLS_PER_PERSON * n).max(64);
        loop {
            let cells = |ring: bool, length: f64| {
                let whole = (length / self.cell) as usize;
                if ring { whole.max(1) } else { whole + 1 }
            };
            self.columns = cells(torus.x.is_some(), high.x - low.x);
            self.rows = cells(torus.y.is_some(), high.y - low.y);
            if self.columns.saturating_mul(self.rows) <= most {
                break;
            }
            self.cell *= 2.0;
        }
        let per_cell =
            |ring: bool, cells: usize, length: f64| if ring { cells as f64 / length } else { 1.0 / self.cell };
        self.per_cell = vec2(
            per_cell(torus.x.is_some(), self.columns, high.x - low.x),
            per_cell(torus.y.is_some(), self.rows, high.y - low.y),
        );
        self.size = vec2(1.0 / self.per_cell.x, 1.0 / self.per_cell.y);
        // `start[c + 2]` first counts the people of cell c. Prefix sums turn `start[c + 1]` into the start of cell c,
        // which moves to its end while the cell is filled: the start of cell c + 1.
        self.start.clear();
        self.start.resize(self.columns * self.rows + 2, 0);
        self.cell_of.resize(n, 0);
        let (shape, cells) = ((self.columns, self.rows), &mut self.cell_of[..]);
        lanes::run(CellsOf { pos, origin: self.origin, per_cell: self.per_cell, shape, cells });
        for &cell in &self.cell_of {
            self.start[cell as usize + 2] += 1;
        }
        let mut before = 0;
        for start in &mut self.start {
            before += *start;
            *start = before;
        }
        self.row.resize(n, 0);
        self.lanes.planes.reserve(n + 1);
        let start = &mut self.start[1..];
        let row = &mut self.row[..n];
        for (i, &cell) in self.cell_of.iter().enumerate() {
            let slot = &mut start[cell as usize];
            row[*slot as usize] = i as u32;
            *slot += 1;
        }
        self.start.pop();
        let length = |axis: Option<(f64, f64)>| axis.map_or(0.0, |(first, last)| (last - first) as f32);
        self.lanes.ring = (length(torus.x), length(torus.y));
        low
    }

    #[inline]
    fn place(&self, p: Vec2) -> (usize, usize) {
        let column = (((p.x - self.origin.x) * self.per_cell.x) as u32 as usize).min(self.columns - 1);
        let row = (((p.y - self.origin.y) * self.per_cell.y) as u32 as usize).min(self.rows - 1);
        (column, row)
    }

    /// The row of whom to ask memory for when this slot's turn has come: its people lie anywhere there. `None` in crowds that fit the caches.
    #[inline(always)]
    pub(crate) fn ahead(&self, slot: usize) -> Option<usize> {
        ahead(&self.row, slot)
    }

    /// Number of people.
    pub fn len(&self) -> usize {
        self.row.len()
    }

    /// True if nobody is there.
    pub fn is_empty(&self) -> bool {
        self.row.is_empty()
    }

    /// Distance within which [`Neighbors::around`] finds everybody, m; at least what the grid was built for.
    pub fn reach(&self) -> f64 {
        self.cell
    }

    /// The vector from one position to another, m; the shortest one in a periodic place.
    #[inline]
    pub fn apart(&self, from: Vec2, to: Vec2) -> Vec2 {
        self.torus.apart(from, to)
    }

    /// Slots that include everybody within `reach` of `p`, and others, each once; empty ranges outside the grid.
    pub fn around(&self, p: Vec2) -> [Range<usize>; 6] {
        if self.is_empty() {
            return [const { 0..0 }; 6];
        }
        self.spans(floor((p.x - self.origin.x) * self.per_cell.x), floor((p.y - self.origin.y) * self.per_cell.y))
    }

    /// Columns and rows of the cells that may hold somebody within `reach` of `p`, for lookups farther than the grid
    /// was built for; only in an open place.
    pub(crate) fn block(&self, p: Vec2, reach: f64) -> (Range<usize>, Range<usize>) {
        let along = |at: f64, per: f64, cells: usize| {
            let (first, last) = (floor((at - reach) * per).max(0), floor((at + reach) * per));
            first as usize..(last.saturating_add(1).max(first).min(cells as i64)) as usize
        };
        let from = p - self.origin;
        (along(from.x, self.per_cell.x, self.columns), along(from.y, self.per_cell.y, self.rows))
    }

    /// Slots of these columns of a row of cells.
    #[inline]
    pub(crate) fn of_row(&self, row: usize, columns: &Range<usize>) -> Range<usize> {
        let base = row * self.columns;
        if columns.is_empty() {
            return 0..0;
        }
        self.start[base + columns.start] as usize..self.start[base + columns.end] as usize
    }

    /// Column and row of the cell that contains `p`; positions outside the grid count as in the nearest cell.
    #[inline]
    pub(crate) fn cell(&self, p: Vec2) -> (i64, i64) {
        let (column, row) = self.place(p);
        (column as i64, row as i64)
    }

    /// Position of `p` relative to the lower left corner of its cell, m.
    #[inline]
    pub(crate) fn in_cell(&self, p: Vec2) -> Vec2 {
        let (column, row) = self.place(p);
        p - self.origin - vec2(column as f64 * self.size.x, row as f64 * self.size.y)
    }

    /// Width and height of a cell, m.
    pub(crate) fn cell_size(&self) -> Vec2 {
        self.size
    }

    /// Numbers of columns and rows.
    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.columns, self.rows)
    }

    /// Slots of one cell. Periodic axes wrap around; beyond an open axis there is nobody.
    #[inline]
    pub(crate) fn of_cell(&self, (column, row): (i64, i64)) -> Range<usize> {
        let at = |ring: bool, at: i64, cells: usize| {
            if at >= 0 && at < cells as i64 {
                Some(at as usize)
            } else {
                ring.then(|| at.rem_euclid(cells as i64) as usize)
            }
        };
        let column = at(self.torus.x.is_some(), column, self.columns);
        let (Some(column), Some(row)) = (column, at(self.torus.y.is_some(), row, self.rows)) else { return 0..0 };
        let cell = row * self.columns + column;
        self.start[cell] as usize..self.start[cell + 1] as usize
    }

    /// The occupied cells, in the order of slots.
    #[inline(always)]
    pub(crate) fn cells(&self) -> Cells<'_> {
        Cells::new(self, (self.columns, self.rows), &self.start)
    }

    /// True if no axis is periodic.
    pub(super) fn is_open(&self) -> bool {
        self.torus.is_open()
    }

    /// Slots around a cell, which may lie outside.
    pub(super) fn spans(&self, column: i64, row: i64) -> [Range<usize>; 6] {
        if self.torus.is_open() {
            let (columns, rows) = (beside(column, self.columns), beside(row, self.rows));
            return block(&self.start, self.columns, &columns, rows);
        }
        let slots = |base: usize, columns: &Range<usize>| {
            self.start[base + columns.start] as usize..self.start[base + columns.end] as usize
        };
        let mut ranges = [const { 0..0 }; 6];
        let [first, second] = span(self.torus.x.is_some(), column, self.columns);
        let rows = span(self.torus.y.is_some(), row, self.rows);
        let mut at = 0;
        for row in rows.into_iter().flatten() {
            for columns in [&first, &second] {
                if !columns.is_empty() {
                    ranges[at] = slots(row * self.columns, columns);
                    at += 1;
                }
            }
        }
        ranges
    }
}

/// As [`Neighbors::ahead`].
#[inline(always)]
fn ahead(row: &[u32], slot: usize) -> Option<usize> {
    if row.len() > LARGE { row.get(slot + AHEAD).map(|&row| row as usize) } else { None }
}

/// Asks for what is known of a person. Not part of the loop, which small crowds run without it.
#[inline(never)]
fn ask_for(row: usize, pos: &[Vec2], radius: &[f64]) {
    lanes::prefetch(pos, row);
    lanes::prefetch(radius, row);
}

/// The floor, without a function call on processors that lack the instruction.
fn floor(x: f64) -> i64 {
    let whole = x as i64;
    whole - i64::from(whole as f64 > x)
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
            near.build(1.0, Torus::default(), &[vec2(5.0, 5.0)], &[Vec2::ZERO], &[0.1]);
            near.build(reach, Torus::default(), &pos, &vel, &radius);
            for &p in pos.iter().chain(&[vec2(x, y)]) {
                let brute: Vec<u32> =
                    (0..pos.len()).filter(|&i| (pos[i] - p).length2() <= reach * reach).map(|i| i as u32).collect();
                prop_assert_eq!(found(&near, p, reach), brute);
            }
        }
    }

    proptest! {
        #[test]
        fn finds_everybody_once_across_the_seams(
            points in prop::collection::vec((0.0..30.0_f64, -3.0..15.0_f64), 0..60),
            reach in 0.3..9.0_f64,
            (x, y) in (any::<bool>(), any::<bool>()),
        ) {
            let torus = Torus { x: x.then_some((0.0, 30.0)), y: y.then_some((-3.0, 15.0)) };
            let pos: Vec<Vec2> = points.iter().map(|&(x, y)| vec2(x, y)).collect();
            let mut near = Neighbors::default();
            near.build(reach, torus, &pos, &vec![Vec2::ZERO; pos.len()], &vec![0.3; pos.len()]);
            for &p in &pos {
                let within = |q: Vec2| torus.apart(p, q).length2() <= reach * reach;
                let brute: Vec<u32> = (0..pos.len()).filter(|&i| within(pos[i])).map(|i| i as u32).collect();
                let mut rows: Vec<u32> =
                    near.around(p).into_iter().flatten().filter(|&s| within(near.pos[s])).map(|s| near.row[s]).collect();
                rows.sort_unstable();
                prop_assert_eq!(rows, brute);
            }
        }
    }

    #[test]
    fn slots_of_one_cell_are_in_row_order() {
        let pos = [vec2(0.2, 0.0), vec2(9.0, 0.0), vec2(0.1, 0.0), vec2(0.3, 0.0)];
        let mut near = Neighbors::default();
        near.build(1.0, Torus::default(), &pos, &[Vec2::ZERO; 4], &[0.3; 4]);
        assert_eq!(near.row, [0, 2, 3, 1]);
    }
}
