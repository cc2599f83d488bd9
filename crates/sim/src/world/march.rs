//! Arrival times of a front that moves over a square mesh, first order; see [`crowdtune_core::math::eikonal`].

use crowdtune_core::math::eikonal::Eikonal;
use crowdtune_core::math::{Vec2, vec2};

/// A square mesh with connections between neighboring cells. Cell `(i, j)` has the index `j * columns + i`.
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

    /// Arrival times from the seeds `(cell, time)`, s; infinite for unreachable cells. Times of seeds are upper bounds:
    /// earlier arrivals replace them. `speed(cell, way)` is the speed of a step from a cell to its neighbor along an axis,
    /// m/s.
    pub fn arrival(&self, seeds: &[(usize, f64)], speed: impl Fn(usize, Vec2) -> f64) -> Vec<f64> {
        let mut front = Eikonal::default();
        front.resize(self.columns, self.rows);
        front.set_costs(|i, j| {
            let c = j * self.columns + i;
            let [west, east, south, north] = self.neighbors(c);
            let cost =
                |n: Option<usize>, x: f64, y: f64| n.map_or(f64::INFINITY, |_| self.cell_m / speed(c, vec2(x, y)));
            [cost(east, 1.0, 0.0), cost(north, 0.0, 1.0), cost(west, -1.0, 0.0), cost(south, 0.0, -1.0)]
        });
        front.solve(seeds);
        (0..self.links.len()).map(|c| front.time(c % self.columns, c / self.columns)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_cells_by_hand() {
        // Beside the source 1; on the diagonal (1 + 1 + sqrt 2) / 2.
        let t = Mesh::new(3, 3, 1.0, |_| true, |_, _| true).arrival(&[(0, 0.0)], |_, _| 1.0);
        assert_eq!((t[1], t[3], t[2]), (1.0, 1.0, 2.0));
        assert!((t[4] - (1.0 + std::f64::consts::FRAC_1_SQRT_2)).abs() < 1e-15);
    }

    #[test]
    fn closed_links_are_walked_around_and_closed_cells_never_entered() {
        // Two cells side by side without a link: over the row above, three steps of one axis each.
        let mesh = Mesh::new(2, 2, 1.0, |_| true, |a, b| (a, b) != (0, 1));
        assert_eq!(mesh.arrival(&[(0, 0.0)], |_, _| 1.0), [0.0, 3.0, 1.0, 2.0]);
        let mesh = Mesh::new(3, 1, 1.0, |c| c != 1, |_, _| true);
        assert_eq!(mesh.arrival(&[(0, 0.0)], |_, _| 1.0)[1..], [f64::INFINITY, f64::INFINITY]);
        assert_eq!((mesh.columns, mesh.rows), (3, 1));
    }
}
