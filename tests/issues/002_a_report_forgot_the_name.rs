//! `crowdtune report` read experiment.toml of the run folder and called every experiment `experiment`.

use crowdtune::Registry;
use crowdtune::evolve::experiment::{Experiment, no_files};
use crowdtune_core::Error;

fn load(text: &str, file: &str) -> Result<crowdtune::evolve::experiment::Experiment, Error> {
    Experiment::load(&Registry::builtin(), text, file, &[], &mut no_files)
}

const ROOM: &str =
    "model = \"social_force\"\n[scenario.room]\nkind = \"room\"\n[measure.left]\nmetric = \"people_left\"\n";

#[test]
fn the_resolved_file_keeps_the_name_and_the_digest() {
    let first = load(ROOM, "plans/foyer.toml").unwrap();
    assert_eq!(first.name, "foyer");
    let again = load(&first.resolved, "results/foyer-1/experiment.toml").unwrap();
    assert_eq!((again.name.as_str(), &again.digest), ("foyer", &first.digest));
    assert_eq!(load(ROOM, ".toml").unwrap().name, "experiment");
}

#[test]
fn a_name_cannot_leave_the_folder_of_results() {
    for name in ["", "../up", "a/b", "a\\\\b", ".hidden"] {
        let error = load(&format!("name = \"{name}\"\n{ROOM}"), "a.toml").unwrap_err();
        assert_eq!(error.named_key(), Some("name"), "{name}: {error}");
    }
}
