use super::*;
use crate::evolve::experiment::{Experiment, no_files};
use crate::registry::Registry;

/// Two scenarios that give both axes, one that is held out.
fn experiment() -> Experiment {
    let text = r#"
        model = "social_force"
        parameters.relaxation_time_s = { range = [0.1, 2.0] }
        scenario.one = { kind = "room" }
        scenario.two = { kind = "corridor" }
        scenario.unseen = { kind = "corridor", held_out = true }
        target.speed = { metric = "speed_mean_m_per_s", equals = 1.0, tolerance = 0.1 }
        atlas.speed = { range = [0, 2] }
        atlas.turn = { metric = "path_efficiency", scenario = "two", range = [0, 1] }
    "#;
    Experiment::load(&Registry::builtin(), text, "axes.toml", &[], &mut no_files).unwrap()
}

#[test]
fn a_place_is_the_mean_over_replicas_then_cases_that_the_search_sees() {
    let experiment = experiment();
    let names: Vec<_> = experiment.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["speed", "turn"]);
    let run = |speed, turn| vec![Some(speed), turn];
    let values = vec![
        vec![run(1.0, None), run(2.0, None), run(3.0, None)],
        vec![run(0.5, Some(0.25)), run(0.5, Some(0.75))],
        vec![run(100.0, Some(100.0))],
    ];
    // (2 + 0.5) / 2; of `turn` the second scenario alone.
    assert_eq!(measures(&experiment, &values), [1.25, 0.5]);
    // A case without a run does not count.
    let without = vec![Vec::new(), values[1].clone(), Vec::new()];
    assert_eq!(measures(&experiment, &without), [0.5, 0.5]);
}

#[test]
fn a_run_without_a_value_gives_no_place() {
    let experiment = experiment();
    let run = |speed, turn| vec![Some(speed), turn];
    let values = vec![vec![run(1.0, None)], vec![run(0.5, Some(0.25)), run(0.5, None)], Vec::new()];
    assert!(measures(&experiment, &values).is_empty());
    let nothing = vec![vec![run(1.0, None)], Vec::new(), Vec::new()];
    assert!(measures(&experiment, &nothing).is_empty(), "no case gives `turn`");
}
