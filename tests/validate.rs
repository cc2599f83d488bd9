//! `crowdtune validate`: the list, what an experiment does when runs fail, and the document.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crowdtune::validation::lab::{InTurn, Lab, Plan, Tried, exact, run};
use crowdtune::validation::{EXPERIMENTS, Line, PEDESTRIANS, Tolerance, Verdict};
use crowdtune_core::Error;
use crowdtune_core::registry::find;
use crowdtune_sim::models::MODELS;
use std::collections::BTreeSet;

#[test]
fn names_are_unique_and_say_what_and_whence() {
    let names: BTreeSet<&str> = EXPERIMENTS.iter().map(|e| e.name).collect();
    assert_eq!(names.len(), EXPERIMENTS.len());
    for e in EXPERIMENTS {
        assert!(e.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'), "{}", e.name);
        assert!(e.doc.ends_with('.') && e.source.len() > 10, "{}", e.name);
        assert!(!e.make.models.is_empty(), "{}", e.name);
        for model in e.make.models {
            assert!(find(MODELS, model).is_some(), "{}: {model}", e.name);
        }
    }
    assert!(PEDESTRIANS.iter().all(|model| find(MODELS, model).is_some()));
}

#[test]
fn the_minimum_set_of_standards_is_there() {
    let names: Vec<&str> = EXPERIMENTS.iter().map(|e| e.name).collect();
    for name in [
        "rimea_1",
        "rimea_4",
        "rimea_5",
        "rimea_6",
        "rimea_9",
        "rimea_11",
        "rimea_12",
        "rimea_15",
        "single_file",
        "imo_4",
        "imo_8",
        "nist_1_1",
        "nist_2_9",
    ] {
        assert!(names.contains(&name), "{name}");
    }
    let quick: Vec<&str> = EXPERIMENTS.iter().filter(|e| e.make.quick).map(|e| e.name).collect();
    for name in ["rimea_1", "rimea_5", "rimea_6"] {
        assert!(quick.contains(&name), "{name}");
    }
    assert!(quick.len() < EXPERIMENTS.len());
}

/// Every run fails.
struct Broken;

impl Lab for Broken {
    fn runs(&self, count: usize, _: &(dyn Fn(usize) -> Tried + Sync)) -> Result<Vec<Tried>, Error> {
        assert!(count > 0);
        Ok((0..count).map(|_| Err(Error::nothing("a wall was crossed"))).collect())
    }
}

#[test]
fn every_text_is_read_and_nothing_holds_where_every_run_fails() {
    for e in EXPERIMENTS {
        let outcome = (e.make.run)(&Broken).unwrap_or_else(|error| panic!("{}: {error}", e.name));
        assert!(!outcome.lines.is_empty() && !outcome.charts.is_empty(), "{}", e.name);
        for line in &outcome.lines {
            assert_ne!(line.verdict(), Verdict::Holds, "{}: {}", e.name, line.label);
            assert!(e.make.models.contains(&line.model.as_str()), "{}: {}", e.name, line.model);
        }
        assert!(
            outcome.lines.iter().any(|line| line.remarks().contains("a wall was crossed")),
            "{}: nothing says why",
            e.name
        );
        let names: BTreeSet<&str> = outcome.charts.iter().map(|c| c.name.as_str()).collect();
        assert!(names.len() == outcome.charts.len() && names.iter().all(|n| n.starts_with(e.name)), "{}", e.name);
    }
}

#[test]
fn an_experiment_gives_the_same_lines_again() {
    let one = find(EXPERIMENTS, "rimea_1").unwrap();
    let [first, second] = [0, 1].map(|_| (one.make.run)(&InTurn).unwrap());
    assert_eq!(first, second);
    assert!(first.lines.iter().all(|line| line.verdict() == Verdict::Holds));
}

#[test]
fn a_wall_in_the_way_makes_the_corridor_test_fall_short() {
    let text = "people.radius_m = 0.2\nmeasure.time = { metric = \"evacuation_time_100_s\" }\n\
                [scenario.corridor]\nwalkable = \"POLYGON ((-1 0, 41 0, 41 2, -1 2, -1 0))\"\nlimit_s = 60.0\n\
                walls = [[[20, 0], [20, 2]]]\n\
                group.one = { count = 1, from = { points = [[0, 1]] }, to = { line = [[39.8, 0], [39.8, 2]] } }\n";
    let ran = run(&InTurn, text, Plan { model: "social_force", seeds: 1, record_every_s: None }).unwrap();
    let line = Line::new("time", "social_force", "s", ran.figure(0, "time"), Tolerance::Within(26.0, 34.0));
    assert_eq!((line.verdict(), line.result.value), (Verdict::FallsShort, Some(120.0)));
    assert_eq!(line.paper(exact(30.0)).verdict(), Verdict::FallsShort);
}

#[cfg(feature = "cli")]
mod command {
    use std::process::Command;

    fn run(args: &[&str]) -> (Option<i32>, String, String) {
        let place = tempfile::tempdir().unwrap();
        let made = Command::new(env!("CARGO_BIN_EXE_crowdtune")).current_dir(place.path()).args(args).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        if args.contains(&"rimea_1") && made.status.success() {
            for file in ["validation.json", "validation.md", "rimea_1.svg"] {
                assert!(place.path().join("results/validation").join(file).is_file(), "{file}");
            }
        }
        (made.status.code(), text(&made.stdout), text(&made.stderr))
    }

    #[test]
    fn one_document_holds_numbers_tolerances_and_verdicts() {
        let (code, out, err) = run(&["validate", "rimea_1", "--json"]);
        assert_eq!(code, Some(0), "{err}");
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        let one = &json["experiments"][0];
        assert_eq!((one["name"].as_str(), json["fall_short"].as_u64()), (Some("rimea_1"), Some(0)));
        let line = &one["lines"][0];
        for key in ["label", "model", "unit", "tolerance", "verdict", "remarks"] {
            assert!(line[key].is_string(), "{key}");
        }
        for key in ["paper", "reference", "result"] {
            assert!(line[key].as_object().unwrap().contains_key("value"), "{key}");
        }
        assert_eq!(line["verdict"], "holds");
        assert!((39.0..41.0).contains(&line["result"]["value"].as_f64().unwrap()));
    }

    #[test]
    fn an_unknown_experiment_is_a_mistake_of_the_user() {
        let (code, out, err) = run(&["validate", "rimea_99"]);
        assert_eq!((code, out.as_str()), (Some(2), ""));
        assert!(err.contains("rimea_99") && err.contains("rimea_1") && err.contains("list experiments"), "{err}");
    }

    #[test]
    fn the_list_of_experiments_is_that_of_the_program() {
        let (code, out, _) = run(&["list", "experiments"]);
        assert_eq!(code, Some(0));
        for e in crowdtune::validation::EXPERIMENTS {
            assert!(out.lines().any(|line| line.split_whitespace().next() == Some(e.name)), "{}", e.name);
        }
    }
}
