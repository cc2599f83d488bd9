//! `crowdtune measure`: tracks as text and as JuPedSim writes them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Two people walk east with 1 m/s along y = 1; number 7 starts a second later at the same place. 10 frames a second.
fn tracks() -> String {
    let mut text = String::from("# framerate: 10 fps\n# x/y/z in m\n# id frame x y z\n");
    for frame in 0..60 {
        for (id, start) in [(3, 0), (7, 10)] {
            if (start..start + 50).contains(&frame) {
                let x = 0.05 + 0.1 * f64::from(frame - start);
                text += &format!("{id}\t{frame}\t{x:.4}\t1.0\t0\n");
            }
        }
    }
    text
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("walk.txt"), tracks()).unwrap();
    folder
}

fn measure(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crowdtune"));
    command.current_dir(folder).env("COLUMNS", "200").arg("measure").args(words).output().unwrap()
}

fn json(folder: &Path, words: &[&str]) -> serde_json::Value {
    let out = measure(folder, &[words, &["--json"]].concat());
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

fn says(folder: &Path, words: &[&str], texts: &[&str]) {
    let out = measure(folder, words);
    let message = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{words:?}: {message}");
    for text in texts {
        assert!(message.contains(text), "{words:?} does not say {text}: {message}");
    }
}

/// A file as JuPedSim writes it, version 2, with people who stand.
fn jupedsim(path: &Path, wkt: Option<&str>) {
    let db = rusqlite::Connection::open(path).unwrap();
    db.execute_batch(
        "CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,
           pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
         CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
         CREATE INDEX frame_id_idx ON trajectory_data (frame, id);
         INSERT INTO metadata VALUES ('version', '2'), ('fps', '10.0');",
    )
    .unwrap();
    if let Some(wkt) = wkt {
        db.execute_batch(
            "CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
             CREATE UNIQUE INDEX geometry_hash ON geometry (hash);
             CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);",
        )
        .unwrap();
        db.execute("INSERT INTO geometry VALUES (?1, ?2)", (7, wkt)).unwrap();
    }
    for frame in 0..21 {
        for (id, y) in [(1, 0.2), (2, 1.0)] {
            let row = (frame, id, 0.1 * f64::from(frame), y);
            db.execute("INSERT INTO trajectory_data VALUES (?1, ?2, ?3, ?4, 1.0, 0.0)", row).unwrap();
        }
    }
}

#[test]
fn text_tracks_are_measured_at_lines_and_in_areas() {
    let folder = folder();
    let document = json(
        folder.path(),
        &[
            "walk.txt",
            "--metric",
            "flow_per_s",
            "--metric",
            "crossings",
            "--metric",
            "passing_speed_m_per_s",
            "--at",
            "[[2, 0], [2, 2]]",
            "--at",
            "LINESTRING (3 0, 3 2)",
            "--at",
            "[[1, 0], [3, 0], [3, 2], [1, 2]]",
            "--out",
            "out",
        ],
    );
    assert_eq!((document["people"].as_i64(), document["frames"][1].as_i64()), (Some(2), Some(59)));
    let values: Vec<(&str, f64)> = document["measured"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| (m["metric"].as_str().unwrap(), m["value"].as_f64().unwrap()))
        .collect();
    // One second apart; 2 m in 20 frames.
    let wanted = [
        ("flow_per_s", 1.0),
        ("flow_per_s", 1.0),
        ("crossings", 2.0),
        ("crossings", 2.0),
        ("passing_speed_m_per_s", 1.0),
    ];
    for ((name, value), (wanted_name, wanted)) in values.iter().zip(wanted) {
        assert!(*name == wanted_name && (value - wanted).abs() < 1e-9, "{name} {value}");
    }
    assert_eq!(values.len(), 5);
    let table = fs::read_to_string(folder.path().join("out/crossings.csv")).unwrap();
    // From 1.95 m at 1.9 s to 2.05 m at 2.0 s.
    assert!(table.starts_with("time_s,people\n0,0\n") && table.contains("\n1.9,0\n2,1\n"), "{table}");
    assert!(folder.path().join("out/crossings-2.csv").is_file());
    assert!(folder.path().join("out/passing_speed_m_per_s.csv").is_file());
    assert!(!folder.path().join("out/flow_per_s.csv").exists());
}

#[test]
fn a_line_times_what_is_measured_in_an_area() {
    let folder = folder();
    let area = "[[1, 0], [3, 0], [3, 2], [1, 2]]";
    let values = |more: &[&str]| {
        let words = ["walk.txt", "--metric", "density_per_m2,speed_area_m_per_s", "--at", area];
        let document = json(folder.path(), &[&words[..], more].concat());
        let values = document["measured"].as_array().unwrap().iter();
        values.map(|m| m["value"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    // At x = 3 number 3 is seen beyond at 3.0 s and number 7 at 4.0 s; in ten of those eleven frames one is in the 4 m2.
    for more in [
        &["--at", "[[3, 0], [3, 2]]", "--window", "crossings=[0, 1]"][..],
        &["--window", "crossings=[0, 1], of={ line = [[3, 0], [3, 2]] }"],
    ] {
        let values = values(more);
        assert!((values[0] - 10.0 / 44.0).abs() < 1e-9 && (values[1] - 1.0).abs() < 1e-9, "{values:?}");
    }
    let no_line = ["walk.txt", "--metric", "density_per_m2", "--at", area, "--window", "crossings=[0, 1]"];
    says(folder.path(), &no_line, &["--window", "of = { line"]);
}

#[test]
fn frames_units_radii_and_leaving() {
    let folder = folder();
    let value = |words: &[&str]| json(folder.path(), words)["measured"][0]["value"].as_f64();
    let crossings = ["walk.txt", "--metric", "crossings", "--at", "[[2, 0], [2, 2]]"];
    assert_eq!(value(&[&crossings[..], &["--frames", "0:25"]].concat()), Some(1.0));
    assert_eq!(value(&[&crossings[..], &["--frames", "25:"]].concat()), Some(1.0));
    assert_eq!(value(&[&crossings[..], &["--unit", "cm"]].concat()), Some(0.0));
    assert_eq!(value(&[&crossings[..], &["--every", "0.5"]].concat()), Some(2.0));
    // Number 3 is last seen in frame 49; number 7 is there to the end.
    let out = ["walk.txt", "--metric", "people_out"];
    assert_eq!(value(&out), Some(1.0));
    // A meter apart: disks of 0.6 m overlap by 0.2 m.
    let overlap = value(&["walk.txt", "--metric", "overlap_max_m", "--radius", "0.6"]).unwrap();
    assert!((overlap - 0.2).abs() < 1e-9, "{overlap}");
}

#[test]
fn jupedsim_files_bring_their_geometry() {
    let folder = folder();
    jupedsim(&folder.path().join("room.sqlite"), Some("POLYGON ((-1 0, 4 0, 4 2, -1 2, -1 0))"));
    let document = json(
        folder.path(),
        &[
            "room.sqlite",
            "--metric",
            "wall_overlap_max_m",
            "--metric",
            "crossings",
            "--radius",
            "0.3",
            "--at",
            "[[1.05, 0], [1.05, 2]]",
        ],
    );
    assert_eq!((document["people"].as_i64(), document["frames_per_s"].as_f64()), (Some(2), Some(10.0)));
    let overlap = document["measured"][0]["value"].as_f64().unwrap();
    assert!((overlap - 0.1).abs() < 1e-9, "{overlap}");
    assert_eq!(document["measured"][1]["value"].as_f64(), Some(2.0));

    // Another geometry goes before that of the file; without any there is no wall.
    let words = ["room.sqlite", "--metric", "wall_overlap_max_m", "--radius", "0.3"];
    let wide = ["--geometry", "POLYGON ((-1 -5, 4 -5, 4 5, -1 5, -1 -5))"];
    assert_eq!(json(folder.path(), &[&words[..], &wide[..]].concat())["measured"][0]["value"].as_f64(), Some(0.0));
    jupedsim(&folder.path().join("open.sqlite"), None);
    let open = ["open.sqlite", "--metric", "crossings", "--at", "[[1.05, 0], [1.05, 2]]"];
    assert_eq!(json(folder.path(), &open)["measured"][0]["value"].as_f64(), Some(2.0));
}

#[test]
fn what_a_simulation_writes_can_be_measured() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = "model = \"social_force\"\nscenario.room = { kind = \"room\", count = 5, width_m = 5.0, depth_m = 5.0 }\n\
                      target.time = { metric = \"evacuation_time_100_s\", at_most = 20 }\n";
    fs::write(folder.path().join("room.toml"), experiment).unwrap();
    let mut simulate = Command::new(env!("CARGO_BIN_EXE_crowdtune"));
    let words = ["simulate", "room.toml", "--trajectory", "room.txt", "--json"];
    let out = simulate.current_dir(folder.path()).args(words).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let simulated: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let document = json(folder.path(), &["room.txt", "--metric", "speed_mean_m_per_s", "--metric", "people_out"]);
    assert_eq!(document["people"].as_i64(), Some(5));
    let end = simulated["runs"][0]["end_s"].as_f64().unwrap();
    assert!(document["time_s"][1].as_f64().unwrap() <= end + 0.1);
    let speed = document["measured"][0]["value"].as_f64().unwrap();
    assert!((0.3..2.0).contains(&speed), "{speed}");
}

#[test]
fn mistakes_are_named() {
    let folder = folder();
    let here = folder.path();
    says(here, &["walk.txt", "--metric", "flow"], &["no metric `flow`", "flow_per_s"]);
    says(here, &["walk.txt", "--metric", "flow_per_s"], &["measured at a line", "--at"]);
    says(
        here,
        &["walk.txt", "--metric", "speed_mean_m_per_s", "--at", "[[0, 0], [1, 1]]"],
        &["none of these metrics", "a line"],
    );
    says(here, &["walk.txt", "--metric", "overlap_max_m"], &["needs the radius", "--radius"]);
    says(here, &["walk.txt", "--metric", "body_pressure_p95_n_per_m"], &["contact forces"]);
    says(here, &["walk.txt", "--metric", "exit_share"], &["through which exit"]);
    says(here, &["walk.txt", "--metric", "people_out", "--frames", "100:"], &["no frame"]);
    says(here, &["walk.txt", "--metric", "people_out", "--periodic", "x"], &["extent"]);
    says(here, &["walk.txt", "--metric", "people_out", "--set", "a=1"], &["--set a"]);
    says(here, &["walk.txt", "--metric", "people_out", "--fps", "0"], &["--fps"]);
    says(here, &["walk.txt", "--metric", "people_out", "--geometry", "nowhere.wkt"], &["nowhere.wkt"]);
    says(here, &["gone.txt", "--metric", "people_out"], &["gone.txt"]);
    fs::write(here.join("bad.txt"), "# framerate: 10\n# in m\n1 0 0 0\n1 1 0 north\n").unwrap();
    says(here, &["bad.txt", "--metric", "people_out"], &["`north`", "bad.txt:4"]);
    fs::write(here.join("cut.h5"), &ARCHIVE[0][..3000]).unwrap();
    says(here, &["cut.h5", "--metric", "people_out"], &["cut.h5", "Pedestrian Dynamics Data Archive", "`trajectory`"]);
    fs::write(here.join("bad.sqlite"), b"SQLite format 3\0 and nothing more").unwrap();
    says(here, &["bad.sqlite", "--metric", "people_out"], &["bad.sqlite", "JuPedSim"]);
}

/// As h5py writes them; `archive.py` is the script.
const ARCHIVE: [&[u8]; 2] =
    [include_bytes!("../../fuzz/corpus/archive/plain.h5"), include_bytes!("../../fuzz/corpus/archive/packed.h5")];

#[test]
fn hdf5_of_the_archive_brings_tracks_frame_rate_and_place() {
    let folder = tempfile::tempdir().unwrap();
    for file in ARCHIVE {
        fs::write(folder.path().join("archive.h5"), file).unwrap();
        let words = ["archive.h5", "--metric", "speed_mean_m_per_s,wall_overlap_max_m", "--radius", "1.3"];
        let found = json(folder.path(), &words);
        assert_eq!(found["people"], 2, "{found}");
        let value = |k: usize| found["measured"][k]["value"].as_f64().unwrap();
        // One walks 1 m/s, one stands; that one is 0.5 m from a wall.
        assert!((value(0) - 0.5).abs() < 1e-6 && (value(1) - 0.8).abs() < 1e-6, "{found}");
        // What is said on the command line counts.
        let slow = json(folder.path(), &[&words[..], &["--fps", "5", "--unit", "cm"]].concat());
        assert!((slow["measured"][0]["value"].as_f64().unwrap() - 0.0025).abs() < 1e-8, "{slow}");
    }
}
