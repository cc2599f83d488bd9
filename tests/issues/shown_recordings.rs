//! C5: `measure` had no plot, no interval and no replay, and `fundamental_diagram` printed a bare 1.00.

use crate::program::Place;

/// Forty people walk east in a corridor one after the other, each a little slower than the last, in m at 10 frames a second.
fn walk() -> Place {
    let place = Place::new();
    let mut rows = String::from("# framerate: 10 fps\n# x/y in m\n");
    for id in 0..40 {
        let speed = 1.4 - 0.02 * f64::from(id);
        for frame in 0..100 {
            rows +=
                &format!("{id} {} {:.3} {:.1}\n", 8 * id + frame, 0.1 * speed * f64::from(frame), f64::from(id % 3));
        }
    }
    place.write("walk.txt", rows);
    place
}

const PLACE: &str = "POLYGON ((-1 -1, 15 -1, 15 3, -1 3, -1 -1))";
const AREA: &str = "--at [[2,-1],[6,-1],[6,3],[2,3]]";

#[test]
fn a_value_without_a_unit_says_what_it_is_and_shows_its_curve() {
    let place = walk();
    place.write("place.wkt", PLACE);
    let (out, err) =
        place.run(0, &format!("measure walk.txt --metric fundamental_diagram --geometry place.wkt {AREA}"));
    assert!(err.contains("note: `fundamental_diagram` has no unit: "), "{err}");
    for word in ["density_per_m2", "samples", "mean speed_m_per_s", "wanted"] {
        assert!(out.contains(word), "{out}");
    }
    assert!(out.lines().filter(|line| line.contains(" to ")).count() >= 2, "{out}");
}

#[test]
fn means_have_intervals_and_sums_have_none() {
    let place = walk();
    let words = format!("measure walk.txt --metric density_per_m2,flow_per_s,crossings {AREA} --at [[4,-1],[4,3]]");
    let (out, err) = place.run(0, &words);
    let of = |name: &str| out.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{out}")).to_string();
    assert!(
        of("density_per_m2").contains(" [")
            && of("flow_per_s").matches('[').count() > of("crossings").matches('[').count(),
        "{out}"
    );
    assert!(err.contains("note: intervals are 95 %, Student's t from the means of 10 blocks"), "{err}");
    let (out, _) = place.run(0, &format!("{words} --json"));
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    let ends = &document["measured"][0]["interval"];
    let value = document["measured"][0]["value"].as_f64().unwrap();
    assert!(ends[0].as_f64().unwrap() < value && value < ends[1].as_f64().unwrap(), "{out}");
    assert!(document["measured"][2]["interval"].is_null(), "{out}");
}

#[test]
fn a_recording_has_pictures_and_a_replay() {
    let place = walk();
    let words = format!("measure walk.txt --metric crossings,density_per_m2 {AREA} --at [[4,-1],[4,3]]");
    let (_, err) = place.run(0, &format!("{words} --picture seen.svg --replay seen.html"));
    for said in ["picture: seen.svg", "picture: seen-2.svg", "replay: seen.html"] {
        assert!(err.contains(said), "{err}");
    }
    assert!(place.text("seen.svg").starts_with("<svg") && place.text("seen-2.svg").contains("density"));
    let page = place.text("seen.html");
    assert!(page.contains("\"label\":\"recorded\"") && page.contains("walk.txt"));
    place.refused(2, &format!("{words} --replay seen.mp4"), &["--replay writes a page that a browser plays"]);
    let (_, err) = place.run(0, "measure walk.txt --metric speed_mean_m_per_s --picture none.svg");
    assert!(err.contains("none of these metrics has a table, so there is no picture"), "{err}");
}
