//! The eikonal equation: arrival times of a front on a grid whose cost depends on position and direction.
//!
//! First order, upwind (Sethian, PNAS 93, 1591, 1996; per-face costs as in Treuille, Cooper, Popovic 2006): a neighbor at
//! time t_x along x and one at t_y along y, with costs c_x and c_y, give the time t of
//! `((t - t_x) / c_x)^2 + ((t - t_y) / c_y)^2 = 1` where it is causal, `|t_x - t_y|` below the cost of the axis with the
//! smaller time; else that axis counts alone. A test of the discriminant would let roots through that lie before one of
//! their sources. Of the four pairs of neighbors the one with the earliest time counts. *Differs from the source:* there
//! the neighbor with the smaller time plus cost is taken along each axis, which is the same where both faces of an axis
//! cost the same, but else lets a time rise when a neighbor's falls, and then the result depends on the order of cells.
//!
//! Solved by sweeps in four diagonal directions (Zhao, Math. Comp. 74, 603, 2005) that visit only squares where
//! something is due. Eight rows form a strip and are processed together, each one column behind the previous row, so
//! that two of each cell's four neighbors are new and two old, as in a cell-by-cell sweep. A square of eight by eight
//! cells is due when a time in it or next to it has fallen that could lower another, and waits until the front is near and a sweep comes from the
//! same side. Where all open faces cost the same, as in the ways around walls, a sweep reads which ones are open, four bytes for eight cells.
//! Times only fall, and at the end nothing is due: up to rounding, no order of the cells would give other times.

mod faces;
mod lengths;
mod strip;
mod window;

use super::lanes;
use faces::{Alike, Each, Open};
pub use faces::{EAST, NORTH, SOUTH, WEST};
pub use lengths::Lengths;
use strip::{Pass, SIDES};
use window::{EDGE, STRIP};

/// How many cells of mean cost a sweep may be ahead of the front. Chosen here by measurement: with less the same squares
/// are visited more often; with more a front that bends around obstacles is followed the wrong way.
const BAND: f64 = 48.0;

/// A grid of cells, the costs to step through their faces, and the arrival times of a front.
///
/// Cell `(i, j)` has the index `j * columns + i`. Later solves reuse the memory.
#[derive(Clone, Debug, Default)]
pub struct Eikonal {
    columns: usize,
    rows: usize,
    /// Strips of eight rows, column by column, between two strips and columns at the edges that nothing reaches.
    time: Vec<f64>,
    cost: [Vec<f64>; 4],
    /// Of each square of eight by eight cells the earliest time that may change something in it, by the face through which it comes.
    due: Vec<[f64; 4]>,
    /// The earliest of each strip.
    first: Vec<f64>,
    /// What all open faces cost, if it is the same, and which ones are open then.
    alike: Option<f64>,
    open: Open,
    /// Mean cost of the open faces to the east and north.
    mean_cost: f64,
    steps: u64,
}

impl Eikonal {
    /// Takes on a size; if it is another one than before, every face is closed.
    pub fn resize(&mut self, columns: usize, rows: usize) {
        if (self.columns, self.rows) == (columns, rows) {
            return;
        }
        (self.columns, self.rows) = (columns, rows);
        let len = (rows.div_ceil(STRIP) + 2) * self.strip_len();
        for cost in &mut self.cost {
            cost.clear();
            cost.resize(len, f64::INFINITY);
        }
    }

    /// Number of cells in a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    fn strip_len(&self) -> usize {
        (self.columns.next_multiple_of(STRIP) + 2 * EDGE) * STRIP
    }

    /// Where a cell is stored.
    #[inline(always)]
    fn place(&self, i: usize, j: usize) -> usize {
        (1 + j / STRIP) * self.strip_len() + (i + EDGE) * STRIP + j % STRIP
    }

    /// Sets the costs to step from a cell to its neighbors, by face ([`EAST`], [`NORTH`], [`WEST`], [`SOUTH`]): the time
    /// that a step through the face takes; positive, or infinite where it is closed. `cost(i, j)` is asked once for
    /// every cell, column by column in strips of eight rows. A face has to be closed from both sides or from none, and
    /// at the edge of the grid.
    #[inline(always)]
    pub fn set_costs(&mut self, mut cost: impl FnMut(usize, usize) -> [f64; 4]) {
        let len = self.strip_len();
        let (mut sum, mut count) = (0.0, 0.0);
        for j0 in (0..self.rows).step_by(STRIP) {
            let from = (1 + j0 / STRIP) * len + EDGE * STRIP;
            let rows = STRIP.min(self.rows - j0);
            let [east, north, west, south] =
                self.cost.each_mut().map(|face| face[from..from + self.columns * STRIP].chunks_exact_mut(STRIP));
            for (i, (((east, north), west), south)) in east.zip(north).zip(west).zip(south).enumerate() {
                for k in 0..rows {
                    [east[k], north[k], west[k], south[k]] = cost(i, j0 + k);
                    for cost in [east[k], north[k]] {
                        sum += if cost < f64::INFINITY { cost } else { 0.0 };
                        count += if cost < f64::INFINITY { 1.0 } else { 0.0 };
                    }
                }
            }
        }
        self.weigh(sum, count);
    }

    /// Notes what solves want to know of the costs, of which so many to the east and north are open and have this sum.
    fn weigh(&mut self, sum: f64, count: f64) {
        self.mean_cost = if count > 0.0 { sum / count } else { 1.0 };
        self.alike = self.only_cost();
        if self.alike.is_some() {
            self.mark_open();
        }
    }

    /// What all open faces cost; `None` as soon as one of them costs something else.
    fn only_cost(&self) -> Option<f64> {
        let mut open = self.cost.iter().flatten().filter(|&&cost| cost < f64::INFINITY);
        let first = *open.next()?;
        open.all(|&cost| cost == first).then_some(first)
    }

    /// Notes which faces are open.
    fn mark_open(&mut self) {
        let len = self.strip_len();
        self.open.reset(len / STRIP, self.rows.div_ceil(STRIP) + 2);
        for (face, costs) in self.cost.iter().enumerate() {
            for (strip, costs) in costs.chunks_exact(len).enumerate() {
                for (at, _) in costs.iter().enumerate().filter(|&(_, &cost)| cost < f64::INFINITY) {
                    self.open.open(face, strip * (len / STRIP), at / STRIP - EDGE, at % STRIP);
                }
            }
        }
    }

    /// Lets fronts start in the cells of the seeds `(cell, time)`. Times of seeds are upper bounds: earlier arrivals
    /// replace them. Unreachable cells have an infinite time.
    pub fn solve(&mut self, seeds: &[(usize, f64)]) {
        let (len, strips, tiles) = (self.strip_len(), self.rows.div_ceil(STRIP), self.columns.div_ceil(STRIP));
        self.time.clear();
        self.time.resize((strips + 2) * len, f64::INFINITY);
        self.due.clear();
        self.due.resize((strips + 2) * tiles, [f64::INFINITY; 4]);
        for &(c, t) in seeds {
            let (i, j) = (c % self.columns, c / self.columns);
            let at = self.place(i, j);
            if t < self.time[at] {
                self.time[at] = t;
                // Rows are counted from the strip at the lower edge on.
                let (right, j) = ((i + 1).min(self.columns - 1), j + STRIP);
                for (i, j) in [(i, j), (i, j - 1), (i, j + 1), (i.saturating_sub(1), j), (right, j)] {
                    let due = &mut self.due[j / STRIP * tiles + i / STRIP];
                    *due = due.map(|due| due.min(t));
                }
            }
        }
        self.first.clear();
        self.first.extend(self.due.chunks_exact(tiles).map(|due| least(due.as_flattened())));
        self.steps = 0;
        loop {
            let first = least(&self.first[1..=strips]);
            if first == f64::INFINITY {
                return;
            }
            let limit = first + BAND * self.mean_cost;
            for (side, down) in SIDES {
                for n in 0..strips {
                    let strip = if down { strips - n } else { n + 1 };
                    if self.first[strip] >= limit {
                        continue;
                    }
                    let (time, due) = (&mut self.time, &mut self.due);
                    self.steps += if let Some(cost) = self.alike {
                        let open = self.open.strip(strip * (len / STRIP), len / STRIP);
                        let faces = Alike { cost, open, columns: tiles * STRIP };
                        lanes::run(Pass { tiles, len, strip, time, faces, due, limit, side })
                    } else {
                        let faces = Each(self.cost.each_ref().map(|costs| &costs[..]));
                        lanes::run(Pass { tiles, len, strip, time, faces, due, limit, side })
                    };
                    for (first, due) in self.first.iter_mut().zip(self.due.chunks_exact(tiles)).skip(strip - 1).take(3)
                    {
                        *first = least(due.as_flattened());
                    }
                }
            }
        }
    }

    /// Arrival time in a cell; infinite if unreachable.
    #[inline(always)]
    pub fn time(&self, i: usize, j: usize) -> f64 {
        self.time[self.place(i, j)]
    }

    /// Copies the arrival times of a row, from the first cell on.
    pub fn row(&self, j: usize, to: &mut [f64]) {
        let from = self.place(0, j);
        for (to, &time) in to.iter_mut().zip(self.time[from..].iter().step_by(STRIP)) {
            *to = time;
        }
    }

    /// How often the last solve looked at eight cells: a measure of its work.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

fn least(times: &[f64]) -> f64 {
    times.iter().fold(f64::INFINITY, |a, &b| if b < a { b } else { a })
}

#[cfg(test)]
#[path = "eikonal_tests.rs"]
mod tests;
