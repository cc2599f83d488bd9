//! `evolve --resume --evaluations 13` on a finished run of 14 was refused, but only after experiment.toml said 13.

use crowdtune::folder::RunFolder;
use crowdtune_testing::fake::{ENGINE, experiment, go, registered};
use std::fs;

#[test]
fn a_budget_below_the_log_is_refused_before_anything_is_written() {
    let mut run = experiment(registered("ga"), 14);
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("run");
    go(&run, &mut RunFolder::open(&path, &run, ENGINE, false).unwrap()).unwrap();
    let before = fs::read(path.join("experiment.toml")).unwrap();
    run.search.evaluations = 13;
    run.resolved = "evaluations = 13\n".into();
    let error = RunFolder::open(&path, &run, ENGINE, true).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("at least 14"), "{error}");
    assert!(fs::read(path.join("experiment.toml")).unwrap() == before);
}
