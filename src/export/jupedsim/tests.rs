use super::super::testing;
use super::*;
use crowdtune_core::registry::find;
use crowdtune_sim::models::{MODELS, MakeModel};
use std::process::Command;

fn run(place: Placed<'_>) -> Export {
    attempt(place).unwrap()
}

fn attempt(place: Placed<'_>) -> Result<Export, Error> {
    attempt_with(testing::model(), place)
}

fn attempt_with(model: &'static Entry<MakeModel>, place: Placed<'_>) -> Result<Export, Error> {
    let preset = testing::preset_of(model);
    export(&ExportInput {
        models: vec![model],
        preset: &preset,
        places: vec![place],
        history: None,
        runs: Vec::new(),
        force: false,
        seed: 7,
    })
}

fn text(export: &Export) -> String {
    String::from_utf8(export.files[0].1.clone()).unwrap()
}

#[test]
fn constants_are_those_of_the_preset_and_friction_is_zero() {
    let scenario = testing::scenario("room", &[("count", 20.0)]);
    let set = [("repulsion_strength_n", 1500.0), ("wall_repulsion_strength_n", 900.0), ("relaxation_time_s", 0.4)];
    let text = text(&run(testing::placed("room", &scenario, &set)));
    assert!(text.contains("dict(agent_scale=1500.0, obstacle_scale=900.0, force_distance=0.08, reaction_time=0.4),"));
    assert!(text.contains("BODY_FORCE_KG_PER_S2 = 120000.0\n"));
    assert!(text.contains("FRICTION_KG_PER_M_S = 0.0\n"));
    assert!(text.contains("wrong sign"));
    assert!(text.contains("TIME_STEP_S = 0.01\nEVERY_NTH_FRAME = 10\n"));
    // The exit begins one largest radius behind the door at x = 15, where the pad is 1 m wider on each side.
    assert!(
        text.contains("PADS = [\n    [(15.0, 7.0), (15.2, 6.0), (17.0, 6.0), (17.0, 9.0), (15.2, 9.0), (15.0, 8.0)],")
    );
    assert_eq!(text.split("PEOPLE = [\n").nth(1).unwrap().lines().take_while(|l| *l != "]").count(), 20);
}

#[test]
fn the_speed_models_have_every_published_constant_there() {
    let scenario = testing::scenario("room", &[("count", 5.0)]);
    let text_of = |model: &str, set: &[(&str, f64)]| {
        let model = find(MODELS, model).unwrap();
        let exported = attempt_with(model, testing::placed_of(model, "room", &scenario, set)).unwrap();
        assert!(exported.warnings.iter().any(|w| w.contains("shortest paths")), "{:?}", exported.warnings);
        text(&exported)
    };
    let script = text_of("collision_free_speed", &[("time_gap_s", 0.8), ("wall_repulsion_range_m", 0.05)]);
    for line in [
        "MODEL = jps.CollisionFreeSpeedModelV2()\nAGENT = jps.CollisionFreeSpeedModelV2AgentParameters\n",
        "    dict(time_gap=0.8, strength_neighbor_repulsion=8.0, range_neighbor_repulsion=0.1, strength_geometry_repulsion=5.0, \
         range_geometry_repulsion=0.05),\n",
        "TIME_STEP_S = 0.01\n",
    ] {
        assert!(script.contains(line), "{line} in {script}");
    }
    let script = text_of("anticipation_velocity", &[("wall_push", 0.2), ("reaction_time_s", 0.4)]);
    for line in [
        "MODEL = jps.AnticipationVelocityModel(pushout_strength=0.2, rng_seed=7)\n",
        "    dict(time_gap=1.06, strength_neighbor_repulsion=8.0, range_neighbor_repulsion=0.1, anticipation_time=1.0, reaction_time=0.4, \
         wall_buffer_distance=0.1),\n",
    ] {
        assert!(script.contains(line), "{line} in {script}");
    }
}

#[test]
fn a_narrow_strip_ahead_is_said_to_be_as_wide_as_both_bodies_there() {
    let scenario = testing::scenario("room", &[("count", 5.0)]);
    for name in ["collision_free_speed", "anticipation_velocity"] {
        let model = find(MODELS, name).unwrap();
        let says = |set: &[(&str, f64)]| {
            let exported = attempt_with(model, testing::placed_of(model, "room", &scenario, set)).unwrap();
            exported.warnings.iter().any(|warning| warning.contains("headway_width"))
        };
        assert!(says(&[("headway_width", 0.5)]) && !says(&[]), "{name}");
    }
}

#[test]
fn people_of_the_speed_models_who_touch_are_an_error() {
    let model = find(MODELS, "collision_free_speed").unwrap();
    let at = |x: f64| {
        let mut scenario = testing::scenario("room", &[("count", 2.0)]);
        let points = [3.0, x].map(|x| crowdtune_core::math::vec2(x, 3.0)).to_vec();
        scenario.groups[0].spawn = crowdtune_sim::world::scenario::Spawn::Points(points);
        attempt_with(model, testing::placed_of(model, "room", &scenario, &[]))
    };
    // Bodies of published people have 0.25 to 0.35 m.
    assert!(at(3.4).unwrap_err().to_string().contains("more than both radii"));
    assert!(at(3.8).is_ok());
}

#[test]
fn what_is_lost_is_said() {
    let scenario = testing::scenario("room", &[("count", 5.0)]);
    let plain = run(testing::placed("room", &scenario, &[]));
    assert_eq!(plain.warnings.len(), 2, "{:?}", plain.warnings);
    let set = [
        ("sliding_friction_kg_per_m_s", 0.0),
        ("wall_repulsion_range_m", 0.1),
        ("repulsion_range_m", 0.5),
        ("anisotropy", 0.3),
        ("panic", 0.4),
        ("impatience", 1.0),
        ("injuries", 1.0),
        ("noise_m_per_s2", 0.1),
        ("time_gap_s", 0.8),
    ];
    let lossy = run(testing::placed("room", &scenario, &set));
    for word in
        ["0.1 m", "2.5 m", "Anisotropy", "Herding", "Impatience", "Injuries", "Noise", "time gap", "shortest paths"]
    {
        assert!(lossy.warnings.iter().any(|w| w.contains(word)), "{word}: {:?}", lossy.warnings);
    }
    assert!(!lossy.warnings.iter().any(|w| w.contains("friction")));
    assert!(lossy.warnings.iter().all(|w| text(&lossy).contains(w.as_str())));
}

#[test]
fn a_stiff_contact_shortens_the_step() {
    let scenario = testing::scenario("room", &[("count", 5.0)]);
    // sqrt(2 (5e5 + 2000 / 0.08) / 80) = 114.6 1/s: two steps to 0.01 s.
    let stiff = run(testing::placed("room", &scenario, &[("body_stiffness_kg_per_s2", 5e5)]));
    assert!(text(&stiff).contains("TIME_STEP_S = 0.005\nEVERY_NTH_FRAME = 20\n"));
}

#[test]
fn people_on_top_of_each_other_are_an_error() {
    let mut scenario = testing::scenario("room", &[("count", 2.0)]);
    scenario.groups[0].spawn = crowdtune_sim::world::scenario::Spawn::Points(vec![
        crowdtune_core::math::vec2(3.0, 3.0),
        crowdtune_core::math::vec2(3.1, 3.0),
    ]);
    let error = attempt(testing::placed("room", &scenario, &[])).unwrap_err();
    assert!(error.to_string().contains("persons 0 and 1"), "{error}");
}

#[test]
fn what_the_script_cannot_say_is_refused() {
    for (kind, set, what) in [
        ("corridor", vec![], "closed to a ring"),
        ("corridor", vec![("ends", 1.0), ("inflow_per_s", 2.0)], "come in during the run"),
        ("open_field", vec![("wish", 1.0)], "gather at a place"),
        ("open_field", vec![("wish", 2.0)], "one direction"),
        ("guard", vec![], "another group"),
        ("leader", vec![], "round after round"),
    ] {
        let scenario = testing::scenario(kind, &set);
        let error = attempt(testing::placed(kind, &scenario, &[])).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn heights_are_refused() {
    use crowdtune_sim::world::scenario::FloorPlan;
    use crowdtune_sim::world::{FieldCache, Relief, SlopeLaw, World};
    let mut scenario = testing::scenario("room", &[("count", 2.0)]);
    let slope = crowdtune_core::math::vec2(0.1, 0.0);
    let relief = Relief { slope, hills: Vec::new(), heights: None, law: SlopeLaw::Tobler };
    let plan = FloorPlan { relief: Some(relief), ..scenario.world.plan.clone() };
    scenario.world = World::new(plan, &mut FieldCache::default()).unwrap().into();
    let refused = attempt(testing::placed("room", &scenario, &[])).unwrap_err();
    assert!(refused.to_string().contains("the script cannot say that the ground has heights"), "{refused}");
}

#[test]
fn each_of_a_circle_gets_the_exit_opposite() {
    let scenario = testing::scenario("circle", &[("count", 3.0)]);
    let script = text(&run(testing::placed("circle", &scenario, &[])));
    let own = r#"    [("exit", 0, 0)],
    [("exit", 1, 0)],
    [("exit", 2, 0)],
"#;
    assert!(script.contains(own), "{script}");
}

/// Runs a script for some seconds in its own folder; gives people left, rows, people seen, and the last frame.
fn in_jupedsim(python: &str, exported: &Export, seconds: &str) -> Vec<f64> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run_jupedsim.py"), &exported.files[0].1).unwrap();
    let out = Command::new(python)
        .args(["run_jupedsim.py", "--seconds", seconds])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "{said}\n{}", String::from_utf8_lossy(&out.stderr));
    assert!(!String::from_utf8_lossy(&out.stderr).contains("Deprecat"), "{}", String::from_utf8_lossy(&out.stderr));
    let left = said.lines().last().unwrap().strip_prefix("people left ").unwrap();
    let read = "import sqlite3\nc = sqlite3.connect('run_jupedsim.sqlite')\n\
                print(*c.execute('select count(*), count(distinct id), max(frame) from trajectory_data').fetchone(), \
                c.execute(\"select value from metadata where key='fps'\").fetchone()[0])";
    let out = Command::new(python).args(["-c", read]).current_dir(folder.path()).output().unwrap();
    let rows = String::from_utf8_lossy(&out.stdout).into_owned();
    std::iter::once(left.split(' ').next().unwrap())
        .chain(rows.split_whitespace())
        .map(|x| x.parse().unwrap())
        .collect()
}

#[test]
fn jupedsim_runs_the_scripts_of_all_scenarios() {
    let Some(python) = testing::python("jupedsim") else { return };
    let scenario = testing::scenario("room", &[("count", 50.0)]);
    let [left, rows, seen, last, fps] = in_jupedsim(&python, &run(testing::placed("room", &scenario, &[])), "10")[..]
    else {
        panic!("five numbers")
    };
    assert_eq!((seen, fps), (50.0, 10.0));
    assert!((99.0..=100.0).contains(&last), "{last}");
    // Somebody is out after 10 s and 15 m, but 50 people do not get through a door of 1 m in that time.
    assert!((1.0..50.0).contains(&left) && rows > 2500.0, "{left} left, {rows} rows");

    for kind in ["bottleneck", "two_exits"] {
        let scenario = testing::scenario(kind, &[("count", 20.0)]);
        let numbers = in_jupedsim(&python, &run(testing::placed(kind, &scenario, &[])), "60");
        assert_eq!(numbers[2], 20.0, "{kind}");
        assert!(numbers[0] < 5.0, "{kind}: {} of 20 are left after a minute", numbers[0]);
    }

    for law in &speed::LAWS {
        let model = find(MODELS, law.ours).unwrap();
        // At a door of 1 m people with the largest bodies stop each other in both programs.
        let scenario = testing::scenario("room", &[("count", 20.0), ("door_width_m", 4.0)]);
        let exported = attempt_with(model, testing::placed_of(model, "room", &scenario, &[])).unwrap();
        let numbers = in_jupedsim(&python, &exported, "60");
        assert_eq!(numbers[2], 20.0, "{}", law.ours);
        assert!(numbers[0] < 10.0, "{}: {} of 20 are left after a minute", law.ours, numbers[0]);
    }
}
