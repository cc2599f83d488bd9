//! `each`: one copy of a scenario for every combination of values.

use super::item::Item;
use super::models::Models;
use super::tree::{Entries, Node, Value};
use crowdtune_core::Error;
use std::collections::BTreeMap;

/// A scenario table with one value for each of its `each` keys, and the tables of the file that act in it.
#[derive(Clone, Debug)]
pub struct Combination {
    /// Keys without the table, and their values.
    pub axes: Vec<(String, f64)>,
    /// True if one of the values is held out.
    pub held_out: bool,
    /// The scenario table.
    pub scenario: Node,
    /// The table of the file's `parameters` and `people`.
    pub file: Node,
}

/// Chosen here: a product of more cases is a mistake or a sweep of weeks.
const MOST: usize = 10_000;

struct Axis {
    path: Vec<Step>,
    values: Vec<(Node, f64, bool)>,
}

#[derive(Clone)]
enum Step {
    Key(String),
    At(usize),
}

/// All combinations: `each` values in file order, the first key in name order slowest, held-out ones last.
///
/// # Errors
/// If an `each` holds no numbers, one twice, or there are too many combinations.
pub fn expand(
    root: &Node,
    file: &str,
    name: &str,
    scenario: &Node,
    models: &Models,
) -> Result<Vec<Combination>, Error> {
    let path = format!("scenario.{name}");
    let mut axes = BTreeMap::new();
    let mut whole = Entries::new();
    for table in ["parameters", "people"] {
        let Some(of_file) = root.get(table) else { continue };
        whole.insert(table.to_owned(), of_file.clone());
        // A key of the file that the scenario has too does not act here.
        for (key, node) in of_file.entries().into_iter().flatten() {
            let (path, steps) = (format!("{table}.{key}"), vec![Step::Key(table.into()), Step::Key(key.clone())]);
            let here = scenario.get(table).and_then(|t| t.get(key));
            match models.other(key).filter(|_| table == "parameters") {
                Some(model) if models.others(Some(name)).contains(&model) => {
                    for (key, node) in node.entries().into_iter().flatten() {
                        if here.and_then(|table| table.get(key)).is_none() {
                            let steps = [&steps[..], &[Step::Key(key.clone())]].concat();
                            find(&Item::part(file, format!("{path}.{key}"), node), "", steps, &mut axes)?;
                        }
                    }
                }
                None if here.is_none() => find(&Item::part(file, path, node), "", steps, &mut axes)?,
                _ => {}
            }
        }
    }
    find(&Item::part(file, path.clone(), scenario), &path, vec![Step::Key("scenario".into())], &mut axes)?;

    let count = axes.values().try_fold(1usize, |n, a| n.checked_mul(a.values.len())).unwrap_or(usize::MAX);
    if count > MOST {
        return Err(Item::part(file, path, scenario)
            .error(format!("the `each` keys make more than {MOST} scenarios"))
            .help("give fewer values"));
    }
    whole.insert("scenario".to_owned(), scenario.clone());
    let whole = Node::default(Value::Table(whole));
    let mut out: Vec<_> = (0..count).map(|number| combination(&whole, &axes, number, count)).collect();
    out.sort_by_key(|c| c.held_out);
    Ok(out)
}

fn combination(whole: &Node, axes: &BTreeMap<String, Axis>, number: usize, count: usize) -> Combination {
    let mut whole = whole.clone();
    let (mut rest, mut block, mut held_out, mut chosen) = (number, count, false, Vec::new());
    for (label, axis) in axes {
        block /= axis.values.len();
        let (node, value, held) = &axis.values[rest / block];
        rest %= block;
        held_out |= held;
        chosen.push((label.clone(), *value));
        *at(&mut whole, &axis.path) = node.clone();
    }
    let scenario = whole.entries_mut().and_then(|entries| entries.remove("scenario"));
    Combination { axes: chosen, held_out, scenario: scenario.unwrap_or_else(Node::empty), file: whole }
}

fn at<'n>(node: &'n mut Node, path: &[Step]) -> &'n mut Node {
    path.iter().fold(node, |node, step| match (&mut node.value, step) {
        (Value::Table(entries), Step::Key(key)) => entries.get_mut(key).expect("the path was found in this tree"),
        (Value::List(list), Step::At(at)) => &mut list[*at],
        _ => unreachable!("the path was found in this tree"),
    })
}

/// True for `{ each = [..], held_out = [..] }`; `held_out = true` belongs to a whole scenario.
fn is_axis(entries: &Entries) -> bool {
    let lists = |key: &str| matches!(entries.get(key).map(|n| &n.value), Some(Value::List(_)));
    entries.contains_key("each") || lists("held_out")
}

fn find(item: &Item<'_>, table: &str, steps: Vec<Step>, out: &mut BTreeMap<String, Axis>) -> Result<(), Error> {
    match &item.node.value {
        Value::Table(entries) if is_axis(entries) => {
            let axis = Axis { path: steps, values: values(item)? };
            let full = super::item::key_of(&item.path, table);
            let short = full.strip_prefix("parameters.").unwrap_or(full);
            let label = if out.contains_key(short) { full } else { short };
            out.insert(label.to_owned(), axis);
        }
        Value::Table(entries) => {
            for (key, node) in entries {
                let steps = [&steps[..], &[Step::Key(key.clone())]].concat();
                find(&Item::part(item.file(), super::item::join(&item.path, key), node), table, steps, out)?;
            }
        }
        Value::List(_) => {
            for (i, part) in item.list()?.iter().enumerate() {
                find(part, table, [&steps[..], &[Step::At(i)]].concat(), out)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn values(item: &Item<'_>) -> Result<Vec<(Node, f64, bool)>, Error> {
    let table = item.table()?;
    let each =
        table.need("each", "`held_out` goes with `each`: values for the search, and values that it never sees")?;
    let held_out = table.take("held_out");
    if let Some(search) = ["range", "integers", "choices"].into_iter().find_map(|k| table.take(k)) {
        return Err(search.error("a key cannot be both fixed and searched").help("keep `each` or the search"));
    }
    table.finish()?;
    let mut out: Vec<(Node, f64, bool)> = Vec::new();
    for (list, held) in [(Some(each.clone()), false), (held_out, true)] {
        let Some(list) = list else { continue };
        for value in list.list()? {
            let number = value.finite()?;
            if out.iter().any(|o| o.1 == number) {
                return Err(list.error(format!("{number} is there twice")).help("every value makes one scenario"));
            }
            out.push((value.node.clone(), number, held));
        }
    }
    if !out.iter().any(|o| !o.2) {
        return Err(each.wrong("at least one number"));
    }
    Ok(out)
}
