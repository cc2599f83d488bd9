//! D5, D7: a refused experiment left a folder behind that refused the next try, and no message named the file; a run whose
//! folder was removed ended with exit code 0, and one whose log was cut short wrote on behind a hole of zeros.

use crate::program::{Place, ROOM};
use crowdtune::evolve::run::Silent;
use crowdtune::folder::{Options, run_to_folder};
use crowdtune_testing::fake;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[test]
fn a_refused_experiment_leaves_no_folder_and_its_file_is_named() {
    let place = Place::new();
    place.write("fixed.toml", ROOM.replace("{ range = [0.1, 2.0] }", "0.5"));
    place.refused(2, "evolve fixed.toml --out g", &["nothing to search", "fixed.toml", "parameters"]);
    assert!(!place.path("g").exists());
    place.write("unwanted.toml", ROOM.replace("[target.time]", "[measure.time]").replace("minimize", "# minimize"));
    place.refused(2, "evolve unwanted.toml --out g", &["nothing is wanted", "unwanted.toml"]);
    assert!(!place.path("g").exists());
    place.run(0, "evolve room.toml --out g --quiet");
}

#[test]
fn the_library_leaves_no_folder_either() {
    let place = Place::new();
    let mut fixed = fake::experiment(fake::registered("random"), 4);
    fixed.space.genes.clear();
    let (folder, cancel) = (place.path("g"), AtomicBool::new(false));
    let ran = run_to_folder(&fixed, &folder, Options::default(), &mut Silent, &cancel);
    assert!(ran.unwrap_err().to_string().contains("nothing to search"));
    assert!(!folder.exists());
}

#[cfg(unix)]
#[test]
fn a_log_that_is_removed_or_cut_short_during_a_run_is_an_error() {
    stopped_by(|log| fs::remove_file(log).unwrap());
    // To nothing, and to a length that the run passes again.
    stopped_by(|log| fs::OpenOptions::new().write(true).open(log).unwrap().set_len(0).unwrap());
    stopped_by(|log| fs::OpenOptions::new().write(true).open(log).unwrap().set_len(500).unwrap());
}

/// Checks that a run ends with exit code 3 and names its log when somebody lays hands on that.
#[cfg(unix)]
fn stopped_by(meddle: fn(&Path)) {
    let place = Place::new();
    let words =
        ["evolve", "room.toml", "--out", "run", "--quiet", "--evaluations", "100000", "--set", "search.parallel=1"];
    let mut run = place.command(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let log = place.path("run/trials.jsonl");
    while fs::read(&log).map_or(0, |log| log.len()) < 2000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    meddle(&log);
    let err = std::io::read_to_string(run.stderr.take().unwrap()).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(3), "{err}");
    assert!(err.contains("the log was removed or changed") && err.contains("run/trials.jsonl"), "{err}");
}
