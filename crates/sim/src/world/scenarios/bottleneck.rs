//! A hall that everybody leaves through a straight bottleneck.

use super::parts::{count, door, meters, meters_or_zero, wall};
use super::{Built, MakeScenario};
use crate::world::scenario::{FloorPlan, Group, Polygon, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// The bottleneck starts at x = 0 and runs along y = 0 towards larger x; the hall is in front of it.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "bottleneck",
    doc: "A hall with a straight bottleneck in the middle of its right wall, and optionally a second hall behind it.",
    source: "geometry of jpscore's validation of the flow through bottlenecks: hall 10 x 8 m, bottleneck 2 m long",
    params: PARAMS,
    // 60 people need 100 s at the smallest flow ever measured through 0.4 m, 0.6 persons/s.
    make: MakeScenario { make, limit_s: 300.0, give_up_s: Some(30.0) },
};

static PARAMS: &[Param] = &[
    count(60),
    meters("hall_width_m", "width of the hall, across the walking direction", 8.0, (1.0, 1000.0), (3.0, 20.0)),
    meters("hall_length_m", "length of the hall, along the walking direction", 10.0, (1.0, 1000.0), (3.0, 30.0)),
    meters("width_m", "width of the bottleneck, at most hall_width_m", 1.0, (0.1, 1000.0), (0.4, 3.0)),
    meters("length_m", "length of the bottleneck", 2.0, (0.05, 1000.0), (0.2, 5.0)),
    meters_or_zero(
        "beyond_m",
        "length of a second hall behind the bottleneck, as wide as the first; people leave at its end; 0: no second \
         hall, people leave at the end of the bottleneck",
        "chosen here: none, as nobody comes back; jpscore's validation has 3 m",
        0.0,
        (0.0, 10.0),
    ),
    meters_or_zero(
        "start_gap_m",
        "gap between the bottleneck and the starting area",
        "chosen here: none; Seyfried et al. 2009 had about 3 m",
        0.0,
        (0.0, 5.0),
    ),
    meters_or_zero(
        "start_width_m",
        "width of the starting area, in the middle of the hall; 0: as wide as the hall",
        "chosen here: as wide as the hall",
        0.0,
        (2.0, 10.0),
    ),
    Param::real("start_density_per_m2", "1/m2", 0.0)
        .symbol("rho_0")
        .range(0.0, 12.0)
        .search(1.0, 5.0)
        .doc("density at the start, which sets the depth of the starting area; 0: the starting area is the whole hall")
        .source("chosen here: the whole hall; Seyfried et al. 2009 had 3.3"),
];

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (hall_width, hall_length) = (set.get("hall_width_m"), set.get("hall_length_m"));
    let (width, length, beyond) = (set.get("width_m"), set.get("length_m"), set.get("beyond_m"));
    if width > hall_width {
        return Err(Error::input(format!("a bottleneck of {width} m does not fit into a hall of {hall_width} m"))
            .key("width_m")
            .allowed(format!("at most hall_width_m = {hall_width} m")));
    }
    let (b, h) = (width / 2.0, hall_width / 2.0);
    let mut walls = vec![
        wall((0.0, -b), (0.0, -h)),
        wall((0.0, -h), (-hall_length, -h)),
        wall((-hall_length, -h), (-hall_length, h)),
        wall((-hall_length, h), (0.0, h)),
        wall((0.0, h), (0.0, b)),
        wall((0.0, -b), (length, -b)),
        wall((0.0, b), (length, b)),
    ];
    let mut exit = wall((length, -b), (length, b));
    if beyond > 0.0 {
        let end = length + beyond;
        walls.extend([
            wall((length, -b), (length, -h)),
            wall((length, -h), (end, -h)),
            wall((length, b), (length, h)),
            wall((length, h), (end, h)),
        ]);
        exit = wall((end, -h), (end, h));
    }
    let entrance = wall((0.0, -b), (0.0, b));
    let ahead = vec2(1.0, 0.0);
    Ok(Built {
        plan: FloorPlan {
            walls,
            goals: vec![named("entrance", door(entrance, ahead)), named("exit", door(exit, ahead))],
            lines: vec![named("entrance", entrance), named("exit", exit)],
            areas: vec![
                // Chosen here: a square meter is what densities before bottlenecks are usually given for.
                named("front", Polygon::rectangle(vec2(-1.0, -0.5), vec2(0.0, 0.5))),
                named("hall", Polygon::rectangle(vec2(-hall_length, -h), vec2(0.0, h))),
            ],
            ..FloorPlan::default()
        },
        groups: vec![Group {
            name: "people".into(),
            count: set.whole("count") as usize,
            spawn: Spawn::Random(start(set)?),
            // The exit alone would be aimed at through the wall beside the bottleneck.
            stages: vec![vec![0], vec![1]],
            ..Group::default()
        }],
    })
}

/// The starting area: `count / start_density_per_m2` square meters behind the gap.
fn start(set: &Settings<'_>) -> Result<Polygon, Error> {
    let (hall_width, hall_length, gap) = (set.get("hall_width_m"), set.get("hall_length_m"), set.get("start_gap_m"));
    let (density, wanted) = (set.get("start_density_per_m2"), set.get("start_width_m"));
    let start_width = if wanted > 0.0 { wanted } else { hall_width };
    if start_width > hall_width {
        return Err(Error::input(format!("a start {start_width} m wide does not fit into a hall of {hall_width} m"))
            .key("start_width_m")
            .allowed(format!("at most hall_width_m = {hall_width} m")));
    }
    let room = hall_length - gap;
    let depth = if density > 0.0 { set.get("count") / density / start_width } else { room };
    if room <= 0.0 || depth > room {
        return Err(Error::input(format!(
            "the crowd takes {:.1} m behind a gap of {gap} m, in a hall {hall_length} m long",
            depth.max(0.0)
        ))
        .key("start_gap_m")
        .help("a longer hall, a smaller gap, fewer people, or a higher start_density_per_m2"));
    }
    Ok(Polygon::rectangle(vec2(-gap - depth, -start_width / 2.0), vec2(-gap, start_width / 2.0)))
}
