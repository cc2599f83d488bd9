//! First-order fast marching on a square mesh: arrival times of a front that moves with 1 m/s.
//!
//! Solves |grad T| = 1 upwind (Sethian, PNAS 93, 1591, 1996). An update uses two axes only where the result is
//! causal, |T_x - T_y| < cell, else the axis with the smaller time alone; a test of the discriminant would let
//! roots through that lie before one of their sources.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Which neighboring cells of a square mesh are connected. Cell `(i, j)` has the index `j * columns + i`.
#[derive(Clone, Debug)]
pub struct Mesh {
    columns: usize,
    rows: usize,
    cell_m: f64,
    links: Vec<u8>,
}

const EAST: u8 = 1;
const NORTH: u8 = 2;

impl Mesh {
    /// A mesh whose cells are open where `open` says so; neighbors are connected if both are open and `linked`.
    pub fn new(
        columns: usize,
        rows: usize,
        cell_m: f64,
        open: impl Fn(usize) -> bool,
        linked: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let is_open: Vec<bool> = (0..columns * rows).map(open).collect();
        let links = (0..columns * rows)
            .map(|c| {
                let east = c % columns + 1 < columns && is_open[c] && is_open[c + 1] && linked(c, c + 1);
                let north = c / columns + 1 < rows && is_open[c] && is_open[c + columns] && linked(c, c + columns);
                u8::from(east) * EAST + u8::from(north) * NORTH
            })
            .collect();
        Self { columns, rows, cell_m, links }
    }

    /// Number of cells in a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Neighbors that are connected to `c`: west, east, south, north.
    pub fn neighbors(&self, c: usize) -> [Option<usize>; 4] {
        let (i, j) = (c % self.columns, c / self.columns);
        [
            (i > 0 && self.links[c - 1] & EAST != 0).then(|| c - 1),
            (self.links[c] & EAST != 0).then(|| c + 1),
            (j > 0 && self.links[c - self.columns] & NORTH != 0).then(|| c - self.columns),
            (self.links[c] & NORTH != 0).then(|| c + self.columns),
        ]
    }

    /// Arrival times from the seeds `(cell, time)`, s; infinite where no way leads. Times of seeds are upper bounds:
    /// an earlier arrival replaces them. Equal times are settled in the order of the cells.
    pub fn arrival(&self, seeds: &[(usize, f64)]) -> Vec<f64> {
        let mut time = vec![f64::INFINITY; self.links.len()];
        let mut settled = vec![false; time.len()];
        let mut front = BinaryHeap::with_capacity(seeds.len());
        for &(cell, t) in seeds {
            if t < time[cell] {
                time[cell] = t;
                front.push(Arrival { time: t, cell });
            }
        }
        while let Some(Arrival { cell, .. }) = front.pop() {
            if std::mem::replace(&mut settled[cell], true) {
                continue;
            }
            for n in self.neighbors(cell).into_iter().flatten() {
                if settled[n] {
                    continue;
                }
                let t = self.update(n, &time, &settled);
                if t < time[n] {
                    time[n] = t;
                    front.push(Arrival { time: t, cell: n });
                }
            }
        }
        time
    }

    fn update(&self, c: usize, time: &[f64], settled: &[bool]) -> f64 {
        let of = |n: Option<usize>| n.filter(|&n| settled[n]).map_or(f64::INFINITY, |n| time[n]);
        let [west, east, south, north] = self.neighbors(c);
        let (x, y) = (of(west).min(of(east)), of(south).min(of(north)));
        let (low, high, h) = (x.min(y), x.max(y), self.cell_m);
        if high - low < h { 0.5 * (low + high + (2.0 * h * h - (high - low) * (high - low)).sqrt()) } else { low + h }
    }
}

/// A cell of the front; the greatest one, on top of the heap, has the earliest time, then the lowest index.
#[derive(PartialEq)]
struct Arrival {
    time: f64,
    cell: usize,
}

impl Eq for Arrival {}

impl PartialOrd for Arrival {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Arrival {
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then(other.cell.cmp(&self.cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arrival at the far corner of the benchmark workload W6.
    fn w6(n: usize, obstacles: bool) -> f64 {
        let open = |c: usize| {
            let (i, j) = (c % n, c / n);
            !obstacles || (i / 4 + 7 * (j / 4)) % 11 != 0 || (i.abs_diff(n / 2) <= 4 && j.abs_diff(n / 2) <= 4)
        };
        let mesh = Mesh::new(n, n, 1.0, open, |_, _| true);
        mesh.arrival(&[((n / 2) * n + n / 2, 0.0)])[n * n - 1]
    }

    #[test]
    fn arrives_when_other_solvers_do() {
        // Values of scikit-fmm at order 1 for the same mesh.
        assert!((w6(80, false) - 56.389).abs() < 1e-3, "{}", w6(80, false));
        assert!((w6(80, true) - 58.259).abs() < 1e-3, "{}", w6(80, true));
    }

    #[test]
    fn first_cells_by_hand() {
        // Beside the source 1; on the diagonal (1 + 1 + sqrt 2) / 2.
        let t = Mesh::new(3, 3, 1.0, |_| true, |_, _| true).arrival(&[(0, 0.0)]);
        assert_eq!((t[1], t[3], t[2]), (1.0, 1.0, 2.0));
        assert!((t[4] - (1.0 + std::f64::consts::FRAC_1_SQRT_2)).abs() < 1e-15);
    }

    #[test]
    fn closed_links_are_walked_around_and_closed_cells_never_entered() {
        // Two cells side by side without a link: over the row above, three steps of one axis each.
        let mesh = Mesh::new(2, 2, 1.0, |_| true, |a, b| (a, b) != (0, 1));
        assert_eq!(mesh.arrival(&[(0, 0.0)]), [0.0, 3.0, 1.0, 2.0]);
        let mesh = Mesh::new(3, 1, 1.0, |c| c != 1, |_, _| true);
        assert_eq!(mesh.arrival(&[(0, 0.0)])[1..], [f64::INFINITY, f64::INFINITY]);
        assert_eq!((mesh.columns(), mesh.rows()), (3, 1));
    }

    #[test]
    fn the_error_falls_with_the_cell() {
        // Distance from a circle of radius 0.25 around (0.5, 0.5), exact values inside it as seeds.
        let error = |n: usize| {
            let h = 1.0 / n as f64;
            let exact = |c: usize| {
                let (x, y) = (((c % n) as f64 + 0.5) * h - 0.5, ((c / n) as f64 + 0.5) * h - 0.5);
                (x * x + y * y).sqrt()
            };
            let seeds: Vec<_> = (0..n * n).map(|c| (c, exact(c))).filter(|s| s.1 <= 0.25).collect();
            let t = Mesh::new(n, n, h, |_| true, |_, _| true).arrival(&seeds);
            (0..n * n).map(|c| (t[c] - exact(c)).abs()).fold(0.0, f64::max)
        };
        let errors = [error(50), error(100), error(200)];
        assert!(errors[0] / errors[1] >= 1.7 && errors[1] / errors[2] >= 1.7, "{errors:?}");
    }
}
