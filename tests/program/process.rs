//! The program as a process, for tests.

use std::path::Path;
use std::process::{Command, Output};

pub fn run(place: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crowdtune"));
    command.current_dir(place).args(words.split_whitespace()).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What it says when all goes well.
pub fn good(place: &Path, words: &str) -> String {
    let ran = run(place, words);
    assert!(ran.status.success(), "{words}\n{}\n{}", text(&ran.stdout), text(&ran.stderr));
    text(&ran.stdout)
}
