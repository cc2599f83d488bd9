//! Optimal reciprocal collision avoidance of van den Berg, Guy, Lin and Manocha (ISRR 2009, printed 2011).

mod avoid;
pub(super) mod params;
mod program;
#[cfg(test)]
mod reference;
mod walls;

use super::giving::Giving;
use super::headway::Headway;
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
    doc: "People who take the velocity closest to their preferred one that stays free of collisions for some time, \
         provided that all share the avoidance.",
    source: PAPER,
    params: params::PARAMS,
    make: MakeModel {
        make: &|setup, settings| Box::new(Orca::new(setup, settings)),
        fits: everywhere,
        // Chosen here: the usual sample interval; the RVO2 library's examples have 0.25 s for bodies of 1.5 m.
        time_step_s: 0.1,
        max_time_step_s: 0.5,
        person_step_s: 80e-9,
        integrator: "velocity for the whole step",
        alone: None,
        mirror: Symmetry::Statistically("the random push is not mirrored, and numbers round differently"),
        renumber: Symmetry::Statistically(
            "the random push is by id, and of equally near people the first in a cell are seen",
        ),
    },
};

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
    /// Square of the distance, in the kernel's precision.
    distance2: f32,
}

/// A person before the step.
#[derive(Clone, Copy, Debug)]
struct Walker {
    /// Preferred velocity, m/s. People who are in nobody's way take it unchanged, at full precision (`exact`).
    wish: Velocity,
    exact: Vec2,
    /// Highest speed, m/s; 0 for people who cannot move.
    most: f32,
    /// Body radius plus margin, m.
    radius: f32,
    per_horizon: f32,
    group: u16,
    /// Number of ORCA lines due to walls.
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

/// Steps between adaptations of the cell width. Chosen here: adapting costs less than 1 % of these steps.
const ADAPT_STEPS: u64 = 8;

/// One run of the model.
struct Orca {
    groups: Vec<Constants>,
    giving: Option<Giving>,
    headway: Option<Headway>,
    reach: f64,
    /// Cell width, m; narrower than the reach if nearly everybody sees enough people within it.
    cell: f64,
    /// Buffer for choosing it.
    sorted: Vec<f32>,
    seed: Seed,
    /// Squared distance of the farthest neighbor seen in the last step, by row, m2; infinite if there was room for
    /// more.
    farthest2: Vec<f32>,
    /// By slot: the person, the ORCA lines due to walls (person by person), and the new velocity.
    walkers: Vec<Walker>,
    hard: Vec<[f32; 3]>,
    vel: Vec<Velocity>,
    scratch: AvoidScratch,
    lines: Vec<Line>,
    edges: Vec<(f64, u32)>,
}

impl Orca {
    fn new(setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Self {
        let groups: Vec<_> = settings.iter().map(Constants::new).collect();
        let largest = |f: fn(&Constants) -> f64| groups.iter().map(f).fold(0.0, f64::max);
        let headway = Headway::new(settings);
        let seen = largest(|c| if c.most > 0 { c.distance } else { 0.0 });
        let reach = seen.max(headway.as_ref().map_or(0.0, Headway::reach_m));
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
            giving: Giving::of(setup.scenario),
            headway,
        }
    }

    /// Chooses the cell width for the next steps. People who see too few within it look farther, so it affects only the
    /// order of equally distant people.
    fn choose_cells(&mut self, view: &View<'_>) {
        if !view.step.is_multiple_of(ADAPT_STEPS) {
            return;
        }
        self.cell = self.reach;
        // Periodic axes need cells as wide as the reach.
        if view.world.plan.periodic.is_open() {
            self.sorted.clear();
            let own = self.farthest2.iter().enumerate().filter(|(row, _)| view.steers(*row));
            self.sorted.extend(own.map(|(_, &farthest2)| farthest2));
            if self.sorted.is_empty() {
                return;
            }
            let at = self.sorted.len() * 9 / 10;
            let (_, most, _) = self.sorted.select_nth_unstable_by(at, f32::total_cmp);
            let ahead = self.headway.as_ref().map_or(0.0, Headway::reach_m);
            let narrow = (1.1 * f64::from(*most).sqrt()).max(ahead);
            if narrow < 0.8 * self.reach {
                self.cell = narrow;
            }
        }
    }

    /// Everybody's preferred velocity, and the lines due to walls.
    fn prepare(&mut self, view: &View<'_>) {
        let (crowd, near) = (view.crowd, view.near);
        let obstacles = view.world.obstacles();
        if let Some(headway) = &mut self.headway {
            headway.look(view, view.desired);
        }
        self.walkers.clear();
        self.hard.clear();
        for slot in 0..near.len() {
            let row = near.row[slot] as usize;
            let group = crowd.group[row];
            let c = &self.groups[usize::from(group)];
            let injured = crowd.status[row] == Status::Injured;
            // Whom another model steers, stays as they are.
            let still = injured || !view.steers(row);
            let most = if still { 0.0 } else { view.top_speed(row, c.speed_factor) };
            let mut exact = view.preferred_velocity(row);
            if let Some(headway) = &self.headway {
                exact = headway.slowed((slot, group), exact);
            }
            if c.push > 0.0 {
                exact += push(self.seed, crowd.id[row], view.step) * c.push;
            }
            let radius = near.radius[slot] + c.margin;
            // A horizon shorter than a step is not safe.
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

/// Two random numbers in -1..1, by person and step.
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
            giving: self.giving.as_ref(),
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
            if !view.steers(row) {
                continue;
            }
            let chosen = if (x, y) == walker.wish { walker.exact } else { vec2(f64::from(x), f64::from(y)) };
            // If the lines leave no velocity, people can get closer to walls than they want.
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
