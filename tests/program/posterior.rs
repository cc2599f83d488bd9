//! `crowdtune posterior` as a user runs it.

use crate::process::{good, run, text};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Two who walk down a corridor: how fast they do was measured, and once how fast they could.
const WALK: &str = r#"
format = 1
title = "Two who walk"
model = "social_force"
[people]
desired_speed_m_per_s = { range = [0.5, 2.0], prior = { normal = [1.3, 0.3] } }
[parameters]
relaxation_time_s = { range = [0.2, 1.0] }
[scenario.walk]
walkable = "POLYGON ((0 0, 12 0, 12 3, 0 3, 0 0))"
limit_s = 4.0
group.people = { count = 2, from = { area = [[0.5, 0.5], [2.5, 2.5]] }, to = { heading = [1, 0] } }
[target.speed]
metric = "speed_mean_m_per_s"
equals = 1.0
tolerance = "5 %"
[simulation]
time_step_s = 0.02
"#;

fn refused(place: &Path, words: &str, why: &str) {
    let ran = run(place, words);
    assert!(ran.status.code() == Some(2) && text(&ran.stderr).contains(why), "{words}\n{}", text(&ran.stderr));
}

#[test]
fn a_posterior_is_inferred_continued_played_and_made_again_with_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("walk.toml"), WALK).unwrap();
    let file = |name: &str| fs::read(place.join(name)).unwrap();
    let said = good(place, "posterior walk.toml --effective 50 --evaluations 400 --check 3 --quiet --threads 1");
    assert!(said.contains("Posterior of 2 parameters from"), "{said}");
    assert!(said.contains("results/walk-posterior-1/report.html"), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&file("results/walk-posterior-1/posterior.json")).unwrap();
    let speed = json["genes"].as_array().unwrap().iter().find(|g| g["key"] == "people.desired_speed_m_per_s").unwrap();
    // People start at rest, so they wish to be faster than they are on average.
    let mean = speed["mean"].as_f64().unwrap();
    assert!((1.0..1.5).contains(&mean) && speed["sd"].as_f64().unwrap() < 0.25, "{speed}");
    assert_eq!(json["calibration"]["planted"], 3);
    let samples = text(&file("results/walk-posterior-1/samples.csv"));
    let weights: f64 =
        samples.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse::<f64>().unwrap()).sum();
    assert!((weights - 1.0).abs() < 1e-9 && samples.starts_with("trial,weight,"), "{weights}");
    assert_eq!(samples.lines().count() - 1, text(&file("results/walk-posterior-1/samples.jsonl")).lines().count());

    let all =
        ["trials.jsonl", "posterior.json", "samples.csv", "best.json", "draws/07.json", "report.html", "planted.jsonl"];
    refused(place, "posterior walk.toml --effective 50 --evaluations 400 --quiet", "--resume");
    refused(place, "posterior walk.toml --effective 60 --evaluations 400 --quiet --resume", "--effective 50");
    refused(place, "posterior walk.toml --effective 50 --evaluations 300 --quiet --resume", "more than the 300");
    good(place, "posterior walk.toml --effective 50 --evaluations 400 --check 1 --quiet --threads 2 --out whole");
    good(
        place,
        "posterior walk.toml --effective 50 --evaluations 400 --check 3 --quiet --threads 2 --out whole --resume",
    );
    for name in all {
        assert!(file(&format!("whole/{name}")) == file(&format!("results/walk-posterior-1/{name}")), "{name}");
    }
    // Of more evaluations the truths are planted anew, as in a folder of their own.
    let longer = "--effective 50 --evaluations 450 --check 2 --quiet";
    good(place, "posterior walk.toml --effective 50 --evaluations 100 --check 1 --quiet --out grown");
    good(place, &format!("posterior walk.toml {longer} --out grown --resume"));
    good(place, &format!("posterior walk.toml {longer} --out at_once"));
    assert!(file("grown/planted.jsonl") == file("at_once/planted.jsonl"));
    // Workers elsewhere give the same bytes.
    let answer = format!("{} answer walk.toml", env!("CARGO_BIN_EXE_crowdtune"));
    let words =
        "posterior walk.toml --effective 50 --evaluations 400 --check 3 --quiet --out apart --workers 2 --evaluator";
    let mut apart = Command::new(env!("CARGO_BIN_EXE_crowdtune"));
    let ran = apart.current_dir(place).args(words.split_whitespace()).arg(answer).output().unwrap();
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    for name in all {
        assert!(file(&format!("apart/{name}")) == file(&format!("whole/{name}")), "{name} apart");
    }
    refused(place, "evolve walk.toml --out whole --resume --quiet", "holds a posterior");
    fs::remove_file(place.join("whole/report.html")).unwrap();
    good(place, "report whole");
    for name in all {
        assert!(file(&format!("whole/{name}")) == file(&format!("results/walk-posterior-1/{name}")), "{name} again");
    }
    good(place, "simulate walk.toml --preset whole/draws/01.json");
    // How long the way takes to begin says more of the relaxation time than the mean speed over all of it.
    let more = "[scenario.start]\nwalkable = \"POLYGON ((0 0, 12 0, 12 3, 0 3, 0 0))\"\nlimit_s = 1.0\nheld_out = true\n\
                group.people = { count = 2, from = { area = [[0.5, 0.5], [2.5, 2.5]] }, to = { heading = [1, 0] } }\n\
                [measure.start]\nmetric = \"speed_mean_m_per_s\"\nscenario = \"start\"\n[simulation]";
    fs::write(place.join("more.toml"), WALK.replace("[simulation]", more)).unwrap();
    let said = good(place, "advise whole --with more.toml --draws 60 --error 2% --quiet");
    assert!(said.contains("To measure start in start with an error of"), "{said}");
    assert!(text(&file("whole/advice.json")).contains("\"widest\""));
    refused(place, "advise whole --with other.toml", "other.toml");
    // Who can walk 1 m/s at most in one sample of a hundred does not explain 1.0 m/s from rest.
    fs::write(place.join("slow.toml"), WALK.replace("normal = [1.3, 0.3]", "normal = [0.8, 0.1]")).unwrap();
    good(place, "posterior slow.toml --effective 50 --evaluations 400 --quiet --out slow");
    let said = good(place, "compare whole slow");
    assert!(said.contains("speaks for whole") && said.contains("It rests on the priors"), "{said}");
    let json: serde_json::Value = serde_json::from_str(&good(place, "compare slow whole --json")).unwrap();
    let all: Vec<f64> = json["models"].as_array().unwrap().iter().map(|m| m["probability"].as_f64().unwrap()).collect();
    assert!((all.iter().sum::<f64>() - 1.0).abs() < 1e-12 && all[1] > 0.9, "{all:?}");
    fs::write(place.join("once.toml"), WALK.replace("equals = 1.0", "equals = 1.1")).unwrap();
    good(place, "posterior once.toml --effective 50 --evaluations 100 --quiet --out once");
    refused(place, "compare whole once", "another measurement");
    fs::write(place.join("other.toml"), WALK.replace("[0.2, 1.0]", "[0.2, 1.1]")).unwrap();
    refused(place, "advise whole --with other.toml", "other unknown parameters");
    let exported = good(place, "export --to unity whole/best.json --out unity");
    assert!(place.join("unity").exists(), "{exported}");
    refused(place, "export --to unity whole --out other", "best.json");
    fs::write(
        place.join("goal.toml"),
        WALK.replace("equals = 1.0\ntolerance = \"5 %\"", "maximize = { good = 2.0, bad = 0.0 }"),
    )
    .unwrap();
    refused(place, "posterior goal.toml --quiet", "only wants less or more");
}

#[test]
fn processes_stand_for_runs_and_models_are_compared() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("walk.toml"), WALK).unwrap();
    let file = |name: &str| fs::read(place.join(name)).unwrap();
    let few = "posterior walk.toml --likelihood emulated --evaluations 60 --quiet --threads";
    let said = good(place, &format!("{few} 1 --out whole"));
    assert!(said.contains("from which Gaussian processes learned what runs give"), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&file("whole/posterior.json")).unwrap();
    let speed = json["genes"].as_array().unwrap().iter().find(|g| g["key"] == "people.desired_speed_m_per_s").unwrap();
    let mean = speed["mean"].as_f64().unwrap();
    // As by runs alone.
    assert!((1.0..1.5).contains(&mean) && speed["sd"].as_f64().unwrap() < 0.25, "{speed}");
    assert!(json["evaluated"].as_u64().unwrap() <= 60 && json["doubt"].as_f64().unwrap() < 0.3, "{json}");
    let samples = text(&file("whole/samples.csv"));
    assert!(samples.starts_with("weight,") && samples.lines().count() == 2001, "{}", samples.lines().count());
    good(place, "posterior walk.toml --likelihood emulated --evaluations 20 --quiet --threads 2 --out parts");
    good(place, &format!("{few} 2 --out parts --resume"));
    // Rows of the first, shorter posterior stand between those of the longer one.
    for name in ["posterior.json", "samples.csv", "best.json", "draws/07.json", "report.html"] {
        assert!(file(&format!("parts/{name}")) == file(&format!("whole/{name}")), "{name}");
    }
    refused(place, "posterior walk.toml --evaluations 60 --quiet --out whole --resume", "likelihood is emulated");

    let words = "--likelihood emulated --evaluations 60 --quiet --models social_force,collision_free_speed";
    let said = good(place, &format!("posterior walk.toml {words} --out models"));
    assert!(said.contains("as probable as") || said.contains("do not tell"), "{said}");
    let odds: serde_json::Value = serde_json::from_slice(&file("models/odds.json")).unwrap();
    let models = odds["models"].as_array().unwrap();
    let sum: f64 = models.iter().map(|m| m["probability"].as_f64().unwrap()).sum();
    assert!(models.len() == 2 && (sum - 1.0).abs() < 1e-12, "{odds}");
    assert_eq!(file("models/social_force/samples.csv"), file("whole/samples.csv"));
    let compared = good(place, "compare models/social_force models/collision_free_speed --json");
    let compared: serde_json::Value = serde_json::from_str(&compared).unwrap();
    assert_eq!(compared["models"], odds["models"]);
    refused(place, &format!("posterior walk.toml {words} --out models"), "--resume");
    good(place, &format!("posterior walk.toml {words} --out models --resume"));
    refused(place, &format!("posterior walk.toml {words} --out other --evaluator cat"), "a cluster by its address");
    refused(place, "posterior walk.toml --models boids --quiet", "boids");
}
