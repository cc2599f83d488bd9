//! `export --fit`: a tool of which the law is known, and what the command refuses.

use crowdtune_testing::program::Place;
use serde_json::Value;
use std::fs;

const TOOL: &str = include_str!("fit.py");

/// People who stand 1.5 m apart and stay there: nothing pushes them.
const RUN: &str = r#"
model = "social_force"
parameters.relaxation_time_s = { range = [0.4, 0.6] }
parameters.repulsion_strength_n = 0.0
people.radius_m = 0.2
people.desired_speed_m_per_s = 0.0001
[scenario.field]
walkable = "POLYGON ((-2 -2, 5 -2, 5 60, -2 60, -2 -2))"
limit_s = 2.0
replicas = 1
group.all = { count = 3, from = { points = [[0, 0], [1.5, 0], [3, 0]] }, to = { point = [0, 50], radius_m = 1.0 } }
[target.apart]
metric = "nearest_neighbor_m"
equals = 1.5
tolerance = 0.1
[target.push]
metric = "body_pressure_p95_n_per_m"
at_most = 100.0
[measure.inside]
metric = "people_left"
[search]
evaluations = 2
finalists = 1
profile_share = 0
"#;

#[cfg(unix)]
fn place() -> Option<Place> {
    use std::os::unix::fs::PermissionsExt as _;
    if !std::process::Command::new("python3").arg("--version").output().is_ok_and(|ran| ran.status.success()) {
        eprintln!("skipped: this machine has no python3");
        return None;
    }
    let place = Place::new(env!("CARGO_BIN_EXE_crowdtune")).with("tool.py", TOOL).with("e.toml", RUN);
    fs::set_permissions(place.path("tool.py"), fs::Permissions::from_mode(0o755)).unwrap();
    place.run(0, "evolve e.toml --quiet --out run");
    Some(place)
}

#[cfg(not(unix))]
fn place() -> Option<Place> {
    eprintln!("skipped: the tool is a script with a first line that names its program");
    None
}

#[test]
fn a_fit_finds_the_parameter_of_a_known_law() {
    let Some(place) = place() else { return };
    let command = "export run --to yuka --fit --quiet --evaluations 200 --engine-command ./tool.py";
    let ran = place.run(0, command);
    assert!(
        ran.err.contains("note: Target `push`: `body_pressure_p95_n_per_m` cannot be measured on tracks"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("nearer to the preset than with its defaults in 1 of 1"), "{}", ran.out);
    let best: Value = serde_json::from_str(&place.text("run/export/yuka/best.json")).unwrap();
    let weight = best["parameters"]["separation_weight"]["value"].as_f64().unwrap();
    assert!((weight - 1.5).abs() < 0.02, "{weight}");
    // The same in yuka's own words, and the search as a file that runs.
    let own: Value = serde_json::from_str(&place.text("run/export/yuka/yuka.json")).unwrap();
    assert_eq!(own["SeparationBehavior"]["weight"].as_f64(), Some(weight));
    assert!(place.text("run/export/yuka/README.md").contains("npm ci --prefix ."));
    // Each file says which run it comes from.
    assert!(place.text("run/export/yuka/experiment.toml").starts_with("# Preset `e`, model `social_force`"));
    assert!(own["origin"][1].as_str().unwrap().starts_with("Experiment "), "{own}");
    let table = place.text("run/export/yuka/residuals.csv");
    // The default of 1 m is half a meter too near, and nobody moves.
    let cells: Vec<&str> = table.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((cells[0], cells[2]), ("\"apart\"", "\"field\""));
    let defaults_off: f64 = cells[13].parse().unwrap();
    assert!((defaults_off + 0.5).abs() < 0.001, "{table}");
    // The same command again has nothing left to do, and another budget goes on.
    let log = place.text("run/export/yuka/fit/trials.jsonl");
    place.run(0, command);
    assert_eq!(place.text("run/export/yuka/fit/trials.jsonl"), log);
    place.run(0, "evolve run/export/yuka/experiment.toml --quiet --out again");
    assert_eq!(place.text("again/trials.jsonl"), log);
    // Another preset leaves what is there.
    let before = place.text("run/export/yuka/experiment.toml");
    place.write("e.toml", RUN.replace("[3, 0]", "[3.1, 0]"));
    place.run(0, "evolve e.toml --quiet --out other");
    place
        .run(2, "export other --to yuka --fit --out run/export/yuka --engine-command ./tool.py")
        .says(&["the folder holds another fit", "remove run/export/yuka, or choose another folder with --out"]);
    assert_eq!(place.text("run/export/yuka/experiment.toml"), before);
}

#[test]
fn a_wrong_use_says_what_to_do() {
    let Some(place) = place() else { return };
    place.run(2, "export run --to yuka").says(&["no parameter of yuka equals one of crowdtune's", "add --fit"]);
    place.run(2, "export run --to json --fit").says(&["there is nothing to fit", "detour, godot", "leave --fit out"]);
    for end in ["", " --fit"] {
        place.run(2, &format!("export run --to mesa{end}")).says(&["`mesa` cannot be fitted", "a room of its own"]);
    }
    place.run(2, "export run --to yukka --fit").says(&["did you mean `yuka`?", "godot, jupedsim"]);
    place.run(2, "export run/best.json --to yuka --fit").says(&["needs their run folder", "name the run folder"]);
    place.run(2, "export run --to yuka --evaluations 5").says(&["--fit"]);
    place.run(2, "export run --to yuka --fit --pick 99").says(&["the run has no evaluation 99"]);
    let missing = place.run(3, "export run --to yuka --fit --engine-command ./nothing");
    missing.says(&[
        "cannot start",
        "install yuka 0.7.8 (npm): npm ci --prefix run/export/yuka; then give this command again",
    ]);
    // What the engine cannot do is refused in its own words.
    place.write("tool.py", TOOL.replace("\"cannot\": []", "\"cannot\": [\"goals\"]"));
    place
        .run(2, "export run --to yuka --fit --engine-command ./tool.py")
        .says(&["`scenario.field` has goals, which the engine `row` cannot do"]);
    place.write("tool.py", TOOL.replace("\"cannot\": []", "\"refuses\": \"field: a row has no goals\""));
    place
        .run(2, "export run --to yuka --fit --engine-command ./tool.py")
        .says(&["the engine `row` refuses the experiment: field: a row has no goals", "take another engine"]);
}

#[test]
fn a_run_of_an_engine_cannot_be_followed() {
    let Some(place) = place() else { return };
    place.run(0, "export run --to yuka --fit --quiet --evaluations 2 --engine-command ./tool.py");
    place
        .run(2, "export run/export/yuka/fit --to yuka --fit --engine-command ./tool.py")
        .says(&["the run tuned a foreign simulator"]);
}
