//! Lists of constants as a source prints them, `weights = { order = "fig3.9", s = [..] }`: replaced by the constants by name.

use super::hints::lists;
use super::item::{Item, join};
use super::models::Models;
use super::tree::{Entries, Node};
use crowdtune_core::Error;
use crowdtune_core::registry::{Listed, Param};

/// Replaces every list of a file, before defaults are filled in.
///
/// # Errors
/// If a list is wrong, or one of its constants is given by name too.
pub fn expand(root: &mut Node, file: &str, models: &Models) -> Result<(), Error> {
    models.tables(root, &mut |path, table, model| {
        lists(model).try_for_each(|list| parameters(table, file, path, (list, model.params)))
    })
}

fn parameters(parameters: &mut Entries, file: &str, path: &str, of: (&Listed, &[Param])) -> Result<(), Error> {
    let Some(node) = parameters.remove(of.0.key) else { return Ok(()) };
    for (key, value) in by_name(&Item::part(file, join(path, of.0.key), &node), of)? {
        if let Some(given) = parameters.get(key) {
            return Err(Item::part(file, join(path, key), given)
                .error(format!("`{key}` is given by name and in `{}`", of.0.key))
                .help("keep one of the two"));
        }
        parameters.insert(key.to_owned(), value);
    }
    Ok(())
}

/// Keys and values of a list.
fn by_name(item: &Item<'_>, (list, params): (&Listed, &[Param])) -> Result<Vec<(&'static str, Node)>, Error> {
    let table = item.table()?;
    let orders: Vec<_> = list.orders.iter().map(|order| (order.name, order.keys)).collect();
    let keys = match table.take("order") {
        Some(order) => order.word(&orders)?,
        None => list.orders[0].keys,
    };
    let symbols = list.symbols.join(", ");
    let values = table.need(list.values, &format!("give all of them: `{} = [{symbols}]`", list.values))?;
    table.finish()?;
    values.numbers(keys.len(), &format!("{} numbers: [{symbols}]", keys.len()))?;
    let mut named = Vec::new();
    for (key, value) in keys.iter().zip(values.list()?) {
        let (low, high) = params.iter().find(|p| p.key == *key).map_or((f64::MIN, f64::MAX), Param::ends);
        value.number(low, high, &format!("a number from {low} to {high}"))?;
        named.push((*key, value.node.clone()));
    }
    Ok(named)
}
