//! An archive that crowdtune exported, one as the editor writes it, and archives with mistakes.

use super::super::Said;
use super::super::testing::{import, loaded};
use super::ENTRY;
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// `configs/evacuation.toml`, tuned and exported: its room and its people.
const ROOM: &[u8] = include_bytes!("../../fuzz/corpus/jupedsim_scenarios/room.zip");
const DEFLATED: &[u8] = include_bytes!("../../fuzz/corpus/jupedsim_scenarios/deflated.zip");
const ONE: &str = include_str!("../../fuzz/corpus/jupedsim_scenarios/one.json");

fn says(bytes: &[u8]) -> String {
    import(&ENTRY, bytes, &Said::default()).unwrap_err().to_string()
}

#[test]
fn what_crowdtune_exports_comes_back() {
    let experiment = loaded(&ENTRY, ROOM, &Said::default());
    let place = &experiment.cases[0].scenario;
    let text = include_str!("../../configs/evacuation.toml");
    let registry = crate::registry::Registry::builtin();
    let original = crate::Experiment::load(&registry, text, "evacuation.toml", &[], &mut crate::no_files).unwrap();
    let original = &original.cases[0].scenario;
    assert_eq!(place.groups[0].count, original.groups[0].count);
    // 8 x 8 m, and a pad of 1 x 2 m behind the door, on which JuPedSim's people leave.
    let area: f64 = place.world.plan.walkable.iter().map(|(shell, _)| shell.area()).sum();
    assert!((area - 66.0).abs() < 1e-9, "{area} m2");
}

#[test]
fn what_the_editor_writes_has_ways_weights_inflow_and_speeds() {
    let imported = import(&ENTRY, DEFLATED, &Said::default()).unwrap();
    assert_eq!(imported.text, import(&ENTRY, ONE.as_bytes(), &Said::default()).unwrap().text, "zipped or as one file");
    let experiment = loaded(&ENTRY, DEFLATED, &Said::default());
    let place = &experiment.cases[0].scenario;
    let counts: Vec<usize> = place.groups.iter().map(|group| group.count).collect();
    // 75 % and 25 % of 30: 22.5 is rounded up.
    assert_eq!(counts, [23, 7, 10]);
    assert_eq!(place.groups[0].stages.len(), 2, "a checkpoint, then an exit");
    assert!(imported.text.contains("inflow_per_s = 0.5\n") && imported.text.contains("relaxation_time_s = 0.6 "));
    assert!(imported.text.contains("desired_speed_m_per_s = { normal = [1.2, 0.1], clip = ["));
    assert_eq!(place.limit_s, 120.0);
}

#[test]
fn what_cannot_be_said_is_refused_or_listed() {
    let waits = ONE.replace("\"number\": 10,", "\"number\": 10, \"use_premovement\": true,");
    assert!(says(waits.as_bytes()).contains("--force"));
    let said = Said { force: true, ..Said::default() };
    let notes = import(&ENTRY, waits.as_bytes(), &said).unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("premovement") && note.contains("they walk at once")), "{notes:?}");
    let other = ONE.replace("SocialForceModel", "CollisionFreeSpeedModel");
    assert!(says(other.as_bytes()).contains("--model"));
    let said = Said { model: Some("orca".into()), ..Said::default() };
    assert!(import(&ENTRY, other.as_bytes(), &said).unwrap().text.contains("model  = \"orca\""));
    let lost = ONE.replace("\"jps-exits_1\"\n", "\"jps-exits_7\"\n");
    assert!(says(lost.as_bytes()).contains("no exit and no checkpoint"), "{}", says(lost.as_bytes()));
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn an_archive_that_unfolds_or_is_something_else_is_refused() {
    let zeros = vec![b' '; 5_000_000];
    let bomb = archive(&[("config.json", &zeros), ("geometry.wkt", b"POINT (0 0)")]);
    assert!(bomb.len() < 50_000 && says(&bomb).contains("too large"), "{} bytes, {}", bomb.len(), says(&bomb));
    assert!(says(&archive(&[("a.json", b"{}"), ("b.json", b"{}"), ("c.wkt", b"")])).contains("exactly one .json"));
    assert!(says(b"PK").contains("no zip archive"));
    assert!(says(b"{}").contains("walkable_area_wkt"));
}
