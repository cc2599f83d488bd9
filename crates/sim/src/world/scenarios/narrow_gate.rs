//! A narrow gate of the CrowdQueue experiments, with the people where they stood.

use super::parts::{CORNER_MARGIN, DOOR_MARGIN_M, WAY, door, real, wall, way};
use super::{Built, MakeScenario};
use crate::world::scenario::{FloorPlan, Goal, Group, Polygon, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// People walk towards smaller y, from a corridor between barriers through a gate.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "narrow_gate",
    doc: "A corridor 5.6 m wide before a gate of 0.5 m, through which one at a time gets; people start where they were \
          measured.",
    source: "run 040_c_56_h- of Adrian, Seyfried, Sieben, J. R. Soc. Interface 17, 20190871 (2020), doi \
             10.34735/ped.2018.1; scene as in PedestrianDynamics/jupedsim-dakota-calibration (2026)",
    params: PARAMS,
    // The study ends runs at 120 s, as the slowest measured one took 67 s; the longest measured gap is 2.5 s.
    make: MakeScenario { make, limit_s: 120.0, give_up_s: Some(30.0) },
};

static PARAMS: &[Param] = &[
    Param::integer("count", PEOPLE as i64, (1, PEOPLE as i64), (10, PEOPLE as i64))
        .symbol("N")
        .doc("number of people: those who stood nearest to the gate")
        .source("as the scenario's source"),
    real(
        "push_m",
        "m",
        "each start is moved at random by up to this, along x and along y, before bodies that touch are pushed apart",
        "as the scenario's source",
        0.01,
        (0.0, 1.0),
        (0.0, 0.1),
    ),
    WAY,
    CORNER_MARGIN,
    DOOR_MARGIN_M,
];

/// Gap to which bodies are pushed apart that would touch, m; as in the scenario's source.
const BODY_GAP_M: f64 = 0.02;
/// Where people leave, m: the study's exit, as far as the place reaches.
const EXIT_M: (f64, f64) = (-3.9, -3.0);

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    // Behind the gate the place goes on to y = -4; the recording's own box ends at -2, before the study's exit.
    let shell = Polygon::rectangle(vec2(-3.5, -4.0), vec2(3.5, 8.0));
    let left = [
        (-0.7, -1.1),
        (-0.25, -1.1),
        (-0.25, -0.15),
        (-0.4, 0.0),
        (-2.8, 0.0),
        (-2.8, 6.7),
        (-3.05, 6.7),
        (-3.05, -0.3),
        (-0.7, -0.3),
    ];
    let barrier = |side: f64| Polygon { points: left.map(|(x, y)| vec2(side * x, y)).to_vec() }.counter_clockwise();
    let barriers = vec![barrier(1.0), barrier(-1.0)];
    let exit = Polygon::rectangle(vec2(-3.5, EXIT_M.0), vec2(3.5, EXIT_M.1));
    let mouth = wall((-0.25, 0.0), (0.25, 0.0));
    let (stages, navigation) = way(set);
    let count = set.whole("count") as usize;
    Ok(Built {
        plan: FloorPlan {
            walls: std::iter::once(&shell).chain(&barriers).flat_map(Polygon::edges).collect(),
            // The gate is beveled: from 0.8 m at y = 0 to 0.5 m at -0.15. People aim at its width where they see it from the side.
            goals: vec![named("mouth", door(mouth, vec2(0.0, -1.0))), named("exit", Goal::Area(exit))],
            lines: vec![named("gate", wall((-0.25, -0.6), (0.25, -0.6)))],
            areas: vec![
                // The box of the study.
                named("front", Polygon::rectangle(vec2(-2.75, 0.5), vec2(2.75, 2.5))),
                named("corridor", Polygon::rectangle(vec2(-2.8, 0.0), vec2(2.8, 6.7))),
            ],
            walkable: vec![(shell, barriers)],
            navigation,
            door_margin_m: set.get("door_margin_m"),
            ..FloorPlan::default()
        },
        groups: vec![Group {
            name: "people".into(),
            count,
            spawn: Spawn::Apart { points: nearest(count), within_m: set.get("push_m"), gap_m: BODY_GAP_M },
            stages,
            ..Group::default()
        }],
    })
}

/// The places of those who stood nearest to the gate, in the order of the table.
fn nearest(count: usize) -> Vec<Vec2> {
    let places = STARTS.map(|(x, y)| vec2(x, y));
    let mut order: Vec<usize> = (0..PEOPLE).collect();
    order.sort_by(|&i, &j| places[i].length2().total_cmp(&places[j].length2()).then(i.cmp(&j)));
    order.truncate(count);
    order.sort_unstable();
    order.into_iter().map(|i| places[i]).collect()
}

/// How many people took part.
const PEOPLE: usize = 75;

/// Where they are in the first frame, in the order of their numbers, m, rounded to millimeters: trajectories of run 040_c_56_h-,
/// doi 10.34735/ped.2018.1.
#[rustfmt::skip]
static STARTS: [(f64, f64); PEOPLE] = [
    (2.157, 2.659), (1.864, 1.194), (1.885, 1.627), (1.963, 2.106), (1.622, 0.824), (1.967, 3.255), (2.122, 5.054),
    (1.572, 2.257), (1.832, 4.230), (1.256, 0.569), (1.603, 3.306), (1.439, 1.915), (1.362, 1.459), (1.664, 5.301),
    (1.245, 2.607), (1.230, 4.736), (0.952, 2.940), (0.777, 1.364), (0.715, 0.725), (0.774, 3.377), (0.529, 1.703),
    (0.664, 5.205), (0.501, 2.243), (0.464, 2.821), (0.298, 0.350), (0.260, 0.079), (0.419, 4.062), (0.360, 4.728),
    (0.261, 3.411), (0.150, 0.972), (0.127, 5.408), (-0.043, 1.681), (-0.043, 4.509), (-0.110, 3.893), (-0.155, 1.342),
    (-0.224, 2.528), (-0.232, 0.661), (-0.248, 2.932), (-0.313, 5.286), (-0.306, 0.242), (-0.462, 1.904),
    (-0.634, 1.002), (-0.682, 1.537), (-0.858, 4.641), (-0.867, 5.102), (-1.036, 3.316), (-1.157, 1.924),
    (-1.383, 4.805), (-1.403, 4.436), (-1.152, 0.298), (-1.248, 1.384), (-1.505, 3.055), (-1.712, 1.133),
    (-2.258, 4.078), (-2.422, 3.673), (-2.559, 4.554), (-2.107, 1.467), (-0.381, 4.960), (1.074, 5.085),
    (-1.044, 5.564), (-0.885, 2.432), (-2.251, 5.519), (-1.313, 2.410), (-0.557, 5.547), (0.811, 4.697), (0.300, 5.889),
    (-1.223, 0.856), (-1.670, 2.068), (-0.283, 5.960), (-0.678, 4.035), (-0.479, 3.347), (-1.048, 4.260),
    (-0.862, 3.095), (-1.446, 4.049), (-0.025, 2.306),
];
