//! A5: the sweep of faster_is_slower had a column "paper (s)" with our own times, and the file said that the shortest is at
//! 1.5 m/s where its own is at 2.

use crate::program::Place;
use std::path::Path;

#[test]
fn what_the_paper_has_stands_beside_what_we_have() {
    let place = Place::new();
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/faster_is_slower.toml");
    let text = std::fs::read_to_string(config).unwrap();
    assert!(text.lines().next().unwrap().contains("faster than about 2 m/s"));
    place.write("faster.toml", text);
    let (out, _) = place.run(0, "sweep faster.toml --replicas 1 --quiet --set scenario.room.count=10");
    let head = out.lines().find(|line| line.contains("everybody")).unwrap();
    assert!(head.contains("everybody wanted") && !head.contains("paper"), "{head}");
    for wanted in ["135 \u{b1} 13.5", "115 \u{b1} 11.5", "130 \u{b1} 13", "215 \u{b1} 21.5"] {
        assert!(out.contains(wanted), "no {wanted} in\n{out}");
    }
    assert!(place.text("results/faster-sweep/sweep.html").contains("135 \u{b1} 13.5"));
}
