//! Every file of `configs/` runs, on a small budget. `cargo test` simulates each once; `.ci/run` also searches what has something to
//! search and sweeps the others, which takes minutes. A file with an engine needs a foreign program: `.ci/engines` runs it.

use crowdtune::Registry;
use crowdtune::evolve::experiment::Experiment;
use crowdtune_core::Error;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn configs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml" || e == "json"));
    files.sort();
    files
}

/// Those that crowdtune simulates itself, with what the files say.
fn own() -> Vec<(PathBuf, Experiment)> {
    let (own, foreign): (Vec<_>, Vec<_>) =
        configs().into_iter().map(|file| (file.clone(), load(&file))).partition(|(_, e)| e.engine.is_none());
    foreign.iter().for_each(|(file, _)| eprintln!("skipped: {}: `.ci/engines` installs its engine", file.display()));
    assert!(own.len() >= 4, "{own:?}");
    own
}

fn load(file: &Path) -> Experiment {
    let text = fs::read_to_string(file).unwrap();
    let beside = file.parent().unwrap();
    let mut read = |name: &str| fs::read(beside.join(name)).map_err(|e| Error::input(e.to_string()));
    Experiment::load(&Registry::builtin(), &text, &file.display().to_string(), &[], &mut read)
        .unwrap_or_else(|e| panic!("{e}"))
}

/// `--set` pairs that make the scenarios of a file small: few people, a short limit, one run (two where noise must be seen).
fn small(experiment: &Experiment) -> Vec<String> {
    let mut sets = BTreeMap::new();
    let replicas = if experiment.objectives.len() > 1 { "2" } else { "1" };
    for case in &experiment.cases {
        let table = format!("scenario.{}", case.table);
        let limit_s = case.scenario.limit_s.min(45.0).to_string();
        for (key, value) in [("limit_s", limit_s.as_str()), ("give_up_s", "10"), ("replicas", replicas)] {
            sets.insert(format!("{table}.{key}"), value.to_string());
        }
        for group in &case.scenario.groups {
            let written = format!("{table}.group.{}", group.name);
            // A written group may be one person at one point; a scenario's own groups share its count.
            let own = experiment.resolved.contains(&format!("[{written}]"));
            let (has, count) = if own { (&written, group.count.min(12)) } else { (&table, 12) };
            sets.insert(format!("{has}.count"), count.to_string());
        }
    }
    sets.into_iter().flat_map(|(key, value)| ["--set".to_string(), format!("{key}={value}")]).collect()
}

fn run(args: &[&str], more: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crowdtune")).args(args).args(more).output().unwrap()
}

/// A target that is only reported is meant so, and a body radius that a published calibration searched; every other warning is a
/// mistake in the file.
fn odd_warning(made: &Output) -> Option<String> {
    let err = String::from_utf8_lossy(&made.stderr);
    let meant = ["held-out scenarios only", "scenarios differ", "`people.radius_m` is searched"];
    err.lines().find(|l| l.starts_with("warning") && !meant.iter().any(|m| l.contains(m))).map(str::to_string)
}

#[test]
fn every_file_simulates() {
    for (file, experiment) in own() {
        let name = file.display().to_string();
        let made = run(&["simulate", &name, "--json"], &small(&experiment));
        assert!(made.status.success(), "{name}: {}", String::from_utf8_lossy(&made.stderr));
        assert_eq!(odd_warning(&made), None, "{name}");
    }
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn slow_every_file_searches_or_sweeps() {
    let place = tempfile::tempdir().unwrap();
    for (file, experiment) in own() {
        let name = file.display().to_string();
        let out = place.path().join(&experiment.name);
        let folder = out.display().to_string();
        let searched = !experiment.space.genes.is_empty();
        let made = if searched {
            // Fronts and maps have up to 200 finalists, on twenty seeds each.
            let finalists = "search.finalists=2";
            run(
                &["evolve", &name, "--quiet", "--evaluations", "16", "--set", finalists, "--out", &folder],
                &small(&experiment),
            )
        } else {
            run(&["sweep", &name, "--replicas", "1", "--out", &folder], &small(&experiment))
        };
        let err = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "{name}: {err}");
        assert_eq!(odd_warning(&made), None, "{name}");
        let left = if searched { "report.html" } else { "sweep.csv" };
        assert!(out.join(left).is_file(), "{name} leaves no {left}");
    }
}

#[test]
fn every_file_says_what_it_is_and_how_it_is_run() {
    for file in configs() {
        let (text, experiment) = (fs::read_to_string(&file).unwrap(), load(&file));
        let name = file.file_name().unwrap().to_str().unwrap();
        let command = if experiment.space.genes.is_empty() { "sweep" } else { "evolve" };
        assert!(text.starts_with("# "), "{name} starts with a sentence");
        assert!(text.contains(&format!("#   crowdtune {command} configs/{name}\n")), "{name} names its command");
        assert!(!experiment.title.is_empty() && !experiment.cases.is_empty(), "{name}");
    }
}
