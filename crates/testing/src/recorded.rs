//! Recordings of real crowds, and the numbers that other programs computed from them.
//!
//! They are read from `CROWDTUNE_DATA`, or from `../shared/data` beside the checkout; without them the tests say so and pass.

use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::crowd::Crowd;
use std::collections::BTreeMap;
use std::path::Path;

/// The file, or `None` (with a line on stderr) where there is no data.
///
/// # Panics
/// If `CROWDTUNE_DATA` is set and the file cannot be read.
pub fn data(name: &str) -> Option<String> {
    let (folder, given) = match std::env::var("CROWDTUNE_DATA") {
        Ok(folder) => (folder, true),
        Err(_) => (concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").to_string(), false),
    };
    match std::fs::read_to_string(Path::new(&folder).join(name)) {
        Ok(text) => Some(text),
        Err(error) => {
            assert!(!given, "{name}: {error}");
            eprintln!("skipped, needs the file {name}");
            None
        }
    }
}

/// Rows of numbers; lines that start with # are comments.
///
/// # Panics
/// If a word is not a number.
pub fn rows(text: &str) -> Vec<Vec<f64>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| line.split_whitespace().map(|word| word.parse().expect("a number")).collect()).collect()
}

/// People by frame: columns id, frame, x, y; `unit_m` is what the file counts places in.
pub fn frames(text: &str, unit_m: f64) -> BTreeMap<u32, Vec<(u32, Vec2)>> {
    let mut frames = BTreeMap::<u32, Vec<_>>::new();
    for row in rows(text) {
        frames.entry(row[1] as u32).or_default().push((row[0] as u32, vec2(row[2], row[3]) * unit_m));
    }
    frames
}

/// The people of one frame: all that a recording knows.
pub fn crowd(people: &[(u32, Vec2)]) -> Crowd {
    Crowd {
        id: people.iter().map(|p| p.0).collect(),
        pos: people.iter().map(|p| p.1).collect(),
        group: vec![0; people.len()],
        ..Crowd::default()
    }
}
