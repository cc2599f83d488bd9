//! D1, D2: a row for four thousand million replicas took 32 GB; with another range in experiment.toml `export` gave 1563 for
//! 947; a changed digit of a value was believed, and one of a genome, a seed or another engine's row after that was mended.

use crate::program::Place;
use crowdtune_testing::sealed::sealed;

/// A folder `run` with the log of a short search.
fn searched() -> Place {
    let place = Place::new();
    place.run(0, "evolve room.toml --quiet --out run");
    place
}

/// Writes the log with its row `id` changed, and with checksums that fit.
fn edit(place: &Place, id: usize, change: impl Fn(&str) -> String) {
    let log = place.text("run/trials.jsonl");
    let lines = log.lines().enumerate();
    let edited: String = lines.map(|(at, l)| if at == id + 1 { change(l) } else { l.into() } + "\n").collect();
    assert_ne!(edited, log);
    place.write("run/trials.jsonl", sealed(edited));
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
            place.refused(2, command, &[says, "trials.jsonl:4"]);
        }
    }
}

#[test]
fn an_experiment_that_was_not_run_is_refused() {
    let place = searched();
    let text = place.text("run/experiment.toml");
    for (from, to, says) in [
        ("[0.1, 2.0]", "[0.1, 5.0]", "it gives another range, scenario, target or setting"),
        ("[target.time]", "[target.tempo]", "its targets and measures are tempo, in the log time"),
        ("seed = 1\n", "seed = 2\n", "its seed is 2, in the log 1"),
    ] {
        assert!(text.contains(from), "{text}");
        place.write("run/experiment.toml", text.replace(from, to));
        for command in &READERS[..4] {
            place.refused(2, command, &[says, "trials.jsonl:1", "--resume"]);
        }
    }
    // What the message says to do.
    place.run(0, "evolve room.toml --quiet --out run --resume");
    assert!(place.text("run/experiment.toml") == text);
    place.run(0, "report run");
}

#[test]
fn a_changed_digit_of_a_value_is_refused() {
    let place = searched();
    let log = place.text("run/trials.jsonl");
    let flipped = |row: &str| {
        let at = row.find("\"values\":[[[").unwrap() + 12;
        let digit = if row.as_bytes()[at] == b'7' { "8" } else { "7" };
        format!("{}{digit}{}", &row[..at], &row[at + 1..])
    };
    for id in [0, 5, 9] {
        place.write("run/trials.jsonl", &log);
        edit(&place, id, flipped);
        for command in READERS {
            place.refused(
                2,
                command,
                &["the values of this row do not give its objectives", &format!("trials.jsonl:{}", id + 2)],
            );
        }
    }
}

#[test]
fn a_changed_digit_anywhere_is_refused_with_its_line() {
    let place = searched();
    let log = place.text("run/trials.jsonl");
    for (line, before) in [
        (1, "\"seed\":"),
        (1, "\"digest\":\""),
        (3, "\"genome\":[0."),
        (4, "\"replicas\":["),
        (4, "\"objectives\":[0."),
        (5, "\"values\":[[["),
        (6, "\"check\":\""),
    ] {
        let lines: Vec<&str> = log.split_inclusive('\n').collect();
        let at = lines[line - 1].find(before).unwrap() + before.len();
        let digit = if lines[line - 1].as_bytes()[at] == b'7' { "8" } else { "7" };
        let edited = format!("{}{digit}{}", &lines[line - 1][..at], &lines[line - 1][at + 1..]);
        let text = [&lines[..line - 1], &[edited.as_str()], &lines[line..]].concat().concat();
        place.write("run/trials.jsonl", text);
        for command in READERS {
            place.refused(2, command, &["does not fit its checksum", &format!("trials.jsonl:{line}")]);
        }
    }
    // What the message says to do: the rows up to the damaged one are kept.
    place.write("run/trials.jsonl", log.split_inclusive('\n').take(4).collect::<String>());
    place.run(0, READERS[4]);
    assert!(place.text("run/trials.jsonl") == log);
}

#[test]
fn a_log_of_older_results_is_read_and_not_continued() {
    let place = searched();
    let now = crowdtune::evolve::log::RESULTS;
    let (from, to) = (format!("\"results\":{now}"), format!("\"results\":{}", now - 1));
    let log = place.text("run/trials.jsonl").replacen(&from, &to, 1);
    place.write("run/trials.jsonl", sealed(log));
    place.run(0, "report run");
    place.refused(2, READERS[4], &["results version", "trials.jsonl:1"]);
    let other = place.text("run/experiment.toml").replace("[target.time]", "[target.tempo]");
    place.write("run/experiment.toml", other);
    place.refused(
        2,
        "report run",
        &["its targets and measures are tempo, in the log time", "the log was written by crowdtune"],
    );
}
