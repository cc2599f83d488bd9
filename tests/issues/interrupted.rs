//! D11: `sweep`, `validate`, `evaluate` and `ask-tell` died of the signal of Ctrl-C instead of ending with exit code 130.
#![cfg(target_os = "linux")]

use crate::program::Place;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn interrupted(mut run: Child) {
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
}

#[test]
fn programs_that_listen_end_with_130() {
    let place = Place::new();
    for words in [&["evaluate", "room.toml"][..], &["ask-tell"]] {
        let mut command = place.command(words);
        let mut run = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut to = run.stdin.take().unwrap();
        if words[0] == "ask-tell" {
            to.write_all(b"{\"protocol\":1,\"dimension\":1,\"lower\":[0],\"upper\":[1]}\n").unwrap();
        }
        // Its first line shows that it listens.
        let mut line = String::new();
        BufReader::new(run.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with('{'), "{line}");
        interrupted(run);
        drop(to);
    }
}

#[test]
fn long_work_ends_with_130() {
    let place = Place::new();
    for words in [
        &["sweep", "room.toml", "--replicas", "100000", "--out", "out"][..],
        &["validate", "faster_is_slower", "--out", "lab"],
    ] {
        let run = place.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // The folder is made right before the work.
        while !place.path(words.last().unwrap()).exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        interrupted(run);
    }
}
