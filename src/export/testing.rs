//! A preset and a place for the tests of the exporters.

use super::Placed;
use crate::evolve::codec;
use crate::preset::{Preset, Provenance, Quantity};
use crowdtune_core::registry::{Entry, Settings, defaults, find};
use crowdtune_sim::crowd::people::{TRAITS, Traits, published};
use crowdtune_sim::models::{MODELS, MakeModel};
use crowdtune_sim::world::FieldCache;
use crowdtune_sim::world::SCENARIOS;
use crowdtune_sim::world::World;
use crowdtune_sim::world::scenario::Scenario;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

/// The published constants of `social_force` but a repulsion of 1500 N, with people who are drawn.
pub fn preset() -> Preset {
    let mut preset = preset_of(model());
    let strength = preset.parameters.get_mut("repulsion_strength_n").unwrap();
    strength.value = json!(1500.0);
    preset
}

/// The published constants of a model, with people who are drawn.
pub fn preset_of(model: &Entry<MakeModel>) -> Preset {
    let quantity = |unit: &str, value: Value| Quantity { value, unit: unit.into(), interval: None };
    let parameters: BTreeMap<String, Quantity> = model
        .params
        .iter()
        .map(|p| {
            let value = codec::json(&codec::value(p, p.default_value())).unwrap();
            (p.key.to_string(), quantity(p.unit, value))
        })
        .collect();
    let mut people: BTreeMap<String, Quantity> = TRAITS
        .iter()
        .filter(|p| p.default_value().is_finite())
        .map(|p| (p.key.to_string(), quantity(p.unit, json!(p.default_value()))))
        .collect();
    people.insert("radius_m".into(), quantity("m", json!({ "uniform": [0.2, 0.3] })));
    people.insert("desired_speed_m_per_s".into(), quantity("m/s", json!({ "normal": [1.3, 0.2], "clip": [0.6, 2.0] })));
    Preset {
        format: 1,
        crowdtune: "0.1.0".into(),
        name: "test".into(),
        description: "A preset for tests".into(),
        tags: Vec::new(),
        model: model.name.into(),
        parameters,
        models: BTreeMap::new(),
        people,
        groups: BTreeMap::new(),
        left_out: Vec::new(),
        time_step_s: model.make.time_step_s,
        integrator: String::new(),
        conventions: BTreeMap::new(),
        targets: Vec::new(),
        provenance: Provenance::default(),
    }
}

/// The model of [`preset`].
pub fn model() -> &'static Entry<MakeModel> {
    find(MODELS, "social_force").unwrap()
}

/// A registered scenario with some of its params set.
pub fn scenario(kind: &str, set: &[(&str, f64)]) -> Scenario {
    let entry = find(SCENARIOS, kind).unwrap();
    let mut values = defaults(entry.params);
    for (key, value) in set {
        values[entry.params.iter().position(|p| p.key == *key).unwrap()] = *value;
    }
    let built = (entry.make.make)(&Settings::new(entry.params, &values)).unwrap();
    let world = Arc::new(World::new(built.plan, &mut FieldCache::default()).unwrap());
    Scenario { name: kind.into(), world, groups: built.groups, limit_s: 60.0, give_up_s: None, tracks: None }
}

/// A scenario with published people and constants, `set` changing some constants.
pub fn placed<'a>(name: &'a str, scenario: &'a Scenario, set: &[(&str, f64)]) -> Placed<'a> {
    placed_of(model(), name, scenario, set)
}

/// The same with the constants of another model.
pub fn placed_of<'a>(
    model: &Entry<MakeModel>,
    name: &'a str,
    scenario: &'a Scenario,
    set: &[(&str, f64)],
) -> Placed<'a> {
    let params = model.params;
    let mut constants = defaults(params);
    for (key, value) in set {
        constants[params.iter().position(|p| p.key == *key).unwrap()] = *value;
    }
    let n = scenario.groups.len();
    let traits: Vec<Traits> = vec![published(); n];
    Placed { name, scenario, traits, constants: vec![constants; n] }
}

/// Folder in which exported cargo projects may be built: `CROWDTUNE_PROJECTS`. Without it it is said which test is skipped, as cargo would
/// have to fetch the crates.
pub fn cargo() -> Option<PathBuf> {
    let folder = std::env::var_os("CROWDTUNE_PROJECTS").map(PathBuf::from);
    if folder.is_none() {
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        eprintln!("skipped: {test}: CROWDTUNE_PROJECTS names no folder for builds; .ci/exports does");
    }
    folder
}

/// A Python that can import this module: `CROWDTUNE_PYTHON`, or `python3`. Without one it is said which test is skipped.
pub fn python(module: &str) -> Option<String> {
    let python = std::env::var("CROWDTUNE_PYTHON").unwrap_or_else(|_| "python3".into());
    // Some write a log where they are imported.
    let mut import = Command::new(&python);
    let import = import.args(["-c", &format!("import {module}")]).current_dir(std::env::temp_dir()).output();
    let found = import.is_ok_and(|o| o.status.success());
    if !found {
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        eprintln!("skipped: {test}: {python} cannot import {module}; .ci/exports installs it");
    }
    found.then_some(python)
}
