//! A crowd with fixed places that a model steps.

use super::pattern::MASS_KG;
use super::{Check, Done, Work};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::{Settings, defaults, find};
use crowdtune_sim::crowd::{Crowd, RunSetup, Sim, Start, Steering};
use crowdtune_sim::models::{MODELS, ModelSetup};
use crowdtune_sim::world::FieldCache;
use crowdtune_sim::world::scenario::{FloorPlan, Group, Scenario};
use crowdtune_sim::world::{Neighbors, World};
use serde_json::json;
use std::sync::Arc;

/// A crowd, its place, its model, and how long it is stepped.
#[derive(Debug)]
pub(super) struct Walkers {
    name: &'static str,
    model: &'static str,
    /// Constants other than the published ones, of every group.
    constants: Vec<(&'static str, f64)>,
    /// The place and the groups; the crowd says who belongs to which.
    scenario: Scenario,
    crowd: Crowd,
    time_step_s: f64,
    steps: u64,
    /// Where everybody wants to stay, by row; empty where people have no such place.
    goals: Vec<Vec2>,
    /// True if the run is over when all are within their radius of their goal.
    until_all_are_there: bool,
}

impl Walkers {
    /// A crowd with the published constants of its model.
    pub(super) fn new(
        name: &'static str,
        model: &'static str,
        scenario: Scenario,
        crowd: Crowd,
        time_step_s: f64,
        steps: u64,
    ) -> Self {
        let (constants, goals) = (Vec::new(), Vec::new());
        Self { name, model, constants, scenario, crowd, time_step_s, steps, goals, until_all_are_there: false }
    }

    /// The same with other constants.
    pub(super) fn with(mut self, constants: &[(&'static str, f64)]) -> Self {
        self.constants.extend(constants);
        self
    }

    /// The same with a place where everybody wants to stay, by row.
    pub(super) fn with_goals(self, goals: Vec<Vec2>) -> Self {
        Self { goals, ..self }
    }

    /// The same, over as soon as everybody is within the own radius of the own goal.
    pub(super) fn until_all_are_there(self) -> Self {
        Self { until_all_are_there: true, ..self }
    }

    /// The same with forces as small as they are at this distance between the largest people, m.
    ///
    /// # Errors
    /// If the model has no such force, or more would be left out than it allows.
    pub(super) fn reaching(self, reach_m: f64) -> Result<Self, Error> {
        let key = "negligible_m_per_s2";
        let params = find(MODELS, self.model).expect("the model is registered").params;
        let values = self.values();
        let value = |key: &str| params.iter().position(|p| p.key == key).map(|at| values[at]);
        let (Some(least), Some(strength), Some(range)) =
            (value(key), value("repulsion_strength_n"), value("repulsion_range_m"))
        else {
            return Err(Error::input(format!("{} sees as far as its model says", self.name)).key("--reach-m"));
        };
        let gap = reach_m - 2.0 * self.crowd.radius.iter().fold(0.0, |a: f64, &r| a.max(r));
        let force = strength / MASS_KG * libm::exp(-gap / range);
        if !(1e-12..=least).contains(&force) {
            let (near, far) = (self.reach_m(), self.reach_m() + range * libm::log(least / 1e-12));
            return Err(Error::input(format!("a reach of {reach_m} m leaves out {force:.1e} m/s2"))
                .key("--reach-m")
                .allowed(format!("{near:.2} to {far:.2} m")));
        }
        Ok(self.with(&[(key, force)]))
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Number of people at the start.
    pub(super) fn agents(&self) -> usize {
        self.crowd.len()
    }

    /// How far people act on each other, m.
    fn reach_m(&self) -> f64 {
        self.made(&self.values()).reach_m()
    }

    /// Mean number of others within `reach_m` at the start.
    fn neighbors(&self, reach_m: f64) -> f64 {
        let (torus, pos) = (self.scenario.world.plan.periodic, &self.crowd.pos);
        let mut near = Neighbors::default();
        near.build(reach_m, torus, pos, &self.crowd.vel, &self.crowd.radius);
        let others = |p: &Vec2| {
            let within = |&s: &usize| near.apart(*p, near.pos[s]).length2() <= reach_m * reach_m;
            near.around(*p).into_iter().flatten().filter(within).count() - 1
        };
        pos.iter().map(others).sum::<usize>() as f64 / pos.len().max(1) as f64
    }

    /// The constants of the model, in its order.
    fn values(&self) -> Vec<f64> {
        let params = find(MODELS, self.model).expect("the model is registered").params;
        let mut values = defaults(params);
        for (key, value) in &self.constants {
            values[params.iter().position(|p| p.key == *key).expect("the model has the constant")] = *value;
        }
        values
    }

    fn made(&self, values: &[f64]) -> Box<dyn Steering> {
        let entry = find(MODELS, self.model).expect("the model is registered");
        let setup = ModelSetup {
            scenario: &self.scenario,
            max_radius_m: self.crowd.radius.iter().fold(0.0, |a, &r| a.max(r)),
            min_mass_kg: MASS_KG,
            seed: Seed(0),
        };
        (entry.make.make)(&setup, &vec![Settings::new(entry.params, values); self.scenario.groups.len()])
    }

    fn is_over(&self, crowd: &Crowd) -> bool {
        let is_there = |((&p, &goal), &r): ((&Vec2, &Vec2), &f64)| (goal - p).length2() <= r * r;
        let all_there = || crowd.pos.iter().zip(&self.goals).zip(&crowd.radius).all(is_there);
        crowd.is_empty() || (self.until_all_are_there && all_there())
    }
}

impl Work for Walkers {
    fn run(&self, clock: &dyn Fn() -> f64) -> Result<Done, Error> {
        let setup = RunSetup { seed: Seed(0), ..RunSetup::new(self.scenario.clone(), self.time_step_s) };
        let model = self.made(&self.values());
        let mut run = Sim::new(Start::of(setup, self.crowd.clone()), model);
        let from = clock();
        for _ in 0..self.steps {
            if self.is_over(run.crowd()) {
                break;
            }
            run.step()?;
        }
        let seconds = clock() - from;
        let health = run.health();
        let check = check(run.crowd(), &self.goals);
        Ok(Done { seconds, steps: health.steps, agent_steps: health.agent_steps, check })
    }

    fn line(&self, _: &Done) -> serde_json::Value {
        let reach_m = self.reach_m();
        json!({
            "workload": self.name,
            "model": self.model,
            "agents": self.agents(),
            "reach_m": reach_m,
            "neighbors": self.neighbors(reach_m),
        })
    }
}

/// A place for a workload, which has no end but its number of steps.
pub(super) fn scenario(plan: FloorPlan, groups: Vec<Group>) -> Result<Scenario, Error> {
    let world = Arc::new(World::new(plan, &mut FieldCache::default())?);
    Ok(Scenario { name: "bench".into(), world, groups, limit_s: 1e9, give_up_s: None, tracks: None })
}

/// What the state at the end shows; `goals` as in [`Walkers`].
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
