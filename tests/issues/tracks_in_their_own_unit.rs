//! C2: `tracks` of a scenario took no fps, unit or columns, and the error recommended `--fps` to commands that have no such option.

use crate::program::Place;

/// One person walks east with 1 m/s for 2 s, in cm at 10 frames a second, frames first.
fn rows(name: &str) -> Place {
    let place = Place::new();
    place.write(name, (0..21).map(|frame| format!("{frame} 1 {} 170 200\n", 100 + 10 * frame)).collect::<String>());
    place
}

fn with(place: &Place, tracks: &str) {
    let text = format!(
        "model = \"social_force\"\n[scenario.street]\nwalkable = \"POLYGON ((0 0, 9 0, 9 4, 0 4, 0 0))\"\nlimit_s = 2.0\n\
         tracks = {{ file = \"t.txt\"{tracks} }}\n[scenario.street.group.a]\ncount = 1\n\
         from = {{ points = [[1, 2]] }}\nto = {{ heading = [1, 0] }}\n[people]\ndesired_speed_m_per_s = 1.0\n\
         [target.near]\nmetric = \"track_error_m2\"\nminimize = {{ good = 0, bad = 1 }}\n"
    );
    place.write("street.toml", text);
}

const COLUMNS: &str = "columns = [\"frame\", \"id\", \"x\", \"_\", \"y\"]";

#[test]
fn a_file_of_any_kind_is_read_without_editing_it() {
    let place = rows("t.txt");
    with(&place, &format!(", fps = 10, unit = \"cm\", {COLUMNS}"));
    let (out, err) = place.run(0, "simulate street.toml --json");
    assert!(!err.contains("warning"), "{err}");
    // Alone, with the speed of the recording, nobody strays.
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    let error = document["runs"][0]["values"]["near"].as_f64().unwrap();
    assert!(error < 1e-4, "{out}");
}

#[test]
fn what_is_missing_is_named_by_its_key() {
    let place = rows("t.txt");
    with(&place, &format!(", unit = \"cm\", {COLUMNS}"));
    let err = place.refused(
        2,
        "simulate street.toml",
        &["how many frames a second", "scenario.street.tracks.fps", "--> t.txt"],
    );
    assert!(!err.contains("--fps"), "{err}");
    with(&place, &format!(", fps = 10, {COLUMNS}"));
    place.refused(2, "simulate street.toml", &["the unit of its coordinates", "scenario.street.tracks.unit"]);
    with(&place, ", fps = 10, unit = \"cm\", columns = [\"frame\", \"x\", \"y\"]");
    place.refused(2, "simulate street.toml", &["no column is called `id`", "scenario.street.tracks.columns"]);
    with(&place, ", fps = 10, unit = \"mm\"");
    place.refused(2, "simulate street.toml", &["`unit` is \"mm\"", "m, cm"]);
    // The command that has the options names them.
    place.refused(2, "measure t.txt --metric people_out", &["--fps"]);
}

#[test]
fn odd_tracks_are_said_or_refused_in_an_experiment_too() {
    let place = rows("t.txt");
    with(&place, &format!(", fps = 10, unit = \"m\", {COLUMNS}"));
    let says = ["median speed is 100.0 m/s", "is the unit cm", "scenario.street.tracks.unit"];
    place.refused(2, "simulate street.toml", &says);
    let text: String = place.text("t.txt").lines().filter(|l| !l.starts_with("7 ")).map(|l| format!("{l}\n")).collect();
    place.write("t.txt", text);
    with(&place, &format!(", fps = 10, unit = \"cm\", {COLUMNS}"));
    let (_, err) = place.run(0, "simulate street.toml");
    assert!(
        err.contains("warning: t.txt: rows are missing inside the tracks of 1 of 1 people: 1, 4.8 % of all"),
        "{err}"
    );
}
