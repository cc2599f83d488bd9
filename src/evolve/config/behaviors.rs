//! `behaviors = [...]`: bundles of targets become tables under `[target]`, before the defaults are filled in.

use super::item::Item;
use super::resolved::inline;
use super::tree::{self, Entries, Node, Origin, Value};
use crate::registry::Registry;
use crate::target::TARGETS;
use crate::target::behaviors::{MakeBehavior, Want};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use std::collections::BTreeMap;

/// Keys that belong to a kind, and go with it.
const OF_A_KIND: [&str; 5] = ["tolerance", "scale", "over", "by", "loss"];

/// A target with the behavior that wants it.
type Wanted = (&'static Entry<MakeBehavior>, &'static Want, Node);

/// Writes the targets of the behaviors into the tree.
///
/// Own entries under the same name come first: a kind key replaces the kind of the behavior's target, other keys merge.
/// Equal targets of several behaviors are one target; of different ones only what they have in common is taken.
///
/// # Errors
/// If a behavior is unknown or named twice, or two behaviors want different things under one name and no own entry says
/// what counts.
pub fn merge(root: &mut Node, file: &str, registry: &Registry) -> Result<(), Error> {
    let Some(list) = root.get("behaviors") else { return Ok(()) };
    let list = Item::part(file, "behaviors".into(), list);
    let mut named: Vec<&str> = Vec::new();
    let mut wanted: BTreeMap<&str, Vec<Wanted>> = BTreeMap::new();
    for item in list.list()? {
        let behavior = item.entry(&registry.behaviors)?;
        if named.contains(&behavior.name) {
            return Err(item.error(format!("the behavior `{}` is there twice", behavior.name)).help("name it once"));
        }
        named.push(behavior.name);
        let line = if let Origin::File(line) = item.node.origin { Some(line) } else { None };
        for want in behavior.make.targets {
            let node = table_of(want, Origin::Behavior { name: behavior.name, line });
            wanted.entry(want.name).or_default().push((behavior, want, node));
        }
    }
    let own = |name: &str| root.get("target").and_then(|t| t.get(name));
    if let Some(error) = wanted.iter().find_map(|(name, all)| unsettled(&list, name, all, own(name))) {
        return Err(error);
    }
    let Some(top) = root.entries_mut().filter(|_| !wanted.is_empty()) else { return Ok(()) };
    // A `target` that is not a table stays as it is: the checks that follow complain.
    let Some(targets) = top.entry("target".into()).or_insert_with(Node::empty).entries_mut() else { return Ok(()) };
    for (name, all) in wanted {
        let base = common(all);
        match targets.get_mut(name) {
            Some(own) => add(own, base),
            None => _ = targets.insert(name.into(), base),
        }
    }
    Ok(())
}

/// The error of a target that two behaviors want differently, unless the file's own entry says what counts.
fn unsettled(list: &Item<'_>, name: &str, all: &[Wanted], own: Option<&Node>) -> Option<Error> {
    let (first, other) = (&all[0], all.iter().find(|other| !same(&all[0].2, &other.2))?);
    let one_metric =
        all.iter().all(|w| w.2.get("metric").is_some_and(|m| all[0].2.get("metric").is_some_and(|f| same(m, f))));
    if own.and_then(Node::entries).is_some_and(|own| has_kind(own) && (one_metric || own.contains_key("metric"))) {
        return None;
    }
    Some(
        list.error(format!(
            "the behaviors `{}` and `{}` want different things of `{name}`",
            first.0.name, other.0.name
        ))
        .help(format!(
            "say what counts, for instance target.{name} = {{ {} }} as in `{}`, or {{ {} }} as in `{}`",
            first.1.text, first.0.name, other.1.text, other.0.name
        )),
    )
}

fn has_kind(entries: &Entries) -> bool {
    TARGETS.iter().any(|kind| entries.contains_key(kind.name))
}

/// True if two values are the same, wherever they were written.
fn same(a: &Node, b: &Node) -> bool {
    inline(&a.value) == inline(&b.value)
}

/// What all tables have in common, under the first one's origins.
fn common(all: Vec<Wanted>) -> Node {
    let mut all = all.into_iter().map(|wanted| wanted.2);
    let mut base = all.next().expect("a target is wanted by somebody");
    for other in all {
        if let Some(entries) = base.entries_mut() {
            entries.retain(|key, value| other.get(key).is_some_and(|o| same(value, o)));
        }
    }
    base
}

/// Adds what a behavior says and an own entry leaves open.
fn add(own: &mut Node, base: Node) {
    let (Some(own), Value::Table(base)) = (own.entries_mut(), base.value) else { return };
    let own_kind = has_kind(own);
    for (key, value) in base {
        if !(own_kind && (OF_A_KIND.contains(&&*key) || TARGETS.iter().any(|kind| kind.name == key))) {
            own.entry(key).or_insert(value);
        }
    }
}

/// The table of a target as its behavior has it.
fn table_of(want: &Want, origin: Origin) -> Node {
    let tree = tree::toml(&format!("t = {{ {} }}", want.text)).ok();
    let node = tree.and_then(|t| t.get("t").cloned()).expect("the text of a registered target is TOML");
    node.written(origin)
}
