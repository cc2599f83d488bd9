//! D8: `d.txt` and `../d.txt` were kept as one file, `inputs/d.txt`, and `evolve RUN/experiment.toml` did not look there.

use crate::program::{Place, ROOM};

/// The room, with time gaps like those in two files of the same name.
fn drawn() -> Place {
    let place = Place::new();
    let like = |name: &str, file: &str| {
        format!("[target.{name}]\nmetric = \"time_gap_mean_s\"\nlike = \"{file}\"\ntolerance = 0.5\n")
    };
    let text = format!("{ROOM}{}{}", like("near", "d.txt"), like("far", "../d.txt"));
    std::fs::create_dir(place.path("mine")).unwrap();
    place.write("mine/room.toml", text);
    place.write("mine/d.txt", "0.2\n0.4\n0.6\n0.8\n");
    place.write("d.txt", "1.2\n1.4\n1.6\n1.8\n");
    place.run(0, "evolve mine/room.toml --quiet --out run");
    place
}

#[test]
fn both_are_kept() {
    let place = drawn();
    assert_eq!(place.text("run/inputs/d.txt"), place.text("mine/d.txt"));
    assert_eq!(place.text("run/inputs/%up/d.txt"), place.text("d.txt"));
    for words in ["report run", "export run --to json", "evolve mine/room.toml --quiet --out run --resume"] {
        place.run(0, words);
    }
}

#[test]
fn the_experiment_of_a_run_finds_them() {
    let place = drawn();
    std::fs::remove_dir_all(place.path("mine")).unwrap();
    std::fs::remove_file(place.path("d.txt")).unwrap();
    place.run(0, "evolve run/experiment.toml --quiet --out again");
    assert!(place.text("again/trials.jsonl") == place.text("run/trials.jsonl"));
    assert_eq!(place.text("again/inputs/%up/d.txt"), place.text("run/inputs/%up/d.txt"));
    // A copy elsewhere has its files beside it, as every experiment.
    std::fs::copy(place.path("run/experiment.toml"), place.path("copy.toml")).unwrap();
    place.refused(2, "evolve copy.toml --quiet --out third", &["`../d.txt` cannot be read"]);
}
