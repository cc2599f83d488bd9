//! Optimal reciprocal collision avoidance of van den Berg, Guy, Lin and Manocha (ISRR 2009, printed 2011).

mod params;
mod program;
mod walls;

use super::keep_off::keep_off;
use super::{Birth, MakeModel, Symmetry, everywhere, parting};
use crate::crowd::{Next, Status, Steering, View};
use crate::math::rng::{Seed, mixed};
use crate::math::{Vec2, vec2};
use crate::registry::{Entry, Settings};
use program::Line;
use std::any::Any;
use walls::Body;

const PAPER: &str = "van den Berg, Guy, Lin, Manocha, Reciprocal n-Body Collision Avoidance, Robotics Research (2011)";
const LIBRARY: &str = "examples of the RVO2 library";
const STEERSUITE: &str =
    "defaults of ORCA in SteerSuite; the circle of the RVO2 library, scaled to people's bodies, has 1.5 s and 3 m";

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

fn make(birth: &Birth<'_>) -> Box<dyn Steering> {
    Box::new(Orca::new(birth))
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
}

impl Constants {
    fn new(s: &Settings<'_>) -> Self {
        Self {
            horizon: s.get("time_horizon_s"),
            obstacle_horizon: s.get("obstacle_time_horizon_s"),
            distance: s.get("neighbor_distance_m"),
            most: s.whole("max_neighbors") as usize,
            responsibility: s.get("responsibility"),
            margin: s.get("margin_m"),
            speed_factor: s.get("max_speed_factor"),
            push: s.get("push_m_per_s"),
        }
    }
}

/// Speed beyond which nobody looks ahead for walls, m/s: the largest desired speed that is accepted, and what it may be
/// exceeded by.
const FASTEST_M_PER_S: f64 = 60.0;

/// One run of the model.
struct Orca {
    groups: Vec<Constants>,
    reach: f64,
    wall_reach: f64,
    seed: Seed,
    lines: Vec<Line>,
    memory: Vec<Line>,
    edges: Vec<(f64, u32)>,
    near: Vec<(f64, usize)>,
}

impl Orca {
    fn new(birth: &Birth<'_>) -> Self {
        let groups: Vec<_> = birth.groups.iter().map(Constants::new).collect();
        let largest = |f: fn(&Constants) -> f64| groups.iter().map(f).fold(0.0, f64::max);
        Self {
            reach: largest(|c| if c.most > 0 { c.distance } else { 0.0 }),
            wall_reach: birth.max_radius_m + largest(|c| c.margin) + FASTEST_M_PER_S * largest(|c| c.obstacle_horizon),
            seed: birth.seed.child("orca push", 0),
            lines: Vec::new(),
            memory: Vec::new(),
            edges: Vec::new(),
            near: Vec::new(),
            groups,
        }
    }

    fn velocity(&mut self, view: &View<'_>, slot: usize) -> Vec2 {
        let (crowd, near) = (view.crowd, view.near);
        let row = near.row[slot] as usize;
        let c = self.groups[crowd.group[row] as usize];
        let top = crowd.max_speed[row];
        let most = if top.is_finite() { top } else { c.speed_factor * crowd.desired_speed[row] };
        if crowd.status[row] == Status::Injured || most <= 0.0 {
            return Vec2::ZERO;
        }
        let (pos, vel, radius) = (near.pos[slot], near.vel[slot], near.radius[slot] + c.margin);
        let wish = view.wish(row) + push(self.seed, crowd.id[row], view.step) * c.push;
        self.lines.clear();
        let horizon = c.obstacle_horizon.max(view.dt);
        let body = Body { pos, vel, radius, per_horizon: 1.0 / horizon, reach: radius + most * horizon };
        walls::bounds(&view.world.obstacles, &body, &mut self.edges, &mut self.lines);
        let hard = self.lines.len();

        self.near.clear();
        for other in near.around(pos).into_iter().flatten().filter(|&other| other != slot) {
            let d2 = near.apart(pos, near.pos[other]).length2();
            if d2 <= c.distance * c.distance {
                self.near.push((d2, other));
            }
        }
        self.near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(d2, other) in self.near.iter().take(c.most) {
            let there = near.row[other] as usize;
            let theirs = self.groups[crowd.group[there] as usize].responsibility;
            let sum = c.responsibility + theirs;
            let share = if sum > 0.0 { c.responsibility / sum } else { 0.5 };
            if share <= 0.0 {
                continue;
            }
            let way = if d2 > 1e-18 {
                near.apart(pos, near.pos[other])
            } else {
                parting(crowd.id[row], crowd.id[there]) * -1e-9
            };
            let line = bound(way, vel, near.vel[other], (radius + near.radius[other], c.horizon, share), view.dt);
            self.lines.push(line);
        }
        program::solve(&self.lines, hard, most, wish, &mut self.memory)
    }
}

/// The bound that somebody at the end of `way` sets.
fn bound(way: Vec2, vel: Vec2, other_vel: Vec2, (touch, horizon, share): (f64, f64, f64), dt: f64) -> Line {
    let v = vel - other_vel;
    let (d2, touch2) = (way.length2(), touch * touch);
    let (along, change);
    let per = if d2 > touch2 { 1.0 / horizon.max(dt) } else { 1.0 / dt };
    let w = v - way * per;
    let w_along = w.dot(way);
    if d2 <= touch2 || (w_along < 0.0 && w_along * w_along > touch2 * w.length2()) {
        let length = w.length();
        let out = if length > 1e-12 { w / length } else { way.unit().map_or(vec2(1.0, 0.0), |n| -n) };
        along = -out.left();
        change = out * (touch * per - length);
    } else {
        let leg = (d2 - touch2).sqrt();
        along = if way.cross(w) > 0.0 {
            (way * leg + way.left() * touch) / d2
        } else {
            (way * leg - way.left() * touch) / -d2
        };
        change = along * v.dot(along) - v;
    }
    Line { point: vel + change * share, along }
}

/// Two numbers in -1..1 by person and step.
fn push(seed: Seed, id: u32, step: u64) -> Vec2 {
    let mut x = seed.0 ^ mixed(u64::from(id) << 32 ^ step);
    x = mixed(x);
    let number = |bits: u64| f64::from(bits as u32 as i32) / 2_147_483_648.0;
    vec2(number(x >> 32), number(x))
}

impl Steering for Orca {
    fn steer(&mut self, view: &View<'_>, next: &mut Next<'_>) {
        for slot in 0..view.near.len() {
            let row = view.near.row[slot] as usize;
            let chosen = self.velocity(view, slot);
            // Where there is no way between the bounds, people come nearer to walls than they want.
            let body = (view.near.pos[slot], view.near.radius[slot]);
            next.vel[row] = keep_off(&view.world.walls, body, chosen, view.dt);
        }
    }

    fn reach_m(&self) -> f64 {
        self.reach
    }

    fn wall_reach_m(&self) -> f64 {
        self.wall_reach
    }

    fn needs_distance(&self) -> bool {
        true
    }

    fn inherit(&mut self, old: Box<dyn Steering>) {
        let Ok(old) = (old as Box<dyn Any>).downcast::<Self>() else { return };
        let old = *old;
        (self.lines, self.memory, self.edges, self.near) = (old.lines, old.memory, old.edges, old.near);
    }
}
