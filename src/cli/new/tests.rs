//! What `new` writes is read and runs.

use super::*;
use crate::evolve::evaluate::{run_seed, simulate};
use crate::evolve::scoring;
use crate::target::behaviors::BEHAVIORS;
use crowdtune_search::Purpose;
use crowdtune_sim::models::MODELS;
use crowdtune_sim::world::SCENARIOS;

fn written(behaviors: &[&str], model: Option<&str>, scenario: Option<&str>) -> Result<String, Error> {
    let owned = |name: &str| name.to_owned();
    let args = Args {
        name: "x".into(),
        behavior: behaviors.iter().map(|b| owned(b)).collect(),
        model: model.map(owned),
        scenario: scenario.map(owned),
        engine: None,
    };
    experiment(&args, &Registry::builtin(), "x.toml").map(|(text, _)| text)
}

fn load(text: &str) -> Experiment {
    let read = Experiment::load(&Registry::builtin(), text, "x.toml", &[], &mut no_files);
    read.unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Lines behind a `#` that show a key, opened.
fn opened(text: &str) -> String {
    let is_default = |l: &str| l.strip_prefix("# ").is_some_and(|l| l.split(' ').nth(1) == Some("="));
    text.lines().map(|l| if is_default(l) { format!("{}\n", &l[2..]) } else { format!("{l}\n") }).collect()
}

/// Runs every case once at the start values; every target has to get a value.
fn runs(experiment: &Experiment) {
    let run = |case: usize| {
        let seed = run_seed(1, Purpose::Search, &experiment.cases[case].table, 0);
        vec![
            simulate(experiment, case, &experiment.start, seed).unwrap_or_else(|e| panic!("{}: {e}", experiment.title)),
        ]
    };
    let values = (0..experiment.cases.len()).map(run).collect();
    let score = scoring::score(experiment, &values);
    assert_eq!(score.failure, None, "{}", experiment.title);
    assert!(score.objectives.iter().all(|loss| loss.is_finite()), "{}", experiment.title);
}

#[test]
fn every_model_in_every_scenario_gives_a_file_that_is_read() {
    for model in MODELS {
        for scenario in SCENARIOS {
            let text = written(&[], Some(model.name), Some(scenario.name)).unwrap();
            let read = Experiment::load(&Registry::builtin(), &text, "x.toml", &[], &mut no_files);
            // A model may say before any run that it does not fit a scenario; the key tells that apart from mistakes.
            if read.is_err_and(|e| e.to_string().contains(".model\n")) {
                continue;
            }
            let e = load(&text);
            assert!((SEARCHED..=SEARCHED_FOR_BEHAVIORS + 2).contains(&e.space.genes.len()));
            assert_eq!((e.cases.len(), e.model.name), (1, model.name));
            assert!(e.targets().count() >= 2);
            assert!(e.warnings.is_empty(), "{:?}", e.warnings);
        }
    }
}

#[test]
fn the_lines_behind_a_hash_are_defaults_that_are_accepted() {
    let given = written(&[], None, None).unwrap();
    assert!(opened(&given).contains("\nrelaxation_time_s = 0.5 "));
    assert_eq!(load(&opened(&given)).digest, load(&given).digest);
    let given = written(&["gather", "polite"], None, None).unwrap();
    assert!(opened(&given).contains("\ngoal_distance = { metric"));
    assert_eq!(load(&opened(&given)).digest, load(&given).digest);
}

#[test]
fn every_behavior_and_every_pair_is_written_read_and_run() {
    let mut files = 0;
    for (k, first) in BEHAVIORS.iter().enumerate() {
        for second in BEHAVIORS[k..].iter().rev() {
            let names: &[&str] = if first.name == second.name { &[first.name] } else { &[first.name, second.name] };
            let e = load(&written(names, None, None).unwrap());
            let meet = ["lanes", "polite"].iter().all(|b| names.contains(b));
            assert_eq!(e.model.name, if meet { "orca" } else { "five_force" }, "{names:?}");
            let least = if meet { SEARCHED } else { SEARCHED_FOR_BEHAVIORS };
            assert!((least..=SEARCHED_FOR_BEHAVIORS + 2).contains(&e.space.genes.len()), "{names:?}");
            for want in names.iter().flat_map(|n| find(BEHAVIORS, n).unwrap().make.targets) {
                assert!(e.targets().any(|(_, t)| t.name == want.name), "{names:?}: {}", want.name);
            }
            runs(&e);
            files += 1;
        }
    }
    assert_eq!(files, BEHAVIORS.len() * (BEHAVIORS.len() + 1) / 2);
}

#[test]
fn behaviors_that_need_other_places_get_one_each_with_their_own_targets() {
    let e = load(&written(&["flock", "disperse", "evacuate"], None, None).unwrap());
    let tables: Vec<_> = e.cases.iter().map(|c| c.table.as_str()).collect();
    assert_eq!(tables, ["disperse", "evacuate", "flock"]);
    let of = |name: &str| e.targets().find(|(_, t)| t.name == name).unwrap().1.scenario.clone();
    assert_eq!(of("spacing").as_deref(), Some("flock"));
    assert_eq!(of("spacing_in_disperse").as_deref(), Some("disperse"));
    assert_eq!(of("time").as_deref(), Some("evacuate"));
    assert_eq!(of("overlap"), None, "all three want it");
    // One place for all: both wishes are there, and the search finds a compromise.
    let e = load(&written(&["polite", "nervous"], None, Some("corridor")).unwrap());
    assert_eq!(e.cases.len(), 1);
    let wants = |name: &str| e.targets().find(|(_, t)| t.name == name).unwrap().1.wanted.clone();
    assert!(wants("turning") != wants("turning_of_nervous"), "{:?}", wants("turning"));
}

#[test]
fn unknown_names_are_refused() {
    for (behaviors, model) in [(&["lane"][..], None), (&["lanes", "lanes"], None), (&["lanes"], Some("orka"))] {
        assert_eq!(written(behaviors, model, None).unwrap_err().exit_code(), 2);
    }
}
