//! Costs that are what a meter costs times the length of a step, set anew again and again.

use super::window::{EDGE, STRIP};
use super::{EAST, Eikonal, NORTH, WEST, lanes};
use crate::math::doubles::Doubles;
use crate::math::lanes::{Kernel, Lanes};

/// Lengths of the steps between cells, in the solver's order.
#[derive(Clone, Debug)]
pub struct Lengths {
    of: [Vec<f64>; 4],
    /// How many faces to the east and north are open.
    open: f64,
}

impl Eikonal {
    /// The lengths of the steps from every cell through its faces: positive, or infinite where a face is closed, as for
    /// [`Eikonal::set_costs`].
    pub fn lengths(&mut self, length: impl FnMut(usize, usize) -> [f64; 4]) -> Lengths {
        self.set_costs(length);
        let open = [EAST, NORTH].into_iter().flat_map(|face| &self.cost[face]).filter(|&&cost| cost < f64::INFINITY);
        Lengths { of: self.cost.clone(), open: open.count() as f64 }
    }

    /// Sets the costs of all steps: their lengths times what a meter costs in the cell that they lead to, positive, by face. The meters
    /// are given row by row for `columns` columns, which the grid repeats as often as it is wider and higher.
    pub fn set_costs_per_meter(&mut self, lengths: &Lengths, columns: usize, per_meter: [&[f64]; 4]) {
        let (len, rows) = (self.strip_len(), per_meter[EAST].len() / columns);
        let mut sum = 0.0;
        for (face, (cost, lengths)) in self.cost.iter_mut().zip(&lengths.of).enumerate() {
            let (right, up) = match face {
                EAST => (1, 0),
                NORTH => (0, 1),
                WEST => (columns - 1, 0),
                _ => (0, rows - 1),
            };
            for j in (0..self.rows).step_by(STRIP) {
                let row = |k: usize| &per_meter[face][(j + k + up) % rows * columns..][..columns];
                let per_meter = [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)];
                let from = (1 + j / STRIP) * len + EDGE * STRIP;
                let strip = from..from + self.columns * STRIP;
                let (lengths, cost) = (&lengths[strip.clone()], &mut cost[strip]);
                let strip = lanes::run(Strip { per_meter, first: right % columns, lengths, cost });
                sum += if face == EAST || face == NORTH { strip } else { 0.0 };
            }
        }
        self.weigh(sum, lengths.open);
    }
}

/// Lays the costs through one face of a strip. Gives the sum of the open ones.
struct Strip<'a> {
    per_meter: [&'a [f64]; STRIP],
    /// Column of the first step's end.
    first: usize,
    lengths: &'a [f64],
    cost: &'a mut [f64],
}

impl Kernel for Strip<'_> {
    type Out = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        let [a, b, c, d, e, f, g, h] = self.per_meter;
        let (infinite, zero) = (L::Double::splat(f64::INFINITY), L::Double::splat(0.0));
        let (mut sum, mut to) = (zero, self.first);
        let columns = self.lengths.as_chunks::<STRIP>().0.iter().zip(self.cost.as_chunks_mut::<STRIP>().0);
        for (lengths, cost) in columns {
            let per_meter = L::Double::of(&[a[to], b[to], c[to], d[to], e[to], f[to], g[to], h[to]]);
            let costs = per_meter.mul(L::Double::of(lengths));
            costs.put(cost);
            sum = sum.add(infinite.choose(costs, zero, costs));
            to = if to + 1 < a.len() { to + 1 } else { 0 };
        }
        sum.total()
    }
}
