//! The published experiments: their list, and what one does when runs fail.

use crowdtune::validation::{EXPERIMENTS, InTurn, Lab, Line, PEDESTRIANS, Plan, Tolerance, Tried, Verdict, exact, run};
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
    let line = Line::new("time", "social_force", "s", ran.figure(0, "time"), Tolerance::Within(26.0, 34.0)).runs("");
    assert_eq!((line.verdict(), line.result.value), (Verdict::FallsShort, Some(120.0)));
    assert_eq!(line.paper(exact(30.0)).verdict(), Verdict::FallsShort);
}
