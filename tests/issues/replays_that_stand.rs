//! The replay of a report was its first fresh seed, often one on which the published values win although they lose on the mean (A2). Its
//! counter said 19 overlaps where the table had 158 collisions, and 39 of 40 people were out where the last one had left (A6).

use crate::program::Place;
use serde_json::Value;

/// The row with this purpose.
fn row(log: &str, purpose: &str) -> Value {
    let of = |line: &&str| line.contains(&format!("\"purpose\":\"{purpose}\""));
    serde_json::from_str(log.lines().rfind(of).unwrap()).unwrap()
}

#[test]
fn the_replay_is_the_run_of_the_median_loss_and_counts_as_the_table_does() {
    let place = Place::new();
    place.run(
        0,
        "evolve room.toml --quiet --out run \
         --set measure.hits.metric=collisions --set scenario.room.width_m=4 --set scenario.room.depth_m=4 --set scenario.room.count=9 \
         --set scenario.room.limit_s=60 --set parameters.repulsion_range_m=0.02",
    );
    let (summary, log) = (place.text("run/summary.json"), place.text("run/trials.jsonl"));
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let report = row(&log, "report");
    // Columns in name order: hits, time; the loss of a time is (t - 5) / 15.
    let value = |row: &Value, replica: usize, column: usize| row["values"][0][replica][column].as_f64().unwrap();
    let mut losses: Vec<(f64, usize)> = (0..20).map(|r| (((value(&report, r, 1) - 5.0) / 15.0).max(0.0), r)).collect();
    losses.sort_by(|a, b| a.0.total_cmp(&b.0));
    let shown = &summary["shown"];
    let replica = shown["seed"].as_u64().unwrap() as usize - 1;
    assert_eq!(
        (losses[9].1, shown["of"].as_u64()),
        (replica, Some(20)),
        "the lower of the two in the middle: {losses:?}"
    );
    assert!((losses[9].0 - shown["loss"].as_f64().unwrap()).abs() < 1e-9);

    let replay: Value = serde_json::from_str(&place.text("run/replays/room.json")).unwrap();
    let note = format!("This is fresh seed {} of 20, on which the tuned set has the median loss", replica + 1);
    assert!(replay["note"].as_str().unwrap().starts_with(&note), "{}", replay["note"]);
    let mut hits = 0;
    for (crowd, row) in [(0, row(&log, "baseline")), (1, report)] {
        let crowd = &replay["crowds"][crowd];
        let times = |key: &str| crowd[key].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect::<Vec<_>>();
        let (left, hit) = (times("left_s"), times("collided_s"));
        assert_eq!(left.len(), 9, "N(t) ends with the last event");
        assert!((left[8] - value(&row, replica, 1)).abs() < 0.006, "the same run as in the log: {left:?}");
        assert_eq!(hit.len() as f64, value(&row, replica, 0), "one counter");
        hits += hit.len();
        // The band holds all runs.
        let ends: Vec<f64> = (0..20).map(|r| value(&row, r, 1)).collect();
        let seeds = &crowd["seeds"];
        let last = |key: &str| seeds[key][8].as_f64().unwrap();
        assert_eq!(seeds["runs"], 20);
        assert!((last("first_s") - ends.iter().copied().fold(f64::INFINITY, f64::min)).abs() < 0.006);
        assert!((last("last_s") - ends.iter().copied().fold(0.0, f64::max)).abs() < 0.006);
    }
    assert!(hits > 0, "nine people at one door bump into each other");

    let page = place.text("run/report.html");
    assert!(page.contains(&format!("fresh seed {} of 20", replica + 1)), "the page names the seed");
    assert!(place.text("run/plots/exits.svg").contains("20 seeds"));
    let player = place.text("run/replays/room.html");
    assert!(player.contains("collisions so far") && !player.contains("overlaps so far"));
}
