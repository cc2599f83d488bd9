//! C3: nothing is drawn in a fit to tracks, so its intervals over seeds had no width: [3.88, 3.88]. They are over the recorded people.

use crate::program::Place;

/// Six people walk east side by side, each with another speed; the model has them all want 1 m/s.
fn street(place: &Place) {
    let rows = (0..6).flat_map(|id| {
        let speed = 0.8 + 0.08 * f64::from(id);
        (0..21).map(move |frame| format!("{id} {frame} {:.3} {}\n", 1.0 + 0.1 * speed * f64::from(frame), 2 * id))
    });
    place.write("t.txt", format!("# framerate: 10 fps\n# x/y in m\n{}", rows.collect::<String>()));
    place.write(
        "street.toml",
        "format = 1\nmodel = \"social_force\"\n[parameters]\nrelaxation_time_s = { range = [0.1, 1.0] }\n\
         [people]\ndesired_speed_m_per_s = 1.0\nradius_m = 0.2\n\
         [scenario.street]\nwalkable = \"POLYGON ((0 -2, 9 -2, 9 12, 0 12, 0 -2))\"\n\
         tracks = { file = \"t.txt\", restart_every_s = 1.0 }\n[scenario.street.group.a]\n\
         [target.near]\nmetric = \"track_error_m2\"\nminimize = { good = 0, bad = 1 }\n\
         [search]\nevaluations = 8\nreplicas = 1\n",
    );
}

#[test]
fn the_interval_of_a_track_error_is_over_people() {
    let place = Place::new();
    street(&place);
    let (out, _) = place.run(0, "evolve street.toml --out run");
    let summary: serde_json::Value = serde_json::from_str(&place.text("run/summary.json")).unwrap();
    for of in [&summary["cases"][0], &summary["targets"][0]] {
        for side in ["default", "tuned"] {
            let [value, low, high] = ["value", "low", "high"].map(|key| of[side][key].as_f64().unwrap());
            assert!(low < 0.9 * value && value < 0.95 * high, "{of}");
        }
    }
    for side in ["default", "tuned"] {
        let [low, high] = ["low", "high"].map(|key| summary["objectives"][0][side][key].as_f64().unwrap());
        assert!(low < 0.95 * high, "{}", summary["objectives"][0]);
    }
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("] m2 (95 % over the recorded people); for people who walk straight on it is"), "{out}");
    // Everybody keeps the own speed, so nobody walks straighter.
    assert!(summary["baselines"][0]["difference"]["low"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_sweep_has_a_row_for_each_way_to_walk_without_a_model() {
    let place = Place::new();
    street(&place);
    let (out, _) = place.run(0, "sweep street.toml --set model=social_force,orca --replicas 1 --quiet --out s");
    let rows: Vec<&str> = out.lines().filter(|line| line.contains('[')).map(str::trim).collect();
    assert_eq!(rows.len(), 4, "{out}");
    for (row, name) in rows.iter().zip(["social_force", "orca", "walking straight on", "standing still"]) {
        assert!(row.starts_with(name), "{out}");
    }
    assert!(
        out.contains("over the recorded people") && place.text("s/sweep.html").contains("over the recorded people")
    );
    assert_eq!(place.text("s/sweep.csv").lines().count(), 5);
}
