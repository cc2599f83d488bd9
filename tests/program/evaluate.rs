//! `crowdtune evaluate` as another optimizer sees it.

use crate::partner::{Partner, refuses};
use crate::room;
use crowdtune_testing::program::Place;
use serde_json::{Value, json};
use std::fs;

/// Genes of all kinds, two runs, a target that is no must and one that is.
const MIXED: &str = r#"
format = 1
model = "five_force"
[parameters]
attraction_weight = { range = [0.0, 1.0] }
gain_m_per_s2 = { range = [0.5, 50.0], log = true, start = 5.0 }
perceives = { choices = ["group", "all"] }
collision_strategies = { choices = [true, false] }
field_of_view_deg = { choices = [90.0, 330.0] }
[scenario.field]
kind = "open_field"
count = 6
wish = "point"
limit_s = 5.0
replicas = 2
[scenario.later]
held_out = true
kind = "open_field"
count = 4
wish = "point"
limit_s = 5.0
[target.near]
metric = "goal_distance_m"
minimize = { good = 0.0, bad = 10.0 }
[target.overlap]
metric = "overlap_max_m"
at_most = 0.05
must = true
[measure.pace]
metric = "speed_mean_m_per_s"
[search]
seed = 4
[simulation]
max_overlap_share = 2.0
"#;

fn in_folder() -> Place {
    Place::new(env!("CARGO_BIN_EXE_crowdtune")).with("room.toml", room::ROOM).with("mixed.toml", MIXED)
}

fn file(place: &Place, name: &str) -> String {
    place.path(name).display().to_string()
}

fn start(place: &Place, name: &str, more: &[&str]) -> (Partner, Value) {
    let mut partner = Partner::start(&[&["evaluate", &file(place, name)], more].concat());
    let space = partner.hear();
    (partner, space)
}

/// All answers to these lines, `count` in all.
fn hear_all(place: &Place, name: &str, more: &[&str], lines: &[&str], count: usize) -> Vec<Value> {
    let (mut partner, _) = start(place, name, more);
    for line in lines {
        partner.say(line);
    }
    let answers = (0..count).map(|_| partner.hear()).collect();
    let ended = partner.end();
    assert_eq!((ended.code, ended.out.as_str()), (0, ""), "{}", ended.err);
    answers
}

/// An answer without its number.
fn worth(answer: &Value) -> Value {
    let mut answer = answer.clone();
    answer.as_object_mut().unwrap().remove("id");
    answer
}

#[test]
fn the_first_line_describes_what_can_be_varied() {
    let place = in_folder();
    let (partner, said) = start(&place, "mixed.toml", &[]);
    assert_eq!(partner.end().code, 0);
    assert_eq!((&said["evaluate"], &said["name"], &said["seed"]), (&json!(1), &json!("mixed"), &json!(4)));
    assert_eq!(said["objectives"], json!(["loss"]));
    let gene = |key: &str| said["genes"].as_array().unwrap().iter().find(|g| g["key"] == key).unwrap().clone();
    assert_eq!(
        gene("gain_m_per_s2"),
        json!({ "key": "gain_m_per_s2", "path": "parameters.gain_m_per_s2", "unit": "m/s2", "type": "real", "low": 0.5, "high": 50.0, "log": true,
                "default": 10.0, "start": 5.0 })
    );
    assert_eq!(
        gene("perceives"),
        json!({ "key": "perceives", "path": "parameters.perceives", "unit": "", "type": "choice", "choices": ["group", "all"],
                "default": "group", "start": "group" })
    );
    assert_eq!(gene("collision_strategies")["choices"], json!([true, false]));
    assert_eq!(gene("field_of_view_deg")["choices"], json!([90.0, 330.0]));
    let columns: Vec<&str> = said["columns"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(columns, ["near", "overlap", "pace"]);
    assert_eq!((&said["columns"][1]["must"], &said["columns"][2]["wanted"]), (&json!(true), &Value::Null));
    assert_eq!(said["scenarios"][0], json!({ "name": "field", "replicas": 2, "held_out": false }));
    assert_eq!(said["scenarios"][1]["held_out"], true);
}

#[test]
fn every_way_to_write_a_candidate_means_the_same() {
    let place = in_folder();
    // Genes in key order: attraction, collision strategies, field of view, gain, perceives. The ends of a range are exact.
    let list = r#"[0.5, false, 330.0, 50.0, "all"]"#;
    let keys = r#"{"attraction_weight":0.5,"collision_strategies":false,"gain_m_per_s2":50,"perceives":"all"}"#;
    let cube = r#"{"ask":[0.5,0.9,0.9,1.0,0.9],"cube":true}"#;
    let lines = [list, keys, cube, &format!(r#"{{"ask":{list}}}"#), &format!("[{list},{keys}]"), "[]", ""];
    let answers = hear_all(&place, "mixed.toml", &[], &lines, 6);
    assert_eq!(answers[0]["x"], json!([0.5, false, 330.0, 50.0, "all"]));
    for (at, answer) in answers.iter().enumerate() {
        assert_eq!(answer["id"], at);
        assert_eq!(worth(answer), worth(&answers[0]));
    }
    // What is left out keeps its default.
    let defaults = hear_all(&place, "mixed.toml", &[], &["{}"], 1);
    let mut x = defaults[0]["x"].clone();
    let gain = x[3].take().as_f64().unwrap();
    assert_eq!(x, json!([0.2, true, 330.0, null, "group"]));
    // Through the logarithm and back.
    assert!((gain - 10.0).abs() < 1e-12);
}

#[test]
fn answers_are_those_of_a_search_for_any_number_of_threads() {
    let place = in_folder();
    let out = file(&place, "run");
    let small = ["--set", "scenario.room.count=3", "--set", "scenario.room.limit_s=6", "--set", "search.finalists=1"];
    let (file, more) =
        (file(&place, "room.toml"), ["--quiet", "--evaluations", "12", "--set", "search.optimizer=random"]);
    assert_eq!(Partner::start(&[&["evolve", &file, "--out", &out], &more[..], &small].concat()).end().code, 0);
    let log = fs::read_to_string(place.folder().join("run/trials.jsonl")).unwrap();
    let rows: Vec<Value> = log.lines().skip(1).map(|l| serde_json::from_str(l).unwrap()).collect();
    let batch = |purpose: &str| -> Vec<&Value> { rows.iter().filter(|r| r["purpose"] == purpose).take(12).collect() };
    for (purpose, more) in [("search", json!({})), ("report", json!({ "fresh": true }))] {
        let rows = batch(purpose);
        let genomes: Vec<&Value> = rows.iter().map(|r| &r["genome"]).collect();
        let mut line = json!({ "ask": genomes, "cube": true });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let line = line.to_string();
        let with = |threads| {
            hear_all(&place, "room.toml", &[&small[..], &["--threads", threads]].concat(), &[&line], rows.len())
        };
        let one = with("1");
        assert_eq!(one, with("3"));
        for (row, answer) in rows.iter().zip(&one) {
            assert_eq!((&row["objectives"], &row["violation"]), (&answer["objectives"], &answer["violation"]));
        }
    }
}

#[test]
fn seeds_and_replicas_are_those_asked_for() {
    let place = in_folder();
    let ask = |more: &str| format!(r#"{{"ask":{{}}{more}}}"#);
    let lines = [ask(""), ask(r#","seed":9"#), ask(r#","replicas":1"#), ask(r#","fresh":true,"replicas":3"#), ask("")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let answers = hear_all(&place, "mixed.toml", &[], &lines, 5);
    let loss = |at: usize| answers[at]["objectives"][0].as_f64().unwrap();
    assert_eq!(worth(&answers[0]), worth(&answers[4]), "a line with options changes later ones");
    for at in 1..4 {
        assert!(loss(at) != loss(0), "line {at} ran the same simulations");
    }
    let other = hear_all(&place, "mixed.toml", &["--seed", "9"], &["{}"], 1);
    assert_eq!(worth(&other[0]), worth(&answers[1]));
    let more = hear_all(&place, "mixed.toml", &["--set", "scenario.later.replicas=5"], &["{}"], 1);
    assert_eq!(worth(&more[0]), worth(&answers[0]), "replicas of a held-out scenario are of no account");
    // Held-out scenarios run with the fresh ones only, and never count.
    assert_eq!(answers[0]["values"]["pace"].as_object().unwrap().len(), 1);
    assert_eq!(answers[3]["values"]["pace"].as_object().unwrap().len(), 2);
}

#[test]
fn an_answer_has_losses_values_and_violations() {
    let place = in_folder();
    let bad = r#"{"attraction_weight":1.0,"collision_strategies":false,"gain_m_per_s2":50}"#;
    let lines = ["{}", r#"{"ask":{"collision_strategies":false},"replicas":4}"#, bad];
    let answers = hear_all(&place, "mixed.toml", &[], &lines, 3);
    let near = answers[0]["values"]["near"]["field"].as_f64().unwrap();
    assert!((answers[0]["losses"]["near"].as_f64().unwrap() - near / 10.0).abs() < 1e-12);
    assert!(answers[0]["losses"].get("pace").is_none() && answers[0]["violation"] == 0.0);
    for answer in &answers {
        let (loss, must) = (answer["losses"]["near"].as_f64().unwrap(), answer["losses"]["overlap"].as_f64().unwrap());
        assert!((answer["objectives"][0].as_f64().unwrap() - (loss + must) / 2.0).abs() < 1e-12);
        assert_eq!(answer["violation"].as_f64().unwrap(), must);
    }
}

#[test]
fn a_failed_candidate_says_why_and_the_next_one_runs() {
    let place = in_folder();
    let wide = ["--set", "parameters.repulsion_range_m={ range = [0.02, 3.0] }"];
    let bad = r#"{"repulsion_range_m":3.0,"repulsion_strength_n":5000}"#;
    let answers = hear_all(&place, "room.toml", &wide, &[bad, "{}"], 2);
    assert_eq!((&answers[0]["objectives"], &answers[0]["violation"]), (&Value::Null, &Value::Null));
    assert!(answers[0]["failed"].as_str().unwrap().contains("m/s after"), "{}", answers[0]);
    assert!(answers[1].get("failed").is_none() && answers[1]["objectives"][0].is_number(), "{}", answers[1]);
}

#[test]
fn a_wrong_line_names_the_gene_and_its_range() {
    let place = in_folder();
    let mixed = file(&place, "mixed.toml");
    let command = ["evaluate", mixed.as_str()];
    for (line, says) in [
        ("nonsense", &["not JSON", "docs/evaluate.md"][..]),
        ("3", &["3 is not a candidate"]),
        ("[0.5]", &["1 values for 5 genes", "attraction_weight, collision_strategies"]),
        (r#"[1.5, true, 330, 5, "all"]"#, &["`attraction_weight` is 1.5", "0 to 1"]),
        (r#"[0.5, 1, 330, 5, "all"]"#, &["`collision_strategies` is 1", "true, false"]),
        (r#"[0.5, true, 330, 5, 1]"#, &["`perceives` is 1", "\"group\", \"all\""]),
        (r#"[0.5, true, 100, 5, "all"]"#, &["`field_of_view_deg` is 100", "90.0, 330.0"]),
        (r#"[0.5, true, 330, null, "all"]"#, &["`gain_m_per_s2` is null", "0.5 to 50"]),
        (r#"[NaN, true, 330, 5, "all"]"#, &["no NaN"]),
        (r#"{"gain":1}"#, &["`gain` is not a gene", "did you mean `gain_m_per_s2`?"]),
        (r#"[[0.5, true, 330, 5, "all"], [0.5]]"#, &["1 values for 5 genes", "candidate 1"]),
        (r#"{"ask":[2,0,0,0,0],"cube":true}"#, &["`attraction_weight` is 2", "coordinate"]),
        (r#"{"ask":{},"seeds":3}"#, &["`seeds` is not a key", "seed, replicas"]),
        (r#"{"ask":{},"seed":-3}"#, &["`seed` is -3"]),
        (r#"{"ask":{},"replicas":0}"#, &["`replicas` is 0", "1 to 100000"]),
        (r#"{"ask":{},"fresh":"yes"}"#, &["`fresh` is \"yes\"", "true or false"]),
    ] {
        refuses(&command, &[line], &[says, &["stdin:1"]].concat());
    }
    refuses(&["evaluate", &file(&place, "none.toml")], &[], &["none.toml"]);
    let fixed = file(&place, "fixed.toml");
    let text = room::ROOM.replace("{ range = [50.0, 5000.0], log = true }", "500.0");
    fs::write(&fixed, text.replace("{ range = [0.1, 2.0] }", "0.5")).unwrap();
    refuses(&["evaluate", &fixed], &[], &["nothing can be varied", "fixed.toml"]);
}

#[test]
fn who_does_not_listen_any_more_ends_it() {
    let place = in_folder();
    let (mut partner, _) = start(&place, "room.toml", &[]);
    partner.stop_listening();
    partner.say("[{},{},{},{}]");
    let ended = partner.end();
    assert_eq!(ended.code, 3, "{}", ended.err);
    assert!(ended.err.contains("stopped listening") && !ended.err.contains("panicked"), "{}", ended.err);
}

#[test]
fn what_the_parts_say_is_what_ask_tell_takes() {
    let wanted = [
        "minimize = { good = 1.0, bad = 9.0 }",
        "maximize = { good = 9.0, bad = 1.0 }",
        "equals = 1.5\ntolerance = 0.25",
        "equals = 1.5\ntolerance = 0.25\nloss = \"squares\"",
        "between = [0.5, 0.75]",
        "at_most = 0.5",
        "at_least = 90.0",
        "at_most = 500.0\nmust = true",
    ];
    let target = |(n, wanted): (usize, &&str)| {
        format!("[target.t{n}]\nmetric = \"speed_mean_m_per_s\"\nweight = {}.0\n{wanted}\n", n + 1)
    };
    let targets: String = wanted.iter().enumerate().map(target).collect();
    let text = room::ROOM.split("[target.time]").next().unwrap().replace("replicas = 1", "replicas = 2") + &targets;
    let place = in_folder().with("parts.toml", &text);
    let (mut partner, said) = start(&place, "parts.toml", &[]);
    let answer = partner.ask("{}");
    assert_eq!(partner.end().code, 0);
    let parts = said["parts"].as_array().unwrap();
    assert_eq!(parts.len(), wanted.len() - 1);
    let value =
        |part: &Value| answer["values"][part["target"].as_str().unwrap()][part["scenario"].as_str().unwrap()].clone();
    let values: Vec<Value> = parts.iter().map(value).collect();
    assert!(values.iter().all(Value::is_number) && answer["violation"] == 0.0, "{answer}");
    let mut partner = Partner::start(&["ask-tell"]);
    let hello = json!({ "protocol": 1, "dimension": 1, "lower": [0], "upper": [1], "parts": parts });
    assert!(partner.ask(&hello.to_string())["ask"].is_array());
    // It would refuse parts that do not add up to the objective.
    let told = json!({ "tell": [{ "f": answer["objectives"][0], "values": values }], "left": 5 });
    assert!(partner.ask(&told.to_string())["ask"].is_array());
    assert_eq!(partner.end().code, 0);
}
