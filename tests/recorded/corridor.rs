//! People who come and go in a corridor 1.8 m wide, as configs/recorded/corridor.toml has them walk: five files in centimeters with 16
//! frames a second, none of them edited.

use crowdtune::Registry;
use crowdtune::evolve::evaluate::{run_people, run_seed};
use crowdtune::evolve::experiment::Experiment;
use crowdtune::evolve::people;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_search::Purpose;
use crowdtune_testing::recorded::data;

const FILE: &str = "configs/recorded/corridor.toml";

fn corridor(model: &str) -> Option<Experiment> {
    data("juelich_unidir_corridor_b180/uo-050-180-180.txt")?;
    let text = std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE)).unwrap();
    let mut read = |name: &str| {
        let text = data(&format!("juelich_unidir_corridor_b180/{name}"));
        text.map(String::into_bytes).ok_or_else(|| Error::input("no such file"))
    };
    let set = [("model".to_string(), format!("\"{model}\""))];
    Some(Experiment::load(&Registry::builtin(), &text, FILE, &set, &mut read).unwrap_or_else(|e| panic!("{e}")))
}

#[test]
fn every_run_is_a_scenario_without_editing_the_file() {
    let Some(experiment) = corridor("social_force") else { return };
    let people: Vec<usize> =
        experiment.cases.iter().map(|case| case.scenario.tracks.as_ref().unwrap().people.len()).collect();
    assert_eq!(people, [61, 121, 148, 170, 220]);
    assert_eq!(experiment.warnings, [""; 0]);
}

#[test]
fn a_run_with_61_people_who_come_and_go_has_the_error_of_a_second() {
    for (model, low, high) in [("social_force", 0.02, 0.03), ("orca", 0.02, 0.03)] {
        let Some(experiment) = corridor(model) else { return };
        let case = &experiment.cases[0];
        let seed = run_seed(experiment.search.seed, Purpose::Report, &case.table, 0);
        let ran = run_people(&experiment, 0, &experiment.start, seed).unwrap();
        let error = ran.values[0].unwrap();
        assert!((low..high).contains(&error), "{model}: {error}");
        let figure = people::figure(&[&ran.people[0]], Seed(0));
        assert!((figure.value.unwrap() / error - 1.0).abs() < 1e-9);
        assert!(figure.low.unwrap() < error && error < figure.high.unwrap() && figure.high.unwrap() < 1.5 * error);
        assert_eq!(ran.people[0].len(), 61);
    }
}
