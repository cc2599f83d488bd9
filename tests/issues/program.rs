//! The program in a folder of its own, for the stories here.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Five people leave a small room: quick.
pub const ROOM: &str = r#"
format = 1
title = "A tiny room"
model = "social_force"
[parameters]
relaxation_time_s = { range = [0.1, 2.0] }
repulsion_range_m = 0.08
[scenario.room]
kind = "room"
count = 5
width_m = 5.0
depth_m = 5.0
limit_s = 20.0
replicas = 1
[target.time]
metric = "evacuation_time_95_s"
minimize = { good = 5.0, bad = 20.0 }
[search]
evaluations = 8
"#;

/// A folder with `room.toml`.
pub struct Place(pub TempDir);

impl Place {
    pub fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.write("room.toml", ROOM);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crowdtune"));
        command.current_dir(self.0.path()).args(arguments).stdin(Stdio::null());
        command
    }

    /// Runs it, checks the exit code, and gives stdout and stderr.
    pub fn run(&self, code: i32, words: &str) -> (String, String) {
        let arguments: Vec<&str> = words.split_whitespace().collect();
        let ran = self.command(&arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let (out, err) = (text(&ran.stdout), text(&ran.stderr));
        assert_eq!(ran.status.code(), Some(code), "{words}\n{out}\n{err}");
        (out, err)
    }

    /// Runs it, and checks that it is refused with all this in the message.
    pub fn refused(&self, code: i32, words: &str, says: &[&str]) -> String {
        let (_, err) = self.run(code, words);
        for part in says {
            assert!(err.contains(part), "no `{part}` in\n{err}");
        }
        err
    }
}
