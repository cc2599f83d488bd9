//! Velocity obstacles with shared responsibility: the generalized reciprocal velocity obstacle of van den Berg, Lin and
//! Manocha (ICRA 2008). With a responsibility of 1 it is the plain velocity obstacle.

mod choose;
mod constants;
mod nearest;
mod obstacles;
pub(super) mod params;
mod samples;
mod walls;

use super::bodies::{Aim, Bodies, Law};
use super::giving::Giving;
use super::headway::Headway;
use super::keep_off::keep_off;
use super::{MakeModel, ModelSetup, Symmetry, everywhere};
use crate::crowd::{Status, Steering, Update, View};
use choose::{ChoiceScratch, Choose, Person};
use constants::Constants;
use crowdtune_core::math::lanes;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Entry, Settings};
pub(super) use params::PARAMS_WITHOUT_SHARE;
use samples::{Reachable, Samples};

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "rvo",
    doc: "People who take the best sampled velocity outside the reciprocal velocity obstacles of the others, sharing \
         the avoidance.",
    source: "van den Berg, Lin, Manocha, Reciprocal velocity obstacles for real-time multi-agent navigation, ICRA 2008",
    params: params::PARAMS,
    make: MAKE,
};

/// How this model is made; [`super::velocity_obstacle`] differs in the responsibility alone.
pub(super) const MAKE: MakeModel = MakeModel {
    make: &|setup, settings| Box::new(Rvo::new(setup, settings, |s| s.get("responsibility"))),
    fits: everywhere,
    // The usual sample interval; the RVO library steps by a quarter of a second.
    time_step_s: 0.1,
    max_time_step_s: 0.25,
    person_step_s: 300e-9,
    integrator: "explicit Euler with the chosen velocity",
    alone: None,
    mirror: Symmetry::Statistically("the samples lie along a spiral that turns to a side that chance gives each run"),
    renumber: Symmetry::UpToRounding("of neighbors at one distance the lower ids are nearer"),
};

/// Bodies that people cannot walk into, for an inertia of 1: pressed by a crowd of 50 in a row, each of which wants a step of
/// 0.13 m, they overlap by 7 mm. Chosen here.
const HARD_PER_STEP2: f64 = 1000.0;
/// Most of an overlap from before the run that is taken back in a step, m. Chosen here: people part at 0.2 m/s.
const BACK_M: f64 = 0.02;
/// Inertia of people who wait or are injured, whom nobody pushes. Chosen here: finite, so that the solver needs no case for them.
const STANDS: f64 = 1e6;

/// One run of either model.
pub(super) struct Rvo {
    groups: Vec<Constants>,
    giving: Option<Giving>,
    headway: Option<Headway>,
    samples: Samples,
    /// Which way the spiral of samples turns, 1 or -1. The same for all, so that two people who meet err to the same
    /// side.
    turn: f64,
    scratch: ChoiceScratch,
    /// Whether people cannot walk into each other.
    hard: bool,
    /// Made in the first step, whose length they depend on.
    bodies: Option<Bodies>,
    max_radius: f64,
    /// By row, and by slot.
    chosen: Vec<Vec2>,
    aims: Vec<Aim>,
}

impl Rvo {
    /// The model of a run; `responsibility` gives each group's share of the avoidance.
    pub(super) fn new(
        setup: &ModelSetup<'_>,
        settings: &[Settings<'_>],
        responsibility: fn(&Settings<'_>) -> f64,
    ) -> Self {
        let first = &settings[0];
        let (count, refinements) = (first.whole("samples") as usize, first.whole("refinements") as usize);
        Self {
            groups: settings.iter().map(|s| Constants::new(s, responsibility(s))).collect(),
            giving: Giving::of(setup.scenario),
            headway: Headway::new(settings),
            samples: Samples::new(count, refinements),
            turn: if setup.seed.child("rvo turn", 0).0 & 1 == 0 { 1.0 } else { -1.0 },
            scratch: ChoiceScratch::default(),
            hard: first.on("hard_bodies"),
            bodies: None,
            max_radius: setup.max_radius_m,
            chosen: Vec::new(),
            aims: Vec::new(),
        }
    }

    fn largest(&self, f: impl Fn(&Constants) -> f64) -> f64 {
        self.groups.iter().map(f).fold(0.0, f64::max)
    }

    /// Prepares everybody's choice.
    fn prepare(&mut self, view: &View<'_>) {
        let (crowd, near) = (view.crowd, view.near);
        if let Some(headway) = &mut self.headway {
            headway.look(view, view.desired);
        }
        let ChoiceScratch { people, walls, .. } = &mut self.scratch;
        people.clear();
        walls.sides.clear();
        walls.ends.clear();
        for slot in 0..near.len() {
            let row = near.row[slot] as usize;
            let group = crowd.group[row];
            let c = &self.groups[usize::from(group)];
            let speed = view.top_speed(row, c.max_speed_factor);
            if crowd.status[row] != Status::Walking || speed <= 0.0 || !view.steers(row) {
                people.push(None);
                continue;
            }
            let vel = near.vel[slot];
            let (way, gait) = (view.desired[row].unit(), vel.unit());
            let along = way.or(gait).unwrap_or(vec2(1.0, 0.0));
            let mut preferred = view.preferred_velocity(row);
            if let Some(headway) = &self.headway {
                preferred = headway.slowed((slot, group), preferred);
            }
            let reachable = Reachable::new(vel, (preferred, along), speed, c.max_acceleration * view.dt);
            if c.wall_horizon > 0.0 {
                let reach = near.radius[slot] + speed * c.wall_horizon;
                walls.look(&view.world.walls, near.pos[slot], near.radius[slot], reach, (c.wall_horizon, view.dt));
            }
            people.push(Some(Person {
                group,
                heading: gait.unwrap_or(along),
                reachable,
                sides_end: walls.sides.len() as u32,
                ends_end: walls.ends.len() as u32,
            }));
        }
    }

    /// Replaces the chosen velocities by the nearest ones with which nobody walks into anybody.
    fn separate(&mut self, view: &View<'_>) {
        let Self { bodies, chosen, aims, scratch, .. } = self;
        let (near, dt) = (view.near, view.dt);
        let law = Law { stiffness: HARD_PER_STEP2 / (dt * dt), friction: 0.0, most_back_m: BACK_M };
        let bodies = bodies.get_or_insert_with(|| Bodies::new(law));
        chosen.resize(near.len(), Vec2::ZERO);
        aims.clear();
        for (slot, &vel) in scratch.chosen.iter().enumerate() {
            let row = near.row[slot] as usize;
            chosen[row] = vel;
            let inertia = if view.crowd.status[row] == Status::Walking { 1.0 } else { STANDS };
            aims.push(Aim { inertia, vel });
        }
        bodies.find(view, chosen, |slot| near.around(near.pos[slot]).into_iter().flatten());
        bodies.settle(dt, aims);
        for (slot, vel) in scratch.chosen.iter_mut().enumerate() {
            *vel = bodies.vel(slot);
        }
    }
}

impl Steering for Rvo {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        self.prepare(view);
        lanes::run(Choose {
            near: view.near,
            crowd: view.crowd,
            groups: &self.groups,
            giving: self.giving.as_ref(),
            samples: &self.samples,
            dt: view.dt,
            turn: self.turn,
            scratch: &mut self.scratch,
        });
        if self.hard {
            self.separate(view);
        }
        let near = view.near;
        for (slot, &chosen) in self.scratch.chosen.iter().enumerate() {
            let row = near.row[slot] as usize;
            if !view.steers(row) {
                continue;
            }
            let body = (near.pos[slot], near.radius[slot]);
            next.vel[row] = keep_off(&view.world.walls, body, chosen, view.dt);
        }
    }

    fn reach_m(&self) -> f64 {
        let sees = self.largest(|c| if c.most > 0 { c.sees } else { 0.0 });
        let sees = sees.max(self.headway.as_ref().map_or(0.0, Headway::reach_m));
        if self.hard { sees.max(Bodies::reach_m(self.max_radius)) } else { sees }
    }

    fn needs_distance(&self) -> bool {
        true
    }
}
