//! W4 and W4b: a flock of the five-force model on a torus, which sees 10 m far, without collision strategies.

use super::pattern::add_person;
use super::walkers::{Walkers, scenario};
use super::{Sizes, Work};
use crowdtune_core::Error;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::math::vec2;
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::world::Torus;
use crowdtune_sim::world::scenario::{FloorPlan, Group, Pull, Spawn};

/// W4: 112.5 m2 for each, the density at which the peers fly 1000 and 10,000.
pub(super) fn sparse(sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    flock("W4", 112.5, (500, 50), sizes)
}

/// W4b: 10 m2 for each.
pub(super) fn dense(sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    flock("W4b", 10.0, (200, 30), sizes)
}

/// `steps` of up to 1000 people, and of more.
fn flock(name: &'static str, per_agent_m2: f64, steps: (u64, u64), sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    let agents = sizes.agents.unwrap_or(1000);
    let side = (per_agent_m2 * agents as f64).sqrt();
    let mut rng = Seed(0).child("flock", agents as u64).rng();
    let mut crowd = Crowd::default();
    for _ in 0..agents {
        let pos = vec2(unit(&mut rng) * side, unit(&mut rng) * side);
        let angle = unit(&mut rng) * std::f64::consts::TAU;
        add_person(&mut crowd, pos, vec2(libm::cos(angle), libm::sin(angle)), 0.25, 1.34);
    }
    let ring = Some((0.0, side));
    let plan = FloorPlan { periodic: Torus { x: ring, y: ring }, ..FloorPlan::default() };
    let group = Group {
        name: "people".into(),
        count: agents,
        spawn: Spawn::Points(crowd.pos.clone()),
        pull: Pull::Heading(vec2(1.0, 0.0)),
        ..Group::default()
    };
    let steps = sizes.steps.unwrap_or(if agents > 1000 { steps.1 } else { steps.0 });
    let work = Walkers::new(name, "five_force", scenario(plan, vec![group])?, crowd, 0.1, steps);
    Ok(Box::new(work.with(&[("collision_strategies", 0.0)])))
}
