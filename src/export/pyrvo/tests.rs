use super::super::testing;
use super::*;
use crowdtune_core::registry::find;
use crowdtune_sim::models::MODELS;
use crowdtune_sim::world::scenario::Scenario;
use std::process::Command;

fn orca() -> &'static Entry<MakeModel> {
    find(MODELS, "orca").unwrap()
}

fn exported(scenario: &Scenario, set: &[(&str, f64)], force: bool) -> Result<Export, Error> {
    let preset = testing::preset_of(orca());
    let places = vec![testing::placed_of(orca(), "place", scenario, set)];
    export(&ExportInput {
        models: vec![orca()],
        preset: &preset,
        places,
        history: None,
        runs: Vec::new(),
        force,
        seed: 3,
    })
}

#[test]
fn what_rvo2_cannot_say_is_refused_or_listed() {
    let ring = testing::scenario("corridor", &[]);
    for force in [false, true] {
        let error = exported(&ring, &[], force).unwrap_err().to_string();
        assert!(error.contains("the script cannot say that a place is closed to a ring"), "{error}");
    }
    let wing = testing::scenario("two_exits", &[("sight_m", 3.0)]);
    let error = exported(&wing, &[], false).unwrap_err().to_string();
    assert!(
        error.contains("cannot say that people see no farther than `sight_m`") && error.contains("--force"),
        "{error}"
    );
    let forced = exported(&wing, &[], true).unwrap();
    let said = "Left out: people see no farther than `sight_m`; they see all goals.";
    assert!(forced.warnings.iter().any(|warning| warning == said), "{:?}", forced.warnings);
    assert!(String::from_utf8_lossy(&forced.files[0].1).contains(&format!("# * {said}")));

    let room = testing::scenario("room", &[("count", 4.0)]);
    let error = exported(&room, &[("time_gap_s", 0.8)], false).unwrap_err().to_string();
    assert!(error.contains("faster than the gap ahead over `time_gap_s`") && error.contains("--force"), "{error}");
    let forced = exported(&room, &[("time_gap_s", 0.8)], true).unwrap();
    assert!(
        forced.warnings.iter().any(|warning| warning.ends_with("they are, however near the others.")),
        "{:?}",
        forced.warnings
    );

    let preset = testing::preset();
    let error = export(&ExportInput {
        models: vec![testing::model()],
        preset: &preset,
        places: Vec::new(),
        history: None,
        runs: Vec::new(),
        force: true,
        seed: 1,
    });
    assert!(error.unwrap_err().to_string().contains("RVO2 has no model like `social_force`"));
}

#[test]
fn walls_are_walked_around_and_people_have_their_margin_and_top_speed() {
    let room = testing::scenario("room", &[("count", 4.0)]);
    let made = exported(&room, &[("margin_m", 0.05), ("max_speed_factor", 1.5)], false).unwrap();
    let script = String::from_utf8(made.files[0].1.clone()).unwrap();
    assert!(script.contains("margin=0.05, push=0.0001"), "{script}");
    // A thin wall is a chain there and back: all corners but the two ends come twice.
    let from = script.find("OBSTACLES = [").unwrap();
    let chain = script[from..].lines().nth(1).unwrap();
    assert_eq!(chain.matches("), (").count() + 1, 2 * room.world.plan.walls.len(), "{chain}");
    let person = script[script.find("PEOPLE = [").unwrap()..].lines().nth(1).unwrap().to_string();
    assert!(person.contains(", 1.34, 2.01"), "{person}");
    assert_eq!(made.files[1].0, "run_pyrvo_crowdtune.txt");
    assert!(made.files[1].1.starts_with(b"# framerate: 10 fps\n"));
}

/// Runs the script of a scenario beside crowdtune's run; gives people who left, and the largest distance in 300 steps.
fn in_rvo2(python: &str, scenario: &Scenario, set: &[(&str, f64)], more: &[&str]) -> (u32, f64) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in exported(scenario, set, false).unwrap().files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let args = ["run_pyrvo.py", "--compare", "run_pyrvo_crowdtune.txt"];
    let out = Command::new(python).args(args).args(more).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "{said}\n{}", String::from_utf8_lossy(&out.stderr));
    let number = |text: &str| text.split(' ').next().unwrap().parse().unwrap();
    let after = |steps: u32| number(said.split(&format!("in {steps} steps: ")).nth(1).unwrap());
    (said.split(' ').next().unwrap().parse().unwrap(), after(300))
}

/// The bar of the project for ports, m. Positions are written to a tenth of that.
const PORT_M: f64 = 1e-3;

#[test]
fn rvo2_moves_people_as_crowdtune_does() {
    let Some(python) = testing::python("pyrvo") else { return };
    // Two streams of 50 people in all meet; ends = open is the second choice.
    let streams = [("count", 50.0), ("width_m", 20.0), ("length_m", 40.0), ("ends", 1.0)];
    let (left, apart) = in_rvo2(&python, &testing::scenario("corridor", &streams), &[], &[]);
    assert_eq!(left, 50);
    assert!(apart < PORT_M, "{apart} m");
    // With a margin, in a place so wide that nobody is near a wall, of which half of it is kept.
    let wide = [("count", 30.0), ("width_m", 60.0), ("length_m", 40.0), ("ends", 1.0)];
    let (_, apart) = in_rvo2(&python, &testing::scenario("corridor", &wide), &[("margin_m", 0.3)], &[]);
    assert!(apart < PORT_M, "{apart} m");
}

#[test]
fn rvo2_lets_bodies_step_nearer_to_a_door_post() {
    let Some(python) = testing::python("pyrvo") else { return };
    // Four people, who do not jam.
    let room = testing::scenario("room", &[("count", 4.0)]);
    let (_, as_it_is) = in_rvo2(&python, &room, &[], &[]);
    let (left, with_the_rule) = in_rvo2(&python, &room, &[], &["--keep-off"]);
    assert_eq!(left, 4);
    assert!(as_it_is > 10.0 * PORT_M && with_the_rule < PORT_M, "{as_it_is} m, {with_the_rule} m");
}
