//! E4: tables were 110 to 150 columns wide in a terminal of 80, and those of `list` broke words into two letters a line.

use crate::program::Place;

#[test]
fn every_screen_fits_a_terminal_of_80() {
    let place = Place::new();
    place.run(0, "evolve room.toml --quiet --out run");
    let speeds = "people.desired_speed_m_per_s=1,2";
    for words in [
        "report run",
        "compare run",
        "simulate room.toml --compare model=social_force,orca",
        &format!("sweep room.toml --set {speeds} --replicas 1 --quiet"),
        "sensitivity room.toml --samples 2 --quiet --out s",
        "validate rimea_1",
        "list models",
        "list metrics",
        "list scenarios",
        "list behaviors",
        "list optimizers",
        "list experiments",
        "list exporters",
        "list targets",
    ] {
        let arguments: Vec<&str> = words.split_whitespace().collect();
        let ran = place.command(&arguments).env("COLUMNS", "80").output().unwrap();
        let out = String::from_utf8(ran.stdout).unwrap();
        assert!(ran.status.success() && !out.is_empty(), "{words}: {}", String::from_utf8_lossy(&ran.stderr));
        for line in out.lines().filter(|line| line.chars().count() > 80) {
            // What cannot be broken, such as a path or an example, may stick out alone.
            assert!(line.split_whitespace().any(|word| word.chars().count() > 60), "{words}: {line}");
        }
        let broken = out.lines().filter(|line| (1..=2).contains(&line.trim().chars().count())).count();
        assert!(broken < 5, "{words} breaks words:\n{out}");
    }
}
