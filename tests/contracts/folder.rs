//! The run folder: made at once, whole at any moment, one writer.

use crowdtune::Registry;
use crowdtune::evolve::Results;
use crowdtune::evolve::preset::{Preset, preset};
use crowdtune::evolve::summary::Summary;
use crowdtune::folder::RunFolder;
use crowdtune_testing::fake::{ENGINE, bytes, experiment, go, registered};
use std::fs;

#[test]
fn a_run_leaves_its_files_and_resumes_to_the_same_bytes() {
    let mut run = experiment(registered("ga"), 14);
    run.inputs = vec![("../maps/street.wkt".into(), b"POINT (0 0)".to_vec())];
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a/run");
    let full = bytes(&run);
    {
        let mut folder = RunFolder::open(&path, &run, ENGINE, false).unwrap();
        let finished = go(&run, &mut folder).unwrap();
        let results = Results::new(&run, &finished);
        let summary = results.summary();
        folder.write_summary(&summary).unwrap();
        folder.write_preset(&preset(&run, &summary, results.recommended())).unwrap();
        let back: Summary = serde_json::from_slice(&fs::read(path.join("summary.json")).unwrap()).unwrap();
        assert_eq!(back, summary);
    }
    assert!(fs::read(path.join("trials.jsonl")).unwrap() == full);
    assert_eq!(fs::read_to_string(path.join("experiment.toml")).unwrap(), run.resolved);
    assert_eq!(fs::read(path.join("inputs/%up/maps/street.wkt")).unwrap(), b"POINT (0 0)");
    let best = fs::read(path.join("best.json")).unwrap();
    assert_eq!(Preset::parse(&best, "best.json", &Registry::builtin().models).unwrap().provenance.evaluations, 14);
    let timing = fs::read_to_string(path.join("timing.jsonl")).unwrap();
    assert!(timing.lines().all(|l| l.starts_with("{\"rows\":") && l.contains("\"seconds\":")), "{timing}");

    for cut in [0, 100, full.len() / 2, full.len() - 1] {
        fs::write(path.join("trials.jsonl"), &full[..cut]).unwrap();
        go(&run, &mut RunFolder::open(&path, &run, ENGINE, true).unwrap()).unwrap();
        assert!(fs::read(path.join("trials.jsonl")).unwrap() == full, "cut at {cut}");
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_refused_before_any_work() {
    let run = experiment(registered("ga"), 14);
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("run");
    let refused = |path: &std::path::Path, resume: bool| {
        let error = RunFolder::open(path, &run, ENGINE, resume).unwrap_err();
        (error.exit_code(), error.to_string())
    };
    let held = RunFolder::open(&path, &run, ENGINE, true).unwrap();
    let (code, text) = refused(&path, true);
    assert_eq!(code, 2);
    assert!(text.contains("another crowdtune is writing"), "{text}");
    drop(held);
    let (code, text) = refused(&path, false);
    assert_eq!(code, 2);
    assert!(text.contains("--resume"), "{text}");

    let other = place.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("thesis.tex"), "x").unwrap();
    let (code, text) = refused(&other, true);
    assert_eq!(code, 2);
    assert!(text.contains("not a run folder"), "{text}");
    assert_eq!(fs::read_dir(&other).unwrap().count(), 1, "nothing was written there");

    let (code, text) = refused(&other.join("thesis.tex/run"), false);
    assert_eq!(code, 2);
    assert!(text.contains("a file is in the way"), "{text}");
}

#[test]
fn another_experiment_is_refused_and_the_folder_stays_as_it_was() {
    let mut run = experiment(registered("ga"), 14);
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("run");
    go(&run, &mut RunFolder::open(&path, &run, ENGINE, false).unwrap()).unwrap();
    run.digest = "d2".into();
    run.resolved = "format = 1 # other\n".into();
    let error = RunFolder::open(&path, &run, ENGINE, true).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert_eq!(fs::read_to_string(path.join("experiment.toml")).unwrap(), "format = 1\n");
}
