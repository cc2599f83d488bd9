//! W5, W5-groups and W6 of `crowdtune bench`: a continuum crowd on a small grid, the same people with group dynamics, and
//! one eikonal solve on a large grid.

use super::workload::{Check, Done, Timed, Workload, person, scenario};
use crowdtune_core::Error;
use crowdtune_core::math::eikonal::Eikonal;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::world::scenario::{Goal, Group, Plan, Polygon, Spawn, named};
use serde_json::json;

/// W6 solves the whole grid so often that some million cells are reached.
const CELLS: usize = 4_000_000;

/// The workload of that name, or `None` if it is none of these; `side` in cells.
///
/// # Errors
/// If a size makes no sense for it.
pub fn named_one(
    name: &str,
    agents: Option<usize>,
    steps: Option<u64>,
    side: Option<usize>,
) -> Result<Option<Box<dyn Timed>>, Error> {
    let small = |least: usize| {
        Err(Error::input(format!("{name} needs a larger grid")).key("side").allowed(format!("at least {least} cells")))
    };
    Ok(match name {
        "W5" | "W5-groups" => {
            let side = side.unwrap_or(40);
            if side < 16 {
                return small(16);
            }
            let (agents, steps) = (agents.unwrap_or(3000), steps.unwrap_or(100));
            Some(Box::new(Streams { side, work: streams(name == "W5-groups", side, agents, steps)? }))
        }
        "W6" | "W6-open" | "W6-obst" => {
            let side = side.unwrap_or(80);
            if side < 2 {
                return small(2);
            }
            let solves = steps.unwrap_or((CELLS / (side * side)).clamp(3, 400) as u64);
            Some(Box::new(Front { obstacles: name == "W6-obst", side, solves }))
        }
        _ => None,
    })
}

/// W5: two blocks of people on a square of unit cells who walk at each other, without minimum distance and walls.
struct Streams {
    side: usize,
    work: Workload,
}

/// Free speed of W5, m/s.
const SPEED: f64 = 3.0;

/// The workload: the continuum with the constants of its peers, or group dynamics with its own.
fn streams(with_groups: bool, side: usize, agents: usize, steps: u64) -> Result<Workload, Error> {
    let size = side as f64;
    let middle = 0.5 * size;
    let mut crowd = Crowd::default();
    let mut groups = Vec::new();
    // Each block fills the half of the square that it starts in, but for two cells at the edges and the middle.
    let (wide, high) = (middle - 4.0, size - 4.0);
    for (g, (name, low, goal)) in [("east", 2.0, 1), ("west", middle + 2.0, 0)].into_iter().enumerate() {
        let count = if g == 0 { agents.div_ceil(2) } else { agents / 2 };
        let rows = ((count as f64 * high / wide).sqrt().ceil() as usize).max(1);
        let columns = count.div_ceil(rows).max(1);
        let mut spots = Vec::new();
        for k in 0..count {
            let (i, j) = ((k / rows) as f64 + 0.5, (k % rows) as f64 + 0.5);
            spots.push(vec2(low + wide * i / columns as f64, 2.0 + high * j / rows as f64));
        }
        for &spot in &spots {
            person(&mut crowd, spot, Vec2::ZERO, 0.2, SPEED);
            *crowd.group.last_mut().expect("somebody was added") = g as u16;
        }
        let stages = vec![vec![goal]];
        groups.push(Group { name: name.into(), count, spawn: Spawn::Points(spots), stages, ..Group::default() });
    }
    let goal = |x: f64| Goal::Point { at: vec2(x, middle + 0.5), radius: 0.5 };
    let square = Polygon::rectangle(Vec2::ZERO, vec2(size, size));
    let plan = Plan {
        walkable: vec![(square, Vec::new())],
        goals: vec![named("west_end", goal(0.5)), named("east_end", goal(size - 0.5))],
        ..Plan::default()
    };
    let (name, model, set): (_, _, &[_]) = if with_groups {
        ("W5-groups", "group_dynamics", &[("cell_m", 1.0)])
    } else {
        let set = &[
            ("cell_m", 1.0),
            ("splat_exponent", 1.0),
            ("density_min_per_m2", 0.01),
            ("density_max_per_m2", 15.0),
            ("least_speed_m_per_s", 0.01),
            ("minimum_distance", 0.0),
        ];
        ("W5", "continuum", set)
    };
    Ok(Workload {
        name,
        model,
        set: set.to_vec(),
        scenario: scenario(plan, groups)?,
        crowd,
        time_step_s: 0.02,
        steps,
        goals: Vec::new(),
    })
}

impl Timed for Streams {
    fn run(&self, clock: &dyn Fn() -> f64) -> Result<Done, Error> {
        self.work.run(clock)
    }

    fn line(&self, done: &Done) -> serde_json::Value {
        json!({
            "workload": self.work.name,
            "side": self.side,
            "agents": self.work.agents(),
            "ms_per_step": 1e3 * done.seconds / done.steps as f64,
        })
    }
}

/// W6: arrival times in a square from its middle, with pillars or without.
struct Front {
    obstacles: bool,
    side: usize,
    solves: u64,
}

impl Front {
    fn is_open(&self, i: usize, j: usize) -> bool {
        let middle = self.side / 2;
        let near = i.abs_diff(middle) <= 4 && j.abs_diff(middle) <= 4;
        !self.obstacles || near || !(i / 4 + 7 * (j / 4)).is_multiple_of(11)
    }
}

impl Timed for Front {
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
        // The corner stands where workloads of people have the mean place.
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
