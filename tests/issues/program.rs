//! The program in a folder of its own, for the stories here.

use crowdtune_testing::program;
use std::ops::Deref;

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
pub struct Place(program::Place);

impl Place {
    pub fn new() -> Self {
        Self(program::Place::new(env!("CARGO_BIN_EXE_crowdtune")).with("room.toml", ROOM))
    }

    /// Runs it, checks the exit code, and gives stdout and stderr.
    pub fn run(&self, code: i32, words: &str) -> (String, String) {
        let ran = self.0.run(code, words);
        (ran.out, ran.err)
    }

    /// Runs it, checks the exit code, and that stderr says all this.
    pub fn refused(&self, code: i32, words: &str, says: &[&str]) -> String {
        let (_, err) = self.run(code, words);
        for part in says {
            assert!(err.contains(part), "no `{part}` in\n{err}");
        }
        err
    }
}

impl Deref for Place {
    type Target = program::Place;

    fn deref(&self) -> &program::Place {
        &self.0
    }
}
