//! "Copy as command" of a page gave `--set relaxation_time_s=...`, which no experiment has, and no seed: the command was refused, and would
//! have simulated another crowd. Pages now name the key of the file and the fresh seed as reports count it.

use crate::program::Place;
use serde_json::Value;

const ROOM: &str = r#"
format = 1
model = "social_force"
parameters.relaxation_time_s = { range = [0.3, 0.8] }
scenario.room = { kind = "room", count = 6, width_m = 5.0, depth_m = 5.0, limit_s = 30.0 }
target.time = { metric = "evacuation_time_100_s", minimize = { good = 5.0, bad = 30.0 } }
search = { evaluations = 2, replicas = 1, report_replicas = 20, select_replicas = 20, parallel = 2 }
"#;

#[test]
fn a_fresh_seed_has_the_number_that_the_report_gives_it() {
    let place = Place::new();
    place.write("room.toml", ROOM);
    place.run(0, "evolve room.toml --out run --quiet");
    let log = place.text("run/trials.jsonl");
    let rows: Vec<Value> = log.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let defaults = rows.iter().find(|row| row["purpose"] == "baseline").unwrap();
    for (at, run) in defaults["values"][0].as_array().unwrap().iter().enumerate().take(3) {
        let (out, _) = place.run(0, &format!("simulate room.toml --json --fresh-seed {}", at + 1));
        let said: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(said["runs"][0]["values"]["time"], run[0], "seed {}", at + 1);
    }
    let (_, said) = place.run(2, "simulate room.toml --fresh-seed 0");
    assert!(said.contains("--fresh-seed"), "{said}");
}

#[test]
fn what_can_be_varied_is_told_with_the_key_that_set_takes() {
    let place = Place::new();
    place.write("room.toml", ROOM);
    let (out, _) = place.run(0, "evaluate room.toml");
    let said: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    let path = said["genes"][0]["path"].as_str().unwrap();
    assert_eq!(path, "parameters.relaxation_time_s");
    place.run(0, &format!("simulate room.toml --set {path}=0.4"));
}
