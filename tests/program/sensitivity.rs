//! `crowdtune sensitivity` as a user runs it, and planted constants that come back from tracks.

use crate::process::{good, run, text};
use crate::room;
use std::fs;

#[test]
fn a_design_is_run_continued_and_reported_again_with_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("room.toml"), room::ROOM).unwrap();
    let file = |name: &str| fs::read(place.join(name)).unwrap();
    let said = good(place, "sensitivity room.toml --samples 4 --quiet --threads 1");
    assert!(said.contains("Morris screening of 2 parameters: 4 trajectories, 12 trials."), "{said}");
    assert!(said.contains("results/room-morris-5/report.html"), "{said}");
    for name in ["report.html", "sensitivity.csv", "sensitivity.json", "trials.jsonl", "design.json"] {
        assert!(!file(&format!("results/room-morris-5/{name}")).is_empty(), "{name}");
    }
    let short = run(place, "sensitivity room.toml --samples 4 --quiet");
    assert_eq!(short.status.code(), Some(2), "a folder that is there needs --resume");
    good(place, "sensitivity room.toml --samples 6 --quiet --threads 2 --resume");
    good(place, "sensitivity room.toml --samples 6 --quiet --threads 2 --out whole");
    assert!(file("results/room-morris-5/trials.jsonl") == file("whole/trials.jsonl"));
    assert!(file("results/room-morris-5/sensitivity.json") == file("whole/sensitivity.json"));
    let page = file("whole/report.html");
    fs::remove_file(place.join("whole/report.html")).unwrap();
    let again = good(place, "report whole");
    assert!(again.contains("6 trajectories") && file("whole/report.html") == page);

    let json = good(place, "sensitivity room.toml --method sobol --samples 4 --quiet --json --out shares");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["method"].as_str(), json["evaluations"].as_u64()), (Some("sobol"), Some(24)));
    let wrong = run(place, "sensitivity room.toml --samples 20 --quiet --resume --out shares");
    assert!(wrong.status.code() == Some(2) && text(&wrong.stderr).contains("the other method"));

    good(place, "evolve room.toml --evaluations 8 --set search.finalists=1 --quiet --out searched");
    let wrong = run(place, "sensitivity room.toml --quiet --resume --out searched");
    assert!(
        wrong.status.code() == Some(2) && text(&wrong.stderr).contains("holds a search"),
        "{}",
        text(&wrong.stderr)
    );
    assert!(!place.join("searched/design.json").exists(), "a run folder stays what it is");
}

/// Two groups of four who meet; `more` is what is searched or planted.
fn meet(model: &str, more: &str, tracks: bool) -> String {
    let tracks = if tracks { "tracks = { file = \"tracks.txt\", restart_every_s = 1.0 }" } else { "" };
    let target = if tracks.is_empty() {
        "measure.speed = { metric = \"speed_mean_m_per_s\" }"
    } else {
        "target.tracks = { metric = \"track_error_m2\", minimize = { good = 0.0, bad = 0.01 } }"
    };
    format!(
        r#"
model = "{model}"
{more}
people = {{ desired_speed_m_per_s = 1.34, radius_m = 0.2, mass_kg = 80.0 }}
{target}
[scenario.meet]
walkable = "POLYGON ((0 0, 10 0, 10 3, 0 3, 0 0))"
limit_s = 5.0
{tracks}
group.east = {{ count = 4, from = {{ area = [[0.5, 0.5], [3, 2.5]] }}, to = {{ heading = [1, 0] }} }}
group.west = {{ count = 4, from = {{ area = [[7, 0.5], [9.5, 2.5]] }}, to = {{ heading = [-1, 0] }} }}
[search]
optimizer = "ga"
evaluations = 90
replicas = 1
"#
    )
}

#[test]
fn planted_constants_of_the_social_force_come_back_from_their_tracks() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(
        place.join("truth.toml"),
        meet("social_force", "parameters.repulsion_range_m = 0.3\nparameters.anisotropy = 0.2", false),
    )
    .unwrap();
    good(place, "simulate truth.toml --trajectory tracks.txt");
    let searched = "parameters.repulsion_range_m = { range = [0.05, 1.0], log = true }\nparameters.anisotropy = { range = [0.0, 1.0] }";
    fs::write(place.join("planted.toml"), meet("social_force", searched, true)).unwrap();
    let said = good(place, "evolve planted.toml --quiet --out run");
    assert!(said.contains("What mattered: repulsion_range_m"), "{said}");
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(place.join("run/summary.json")).unwrap()).unwrap();
    let tuned = |k: usize| summary["genes"][k]["tuned"].as_f64().unwrap();
    assert!((tuned(0) - 0.2).abs() < 0.1, "anisotropy {}", tuned(0));
    assert!((tuned(1) / 0.3 - 1.0).abs() < 0.1, "range {}", tuned(1));
    assert_eq!(summary["identified"]["numbers"].as_array().map(Vec::len), Some(2), "{said}");
}
