//! D6: `objective = "\\u001b[2J"` cleared the terminal; names, units and tokens went there as they were.

use crate::program::{Place, ROOM};

/// Clears the screen, sets the title, moves the cursor, turns the direction of reading.
const HOSTILE: &str = "a\u{1b}[2J\u{1b}]0;x\u{7}\u{9b}1A\u{202e}";
/// The same in a file.
const WRITTEN: &str = "a\\u001b[2J\\u001b]0;x\\u0007\\u009b1A\\u202E";

fn harmless(text: &str) -> bool {
    !text.chars().any(|c| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}')
}

#[test]
fn no_control_character_of_a_file_reaches_the_terminal() {
    let place = Place::new();
    let named = ROOM
        .replace("[target.time]", &format!("[target.time]\nobjective = \"{WRITTEN}\""))
        .replace("A tiny room", WRITTEN);
    place.write("named.toml", &named);
    for words in [
        "simulate named.toml",
        "simulate named.toml --json",
        "sweep named.toml --replicas 1",
        "evolve named.toml --out run",
        "report run",
    ] {
        let (out, err) = place.run(0, words);
        assert!(harmless(&out) && harmless(&err), "{words}: {out:?} {err:?}");
    }
    let (out, _) = place.run(0, "report run");
    assert!(out.contains("a\\u001b[2J"), "the name is shown, spelled out: {out}");
    // Words of a mistake.
    place.write("wrong.toml", format!("model = \"{WRITTEN}\"\n"));
    let err = place.refused(2, "simulate wrong.toml", &["\\u001b[2J"]);
    assert!(harmless(&err), "{err:?}");
    place.write("key.toml", format!("\"{WRITTEN}\" = 1\n{ROOM}"));
    assert!(harmless(&place.refused(2, "simulate key.toml", &[])));
}

#[test]
fn no_control_character_of_the_command_line_reaches_the_terminal() {
    let place = Place::new();
    for arguments in
        [&["evolve", HOSTILE][..], &[HOSTILE], &["list", HOSTILE], &["evolve", "room.toml", "--set", HOSTILE]]
    {
        let ran = place.command(arguments).output().unwrap();
        assert_eq!(ran.status.code(), Some(2));
        let err = String::from_utf8(ran.stderr).unwrap();
        assert!(harmless(&err) && err.contains("\\u009b"), "{err:?}");
    }
}

#[test]
fn json_stays_the_same_document() {
    let place = Place::new();
    place.write("named.toml", ROOM.replace("A tiny room", WRITTEN));
    let (out, _) = place.run(0, "evolve named.toml --json --quiet");
    assert!(harmless(&out));
    assert_eq!(out.parse::<serde_json::Value>().unwrap()["title"], HOSTILE);
}
