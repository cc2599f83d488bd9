//! W6: arrival times in a square of cells from its middle, with pillars or without.

use super::{Check, Done, Sizes, Work};
use crowdtune_core::Error;
use crowdtune_core::math::eikonal::Eikonal;
use serde_json::json;

/// Cells solved in one run: about a tenth of a second of work, whatever the side.
const CELLS: usize = 4_000_000;

/// W6-open: an empty square.
pub(super) fn open(sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    square(false, sizes)
}

/// W6-obst: a square with pillars.
pub(super) fn obstacles(sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    square(true, sizes)
}

fn square(obstacles: bool, sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    let side = sizes.side(80, 2)?;
    let solves = sizes.steps.unwrap_or((CELLS / (side * side)).clamp(3, 400) as u64);
    Ok(Box::new(Square { obstacles, side, solves }))
}

struct Square {
    obstacles: bool,
    /// Cells along a side.
    side: usize,
    solves: u64,
}

impl Square {
    /// Pillars of 4 x 4 cells stand in every eleventh block, never near the middle.
    fn is_open(&self, i: usize, j: usize) -> bool {
        let middle = self.side / 2;
        let near = i.abs_diff(middle) <= 4 && j.abs_diff(middle) <= 4;
        !self.obstacles || near || !(i / 4 + 7 * (j / 4)).is_multiple_of(11)
    }
}

impl Work for Square {
    fn run(&self, clock: &dyn Fn() -> f64) -> Result<Done, Error> {
        let n = self.side;
        let mut front = Eikonal::default();
        front.resize(n, n);
        front.set_costs(|i, j| {
            let to = |inside: bool, a: usize, b: usize| {
                if inside && self.is_open(i, j) && self.is_open(a, b) { 1.0 } else { f64::INFINITY }
            };
            [
                to(i + 1 < n, i + 1, j),
                to(j + 1 < n, i, j + 1),
                to(i > 0, i.wrapping_sub(1), j),
                to(j > 0, i, j.wrapping_sub(1)),
            ]
        });
        let seed = [(n / 2 * n + n / 2, 0.0)];
        front.solve(&seed);
        let from = clock();
        for _ in 0..self.solves {
            front.solve(&seed);
        }
        let seconds = clock() - from;
        // The arrival time at the corner stands where workloads of people have the mean place.
        let check = Check { mean_x_m: front.time(n - 1, n - 1), ..Check::default() };
        Ok(Done { seconds, steps: self.solves, agent_steps: (n * n) as u64 * self.solves, check })
    }

    fn line(&self, done: &Done) -> serde_json::Value {
        json!({
            "workload": if self.obstacles { "W6-obst" } else { "W6-open" },
            "side": self.side,
            "agents": self.side * self.side,
            "ms_per_step": 1e3 * done.seconds / done.steps as f64,
            "check": { "corner": done.check.mean_x_m },
        })
    }
}
