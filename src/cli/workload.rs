//! Benchmark workloads: the same work for every program, so that speeds are ratios.

use crowdtune_core::Error;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Settings, defaults, find};
use crowdtune_sim::crowd::{Crowd, RunSetup, Sim, Start, Status, Steering};
use crowdtune_sim::models::{MODELS, ModelSetup};
use crowdtune_sim::world::field::FieldCache;
use crowdtune_sim::world::scenario::{Goal, Group, Plan, Pull, Scenario, Segment, Spawn, named};
use crowdtune_sim::world::scenarios::SCENARIOS;
use crowdtune_sim::world::{Neighbors, Torus, World};
use serde::Serialize;
use std::sync::Arc;

/// A crowd with fixed positions, its place, and how long it is stepped.
#[derive(Debug)]
pub struct Workload {
    /// Name: W1, W2, W3a, W3b, W4, W4b, W5, W5-groups.
    pub name: &'static str,
    pub(super) model: &'static str,
    /// Constants other than the published ones, of every group.
    pub(super) set: Vec<(&'static str, f64)>,
    /// The place and the groups; the crowd says who is of which one.
    pub(super) scenario: Scenario,
    pub(super) crowd: Crowd,
    pub(super) time_step_s: f64,
    pub(super) steps: u64,
    /// Where everybody wants to be; a run whose people are all within their radius of it is over.
    pub(super) goals: Vec<Vec2>,
}

/// What shows that the work was the same work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Check {
    /// Mean position of who is left, m.
    pub mean_x_m: f64,
    /// Mean position of who is left, m.
    pub mean_y_m: f64,
    /// People left.
    pub people_left: usize,
    /// Kinetic energy of who is left, J.
    pub kinetic_energy_j: f64,
    /// Mean distance to the own goal, m, where people have one to stay at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_distance_to_goal_m: Option<f64>,
}

/// One run of a workload.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// Seconds of CPU time of the stepping loop.
    pub seconds: f64,
    /// Steps done.
    pub steps: u64,
    /// Sum over steps of people present.
    pub agent_steps: u64,
    /// The state at the end.
    pub check: Check,
}

/// Work that is timed and says of itself what it is.
pub trait Timed {
    /// Runs it once. `clock` gives seconds of CPU time.
    ///
    /// # Errors
    /// If the run is unhealthy.
    fn run(&self, clock: &dyn Fn() -> f64) -> Result<Done, Error>;

    /// Keys of the JSON line that are its own, or its own meaning of common ones.
    fn line(&self, done: &Done) -> serde_json::Value;
}

/// Everybody's mass, kg.
const MASS_KG: f64 = 80.0;
const GOLDEN: f64 = 0.618_033_988_749_894_9;
const SQRT2: f64 = 0.414_213_562_373_095_15;
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

fn frac(x: f64) -> f64 {
    x - x.floor()
}

pub(super) fn person(crowd: &mut Crowd, pos: Vec2, vel: Vec2, radius: f64, desired_speed: f64) {
    crowd.id.push(crowd.id.len() as u32);
    crowd.pos.push(pos);
    crowd.vel.push(vel);
    crowd.radius.push(radius);
    crowd.mass.push(MASS_KG);
    crowd.desired_speed.push(desired_speed);
    crowd.max_speed.push(f64::INFINITY);
    crowd.start_s.push(0.0);
    crowd.group.push(0);
    crowd.stage.push(0);
    crowd.status.push(Status::Walking);
    crowd.pressure.push(0.0);
}

impl Workload {
    /// The workload of that name, with other numbers of agents or steps if given.
    ///
    /// # Errors
    /// If there is no such workload.
    pub fn named(name: &str, agents: Option<usize>, steps: Option<u64>) -> Result<Self, Error> {
        match name {
            "W1" => Self::room(agents.unwrap_or(200), steps.unwrap_or(3000)),
            "W2" => {
                let agents = agents.unwrap_or(1000);
                Self::field(agents, steps.unwrap_or(if agents > 1000 { 60 } else { 300 }))
            }
            "W3a" => Self::antipodes("W3a", agents.unwrap_or(250), steps.unwrap_or(20_000)),
            "W3b" => {
                let agents = agents.unwrap_or(1000);
                Self::antipodes("W3b", agents, steps.unwrap_or(if agents > 1000 { 100 } else { 1000 }))
            }
            "W4" | "W4b" => {
                let agents = agents.unwrap_or(1000);
                // Sides and steps of the 1000 and the 10,000 agents of the peers, at the same density between.
                let (name, per_agent_m2, few, many) =
                    if name == "W4" { ("W4", 112.5, 500, 50) } else { ("W4b", 10.0, 200, 30) };
                let side = (per_agent_m2 * agents as f64).sqrt();
                Self::flock(name, agents, side, steps.unwrap_or(if agents > 1000 { many } else { few }))
            }
            _ => Err(Error::input(format!("there is no workload `{name}`")).allowed("W1, W2, W3a, W3b, W4, W4b")),
        }
    }

    /// W1: the room of Helbing, Farkas and Vicsek with a lattice of people.
    fn room(agents: usize, steps: u64) -> Result<Self, Error> {
        let entry = find(SCENARIOS, "room").expect("`room` is registered");
        let values = defaults(entry.params);
        let built = (entry.make.make)(&Settings::new(entry.params, &values))?;
        let mut crowd = Crowd::default();
        for k in 0..agents {
            let pos = vec2(0.7 + 0.95 * (k % 15) as f64, 0.7 + 0.95 * (k / 15) as f64);
            person(&mut crowd, pos, Vec2::ZERO, 0.25 + 0.1 * frac(k as f64 * GOLDEN), 1.0);
        }
        let mut groups = built.groups;
        groups[0].count = agents;
        let scenario = scenario(built.plan, groups)?;
        Ok(Self {
            name: "W1",
            model: "social_force",
            set: Vec::new(),
            scenario,
            crowd,
            time_step_s: 0.01,
            steps,
            goals: Vec::new(),
        })
    }

    /// W2: a block of people at 1 per square metre that walks over open ground.
    fn field(agents: usize, steps: u64) -> Result<Self, Error> {
        let rows = match agents {
            1000 => 20,
            5000 => 50,
            n => ((n as f64 / 2.0).sqrt().round() as usize).max(1),
        };
        let mut crowd = Crowd::default();
        for k in 0..agents {
            let (i, j, kf) = ((k / rows) as f64, (k % rows) as f64, k as f64);
            let pos = vec2(0.5 + i + 0.2 * (frac(kf * GOLDEN) - 0.5), 0.5 + j + 0.2 * (frac(kf * SQRT2) - 0.5));
            let speed = 1.0 + 0.6 * frac(kf * GOLDEN);
            person(&mut crowd, pos, vec2(speed, 0.0), 0.3, speed);
        }
        let line = Segment { a: vec2(1e4, -1e4), b: vec2(1e4, 1e4) };
        let plan = Plan {
            walls: Vec::new(),
            walkable: Vec::new(),
            goals: vec![named("far", Goal::Door { line, outward: vec2(1.0, 0.0) })],
            ..Plan::default()
        };
        let group = Group {
            name: "people".into(),
            count: agents,
            spawn: Spawn::Points(crowd.pos.clone()),
            stages: vec![vec![0]],
            ..Group::default()
        };
        let scenario = scenario(plan, vec![group])?;
        Ok(Self {
            name: "W2",
            model: "social_force",
            set: Vec::new(),
            scenario,
            crowd,
            time_step_s: 0.01,
            steps,
            goals: Vec::new(),
        })
    }

    /// W3a, W3b: the bodies of the circle example of the RVO2 library on a ring, or on a disc, walk to the opposite place.
    fn antipodes(name: &'static str, agents: usize, steps: u64) -> Result<Self, Error> {
        let ring = name == "W3a";
        let place = |k: usize| {
            let k = k as f64;
            let n = agents as f64;
            let (radius, angle) = if ring {
                (200.0 * n / 250.0, std::f64::consts::TAU * k / n)
            } else {
                (2.5 * (k + 0.5).sqrt(), k * GOLDEN_ANGLE)
            };
            // The library computes in single precision.
            let single = |x: f64| f64::from(x as f32);
            vec2(single(radius * libm::cos(angle)), single(radius * libm::sin(angle)))
        };
        let mut crowd = Crowd::default();
        for k in 0..agents {
            person(&mut crowd, place(k), Vec2::ZERO, 1.5, 1.0);
        }
        crowd.max_speed.fill(2.0);
        let goals: Vec<Vec2> = crowd.pos.iter().map(|&p| -p).collect();
        let goal = |(k, &at): (usize, &Vec2)| named(format!("goal {k}"), Goal::Point { at, radius: 1e-9 });
        let plan = Plan { goals: goals.iter().enumerate().map(goal).collect(), ..Plan::default() };
        let group = Group {
            name: "people".into(),
            count: agents,
            spawn: Spawn::Points(crowd.pos.clone()),
            stages: vec![(0..agents).collect()],
            own_goals: true,
            // Who is there stays: the only stage begins anew.
            rounds: true,
            ..Group::default()
        };
        let scenario = scenario(plan, vec![group])?;
        let set = vec![
            ("time_horizon_s", 10.0),
            ("obstacle_time_horizon_s", 10.0),
            ("neighbor_distance_m", 15.0),
            ("max_neighbors", 10.0),
            ("push_m_per_s", 0.0),
        ];
        Ok(Self { name, model: "orca", set, scenario, crowd, time_step_s: 0.25, steps, goals })
    }

    /// W4, W4b: a flock on a torus that sees 10 m far, without collision strategies.
    fn flock(name: &'static str, agents: usize, side: f64, steps: u64) -> Result<Self, Error> {
        let mut rng = Seed(0).child("flock", agents as u64).rng();
        let mut crowd = Crowd::default();
        for _ in 0..agents {
            let pos = vec2(unit(&mut rng) * side, unit(&mut rng) * side);
            let angle = unit(&mut rng) * std::f64::consts::TAU;
            person(&mut crowd, pos, vec2(libm::cos(angle), libm::sin(angle)), 0.25, 1.34);
        }
        let ring = Some((0.0, side));
        let plan = Plan { periodic: Torus { x: ring, y: ring }, ..Plan::default() };
        let group = Group {
            name: "people".into(),
            count: agents,
            spawn: Spawn::Points(crowd.pos.clone()),
            pull: Pull::Heading(vec2(1.0, 0.0)),
            ..Group::default()
        };
        let scenario = scenario(plan, vec![group])?;
        let set = vec![("collision_strategies", 0.0)];
        Ok(Self { name, model: "five_force", set, scenario, crowd, time_step_s: 0.1, steps, goals: Vec::new() })
    }

    /// The same with forces as small as they are at this distance between the largest people, m.
    ///
    /// # Errors
    /// If the workload has no such force, or leaves out more than it may.
    pub fn reaching(mut self, reach_m: f64) -> Result<Self, Error> {
        let key = "negligible_m_per_s2";
        let params = find(MODELS, self.model).expect("the model is registered").params;
        let values = self.values();
        let value = |key: &str| params.iter().position(|p| p.key == key).map(|at| values[at]);
        let (Some(least), Some(strength), Some(range)) =
            (value(key), value("repulsion_strength_n"), value("repulsion_range_m"))
        else {
            return Err(Error::input(format!("{} sees as far as its model says", self.name)).key("reach-m"));
        };
        let gap = reach_m - 2.0 * self.crowd.radius.iter().fold(0.0, |a: f64, &r| a.max(r));
        let force = strength / MASS_KG * libm::exp(-gap / range);
        if !(1e-12..=least).contains(&force) {
            let (near, far) = (self.reach_m(), self.reach_m() + range * libm::log(least / 1e-12));
            return Err(Error::input(format!("a reach of {reach_m} m leaves out {force:.1e} m/s2"))
                .key("reach-m")
                .allowed(format!("{near:.2} to {far:.2} m")));
        }
        self.set.push((key, force));
        Ok(self)
    }

    /// Mean number of others within `reach_m` at the start.
    pub fn neighbors(&self, reach_m: f64) -> f64 {
        let (torus, pos) = (self.scenario.world.plan.periodic, &self.crowd.pos);
        let mut near = Neighbors::default();
        near.build(reach_m, torus, pos, &self.crowd.vel, &self.crowd.radius);
        let others = |p: &Vec2| {
            let within = |&s: &usize| near.apart(*p, near.pos[s]).length2() <= reach_m * reach_m;
            near.around(*p).into_iter().flatten().filter(within).count() - 1
        };
        pos.iter().map(others).sum::<usize>() as f64 / pos.len().max(1) as f64
    }

    /// How far its people act on each other, m.
    pub fn reach_m(&self) -> f64 {
        self.made(&self.values()).reach_m()
    }

    fn values(&self) -> Vec<f64> {
        let params = find(MODELS, self.model).expect("the model is registered").params;
        let mut values = defaults(params);
        for (key, value) in &self.set {
            values[params.iter().position(|p| p.key == *key).expect("the model has the constant")] = *value;
        }
        values
    }

    fn made(&self, values: &[f64]) -> Box<dyn Steering> {
        let entry = find(MODELS, self.model).expect("the model is registered");
        (entry.make.make)(&ModelSetup {
            groups: &vec![Settings::new(entry.params, values); self.scenario.groups.len()],
            scenario: &self.scenario,
            max_radius_m: self.crowd.radius.iter().fold(0.0, |a, &r| a.max(r)),
            min_mass_kg: MASS_KG,
            seed: Seed(0),
        })
    }

    /// Number of people at the start.
    pub fn agents(&self) -> usize {
        self.crowd.len()
    }

    /// Runs it once. `clock` gives seconds of CPU time.
    ///
    /// # Errors
    /// If the run is unhealthy.
    pub fn run(&self, clock: &dyn Fn() -> f64) -> Result<Done, Error> {
        let setup = RunSetup { seed: Seed(0), ..RunSetup::new(self.scenario.clone(), self.time_step_s) };
        let model = self.made(&self.values());
        let mut run = Sim::new(Start::of(setup, self.crowd.clone()), model);
        let from = clock();
        for _ in 0..self.steps {
            if run.crowd().is_empty() || (self.name == "W3a" && self.all_there(run.crowd())) {
                break;
            }
            run.step()?;
        }
        let seconds = clock() - from;
        let health = run.health();
        Ok(Done {
            seconds,
            steps: health.steps,
            agent_steps: health.agent_steps,
            check: check(run.crowd(), &self.goals),
        })
    }

    fn all_there(&self, crowd: &Crowd) -> bool {
        crowd.pos.iter().zip(&self.goals).zip(&crowd.radius).all(|((&p, &goal), &r)| (goal - p).length2() <= r * r)
    }
}

pub(super) fn scenario(plan: Plan, groups: Vec<Group>) -> Result<Scenario, Error> {
    let world = Arc::new(World::new(plan, &mut FieldCache::default())?);
    Ok(Scenario { name: "bench".into(), world, groups, limit_s: 1e9, give_up_s: None, tracks: None })
}

/// What the state at the end shows; `goals` by row where people have one each to stay at.
fn check(crowd: &Crowd, goals: &[Vec2]) -> Check {
    let n = crowd.len().max(1) as f64;
    let sum = crowd.pos.iter().fold(Vec2::ZERO, |a, &p| a + p);
    let energy = (0..crowd.len()).map(|i| 0.5 * crowd.mass[i] * crowd.vel[i].length2()).sum();
    let far = crowd.pos.iter().zip(goals).fold(0.0, |far, (&p, &goal)| far + (goal - p).length());
    Check {
        mean_x_m: sum.x / n,
        mean_y_m: sum.y / n,
        people_left: crowd.len(),
        kinetic_energy_j: energy,
        mean_distance_to_goal_m: (!goals.is_empty()).then_some(far / n),
    }
}
