//! The wide bottlenecks of the Hermes experiments, as JuPedSim was calibrated to them.

use super::parts::{CORNER_MARGIN, DOOR_MARGIN_M, WAY, count, door, meters, real, wall, way};
use super::{Built, MakeScenario};
use crate::world::scenario::{FloorPlan, Goal, Group, Polygon, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// People walk towards smaller y, through a gap in a wall that is 1 m thick.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "wide_bottleneck",
    doc: "A corridor 20 m wide with a gap in the boards across it; the crowd waits in half a disc right before the gap.",
    source: "Hermes 2009, runs AO (doi 10.34735/ped.2009.6): geometry and start after Liao and others 2014, as in \
             PedestrianDynamics/jupedsim-dakota-calibration (2026)",
    params: PARAMS,
    // The study ends runs at 300 s. Chosen here: nobody has left for 30 s in a jam only.
    make: MakeScenario { make, limit_s: 300.0, give_up_s: Some(30.0) },
};

static PARAMS: &[Param] = &[
    count(350),
    meters("width_m", "width of the gap", 3.0, (0.1, 18.0), (2.4, 5.0)),
    real(
        "corridor_middle_m",
        "m",
        "x of the middle of the corridor; the gap is in the middle of x = 0.9",
        "as the scenario's source; 0.9 is the corrected geometry of the archive",
        0.0,
        (-0.9, 0.9),
        (0.0, 0.9),
    ),
    meters(
        "spacing_m",
        "spacing of the hexagonal lattice of the start; two radii and 0.1 m for large bodies",
        0.62,
        (0.2, 5.0),
        (0.5, 1.0),
    ),
    WAY,
    CORNER_MARGIN,
    DOOR_MARGIN_M,
];

// All lengths are those of the scenario's source, in the coordinates of the archive.

/// x of the middle of the gap, m.
const GAP_X_M: f64 = 0.9;
/// Half the width of the corridor, m.
const HALF_WIDTH_M: f64 = 10.0;
/// The boards lie from -0.5 to 0.5 m.
const BOARD_M: f64 = 0.5;
/// Lower and upper end of the corridor, m.
const ENDS_M: (f64, f64) = (-8.0, 11.5);
/// Where people leave, m, and half the width of the exit.
const EXIT_M: (f64, f64) = (-7.0, 6.0);
/// How far before the boards the half disc has its middle, m.
const START_GAP_M: f64 = 0.35;
/// Least gap between bodies that makes the spacing wider, m.
const BODY_GAP_M: f64 = 0.1;

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (width, middle) = (set.get("width_m"), set.get("corridor_middle_m"));
    let (left, right) = (GAP_X_M - width / 2.0, GAP_X_M + width / 2.0);
    let (west, east) = (middle - HALF_WIDTH_M, middle + HALF_WIDTH_M);
    if left <= west || right >= east {
        let most = 2.0 * (HALF_WIDTH_M - (GAP_X_M - middle));
        return Err(Error::input(format!("a gap of {width} m leaves no boards beside it"))
            .key("width_m")
            .allowed(format!("less than {most} m")));
    }
    let corners = [
        (west, ENDS_M.0),
        (east, ENDS_M.0),
        (east, -BOARD_M),
        (right, -BOARD_M),
        (right, BOARD_M),
        (east, BOARD_M),
        (east, ENDS_M.1),
        (west, ENDS_M.1),
        (west, BOARD_M),
        (left, BOARD_M),
        (left, -BOARD_M),
        (west, -BOARD_M),
    ];
    let floor = Polygon { points: corners.map(|(x, y)| vec2(x, y)).to_vec() };
    let mouth = wall((left, BOARD_M), (right, BOARD_M));
    let exit = Polygon::rectangle(vec2(-EXIT_M.1, ENDS_M.0), vec2(EXIT_M.1, EXIT_M.0));
    let (stages, navigation) = way(set);
    Ok(Built {
        plan: FloorPlan {
            walls: floor.edges().collect(),
            goals: vec![named("mouth", door(mouth, vec2(0.0, -1.0))), named("exit", Goal::Area(exit))],
            lines: vec![
                named("gap", wall((left, 0.0), (right, 0.0))),
                named("exit", wall((-EXIT_M.1, EXIT_M.0), (EXIT_M.1, EXIT_M.0))),
            ],
            areas: vec![
                // The box of the study, in the view of the cameras.
                named("front", Polygon::rectangle(vec2(-0.5, 0.6), vec2(2.3, 2.6))),
                named("hall", Polygon::rectangle(vec2(west, BOARD_M), vec2(east, ENDS_M.1))),
            ],
            walkable: vec![(floor, Vec::new())],
            navigation,
            door_margin_m: set.get("door_margin_m"),
            ..FloorPlan::default()
        },
        groups: vec![Group {
            name: "people".into(),
            count: set.whole("count") as usize,
            spawn: Spawn::Honeycomb {
                middle: vec2(GAP_X_M, BOARD_M + START_GAP_M),
                ahead: vec2(0.0, 1.0),
                spacing_m: set.get("spacing_m"),
                gap_m: BODY_GAP_M,
            },
            stages,
            ..Group::default()
        }],
    })
}
