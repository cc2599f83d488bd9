//! W5: two blocks of people on a square of unit cells who walk at each other, without minimum distance and walls.

use super::pattern::add_person;
use super::walkers::{Walkers, scenario};
use super::{Done, Sizes, Work};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::world::scenario::{FloorPlan, Goal, Group, Polygon, Spawn, named};
use serde_json::json;

/// Free speed, m/s: three cells a second, chosen here so that the streams meet within the run.
const SPEED: f64 = 3.0;

/// The continuum with the constants of its peers, which know no minimum distance.
const CONTINUUM: [(&str, f64); 6] = [
    ("cell_m", 1.0),
    ("splat_exponent", 1.0),
    ("density_min_per_m2", 0.01),
    ("density_max_per_m2", 15.0),
    ("least_speed_m_per_s", 0.01),
    ("minimum_distance", 0.0),
];

/// W5: the continuum.
pub(super) fn continuum(sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    streams("W5", "continuum", &CONTINUUM, sizes)
}

/// W5-groups: group dynamics with its own constants.
pub(super) fn groups(sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    streams("W5-groups", "group_dynamics", &[("cell_m", 1.0)], sizes)
}

struct Streams {
    /// Cells along a side.
    side: usize,
    work: Walkers,
}

fn streams(
    name: &'static str,
    model: &'static str,
    constants: &[(&'static str, f64)],
    sizes: &Sizes,
) -> Result<Box<dyn Work>, Error> {
    let side = sizes.side(40, 16)?;
    let agents = sizes.agents.unwrap_or(3000);
    let size = side as f64;
    let middle = 0.5 * size;
    let mut crowd = Crowd::default();
    let mut groups = Vec::new();
    // Each block fills its half of the square but for two cells at the edges and at the middle.
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
            add_person(&mut crowd, spot, Vec2::ZERO, 0.2, SPEED);
            *crowd.group.last_mut().expect("somebody was added") = g as u16;
        }
        let stages = vec![vec![goal]];
        groups.push(Group { name: name.into(), count, spawn: Spawn::Points(spots), stages, ..Group::default() });
    }
    let goal = |x: f64| Goal::Point { at: vec2(x, middle + 0.5), radius: 0.5 };
    let square = Polygon::rectangle(Vec2::ZERO, vec2(size, size));
    let plan = FloorPlan {
        walkable: vec![(square, Vec::new())],
        goals: vec![named("west_end", goal(0.5)), named("east_end", goal(size - 0.5))],
        ..FloorPlan::default()
    };
    let work = Walkers::new(name, model, scenario(plan, groups)?, crowd, 0.02, sizes.steps.unwrap_or(100));
    Ok(Box::new(Streams { side, work: work.with(constants) }))
}

impl Work for Streams {
    fn run(&self, clock: &dyn Fn() -> f64) -> Result<Done, Error> {
        self.work.run(clock)
    }

    fn line(&self, done: &Done) -> serde_json::Value {
        json!({
            "workload": self.work.name(),
            "side": self.side,
            "agents": self.work.agents(),
            "ms_per_step": 1e3 * done.seconds / done.steps as f64,
        })
    }
}
