//! Writing the tree: as TOML for people, and as one digest for the log.

use super::tree::{Entries, Node, Value, tables};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The whole file as TOML; the first of the models is that of the file.
pub fn toml(root: &Node, models: &[&str]) -> String {
    let mut out = String::new();
    if let Some(entries) = root.entries() {
        table(&mut out, &mut Vec::new(), entries, models);
    }
    out
}

fn table(out: &mut String, path: &mut Vec<String>, entries: &Entries, models: &[&str]) {
    let mut parts = Vec::new();
    let mut lines = String::new();
    for (name, node) in entries {
        match node.entries() {
            Some(inner) if is_section(path, name, models) => parts.push((name, inner)),
            _ => _ = writeln!(lines, "{} = {}", key(name), inline(&node.value)),
        }
    }
    if !path.is_empty() && (!lines.is_empty() || parts.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        let header: Vec<_> = path.iter().map(|p| key(p)).collect();
        _ = writeln!(out, "[{}]", header.join("."));
    }
    out.push_str(&lines);
    for (name, inner) in parts {
        path.push(name.clone());
        table(out, path, inner, models);
        path.pop();
    }
}

/// True for tables that get a header; the others stand on one line.
fn is_section(path: &[String], name: &str, models: &[&str]) -> bool {
    let path: Vec<_> = path.iter().map(String::as_str).collect();
    match path[..] {
        [] => true,
        ["search" | "engine"] | ["scenario" | "target" | "measure" | "atlas"] => true,
        ["parameters"] | ["scenario", _, "parameters"] => models[1..].contains(&name),
        ["scenario", _] => matches!(name, "parameters" | "people" | "group"),
        ["scenario", _, "group"] => true,
        ["scenario", _, "group", _] => matches!(name, "parameters" | "people"),
        _ => false,
    }
}

/// SHA-256 of what the results depend on: the filled file without name, title, number of evaluations, rules to stop, repeats, share of
/// the profiles, preference (it chooses among what was found) and names of behaviors (their targets are there), and the files that it names.
/// Whether a number was written with a point does not matter, nor whether a group names the model that the file names for all.
pub fn digest(root: &Node, models: &[&str], files: &BTreeMap<String, Vec<u8>>) -> String {
    let mut root = root.clone();
    if let Some(top) = root.entries_mut() {
        tables(top, "scenario").for_each(|(_, scenario)| unnamed(scenario, models[0]));
        top.remove("name");
        top.remove("title");
        top.remove("behaviors");
        if let Some(engine) = top.get_mut("engine").and_then(Node::entries_mut) {
            // The log names the command beside the digest, and how it is talked to changes no answer.
            for key in ["command", "connection", "timeout_s", "start_s"] {
                engine.remove(key);
            }
        }
        if let Some(search) = top.get_mut("search").and_then(Node::entries_mut) {
            // How long and how often, and what is picked: a longer search continues a shorter one.
            for key in ["evaluations", "stop", "repeats", "preference", "profile_share"] {
                search.remove(key);
            }
        }
    }
    plain(&mut root);
    let mut hash = Sha256::new();
    hash.update(toml(&root, models).as_bytes());
    for (name, bytes) in files {
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    hash.finalize().iter().fold(String::new(), |mut out, byte| {
        _ = write!(out, "{byte:02x}");
        out
    })
}

/// Removes the model of groups that the file has for all, and what is empty without it.
fn unnamed(scenario: &mut Node, own: &str) {
    let Some(scenario) = scenario.entries_mut() else { return };
    let Some(groups) = scenario.get_mut("group").and_then(Node::entries_mut) else { return };
    let before = groups.len();
    groups.retain(|_, group| {
        let Some(group) = group.entries_mut() else { return true };
        let named = group.get("model").and_then(Node::text) == Some(own);
        if named {
            group.remove("model");
        }
        !(named && group.is_empty())
    });
    if groups.is_empty() && before > 0 {
        scenario.remove("group");
    }
}

/// Writes every float that is a whole number as a whole number.
fn plain(node: &mut Node) {
    match &mut node.value {
        Value::Float(x) if *x == x.trunc() && x.abs() < 9e15 => node.value = Value::Integer(*x as i64),
        Value::List(list) => list.iter_mut().for_each(plain),
        Value::Table(entries) => entries.values_mut().for_each(plain),
        _ => {}
    }
}

/// A value as a user would type it, shortened to one readable line.
pub fn show(value: &Value) -> String {
    let text = inline(value);
    if text.chars().count() <= 60 {
        return text;
    }
    text.chars().take(57).chain("...".chars()).collect()
}

/// A key as TOML has it.
fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { name.to_owned() } else { text(name) }
}

fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => _ = write!(out, "\\u{:04X}", c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A value on one line.
pub fn inline(value: &Value) -> String {
    match value {
        Value::Bool(on) => on.to_string(),
        Value::Integer(n) => n.to_string(),
        Value::Float(x) if x.is_nan() => "nan".into(),
        Value::Float(x) => format!("{x:?}"),
        Value::Text(t) => text(t),
        Value::List(list) => format!("[{}]", list.iter().map(|n| inline(&n.value)).collect::<Vec<_>>().join(", ")),
        Value::Table(entries) if entries.is_empty() => "{}".into(),
        Value::Table(entries) => {
            let all: Vec<_> = entries.iter().map(|(k, n)| format!("{} = {}", key(k), inline(&n.value))).collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}
