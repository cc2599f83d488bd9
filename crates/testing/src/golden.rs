//! Golden values: what a computation gave once, kept in a text file of one `name value` a line.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

/// What to do when a value moved.
const ADVICE: &str = "\
The same experiment now gives other results.
* Not wanted: the change has a bug. Most often a sum runs in another order, a random number is drawn at another place, or a
  function of `std` stands where one of `libm` should.
* Wanted: `CROWDTUNE_REWRITE=1 cargo test --test golden` writes the new value. Say in CHANGELOG.md under \"Changes results\"
  what moved and why, and raise RESULTS in src/evolve/log.rs, so that no log of earlier results is continued.";

/// Asserts that `found` is what the file has under `name`; with `CROWDTUNE_REWRITE` set it is written there instead.
///
/// # Panics
/// If the file has another value or none, or cannot be read or written.
pub fn assert_golden(file: &Path, name: &str, found: &str) {
    static ONE_WRITER: Mutex<()> = Mutex::new(());
    let _one = ONE_WRITER.lock();
    let mut values = read(file);
    if std::env::var_os("CROWDTUNE_REWRITE").is_some() {
        values.insert(name.into(), found.into());
        let lines: String = values.iter().map(|(name, value)| format!("{name} {value}\n")).collect();
        std::fs::write(file, lines).unwrap();
        return;
    }
    let file = file.display();
    match values.get(name) {
        None => panic!("{file} has no `{name}`; `CROWDTUNE_REWRITE=1 cargo test --test golden` adds it: {found}"),
        Some(golden) => assert!(golden == found, "`{name}` of {file} moved from {golden} to {found}.\n{ADVICE}"),
    }
}

/// The values of a golden file by name; none if there is no file yet.
///
/// # Panics
/// If a line is not a name and a value.
pub fn read(file: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = |line: &str| line.split_once(' ').map(|(name, value)| (name.to_string(), value.to_string())).unwrap();
    text.lines().map(line).collect()
}
