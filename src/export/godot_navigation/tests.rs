use super::super::testing;
use super::*;
use crate::preset::Preset;
use crowdtune_core::registry::find;
use crowdtune_sim::models::{MODELS, MakeModel};
use serde_json::json;
use std::process::Command;

fn orca() -> &'static Entry<MakeModel> {
    find(MODELS, "orca").unwrap()
}

/// A preset with a group that is faster and looks farther ahead.
fn preset() -> Preset {
    let mut preset = testing::preset_of(orca());
    let quantity = |value: f64| Quantity { value: json!(value), unit: String::new(), interval: None };
    preset.parameters.insert("margin_m".into(), quantity(0.1));
    let mut runners = OfGroup::default();
    runners.parameters.insert("time_horizon_s".into(), quantity(4.0));
    runners.people.insert("desired_speed_m_per_s".into(), quantity(2.0));
    preset.groups.insert("the runners".into(), runners);
    preset
}

fn exported(preset: &Preset, model: &'static Entry<MakeModel>) -> Result<Export, Error> {
    export(&ExportInput {
        models: vec![model],
        preset,
        places: Vec::new(),
        history: None,
        runs: Vec::new(),
        force: false,
        seed: 3,
    })
}

#[test]
fn a_group_has_its_own_settings_and_shares_the_others() {
    let made = exported(&preset(), orca()).unwrap();
    let scene = String::from_utf8(made.files[0].1.clone()).unwrap();
    let node =
        |name: &str| scene.split("\n\n").find(|node| node.contains(&format!("name=\"{name}\""))).unwrap().to_string();
    // Drawn from 0.2 to 0.3, and half of the margin; 1.3 times the mean of 1.3.
    let all = node("everybody");
    assert!(all.contains("\nradius = 0.3\n") && all.contains("\ntime_horizon_agents = 2.0\n"), "{all}");
    assert!(all.contains("\nmax_speed = 1.69") && all.contains("\nmax_neighbors = 10\n"), "{all}");
    let runners = node("the_runners");
    assert!(runners.contains("\ntime_horizon_agents = 4.0\n") && runners.contains("\nmax_speed = 2.6\n"), "{runners}");
    assert!(made.warnings.iter().any(|said| said.starts_with("`radius_m` is drawn")), "{:?}", made.warnings);
}

#[test]
fn another_model_is_refused() {
    let error = exported(&testing::preset(), testing::model()).unwrap_err().to_string();
    assert!(error.contains("Godot's navigation has no model like `social_force`"), "{error}");
}

/// An agent that knows the settings, and a program that gives it those of the runners with 100 pixels to a meter.
const MAIN: &str = "extends SceneTree\n\nclass Agent:\n\tvar avoidance_enabled = false\n\tvar radius\n\tvar neighbor_distance\n\t\
    var max_speed\n\tvar time_horizon_agents\n\tvar time_horizon_obstacles\n\tvar max_neighbors\n\nfunc _init():\n\t\
    var agents = load(\"res://navigation_agents.gd\")\n\tvar agent = Agent.new()\n\tagents.apply(agent, \"the_runners\", 100)\n\t\
    print(\"set: \", [agent.avoidance_enabled, agent.radius, agent.neighbor_distance, agent.max_speed, agent.time_horizon_agents,\n\t\t\t\
    agent.time_horizon_obstacles, agent.max_neighbors, agents.desired_speed(\"the_runners\", 100)])\n\tquit()\n";

#[test]
fn the_script_sets_agents_in_godot_3() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in exported(&preset(), orca()).unwrap().files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    std::fs::write(folder.path().join("main.gd"), MAIN).unwrap();
    std::fs::write(folder.path().join("project.godot"), "config_version=4\n").unwrap();
    let mut godot = Command::new("godot3-server");
    let Ok(out) = godot.args(["--no-window", "-s", "main.gd"]).current_dir(folder.path()).output() else {
        eprintln!("skipped: the_script_sets_agents_in_godot_3: no godot3-server");
        return;
    };
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(
        said.contains("set: [True, 30, 1000, 260, 4, 2, 10, 200]"),
        "{said}\n{}",
        String::from_utf8_lossy(&out.stderr)
    );
}

/// Reads the scene with a reader of Godot's text format, and the script with a parser of Godot 4's language.
const READ: &str = "
import sys
from godot_parser import load
from gdtoolkit.parser import parser
scene = load(sys.argv[1] + '/navigation_agents.tscn')
for node in scene.get_nodes():
    print(node.name, node.type, node.properties.get('time_horizon_agents'), node.properties.get('metadata/desired_speed'))
parser.parse(open(sys.argv[1] + '/navigation_agents.gd').read())
";

#[test]
fn readers_of_godot_4s_text_take_both_files() {
    let Some(python) = testing::python("godot_parser, gdtoolkit") else { return };
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in exported(&preset(), orca()).unwrap().files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let out = Command::new(python).args(["-c", READ]).arg(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{said}\n{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(
        said,
        "NavigationAgents Node3D None None\neverybody NavigationAgent3D 2.0 1.3\nthe_runners NavigationAgent3D 4.0 2.0\n"
    );
}
