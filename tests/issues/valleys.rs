//! A1: the first run said that four parameters of the room can be changed together over half their ranges within the noise. Nothing
//! had been simulated there, and the best losses there were ten times the noise higher: a quadratic model of the log extrapolated.

use crate::program::Place;
use serde_json::Value;

/// Five people leave a small room; the sum of `share` and what the door takes is all that counts.
const ROOM: &str = r#"
model = "social_force"
[parameters]
relaxation_time_s = { range = [0.1, 2.0] }
repulsion_range_m = { range = [0.02, 0.5], log = true }
[scenario.room]
kind = "room"
count = 5
width_m = 5.0
depth_m = 5.0
limit_s = 20.0
replicas = 2
[target.time]
metric = "evacuation_time_95_s"
minimize = { good = 2.0, bad = 20.0 }
[search]
evaluations = 60
profile_share = 1.0
"#;

fn json(place: &Place, file: &str) -> Value {
    serde_json::from_str(&place.text(file)).unwrap()
}

#[test]
fn what_cannot_be_told_apart_was_simulated() {
    let place = Place::new();
    place.write("room.toml", ROOM);
    place.run(0, "evolve room.toml --quiet --out run");
    let rows: Vec<Value> =
        place.text("run/trials.jsonl").lines().skip(1).map(|l| serde_json::from_str(l).unwrap()).collect();
    let asked: Vec<&Value> = rows.iter().filter(|r| r["purpose"] == "profile").collect();
    assert!(asked.len() >= 9, "{}", asked.len());
    let identified = &json(&place, "run/summary.json")["identified"];
    let again = identified["again"].as_u64().unwrap();
    assert_eq!(identified["points"].as_u64().unwrap() + again, asked.len() as u64);
    let profiles = identified["profiles"].as_array().unwrap();
    assert!(profiles.len() >= 2, "{identified}");
    let threshold = identified["threshold"].as_f64().unwrap();
    let best = asked[0]["objectives"][0].as_f64().unwrap();
    for profile in profiles {
        let points = profile["points"].as_array().unwrap();
        let (first, last) = (&profile["within"]["first"], &profile["within"]["last"]);
        for point in &points[first.as_u64().unwrap() as usize..=last.as_u64().unwrap() as usize] {
            let worse = point["worse"].as_f64().unwrap();
            assert!(worse <= threshold, "{profile}");
            // Each has a row in the log.
            let same = |row: &&Value| (row["objectives"][0].as_f64().unwrap() - best - worse).abs() < 1e-12;
            assert!(asked.iter().copied().filter(|row| row["outcome"] == "done").any(|row| same(&row)), "{point}");
        }
        // An end was chosen because its loss came out low, so it has a second row on fresh replicas.
        for end in [first, last] {
            let worse = points[end.as_u64().unwrap() as usize]["worse"].as_f64().unwrap();
            let is_end =
                |row: &&&Value| row["objectives"][0].as_f64().is_some_and(|loss| (loss - best - worse).abs() < 1e-12);
            let row = asked.iter().find(is_end).unwrap();
            let fresh =
                |other: &&&Value| other["genome"] == row["genome"] && other["replicas"][0] == row["replicas"][1];
            assert!(worse == 0.0 || asked.iter().any(|other| fresh(&other)), "{profile}");
        }
    }
    // Both constants carry their interval.
    let preset = json(&place, "run/best.json");
    for key in ["relaxation_time_s", "repulsion_range_m"] {
        let interval = &preset["parameters"][key]["interval"];
        assert_eq!(interval["method"], "profile", "{preset}");
        assert!(interval["low"].as_f64() <= interval["high"].as_f64());
        assert!(interval["low_open"].is_boolean() && interval["high_open"].is_boolean());
    }
    assert!(preset["parameters"]["repulsion_strength_n"].get("interval").is_none(), "it was not searched");
    // The folder alone gives the same again.
    let summary = place.text("run/summary.json");
    let (page, _) = (place.text("run/report.html"), place.run(0, "report run"));
    assert!(place.text("run/summary.json") == summary && place.text("run/report.html") == page);
}

#[test]
fn before_a_check_nothing_is_claimed_and_resume_checks() {
    let place = Place::new();
    place.write("room.toml", ROOM);
    let (said, _) = place.run(0, "evolve room.toml --quiet --out run --set search.profile_share=0");
    let page = place.text("run/report.html");
    assert!(!said.contains("cannot be told apart") && !page.contains("cannot be told apart"), "{said}");
    assert!(page.contains("was not simulated") && page.contains("search.profile_share"));
    assert!(!place.text("run/best.json").contains("interval"));
    assert!(!place.text("run/trials.jsonl").contains("\"profile\""));
    // What the page says to do.
    place.run(0, "evolve room.toml --quiet --out run --resume");
    assert!(place.text("run/best.json").contains("\"interval\""));
    place.run(0, "evolve room.toml --quiet --out whole");
    assert!(place.text("run/trials.jsonl") == place.text("whole/trials.jsonl"));
}
