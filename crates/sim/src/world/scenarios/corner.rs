//! A corridor with a corner to the left.

use super::parts::{count, door, meters, wall};
use super::{Built, MakeScenario};
use crate::world::scenario::{FloorPlan, Group, Polygon, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// The first arm runs from x = 0 along y = 0, the second from its end towards larger y.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "corner",
    doc: "A corridor with a right-angled corner to the left; people start in the first arm and leave at the end of the second.",
    source: "RiMEA guideline 4.1.1 (2025), test 6: 2 m wide, arms of 10 m, 20 people in the first 6 m",
    params: PARAMS,
    // The longest path is 24 m.
    make: MakeScenario { make, limit_s: 90.0, give_up_s: Some(20.0) },
};

static PARAMS: &[Param] = &[
    count(20),
    meters("width_m", "width of the corridor", 2.0, (0.5, 1000.0), (1.2, 5.0)),
    meters("arm_length_m", "length of each arm, without the corner", 10.0, (1.0, 1000.0), (4.0, 20.0)),
    meters("start_length_m", "length of the starting area in the first arm", 6.0, (0.5, 1000.0), (3.0, 10.0)),
];

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (width, arm, start) = (set.get("width_m"), set.get("arm_length_m"), set.get("start_length_m"));
    if start > arm {
        return Err(Error::input(format!("a start {start} m long does not fit into an arm of {arm} m"))
            .key("start_length_m")
            .allowed(format!("at most arm_length_m = {arm} m")));
    }
    let end = arm + width;
    let exit = wall((arm, end), (end, end));
    // From the inner corner to the outer one: people aim at the nearest point and turn as they pass.
    let bend = wall((arm, width), (end, 0.0));
    let outward = vec2(1.0, 1.0) * std::f64::consts::FRAC_1_SQRT_2;
    Ok(Built {
        plan: FloorPlan {
            walls: vec![
                wall((0.0, 0.0), (end, 0.0)),
                wall((end, 0.0), (end, end)),
                wall((arm, end), (arm, width)),
                wall((arm, width), (0.0, width)),
                wall((0.0, width), (0.0, 0.0)),
            ],
            goals: vec![named("bend", door(bend, outward)), named("exit", door(exit, vec2(0.0, 1.0)))],
            lines: vec![
                named("exit", exit),
                named("before_bend", wall((arm, 0.0), (arm, width))),
                named("behind_bend", wall((arm, width), (end, width))),
            ],
            areas: vec![
                named("bend", Polygon::rectangle(vec2(arm, 0.0), vec2(end, width))),
                named("first_arm", Polygon::rectangle(vec2(0.0, 0.0), vec2(arm, width))),
                named("second_arm", Polygon::rectangle(vec2(arm, width), vec2(end, end))),
            ],
            ..FloorPlan::default()
        },
        groups: vec![Group {
            name: "people".into(),
            count: set.whole("count") as usize,
            spawn: Spawn::Random(Polygon::rectangle(vec2(0.0, 0.0), vec2(start, width))),
            stages: vec![vec![0], vec![1]],
            ..Group::default()
        }],
    })
}
