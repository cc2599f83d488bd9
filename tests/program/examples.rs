//! The examples do what they say.
#![allow(dead_code, reason = "an example has a `main`")]

use crowdtune::evolve::log;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

#[path = "../../examples/own_simulator.rs"]
mod own_simulator;
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

fn crowdtune(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crowdtune")).args(arguments).arg(folder).output().unwrap()
}

#[test]
fn a_foreign_simulator_is_tuned_into_a_folder_that_names_it_and_only_it_continues_there() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let run = own_simulator::run(&folder, false).unwrap();
    let tuned = run.summary.targets[0].tuned.value.unwrap();
    assert!((tuned - 28.0).abs() < 3.0, "38 people in about 28 s: {tuned}");
    assert!(run.summary.failures.keys().any(|why| why.contains("still full")), "{:?}", run.summary.failures);

    let text = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let log = log::parse(text(log::FILE).as_bytes(), log::FILE).unwrap();
    assert_eq!(log.header.engine, "queue 1.0");
    for file in ["summary.json", "best.json"] {
        assert!(text(file).contains("\"engine\": \"queue 1.0\""), "{file}");
    }
    let page = text("report.html");
    assert!(page.contains("Simulated by") && page.contains("queue 1.0"));
    assert!(!folder.join("replays").exists() && !folder.join("tables").exists(), "another simulator, another crowd");

    // The report again, and other tools, from the folder alone.
    fs::remove_file(folder.join("report.html")).unwrap();
    let again = crowdtune(&["report"], &folder);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert!(text("report.html") == page);
    let exported = crowdtune(&["export", "--to", "json", "--out", place.path().to_str().unwrap()], &folder);
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    assert!(fs::read_to_string(place.path().join("preset.json")).unwrap().contains("\"engine\": \"queue 1.0\""));

    // A torn run continues with the same engine to the same bytes, and not with crowdtune's own.
    let full = text(log::FILE);
    fs::write(folder.join(log::FILE), &full[..full.len() / 2]).unwrap();
    let experiment = place.path().join("hall.toml");
    fs::write(&experiment, own_simulator::EXPERIMENT).unwrap();
    let refused = crowdtune(&["evolve", experiment.to_str().unwrap(), "--resume", "--out"], &folder);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("the engine `queue 1.0`") && said.contains("crowdtune's own simulator"), "{said}");
    own_simulator::run(&folder, true).unwrap();
    assert!(text(log::FILE) == full);
}
