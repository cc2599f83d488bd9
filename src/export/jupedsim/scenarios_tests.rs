use super::super::super::testing;
use super::*;
use crowdtune_sim::world::scenario::Scenario;
use std::io::Read as _;
use std::process::Command;

fn exported(scenario: &Scenario, set: &[(&str, f64)], force: bool) -> Result<Export, Error> {
    let preset = testing::preset();
    let places = vec![testing::placed("place", scenario, set)];
    export(&ExportInput {
        models: vec![testing::model()],
        preset: &preset,
        places,
        history: None,
        runs: Vec::new(),
        force,
        seed: 3,
    })
}

/// A file of an archive.
fn read(zip: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn an_archive_has_the_constants_under_the_names_of_the_editor() {
    let room = testing::scenario("room", &[("count", 20.0)]);
    let made = exported(&room, &[("relaxation_time_s", 0.7), ("wall_repulsion_strength_n", 900.0)], false).unwrap();
    assert_eq!(made.files[0].0, "scenario.zip");
    let config: Value = serde_json::from_str(&read(&made.files[0].1, "config.json")).unwrap();
    let params = &config["config"]["simulation_settings"]["simulationParams"];
    assert_eq!(params["relaxation_time"], json!(0.7));
    assert_eq!(params["sfm_obstacle_scale"], json!(900.0));
    // JuPedSim adds the friction of walls with the wrong sign.
    assert_eq!(params["sfm_friction"], json!(0.0));
    let people = &config["distributions"]["jps-distributions_0"];
    assert_eq!(people["parameters"]["number"], json!(20));
    assert_eq!(people["journey_weights"][0]["journey_id"], config["journeys_v2"][0]["id"]);
    assert_eq!(config["journeys_v2"][0]["sequence"], json!(["jps-exits_0"]));
    assert!(read(&made.files[0].1, "geometry.wkt").starts_with("POLYGON (("));
    assert_eq!(
        made,
        exported(&room, &[("relaxation_time_s", 0.7), ("wall_repulsion_strength_n", 900.0)], false).unwrap()
    );
}

#[test]
fn what_the_editor_has_no_word_for_is_refused() {
    let circle = testing::scenario("circle", &[("count", 4.0)]);
    let error = exported(&circle, &[], true).unwrap_err().to_string();
    assert!(error.contains("cannot say that") && error.contains("the exporter `jupedsim` writes a script"), "{error}");
    let full = testing::scenario("room", &[("count", 405.0)]);
    let error = exported(&full, &[], false).unwrap_err().to_string();
    assert!(error.contains("would refuse the 405 people") && error.contains("at most 398 bodies of 0.3 m"), "{error}");
}

/// Runs an archive with two seeds; says of each how many left and when, and where the first person started.
const RUN: &str = "
import logging, sys
logging.disable()
from jupedsim_scenarios import load_scenario, run_scenario
scenario = load_scenario(sys.argv[1])
for seed in (1, 2):
    result = run_scenario(scenario, seed=seed)
    print(result.agents_evacuated, result.total_agents, result.evacuation_time)
    result.cleanup()
";

#[test]
fn jupedsim_scenarios_empties_the_room_and_both_ends_of_the_corridor() {
    let Some(python) = testing::python("jupedsim_scenarios") else { return };
    let corridor = [("count", 20.0), ("width_m", 6.0), ("length_m", 12.0), ("ends", 1.0)];
    for scenario in
        [testing::scenario("room", &[("count", 10.0), ("door_width_m", 2.0)]), testing::scenario("corridor", &corridor)]
    {
        let made = exported(&scenario, &[], false).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("scenario.zip");
        std::fs::write(&file, &made.files[0].1).unwrap();
        let out = Command::new(&python).args(["-c", RUN]).arg(&file).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success(), "{said}\n{}", String::from_utf8_lossy(&out.stderr));
        assert_eq!(said.lines().count(), 2, "{said}");
        for line in said.lines() {
            let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            assert!(numbers[0] == numbers[1] && numbers[1] >= 10.0, "everybody leaves: {line}");
        }
    }
}
