//! W3a and W3b: ORCA with the bodies and constants of the RVO2 library's circle example.

use super::pattern::{GOLDEN_ANGLE, add_person};
use super::walkers::{Walkers, scenario};
use super::{Sizes, Work};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::world::scenario::{FloorPlan, Goal, Group, Spawn, named};

/// The constants of the example.
const EXAMPLE: [(&str, f64); 5] = [
    ("time_horizon_s", 10.0),
    ("obstacle_time_horizon_s", 10.0),
    ("neighbor_distance_m", 15.0),
    ("max_neighbors", 10.0),
    ("push_m_per_s", 0.0),
];

/// W3a: 250 on a ring, the example itself, until all have arrived.
pub(super) fn ring(sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    let agents = sizes.agents.unwrap_or(250);
    let place = |k: usize| {
        // The example's radius of 200 m, larger for more people, so that they start as far apart.
        (200.0 * agents as f64 / 250.0, std::f64::consts::TAU * k as f64 / agents as f64)
    };
    let work = antipodes("W3a", agents, sizes.steps.unwrap_or(20_000), place)?;
    Ok(Box::new(work.until_all_are_there()))
}

/// W3b: a disc filled with people.
pub(super) fn disc(sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    let agents = sizes.agents.unwrap_or(1000);
    let steps = sizes.steps.unwrap_or(if agents > 1000 { 100 } else { 1000 });
    let place = |k: usize| (2.5 * (k as f64 + 0.5).sqrt(), k as f64 * GOLDEN_ANGLE);
    Ok(Box::new(antipodes("W3b", agents, steps, place)?))
}

/// People who walk from their place, given by radius and angle, to the opposite one.
fn antipodes(
    name: &'static str,
    agents: usize,
    steps: u64,
    place: impl Fn(usize) -> (f64, f64),
) -> Result<Walkers, Error> {
    // The library computes in single precision.
    let single = |x: f64| f64::from(x as f32);
    let mut crowd = Crowd::default();
    for k in 0..agents {
        let (radius, angle) = place(k);
        let pos = vec2(single(radius * libm::cos(angle)), single(radius * libm::sin(angle)));
        add_person(&mut crowd, pos, Vec2::ZERO, 1.5, 1.0);
    }
    crowd.max_speed.fill(2.0);
    let goals: Vec<Vec2> = crowd.pos.iter().map(|&p| -p).collect();
    let goal = |(k, &at): (usize, &Vec2)| named(format!("goal {k}"), Goal::Point { at, radius: 1e-9 });
    let plan = FloorPlan { goals: goals.iter().enumerate().map(goal).collect(), ..FloorPlan::default() };
    let group = Group {
        name: "people".into(),
        count: agents,
        spawn: Spawn::Points(crowd.pos.clone()),
        stages: vec![(0..agents).collect()],
        own_goals: true,
        // People who have arrived stay: their only stage begins anew.
        rounds: true,
        ..Group::default()
    };
    // 0.25 s is the example's time step.
    let work = Walkers::new(name, "orca", scenario(plan, vec![group])?, crowd, 0.25, steps);
    Ok(work.with(&EXAMPLE).with_goals(goals))
}
