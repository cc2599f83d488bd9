//! E1: `sweep` was silent for a minute, wrote over its own folder, had no page, drew scenarios without the key as a point of
//! its axis, and could not sweep models.

use crate::program::{Place, ROOM};
use std::fs;

#[test]
fn a_sweep_has_a_page_progress_and_a_folder_of_its_own() {
    let place = Place::new();
    let words = "sweep room.toml --set people.desired_speed_m_per_s=1,2 --replicas 2";
    let (out, err) = place.run(0, words);
    assert!(out.contains("Page: results/room-sweep/sweep.html"), "{out}");
    assert!(err.contains("sweep 4/4 runs"), "{err}");
    let page = place.text("results/room-sweep/sweep.html");
    assert!(page.contains("<svg") && page.contains("2 points over desired speed (m/s), 4 runs"), "{page}");
    let before = fs::read(place.path("results/room-sweep/sweep.csv")).unwrap();
    let (out, err) = place.run(0, &format!("{words} --quiet --set scenario.room.count=4"));
    assert!(out.contains("results/room-sweep-2/sweep.html") && err.is_empty(), "{out}{err}");
    assert!(fs::read(place.path("results/room-sweep/sweep.csv")).unwrap() == before);
    place.refused(
        2,
        &format!("{words} --out results/room-sweep"),
        &["holds files already", "results/room-sweep", "--out"],
    );
    assert!(fs::read(place.path("results/room-sweep/sweep.csv")).unwrap() == before);
}

#[test]
fn models_are_swept_with_the_constants_that_they_have() {
    let place = Place::new();
    let (out, _) = place.run(0, "sweep room.toml --set model=social_force,orca --replicas 1 --out s");
    assert!(out.contains("model") && out.contains("orca"), "{out}");
    let csv = place.text("s/sweep.csv");
    assert!(csv.starts_with("scenario,model,") && csv.contains("\nroom,orca,"), "{csv}");
    assert!(place.text("s/sweep_time.svg").contains("orca"));
}

#[test]
fn a_scenario_without_the_key_is_no_point_over_it() {
    let place = Place::new();
    let street =
        "[scenario.street]\nkind = \"room\"\ncount = 3\nwidth_m = 5.0\ndepth_m = 5.0\nlimit_s = 20.0\n[target.time]";
    let text = ROOM.replace("count = 5", "count = { each = [4, 5] }").replace("[target.time]", street);
    place.write("two.toml", text);
    place.run(0, "sweep two.toml --replicas 1 --out s");
    let curve = place.text("s/sweep_time.svg");
    assert!(curve.contains(">\n4\n<") || curve.contains(">\n4.0\n<"), "ticks are numbers: {curve}");
    assert!(!curve.contains("street"), "{curve}");
}
