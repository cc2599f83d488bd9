//! The examples do what they say.
#![allow(dead_code, reason = "an example has a `main`")]

#[path = "../../examples/run_experiment.rs"]
mod run_experiment;

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
