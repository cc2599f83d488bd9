//! W6: arrival times on a grid with the crate `eikonal`.

use crate::Done;
use cpu_time::ProcessTime;
use eikonal::{CostField, solve};
use ndarray::Array2;
use serde_json::json;

/// Solves the whole square of `side` cells from its middle several times; a step is a solve, an agent a cell.
pub fn run(obstacles: bool, side: usize) -> Result<Done, String> {
    let middle = side / 2;
    let cost = Array2::from_shape_fn((side, side), |(i, j)| {
        let pillar = (i / 4 + 7 * (j / 4)) % 11 == 0;
        let free = i.abs_diff(middle) <= 4 && j.abs_diff(middle) <= 4;
        if obstacles && pillar && !free { 0.0 } else { 1.0 }
    });
    let cost = CostField::from_array(cost).map_err(|e| e.to_string())?;
    let once = || solve(&cost, (middle, middle)).map_err(|e| e.to_string());
    let mut last = once()?;
    let solves = (4_000_000 / (side * side)).clamp(3, 400) as u64;
    let start = ProcessTime::now();
    for _ in 0..solves {
        last = once()?;
    }
    let spent = start.elapsed();
    Ok(Done {
        workload: if obstacles { "W6-obst" } else { "W6-open" },
        agents: side * side,
        steps: solves,
        agent_steps: (side * side) as u64 * solves,
        spent,
        check: json!({ "corner": last.distance()[[side - 1, side - 1]] }),
    })
}
