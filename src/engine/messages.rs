//! The lines that go between crowdtune and an engine; docs/engines.md shows them.

use crate::evolve::engine::{Ask, seed_of};
use crate::evolve::experiment::{Case, Experiment};
use crate::wkt::{areas, lines, point, ring};
use crowdtune_core::registry::Written;
use crowdtune_sim::crowd::Crowd;
use crowdtune_sim::world::scenario::{Goal, Pull, Scenario};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The version of these messages.
pub const PROTOCOL: u32 = 1;

/// What an engine answers to hello.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Welcome {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// Its name.
    pub engine: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
    /// All constants that it knows, if it says so.
    #[serde(default)]
    pub parameters: Option<Vec<String>>,
    /// Words of [`FEATURES`](crate::evolve::features::FEATURES): what it cannot do.
    #[serde(default)]
    pub cannot: Vec<String>,
    /// Why it cannot take the experiment, where `cannot` has no word for that.
    #[serde(default)]
    pub refuses: Option<String>,
    /// True if requests shall list the people at the start.
    #[serde(default)]
    pub people: bool,
}

/// What an engine answers to a request.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// That of the request.
    pub id: u64,
    /// Numbers by name; null: the run has none.
    #[serde(default)]
    pub values: Map<String, Value>,
    /// A file in the folder of the worker.
    #[serde(default)]
    pub trajectory: Option<String>,
    /// When the run ended, s.
    #[serde(default)]
    pub end_s: Option<f64>,
    /// Why the run cannot be trusted.
    #[serde(default)]
    pub failed: Option<String>,
    /// How much work it was.
    #[serde(default)]
    pub work: u64,
}

/// What hello says to every worker: in which places, with which constants.
pub fn opening(experiment: &Experiment) -> Map<String, Value> {
    let parameters: Vec<Value> =
        experiment.model.params.iter().map(|param| json!({ "name": param.key, "unit": param.unit })).collect();
    let scenarios: Vec<Value> = experiment.cases.iter().map(scenario).collect();
    let said = json!({
        "protocol": PROTOCOL,
        "crowdtune": env!("CARGO_PKG_VERSION"),
        "scenarios": scenarios,
        "parameters": parameters,
    });
    let Value::Object(said) = said else { unreachable!("it is written as one") };
    said
}

/// The first line for a worker of this number.
pub fn hello(opening: &Map<String, Value>, worker: usize, folder: &Path) -> String {
    let mut said = opening.clone();
    said.insert("worker".into(), worker.into());
    said.insert("folder".into(), folder.display().to_string().into());
    json!({ "hello": said }).to_string()
}

/// A request for one run.
pub fn request(id: u64, ask: &Ask<'_>, people: bool) -> String {
    let parameters: Map<String, Value> =
        ask.parameters.iter().map(|(name, value)| ((*name).to_owned(), written(*value))).collect();
    let mut line = json!({
        "id": id,
        "scenario": ask.case,
        "seed": seed_of(ask.seed),
        "parameters": parameters,
        "trajectory": ask.trajectory,
    });
    if people && let Some(line) = line.as_object_mut() {
        line.insert("people".into(), self::people(ask.people, ask.scenario));
    }
    line.to_string()
}

fn written(value: Written) -> Value {
    match value {
        Written::Real(x) => x.into(),
        Written::Whole(n) => n.into(),
        Written::Word(word) => word.into(),
        Written::Switch(on) => on.into(),
    }
}

fn people(crowd: &Crowd, scenario: &Scenario) -> Value {
    let person = |row: usize| {
        json!({
            "id": crowd.id[row],
            "group": scenario.groups[usize::from(crowd.group[row])].name,
            "x": crowd.pos[row].x,
            "y": crowd.pos[row].y,
            "radius_m": crowd.radius[row],
            "desired_speed_m_per_s": crowd.desired_speed[row],
            "mass_kg": crowd.mass[row],
            "start_s": crowd.start_s[row],
        })
    };
    (0..crowd.len()).map(person).collect()
}

/// A place and the groups in it.
fn scenario(case: &Case) -> Value {
    let scenario = &case.scenario;
    let plan = &scenario.world.plan;
    let goals: Vec<Value> = scenario.world.goals().iter().map(|goal| self::goal(&goal.name, &goal.what)).collect();
    let names: Vec<&str> = scenario.world.goals().iter().map(|goal| goal.name.as_str()).collect();
    let groups = scenario.groups.iter().map(|group| {
        let stages: Vec<Vec<&str>> =
            scenario.world.journey(group).iter().map(|stage| stage.iter().map(|&goal| names[goal]).collect()).collect();
        let heading = if let Pull::Heading(way) = group.pull { Some([way.x, way.y]) } else { None };
        json!({
            "name": group.name,
            "count": group.count,
            "stages": stages,
            "heading": heading,
            "inflow_per_s": group.inflow_per_s,
            "rounds": group.rounds,
        })
    });
    json!({
        "name": case.name,
        "table": case.table,
        "limit_s": scenario.limit_s,
        "walls": lines(&plan.walls),
        "walkable": (!plan.walkable.is_empty()).then(|| areas(&plan.walkable)),
        "periodic": { "x": plan.periodic.x, "y": plan.periodic.y },
        "goals": goals,
        "groups": groups.collect::<Vec<_>>(),
        "settings": case.settings,
    })
}

fn goal(name: &str, goal: &Goal) -> Value {
    match goal {
        Goal::Door { line, outward } => json!({
            "name": name,
            "kind": "door",
            "wkt": format!("LINESTRING ({}, {})", point(line.a), point(line.b)),
            "outward": [outward.x, outward.y],
        }),
        Goal::Area(polygon) => {
            json!({ "name": name, "kind": "area", "wkt": format!("POLYGON ({})", ring(polygon)) })
        }
        Goal::Point { at, radius } => {
            json!({ "name": name, "kind": "point", "wkt": format!("POINT ({})", point(*at)), "radius_m": radius })
        }
    }
}
