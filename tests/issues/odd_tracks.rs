//! C5: `measure` took centimeters for meters and a third column for a position without a word, did not notice rows that were
//! missing, and gave a dash without a reason.

use crate::program::Place;

/// Four people walk east with 1.3 m/s at 25 frames a second, in cm; `keep` gets the number of the row.
fn walk(head: &str, keep: impl Fn(usize) -> bool) -> String {
    let rows = (0..400).filter(|k| keep(*k)).map(|k| {
        let (id, frame) = (k / 100, k % 100);
        format!("{} {frame} {:.2} {}\n", id + 1, 5.2 * frame as f64, 100 * id)
    });
    head.to_owned() + &rows.collect::<String>()
}

const HEAD: &str = "# framerate: 25 fps\n";
const LINE: &str = "--metric crossings --at [[2,-1],[2,9]]";

#[test]
fn speeds_that_no_crowd_has_are_said_or_refused() {
    let place = Place::new();
    place.write("cm.txt", walk(HEAD, |_| true));
    let (_, err) = place.run(0, &format!("measure cm.txt --unit cm {LINE}"));
    assert_eq!(err, "", "people who walk need no warning");
    place.refused(
        2,
        &format!("measure cm.txt --unit m {LINE}"),
        &["median speed is 130.0 m/s", "is the unit cm", "1.30 m/s", "--unit"],
    );
    let (_, err) = place.run(0, &format!("measure cm.txt --unit cm --fps 100 {LINE}"));
    assert!(err.contains("warning: cm.txt: the median speed is 5.20 m/s") && err.contains("frame rate"), "{err}");
}

#[test]
fn rows_that_are_missing_are_counted() {
    let place = Place::new();
    place.write("gaps.txt", walk(HEAD, |k| k % 7 != 6));
    let (_, err) = place.run(0, &format!("measure gaps.txt --unit cm {LINE}"));
    assert!(err.contains("rows are missing inside the tracks of 4 of 4 people: 56, 14.0 % of all"), "{err}");
    assert!(err.contains("the first of person 3 between frames 1 and 3"), "{err}");
    let (out, _) = place.run(0, &format!("measure gaps.txt --unit cm --json {LINE}"));
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(document["warnings"][0].as_str().unwrap().starts_with("rows are missing"));
}

#[test]
fn an_id_twice_in_a_frame_is_refused_with_both_lines() {
    let place = Place::new();
    place.write("twice.txt", format!("{HEAD}1 0 0 0\n2 0 9 9\n1 0 50 0\n"));
    let says = ["person 1 is twice in frame 0", "twice.txt:4", "line 2 has it first"];
    place.refused(2, &format!("measure twice.txt --unit cm {LINE}"), &says);
}

#[test]
fn a_dash_has_a_reason() {
    let place = Place::new();
    place.write("cm.txt", walk(HEAD, |_| true));
    let (out, err) = place.run(0, "measure cm.txt --unit cm --metric flow_per_s --at [[200,-1],[200,9]]");
    assert!(out.contains('\u{2013}'), "{out}");
    assert!(err.contains("has no value: nobody crosses this line; people are at x from 0.00 to 5.15 m"), "{err}");
    let (_, err) = place.run(0, "measure cm.txt --unit cm --metric flow_per_s --at [[2,-0.5],[2,0.5]]");
    assert!(err.contains("has no value: 1 person crossing the line"), "{err}");
}
