//! A room with one door: the escape panic experiment of Helbing, Farkas and Vicsek.

use super::parts::{choice, count, door, meters, meters_or_zero, middle_door, wall};
use super::{Built, MakeScenario};
use crate::world::scenario::{FloorPlan, Group, Polygon, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "room",
    doc: "A rectangular room with one door, in the middle of the right wall, through which everybody leaves.",
    source: "Helbing, Farkas, Vicsek, Nature 407, 487 (2000): 15 x 15 m, 1 m door, 200 people",
    params: PARAMS,
    make: MakeScenario {
        make,
        // The slowest published runs, at 0.8 m/s, take about 300 s with gaps of up to 84 s.
        limit_s: 600.0,
        give_up_s: Some(120.0),
    },
};

static PARAMS: &[Param] = &[
    count(200),
    meters("width_m", "width of the room, towards the door", 15.0, (1.0, 1000.0), (5.0, 30.0)),
    meters("depth_m", "length of the wall with the door", 15.0, (1.0, 1000.0), (5.0, 30.0)),
    meters("door_width_m", "width of the door, at most depth_m", 1.0, (0.1, 1000.0), (0.6, 3.0)),
    choice("spawn", "how people stand at the start", "random", &["random", "lattice"]),
    meters_or_zero(
        "start_margin_m",
        "people start with their centers at least this far from the walls",
        "chosen here: 0, bodies only must not touch a wall",
        0.0,
        (0.0, 3.0),
    ),
    meters_or_zero(
        "lattice_spacing_m",
        "spacing of the lattice, from its lower left corner; 0: the widest that fits everybody",
        "chosen here: the widest",
        0.0,
        (0.5, 2.0),
    ),
];

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (width, depth) = (set.get("width_m"), set.get("depth_m"));
    let (low, high) = middle_door(depth, set.get("door_width_m"))?;
    let margin = set.get("start_margin_m");
    if 2.0 * margin >= width.min(depth) {
        return Err(Error::input(format!("a margin of {margin} m on both sides leaves no room for a start"))
            .key("start_margin_m")
            .allowed(format!("less than {} m", width.min(depth) / 2.0)));
    }
    let exit = wall((width, low), (width, high));
    let area = Polygon::rectangle(vec2(margin, margin), vec2(width - margin, depth - margin));
    let spacing = set.get("lattice_spacing_m");
    let spawn = match set.word("spawn") {
        "lattice" => Spawn::Lattice { area, spacing_m: (spacing > 0.0).then_some(spacing) },
        _ => Spawn::Random(area),
    };
    Ok(Built {
        plan: FloorPlan {
            walls: vec![
                wall((0.0, 0.0), (width, 0.0)),
                wall((width, 0.0), (width, low)),
                wall((width, high), (width, depth)),
                wall((width, depth), (0.0, depth)),
                wall((0.0, depth), (0.0, 0.0)),
            ],
            goals: vec![named("exit", door(exit, vec2(1.0, 0.0)))],
            lines: vec![named("exit", exit)],
            areas: vec![named("room", Polygon::rectangle(vec2(0.0, 0.0), vec2(width, depth)))],
            ..FloorPlan::default()
        },
        groups: vec![Group {
            name: "people".into(),
            count: set.whole("count") as usize,
            spawn,
            stages: vec![vec![0]],
            ..Group::default()
        }],
    })
}
