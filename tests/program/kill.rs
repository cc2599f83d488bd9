//! A run that is killed at random moments and resumed each time ends in the same bytes as one that is left alone.

use crate::{atlas, cli, room};
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_search::{Goal, OPTIMIZERS};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn start(place: &Path, out: &str, threads: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_crowdtune"))
        .current_dir(place)
        .args(["evolve", "room.toml", "--resume", "--quiet", "--out", out, "--threads", threads])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn six_kills_end_in_the_same_bytes() {
    killed(&longer(room::ROOM), 6);
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn slow_forty_kills_end_in_the_same_bytes() {
    killed(&longer(room::ROOM), 40);
}

/// `CROWDTUNE_KILLS` says how often each is killed.
#[test]
#[ignore = "slow: .ci/run runs it"]
fn slow_kills_of_every_optimizer_end_in_the_same_bytes() {
    let times = std::env::var("CROWDTUNE_KILLS").map_or(5, |n| n.parse().unwrap());
    for entry in OPTIMIZERS {
        let text = match entry.make.goal {
            Goal::Front => cli::two_objectives(),
            Goal::Atlas => atlas::FIELD.to_string(),
            _ => longer(room::ROOM).replace("[search]", &format!("[search]\noptimizer = \"{}\"", entry.name)),
        };
        let text = match entry.make.squares {
            true => text
                .replace("minimize = { good = 5.0, bad = 20.0 }", "equals = 8.0\ntolerance = 1.0\nloss = \"squares\""),
            false => text,
        };
        killed(&text, times);
        println!("{}: {times} kills", entry.name);
    }
}

/// Long enough to be killed several times.
fn longer(text: &str) -> String {
    text.replace("evaluations = 48", "evaluations = 120").replace("replicas = 1", "replicas = 2")
}

fn killed(text: &str, times: u32) {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("room.toml"), text).unwrap();
    for (out, threads) in [("one", "1"), ("two", "2"), ("eight", "8")] {
        assert!(start(place, out, threads).wait().unwrap().success());
    }
    let log = |out: &str| fs::read(place.join(out).join("trials.jsonl")).unwrap();
    let whole = log("one");
    assert!(log("two") == whole && log("eight") == whole, "the number of threads changes the log");

    // The moments are random; which of them come before the folder is made or after the last row does not matter.
    let mut rng = Seed(20).rng();
    for _ in 0..times {
        let mut run = start(place, "killed", "2");
        std::thread::sleep(Duration::from_secs_f64(0.12 * unit(&mut rng)));
        // It may have ended by itself already.
        let _ = run.kill();
        run.wait().unwrap();
    }
    assert!(start(place, "killed", "2").wait().unwrap().success());
    assert!(log("killed") == whole, "kills change the log");
    for file in ["summary.json", "best.json", "experiment.toml"] {
        let read = |out: &str| fs::read(place.join(out).join(file)).unwrap();
        assert!(read("killed") == read("one"), "kills change {file}");
    }
}
