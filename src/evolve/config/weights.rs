//! `weights = { order, s }` in a table of constants: the five weights S1 to S5 as a source prints them, by name.
//!
//! The source numbers them in two ways: its equation 3.20 has alignment third and cohesion fourth, the captions of its
//! Figure 3.9 the other way round. So numbers alone are never keys; a list says which order it is in.

use super::item::{Item, join};
use super::node::{Entries, Node};
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Param};
use crowdtune_sim::models::MakeModel;

/// The orders with the keys of S1 to S5, the usual one first.
pub const ORDERS: [(&str, [&str; 5]); 2] = [
    ("eq3.20", ["attraction_weight", "separation_weight", "alignment_weight", "cohesion_weight", "repulsion_weight"]),
    ("fig3.9", ["attraction_weight", "separation_weight", "cohesion_weight", "alignment_weight", "repulsion_weight"]),
];

/// Replaces every `weights` of a file by the five named weights, before defaults are filled in.
///
/// # Errors
/// If a list is wrong, the model has no such weights, or one of them is given by name too.
pub fn expand(root: &mut Node, file: &str, model: &'static Entry<MakeModel>) -> Result<(), Error> {
    let Some(top) = root.entries_mut() else { return Ok(()) };
    parameters(top, file, "", model)?;
    for (name, scenario) in tables(top, "scenario") {
        let path = join("scenario", name);
        let Some(scenario) = scenario.entries_mut() else { continue };
        parameters(scenario, file, &path, model)?;
        for (name, group) in tables(scenario, "group") {
            if let Some(group) = group.entries_mut() {
                parameters(group, file, &join(&join(&path, "group"), name), model)?;
            }
        }
    }
    Ok(())
}

/// What to say to somebody who types S3 or S4 as a key; `None` for other keys and other models.
pub fn reading(typed: &str, model: &Entry<MakeModel>) -> Option<String> {
    let at = ["S3", "S4"].iter().position(|s| *s == typed)? + 2;
    model.params.iter().any(|p| p.key == ORDERS[0].1[at]).then(|| {
        let [(first, one), (second, two)] = &ORDERS;
        format!(
            "write `{}` if you mean equation 3.20, `{}` if you mean Figure 3.9; or `weights = {{ order = \"{first}\", s = [..] }}` \
             with order \"{first}\" or \"{second}\"",
            one[at], two[at]
        )
    })
}

fn tables<'t>(table: &'t mut Entries, key: &str) -> impl Iterator<Item = (&'t String, &'t mut Node)> {
    table.get_mut(key).and_then(Node::entries_mut).into_iter().flatten()
}

fn parameters(table: &mut Entries, file: &str, path: &str, model: &'static Entry<MakeModel>) -> Result<(), Error> {
    let Some(parameters) = table.get_mut("parameters").and_then(Node::entries_mut) else { return Ok(()) };
    let Some(node) = parameters.remove("weights") else { return Ok(()) };
    let path = join(path, "parameters");
    let item = Item::part(file, join(&path, "weights"), &node);
    for (key, value) in five(&item, model)? {
        if let Some(given) = parameters.get(key) {
            return Err(Item::part(file, join(&path, key), given)
                .error(format!("`{key}` is given by name and in `weights`"))
                .help("keep one of the two"));
        }
        parameters.insert(key.to_owned(), value);
    }
    Ok(())
}

/// Keys and values of a list.
fn five(item: &Item<'_>, model: &'static Entry<MakeModel>) -> Result<Vec<(&'static str, Node)>, Error> {
    let known = |key: &str| model.params.iter().find(|p| p.key == key);
    if ORDERS[0].1.iter().any(|key| known(key).is_none()) {
        return Err(item
            .error(format!("the model `{}` has no weights S1 to S5", model.name))
            .help("remove `weights`, or take `model = \"five_force\"`"));
    }
    let table = item.table()?;
    let keys = match table.take("order") {
        Some(order) => order.word(&ORDERS)?,
        None => ORDERS[0].1,
    };
    let s = table.need("s", "give the five weights: `s = [S1, S2, S3, S4, S5]`")?;
    table.finish()?;
    let what = "five numbers of 0 or more: [S1, S2, S3, S4, S5]";
    s.numbers(5, what)?;
    let mut named = Vec::new();
    for (key, value) in keys.into_iter().zip(s.list()?) {
        let (low, high) = known(key).map_or((0.0, f64::INFINITY), Param::ends);
        value.number(low, high, &format!("a number from {low} to {high}"))?;
        named.push((key, value.node.clone()));
    }
    Ok(named)
}
