//! Names of kept files, and a folder that disappears.

use super::*;
use crate::evolve::experiment::no_files;
use crate::registry::Registry;
use std::collections::BTreeSet;

const ROOM: &str = r#"
    model = "social_force"
    parameters.relaxation_time_s = { range = [0.1, 1.0] }
    scenario.room = { kind = "room", count = 3, width_m = 5.0, depth_m = 5.0 }
    target.time = { metric = "evacuation_time_95_s", minimize = { good = 0.0, bad = 1.0 } }
"#;

#[test]
fn no_two_names_share_a_place() {
    let names = ["d.txt", "../d.txt", "../../d.txt", "/d.txt", "%up/d.txt", "%%up/d.txt", "%root/d.txt", "a/d.txt"];
    let places: BTreeSet<String> = names.iter().map(|name| input(name)).collect();
    assert_eq!(places.len(), names.len(), "{places:?}");
    assert_eq!(input("./d.txt"), input("d.txt"));
    assert!(places.iter().all(|p| p.starts_with("inputs/") && !p.contains("..")), "{places:?}");
}

/// D7: a folder that was removed after the last row was made again for what comes out, and the log was gone.
#[cfg(unix)]
#[test]
fn a_folder_that_is_removed_after_the_last_row_is_not_made_again() {
    let place = tempfile::tempdir().unwrap();
    let experiment = Experiment::load(&Registry::builtin(), ROOM, "room.toml", &[], &mut no_files).unwrap();
    let folder = RunFolder::open(&place.path().join("run"), &experiment, "native", false).unwrap();
    folder.is_there().unwrap();
    folder.write("plots/a.svg", b"a").unwrap();
    fs::remove_dir_all(folder.path()).unwrap();
    for error in [folder.is_there().unwrap_err(), folder.write("plots/b.svg", b"b").unwrap_err()] {
        assert!(error.exit_code() == 3 && error.to_string().contains("the log was removed"), "{error}");
    }
    assert!(!folder.path().exists());
}
