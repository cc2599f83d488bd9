//! Axes of an atlas: what a file may say, what is filled in, and every mistake with its remedy.

use super::load;
use super::tests::nothing;
use crate::evolve::experiment::{AtlasAxis, Experiment};
use crate::registry::Registry;

/// A room with a target, a measure and these lines.
fn text(lines: &str) -> String {
    let room = "model = \"social_force\"\n[parameters]\npanic = { range = [0, 1] }\n[scenario.room]\nkind = \"room\"\n";
    let columns = "[target.time]\nmetric = \"evacuation_time_95_s\"\nat_most = 60\n[measure.speed]\nmetric = \"speed_mean_m_per_s\"\n";
    format!("{room}{columns}{lines}\n")
}

fn read(lines: &str) -> Experiment {
    load(&Registry::builtin(), &text(lines), "axes.toml", &[], &mut nothing).unwrap_or_else(|e| panic!("{lines}\n{e}"))
}

#[test]
fn an_axis_measures_itself_or_goes_along_a_target_or_measure() {
    let lines = "[atlas.turn]\nmetric = \"polarization\"\nwindow = { time_s = [5, 10] }\nrange = [0, 1]\ncells = 12\n\
                 [atlas.speed]\nrange = [0, 2]\n[atlas.time]\nrange = [0, 100]\ncells = 4\nsplit = 60";
    let experiment = read(lines);
    let columns: Vec<_> = experiment.columns.iter().map(|c| (c.name.as_str(), c.wanted.is_some())).collect();
    assert_eq!(columns, [("speed", false), ("time", true), ("turn", false)]);
    let axis =
        |name: &str, column, high, cells| AtlasAxis { name: name.into(), column, low: 0.0, high, cells, split: None };
    let time = AtlasAxis { split: Some(60.0), ..axis("time", 1, 100.0, 4) };
    assert_eq!(experiment.atlas, [axis("speed", 0, 2.0, 10), time, axis("turn", 2, 1.0, 12)]);
    assert_eq!(experiment.search.optimizer.name, "atlas");
    assert_eq!(experiment.search.finalists, 200);
    assert!(experiment.warnings.is_empty(), "{:?}", experiment.warnings);
    // The resolved file says it all, and is the same experiment.
    let again = load(&Registry::builtin(), &experiment.resolved, "axes.toml", &[], &mut nothing).unwrap();
    assert_eq!(
        (again.digest, again.atlas, &again.resolved),
        (experiment.digest.clone(), experiment.atlas, &experiment.resolved)
    );
    assert!(experiment.resolved.contains("[atlas.turn]\ncells = 12\ncombine = \"mean\"\nmetric = \"polarization\""));
    // Axes are part of the experiment.
    assert_ne!(experiment.digest, read(&lines.replace("cells = 4", "cells = 5")).digest);
}

#[test]
fn nothing_has_to_be_wanted_and_another_optimizer_may_search() {
    let lines = text("[atlas.speed]\nrange = [0, 2]\n[search]\noptimizer = \"random\"");
    let experiment = load(
        &Registry::builtin(),
        &lines.replace("target.time", "measure.time").replace("at_most = 60\n", ""),
        "a",
        &[],
        &mut nothing,
    );
    let experiment = experiment.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((experiment.search.optimizer.name, experiment.targets().count()), ("random", 0));
    assert_eq!(experiment.measures().len(), 1);
}

#[test]
fn mistakes_are_explained() {
    let axis = "[atlas.speed]\nrange = [0, 2]\n";
    let mistakes: Vec<(&str, String)> = vec![
        ("an atlas without axes", "[search]\noptimizer = \"atlas\"".into()),
        ("no range", "[atlas.speed]\ncells = 4".into()),
        ("a range that falls", "[atlas.speed]\nrange = [2, 0]".into()),
        ("one cell", format!("{axis}cells = 1")),
        ("half a cell", format!("{axis}cells = 2.5")),
        ("unknown metric", "[atlas.turn]\nmetric = \"polarisation\"\nrange = [0, 1]".into()),
        ("an axis that is nothing", "[atlas.sped]\nrange = [0, 1]".into()),
        ("unknown key", format!("{axis}cels = 4")),
        ("unknown key of a metric", "[atlas.turn]\nmetric = \"polarization\"\nrange = [0, 1]\nwindw = \"all\"".into()),
        ("a window beside that of the measure", format!("{axis}window = \"all\"")),
        ("measured twice", format!("{axis}metric = \"speed_mean_m_per_s\"")),
        ("a split at the end", format!("{axis}split = 2")),
        ("a split that is no number", format!("{axis}split = \"fast\"")),
        ("something wanted", "[atlas.turn]\nmetric = \"polarization\"\nrange = [0, 1]\nat_least = 0.5".into()),
        ("no mean", "[atlas.turn]\nmetric = \"polarization\"\nrange = [0, 1]\ncombine = \"worst\"".into()),
        (
            "four axes",
            ["a", "b", "c", "d"].map(|n| format!("[atlas.{n}]\nmetric = \"polarization\"\nrange = [0, 1]\n")).concat(),
        ),
        (
            "too many cells",
            ["a", "b", "c"].map(|n| format!("[atlas.{n}]\nmetric = \"polarization\"\nrange = [0, 1]\ncells = 30\n")).concat(),
        ),
        ("a metric that no scenario gives", "[atlas.lead]\nmetric = \"leader_distance_m\"\nrange = [0, 9]".into()),
        (
            "held-out scenarios only",
            "[scenario.late]\nkind = \"room\"\nheld_out = true\n[atlas.out]\nmetric = \"people_out\"\nscenario = \"late\"\nrange = [0, 9]".into(),
        ),
    ];
    let mut said = String::new();
    for (name, lines) in mistakes {
        match load(&Registry::builtin(), &text(&lines), "bad.toml", &[], &mut nothing) {
            Ok(_) => panic!("this is no mistake: {name}"),
            Err(e) => said += &format!("## {name}\n{e}\n\n"),
        }
    }
    insta::assert_snapshot!(said);
}
