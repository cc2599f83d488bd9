//! Who is near whom: people sorted into square cells.

use super::torus::Torus;
use crate::math::lanes::{self, Lanes};
use crate::math::planes::{Planes, Read};
use crate::math::{Vec2, vec2};
use std::ops::Range;

/// More cells than this many per person make no look-up faster, they only cost memory.
const CELLS_PER_PERSON: usize = 8;

/// The people of one moment, sorted by cell, one column per field.
///
/// A *slot* is a place in this order: cell by cell along x, then y; within a cell by row. Few ranges of slots hold
/// everybody within `reach` of a point, so a sum over them always has the same order. In a periodic place everybody
/// is there once, as the nearest image: [`Neighbors::apart`] is the way to it.
#[derive(Clone, Debug, Default)]
pub struct Neighbors {
    origin: Vec2,
    torus: Torus,
    cell: f64,
    per_cell: Vec2,
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
    /// The same in single precision, for kernels.
    pub lanes: Columns,
}

/// Columns of [`Columns`] and [`Tile`]: position from the corner of the grid, m.
pub const X: usize = 0;
/// See [`X`].
pub const Y: usize = 1;
/// Radius, m.
pub const RADIUS: usize = 2;
/// Velocity, m/s.
pub const VX: usize = 3;
/// See [`VX`].
pub const VY: usize = 4;

/// Slots in single precision.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// [`X`], [`Y`], [`RADIUS`], [`VX`], [`VY`]; eight numbers can be read from any slot on.
    pub planes: Planes<5>,
    /// Circumference of the rings, m; 0 for an axis that is open.
    pub ring: (f32, f32),
}

/// Where nobody is: no square of a distance to it overflows, and none is small, m.
const FAR_M: f32 = 1e18;

/// Everybody who may be near the people of one cell, side by side: kernels read them in full blocks of
/// [`lanes::WIDTH`], the last one filled up with places far away.
#[derive(Clone, Debug, Default)]
pub struct Tile {
    planes: Planes<5>,
    ranges: [Range<usize>; 6],
    len: usize,
}

impl Tile {
    /// Takes over the first `M` columns of the people of some ranges of slots.
    #[inline(always)]
    pub fn gather<L: Lanes, const M: usize>(&mut self, columns: &Columns, ranges: [Range<usize>; 6]) {
        self.len = 0;
        for range in &ranges {
            self.len += range.end - range.start;
        }
        self.ranges = ranges;
        let to = gather::<L, 5, M>(&mut self.planes, &columns.planes, &self.ranges, self.len);
        self.planes.put(to, [L::splat(FAR_M); 2]);
    }

    /// Puts columns of a model's own, by slot, into the order of the tile.
    #[inline(always)]
    pub fn gather_too<L: Lanes, const N: usize>(&self, to: &mut Planes<N>, columns: &Planes<N>) {
        gather::<L, N, N>(to, columns, &self.ranges, self.len);
    }

    /// The columns, as in [`Columns`].
    #[inline(always)]
    pub fn planes(&self) -> Read<'_, 5> {
        self.planes.read()
    }

    /// Number of people.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if nobody is there.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The slot of a place of the tile.
    pub fn slot(&self, place: usize) -> usize {
        let mut left = place;
        for range in &self.ranges {
            if left < range.len() {
                return range.start + left;
            }
            left -= range.len();
        }
        unreachable!("a tile holds {} people, not {place}", self.len)
    }
}

/// Copies the first `M` columns of some ranges, `len` numbers of each, side by side; gives where they end.
#[inline(always)]
fn gather<L: Lanes, const N: usize, const M: usize>(
    to: &mut Planes<N>,
    from: &Planes<N>,
    ranges: &[Range<usize>; 6],
    len: usize,
) -> usize {
    to.reserve(len + 1);
    let (mut to, from) = (to.write(), from.read());
    let mut end = 0;
    for range in ranges {
        // Whole blocks are faster than parts; what is too much is written over.
        let (mut at, mut behind) = (range.start, end);
        while at < range.end {
            to.put::<L, M>(behind, from.load(at));
            at += lanes::WIDTH;
            behind += lanes::WIDTH;
        }
        end += range.end - range.start;
    }
    end
}

impl Neighbors {
    /// Sorts people into cells at least `reach` wide; memory of earlier calls is used again.
    ///
    /// Positions have to be finite, and inside the rings of a periodic place; all columns have the same length.
    pub fn build(&mut self, reach: f64, torus: Torus, pos: &[Vec2], vel: &[Vec2], radius: &[f64]) {
        let n = pos.len();
        let (mut low, mut high) = (vec2(f64::INFINITY, f64::INFINITY), vec2(f64::NEG_INFINITY, f64::NEG_INFINITY));
        for p in pos {
            low = vec2(low.x.min(p.x), low.y.min(p.y));
            high = vec2(high.x.max(p.x), high.y.max(p.y));
        }
        if n == 0 {
            (low, high) = (Vec2::ZERO, Vec2::ZERO);
        }
        // The cells of a ring begin at its seam and share what is left over: none may be narrower than the reach.
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
        // `start[c + 1]` counts the people of cell c - 1, then is where cell c begins, and walks to its end while the
        // cell is filled: which is where cell c + 1 begins.
        let per_cell =
            |ring: bool, cells: usize, length: f64| if ring { cells as f64 / length } else { 1.0 / self.cell };
        self.per_cell = vec2(
            per_cell(torus.x.is_some(), self.columns, high.x - low.x),
            per_cell(torus.y.is_some(), self.rows, high.y - low.y),
        );
        self.start.clear();
        self.start.resize(self.columns * self.rows + 2, 0);
        self.cell_of.clear();
        for &p in pos {
            let c = self.cell_at(p);
            self.cell_of.push(c as u32);
            self.start[c + 2] += 1;
        }
        let mut before = 0;
        for start in &mut self.start {
            before += *start;
            *start = before;
        }
        self.row.resize(n, 0);
        self.pos.resize(n, Vec2::ZERO);
        self.vel.resize(n, Vec2::ZERO);
        self.radius.resize(n, 0.0);
        self.lanes.planes.reserve(n + 1);
        for i in 0..n {
            let start = &mut self.start[self.cell_of[i] as usize + 1];
            let slot = *start as usize;
            *start += 1;
            self.row[slot] = i as u32;
            self.pos[slot] = pos[i];
            self.vel[slot] = vel[i];
            self.radius[slot] = radius[i];
            let p = pos[i] - low;
            let place = [p.x, p.y, radius[i], vel[i].x, vel[i].y];
            self.lanes.planes.set(slot, place.map(|x| x as f32));
        }
        self.start.pop();
        let length = |axis: Option<(f64, f64)>| axis.map_or(0.0, |(first, last)| (last - first) as f32);
        self.lanes.ring = (length(torus.x), length(torus.y));
    }

    fn cell_at(&self, p: Vec2) -> usize {
        let column = (((p.x - self.origin.x) * self.per_cell.x) as u32 as usize).min(self.columns - 1);
        let row = (((p.y - self.origin.y) * self.per_cell.y) as u32 as usize).min(self.rows - 1);
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

    /// Distance within which [`Neighbors::around`] finds everybody, m; at least what the grid was built for.
    pub fn reach(&self) -> f64 {
        self.cell
    }

    /// The way from one place to another, m, the shortest in a periodic place.
    #[inline]
    pub fn apart(&self, from: Vec2, to: Vec2) -> Vec2 {
        self.torus.apart(from, to)
    }

    /// Slots that hold everybody within `reach` of `p` (and others), each once; empty ranges outside the grid.
    pub fn around(&self, p: Vec2) -> [Range<usize>; 6] {
        if self.is_empty() {
            return [const { 0..0 }; 6];
        }
        self.spans(floor((p.x - self.origin.x) * self.per_cell.x), floor((p.y - self.origin.y) * self.per_cell.y))
    }

    /// The cells with somebody in them, in the order of slots.
    #[inline(always)]
    pub fn cells(&self) -> Cells<'_> {
        Cells { near: self, column: 0, row: 0, rows: 0..beside(0, self.rows).end }
    }

    /// Slots of the cells next to a cell, which may lie outside.
    fn spans(&self, column: i64, row: i64) -> [Range<usize>; 6] {
        let mut ranges = [const { 0..0 }; 6];
        let slots = |base: usize, columns: &Range<usize>| {
            self.start[base + columns.start] as usize..self.start[base + columns.end] as usize
        };
        if self.torus.is_open() {
            let (columns, rows) = (beside(column, self.columns), beside(row, self.rows));
            if !columns.is_empty() {
                for (range, row) in ranges.iter_mut().zip(rows) {
                    *range = slots(row * self.columns, &columns);
                }
            }
            return ranges;
        }
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

/// Walks over the cells.
#[derive(Debug)]
pub struct Cells<'a> {
    near: &'a Neighbors,
    column: usize,
    row: usize,
    /// The rows next to this one.
    rows: Range<usize>,
}

impl Cells<'_> {
    /// The slots of the next cell with somebody in it, and those of [`Neighbors::around`] for all of its people.
    #[inline(always)]
    pub fn advance(&mut self) -> Option<(Range<usize>, [Range<usize>; 6])> {
        let Neighbors { columns, rows, start, .. } = self.near;
        while self.row < *rows {
            let base = self.row * columns;
            while self.column < *columns {
                let column = self.column;
                self.column += 1;
                let slots = start[base + column] as usize..start[base + column + 1] as usize;
                if slots.is_empty() {
                    continue;
                }
                if !self.near.torus.is_open() {
                    return Some((slots, self.near.spans(column as i64, self.row as i64)));
                }
                let (first, end) = (column.saturating_sub(1), (column + 2).min(*columns));
                let mut ranges = [const { 0..0 }; 6];
                for (range, row) in ranges.iter_mut().zip(self.rows.clone()) {
                    *range = start[row * columns + first] as usize..start[row * columns + end] as usize;
                }
                return Some((slots, ranges));
            }
            (self.row, self.column) = (self.row + 1, 0);
            self.rows = self.row - 1..(self.row + 2).min(*rows);
        }
        None
    }
}

/// The largest whole number that is not larger; without a call on processors that have no instruction for it.
fn floor(x: f64) -> i64 {
    let whole = x as i64;
    whole - i64::from(whole as f64 > x)
}

/// The cells of an open axis next to one, which may lie outside.
#[inline]
fn beside(at: i64, cells: usize) -> Range<usize> {
    let (first, end) = (at.saturating_sub(1).max(0), at.saturating_add(2).min(cells as i64));
    if first < end { first as usize..end as usize } else { 0..0 }
}

/// The cells of one axis next to one, which may lie outside: one range, or two where it lies at the seam of a ring.
#[inline]
fn span(ring: bool, at: i64, cells: usize) -> [Range<usize>; 2] {
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
