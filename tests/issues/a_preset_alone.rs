//! D12: a preset without its run folder was exported to JuPedSim in the published room with 200 people, with no more than a
//! note.

use crate::program::Place;
use std::fs;

#[test]
fn a_preset_without_its_place_is_not_put_into_another_one() {
    let place = Place::new();
    place.run(0, "evolve room.toml --quiet --out run");
    fs::copy(place.path("run/best.json"), place.path("best.json")).unwrap();
    let says = ["`jupedsim` needs a place", "experiment.toml and trials.jsonl", "--force"];
    place.refused(2, "export best.json --to jupedsim", &says);
    // One of the two files is not enough.
    fs::copy(place.path("run/experiment.toml"), place.path("experiment.toml")).unwrap();
    place.refused(2, "export best.json --to jupedsim", &says);
    assert!(!place.path("export").exists());
    fs::remove_file(place.path("experiment.toml")).unwrap();

    place.run(0, "export best.json --to json");
    place.refused(0, "export best.json --to jupedsim --force", &["the scenario `room` as published"]);
    place.run(0, "export run/best.json --to jupedsim");
    assert_ne!(
        place.text("run/export/jupedsim/run_jupedsim.py").lines().count(),
        place.text("export/jupedsim/run_jupedsim.py").lines().count()
    );
}
