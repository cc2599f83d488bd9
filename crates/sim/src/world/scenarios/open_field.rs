//! An empty square field.

use super::parts::{around, choice, count, meters, meters_or_zero, on_circle, real, wall};
use super::{Built, MakeScenario};
use crate::world::Torus;
use crate::world::scenario::{FloorPlan, Group, Polygon, Pull, Segment, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// The field spans (0, 0) to (`size_m`, `size_m`).
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "open_field",
    doc: "A square field in which people go nowhere, to one point, or in one direction; nobody leaves.",
    source: "chosen here: plain ground for group behavior, with 40 people as in public flocking examples",
    params: PARAMS,
    // Time to cross the field, and as long again to settle.
    make: MakeScenario { make, limit_s: 40.0, give_up_s: None },
};

static PARAMS: &[Param] = &[
    count(40),
    meters("size_m", "side of the field; at least 8 m if periodic", 20.0, (1.0, 10_000.0), (10.0, 50.0)),
    choice("periodic", "xy: people who leave on one side come back on the other", "none", &["none", "xy"]),
    Param::switch("box", true)
        .doc("walls around the field; a periodic field has none")
        .source("chosen here: people stay in the field"),
    choice(
        "wish",
        "where people want to go: nowhere, to one point, or in one direction",
        "nothing",
        &["nothing", "point", "heading"],
    ),
    real("goal_x", "", "x of the point, as a share of size_m", "chosen here: the middle", 0.5, (0.0, 1.0), (0.1, 0.9)),
    real("goal_y", "", "y of the point, as a share of size_m", "chosen here: the middle", 0.5, (0.0, 1.0), (0.1, 0.9)),
    real(
        "goal_radius_m",
        "m",
        "people this close to the point stay there; also the radius of the area `goal`",
        "chosen here: 40 people stand in it at 3 per m2",
        2.0,
        (0.01, 1000.0),
        (0.5, 5.0),
    ),
    real(
        "heading_deg",
        "deg",
        "the direction, counterclockwise from +x",
        "chosen here: towards +x",
        0.0,
        (-360.0, 360.0),
        (-180.0, 180.0),
    ),
    meters_or_zero(
        "start_size_m",
        "side of the square in the middle in which people start; 0: the whole field",
        "chosen here: the whole field",
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
