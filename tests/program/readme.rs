//! The pages keep to the program: the README's example is read, its tour is run, and whatever a page names is there.

use crowdtune::Registry;
use crowdtune::evolve::experiment::{Experiment, no_files};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap()
}

/// The text of the first fenced block after a line.
fn block(after: &str) -> String {
    let text = readme();
    let rest = text.split_once(after).unwrap_or_else(|| panic!("no `{after}`")).1;
    let rest = rest.split_once("```").unwrap().1.split_once('\n').unwrap().1;
    rest.split_once("```").unwrap().0.to_string()
}

#[test]
fn the_readme_is_for_ten_minutes() {
    assert!(readme().lines().count() <= 200, "move something to docs/");
}

#[test]
fn the_example_is_an_experiment() {
    let text = block("## An experiment file");
    let read = Experiment::load(&Registry::builtin(), &text, "readme.toml", &[], &mut no_files);
    let experiment = read.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((experiment.space.genes.len(), experiment.columns.len()), (2, 2));
}

/// Files of a folder and below it with this ending.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
}

/// Every page that people read.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("results/README.md")];
    pages.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)));
    pages.extend(["core", "sim", "search"].map(|name| root().join("crates").join(name).join("README.md")));
    files(&root().join("docs"), "md", &mut pages);
    pages
}

/// The lines of a page that are no code.
fn prose(text: &str) -> Vec<&str> {
    let mut inside = false;
    let plain = |line: &&str| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !fence && !inside
    };
    text.lines().filter(plain).collect()
}

/// True for a path of this repository; false for commands, patterns, and what a run writes.
fn is_path(word: &str) -> bool {
    let rooms = ["src/", "crates/", "tests/", "docs/", "configs/", "benches/", "examples/", ".ci/", "LICENSE"];
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let blank = ["NAME", "FAMILY", "NNN", "..."].iter().any(|b| word.contains(b));
    plain && !blank && rooms.iter().any(|r| word.starts_with(r))
}

/// What a heading is called in a link.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn whatever_a_page_names_is_there() {
    let (mut paths, mut links, mut missing) = (0, 0, Vec::new());
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for line in prose(&text) {
            for word in line.split('`').skip(1).step_by(2).filter(|w| is_path(w)) {
                paths += 1;
                // A crate names its own files as they lie in it.
                if !root().join(word).exists() && !page.parent().unwrap().join(word).exists() {
                    missing.push(format!("{}: `{word}`", page.display()));
                }
            }
            for to in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                if to.contains("://") {
                    continue;
                }
                links += 1;
                let (file, heading) = to.split_once('#').unwrap_or((to, ""));
                let file = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
                let read = || fs::read_to_string(&file).unwrap_or_default();
                let known =
                    heading.is_empty() || prose(&read()).iter().any(|l| l.starts_with('#') && anchor(l) == heading);
                if !file.exists() || !known {
                    missing.push(format!("{}: ({to})", page.display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
    assert!(paths >= 50 && links >= 20, "{paths} paths, {links} links");
}

#[test]
fn pages_that_a_comment_cites_are_there() {
    let mut sources = Vec::new();
    for room in ["src", "crates", "tests", "benches"] {
        files(&root().join(room), "rs", &mut sources);
    }
    let mut found = 0;
    for source in sources {
        let text = fs::read_to_string(&source).unwrap();
        for rest in text.split("docs/").skip(1) {
            let name: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || "-_/".contains(*c)).collect();
            if rest[name.len()..].starts_with(".md") {
                found += 1;
                let page = root().join(format!("docs/{name}.md"));
                assert!(page.exists(), "{}: docs/{name}.md", source.display());
            }
        }
    }
    assert!(found >= 20, "{found}");
}

/// The tour as it stands, with smaller budgets.
#[test]
fn the_tour_runs() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("configs")).unwrap();
    for file in fs::read_dir(root().join("configs")).unwrap() {
        let file = file.unwrap();
        // Examples that need data of others lie in a folder.
        if file.path().is_dir() {
            continue;
        }
        fs::copy(file.path(), place.path().join("configs").join(file.file_name())).unwrap();
    }
    let tour = block("<!-- tour -->");
    assert_eq!(tour.lines().count(), 10);
    for line in tour.lines() {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words.remove(0), "crowdtune", "{line}");
        match words[0] {
            "sweep" => words.extend(["--set", "scenario.room.count=20"]),
            "evolve" if words.contains(&"--resume") => *words.last_mut().unwrap() = "12",
            "evolve" => words.extend(["--evaluations", "8"]),
            _ => {}
        }
        if words[0] == "evolve" {
            words.extend(["--set", "scenario.room.count=15"]);
        }
        let mut program = Command::new(env!("CARGO_BIN_EXE_crowdtune"));
        let ran = program.current_dir(place.path()).args(&words).output().unwrap();
        assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    let log = fs::read_to_string(place.path().join("results/evacuation-1/trials.jsonl")).unwrap();
    assert_eq!(log.matches("\"purpose\":\"search\"").count(), 12, "the fourth line extends the search");
    let left = ["room.html", "tuned.html", "mine.toml", "results/evacuation-1/report.html", "results/mine-1/best.json"];
    for file in left {
        assert!(Path::new(&place.path().join(file)).is_file(), "{file}");
    }
}
