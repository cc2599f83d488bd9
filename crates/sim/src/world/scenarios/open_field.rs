//! A square field without anything in it.

use super::parts::{around, choice, count, metres, metres_or_zero, on_circle, real, wall};
use super::{Built, MakeScenario};
use crate::world::Torus;
use crate::world::scenario::{FloorPlan, Group, Polygon, Pull, Segment, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// The field reaches from (0, 0) to (`size_m`, `size_m`).
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "open_field",
    doc: "A square field in which people are drawn by nothing, by one place, or in one direction; nobody leaves.",
    source: "chosen here: the plain ground for behavior of groups, with 40 people as public flocking examples have it",
    params: PARAMS,
    // A walk across the field and as long again to come to rest.
    make: MakeScenario { make, limit_s: 40.0, give_up_s: None },
};

static PARAMS: &[Param] = &[
    count(40),
    metres("size_m", "side of the field; at least 8 m if periodic", 20.0, (1.0, 10_000.0), (10.0, 50.0)),
    choice("periodic", "xy: who leaves on one side comes back on the other", "none", &["none", "xy"]),
    Param::switch("box", true)
        .doc("walls around the field; a periodic one has none")
        .source("chosen here: people stay in the field"),
    choice(
        "wish",
        "what draws people: nothing, one point, or one direction",
        "nothing",
        &["nothing", "point", "heading"],
    ),
    real(
        "goal_x",
        "",
        "where the point is along x, as a share of size_m",
        "chosen here: the middle",
        0.5,
        (0.0, 1.0),
        (0.1, 0.9),
    ),
    real(
        "goal_y",
        "",
        "where the point is along y, as a share of size_m",
        "chosen here: the middle",
        0.5,
        (0.0, 1.0),
        (0.1, 0.9),
    ),
    real(
        "goal_radius_m",
        "m",
        "who is so near to the point stays there; drawn and measured as the area `goal`",
        "chosen here: 40 people stand in it at 3 per m2",
        2.0,
        (0.01, 1000.0),
        (0.5, 5.0),
    ),
    real(
        "heading_deg",
        "deg",
        "the one direction, from x towards y",
        "chosen here: towards larger x",
        0.0,
        (-360.0, 360.0),
        (-180.0, 180.0),
    ),
    metres_or_zero(
        "start_size_m",
        "side of the square in the middle in which people start; 0 means all of the field",
        "chosen here: all of the field",
        0.0,
        (3.0, 20.0),
    ),
];

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (size, start) = (set.get("size_m"), set.get("start_size_m"));
    let periodic = set.word("periodic") == "xy";
    if periodic && size < 8.0 {
        return Err(Error::input(format!("a field of {size} m is too small to be periodic"))
            .key("size_m")
            .allowed("at least 8 m if `periodic = \"xy\"`"));
    }
    if start > size {
        return Err(Error::input(format!("a start {start} m wide does not fit into a field of {size} m"))
            .key("start_size_m")
            .allowed(format!("at most size_m = {size} m")));
    }
    let goal = vec2(set.get("goal_x") * size, set.get("goal_y") * size);
    let radius = set.get("goal_radius_m");
    let pull = match set.word("wish") {
        "point" => Pull::Point { at: goal, radius_m: radius },
        "heading" => Pull::Heading(on_circle(1.0, set.get("heading_deg").to_radians())),
        _ => Pull::Nothing,
    };
    let field = Polygon::rectangle(vec2(0.0, 0.0), vec2(size, size));
    let (low, high) = (0.5 * (size - start), 0.5 * (size + start));
    let around_all: Vec<Segment> = field.edges().collect();
    let ring = periodic.then_some((0.0, size));
    Ok(Built {
        plan: FloorPlan {
            walls: if set.on("box") && !periodic { around_all } else { Vec::new() },
            lines: vec![named("middle", wall((0.5 * size, 0.0), (0.5 * size, size)))],
            areas: vec![named("field", field.clone()), named("goal", around(goal, radius))],
            periodic: Torus { x: ring, y: ring },
            ..FloorPlan::default()
        },
        groups: vec![Group {
            name: "people".into(),
            count: set.whole("count") as usize,
            spawn: Spawn::Random(if start > 0.0 {
                Polygon::rectangle(vec2(low, low), vec2(high, high))
            } else {
                field
            }),
            pull,
            ..Group::default()
        }],
    })
}
