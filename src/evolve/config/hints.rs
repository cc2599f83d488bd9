//! What a user may have meant by a key that is no constant of the model or no trait of people.

use super::item::{Item, Table};
use super::models::Models;
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::{Entry, Listed};
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::models::MakeModel;

/// What a table may have.
pub struct Known<'k> {
    /// The models of the file.
    pub models: &'k Models,
    /// Index of the model whose constants stand in the table; `None`: traits of people do.
    pub of: Option<usize>,
    /// Indices of the models that have a table inside it.
    pub others: &'k [usize],
    /// What the file could have named.
    pub registry: &'k Registry,
}

/// Says that a `parameters` or `people` table has nothing but constants or traits, and tables of other models.
///
/// # Errors
/// Names the first other key, and what may have been meant.
pub fn unknown(table: &Item<'_>, known: &Known<'_>) -> Result<(), Error> {
    let table = table.table()?;
    let model = known.of.map(|at| known.models.all[at]);
    for param in model.map_or(TRAITS, |model| model.params) {
        table.take(param.key);
    }
    for &other in known.others {
        table.take(known.models.all[other].name);
    }
    let Some(item) = table.leftover() else { return Ok(()) };
    Err(match model {
        None => no_trait(&table, &item, known),
        Some(model) => no_table(&item, model, known).unwrap_or_else(|| no_constant(&table, &item, model, known)),
    })
}

/// The table in which the constants of a model stand for the whole file, if it steers somebody.
fn home(known: &Known<'_>, model: &Entry<MakeModel>) -> Option<String> {
    let at = known.models.all.iter().position(|m| m.name == model.name)?;
    Some(if at == 0 { "[parameters]".into() } else { format!("[parameters.{}]", model.name) })
}

fn no_trait(table: &Table<'_>, item: &Item<'_>, known: &Known<'_>) -> Error {
    let key = last(item);
    if let Some(model) = known.models.all.iter().find(|model| model.params.iter().any(|p| p.key == key)) {
        let of = if known.models.all.len() > 1 { format!("`{}`", model.name) } else { "the model".into() };
        let home = home(known, model).unwrap_or_default();
        return item
            .error(format!("`{key}` is not a trait of people"))
            .help(format!("it is a constant of {of}: put it into {home}"));
    }
    match TRAITS.iter().find(|p| !p.symbol.is_empty() && p.symbol == key) {
        Some(param) => symbol(item, key, param.key),
        None => table.unknown(item),
    }
}

/// The error of a table for a model that can have none here.
fn no_table(item: &Item<'_>, own: &Entry<MakeModel>, known: &Known<'_>) -> Option<Error> {
    let name = last(item);
    let other = known.registry.models.iter().find(|model| model.name == name)?;
    let place = item.path.strip_suffix(name).and_then(|path| path.strip_suffix('.')).unwrap_or_default();
    if other.name == own.name {
        return Some(
            item.error(format!("[{place}] itself is the table of `{name}`")).help("move its keys there, one table up"),
        );
    }
    Some(match (place, home(known, other)) {
        ("parameters", _) | (_, None) => item
            .error(format!("`{name}` steers no group, so its constants have no effect"))
            .help(format!("give a group `model = \"{name}\"`, or remove them")),
        (_, Some(home)) if place.contains(".group.") => item
            .error(format!("`{name}` does not steer this group: `{}` does", own.name))
            .help(format!("put constants of `{name}` into {home} or {}", home.replace('[', "[scenario.NAME."))),
        (_, Some(home)) => item
            .error(format!("`{name}` steers no group of this scenario, so its constants have no effect here"))
            .help(format!("give a group `model = \"{name}\"`, or move them to {home}")),
    })
}

fn no_constant(table: &Table<'_>, item: &Item<'_>, model: &Entry<MakeModel>, known: &Known<'_>) -> Error {
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
    // Those of the file before those that it could have named.
    for other in known.models.all.iter().chain(known.registry.models.iter()) {
        let of_other = other.params.iter().find(|p| p.key == typed || (!p.symbol.is_empty() && p.symbol == typed));
        let listed = lists(other).any(|list| list.key == typed);
        let help = match of_other {
            Some(param) => format!("`{}` is one of the model `{}`", param.key, other.name),
            None if listed => format!("`{typed}` lists constants of the model `{}`", other.name),
            None => continue,
        };
        let help = home(known, other).map_or(help.clone(), |home| format!("{help}: put it into {home}"));
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
