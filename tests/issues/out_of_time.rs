//! A run that ended at its limit of 90 s with people inside gave "time 104 s": a penalty, printed like a time that was seen ("A").

use crate::program::{Place, ROOM};
use std::fs;

const INSIDE: &str = "people were still inside at the limit; such a run counts as limit x (1 + share still inside)";

#[test]
fn a_time_beyond_the_limit_is_said_to_be_a_penalty() {
    let place = Place::new();
    place.write("late.toml", ROOM.replace("limit_s = 20.0", "limit_s = 2.0"));
    let (out, _) = place.run(0, "simulate late.toml");
    assert!(out.contains("time (social_force): people were still inside at the limit"), "{out}");
    let (out, _) = place.run(0, "sweep late.toml --replicas 2 --quiet --out sweep");
    assert!(out.contains(&format!("time: in 2 of 2 runs {INSIDE}")), "{out}");
    assert!(fs::read_to_string(place.path("sweep/sweep.html")).unwrap().contains(INSIDE));
    let (out, _) = place.run(0, "evolve late.toml --quiet --evaluations 4 --out run");
    assert!(out.contains("Use it with care.") && out.contains(INSIDE), "{out}");
    // In time nothing is said.
    for words in ["simulate room.toml", "sweep room.toml --replicas 2 --quiet --out other"] {
        assert!(!place.run(0, words).0.contains(INSIDE), "{words}");
    }
}

#[test]
fn a_line_far_from_everybody_is_said_where_the_count_is_0() {
    let place = Place::new();
    place.write("tracks.txt", "# framerate: 10\n1 0 0 0\n1 1 0.1 0\n1 2 0.2 0\n");
    let (_, err) = place.run(0, "measure tracks.txt --unit m --metric crossings --at [[9,-1],[9,1]]");
    assert!(err.contains("is 0: nobody crosses this line; people are at x from 0.00 to 0.20 m"), "{err}");
    let (_, err) = place.run(0, "measure tracks.txt --unit m --metric crossings --at [[0.1,-1],[0.1,1]]");
    assert!(!err.contains("nobody"), "{err}");
}
