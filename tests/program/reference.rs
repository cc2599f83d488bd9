//! `docs/reference/` is what the program says of itself: a page for each list, and one of the commands' help.
//!
//! After a change of the lists or of the help, `CROWDTUNE_REWRITE=1 cargo test --test program reference` writes the pages anew.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A page for each list of `crowdtune list`: the list, the title, and what a reader should know first.
const PAGES: [(&str, &str, &str); 11] = [
    (
        "models",
        "Models",
        "Crowd models and their constants, as `[parameters]` of an experiment takes them. Equations, and where each model \
         departs from its source: [docs/models.md](../models.md).",
    ),
    (
        "metrics",
        "Metrics",
        "What can be measured, in simulations and on recorded tracks. Definitions and edge cases: [docs/metrics.md](../metrics.md).",
    ),
    (
        "scenarios",
        "Scenarios",
        "Built-in places, as `kind` of a `[scenario.NAME]` takes them. Coordinates, groups, and places of your own: \
         [docs/scenarios.md](../scenarios.md).",
    ),
    ("targets", "Targets", "The keys that say what is wanted of a metric. A `[target.NAME]` has exactly one of them."),
    (
        "behaviors",
        "Behaviors",
        "Named bundles of targets, for `behaviors = [\"lanes\", \"polite\"]` in a file or `crowdtune new NAME --behavior \
         lanes,polite`. How they combine: [docs/behaviors.md](../behaviors.md).",
    ),
    (
        "optimizers",
        "Optimizers",
        "Search algorithms and their settings, as `[search]` takes them. How they work and compare: \
         [docs/optimizers.md](../optimizers.md).",
    ),
    ("exporters", "Exporters", "What `crowdtune export --to NAME` writes."),
    (
        "fitted",
        "Fitted tools",
        "Tools with a law of their own, whose parameters `crowdtune export RUN --to NAME --fit` searches until they do what a preset does: \
         [docs/exports.md](../exports.md).",
    ),
    (
        "importers",
        "Importers",
        "Files of other tools that `crowdtune import FILE --from NAME` writes an experiment from: [docs/imports.md](../imports.md).",
    ),
    (
        "presets",
        "Presets",
        "Tuned presets that come with crowdtune: `--preset NAME`, or the end of the name, `--preset walkers`, for the model of the file. How \
         they were made and judged: [docs/calibration.md](../calibration.md).",
    ),
    (
        "experiments",
        "Experiments of `validate`",
        "Published experiments and standard tests that `crowdtune validate` repeats. Results: \
         [docs/validation.md](../validation.md).",
    ),
];

const MADE: &str = "<!-- Made from the program's lists; CROWDTUNE_REWRITE=1 cargo test --test program reference -->";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference")
}

/// What the program prints.
fn says(args: &[&str]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_crowdtune"));
    // Help is as wide as the terminal, if there is one.
    let ran = program.args(args).env_remove("COLUMNS").stdin(Stdio::null()).output().unwrap();
    assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head.iter().map(|h| h.to_string()).collect());
    text += &format!("|{}\n", "---|".repeat(head.len()));
    rows.for_each(|cells| text += &line(cells.into_iter().map(|c| c.replace('|', "\\|")).collect()));
    text
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

/// The words of a key; empty where it has none.
fn word<'a>(of: &'a Value, key: &str) -> &'a str {
    of[key].as_str().unwrap_or("")
}

/// A number as people write it; JSON has no infinity and says null.
fn number(value: &Value) -> String {
    match value {
        Value::Null => "inf".into(),
        Value::Number(n) => n.as_f64().map_or_else(|| n.to_string(), |x| x.to_string()),
        other => other.as_str().map_or_else(|| other.to_string(), Into::into),
    }
}

fn range(value: &Value) -> String {
    format!("{} to {}", number(&value[0]), number(&value[1]))
}

fn params(of: &Value, all: &[Value]) -> String {
    let row = |p: &Value| {
        let default = p["same_as"].as_str().map_or_else(|| number(&p["default"]), |key| format!("as `{key}`"));
        let (accepted, searched) = match word(p, "kind") {
            "switch" => ("true, false".into(), String::new()),
            "choice" => {
                (p["options"].as_array().unwrap().iter().map(number).collect::<Vec<_>>().join(", "), String::new())
            }
            _ => (range(&p["hard"]), range(&p["search"]) + if p["log"] == true { ", log" } else { "" }),
        };
        let source = if p["source"] == of["source"] { "" } else { word(p, "source") };
        let symbol = if word(p, "symbol").is_empty() { String::new() } else { format!(" ({})", word(p, "symbol")) };
        let key = code(word(p, "key")) + &symbol;
        vec![key, word(p, "unit").into(), default, accepted, searched, word(p, "doc").into(), source.into()]
    };
    let head = ["key (symbol)", "unit", "default", "accepted", "searched", "meaning", "source, if another"];
    table(&head, all.iter().map(row))
}

fn targets(all: &[Value]) -> String {
    let row = |w: &Value| vec![code(word(w, "name")), code(word(w, "wanted")), word(w, "source").into()];
    table(&["target", "wanted", "source"], all.iter().map(row))
}

/// All things of a list in one table, then those that have settings or targets with a section each.
fn page(title: &str, about: &str, items: &[Value]) -> String {
    let own = ["name", "doc", "source", "params", "targets"];
    let facts: Vec<&str> =
        items[0].as_object().unwrap().keys().map(String::as_str).filter(|k| !own.contains(k)).collect();
    let has_source = items.iter().any(|i| !word(i, "source").is_empty());
    let heads: Vec<String> = facts.iter().map(|f| f.replace('_', " ")).collect();
    let mut head = vec!["name", "meaning"];
    head.extend(heads.iter().map(String::as_str));
    head.extend(has_source.then_some("source"));
    let row = |i: &Value| {
        let mut cells = vec![code(word(i, "name")), word(i, "doc").into()];
        let fact = |f: &&str| if *f == "example" { code(word(i, f)) } else { word(i, f).into() };
        cells.extend(facts.iter().map(fact));
        cells.extend(has_source.then(|| word(i, "source").into()));
        cells
    };
    let mut text = format!("# {title}\n\n{MADE}\n\n{about}\n\n{}", table(&head, items.iter().map(row)));
    for item in items {
        let made = match (item["params"].as_array(), item["targets"].as_array()) {
            (Some(all), _) => params(item, all),
            (_, Some(all)) => targets(all),
            _ => continue,
        };
        text += &format!("\n## {}\n\n{}\n\n{made}", word(item, "name"), word(item, "doc"));
    }
    text
}

/// The commands that a help text lists.
fn commands(help: &str) -> Vec<String> {
    let listed = help.split_once("Commands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap_or(""));
    let names = listed.lines().filter_map(|l| l.strip_prefix("  ").filter(|l| !l.starts_with(' ')));
    names.filter_map(|l| l.split(' ').next()).filter(|n| *n != "help").map(Into::into).collect()
}

/// Help of a command and of those below it, a section each.
fn help(path: &[&str]) -> String {
    let text = says(&[path, &["--help"]].concat());
    let title = [&["crowdtune"], path].concat().join(" ");
    let mut page = format!("\n## {title}\n\n```text\n{}\n```\n", text.trim_end());
    for name in commands(&text) {
        page += &help(&[path, &[&name]].concat());
    }
    page
}

/// Every page with its file name.
fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    let mut rows = Vec::new();
    for (list, title, about) in PAGES {
        let items: Vec<Value> = serde_json::from_str(&says(&["list", list, "--json"])).unwrap();
        rows.push(vec![format!("[{list}]({list}.md)"), items.len().to_string(), about.into()]);
        pages.push((format!("{list}.md"), page(title, about, &items)));
    }
    let about = "What `--help` says of every command.";
    let help = help(&[]);
    rows.push(vec!["[commands](commands.md)".into(), help.matches("\n## ").count().to_string(), about.into()]);
    pages.push(("commands.md".into(), format!("# Commands\n\n{MADE}\n\n{about}\n{help}")));
    let index = table(&["page", "entries", "about"], rows.into_iter());
    let about = "What there is, made from the program's own lists: the same that `crowdtune list` and `--help` say.";
    pages.push(("README.md".into(), format!("# Reference\n\n{MADE}\n\n{about}\n\n{index}")));
    pages
}

#[test]
fn the_reference_is_what_the_program_says() {
    let pages = pages();
    if std::env::var_os("CROWDTUNE_REWRITE").is_some() {
        fs::create_dir_all(folder()).unwrap();
        pages.iter().for_each(|(name, text)| fs::write(folder().join(name), text).unwrap());
    }
    let mut there: Vec<_> =
        fs::read_dir(folder()).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    there.sort();
    let mut wanted: Vec<_> = pages.iter().map(|(name, _)| name.clone()).collect();
    wanted.sort();
    assert_eq!(there, wanted, "a page too many or too few in docs/reference");
    for (name, text) in pages {
        let old = fs::read_to_string(folder().join(&name)).unwrap();
        assert!(
            old == text,
            "docs/reference/{name} is old; CROWDTUNE_REWRITE=1 cargo test --test program reference writes it anew"
        );
    }
}

#[test]
fn every_list_has_a_page() {
    let help = says(&["list", "--help"]);
    for name in help.lines().filter_map(|l| l.trim().strip_prefix("- ")).filter_map(|l| l.split(':').next()) {
        assert!(PAGES.iter().any(|(list, ..)| *list == name), "`crowdtune list {name}` has no page");
    }
    assert_eq!(help.matches("\n          - ").count(), PAGES.len(), "{help}");
}
