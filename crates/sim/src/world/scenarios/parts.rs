//! What the built scenarios share: walls, doors, and rows of params.

use crate::world::CORNER_MARGIN_M;
use crate::world::scenario::{Goal, Navigation, Polygon, Segment, Stage};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Param, Settings};

/// Depth of the strips in which people enter, m. Chosen here: people who start at rest have left it after two seconds.
pub(super) const STRIP_M: f64 = 2.0;

/// A straight wall or line.
pub(super) fn wall(a: (f64, f64), b: (f64, f64)) -> Segment {
    Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) }
}

/// A door on a line.
pub(super) fn door(line: Segment, outward: Vec2) -> Goal {
    Goal::Door { line, outward }
}

/// Where a door in the middle of a wall of `depth_m` begins and ends.
///
/// # Errors
/// A door wider than the wall.
pub(super) fn middle_door(depth_m: f64, door_width_m: f64) -> Result<(f64, f64), Error> {
    if door_width_m > depth_m {
        return Err(Error::input(format!("a door of {door_width_m} m does not fit into a wall of {depth_m} m"))
            .key("door_width_m")
            .allowed(format!("at most depth_m = {depth_m} m")));
    }
    Ok(((depth_m - door_width_m) / 2.0, (depth_m + door_width_m) / 2.0))
}

/// By which way people get through an opening.
pub(super) const WAY: Param = Param::choice("way", "corners", &["corners", "nearest"])
    .doc(
        "corners: the shortest way to the middle of the exit, which bends at the corners of the walls; nearest: to the nearest \
         point of the opening, then straight out",
    )
    .source("the shortest way is that of JuPedSim's route finder; the nearest point is chosen here, to compare with");

/// How far from the ends of an opening people aim who take the nearest way.
pub(super) const DOOR_MARGIN_M: Param = real(
    "door_margin_m",
    "m",
    "with way = nearest: how much farther from the ends of the opening than their radius people aim",
    "chosen here: an arm off the post",
    0.1,
    (0.0, 1.0),
    (0.0, 0.3),
);

/// How far from corners people aim who take the shortest way.
pub(super) const CORNER_MARGIN: Param = real(
    "corner_margin_m",
    "m",
    "with way = corners: how far from a corner the way bends; nearer where there is less room",
    "JuPedSim 1.4.2: RoutingEngine.compute_waypoints bends 0.2 m from the ends of an opening",
    CORNER_MARGIN_M,
    (0.0, 1.0),
    (0.0, 0.3),
);

/// The stages of people who pass goal 0 on the way to goal 1, and how they find it.
pub(super) fn way(set: &Settings<'_>) -> (Vec<Stage>, Navigation) {
    match set.word("way") {
        "nearest" => (vec![vec![0], vec![1]], Navigation::Straight),
        _ => (vec![vec![1]], Navigation::Corners { margin_m: set.get("corner_margin_m") }),
    }
}

/// The number of people.
pub(super) const fn count(default: i64) -> Param {
    Param::integer("count", default, (1, 100_000), (10, 500)).symbol("N").doc("number of people").source(SOURCE)
}

const SOURCE: &str = "as the scenario's source";

/// A positive length, from the scenario's source.
pub(super) const fn meters(
    key: &'static str,
    doc: &'static str,
    default: f64,
    hard: (f64, f64),
    search: (f64, f64),
) -> Param {
    Param::real(key, "m", default).range(hard.0, hard.1).search(search.0, search.1).doc(doc).source(SOURCE)
}

/// A length that may be 0.
pub(super) const fn meters_or_zero(
    key: &'static str,
    doc: &'static str,
    source: &'static str,
    default: f64,
    search: (f64, f64),
) -> Param {
    Param::real(key, "m", default).range(0.0, 1000.0).search(search.0, search.1).doc(doc).source(source)
}

/// A choice that the source does not make.
pub(super) const fn choice(
    key: &'static str,
    doc: &'static str,
    default: &'static str,
    options: &'static [&'static str],
) -> Param {
    Param::choice(key, default, options).doc(doc).source("chosen here: the source does not say")
}

/// A real number with its own source.
pub(super) const fn real(
    key: &'static str,
    unit: &'static str,
    doc: &'static str,
    source: &'static str,
    default: f64,
    hard: (f64, f64),
    search: (f64, f64),
) -> Param {
    Param::real(key, unit, default).range(hard.0, hard.1).search(search.0, search.1).doc(doc).source(source)
}

/// Arrivals during the run, all groups together.
pub(super) const INFLOW: Param = real(
    "inflow_per_s",
    "1/s",
    "arrivals per second, all groups together, until `count` people have entered; 0: all are there at the start",
    "chosen here: all are there at the start",
    0.0,
    (0.0, 1000.0),
    (0.5, 10.0),
);

/// The inflow of a share of the people; `None` if all are there at the start.
pub(super) fn inflow(set: &Settings<'_>, share: f64) -> Option<f64> {
    Some(set.get("inflow_per_s") * share).filter(|per_s| *per_s > 0.0)
}

/// Sizes of `parts` groups of `whole` people; the first groups are one larger if it does not divide evenly.
pub(super) fn parts(whole: usize, parts: usize) -> impl Iterator<Item = usize> {
    (0..parts).map(move |k| whole / parts + usize::from(k < whole % parts))
}

/// A regular polygon around a disc.
pub(super) fn around(middle: Vec2, radius: f64) -> Polygon {
    // Chosen here: 32 corners are at most 0.5 % outside the circle.
    let step = std::f64::consts::TAU / 32.0;
    let out = radius / libm::cos(0.5 * step);
    Polygon { points: (0..32).map(|k| middle + on_circle(out, step * f64::from(k))).collect() }
}

/// The point at an angle, rad, on a circle around the origin.
pub(super) fn on_circle(radius: f64, angle: f64) -> Vec2 {
    vec2(libm::cos(angle), libm::sin(angle)) * radius
}
