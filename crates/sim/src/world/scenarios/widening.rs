//! A corridor with a widening in its middle: an experiment of Helbing, Farkas and Vicsek.

use super::parts::{STRIP_M, count, door, meters, real, wall};
use super::{Built, MakeScenario};
use crate::world::scenario::{FloorPlan, Group, Polygon, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// The corridor runs from x = 0 along y = 0 towards larger x.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "widening",
    doc: "A corridor with a diamond-shaped widening in the middle; people enter at one end, in the published \
         experiment with people.desired_speed_m_per_s = 2.",
    source: "Helbing, Farkas, Vicsek, Nature 407, 487 (2000): 3 m wide, 15 m long, half-angle up to 45 degrees, 5.5 \
         people per second and meter of width; a widening of the middle 6 m is the usual reading",
    params: PARAMS,
    // Ten times as long as walking straight at 2 m/s, and people still come in.
    make: MakeScenario { make, limit_s: 80.0, give_up_s: Some(30.0) },
};

static PARAMS: &[Param] = &[
    count(600),
    meters("width_m", "width of the corridor", 3.0, (0.5, 1000.0), (1.5, 6.0)),
    meters("length_m", "length of the corridor", 15.0, (2.0, 1000.0), (10.0, 30.0)),
    meters("widening_m", "length of the widening, less than length_m", 6.0, (0.1, 1000.0), (3.0, 10.0)),
    real(
        "angle_deg",
        "deg",
        "angle between the walls of the widening and the corridor; 0 is a straight corridor",
        "as the scenario's source: the widest",
        45.0,
        (0.0, 75.0),
        (0.0, 45.0),
    ),
    real(
        "inflow_per_m_s",
        "1/(m s)",
        "arrivals per second and meter of width, in the first 2 m, as long as there is free space",
        "as the scenario's source",
        5.5,
        (0.01, 100.0),
        (1.0, 6.0),
    ),
];

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (width, length, widening) = (set.get("width_m"), set.get("length_m"), set.get("widening_m"));
    if widening >= length {
        return Err(Error::input(format!("a widening of {widening} m does not fit into a corridor of {length} m"))
            .key("widening_m")
            .allowed(format!("less than length_m = {length} m")));
    }
    let h = 0.5 * width;
    let (from, middle, to) = (0.5 * (length - widening), 0.5 * length, 0.5 * (length + widening));
    let wide = h + 0.5 * widening * libm::tan(set.get("angle_deg").to_radians());
    let upper = [(0.0, h), (from, h), (middle, wide), (to, h), (length, h)];
    let lower = upper.map(|(x, y)| (x, -y));
    let walls = |side: [(f64, f64); 5]| (0..4).map(move |k| wall(side[k], side[k + 1]));
    let across = |x: f64| wall((x, -h), (x, h));
    let ahead = vec2(1.0, 0.0);
    let strip = Polygon::rectangle(vec2(0.0, -h), vec2(STRIP_M.min(length), h));
    let outline = [lower[1], lower[2], lower[3], upper[3], upper[2], upper[1]];
    Ok(Built {
        plan: FloorPlan {
            walls: walls(lower).chain(walls(upper)).collect(),
            goals: vec![named("narrowing", door(across(to), ahead)), named("exit", door(across(length), ahead))],
            lines: vec![named("exit", across(length)), named("narrowing", across(to)), named("entrance", across(from))],
            areas: vec![
                named("widening", Polygon { points: outline.iter().map(|&(x, y)| vec2(x, y)).collect() }),
                named("before", Polygon::rectangle(vec2(0.0, -h), vec2(from, h))),
                named("behind", Polygon::rectangle(vec2(to, -h), vec2(length, h))),
            ],
            ..FloorPlan::default()
        },
        groups: vec![Group {
            name: "people".into(),
            count: set.whole("count") as usize,
            spawn: Spawn::Random(strip),
            inflow_per_s: Some(set.get("inflow_per_m_s") * width),
            // The exit alone would be aimed at through the walls that narrow the way again.
            stages: vec![vec![0], vec![1]],
            ..Group::default()
        }],
    })
}
