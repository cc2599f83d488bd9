//! D5, D7: a refused experiment left a folder behind that refused the next try, and no message named the file; a run whose
//! folder was removed ended with exit code 0.

use crate::program::{Place, ROOM};
use crowdtune::evolve::run::Silent;
use crowdtune::folder::{Options, run_to_folder};
use crowdtune_testing::fake;
use std::fs;
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
fn a_folder_that_is_removed_during_a_run_is_an_error() {
    let place = Place::new();
    let words =
        ["evolve", "room.toml", "--out", "run", "--quiet", "--evaluations", "100000", "--set", "search.parallel=1"];
    let mut run = place.command(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read(place.path("run/trials.jsonl")).map_or(0, |log| log.len()) < 2000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    fs::remove_file(place.path("run/trials.jsonl")).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(3));
    let err = std::io::read_to_string(run.stderr.take().unwrap()).unwrap();
    assert!(err.contains("the log was removed") && err.contains("run/trials.jsonl"), "{err}");
}
