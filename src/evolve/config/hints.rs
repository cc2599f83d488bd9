//! What a user may have meant by a key that is no constant of the model or no trait of people.

use super::item::{Item, Table};
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Listed};
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::models::MakeModel;

/// Says that a `parameters` or `people` table has nothing but constants or traits.
///
/// # Errors
/// Names the first other key, and what may have been meant.
pub fn unknown(table: &Item<'_>, model: &'static Entry<MakeModel>, registry: &Registry) -> Result<(), Error> {
    let of_people = last(table) == "people";
    let table = table.table()?;
    for param in if of_people { TRAITS } else { model.params } {
        table.take(param.key);
    }
    let Some(item) = table.leftover() else { return Ok(()) };
    Err(if of_people { no_trait(&table, &item, model) } else { no_constant(&table, &item, model, registry) })
}

fn no_trait(table: &Table<'_>, item: &Item<'_>, model: &'static Entry<MakeModel>) -> Error {
    let key = last(item);
    if model.params.iter().any(|p| p.key == key) {
        return item
            .error(format!("`{key}` is not a trait of people"))
            .help("it is a constant of the model: put it into [parameters]");
    }
    match TRAITS.iter().find(|p| !p.symbol.is_empty() && p.symbol == key) {
        Some(param) => symbol(item, key, param.key),
        None => table.unknown(item),
    }
}

fn no_constant(table: &Table<'_>, item: &Item<'_>, model: &'static Entry<MakeModel>, registry: &Registry) -> Error {
    let typed = last(item);
    if let Some(help) = lists(model).find_map(|list| ambiguous(typed, list)) {
        return item.error(format!("`{typed}` is a symbol that the source uses for two constants, no key")).help(help);
    }
    if let Some(param) = model.params.iter().find(|p| !p.symbol.is_empty() && p.symbol == typed) {
        return symbol(item, typed, param.key);
    }
    if TRAITS.iter().any(|p| p.key == typed) {
        return item
            .error(format!("`{typed}` is not a constant of the model"))
            .help("it is a trait of people: put it into [people]");
    }
    for other in registry.models.iter() {
        let of_other = other.params.iter().find(|p| p.key == typed || (!p.symbol.is_empty() && p.symbol == typed));
        let listed = lists(other).any(|list| list.key == typed);
        let help = match of_other {
            Some(param) => format!("`{}` is one of the model `{}`", param.key, other.name),
            None if listed => format!("`{typed}` lists constants of the model `{}`", other.name),
            None => continue,
        };
        return item.error(format!("`{typed}` is not a constant of the model `{}`", model.name)).help(help);
    }
    table.unknown(item)
}

/// What to write instead of a symbol that means one constant in one order of a list and another one in the next.
fn ambiguous(typed: &str, list: &Listed) -> Option<String> {
    let at = list.symbols.iter().position(|symbol| *symbol == typed)?;
    let (usual, others) = list.orders.split_first()?;
    let other = others.iter().find(|order| order.keys[at] != usual.keys[at])?;
    Some(format!(
        "write `{}` if you mean {}, `{}` if you mean {}; or `{} = {{ order = \"{}\", {} = [..] }}` with order \"{}\" or \"{}\"",
        usual.keys[at],
        usual.place,
        other.keys[at],
        other.place,
        list.key,
        usual.name,
        list.values,
        usual.name,
        other.name
    ))
}

/// The lists that constants of a model are in, each once.
pub fn lists(model: &Entry<MakeModel>) -> impl Iterator<Item = &'static Listed> {
    let first = |at: usize| {
        let list = model.params[at].listed?;
        (!model.params[..at].iter().any(|p| p.listed.is_some_and(|other| other.key == list.key))).then_some(list)
    };
    (0..model.params.len()).filter_map(first)
}

fn symbol(item: &Item<'_>, typed: &str, key: &str) -> Error {
    item.error(format!("`{typed}` is a symbol of the paper, no key")).help(format!("write `{key}`"))
}

fn last<'p>(item: &'p Item<'_>) -> &'p str {
    item.path.rsplit('.').next().unwrap_or_default()
}
