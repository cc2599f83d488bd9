//! An atlas from the file to the preset: cells, pictures, picks; the same bytes for any threads and after any cut.

use crowdtune_testing::program::Place;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Eight people on a small field whose flock is loose or tight, slow or fast.
pub const FIELD: &str = r#"
title = "A tiny atlas"
model = "five_force"
[parameters]
alignment_weight = { range = [0.0, 1.0] }
cohesion_weight = { range = [0.0, 1.0] }
repulsion_weight = { range = [0.0, 1.0] }
[scenario.field]
kind = "open_field"
count = 8
size_m = 10.0
start_size_m = 6.0
periodic = "xy"
limit_s = 10.0
replicas = 3
[atlas.polarization]
metric = "polarization"
window = { time_s = [2, 10] }
range = [0, 1]
cells = 4
[atlas.spacing]
range = [0, 2.4]
cells = 4
[measure.spacing]
metric = "nearest_neighbor_m"
[target.pace]
metric = "speed_mean_m_per_s"
maximize = { good = 1.3, bad = 0.3 }
[simulation]
time_step_s = 0.1
sample_every_s = 0.5
[search]
evaluations = 60
parallel = 8
"#;

fn in_field() -> Place {
    Place::new(env!("CARGO_BIN_EXE_crowdtune")).with("field.toml", FIELD)
}

fn json(place: &Place, words: &str) -> serde_json::Value {
    serde_json::from_str(&place.run(0, words).out).unwrap()
}

/// All files of a run folder but the one with wall times.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(at: &Path, from: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => walk(&path, from, found),
                false => _ = found.insert(path.strip_prefix(from).unwrap().into(), fs::read(&path).unwrap()),
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found.remove(Path::new("timing.jsonl"));
    found
}

#[test]
fn a_run_fills_cells_each_with_its_preset_and_a_pick_finds_the_nearest() {
    let place = in_field();
    let out = place.run(0, "evolve field.toml --quiet --out run").out;
    assert!(out.contains("of 16 cells are filled") && out.contains("Best cell: polarization="), "{out}");
    let atlas = json(&place, "atlas show run --json");
    let cells = atlas["cells"].as_array().unwrap();
    assert!(cells.len() >= 4, "{atlas}");
    assert_eq!(atlas["filled"].as_u64(), Some(cells.len() as u64));
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(place.path("run/summary.json")).unwrap()).unwrap();
    assert_eq!(summary["atlas"], atlas);
    let presets = fs::read_dir(place.path("run/presets")).unwrap().count();
    assert_eq!(presets, cells.len());
    let lines = fs::read_to_string(place.path("run/atlas/cells.csv")).unwrap();
    assert_eq!(lines.lines().count(), 1 + cells.len());
    let shown = place.run(0, "atlas show run").out;
    assert!(cells.iter().all(|c| shown.contains(c["name"].as_str().unwrap())), "{shown}");

    for cell in cells {
        // Where it lies is where it was measured.
        let low = |axis: usize| cell["at"][axis].as_f64().unwrap();
        let (p, s) = (
            cell["measures"][0]["value"].as_f64().unwrap() * 4.0,
            cell["measures"][1]["value"].as_f64().unwrap() / 0.6,
        );
        assert!(p >= low(0) && (p < low(0) + 1.0 || low(0) == 3.0), "{cell}");
        assert!(s >= low(1) && (s < low(1) + 1.0 || low(1) == 3.0), "{cell}");
        // A wish for exactly that finds this cell, and its preset is an experiment's to run.
        let near = format!("polarization={},spacing={}", p / 4.0, s * 0.6);
        let picked = json(&place, &format!("atlas pick run --near {near} --json"));
        assert_eq!(picked["cell"]["name"], cell["name"]);
        assert!(picked["distance_cells"].as_f64().unwrap() < 1e-9);
        let preset = picked["preset"].as_str().unwrap();
        assert!(preset.ends_with(&format!("{}.json", cell["name"].as_str().unwrap())), "{preset}");
        let preset: serde_json::Value = serde_json::from_slice(&fs::read(place.path(preset)).unwrap()).unwrap();
        assert_eq!(preset["targets"][0]["name"], "pace");
        assert!(preset["parameters"]["alignment_weight"]["value"].is_number());
    }
    let said = place.run(0, "atlas pick run --near spacing=9 --out mine.json").out;
    assert!(
        said.starts_with("mine.json\n") && said.contains("any") && said.contains("No filled cell is nearer"),
        "{said}"
    );
    place.run(0, "simulate field.toml --preset mine.json");
    let wrong = place.run(2, "atlas pick run --near polarisation=1").err;
    assert!(wrong.contains("did you mean `polarization`?") && wrong.contains("polarization, spacing"), "{wrong}");

    let page = fs::read_to_string(place.path("run/report.html")).unwrap();
    assert!(page.contains("Atlas of behaviors") && page.contains("data-place=\"atlas\""));
    for cell in cells {
        let link = format!("href=\"presets/{}.json\"", cell["name"].as_str().unwrap());
        assert!(page.contains(&link), "{link}");
        let id = format!("atlas-{}-{}", cell["at"][0], cell["at"][1]);
        assert_eq!(page.matches(&format!("\"{id}\"")).count() + page.matches(&format!("\"#{id}\"")).count(), 2, "{id}");
    }
    let before = files(&place.path("run"));
    place.run(0, "report run");
    assert!(files(&place.path("run")) == before, "the report is made from the run folder alone");
}

#[test]
fn threads_and_cuts_change_no_byte() {
    let place = in_field();
    place.run(0, "evolve field.toml --quiet --threads 1 --out one");
    place.run(0, "evolve field.toml --quiet --threads 3 --out three");
    let one = files(&place.path("one"));
    assert!(one == files(&place.path("three")), "threads change the result");
    let log = &one[Path::new("trials.jsonl")];
    let rows = log.iter().filter(|b| **b == b'\n').count();
    // In the search, in the check on fresh seeds, in the middle of a line.
    for share in [0.3, 0.8, 0.97] {
        let cut = (log.len() as f64 * share) as usize;
        let folder = place.path("cut");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("trials.jsonl"), &log[..cut]).unwrap();
        let unfinished = place.run(2, "atlas pick cut --near spacing=1").err;
        assert!(unfinished.contains("experiment.toml"), "{unfinished}");
        fs::write(folder.join("experiment.toml"), &one[Path::new("experiment.toml")]).unwrap();
        let unfinished = place.run(2, "atlas pick cut --near spacing=1").err;
        assert!(unfinished.contains("is not finished") && unfinished.contains("--resume"), "{unfinished}");
        place.run(0, "evolve field.toml --quiet --resume --out cut");
        assert!(files(&folder) == one, "another result after a cut at {cut} of {} ({rows} rows)", log.len());
        fs::remove_dir_all(&folder).unwrap();
    }
    // Longer: the presets are those of the new cells.
    place.run(0, "evolve field.toml --quiet --resume --evaluations 90 --out one");
    let cells = json(&place, "atlas show one --json")["cells"].as_array().unwrap().len();
    assert_eq!(fs::read_dir(place.path("one/presets")).unwrap().count(), cells);
}

#[test]
fn nothing_has_to_be_wanted() {
    let place = in_field();
    let cut = FIELD.find("[target.pace]").unwrap();
    let text = FIELD[..cut].to_string() + &FIELD[FIELD.find("[simulation]").unwrap()..];
    fs::write(place.path("free.toml"), text).unwrap();
    let out = place.run(0, "evolve free.toml --quiet --evaluations 30 --out run").out;
    assert!(out.contains("of 16 cells are filled") && !out.contains("QD score"), "{out}");
    let page = fs::read_to_string(place.path("run/report.html")).unwrap();
    assert!(page.contains("every candidate is equally good"));
}

#[test]
fn a_run_without_axes_has_no_atlas() {
    let place = in_field();
    let cut = FIELD.find("[atlas.polarization]").unwrap();
    let text = FIELD[..cut].to_string() + &FIELD[FIELD.find("[measure.spacing]").unwrap()..];
    fs::write(place.path("plain.toml"), text).unwrap();
    place.run(0, "evolve plain.toml --quiet --evaluations 8 --out run");
    let said = place.run(2, "atlas show run").err;
    assert!(said.contains("no axes") && said.contains("[atlas.speed]"), "{said}");
    assert!(!place.path("run/atlas").exists() && !place.path("run/presets").exists());
}
