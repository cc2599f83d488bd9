//! A model for each group as users see it: log, preset, exports, report, sensitivity.

use crowdtune_testing::program::Place;
use serde_json::Value;

/// Two carts come against three people; `{cars}` and `{people}` stand for more keys of their groups.
const STREET: &str = r#"
model = "social_force"
[parameters]
relaxation_time_s = { range = [0.3, 1.0] }
[people]
mass_kg = 80
[scenario.street]
walkable = "POLYGON ((0 0, 14 0, 14 5, 0 5, 0 0))"
limit_s = 5
replicas = 1
[scenario.street.group.cars]
count = 2
from = { points = [[1, 1.5], [1, 3.5]] }
to = { line = [[12, 0], [12, 5]] }
people.radius_m = 0.4
{cars}
[scenario.street.group.people]
count = 3
from = { points = [[10, 1.5], [10, 2.5], [10, 3.5]] }
to = { line = [[2, 0], [2, 5]] }
people.radius_m = 0.25
{people}
[target.pace]
metric = "speed_mean_m_per_s"
equals = 1.3
tolerance = 0.1
[search]
evaluations = 4
parallel = 2
finalists = 1
profile_share = 0
"#;

const MIXED: [&str; 2] = [
    "model = \"rvo\"\ngives_way.people = 0.75\nparameters.time_horizon_s = { range = [1, 4] }",
    "[parameters.rvo]\nresponsibility = { range = [0.3, 0.7] }",
];

fn street([cars, people]: [&str; 2]) -> String {
    STREET.replace("{cars}", cars).replace("{people}", people)
}

fn place(text: [&str; 2]) -> Place {
    Place::new(env!("CARGO_BIN_EXE_crowdtune")).with("street.toml", &street(text))
}

#[test]
fn a_group_that_names_the_model_of_the_file_leaves_every_byte_of_the_log() {
    let log = |text: [&str; 2]| {
        let place = place(text);
        place.run(0, "evolve street.toml --quiet --threads 1 --out run");
        place.text("run/trials.jsonl")
    };
    let named = ["model = \"social_force\""; 2];
    assert_eq!(log([""; 2]), log(named));
}

#[test]
fn a_mixed_crowd_is_searched_and_its_preset_and_exports_say_who_walks_how() {
    let place = place(MIXED);
    place.run(0, "evolve street.toml --quiet --threads 2 --out run");
    let (log, summary) = (place.text("run/trials.jsonl"), json(&place.text("run/summary.json")));
    let of_genes = |what: &str| -> Vec<String> {
        summary["genes"].as_array().unwrap().iter().map(|g| g[what].as_str().unwrap().to_string()).collect()
    };
    let keys = ["relaxation_time_s", "rvo.responsibility", "scenario.street.group.cars.parameters.time_horizon_s"];
    assert_eq!(
        (of_genes("key"), of_genes("unit")),
        (keys.map(Into::into).into(), ["s", "", "s"].map(Into::into).into())
    );
    assert_eq!(summary["model"], "social_force (people), rvo (cars)");
    let page = place.text("run/report.html");
    for words in ["social_force (people), rvo (cars)", "people (social_force)", "rvo.responsibility"] {
        assert!(page.contains(words) || place.text("run/replays/street.html").contains(words), "{words}");
    }

    // The written-out file is the same experiment.
    place.run(0, "evolve run/experiment.toml --quiet --threads 1 --out again");
    assert_eq!(place.text("again/trials.jsonl"), log);

    // The preset gives the run of its values.
    let best = json(&place.text("run/best.json"));
    assert_eq!((&best["model"], &best["groups"]["cars"]["model"]), (&"social_force".into(), &"rvo".into()));
    let value = |quantity: &Value| quantity["value"].as_f64().unwrap();
    let sets = [
        ("parameters.relaxation_time_s", &best["parameters"]["relaxation_time_s"]),
        ("parameters.rvo.responsibility", &best["models"]["rvo"]["responsibility"]),
        ("scenario.street.group.cars.parameters.time_horizon_s", &best["models"]["rvo"]["time_horizon_s"]),
    ]
    .map(|(key, quantity)| format!(" --set {key}={}", value(quantity)));
    let figures = |words: &str| {
        let ran = json(&place.run(0, &format!("simulate {words} --json")).out)["runs"][0].clone();
        (ran["values"].clone(), ran["agent_steps"].clone(), ran["top_speed_m_per_s"].clone())
    };
    let of_preset = figures("street.toml --preset run/best.json");
    assert_eq!(of_preset, figures(&format!("street.toml{}", sets.concat())));

    place.run(0, "export run --to csv");
    let table = place.text("run/export/csv/parameters.csv");
    assert!(table.contains("\r\nrvo.responsibility,alpha,"), "{table}");
    assert!(table.contains("\r\ngroup.cars.model,,rvo,,social_force,"), "{table}");
    place.run(0, "export run --to json --out a");
    place.run(0, "export run/best.json --to json --out b");
    let exported = std::fs::read_dir(place.path("a")).unwrap().map(|e| e.unwrap().file_name());
    // What lies beside them tells which of the two was exported.
    for name in exported.filter(|name| name != "ORIGIN.md") {
        let name = name.to_str().unwrap().to_string();
        assert_eq!(place.text(&format!("a/{name}")), place.text(&format!("b/{name}")));
    }
    for source in ["run", "run/best.json"] {
        place.run(2, &format!("export {source} --to jupedsim")).says(&[
            "one operational model for everybody, and the preset has `social_force` and `rvo`",
            "the exporters `json` and `csv`",
        ]);
    }
}

#[test]
fn sensitivity_and_comparisons_name_the_constants_of_both_models() {
    let place = place(MIXED);
    let said = place.run(0, "sensitivity street.toml --samples 2 --quiet --threads 1 --out which").out;
    assert!(said.contains("rvo.responsibility"), "{said}");
    let made = json(&place.text("which/sensitivity.json"));
    assert_eq!(made["model"], "social_force (people), rvo (cars)");
    let both =
        json(&place.run(0, "simulate street.toml --compare model=social_force,orca --replay two.html --json").out);
    assert_eq!(both["runs"][0]["label"], "social_force (people), rvo (cars)");
    assert_eq!(both["runs"][1]["label"], "orca (people), rvo (cars)");
    let key = "scenario.street.group.cars.model";
    place.write("plain.toml", street(["model = \"rvo\"", ""]));
    let both = place.run(0, &format!("simulate plain.toml --compare {key}=rvo,orca")).out;
    assert!(both.contains("model = rvo") && both.contains("model = orca"), "{both}");
    let space = place.run(0, "sweep street.toml --set parameters.rvo.responsibility=0.3,0.6 --quiet").out;
    assert!(space.contains("rvo.responsibility"), "{space}");
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
