//! A11: `new --behavior queue --scenario corridor` wrote a file that was then refused; `polite,nervous` dropped the target that
//! defines nervous without a word; `lanes,polite` began with a model that meets six of its seven wishes.

use crate::program::Place;

#[test]
fn only_what_runs_is_written() {
    let place = Place::new();
    place.refused(2, "new q --behavior queue --scenario corridor", &["cannot run", "nobody who leaves", "--scenario"]);
    assert!(!place.path("q.toml").exists());
    place.run(0, "new q --behavior queue");
    place.run(0, "simulate q.toml");
}

#[test]
fn every_behavior_keeps_its_targets() {
    let place = Place::new();
    let (_, err) = place.run(0, "new two --behavior polite,nervous");
    assert!(err.contains("note: `polite` and `nervous` want different values of `turning`"), "{err}");
    let text = place.text("two.toml");
    assert!(text.contains("\nturning = {") && text.contains("\nturning_of_nervous = {"), "{text}");
    let (out, _) = place.run(0, "simulate two.toml");
    assert!(out.contains("turning_of_nervous"), "{out}");
}

#[test]
fn crowds_that_meet_politely_begin_with_a_model_that_can() {
    let place = Place::new();
    place.run(0, "new calm --behavior lanes,polite");
    assert!(place.text("calm.toml").contains("model  = \"orca\""));
    // Who names a model gets it.
    place.run(0, "new forces --behavior lanes,polite --model five_force");
    assert!(place.text("forces.toml").contains("model  = \"five_force\""));
}
