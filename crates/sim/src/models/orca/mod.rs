//! Optimal reciprocal collision avoidance of van den Berg, Guy, Lin and Manocha (ISRR 2009, printed 2011).

mod avoid;
pub(super) mod params;
mod program;
#[cfg(test)]
mod reference;
mod walls;

use super::keep_off::keep_off;
use super::{MakeModel, ModelSetup, Symmetry, everywhere};
use crate::crowd::{RowMap, Status, Steering, Update, View};
use avoid::{Avoid, AvoidScratch};
use crowdtune_core::math::lanes;
use crowdtune_core::math::rng::{Seed, mixed};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Entry, Settings};
use program::Velocity;
use walls::{Body, Line};

const PAPER: &str = "van den Berg, Guy, Lin, Manocha, Reciprocal n-Body Collision Avoidance, Robotics Research (2011)";

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "orca",
    doc: "People who take the velocity nearest to the wanted one that keeps them free of collisions for some time, if all give way alike.",
    source: PAPER,
    params: params::PARAMS,
    make: MakeModel {
        make,
        fits: everywhere,
        // Chosen here: a tenth of a stride; the RVO2 library's examples have 0.25 s for bodies of 1.5 m.
        time_step_s: 0.1,
        max_time_step_s: 0.5,
        integrator: "velocity for the whole step",
        mirror: Symmetry::Statistically("the random push is not mirrored, and numbers round differently"),
        renumber: Symmetry::Statistically(
            "the random push is by id, and of equally near people the first in a cell are seen",
        ),
    },
};

fn make(setup: &ModelSetup<'_>) -> Box<dyn Steering> {
    Box::new(Orca::new(setup))
}

/// Constants of one group.
#[derive(Clone, Copy, Debug)]
struct Constants {
    horizon: f64,
    obstacle_horizon: f64,
    distance: f64,
    most: usize,
    responsibility: f64,
    margin: f64,
    speed_factor: f64,
    push: f64,
    /// Square of the distance, for the kernel.
    distance2: f32,
}

/// Somebody before the step.
#[derive(Clone, Copy, Debug)]
struct Walker {
    /// The wanted velocity, m/s; taken unchanged by anyone who is in nobody's way.
    wish: Velocity,
    exact: Vec2,
    /// Highest speed, m/s; 0 for anyone standing.
    most: f32,
    /// Body and margin, m.
    radius: f32,
    per_horizon: f32,
    group: u16,
    /// Number of bounds that walls set.
    hard: u16,
}

impl Constants {
    fn new(s: &Settings<'_>) -> Self {
        let distance = s.get("neighbor_distance_m");
        Self {
            horizon: s.get("time_horizon_s"),
            obstacle_horizon: s.get("obstacle_time_horizon_s"),
            distance,
            most: s.whole("max_neighbors") as usize,
            responsibility: s.get("responsibility"),
            margin: s.get("margin_m"),
            speed_factor: s.get("max_speed_factor"),
            push: s.get("push_m_per_s"),
            distance2: (distance * distance) as f32,
        }
    }
}

/// Steps after which the width of the cells is chosen anew. Chosen here: it costs less than a hundredth of them.
const ADAPT_STEPS: u64 = 8;

/// One run of the model.
struct Orca {
    groups: Vec<Constants>,
    reach: f64,
    /// Width of the cells, m; narrower than the reach where nearly all see enough people nearer than that.
    cell: f64,
    /// Scratch for choosing the width.
    sorted: Vec<f32>,
    seed: Seed,
    /// Square of the distance of the last of those seen in the last step, by row, m2; infinite where all near ones were.
    farthest2: Vec<f32>,
    /// Who walks and the bounds of walls for each, by slot; and the velocity that is left.
    walkers: Vec<Walker>,
    hard: Vec<[f32; 3]>,
    vel: Vec<Velocity>,
    scratch: AvoidScratch,
    lines: Vec<Line>,
    edges: Vec<(f64, u32)>,
}

impl Orca {
    fn new(setup: &ModelSetup<'_>) -> Self {
        let groups: Vec<_> = setup.groups.iter().map(Constants::new).collect();
        let largest = |f: fn(&Constants) -> f64| groups.iter().map(f).fold(0.0, f64::max);
        let reach = largest(|c| if c.most > 0 { c.distance } else { 0.0 });
        Self {
            reach,
            cell: reach,
            sorted: Vec::new(),
            seed: setup.seed.child("orca push", 0),
            farthest2: Vec::new(),
            walkers: Vec::new(),
            hard: Vec::new(),
            vel: Vec::new(),
            scratch: AvoidScratch::default(),
            lines: Vec::new(),
            edges: Vec::new(),
            groups,
        }
    }

    /// Chooses the width of the cells for the next steps. Anyone who sees too few within it looks farther, so it changes no more
    /// than the order of equally near people.
    fn choose_cells(&mut self, view: &View<'_>) {
        if !view.step.is_multiple_of(ADAPT_STEPS) {
            return;
        }
        self.cell = self.reach;
        let n = self.farthest2.len();
        // Rings want cells as wide as the reach.
        if n > 0 && view.world.plan.periodic.is_open() {
            self.sorted.clear();
            self.sorted.extend_from_slice(&self.farthest2);
            let (_, most, _) = self.sorted.select_nth_unstable_by(n * 9 / 10, f32::total_cmp);
            let narrow = 1.1 * f64::from(*most).sqrt();
            if narrow < 0.8 * self.reach {
                self.cell = narrow;
            }
        }
    }

    /// What each wants, and what walls allow.
    fn prepare(&mut self, view: &View<'_>) {
        let (crowd, near) = (view.crowd, view.near);
        let obstacles = view.world.obstacles();
        self.walkers.clear();
        self.hard.clear();
        for slot in 0..near.len() {
            let row = near.row[slot] as usize;
            let group = crowd.group[row];
            let c = &self.groups[usize::from(group)];
            let injured = crowd.status[row] == Status::Injured;
            let most = if injured { 0.0 } else { crowd.top_speed(row, c.speed_factor) };
            let mut exact = view.preferred_velocity(row);
            if c.push > 0.0 {
                exact += push(self.seed, crowd.id[row], view.step) * c.push;
            }
            let radius = near.radius[slot] + c.margin;
            // Looking less far ahead than a step is not safe.
            let horizon = c.horizon.max(view.dt);
            let mut hard = 0;
            if most > 0.0 && !obstacles.is_empty() {
                let ahead = c.obstacle_horizon.max(view.dt);
                let (pos, vel) = (near.pos[slot], near.vel[slot]);
                let body = Body { pos, vel, radius, per_horizon: 1.0 / ahead, reach: radius + most * ahead };
                self.lines.clear();
                walls::bounds(obstacles, &body, &mut self.edges, &mut self.lines);
                self.hard.extend(self.lines.iter().map(|line| line.in_lanes()));
                hard = self.lines.len() as u16;
            }
            self.walkers.push(Walker {
                wish: (exact.x as f32, exact.y as f32),
                exact,
                most: most as f32,
                radius: radius as f32,
                per_horizon: (1.0 / horizon) as f32,
                group,
                hard,
            });
        }
    }
}

/// Two numbers in -1..1 by person and step.
fn push(seed: Seed, id: u32, step: u64) -> Vec2 {
    let mut x = seed.0 ^ mixed(u64::from(id) << 32 ^ step);
    x = mixed(x);
    let number = |bits: u64| f64::from(bits as u32 as i32) / 2_147_483_648.0;
    vec2(number(x >> 32), number(x))
}

impl Steering for Orca {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        // Newcomers have seen nobody yet.
        self.farthest2.resize(view.crowd.len(), f32::INFINITY);
        self.prepare(view);
        lanes::run(Avoid {
            near: view.near,
            crowd: view.crowd,
            groups: &self.groups,
            walkers: &self.walkers,
            hard: &self.hard,
            dt: view.dt as f32,
            scratch: &mut self.scratch,
            farthest2: &mut self.farthest2,
            vel: &mut self.vel,
        });
        self.choose_cells(view);
        for (slot, (walker, &(x, y))) in self.walkers.iter().zip(&self.vel).enumerate() {
            let row = view.near.row[slot] as usize;
            let chosen = if (x, y) == walker.wish { walker.exact } else { vec2(f64::from(x), f64::from(y)) };
            // Where there is no way between the bounds, people come nearer to walls than they want.
            let body = (view.near.pos[slot], view.near.radius[slot]);
            next.vel[row] = keep_off(&view.world.walls, body, chosen, view.dt);
        }
    }

    fn reach_m(&self) -> f64 {
        self.cell
    }

    fn needs_distance(&self) -> bool {
        true
    }

    fn remap(&mut self, rows: &RowMap) {
        rows.apply(&mut self.farthest2);
    }
}
