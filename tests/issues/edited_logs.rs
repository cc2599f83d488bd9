//! D1, D2: a row for four thousand million replicas took 32 GB; with another range in experiment.toml `export` gave 1563 for
//! 947; a changed digit of a value was believed.

use crate::program::{Place, ROOM};
use std::fs;

/// A folder `run` with the log of a short search.
fn searched() -> Place {
    let place = Place::new();
    place.run(0, "evolve room.toml --quiet --out run");
    place
}

/// Writes the log with its row `id` changed.
fn edit(place: &Place, id: usize, change: impl Fn(&str) -> String) {
    let log = place.text("run/trials.jsonl");
    let lines = log.lines().enumerate();
    let edited: String = lines.map(|(at, l)| if at == id + 1 { change(l) } else { l.into() } + "\n").collect();
    assert_ne!(edited, log);
    place.write("run/trials.jsonl", edited);
}

/// Every command that reads a log.
const READERS: [&str; 5] = [
    "report run",
    "export run --to json",
    "export run/best.json --to jupedsim",
    "compare run",
    "evolve room.toml --quiet --out run --resume",
];

#[test]
fn replicas_that_nobody_ran_are_refused_before_room_is_made_for_them() {
    let place = searched();
    let log = place.text("run/trials.jsonl");
    for (edited, says) in [
        ("\"replicas\":[0,4000000000]", "a number of replicas is too large"),
        ("\"replicas\":[4000000000,4000000001]", "the rows before it are for 2 replicas"),
        ("\"replicas\":[0,7]", "but `values` has 1 replicas"),
    ] {
        place.write("run/trials.jsonl", &log);
        edit(&place, 2, |row| row.replace("\"replicas\":[0,1]", edited));
        for command in READERS {
            place.refused(2, command, &[says, edited.trim_start_matches("\"replicas\":[").split(',').next().unwrap(), "trials.jsonl:4"]);
        }
    }
}
