//! C4: `like = { file = TRACK }` took ids and frames of a trajectory for measured values.

use crate::program::{Place, ROOM};

fn place(file: &str, text: impl AsRef<[u8]>, more: &str) -> Place {
    let place = Place::new();
    place.write(file, text);
    let like = format!(
        "[target.speeds]\nmetric = \"speed_mean_m_per_s\"\nlike = {{ file = \"{file}\"{more} }}\ntolerance = 0.1\n[search]"
    );
    place.write("like.toml", ROOM.replace("[search]", &like));
    place
}

#[test]
fn tracks_and_tables_are_refused() {
    let rows = "1 0 0.5 1.0\n1 1 0.6 1.0\n2 0 3.5 1.0\n";
    let says =
        ["holds recorded tracks, not the values of a distribution", "--> t.txt", "one number a line", "column ="];
    for head in ["# framerate: 25 fps\n", "# PeTrack\n# id frame x/m y/m\n", "id,frame,x,y\n", ""] {
        place("t.txt", format!("{head}{rows}"), "").refused(2, "simulate like.toml", &says);
    }
    place("t.sqlite", b"SQLite format 3\0\xff", "").refused(
        2,
        "simulate like.toml",
        &["`t.sqlite` is an sqlite file", "one number a line"],
    );
    let table = "0.5 1.25\n1.5 1.5\n";
    place("t.txt", table, "").refused(2, "simulate like.toml", &["a table of 2 columns", "column ="]);
}

#[test]
fn a_column_is_read_by_name_or_number() {
    let text = "id,speed_m_per_s\n1,1.2\n2,1.3\n";
    place("t.csv", text, ", column = \"speed_m_per_s\"").run(0, "simulate like.toml");
    place("t.csv", text, ", column = 2").run(0, "simulate like.toml");
    let refused = |text: &str, column: &str, says: &[&str]| {
        place("t.csv", text, &format!(", column = {column}")).refused(2, "simulate like.toml", says);
    };
    refused(text, "\"speed\"", &["no column is called `speed`", "id, speed_m_per_s"]);
    refused(text, "3", &["t.csv:2", "nothing in column 3"]);
    refused("a,b\n1,2\n3,\n", "\"b\"", &["t.csv:3", "nothing in column 2"]);
    refused("a,b\n1,2\n3,x\n", "\"b\"", &["t.csv:3", "`x` is not a number"]);
    refused(text, "0", &["the name of a column, or its number, from 1"]);
}

#[test]
fn lists_of_numbers_are_read_as_before() {
    for text in ["1.2\n1.3\n", "# m/s\n1.2, 1.3\n", "1.2 1.3\n1.4\n"] {
        place("t.txt", text, "").run(0, "simulate like.toml");
    }
}
