//! Rules of the house that the compiler does not check, by reading the sources.
//!
//! `std`'s transcendental functions give other bits on other CPUs, and a clock, a file, a thread or the environment in
//! the core would make results depend on the machine, or keep the core from a browser.

use std::fs;
use std::path::{Path, PathBuf};

/// What is below `evolve`, and the room beside it that brings no machine of its own.
const CORE: [&str; 5] = ["crates/core/src", "crates/sim/src", "crates/search/src", "src/target", "src/validation"];

/// Functions of `f64` whose bits depend on the platform, or on how a product is compiled.
const METHODS: [&str; 29] = [
    "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "powf", "powi", "cbrt", "hypot", "mul_add",
    "gamma", "ln_gamma",
];

/// What belongs to the machine, or has no fixed order.
const MACHINE: [&str; 10] = [
    "Instant",
    "SystemTime",
    "std::fs",
    "std::thread",
    "std::env",
    "std::net",
    "std::process",
    "HashMap",
    "HashSet",
    "thread_rng",
];

/// Folders with sources of programs that exports carry; `.ci/exports` builds them.
const OF_OTHERS: &str = "project";

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with(OF_OTHERS) {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
}

/// The code of a file without comments and without what only tests compile.
fn code(text: &str) -> Vec<(usize, &str)> {
    let mut lines = Vec::new();
    let mut skip_block = false;
    let mut in_test_item = false;
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split("//").next().unwrap_or("");
        if code.trim_start().starts_with("#[cfg(test)]") {
            in_test_item = true;
        } else if in_test_item && code.trim_end().ends_with('{') && code.starts_with(|c: char| c.is_alphabetic()) {
            skip_block = true;
            in_test_item = false;
        } else if in_test_item && code.trim_end().ends_with(';') {
            in_test_item = false;
        } else if skip_block {
            skip_block = line != "}";
        } else {
            lines.push((number, code));
        }
    }
    lines
}

/// Words of [`METHODS`] and [`MACHINE`] in a line of code.
fn forbidden(line: &str) -> Option<String> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let method = METHODS.iter().find(|m| line.contains(&format!(".{m}(")) || line.contains(&format!("f64::{m}")));
    let machine = MACHINE.iter().find(|m| {
        line.match_indices(*m).any(|(at, _)| !line[..at].ends_with(word) && !line[at + m.len()..].starts_with(word))
    });
    method.map(|m| format!("{m} of std: use libm:: or a product")).or(machine.map(|m| format!("{m} in the core")))
}

fn is_test_file(path: &Path) -> bool {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    stem.ends_with("tests") || stem == "testing"
}

#[test]
fn the_core_has_no_function_of_the_cpu_and_no_machine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut read = 0;
    for room in CORE {
        let mut files = Vec::new();
        sources(&root.join(room), &mut files);
        assert!(!files.is_empty(), "room {room} has no file");
        for path in files.iter().filter(|p| !is_test_file(p)) {
            let text = fs::read_to_string(path).unwrap();
            for (number, line) in code(&text) {
                read += 1;
                if let Some(what) = forbidden(line) {
                    found.push(format!("{}:{number}: {what}", path.display()));
                }
            }
        }
    }
    assert!(read > 3000, "only {read} lines were read");
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn evolve_computes_without_functions_of_the_cpu_too() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/evolve");
    let mut files = Vec::new();
    sources(&src, &mut files);
    for path in files.iter().filter(|p| !is_test_file(p)) {
        let text = fs::read_to_string(path).unwrap();
        for (number, line) in code(&text) {
            let what = forbidden(line).filter(|w| w.contains(" of std"));
            assert_eq!(what, None, "{}:{number}", path.display());
        }
    }
}

#[test]
fn a_forbidden_word_is_seen_and_a_test_may_use_it() {
    let text = "let a = x.sin();\nlet b = libm::sin(x); // x.sin()\nuse std::fs;\n#[cfg(test)]\nmod tests {\n    \
                let c = x.exp();\n}\nlet d = InstantNoodles;\nlet e = f64::powi(x, 2);\n#[cfg(test)]\nmod far;\ny.ln();\n";
    let lines: Vec<usize> =
        code(text).into_iter().filter(|(_, l)| forbidden(l).is_some()).map(|(number, _)| number).collect();
    assert_eq!(lines, [1, 3, 9, 12]);
}

/// A file without a `mod` line is compiled into nothing, so no list and no test would miss it.
#[test]
fn every_source_file_is_a_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for crate_folder in ["src", "crates/core/src", "crates/sim/src", "crates/search/src"] {
        let mut files = Vec::new();
        sources(&root.join(crate_folder), &mut files);
        let texts: Vec<(PathBuf, String)> = files.iter().map(|p| (p.clone(), fs::read_to_string(p).unwrap())).collect();
        for path in &files {
            let file = path.file_name().unwrap().to_str().unwrap();
            if ["lib.rs", "main.rs"].contains(&file) {
                continue;
            }
            // `a/b.rs` and `a/b/mod.rs` are declared in `a.rs`, or in a file of the folder `a`.
            let named = if file == "mod.rs" { path.parent().unwrap() } else { path };
            let name = named.file_stem().unwrap().to_str().unwrap();
            let folder = named.parent().unwrap();
            let line =
                |l: &str| l.trim().ends_with(&format!("mod {name};")) || l.contains(&format!("path = \"{file}\""));
            let near = |p: &Path| p.parent() == Some(folder) || p == folder.with_extension("rs");
            let declared = texts.iter().any(|(p, text)| p != path && near(p) && text.lines().any(line));
            assert!(declared, "{} is in no module: write `mod {name};` above its folder's list", path.display());
        }
    }
}
