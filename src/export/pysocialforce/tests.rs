use super::super::testing;
use super::*;
use crowdtune_sim::world::scenario::Scenario;
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

#[test]
fn its_law_is_another_one_and_that_is_said() {
    let room = testing::scenario("room", &[("count", 4.0)]);
    let error = exported(&room, &[], false).unwrap_err().to_string();
    assert!(error.contains("`repulsion_strength_n`, ") && error.contains("are constants of its law"), "{error}");
    assert!(error.contains("`relaxation_time_s`, radius and speeds") && error.contains("--force"), "{error}");
    let made = exported(&room, &[("relaxation_time_s", 0.7)], true).unwrap();
    let config = String::from_utf8(made.files[1].1.clone()).unwrap();
    let plain: String = config.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let tables: toml::Table = plain.parse().unwrap();
    assert_eq!(tables["desired_force"]["relaxation_time"].as_float(), Some(0.7));
    // At the top, where 1.1.2 looks, and where its documentation has it.
    assert_eq!(tables["max_speed_multiplier"].as_float(), Some(1.0));
    assert_eq!(tables["scene"]["max_speed_multiplier"].as_float(), Some(1.0));
}

#[test]
fn only_social_force_has_anything_in_common() {
    let orca = crowdtune_core::registry::find(crowdtune_sim::models::MODELS, "orca").unwrap();
    let preset = testing::preset_of(orca);
    let input = ExportInput {
        models: vec![orca],
        preset: &preset,
        places: Vec::new(),
        history: None,
        runs: Vec::new(),
        force: true,
        seed: 1,
    };
    let error = export(&input).unwrap_err().to_string();
    assert!(error.contains("PySocialForce has nothing of the model `orca`"), "{error}");
}

#[test]
fn pysocialforce_drives_people_with_their_speed_and_relaxation_time() {
    let Some(python) = testing::python("pysocialforce") else { return };
    // One person, far from the walls of a corridor without ring: 20 m straight to its end.
    let corridor =
        testing::scenario("corridor", &[("count", 1.0), ("width_m", 20.0), ("length_m", 20.0), ("ends", 1.0)]);
    let made = exported(&corridor, &[("relaxation_time_s", 0.7)], true).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in &made.files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let out = Command::new(python)
        .args(["run_pysocialforce.py", "--seconds", "3"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let tracks = std::fs::read_to_string(folder.path().join("run_pysocialforce.txt")).unwrap();
    let x: Vec<f64> = tracks
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').nth(2).unwrap().parse().unwrap())
        .collect();
    // From rest at the published 1.34 m/s: explicit Euler with v += (v0 - v) dt / tau, and x by the new v.
    let (dt, tau, mut v, mut walked) = (testing::preset().time_step_s, 0.7, 0.0, 0.0);
    for step in 1..x.len() {
        v += (1.34 - v) * dt / tau;
        walked += v * dt;
        // Positions are written to 0.1 mm; walls at 10 m push less than that.
        assert!(((x[step] - x[0]).abs() - walked).abs() < 2e-4, "step {step}: {} and {walked}", x[step] - x[0]);
    }
}
