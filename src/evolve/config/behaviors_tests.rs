//! Behaviors in files: what becomes of their targets, and of own entries under the same names.

use super::load;
use super::tests::nothing;
use crate::evolve::experiment::Experiment;
use crate::registry::Registry;
use crate::target::TARGETS;
use crate::target::behaviors::BEHAVIORS;
use crate::target::{Target, Wanted};
use std::collections::BTreeMap;

fn read(behaviors: &str, lines: &str) -> Experiment {
    let text = format!(
        "model = \"social_force\"\nbehaviors = {behaviors}\n[scenario.room]\nkind = \"room\"\ncount = 5\n{lines}\n"
    );
    load(&Registry::builtin(), &text, "x.toml", &[], &mut nothing).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn target<'e>(experiment: &'e Experiment, name: &str) -> &'e Target {
    experiment.columns.iter().find(|t| t.name == name).expect("the target is there")
}

#[test]
fn the_targets_of_a_behavior_are_written_out_and_load_again() {
    let e = read("[\"evacuate\"]", "");
    let names: Vec<_> = e.columns.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["inside", "overlap", "time"]);
    assert_eq!(target(&e, "inside").wanted, Some(Wanted::AtMost { limit: 0.0, scale: 5.0 }));
    assert_eq!(target(&e, "time").weight, 2.0);
    assert!(target(&e, "overlap").must);
    let again = load(&Registry::builtin(), &e.resolved, "x.toml", &[], &mut nothing).unwrap();
    assert_eq!((&again.digest, &again.resolved), (&e.digest, &e.resolved));
    // The same targets without the name of the behavior are the same experiment.
    let plain = e.resolved.replace("behaviors = [\"evacuate\"]\n", "");
    assert_ne!(plain, e.resolved);
    assert_eq!(load(&Registry::builtin(), &plain, "x.toml", &[], &mut nothing).unwrap().digest, e.digest);
    assert_eq!(read("[]", "").columns.len(), 0);
}

#[test]
fn an_own_kind_replaces_the_kind_and_other_keys_merge() {
    let own = "[target.inside]\nbetween = [0, 2]\n[target.time]\nweight = 0.5\n[target.overlap]\nat_most = 0.1\n";
    let e = read("[\"evacuate\"]", own);
    assert_eq!(target(&e, "inside").wanted, Some(Wanted::Between { low: 0.0, high: 2.0 }));
    assert_eq!(target(&e, "inside").metric.name, "people_left");
    assert_eq!(target(&e, "time").weight, 0.5);
    assert_eq!(target(&e, "time").wanted, Some(Wanted::Minimize { good: 20.0, bad: 60.0 }));
    // The unit of the loss follows the new limit, and the rest of the bundle's target stays.
    assert_eq!(target(&e, "overlap").wanted, Some(Wanted::AtMost { limit: 0.1, scale: 0.1 }));
    assert!(target(&e, "overlap").must);
    let again = load(&Registry::builtin(), &e.resolved, "x.toml", &[], &mut nothing).unwrap();
    assert_eq!((again.digest, again.resolved), (e.digest, e.resolved));
}

#[test]
fn the_command_line_overrides_a_behavior() {
    let text = "model = \"social_force\"\nbehaviors = [\"evacuate\"]\n[scenario.room]\nkind = \"room\"\ncount = 5\n";
    let sets = [("target.time.weight".to_owned(), "7".to_owned())];
    let e = load(&Registry::builtin(), text, "x.toml", &sets, &mut nothing).unwrap();
    assert_eq!(target(&e, "time").weight, 7.0);
    let sets = [("behaviors".to_owned(), "[\"flow\"]".to_owned())];
    assert!(
        load(&Registry::builtin(), text, "x.toml", &sets, &mut nothing)
            .unwrap()
            .columns
            .iter()
            .any(|t| t.name == "gaps")
    );
}

#[test]
fn what_two_behaviors_want_alike_is_one_target() {
    let e = read("[\"evacuate\", \"flow\"]", "");
    let names: Vec<_> = e.columns.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["gaps", "inside", "overlap", "specific_flow", "time"]);
}

#[test]
fn what_two_behaviors_want_differently_is_settled_by_an_own_kind() {
    let own = |entry: &str| {
        let text = format!(
            "model = \"social_force\"\nbehaviors = [\"polite\", \"nervous\"]\n[scenario.room]\nkind = \"room\"\n\
             count = 5\n{entry}"
        );
        load(&Registry::builtin(), &text, "x.toml", &[], &mut nothing)
    };
    for entry in ["", "[target.turning]\nweight = 3"] {
        let error = own(entry).map(|_| ()).expect_err("nobody said what counts").to_string();
        for word in ["`polite` and `nervous` want different things of `turning`", "x.toml:2", "target.turning = {"] {
            assert!(error.contains(word), "{word} in {error}");
        }
    }
    let e = own("[target.turning]\nat_most = 90").unwrap();
    let turning = target(&e, "turning");
    // Both measure the same; the weight of one of them is no common ground.
    assert_eq!((turning.metric.name, turning.weight), ("turn_rate_p95_deg_per_s", 1.0));
    assert_eq!(turning.wanted, Some(Wanted::AtMost { limit: 90.0, scale: 90.0 }));
    let again = load(&Registry::builtin(), &e.resolved, "x.toml", &[], &mut nothing).unwrap();
    assert_eq!((again.digest, again.resolved), (e.digest, e.resolved));
}

#[test]
fn one_name_is_one_metric_and_one_kind_is_given() {
    let mut metrics: BTreeMap<&str, String> = BTreeMap::new();
    for behavior in BEHAVIORS {
        for want in behavior.make.targets {
            let tree = super::tree::toml(&format!("t = {{ {} }}", want.text)).unwrap();
            let keys = tree.get("t").and_then(|t| t.entries()).expect("a table");
            let metric = super::resolved::show(&keys["metric"].value);
            assert_eq!(*metrics.entry(want.name).or_insert(metric.clone()), metric, "{}", behavior.name);
            let kinds = keys.keys().filter(|key| TARGETS.iter().any(|kind| kind.name == **key)).count();
            assert_eq!(kinds, 1, "{}: {}", behavior.name, want.name);
            assert!(!want.source.is_empty());
        }
    }
}
