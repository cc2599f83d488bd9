//! A straight corridor with people in one or two directions; its ends are open, or joined (periodic).

use super::parts::{INFLOW, STRIP_M, choice, count, door, inflow, meters, real, wall};
use super::{Built, MakeScenario};
use crate::world::Torus;
use crate::world::scenario::{FloorPlan, Group, Polygon, Pull, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// The corridor runs from x = 0 to x = `length_m`; its walls are at y = 0 and y = `width_m`.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "corridor",
    doc: "A straight corridor with people walking in one or two directions; its ends are open, or joined (periodic).",
    source: "the 4 m corridor of the Juelich experiments in two directions, 10 m of it, at 0.9 people per m2",
    params: PARAMS,
    // Lanes are measured after 20 s; a walker at 1 m/s crosses 10 m in 10 s, and nobody leaves a periodic corridor.
    make: MakeScenario { make, limit_s: 60.0, give_up_s: Some(20.0) },
};

static PARAMS: &[Param] = &[
    count(36),
    meters("length_m", "length of the corridor; at least 8 m if periodic", 10.0, (4.0, 1000.0), (8.0, 40.0)),
    meters("width_m", "width of the corridor", 4.0, (0.5, 1000.0), (2.0, 10.0)),
    choice("directions", "two: people walk east and west; one: all walk east", "two", &["two", "one"]),
    choice(
        "ends",
        "periodic: people who leave at one end come back at the other; open: people leave at the ends",
        "periodic",
        &["periodic", "open"],
    ),
    real(
        "share_west",
        "",
        "share of the people who walk west if there are two directions",
        "chosen here: half",
        0.5,
        (0.0, 1.0),
        (0.0, 0.5),
    ),
    INFLOW,
];

/// Length of the measuring area in the middle, m. Chosen here: usual for densities in corridors.
const MIDDLE_M: f64 = 2.0;

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (length, width) = (set.get("length_m"), set.get("width_m"));
    let (periodic, two) = (set.word("ends") == "periodic", set.word("directions") == "two");
    if periodic && length < 8.0 {
        return Err(Error::input(format!("a corridor of {length} m is too short to be periodic"))
            .key("length_m")
            .allowed("at least 8 m if `ends = \"periodic\"`"));
    }
    if periodic && set.get("inflow_per_s") > 0.0 {
        return Err(Error::input("people enter at the ends, and a periodic corridor has none")
            .key("inflow_per_s")
            .allowed("0 if `ends = \"periodic\"`")
            .help("use `ends = \"open\"` to let people enter"));
    }
    let across = |x: f64| wall((x, 0.0), (x, width));
    let part = |from: f64, to: f64| Polygon::rectangle(vec2(from, 0.0), vec2(to, width));
    let (west_end, east_end) = (across(0.0), across(length));
    let middle = 0.5 * length;
    let (east, west) = (vec2(1.0, 0.0), vec2(-1.0, 0.0));

    let share_west = if two { set.get("share_west") } else { 0.0 };
    let count = set.whole("count") as usize;
    let going_west = (count as f64 * share_west).round() as usize;
    let group = |name: &str, count: usize, share: f64, ahead, goal: usize| {
        let inflow = inflow(set, share);
        // They start behind the middle, or anywhere if nobody comes from the other side.
        let depth = if inflow.is_some() { STRIP_M.min(middle) } else { middle };
        let start = if goal == 0 { part(0.0, depth) } else { part(length - depth, length) };
        Group {
            name: name.into(),
            count,
            spawn: Spawn::Random(if periodic { part(0.0, length) } else { start }),
            inflow_per_s: inflow,
            stages: if periodic { Vec::new() } else { vec![vec![goal]] },
            pull: if periodic { Pull::Heading(ahead) } else { Pull::Nothing },
            ..Group::default()
        }
    };
    let mut groups = vec![group("east", count - going_west, 1.0 - share_west, east, 0)];
    if two {
        groups.push(group("west", going_west, share_west, west, 1));
    }
    let doors = || vec![named("east_end", door(east_end, east)), named("west_end", door(west_end, west))];
    Ok(Built {
        plan: FloorPlan {
            walls: vec![wall((0.0, 0.0), (length, 0.0)), wall((0.0, width), (length, width))],
            goals: if periodic { Vec::new() } else { doors() },
            lines: vec![named("middle", across(middle)), named("east_end", east_end), named("west_end", west_end)],
            areas: vec![
                named("middle", part(middle - 0.5 * MIDDLE_M, middle + 0.5 * MIDDLE_M)),
                named("corridor", part(0.0, length)),
            ],
            periodic: Torus { x: periodic.then_some((0.0, length)), y: None },
            ..FloorPlan::default()
        },
        groups,
    })
}
