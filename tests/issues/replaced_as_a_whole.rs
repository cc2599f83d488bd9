//! D10: plots, pages and tables were written in place, so that a kill in that moment left half of one.

#![cfg(unix)]

use crate::program::Place;
use std::fs;

/// Runs a command again over its files, each of which has a second name: a file that is replaced leaves the bytes under the
/// second name, one that is written in place takes them along.
fn replaced(place: &Place, files: &[&str], command: &str) {
    for (k, file) in files.iter().enumerate() {
        fs::write(place.path(file), "of before").unwrap();
        fs::hard_link(place.path(file), place.path(&format!("second{k}"))).unwrap();
    }
    place.run(0, command);
    for (k, file) in files.iter().enumerate() {
        assert_eq!(place.text(&format!("second{k}")), "of before", "{file}");
        assert_ne!(place.text(file), "of before", "{file}");
        let part = place.path(&format!("{file}.part"));
        assert!(!part.exists());
        fs::remove_file(place.path(&format!("second{k}"))).unwrap();
    }
}

#[test]
fn results_are_replaced_as_a_whole() {
    let place = Place::new();
    place.run(0, "evolve room.toml --quiet --out run");
    let plots = fs::read_dir(place.path("run/plots")).unwrap().flatten();
    let plot = format!("run/plots/{}", plots.map(|f| f.file_name().into_string().unwrap()).min().unwrap());
    replaced(&place, &["run/report.html", &plot], "report run");
    replaced(
        &place,
        &["run/report.html", "run/best.json", "run/summary.json"],
        "evolve room.toml --quiet --out run --resume",
    );
    place.run(0, "sensitivity room.toml --quiet --samples 2 --out design");
    replaced(&place, &["design/report.html", "design/sensitivity.csv"], "report design");
    place.run(0, "simulate room.toml --picture crowd.svg");
    replaced(&place, &["crowd.svg"], "simulate room.toml --picture crowd.svg");
}

#[test]
fn a_link_stays_a_link() {
    let place = Place::new();
    place.write("elsewhere.svg", "");
    std::os::unix::fs::symlink("elsewhere.svg", place.path("crowd.svg")).unwrap();
    place.run(0, "simulate room.toml --picture crowd.svg");
    assert!(place.path("crowd.svg").is_symlink() && place.text("elsewhere.svg").contains("<svg"));
}
