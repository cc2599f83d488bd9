//! `place.json`: the place and its people, as the runtimes read them.

use crate::evolve::codec;
use crate::export::{ExportInput, Placed, origin};
use crowdtune_core::math::Vec2;
use crowdtune_sim::crowd::{Crowd, Start};
use crowdtune_sim::world::scenario::{Goal, Group, Pull};
use serde_json::{Map, Value, json};

/// Walls, goals, groups with the constants in which they differ from the preset, and everybody.
pub fn place(input: &ExportInput<'_>, placed: &Placed<'_>, start: &Start) -> Value {
    let world = &placed.scenario.world;
    let walls: Vec<Value> = world.obstacles().pieces().map(|wall| json!([point(wall.a), point(wall.b)])).collect();
    let goals = world.goals().iter().map(|goal| match &goal.what {
        Goal::Door { line, outward } => {
            json!({ "name": goal.name, "door": [point(line.a), point(line.b)], "out": point(*outward) })
        }
        Goal::Area(polygon) => {
            json!({ "name": goal.name, "area": polygon.points.iter().copied().map(point).collect::<Vec<_>>() })
        }
        Goal::Point { at, radius } => json!({ "name": goal.name, "point": point(*at), "radius_m": radius }),
    });
    let groups = placed.scenario.groups.iter().zip(&placed.constants);
    let groups = groups.map(|(one, constants)| group(input, placed, one, constants));
    let rings = world.plan.periodic;
    json!({
        "format": 1,
        "crowdtune": origin::json(input),
        "name": placed.name,
        "model": input.models[0].name,
        "time_step_s": input.preset.time_step_s,
        "rings": { "x": rings.x.map(ends), "y": rings.y.map(ends) },
        "goals": goals.collect::<Vec<_>>(),
        "walls": walls,
        "groups": groups.collect::<Vec<_>>(),
        "people": people(start.crowd()),
    })
}

fn group(input: &ExportInput<'_>, placed: &Placed<'_>, group: &Group, constants: &[f64]) -> Value {
    let mut own = Map::new();
    for (param, &value) in input.models[0].params.iter().zip(constants) {
        let value = codec::json(&codec::value(param, value)).unwrap_or_default();
        let shared = input.preset.parameters.get(param.key).map(|quantity| &quantity.value);
        if shared != Some(&value) {
            own.insert(param.key.into(), value);
        }
    }
    let mut out = json!({
        "name": group.name,
        "constants": own,
        "stages": placed.scenario.world.journey(group),
        "own_goals": group.own_goals,
        "rounds": group.rounds,
    });
    match group.pull {
        Pull::Heading(way) => out["heading"] = point(way),
        Pull::Point { at, radius_m } => out["stay"] = json!({ "at": point(at), "radius_m": radius_m }),
        Pull::Nothing | Pull::Group(_) | Pull::Track => {}
    }
    out
}

fn people(crowd: &Crowd) -> Vec<Value> {
    let mut ranks = Vec::new();
    let row = |row: usize| {
        let group = usize::from(crowd.group[row]);
        ranks.resize(ranks.len().max(group + 1), 0);
        ranks[group] += 1;
        json!({
            "group": group,
            "rank": ranks[group] - 1,
            "x": crowd.pos[row].x,
            "y": crowd.pos[row].y,
            "vx": crowd.vel[row].x,
            "vy": crowd.vel[row].y,
            "radius_m": crowd.radius[row],
            "mass_kg": crowd.mass[row],
            "desired_speed_m_per_s": crowd.desired_speed[row],
            // Infinite, for none, is not a number in JSON.
            "max_speed_m_per_s": crowd.max_speed[row],
            "start_time_s": crowd.start_s[row],
        })
    };
    (0..crowd.len()).map(row).collect()
}

fn ends((low, high): (f64, f64)) -> Value {
    json!([low, high])
}

fn point(p: Vec2) -> Value {
    json!([p.x, p.y])
}
