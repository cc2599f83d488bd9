//! The README keeps to the program: its tables are made from the lists, its example is read, its tour is run.
//!
//! After a change of the lists, `CROWDTUNE_REWRITE=1 cargo test --test program readme` writes the tables anew.

use crowdtune::evolve::config;
use crowdtune::export::EXPORTERS;
use crowdtune::target::behaviors::{BEHAVIORS, MakeBehavior};
use crowdtune::target::kinds::TARGETS;
use crowdtune::validation::EXPERIMENTS;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_search::OPTIMIZERS;
use crowdtune_sim::metrics::METRICS;
use crowdtune_sim::models::MODELS;
use crowdtune_sim::world::scenarios::SCENARIOS;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap()
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head.iter().map(|h| h.to_string()).collect());
    text += &format!("|{}\n", "---|".repeat(head.len()));
    rows.for_each(|cells| text += &line(cells.into_iter().map(|c| c.replace('|', "\\|")).collect()));
    text
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Name, meaning, source.
fn entries<F>(list: &[&'static Entry<F>]) -> String {
    let row = |e: &&'static Entry<F>| vec![code(e.name), e.doc.into(), e.source.into()];
    table(&["name", "meaning", "source"], list.iter().map(row))
}

fn list(name: &str) -> String {
    match name {
        "models" => entries(MODELS),
        "scenarios" => entries(SCENARIOS),
        "metrics" => table(
            &["name", "unit", "meaning"],
            METRICS.iter().map(|m| vec![code(m.name), m.make.unit.into(), m.doc.into()]),
        ),
        "targets" => table(
            &["key", "meaning", "example"],
            TARGETS.iter().map(|k| vec![code(k.name), k.doc.into(), code(k.example)]),
        ),
        "behaviors" => table(
            &["name", "meaning", "scenarios"],
            BEHAVIORS.iter().map(|b| vec![code(b.name), b.doc.into(), b.make.suits("`")]),
        ),
        "targets of behaviors" => bundles(),
        "optimizers" => entries(OPTIMIZERS),
        "experiments" => entries(EXPERIMENTS),
        "exporters" => table(
            &["name", "writes", "meaning"],
            EXPORTERS.iter().map(|e| vec![code(e.name), e.make.writes.into(), e.doc.into()]),
        ),
        other => panic!("there is no list `{other}`"),
    }
}

/// All targets of all behaviors, a section each.
fn bundles() -> String {
    let section = |b: &&'static Entry<MakeBehavior>| {
        let wants = b.make.targets.iter().map(|w| vec![code(w.name), code(w.text), w.source.into()]);
        format!(
            "### {}\n\n{} Source: {}. Scenarios: {}.\n\n{}",
            b.name,
            b.doc,
            b.source,
            b.make.suits("`"),
            table(&["target", "wanted", "source"], wants)
        )
    };
    BEHAVIORS.iter().map(section).collect::<Vec<_>>().join("\n")
}

/// A page with its lists made anew, and how many there are.
fn made_anew(old: &str) -> (String, usize) {
    let (mut new, mut lists, mut inside) = (String::new(), 0, false);
    for line in old.lines() {
        inside &= line != "<!-- end -->";
        if !inside {
            new += &format!("{line}\n");
        }
        if let Some(name) = line.strip_prefix("<!-- list ").and_then(|l| l.strip_suffix(" -->")) {
            new += &format!("\n{}\n", list(name));
            (lists, inside) = (lists + 1, true);
        }
    }
    assert!(!inside, "a list has no end");
    (new, lists)
}

#[test]
fn tables_are_those_of_the_lists() {
    for (page, count) in [("README.md", 8), ("docs/behaviors.md", 1)] {
        let old = fs::read_to_string(root().join(page)).unwrap();
        let (new, lists) = made_anew(&old);
        assert_eq!(lists, count, "{page}: a list is missing");
        if std::env::var_os("CROWDTUNE_REWRITE").is_some() {
            fs::write(root().join(page), &new).unwrap();
        } else if old != new {
            panic!(
                "{page} does not fit the lists; CROWDTUNE_REWRITE=1 cargo test --test program readme makes it:\n\n{new}"
            );
        }
    }
}

/// The text of the first fenced block after a line.
fn block(after: &str) -> String {
    let text = readme();
    let rest = text.split_once(after).unwrap_or_else(|| panic!("no `{after}`")).1;
    let rest = rest.split_once("```").unwrap().1.split_once('\n').unwrap().1;
    rest.split_once("```").unwrap().0.to_string()
}

#[test]
fn the_example_is_an_experiment() {
    let text = block("## An experiment file");
    let read = config::load(&text, "readme.toml", &[], &mut |_| Err(Error::input("no file is named")));
    let experiment = read.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((experiment.space.genes.len(), experiment.columns.len()), (2, 2));
}

#[test]
fn files_it_names_are_there() {
    let text = readme();
    let named = text.split(['`', '(', ')']).filter(|w| {
        ["docs/", "configs/", "LICENSE", "CHANGELOG", "CONTRIBUTING"].iter().any(|p| w.starts_with(p))
            && !w.contains(' ')
    });
    let mut found = 0;
    for name in named {
        assert!(root().join(name).exists(), "{name}");
        found += 1;
    }
    assert!(found >= 8, "{found}");
}

/// The tour as it stands, with smaller budgets.
#[test]
fn the_tour_runs() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("configs")).unwrap();
    for file in fs::read_dir(root().join("configs")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), place.path().join("configs").join(file.file_name())).unwrap();
    }
    let tour = block("<!-- tour -->");
    assert_eq!(tour.lines().count(), 10);
    for line in tour.lines() {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words.remove(0), "crowdtune", "{line}");
        if let Some(at) = words.iter().position(|w| *w == "--evaluations") {
            words[at + 1] = "12";
        } else if words[0] == "evolve" {
            words.extend(["--evaluations", "8"]);
        }
        let mut program = Command::new(env!("CARGO_BIN_EXE_crowdtune"));
        let ran = program.current_dir(place.path()).args(&words).output().unwrap();
        assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    let left = ["room.html", "tuned.html", "mine.toml", "results/evacuation-1/report.html", "results/mine-1/best.json"];
    for file in left {
        assert!(Path::new(&place.path().join(file)).is_file(), "{file}");
    }
}
