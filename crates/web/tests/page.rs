//! What a page is told, asked as a page asks.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crowdtune::Registry;
use crowdtune::evolve::evaluate::{Serial, run_seed, simulate};
use crowdtune::evolve::log::MemoryLog;
use crowdtune::evolve::run::{Silent, evolve};
use crowdtune::search::Purpose;
use crowdtune::{Experiment, no_files};
use crowdtune_testing::golden;
use crowdtune_web::Page;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn ask(page: &mut Page, question: &Value) -> Value {
    let said: Value = serde_json::from_str(page.call(question.to_string().as_bytes())).unwrap();
    assert_eq!(said["error"], Value::Null, "{question}");
    said
}

fn open(text: &str) -> Page {
    let mut page = Page::default();
    ask(&mut page, &json!({ "open": { "file": "a.toml", "text": text } }));
    page
}

const ROOM: &str = r#"
    model = "social_force"
    parameters.relaxation_time_s = { range = [0.1, 2.0] }
    parameters.repulsion_strength_n = { range = [500.0, 4000.0], log = true }
    scenario.room = { kind = "room", count = 12, width_m = 5.0, depth_m = 5.0, replicas = 2 }
    target.time = { metric = "evacuation_time_95_s", minimize = { good = 5.0, bad = 20.0 } }
    measure.speed = { metric = "speed_mean_m_per_s" }
    search = { optimizer = "ga", evaluations = 40, parallel = 8, select_replicas = 20, report_replicas = 20 }
"#;

fn room() -> Experiment {
    Experiment::load(&Registry::builtin(), ROOM, "a.toml", &[], &mut no_files).unwrap()
}

/// The cases that node and a browser run too: `digests.mjs` reads the same file.
#[test]
fn the_golden_crowds_are_the_same_step_by_step() {
    let cases: Value = serde_json::from_slice(&std::fs::read(here().join("digests.json")).unwrap()).unwrap();
    let golden = golden::read(&here().join("../../../tests/golden/digests.txt"));
    let cases = cases.as_array().unwrap();
    let models = golden.keys().filter(|name| name.starts_with("model/")).count();
    assert_eq!(cases.len(), models, "a case for each model");
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let mut page = open(case["text"].as_str().unwrap());
        ask(&mut page, &json!({ "start": { "case": 0, "seed": 1, "every_step": true } }));
        let there = page.people().len();
        assert_eq!(there % 8, 0);
        let said = ask(&mut page, &json!({ "step": 60 }));
        assert_eq!(said["failed"], Value::Null, "{name}");
        assert!(page.people().len() < there, "{name}: nobody left");
        let said = ask(&mut page, &json!("measure"));
        assert_eq!(said["digest"].as_str(), golden.get(name).map(String::as_str), "{name}");
    }
}

#[test]
fn a_crowd_that_was_watched_to_its_end_has_the_values_of_a_run() {
    let experiment = room();
    let candidate = json!({ "relaxation_time_s": 0.7 });
    let mut page = open(ROOM);
    let key = &experiment.space.genes[0].key;
    let candidate = json!({ key: candidate["relaxation_time_s"] });
    ask(&mut page, &json!({ "start": { "case": 0, "candidate": candidate, "replica": 3 } }));
    let early = ask(&mut page, &json!("measure"));
    assert_eq!(early["values"][1], Value::Null, "nobody has seen how long it takes: {early}");
    let mut said = ask(&mut page, &json!({ "step": 50 }));
    assert_eq!((said["over"].as_bool(), said["time_s"].as_f64()), (Some(false), Some(0.5)));
    while said["over"] == false {
        said = ask(&mut page, &json!({ "step": 37 }));
    }
    let mut genes = experiment.defaults.clone();
    genes[0] = 0.7;
    // Through the cube, as every candidate goes.
    let genes = experiment.space.decode(&experiment.space.encode(&genes));
    let values =
        simulate(&experiment, 0, &genes, run_seed(experiment.search.seed, Purpose::Report, "room", 3)).unwrap();
    let said = ask(&mut page, &json!("measure"));
    let seen: Vec<Option<f64>> = serde_json::from_value(said["values"].clone()).unwrap();
    assert_eq!(seen, values);
    assert!(said["losses"][1].is_number() != said["losses"][0].is_number(), "one is a target: {said}");
}

#[test]
fn a_search_that_others_answer_leaves_the_log_of_the_command_line() {
    let experiment = room();
    let never = AtomicBool::new(false);
    let mut native = MemoryLog::default();
    evolve(&experiment, &Serial::new(&experiment, &never), &mut native, &mut Silent, &never).unwrap();

    let (mut asks, mut answers) = (open(ROOM), open(ROOM));
    let (mut log, mut lines, mut trials) = (String::new(), Vec::<String>::new(), 0);
    let said = loop {
        let said = ask(&mut asks, &json!({ "search": lines }));
        log += said["log"].as_str().unwrap();
        trials += said["trials"].as_array().unwrap().len();
        let Some(asked) = said["ask"].as_array() else { break said };
        // In another order than they were asked.
        let answer = |line: &Value| {
            let line: Value = serde_json::from_str(line.as_str().unwrap()).unwrap();
            ask(&mut answers, &json!({ "answer": line })).to_string()
        };
        lines = asked.iter().rev().map(answer).collect();
    };
    assert_eq!(log.as_bytes(), native.0);
    assert!(trials > 42, "{trials}");
    assert_eq!(said["done"]["summary"]["evaluations"], 40);
    assert!(said["done"]["preset"].as_str().unwrap().contains("\"relaxation_time_s\""));
}

#[test]
fn mistakes_are_answers_too() {
    let mut page = Page::default();
    let mut says = |question: &str| {
        let said: Value = serde_json::from_str(page.call(question.as_bytes())).unwrap();
        said["error"].as_str().unwrap_or_default().to_string()
    };
    for (question, part) in [
        ("{", "not a question"),
        (r#"{"step": 1}"#, "no experiment is open"),
        (r#"{"open": {"file": "a.toml", "text": "model = \"orka\""}}"#, "orca"),
    ] {
        let said = says(question);
        assert!(said.contains(part), "{question}: {said}");
    }
    assert_eq!(says(&json!({ "open": { "file": "a.toml", "text": ROOM } }).to_string()), "");
    for (question, part) in [
        (r#"{"step": 1}"#, "nobody is there"),
        (r#"{"start": {"case": 7}}"#, "no scenario 7"),
        (r#"{"start": {"case": 0, "candidate": {"tau": 1}}}"#, "not a gene"),
        (r#"{"search": ["{}"]}"#, "not a trial"),
    ] {
        let said = says(question);
        assert!(said.contains(part), "{question}: {said}");
    }
}
