//! The place of a crowd.

use super::super::floor::{Floor, behind};
use crate::preset::Placed;
use crate::wkt;
use crowdtune_core::math::Vec2;
use crowdtune_sim::crowd::Trajectory;
use crowdtune_sim::world::scenario::{Goal, Polygon, Scenario};
use serde_json::{Value, json};

/// What people can walk on, as WKT; `None` where only walls bound the place.
pub fn walkable(scenario: &Scenario) -> Option<String> {
    let plan = &scenario.world.plan;
    (!plan.walkable.is_empty()).then(|| wkt::areas(&plan.walkable))
}

/// What people can walk on: what the place says, or what walls and doors enclose, with the ground behind each door, because tracks
/// end there.
pub fn area(track: &Trajectory, scenario: &Scenario) -> Option<String> {
    walkable(scenario).or_else(|| {
        let mut starts: Vec<Option<Vec2>> = Vec::new();
        for frame in &track.frames {
            for (&id, &p) in frame.id.iter().zip(&frame.pos) {
                starts.resize(starts.len().max(id as usize + 1), None);
                starts[id as usize].get_or_insert(p);
            }
        }
        let starts: Vec<Vec2> = starts.into_iter().flatten().collect();
        let largest = track.radius.iter().copied().fold(0.0, f64::max);
        let mut floor = Floor::new(scenario, &starts).ok()?;
        for goal in scenario.world.goals() {
            if let Goal::Door { line, outward } = &goal.what {
                floor.add(&behind(*line, *outward, largest, 0.0).0).ok()?;
            }
        }
        Some(floor.wkt().trim_end().to_owned())
    })
}

/// What people can walk on, or the walls.
pub fn wkt(scenario: &Scenario) -> String {
    walkable(scenario).unwrap_or_else(|| wkt::lines(&scenario.world.plan.walls)) + "\n"
}

/// Walls, walkable areas and goals, each with its kind. Coordinates are meters of the place, not degrees.
pub fn geojson(placed: &Placed<'_>, origin: &Value) -> String {
    let plan = &placed.scenario.world.plan;
    let feature = |kind: &str, name: &str, geometry: &str, coordinates: Value| {
        json!({
            "type": "Feature",
            "properties": { "kind": kind, "name": name },
            "geometry": { "type": geometry, "coordinates": coordinates },
        })
    };
    let areas = plan.walkable.iter().map(|(shell, holes)| {
        let rings: Vec<Value> = [shell].into_iter().chain(holes).map(ring).collect();
        feature("walkable", "", "Polygon", rings.into())
    });
    let walls = plan.walls.iter().map(|wall| feature("wall", "", "LineString", json!([at(wall.a), at(wall.b)])));
    let goals = plan.goals.iter().map(|goal| match &goal.what {
        Goal::Door { line, .. } => feature("door", &goal.name, "LineString", json!([at(line.a), at(line.b)])),
        Goal::Area(polygon) => feature("area", &goal.name, "Polygon", json!([ring(polygon)])),
        Goal::Point { at: p, .. } => feature("point", &goal.name, "Point", at(*p)),
    });
    let all: Vec<Value> = areas.chain(walls).chain(goals).collect();
    let document = json!({
        "type": "FeatureCollection",
        "description": format!("{}: coordinates are meters of the place, not degrees", placed.name),
        "crowdtune": origin,
        "features": all,
    });
    format!("{document:#}\n")
}

fn ring(polygon: &Polygon) -> Value {
    polygon.points.iter().chain(polygon.points.first()).map(|&p| at(p)).collect()
}

fn at(p: Vec2) -> Value {
    json!([p.x, p.y])
}
