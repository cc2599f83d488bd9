//! A room with two doors: the herding experiment of Helbing, Farkas and Vicsek.

use super::parts::{count, door, meters, meters_or_zero, middle_door, wall};
use super::{Built, MakeScenario};
use crate::world::scenario::{FloorPlan, Group, Polygon, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "two_exits",
    doc: "A rectangular room with a door in the middle of the left wall and one in the middle of the right wall.",
    source: "Helbing, Farkas, Vicsek, Nature 407, 487 (2000): 15 x 15 m, two 1.5 m doors, 90 people; the paper does not \
         print where the doors are, opposite walls are the usual reading",
    params: PARAMS,
    // In smoke it can take long to find a door, so runs are not given up.
    make: MakeScenario { make, limit_s: 300.0, give_up_s: None },
};

static PARAMS: &[Param] = &[
    count(90),
    meters("width_m", "distance between the doors", 15.0, (1.0, 1000.0), (5.0, 30.0)),
    meters("depth_m", "length of the walls with the doors", 15.0, (1.0, 1000.0), (5.0, 30.0)),
    meters("door_width_m", "width of each door, at most depth_m", 1.5, (0.1, 1000.0), (0.6, 3.0)),
    meters_or_zero(
        "sight_m",
        "distance within which doors are seen, as in smoke; 0: unlimited",
        "chosen here: unlimited; the herding experiment has 2 m",
        0.0,
        (1.0, 10.0),
    ),
];

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (width, depth) = (set.get("width_m"), set.get("depth_m"));
    let (low, high) = middle_door(depth, set.get("door_width_m"))?;
    let left = wall((0.0, low), (0.0, high));
    let right = wall((width, low), (width, high));
    let room = Polygon::rectangle(vec2(0.0, 0.0), vec2(width, depth));
    let sight = set.get("sight_m");
    Ok(Built {
        plan: FloorPlan {
            walls: vec![
                wall((0.0, 0.0), (width, 0.0)),
                wall((width, 0.0), (width, low)),
                wall((width, high), (width, depth)),
                wall((width, depth), (0.0, depth)),
                wall((0.0, depth), (0.0, high)),
                wall((0.0, low), (0.0, 0.0)),
            ],
            goals: vec![named("left", door(left, vec2(-1.0, 0.0))), named("right", door(right, vec2(1.0, 0.0)))],
            lines: vec![named("left", left), named("right", right)],
            areas: vec![named("room", room.clone())],
            sight_m: (sight > 0.0).then_some(sight),
            ..FloorPlan::default()
        },
        groups: vec![Group {
            name: "people".into(),
            count: set.whole("count") as usize,
            spawn: Spawn::Random(room),
            stages: vec![vec![0, 1]],
            ..Group::default()
        }],
    })
}
