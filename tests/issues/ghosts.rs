//! C1: who was not yet recorded stood or walked in a run from its start, pushed others, and the jump to the first recorded place
//! counted as error: two files that differ only in where somebody unseen starts had errors of 0.336 and 0.161 m2.

use crate::program::Place;

/// The first person walks east for 10 s; the second comes in after 5 s, far away. `from` is where the file has the second one start.
fn error(place: &Place, from: &str, restart: &str) -> f64 {
    let first = (0..101).map(|frame| format!("1 {frame} {:.1} 0\n", -5.0 + 0.1 * f64::from(frame)));
    let second = (50..101).map(|frame| format!("2 {frame} {:.1} 4\n", 9.0 - 0.1 * f64::from(frame - 50)));
    place.write("t.txt", format!("# framerate: 10 fps\n# x/y in m\n{}", first.chain(second).collect::<String>()));
    place.write(
        "ghost.toml",
        format!(
            "model = \"social_force\"\n[people]\ndesired_speed_m_per_s = 1.0\nradius_m = 0.2\n\
             [scenario.s]\nwalkable = \"POLYGON ((-10 -5, 10 -5, 10 5, -10 5, -10 -5))\"\nlimit_s = 10.0\n\
             tracks = {{ file = \"t.txt\"{restart} }}\n\
             [scenario.s.group.a]\ncount = 1\nfrom = {{ points = [[-5, 0]] }}\nto = {{ heading = [1, 0] }}\n\
             [scenario.s.group.b]\n{from}to = {{ heading = [-1, 0] }}\n\
             [target.tracks]\nmetric = \"track_error_m2\"\nminimize = {{ good = 0.0, bad = 0.01 }}\n"
        ),
    );
    let (out, _) = place.run(0, "simulate ghost.toml --json --trajectory out.txt");
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    document["runs"][0]["values"]["tracks"].as_f64().unwrap()
}

#[test]
fn nobody_is_there_before_being_seen() {
    let place = Place::new();
    let in_the_way = "count = 1\nfrom = { points = [[0.6, 0.05]] }\n";
    let far_away = "count = 1\nfrom = { points = [[5, 4]] }\n";
    for restart in ["", ", restart_every_s = 1.0"] {
        let errors = [in_the_way, far_away, ""].map(|from| error(&place, from, restart));
        assert_eq!(errors, [errors[0]; 3]);
        // Both walk as they want to, and coming in is no error.
        assert!(errors[0] < 1e-4, "{errors:?}");
    }
    // The written track has the second person in the very frames of the recording.
    let frames: Vec<u32> =
        place.text("out.txt").lines().filter_map(|l| l.strip_prefix("1 ")?.split(' ').next()?.parse().ok()).collect();
    assert_eq!(frames, (50..101).collect::<Vec<u32>>());
}

#[test]
fn groups_of_a_recording_need_neither_number_nor_start() {
    let place = Place::new();
    error(&place, "", "");
    let text = place.text("ghost.toml");
    // Where the tracks lead: two people who walk straight do not stray.
    place
        .write("led.toml", text.replace("to = { heading = [1, 0] }\n", "").replace("to = { heading = [-1, 0] }\n", ""));
    let (out, _) = place.run(0, "simulate led.toml --json");
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(document["runs"][0]["values"]["tracks"].as_f64().unwrap() < 1e-4, "{out}");
    place.write("two.toml", text.replace("count = 1\n", ""));
    place.refused(2, "simulate two.toml", &["`scenario.s.group.b` has no `count`", "only one group may leave it out"]);
    place.write("none.toml", text.replace("count = 1\n", "count = 2\n"));
    place.refused(2, "simulate none.toml", &["nobody of the recording is left"]);
    place.write("rate.toml", text.replace("count = 1\n", "inflow_per_s = 1\n"));
    place.refused(2, "simulate rate.toml", &["come in when they are seen, not at a rate"]);
    place.write(
        "metric.toml",
        text.replace("track_error_m2", "people_left").replace("heading = [1, 0]", "point = [9, 0]"),
    );
    place.refused(2, "simulate metric.toml", &["lets people go when its `tracks` end"]);
    place.write("wall.toml", text.replace("10 5,", "10 3.5,"));
    let (_, err) = place.run(0, "simulate wall.toml");
    assert!(err.contains("recorded places are not walkable, the first is that of person 2 at (9.00, 4.00)"), "{err}");
}
