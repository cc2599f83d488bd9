use super::super::super::testing;
use super::*;
use crate::export::EXPORTERS;
use crowdtune_core::registry::find;
use crowdtune_sim::models::MODELS;
use crowdtune_sim::world::scenario::Scenario;
use std::path::Path;
use std::process::Command;

fn orca() -> &'static Entry<MakeModel> {
    find(MODELS, "orca").unwrap()
}

fn exported(tool: &str, scenario: &Scenario, set: &[(&str, f64)], force: bool) -> Result<Export, Error> {
    let preset = testing::preset_of(orca());
    let places = vec![testing::placed_of(orca(), "place", scenario, set)];
    exported_with(tool, &ExportInput { places, ..input(&preset, force) })
}

fn input(preset: &crate::preset::Preset, force: bool) -> ExportInput<'_> {
    ExportInput { models: vec![orca()], preset, places: Vec::new(), history: None, runs: Vec::new(), force, seed: 3 }
}

fn exported_with(tool: &str, input: &ExportInput<'_>) -> Result<Export, Error> {
    (find(EXPORTERS, tool).unwrap().make.export)(input)
}

fn file<'a>(made: &'a Export, name: &str) -> &'a str {
    std::str::from_utf8(&made.files.iter().find(|(path, _)| path == name).unwrap().1).unwrap()
}

#[test]
fn a_project_has_the_place_and_the_constants_as_rust() {
    let room = testing::scenario("room", &[("count", 4.0), ("door_width_m", 1.0)]);
    let made = exported("dodgy_2d", &room, &[("margin_m", 0.05), ("max_neighbors", 7.0)], false).unwrap();
    let place = file(&made, "src/places/place.rs");
    assert!(
        place.contains("max_neighbors: 7, margin_m: 0.05, push_m_per_s: 0.0001, shares: &[0.5], stages: &[&[0]]"),
        "{place}"
    );
    // The room is 15 m wide and deep, with its door in the middle of the right wall.
    assert!(place.contains("Goal::Door([[15.0, 7.0], [15.0, 8.0]], [1.0, 0.0]),"), "{place}");
    assert_eq!(place.matches("Person {").count(), 4);
    assert_eq!(file(&made, "src/places/all.rs"), "[include!(\"place.rs\")]\n");
    assert!(file(&made, "Cargo.toml").contains("dodgy_2d = \"=0.5.5\""));
    assert!(file(&made, "place_crowdtune.txt").starts_with("# framerate: 10 fps\n"));
}

#[test]
fn shares_are_those_of_the_pair() {
    let two = testing::scenario("crossing", &[("count", 4.0)]);
    let preset = testing::preset_of(orca());
    let mut placed = testing::placed_of(orca(), "place", &two, &[]);
    let at = orca().params.iter().position(|param| param.key == "responsibility").unwrap();
    (placed.constants[0][at], placed.constants[1][at]) = (0.2, 0.6);
    let shared = ExportInput { places: vec![placed], ..input(&preset, false) };
    let made = exported_with("dodgy_2d", &shared).unwrap();
    let place = file(&made, "src/places/place.rs");
    // 0.2 of 0.8, and what is left of 1.
    assert!(place.contains("shares: &[0.5, 0.25]"), "{place}");
    assert!(place.contains("0.7499999999999999, 0.5]") || place.contains("0.75, 0.5]"), "{place}");
    let error = exported_with("landmass", &shared).unwrap_err().to_string();
    assert!(error.contains("groups share the avoidance as 0.2 to 0.6") && error.contains("--force"), "{error}");
    let forced = exported_with("landmass", &ExportInput { force: true, ..shared }).unwrap();
    assert!(file(&forced, "README.md").contains("* Left out: groups share the avoidance as 0.2 to 0.6"));
}

#[test]
fn what_the_crates_cannot_say_is_refused() {
    let ring = testing::scenario("corridor", &[]);
    let error = exported("dodgy_2d", &ring, &[], true).unwrap_err().to_string();
    assert!(error.contains("a place is closed to a ring"), "{error}");
    let preset = testing::preset();
    let social = ExportInput { models: vec![testing::model()], ..input(&preset, true) };
    let error = exported_with("landmass", &social).unwrap_err().to_string();
    assert!(error.contains("landmass has no model like `social_force`"), "{error}");
}

/// Builds the project of a scenario and runs it beside crowdtune's run; gives people who left, and the largest distances in 100 and in
/// 300 steps.
fn in_cargo(target: &Path, tool: &str, scenario: &Scenario, set: &[(&str, f64)]) -> (u32, [f64; 2]) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in exported(tool, scenario, set, false).unwrap().files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let args = ["run", "--release", "--", "place", "--compare", "place_crowdtune.txt"];
    let mut cargo = Command::new(env!("CARGO"));
    let out = cargo.args(args).env("CARGO_TARGET_DIR", target.join(tool)).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "{said}\n{}", String::from_utf8_lossy(&out.stderr));
    let number = |text: &str| text.split(' ').next().unwrap().parse().unwrap();
    let after = |steps: u32| number(said.split(&format!("in {steps} steps: ")).nth(1).unwrap());
    (said.split(' ').next().unwrap().parse().unwrap(), [after(100), after(300)])
}

/// The bar of the project for ports, m. Positions are written to a tenth of that.
const PORT_M: f64 = 1e-3;

#[test]
fn dodgy_2d_moves_people_as_crowdtune_does() {
    let Some(target) = testing::cargo() else { return };
    // Two streams of 50 people in all meet; ends = open is the second choice.
    let streams = [("count", 50.0), ("width_m", 20.0), ("length_m", 40.0), ("ends", 1.0)];
    let streams = testing::scenario("corridor", &streams);
    for set in [&[][..], &[("margin_m", 0.1), ("time_horizon_s", 4.0), ("max_neighbors", 5.0)]] {
        let (left, [_, apart]) = in_cargo(&target, "dodgy_2d", &streams, set);
        assert_eq!(left, 50);
        assert!(apart < PORT_M, "{apart} m with {set:?}");
    }
}

#[test]
fn landmass_moves_people_as_crowdtune_does_until_they_meet() {
    let Some(target) = testing::cargo() else { return };
    // Everybody walks straight from a circle of 30 m: the first meet after more than 10 s.
    let circle = testing::scenario("circle", &[("count", 50.0), ("circle_m", 30.0)]);
    let (_, [apart, _]) = in_cargo(&target, "landmass", &circle, &[]);
    assert!(apart < PORT_M, "{apart} m");
    // Its own ways on the mesh lead through the door.
    let (left, _) = in_cargo(&target, "landmass", &testing::scenario("room", &[("count", 8.0)]), &[]);
    assert_eq!(left, 8);
}
