//! `best.json`: written, read back, applied; mistakes in it are named.

use crowdtune::Registry;
use crowdtune::evolve::experiment::{Binding, Experiment, TraitBinding, no_files};
use crowdtune::evolve::log::MemoryLog;
use crowdtune::evolve::preset::{Preset, apply, preset};
use crowdtune::evolve::run::Stopped;
use crowdtune::evolve::{Results, summarize};
use crowdtune_sim::crowd::people::Distribution;
use crowdtune_testing::fake::{experiment, finished, go, registered};
use proptest::prelude::*;
use serde_json::json;

fn made() -> (Preset, String) {
    let mut run = experiment(registered("ga"), 14);
    for case in &mut run.cases {
        case.groups[0].people[0] = TraitBinding::Drawn(Distribution::Normal { mean: 1.34, sd: 0.26, clip: (0.6, 2.0) });
        case.groups[0].people[1] = TraitBinding::Drawn(Distribution::Fixed(f64::INFINITY));
    }
    // The starting times differ between cases, so no preset can give them.
    run.cases[0].groups[0].people[4] = TraitBinding::Drawn(Distribution::Uniform { low: 0.0, high: 2.0 });
    let finished = go(&run, &mut MemoryLog::default()).unwrap();
    let results = Results::new(&run, &finished);
    let summary = results.summary();
    let made = preset(&run, &summary, results.recommended());
    assert_eq!(made.parameters["repulsion_strength_n"].value, json!(summary.genes[0].tuned));
    let text = serde_json::to_string_pretty(&made).unwrap();
    (made, text)
}

#[test]
fn a_preset_holds_what_all_groups_share_and_comes_back() {
    let (made, text) = made();
    assert_eq!(Preset::parse(text.as_bytes(), "best.json", &Registry::builtin().models).unwrap(), made);
    assert_eq!(made.parameters.len(), crowdtune_sim::models::MODELS[0].params.len());
    assert_eq!(made.parameters["injury_forces"].value, json!("contact"));
    assert_eq!(made.parameters["wall_repulsion"].value, json!(true));
    assert_eq!(made.parameters["relaxation_time_s"].unit, "s");
    assert_eq!(made.people["desired_speed_m_per_s"].value, json!({ "normal": [1.34, 0.26], "clip": [0.6, 2.0] }));
    assert_eq!(made.left_out, ["people.start_time_s"], "groups differ in it");
    assert_eq!(made.people.keys().collect::<Vec<_>>(), ["desired_speed_m_per_s", "mass_kg", "radius_m"]);
    let names: Vec<_> = made.targets.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["time"], "measures are no targets");
}

/// Two scenarios: cars by rvo and people by forces; in the second the `others` walk by rvo instead of forces.
const MIXED: &str = r#"
model = "social_force"
[parameters]
panic = { range = [0.1, 1] }
relaxation_time_s = { range = [0.3, 1.0] }
[parameters.rvo]
time_horizon_s = 3
[scenario.street]
walkable = "POLYGON ((0 0, 14 0, 14 5, 0 5, 0 0))"
limit_s = { each = [5] }
[scenario.street.group.cars]
model = "rvo"
count = 1
from = { points = [[1, 1]] }
[scenario.street.group.others]
count = 1
from = { points = [[4, 1]] }
[scenario.yard]
walkable = "POLYGON ((0 0, 14 0, 14 5, 0 5, 0 0))"
limit_s = { each = [5] }
[scenario.yard.group.others]
model = "rvo"
count = 1
from = { points = [[4, 1]] }
[target.pace]
metric = "speed_mean_m_per_s"
at_least = 1.0
[measure.watched]
metric = "speed_mean_m_per_s"
[search]
evaluations = 4
"#;

#[test]
fn a_preset_of_several_models_gives_each_group_its_own_and_says_what_it_cannot() {
    let registry = Registry::builtin();
    let read = |text: &str| Experiment::load(&registry, text, "a.toml", &[], &mut no_files).unwrap();
    let run = read(MIXED);
    let finished = go(&run, &mut MemoryLog::default()).unwrap();
    let results = Results::new(&run, &finished);
    let made = preset(&run, &results.summary(), results.recommended());
    assert_eq!(made.groups["cars"].model.as_deref(), Some("rvo"));
    assert_eq!(made.models["rvo"]["time_horizon_s"].value, json!(3.0));
    assert!(made.left_out.contains(&"group.others.model".to_string()), "{:?}", made.left_out);
    let text = serde_json::to_string(&made).unwrap();
    let parse = |text: &str| Preset::parse(text.as_bytes(), "best.json", &registry.models);
    assert_eq!(parse(&text).unwrap(), made);

    // Onto a file of one model: everybody whom it knows gets theirs.
    let plain = MIXED.replace("model = \"rvo\"\n", "").replace("[parameters.rvo]\ntime_horizon_s = 3\n", "");
    let mut other = read(&plain);
    apply(&made, &registry.models, &mut other).unwrap();
    let [cars, others] = &other.cases[0].groups[..] else { panic!("two groups") };
    assert_eq!((cars.steered_by.name, others.steered_by.name), ("rvo", "social_force"));
    assert_eq!(other.cases[1].groups[0].steered_by.name, "social_force", "what it cannot say stays");
    let at = cars.steered_by.params.iter().position(|p| p.key == "time_horizon_s").unwrap();
    assert_eq!(cars.model[at], Binding::Fixed(3.0));
    assert_eq!(others.seen_by[0].1[at], Binding::Fixed(3.0), "by the cars");

    let wrong = |from: &str, to: &str| parse(&text.replace(from, to)).unwrap_err().to_string();
    let error = wrong("\"models\":{\"rvo\"", "\"models\":{\"rov\"");
    assert!(error.contains("there is no model `rov`") && error.contains("`rvo`"), "{error}");
    let error = wrong("\"cars\":{\"model\":\"rvo\"", "\"cars\":{\"model\":\"orca\"");
    assert!(error.contains("`cars` is steered by `orca`, which `models` has not"), "{error}");
    let error = wrong("\"time_horizon_s\":{\"value\":3.0", "\"time_horizon_s\":{\"value\":-3.0");
    assert!(error.contains("`time_horizon_s` is -3") && error.contains("models.rvo.time_horizon_s"), "{error}");
}

#[test]
fn applied_it_fixes_constants_traits_and_step() {
    let (mut made, _) = made();
    made.time_step_s = 0.005;
    let mut run = experiment(registered("ga"), 14);
    apply(&made, &Registry::builtin().models, &mut run).unwrap();
    for group in run.cases.iter().flat_map(|c| &c.groups) {
        let strength = made.parameters["repulsion_strength_n"].value.as_f64().unwrap();
        assert_eq!(group.model[0], Binding::Fixed(strength));
        assert!(group.model.iter().all(|b| matches!(b, Binding::Fixed(_))));
        let speed = Distribution::Normal { mean: 1.34, sd: 0.26, clip: (0.6, 2.0) };
        assert_eq!(group.people[0], TraitBinding::Drawn(speed));
        assert_eq!(group.people[4], TraitBinding::Drawn(Distribution::Fixed(0.0)), "what it leaves out stays");
    }
    assert_eq!(run.timing.time_step_s, 0.005);
}

#[test]
fn a_leader_keeps_what_the_file_gives_the_leader_alone() {
    let file = r#"
        model = "five_force"
        [parameters]
        cohesion_weight = { range = [0.0, 1.0], start = 0.9 }
        [scenario.round]
        kind = "leader"
        count = 3
        limit_s = 0.1
        group.leader.parameters.cohesion_weight = 0.0
        group.leader.people.desired_speed_m_per_s = 1.0
        [target.together]
        metric = "dispersion_m"
        minimize = { good = 1.0, bad = 5.0 }
    "#;
    let load = || Experiment::load(&Registry::builtin(), file, "follow", &[], &mut no_files).unwrap();
    let mut run = load();
    let gene = run.cases[0].scenario.groups.iter().position(|g| g.name != "leader").unwrap();
    let leader = run.cases[0].scenario.groups.iter().position(|g| g.name == "leader").unwrap();
    let at = run.model.params.iter().position(|p| p.key == "cohesion_weight").unwrap();
    assert_eq!(run.cases[0].groups[gene].model[at], Binding::Gene(0));
    let summary = summarize(&run, &finished(&[], Stopped::Interrupted));
    let genome = run.space.encode(&[0.25]);
    let made = preset(&run, &summary, &genome);
    assert_eq!(made.parameters["cohesion_weight"].value, json!(0.25));
    assert_eq!(made.groups["leader"].parameters["cohesion_weight"].value, json!(0.0));
    assert_eq!(made.left_out, ["people.desired_speed_m_per_s"], "no value is for everybody");
    assert!(made.unknown().is_empty(), "but each group has one");

    let text = serde_json::to_string_pretty(&made).unwrap();
    let made = Preset::parse(text.as_bytes(), "best.json", &Registry::builtin().models).unwrap();
    apply(&made, &Registry::builtin().models, &mut run).unwrap();
    assert_eq!(run.cases[0].groups[gene].model[at], Binding::Fixed(0.25), "not the start of 0.9");
    assert_eq!(run.cases[0].groups[leader].model[at], Binding::Fixed(0.0));
    assert_eq!(run.cases[0].groups[leader].people, load().cases[0].groups[leader].people);
}

#[test]
fn mistakes_name_line_key_and_what_is_allowed() {
    let (_, text) = made();
    let refused = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from} is in the preset");
        let error = Preset::parse(changed.as_bytes(), "mine.json", &Registry::builtin().models).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        error.to_string()
    };
    let line = |key: &str| text.lines().position(|l| l.contains(key)).unwrap() + 1;

    let error = refused("\"social_force\"", "\"social_farce\"");
    assert!(error.contains("social_farce") && error.contains("did you mean `social_force`?"), "{error}");
    let error = refused("\"relaxation_time_s\"", "\"relaxation_tme_s\"");
    assert!(error.contains("did you mean `relaxation_time_s`"), "{error}");
    assert!(error.contains(&format!("mine.json:{}", line("relaxation_time_s"))), "{error}");
    let error = refused("\"value\": 0.5,", "\"value\": -1,");
    assert!(error.contains("`relaxation_time_s` is -1") && error.contains("0.01 to 10 s"), "{error}");
    let error = refused("\"unit\": \"kg\"", "\"unit\": \"lb\"");
    assert!(error.contains("people.mass_kg") && error.contains("allowed: `kg`"), "{error}");
    let error = refused("\"contact\"", "\"some\"");
    assert!(error.contains("contact, all"), "{error}");
    let error = refused("\"time_step_s\": 0.01", "\"time_step_s\": 1.0");
    assert!(error.contains("up to 0.02 s"), "{error}");
    let error = refused("\"format\": 1", "\"format\": 9");
    assert!(error.contains("format 9") && error.contains("mine.json:2"), "{error}");
    let error = refused("\"clip\": [", "\"clap\": [");
    assert!(error.contains("people.desired_speed_m_per_s"), "{error}");
    let error = refused("\"model\"", "\"modell\"");
    assert!(error.contains("missing field `model`"), "{error}");
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Preset::parse(&bytes, "x", &Registry::builtin().models).is_err());
    }

    #[test]
    fn no_edit_makes_the_reader_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut bytes = TEXT.clone().into_bytes();
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(preset) = Preset::parse(&bytes, "x", &Registry::builtin().models) {
            apply(&preset, &Registry::builtin().models, &mut experiment(registered("ga"), 14)).unwrap();
        }
    }
}

static TEXT: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| made().1);
