//! People on a circle who all swap places with the person opposite.

use super::parts::{around, count, meters, meters_or_zero, on_circle, real, wall};
use super::{Built, MakeScenario};
use crate::world::scenario::{FloorPlan, Goal, Group, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// The circle is centered at the origin; the first person starts at the largest x, the others follow counterclockwise.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "circle",
    doc: "People stand evenly spaced on a circle; each walks to the opposite point and leaves there.",
    source: "the circle example of the RVO2 library, with fewer people and bodies of people's size",
    params: PARAMS,
    // The library's own circle takes two to four times as long as walking straight, which here is 15 s.
    make: MakeScenario { make, limit_s: 120.0, give_up_s: Some(60.0) },
};

static PARAMS: &[Param] = &[
    count(24),
    meters("circle_m", "radius of the circle", 10.0, (0.5, 10_000.0), (5.0, 50.0)),
    real(
        "goal_radius_m",
        "m",
        "distance at which people have reached their goal; less than circle_m",
        "chosen here: about one body",
        0.5,
        (0.01, 100.0),
        (0.1, 2.0),
    ),
    meters_or_zero(
        "push_m",
        "each start is shifted at random by up to this much along x and along y",
        "chosen here: exact symmetry deadlocks models forever, the reference library too; a centimeter breaks it",
        0.01,
        (0.0, 0.5),
    ),
];

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (count, circle, reach) = (set.whole("count") as usize, set.get("circle_m"), set.get("goal_radius_m"));
    if reach >= circle {
        return Err(Error::input(format!("within {reach} m of the goal everybody is there on a circle of {circle} m"))
            .key("goal_radius_m")
            .allowed(format!("less than circle_m = {circle} m")));
    }
    let starts: Vec<Vec2> =
        (0..count).map(|k| on_circle(circle, std::f64::consts::TAU * k as f64 / count as f64)).collect();
    let goals = starts.iter().enumerate();
    Ok(Built {
        plan: FloorPlan {
            goals: goals
                .map(|(k, &p)| named(format!("goal {}", k + 1), Goal::Point { at: -p, radius: reach }))
                .collect(),
            lines: vec![named("middle", wall((0.0, -circle), (0.0, circle)))],
            areas: vec![
                // Chosen here: a quarter of the radius, where all paths meet.
                named("center", around(Vec2::ZERO, 0.25 * circle)),
                named("circle", around(Vec2::ZERO, circle)),
            ],
            ..FloorPlan::default()
        },
        groups: vec![Group {
            name: "people".into(),
            count,
            spawn: Spawn::Near { points: starts, within_m: set.get("push_m") },
            stages: vec![(0..count).collect()],
            own_goals: true,
            ..Group::default()
        }],
    })
}
