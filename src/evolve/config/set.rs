//! `--set KEY=VALUE` on the tree of a file.

use super::node::{Node, Origin, Value};
use super::parse;
use crowdtune_core::Error;

/// Replaces the value of a dotted key. The right side is a TOML value, else a text.
///
/// # Errors
/// If the key is no dotted key, or leads through something that is not a table.
pub fn apply(root: &mut Node, key: &str, text: &str) -> Result<(), Error> {
    let path = path(key).ok_or_else(|| {
        Error::input(format!("`{key}` is not a key"))
            .key(format!("--set {key}"))
            .help("give dotted keys as the file has them, such as `target.flow.weight=3` or `search.seed=2`")
    })?;
    let mut value = value(text);
    mark(&mut value);
    let mut at = root;
    for (depth, part) in path.iter().enumerate() {
        let Some(entries) = at.entries_mut() else {
            let table = path[..depth].join(".");
            return Err(Error::input(format!("`{table}` is not a table, so it has no `{part}`"))
                .key(format!("--set {key}"))
                .help(format!("set `{table}` itself, for instance to {{ {part} = {text} }}")));
        };
        if depth + 1 == path.len() {
            entries.insert(part.clone(), value);
            return Ok(());
        }
        at = entries
            .entry(part.clone())
            .or_insert_with(|| Node { value: Value::Table(Default::default()), origin: Origin::Set });
    }
    Ok(())
}

/// The parts of a dotted key, or `None` if it is none.
fn path(key: &str) -> Option<Vec<String>> {
    let mut node = parse::toml(&format!("{key} = 0")).ok()?;
    let mut path = Vec::new();
    loop {
        match node.value {
            Value::Table(mut entries) if entries.len() == 1 => {
                let (key, next) = entries.pop_first()?;
                path.push(key);
                node = next;
            }
            Value::Integer(0) => return Some(path),
            _ => return None,
        }
    }
}

fn value(text: &str) -> Node {
    let as_text = || Node { value: Value::Text(text.to_owned()), origin: Origin::Set };
    match parse::toml(&format!("v = {text}")).map(|n| n.value) {
        Ok(Value::Table(mut entries)) if entries.len() == 1 => entries.remove("v").unwrap_or_else(as_text),
        _ => as_text(),
    }
}

fn mark(node: &mut Node) {
    node.origin = Origin::Set;
    match &mut node.value {
        Value::List(list) => list.iter_mut().for_each(mark),
        Value::Table(entries) => entries.values_mut().for_each(mark),
        _ => {}
    }
}
