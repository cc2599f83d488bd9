//! The runtime in Rust against the simulator; it also writes the cases that the other runtimes are held to (`CROWDTUNE_REWRITE=1`).

use super::cases::{self, AFTER, Case, Positions};
use crate::export::Export;
use crowdtune_core::Error;
use serde_json::{Value, json};
use std::path::Path;

#[path = "../../../runtimes/rust/mod.rs"]
#[allow(
    missing_docs,
    clippy::all,
    clippy::pedantic,
    reason = "compiled as users get it, without the lints of this house"
)]
mod runtime;

fn walked(case: &Case) -> Vec<Positions> {
    let mut crowd = runtime::load(&case.preset, &case.place).unwrap();
    let mut after = Vec::new();
    for step in 1..=AFTER[AFTER.len() - 1] {
        crowd.step();
        if AFTER.contains(&step) {
            after.push(crowd.people.iter().map(|person| (person.id, [person.pos.x, person.pos.y])).collect());
        }
    }
    after
}

fn farthest(one: &Positions, other: &Positions) -> f64 {
    let mut most = 0.0_f64;
    for (id, p) in one {
        most =
            other.iter().find(|o| o.0 == *id).map_or(f64::INFINITY, |o| (p[0] - o.1[0]).hypot(p[1] - o.1[1])).max(most);
    }
    most
}

/// `runtimes/cases/NAME.json`.
fn file(case: &Case, after: &[Positions]) -> Value {
    let after = AFTER.iter().zip(after).map(|(step, positions)| {
        let rows: Vec<Value> = positions.iter().map(|(id, p)| json!([id, p[0], p[1]])).collect();
        json!({ "steps": step, "people": rows })
    });
    let preset = json!({ "values": case.preset["values"] });
    let mut place = case.place.clone();
    place["crowdtune"] = Value::Null;
    json!({ "name": case.name, "preset": preset, "place": place, "after": after.collect::<Vec<_>>() })
}

#[test]
fn the_runtime_walks_as_the_simulator_does_and_the_cases_hold_its_steps() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtimes/cases");
    for case in cases::all() {
        let ours = walked(&case);
        for ((step, ours), simulated) in AFTER.iter().zip(&ours).zip(&case.simulated) {
            let apart = farthest(ours, simulated);
            // The simulator sums in single precision; a millimeter is what engines are promised.
            assert!(
                apart < 1e-3 && ours.len() > 5,
                "{} after {step} steps: {apart} m, {} people",
                case.name,
                ours.len()
            );
        }
        let (path, wanted) = (folder.join(format!("{}.json", case.name)), file(&case, &ours));
        if std::env::var_os("CROWDTUNE_REWRITE").is_some() {
            std::fs::write(&path, format!("{wanted}\n")).unwrap();
        }
        let mut kept: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for (one, other) in kept["after"].as_array().unwrap().iter().zip(wanted["after"].as_array().unwrap()) {
            let (one, other) = (positions(one), positions(other));
            // The exponential of another system may differ in its last digit.
            assert!(
                one.len() == other.len() && farthest(&one, &other) < 1e-9,
                "{} moved: CROWDTUNE_REWRITE=1 writes it",
                case.name
            );
        }
        kept["after"] = wanted["after"].clone();
        assert_eq!(kept, wanted, "{} moved: CROWDTUNE_REWRITE=1 writes it", case.name);
    }
}

fn positions(after: &Value) -> Positions {
    let rows = after["people"].as_array().unwrap();
    rows.iter()
        .map(|row| (row[0].as_u64().unwrap() as usize, [row[1].as_f64().unwrap(), row[2].as_f64().unwrap()]))
        .collect()
}

/// A room with four people and these constants, for Rust.
fn exported(constants: &[(&str, f64)], force: bool) -> Result<Export, Error> {
    let (preset, room) = (super::super::testing::preset(), super::super::testing::scenario("room", &[("count", 4.0)]));
    let places = vec![super::super::testing::placed("room", &room, constants)];
    let (models, runs) = (vec![super::super::testing::model()], Vec::new());
    let input = super::ExportInput { models, preset: &preset, places, runs, history: None, force, seed: 1 };
    (super::rust::ENTRY.make.export)(&input)
}

fn text<'a>(made: &'a Export, name: &str) -> &'a str {
    std::str::from_utf8(&made.files.iter().find(|(path, _)| path == name).unwrap().1).unwrap()
}

#[test]
fn what_the_runtime_lacks_is_refused_or_listed() {
    let hurried = [("impatience", 1.0)];
    let error = exported(&hurried, false).err().unwrap().to_string();
    assert!(error.contains("people who are held up hurry") && error.contains("--force"), "{error}");
    let forced = exported(&hurried, true).unwrap();
    assert_eq!(forced.warnings, ["Left out: people who are held up hurry (`impatience`); they keep their speed."]);
    // The run to compare with has no hurry either.
    let run = "place_crowdtune.txt";
    assert_eq!(text(&forced, run), text(&exported(&[], false).unwrap(), run));
}

#[test]
fn crowdtunes_own_run_is_of_the_exported_people() {
    let made = exported(&[], false).unwrap();
    let json = |name: &str| serde_json::from_str::<Value>(text(&made, name)).unwrap();
    let mut crowd = runtime::load(&json("preset.json"), &json("place.json")).unwrap();
    let mut frames: Vec<Positions> = Vec::new();
    for line in text(&made, "place_crowdtune.txt").lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<f64> = line.split_whitespace().map(|cell| cell.parse().unwrap()).collect();
        frames.resize(frames.len().max(cells[1] as usize + 1), Vec::new());
        frames[cells[1] as usize].push((cells[0] as usize, [cells[2], cells[3]]));
    }
    for frame in &frames[..=100] {
        let ours = crowd.people.iter().map(|person| (person.id, [person.pos.x, person.pos.y])).collect();
        // A millimeter, as for the cases.
        assert!(frame.len() == 4 && farthest(frame, &ours) < 1e-3);
        crowd.step();
    }
}

/// What stands in the README of each is there, and every source of a runtime goes out.
#[test]
fn every_engine_gets_its_preset_place_sources_and_readme() {
    let (preset, room) = (super::super::testing::preset(), super::super::testing::scenario("room", &[("count", 4.0)]));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtimes");
    for (entry, language, sources) in [
        (&super::rust::ENTRY, "rust", "src/crowdtune"),
        (&super::js::ENTRY, "js/crowdtune", "crowdtune"),
        (&super::unity::ENTRY, "csharp/Crowdtune", "Crowdtune"),
        (&super::unreal::ENTRY, "cpp/crowdtune", "crowdtune"),
        (&super::godot::ENTRY, "gdscript/crowdtune", "godot4/crowdtune"),
        (&super::godot::ENTRY, "gdscript/crowdtune", "godot3/crowdtune"),
    ] {
        let places = vec![super::super::testing::placed("room", &room, &[])];
        let (models, runs) = (vec![super::super::testing::model()], Vec::new());
        let input = super::ExportInput { models, preset: &preset, places, runs, history: None, force: false, seed: 1 };
        let made = (entry.make.export)(&input).unwrap().files;
        let has = |path: &str| made.iter().any(|(name, _)| name == path);
        let folder = sources.split_once('/').map_or("", |(folder, _)| if folder == "src" { "" } else { folder });
        for file in ["preset.json", "place.json"] {
            let path = if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") };
            assert!(has(&path), "{}: no {path}", entry.name);
        }
        for file in std::fs::read_dir(root.join(language)).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            let own = ["main.rs", "README.md", "Cargo.toml.txt"];
            assert!(own.contains(&&*name) || has(&format!("{sources}/{name}")), "{}: no {name}", entry.name);
        }
        let readme = made.iter().find(|(name, _)| name == "README.md").unwrap();
        let readme = String::from_utf8(readme.1.clone()).unwrap();
        assert!(readme.contains(&preset.name) && !readme.contains("PRESET"), "{}", entry.name);
    }
}
