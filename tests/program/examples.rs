//! The examples do what they say.
#![allow(dead_code, reason = "an example has a `main`")]

use std::path::Path;
use std::process::Command;

#[path = "../../examples/run_experiment.rs"]
mod run_experiment;

/// `cargo test` builds all examples before it runs this; `cargo test --test program` alone does not.
#[test]
fn every_example_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = Path::new(env!("CARGO_BIN_EXE_crowdtune")).with_file_name("examples");
    let mut names = Vec::new();
    for folder in ["examples", "crates/core/examples", "crates/sim/examples", "crates/search/examples"] {
        let Ok(files) = std::fs::read_dir(root.join(folder)) else { continue };
        names.extend(files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_string()));
    }
    names.sort();
    assert!(names.len() >= 5, "{names:?}");
    assert!(names.windows(2).all(|two| two[0] != two[1]), "two examples of one name overwrite each other: {names:?}");
    for name in names {
        let program = built.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        if !program.exists() {
            println!("every_example_runs: {name} is not built; `cargo build --examples` builds it");
            continue;
        }
        // The whole command line with a model of one's own needs a command; the others take no argument.
        let arguments: &[&str] = if name == "own_model" { &["list", "models"] } else { &[] };
        let place = tempfile::tempdir().unwrap();
        let ran = Command::new(program).args(arguments).current_dir(place.path()).output().unwrap();
        assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
        assert!(!ran.stdout.is_empty(), "{name} prints nothing");
    }
}

#[test]
fn an_experiment_runs_from_a_program_to_a_complete_folder() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    run_experiment::run(&folder).unwrap();
    let files = [
        "experiment.toml",
        "trials.jsonl",
        "timing.jsonl",
        "summary.json",
        "best.json",
        "replays/room.json",
        "replays/room.html",
        "plots/loss.svg",
        "report.html",
    ];
    for file in files {
        assert!(folder.join(file).is_file(), "{file}");
    }
    let again = run_experiment::run(&folder).unwrap_err();
    assert!(again.to_string().contains("exists already"), "{again}");
}
