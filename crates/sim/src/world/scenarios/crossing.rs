//! Two or four streams that cross.

use super::parts::{INFLOW, STRIP_M, choice, count, door, inflow, meters, parts, wall};
use super::{Built, MakeScenario};
use crate::world::scenario::{FloorPlan, Group, Polygon, Segment, Spawn, named};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// The scenario's entry.
///
/// The crossing is centered at the origin; its four arms run along the axes.
pub static ENTRY: Entry<MakeScenario> = Entry {
    name: "crossing",
    doc: "Two streams that cross at right angles, or four that meet; people come from the arms and walk straight on.",
    source: "chosen here: arms 8 m long and 4 m wide, like corridors in experiments",
    params: PARAMS,
    // The path is 20 m long; four streams that block each other are given up.
    make: MakeScenario { make, limit_s: 120.0, give_up_s: Some(30.0) },
};

static PARAMS: &[Param] = &[
    count(60),
    choice("ways", "two: one stream walks east and one north; four: one in each direction", "two", &["two", "four"]),
    meters("arm_length_m", "length of each arm", 8.0, (1.0, 1000.0), (4.0, 20.0)),
    meters("width_m", "width of the arms", 4.0, (0.5, 1000.0), (2.0, 10.0)),
    INFLOW,
];

/// Directions in name order, and their number of quarter turns to the left from east.
const WAYS: [(&str, usize); 4] = [("east", 0), ("north", 1), ("south", 3), ("west", 2)];

fn make(set: &Settings<'_>) -> Result<Built, Error> {
    let (arm, h) = (set.get("arm_length_m"), 0.5 * set.get("width_m"));
    let end = h + arm;
    // Rotates to the left by a number of quarter turns.
    let turned = |(x, y): (f64, f64), quarters: usize| (0..quarters).fold((x, y), |(x, y), _| (-y, x));
    let line = |a: (f64, f64), b: (f64, f64), quarters: usize| wall(turned(a, quarters), turned(b, quarters));
    let area = |low: (f64, f64), high: (f64, f64), quarters: usize| {
        let Segment { a, b } = line(low, high, quarters);
        Polygon::rectangle(vec2(a.x.min(b.x), a.y.min(b.y)), vec2(a.x.max(b.x), a.y.max(b.y)))
    };
    let ways: Vec<_> = WAYS.into_iter().filter(|(_, quarters)| set.word("ways") == "four" || *quarters < 2).collect();

    let mut walls = Vec::new();
    let mut plan = FloorPlan::default();
    for (name, quarters) in WAYS {
        walls.extend([line((h, -h), (end, -h), quarters), line((h, h), (end, h), quarters)]);
        plan.lines.push(named(format!("{name}_end"), line((end, -h), (end, h), quarters)));
    }
    plan.walls = walls;
    plan.areas = vec![named("center", Polygon::rectangle(vec2(-h, -h), vec2(h, h)))];
    plan.areas.extend(WAYS.map(|(name, quarters)| named(format!("{name}_arm"), area((h, -h), (end, h), quarters))));

    let mut groups = Vec::new();
    let depth = if set.get("inflow_per_s") > 0.0 { STRIP_M.min(arm) } else { arm };
    let counts = parts(set.whole("count") as usize, ways.len());
    for ((name, quarters), count) in ways.iter().copied().zip(counts) {
        let outward = turned((1.0, 0.0), quarters);
        let outward = vec2(outward.0, outward.1);
        // People who are pushed aside aim at the arm first, not through the corner.
        let first = plan.goals.len();
        plan.goals.push(named(format!("{name}_arm"), door(line((h, -h), (h, h), quarters), outward)));
        plan.goals.push(named(format!("{name}_end"), door(line((end, -h), (end, h), quarters), outward)));
        groups.push(Group {
            name: name.into(),
            count,
            spawn: Spawn::Random(area((-end, -h), (depth - end, h), quarters)),
            inflow_per_s: inflow(set, 1.0 / ways.len() as f64),
            stages: vec![vec![first], vec![first + 1]],
            ..Group::default()
        });
    }
    Ok(Built { plan, groups })
}
