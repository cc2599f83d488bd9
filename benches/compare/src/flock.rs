//! W4, W4b: a flock on a torus on krABMaga's field and scheduler.
//!
//! Two things of the library to know: its ring search does not look across the edges of a torus, and it looks
//! floor(10 / cell) = 1 cell far, so that some others between 6.7 and 10 m are missed. `neighbors` is what it finds.

use crate::Done;
use cpu_time::ProcessTime;
use krabmaga::engine::agent::Agent;
use krabmaga::engine::fields::field::Field;
use krabmaga::engine::fields::field_2d::{Field2D, Location2D, toroidal_distance, toroidal_transform};
use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use krabmaga::rand::{self, Rng};
use serde_json::json;
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};

const REACH: f32 = 10.0;
const CELL: f32 = REACH / 1.5;
const JUMP: f32 = 0.7;
const WARM_UP: u64 = 20;

#[derive(Clone, Copy)]
struct Bird {
    id: u32,
    loc: Real2D,
    last: Real2D,
}

struct Flock {
    field: Field2D<Bird>,
    side: f32,
    birds: u32,
}

/// Runs the flock for its number of steps after a warm-up.
pub fn run(dense: bool, count: usize) -> Done {
    let side = ((if dense { 10.0 } else { 112.5 }) * count as f64).sqrt() as f32;
    let mut flock = Flock { field: Field2D::new(side, side, CELL, true), side, birds: count as u32 };
    let mut schedule = Schedule::new();
    flock.init(&mut schedule);
    flock.field.lazy_update();
    let neighbors = flock.neighbors(&schedule);
    let steps = match (dense, count > 1000) {
        (false, false) => 500,
        (false, true) => 50,
        (true, false) => 200,
        (true, true) => 30,
    };
    // The scheduler swaps the buffers of the field before its first step, which would empty it again.
    schedule.step = 1;
    for _ in 0..WARM_UP {
        schedule.step(&mut flock);
    }
    let start = ProcessTime::now();
    for _ in 0..steps {
        schedule.step(&mut flock);
    }
    let spent = start.elapsed();
    Done {
        workload: if dense { "W4b" } else { "W4" },
        agents: count,
        steps,
        agent_steps: steps * count as u64,
        spent,
        check: json!({ "neighbors": neighbors, "neighbors_at_end": flock.neighbors(&schedule) }),
    }
}

impl Flock {
    /// Mean number of others that the field finds around a bird.
    fn neighbors(&self, schedule: &Schedule) -> f64 {
        let agents = schedule.get_all_events();
        let birds = agents.iter().filter_map(|agent| agent.downcast_ref::<Bird>());
        let found = |bird: &Bird| self.field.get_neighbors_within_distance(bird.loc, REACH).len() as f64 - 1.0;
        birds.map(found).sum::<f64>() / f64::from(self.birds)
    }
}

impl State for Flock {
    fn init(&mut self, schedule: &mut Schedule) {
        let mut rng = rand::rng();
        for id in 0..self.birds {
            let loc = Real2D { x: self.side * rng.random::<f32>(), y: self.side * rng.random::<f32>() };
            let bird = Bird { id, loc, last: Real2D { x: 0.0, y: 0.0 } };
            self.field.set_object_location(bird, loc);
            schedule.schedule_repeating(Box::new(bird), 0.0, 0);
        }
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_state_mut(&mut self) -> &mut dyn State {
        self
    }

    fn as_state(&self) -> &dyn State {
        self
    }

    fn reset(&mut self) {}

    fn update(&mut self, _step: u64) {
        self.field.lazy_update();
    }
}

impl Agent for Bird {
    fn step(&mut self, state: &mut dyn State) {
        let flock = state.as_any().downcast_ref::<Flock>().expect("the only state of this program");
        let (mut cohesion, mut avoidance, mut consistency) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let mut count = 0.0;
        for other in flock.field.get_neighbors_within_distance(self.loc, REACH) {
            if other.id == self.id {
                continue;
            }
            count += 1.0;
            let d = [
                toroidal_distance(self.loc.x, other.loc.x, flock.side),
                toroidal_distance(self.loc.y, other.loc.y, flock.side),
            ];
            let square = d[0] * d[0] + d[1] * d[1];
            let last = [other.last.x, other.last.y];
            for axis in 0..2 {
                cohesion[axis] += d[axis];
                avoidance[axis] += d[axis] / (square * square + 1.0);
                consistency[axis] += last[axis];
            }
        }
        let mut rng = rand::rng();
        let random = [rng.random::<f32>() * 2.0 - 1.0, rng.random::<f32>() * 2.0 - 1.0];
        let length = (random[0] * random[0] + random[1] * random[1]).sqrt();
        let mut go = [self.last.x, self.last.y];
        for axis in 0..2 {
            if count > 0.0 {
                go[axis] += -cohesion[axis] / count / 10.0 + 400.0 * avoidance[axis] / count;
                // The model of the library's example divides twice.
                go[axis] += consistency[axis] / count / count;
            }
            if length > 0.0 {
                go[axis] += 0.05 * random[axis] / length;
            }
        }
        let length = (go[0] * go[0] + go[1] * go[1]).sqrt();
        let scale = if length > 0.0 { JUMP / length } else { 0.0 };
        self.last = Real2D { x: go[0] * scale, y: go[1] * scale };
        self.loc = Real2D {
            x: toroidal_transform(self.loc.x + self.last.x, flock.side),
            y: toroidal_transform(self.loc.y + self.last.y, flock.side),
        };
        flock.field.set_object_location(*self, self.loc);
    }
}

impl Location2D<Real2D> for Bird {
    fn get_location(self) -> Real2D {
        self.loc
    }

    fn set_location(&mut self, loc: Real2D) {
        self.loc = loc;
    }
}

impl Hash for Bird {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl PartialEq for Bird {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Bird {}

impl fmt::Display for Bird {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)
    }
}
