//! W1 and W2: the social force with its published constants, in a room and on open ground; W2 also with another model.

use super::pattern::{GOLDEN, ROOT_TWO, add_person, spread};
use super::walkers::{Walkers, scenario};
use super::{Sizes, Work};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Settings, defaults, find};
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::world::SCENARIOS;
use crowdtune_sim::world::scenario::{FloorPlan, Goal, Group, Segment, Spawn, named};

/// Time step of both, s: the default of the model.
const TIME_STEP_S: f64 = 0.01;

/// Neighbors in the room, m: 15 columns of people 0.95 m apart fill its 15 m, with bodies of at most 0.7 m.
const SPACING_M: f64 = 0.95;

/// W1: the room of Helbing, Farkas and Vicsek with a lattice of people, for 30 s.
pub(super) fn room(sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    let agents = sizes.agents.unwrap_or(200);
    let entry = find(SCENARIOS, "room").expect("`room` is registered");
    let values = defaults(entry.params);
    let built = (entry.make.make)(&Settings::new(entry.params, &values))?;
    let mut crowd = Crowd::default();
    for k in 0..agents {
        let pos = vec2(0.7 + SPACING_M * (k % 15) as f64, 0.7 + SPACING_M * (k / 15) as f64);
        add_person(&mut crowd, pos, Vec2::ZERO, 0.25 + 0.1 * spread(k, GOLDEN), 1.0);
    }
    let mut groups = built.groups;
    groups[0].count = agents;
    let steps = sizes.steps.unwrap_or(3000);
    let work = Walkers::new("W1", "social_force", scenario(built.plan, groups)?, crowd, TIME_STEP_S, steps);
    reaching(work, sizes)
}

/// W2: a block of people at 1 per square meter who walk over open ground to a line that they never reach.
pub(super) fn field(sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    let agents = sizes.agents.unwrap_or(1000);
    // 20 and 50 rows are those of the peers; other blocks are about twice as long as wide, too.
    let rows = match agents {
        1000 => 20,
        5000 => 50,
        n => ((n as f64 / 2.0).sqrt().round() as usize).max(1),
    };
    let mut crowd = Crowd::default();
    for k in 0..agents {
        let (i, j) = ((k / rows) as f64, (k % rows) as f64);
        let aside = vec2(0.2 * (spread(k, GOLDEN) - 0.5), 0.2 * (spread(k, ROOT_TWO) - 0.5));
        let pos = vec2(0.5 + i + aside.x, 0.5 + j + aside.y);
        let speed = 1.0 + 0.6 * spread(k, GOLDEN);
        add_person(&mut crowd, pos, vec2(speed, 0.0), 0.3, speed);
    }
    let line = Segment { a: vec2(1e4, -1e4), b: vec2(1e4, 1e4) };
    let plan =
        FloorPlan { goals: vec![named("far", Goal::Door { line, outward: vec2(1.0, 0.0) })], ..FloorPlan::default() };
    let group = Group {
        name: "people".into(),
        count: agents,
        spawn: Spawn::Points(crowd.pos.clone()),
        stages: vec![vec![0]],
        ..Group::default()
    };
    // As few steps of thousands of people as the slowest peers can do.
    let steps = sizes.steps.unwrap_or(if agents > 1000 { 60 } else { 300 });
    let (model, time_step_s) = sizes.model.map_or(("social_force", TIME_STEP_S), |m| (m.name, m.make.time_step_s));
    let work = Walkers::new("W2", model, scenario(plan, vec![group])?, crowd, time_step_s, steps);
    reaching(work, sizes)
}

fn reaching(work: Walkers, sizes: &Sizes) -> Result<Box<dyn Work>, Error> {
    Ok(Box::new(match sizes.reach_m {
        None => work,
        Some(reach_m) => work.reaching(reach_m)?,
    }))
}
