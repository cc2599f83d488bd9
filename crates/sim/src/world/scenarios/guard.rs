//! Guards around a person who stands or walks.

use super::parts::{choice, count, meters, real, wall};
use super::{Built, MakeScenario};
use crate::world::Torus;
use crate::world::scenario::{FloorPlan, Group, Polygon, Pull, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// The field spans (0, 0) to (`size_m`, `size_m`); the guarded person starts in the middle.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "guard",
    doc: "A guarded person stands in the middle of a field, or walks east forever, and guards follow; \
         group.guarded.people.desired_speed_m_per_s sets how fast the guarded person walks.",
    source: "Wang, Li, Evolving Crowd Motion Simulation with Genetic Algorithm (2006) name the behavior; numbers chosen \
         here: guards cross the field within seconds",
    params: PARAMS,
    // The guards arrive within 10 s; the rest shows whether they stay.
    make: MakeScenario { make, limit_s: 40.0, give_up_s: None },
};

static PARAMS: &[Param] = &[
    Param { doc: "number of guards", ..count(12) },
    meters("size_m", "side of the field, at least 8 m", 20.0, (8.0, 10_000.0), (10.0, 40.0)),
    Param::switch("guarded_walks", false)
        .doc("whether the guarded person walks east; the field is then periodic, so that the path never ends")
        .source("chosen here: the simplest, a person who stands"),
    choice(
        "start",
        "around: guards start in a square around the guarded person; beside: in a square to the west",
        "around",
        &["around", "beside"],
    ),
    real(
        "start_size_m",
        "m",
        "side of the square in which guards start; at most size_m, or half of that for `beside`",
        "chosen here: guards have a few meters to walk",
        10.0,
        (1.0, 10_000.0),
        (4.0, 20.0),
    ),
];

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (size, start, walks) = (set.get("size_m"), set.get("start_size_m"), set.on("guarded_walks"));
    let middle = 0.5 * size;
    let beside = set.word("start") == "beside";
    let most = if beside { middle } else { size };
    if start > most {
        return Err(Error::input(format!("a start {start} m wide does not fit into the field"))
            .key("start_size_m")
            .allowed(format!("at most {most} m")));
    }
    let low = vec2(if beside { middle - start } else { middle - 0.5 * start }, middle - 0.5 * start);
    let square = Polygon::rectangle(low, low + vec2(start, start));
    let ring = walks.then_some((0.0, size));
    Ok(Built {
        plan: FloorPlan {
            lines: vec![named("middle", wall((middle, 0.0), (middle, size)))],
            areas: vec![
                named("field", Polygon::rectangle(vec2(0.0, 0.0), vec2(size, size))),
                named("start", square.clone()),
            ],
            periodic: Torus { x: ring, y: ring },
            ..FloorPlan::default()
        },
        groups: vec![
            Group {
                name: "guarded".into(),
                count: 1,
                spawn: Spawn::Points(vec![vec2(middle, middle)]),
                pull: if walks { Pull::Heading(vec2(1.0, 0.0)) } else { Pull::Nothing },
                ..Group::default()
            },
            Group {
                name: "guards".into(),
                count: set.whole("count") as usize,
                spawn: Spawn::Random(square),
                pull: Pull::Group(0),
                ..Group::default()
            },
        ],
    })
}
