//! A leader who walks around a rectangle, and people who follow.

use super::parts::{count, meters, real, wall};
use super::{Built, MakeScenario};
use crate::world::scenario::{FloorPlan, Goal, Group, Polygon, Pull, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// The route spans (0, 0) to (`route_length_m`, `route_width_m`); the leader starts at the first corner.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "leader",
    doc: "A leader walks rounds of a rectangle, turning left at its corners, and the others follow; \
         group.leader.people.desired_speed_m_per_s sets how fast the leader walks.",
    source: "Wang, Li, Evolving Crowd Motion Simulation with Genetic Algorithm (2006) name the behavior; numbers chosen \
         here: a round of 60 m has long straights and four turns in less than a minute",
    params: PARAMS,
    // One round at 1.34 m/s takes 45 s.
    make: MakeScenario { make, limit_s: 60.0, give_up_s: None },
};

static PARAMS: &[Param] = &[
    Param { doc: "number of followers", ..count(15) },
    meters("route_length_m", "length of the route along x, where the leader starts", 20.0, (2.0, 1000.0), (10.0, 40.0)),
    meters("route_width_m", "length of the route along y", 10.0, (2.0, 1000.0), (5.0, 20.0)),
    real(
        "start_size_m",
        "m",
        "side of the square behind the leader in which followers start",
        "chosen here: 15 followers have 1.7 m2 each",
        5.0,
        (0.5, 1000.0),
        (3.0, 10.0),
    ),
];

/// Gap between the leader and the followers at the start, m. Chosen here: two bodies.
const BEHIND_M: f64 = 1.0;
/// Distance at which a corner counts as passed, m. Chosen here: about one body.
const CORNER_M: f64 = 0.5;

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (length, width, start) = (set.get("route_length_m"), set.get("route_width_m"), set.get("start_size_m"));
    let corners = [(length, 0.0), (length, width), (0.0, width), (0.0, 0.0)];
    let goals = corners.iter().enumerate();
    let square = Polygon::rectangle(vec2(-BEHIND_M - start, -0.5 * start), vec2(-BEHIND_M, 0.5 * start));
    let half = 0.5 * width;
    Ok(Built {
        plan: FloorPlan {
            goals: goals
                .map(|(k, &(x, y))| {
                    named(format!("corner {}", k + 1), Goal::Point { at: vec2(x, y), radius: CORNER_M })
                })
                .collect(),
            // Each leg, with all that is nearer to it than to the other leg.
            lines: vec![
                named("first_leg", wall((0.5 * length, -half), (0.5 * length, half))),
                named("third_leg", wall((0.5 * length, half), (0.5 * length, width + half))),
            ],
            areas: vec![
                named("route", Polygon::rectangle(vec2(0.0, 0.0), vec2(length, width))),
                named("start", square.clone()),
            ],
            ..FloorPlan::default()
        },
        groups: vec![
            Group {
                name: "followers".into(),
                count: set.whole("count") as usize,
                spawn: Spawn::Random(square),
                pull: Pull::Group(1),
                ..Group::default()
            },
            Group {
                name: "leader".into(),
                count: 1,
                spawn: Spawn::Points(vec![vec2(0.0, 0.0)]),
                stages: (0..4).map(|corner| vec![corner]).collect(),
                rounds: true,
                ..Group::default()
            },
        ],
    })
}
