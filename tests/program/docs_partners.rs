//! The partner of docs/ask-tell.md runs as it is printed.

use std::path::Path;
use std::process::Command;

/// The first block of Python of a page.
fn python(page: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page);
    let text = std::fs::read_to_string(path).unwrap();
    let (_, block) = text.split_once("```python\n").unwrap();
    block.split_once("\n```").unwrap().0.to_string()
}

#[test]
fn the_printed_partner_finds_the_minimum() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("the_printed_partner_finds_the_minimum: there is no python3 here");
        return;
    }
    let program = Path::new(env!("CARGO_BIN_EXE_crowdtune"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let ran = Command::new("python3").args(["-c", &python("ask-tell.md")]).env("PATH", path).output().unwrap();
    let (out, err) = (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap());
    assert!(ran.status.success(), "{out}\n{err}");
    let value: f64 = out.split_whitespace().next_back().unwrap().parse().unwrap();
    assert!(out.starts_with('[') && value < 1e-6, "{out}");
}
