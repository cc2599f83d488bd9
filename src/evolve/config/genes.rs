//! What is searched: every `range`, `integers` and `choices` of the file is a gene, named by its dotted key.

use super::item::{Item, Table};
use super::{params, people, weights};
use crate::evolve::experiment::{Binding, GroupBinding, TraitBinding};
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::{self, Entry, Param};
use crowdtune_search::{Axis, Gene};
use crowdtune_sim::crowd::people::{Distribution, TRAITS};
use crowdtune_sim::models::MakeModel;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// One gene with its decoded default and start.
#[derive(Clone, Debug)]
pub struct Searched {
    /// Key and axis.
    pub gene: Gene,
    /// Published default, moved into the axis.
    pub default: f64,
    /// Start value of the file, else the default.
    pub start: f64,
}

/// All genes in key order.
#[derive(Debug, Default)]
pub struct Genes {
    /// The genes.
    pub list: Vec<Searched>,
    /// What the user should know of them.
    pub warnings: Vec<String>,
    /// What to say of a gene that acts nowhere.
    idle: Vec<Error>,
    used: RefCell<BTreeSet<usize>>,
}

/// Where a group's constants and traits are written: its own tables, its scenario's, the file's; the first that has
/// a key counts.
#[derive(Clone, Debug, Default)]
pub struct Layers<'a> {
    /// `parameters` tables.
    pub parameters: Vec<Item<'a>>,
    /// `people` tables.
    pub people: Vec<Item<'a>>,
}

impl Genes {
    fn index(&self, item: &Item<'_>) -> usize {
        let key = key(item);
        let at = self.list.binary_search_by(|g| g.gene.key.cmp(&key)).expect("every search of the file is collected");
        self.used.borrow_mut().insert(at);
        at
    }

    /// Says that all cases are bound.
    ///
    /// # Errors
    /// If a gene acts in no case.
    pub fn finish(&self) -> Result<(), Error> {
        let used = self.used.borrow();
        (0..self.list.len()).find(|at| !used.contains(at)).map_or(Ok(()), |at| Err(self.idle[at].clone()))
    }

    /// Constants and traits of one group.
    ///
    /// # Errors
    /// If a value is wrong.
    pub fn bind(&self, model: &'static Entry<MakeModel>, layers: &Layers<'_>) -> Result<GroupBinding, Error> {
        let mut said = Vec::with_capacity(model.params.len());
        for param in model.params {
            let item = first(&layers.parameters, param)?;
            said.push(match params::read(&item, param)? {
                params::Said::Fixed(value) => Ok(Binding::Fixed(value)),
                params::Said::Searched(..) => Ok(Binding::Gene(self.index(&item))),
                params::Said::Same(other) => Err(other),
                params::Said::Each => return Err(item.wrong(param.allowed())),
            });
        }
        let follow = |other: &str| {
            let at = model.params.iter().position(|p| p.key == other).expect("a registered key is followed");
            said[at].unwrap_or(Binding::Fixed(model.params[at].default_value()))
        };
        let model = said.iter().map(|s| s.unwrap_or_else(follow)).collect();

        let mut traits = [TraitBinding::Drawn(Distribution::Fixed(0.0)); 5];
        for (slot, param) in traits.iter_mut().zip(TRAITS) {
            let item = first(&layers.people, param)?;
            *slot = match people::read(&item, param)? {
                people::Said::Drawn(distribution) => TraitBinding::Drawn(distribution),
                people::Said::Searched(..) => TraitBinding::Gene(self.index(&item)),
                people::Said::Each => return Err(item.wrong(param.allowed())),
            };
        }
        Ok(GroupBinding { model, people: traits })
    }
}

fn first<'a>(tables: &[Item<'a>], param: &Param) -> Result<Item<'a>, Error> {
    for table in tables {
        if let Some(item) = table.table()?.take(param.key) {
            return Ok(item);
        }
    }
    unreachable!("the defaults are filled in")
}

/// The key of a gene: the dotted key of the file, without `parameters.` for the constants of the whole file.
fn key(item: &Item<'_>) -> String {
    item.path.strip_prefix("parameters.").unwrap_or(&item.path).to_owned()
}

/// Collects the genes of a file, before `each` is expanded, and finds unknown constants and traits.
///
/// # Errors
/// If a key is unknown, or a search is wrong.
pub fn collect(
    registry: &Registry,
    model: &'static Entry<MakeModel>,
    parameters: &Item<'_>,
    people: &Item<'_>,
    scenarios: &Item<'_>,
) -> Result<Genes, Error> {
    let mut found = Found { registry, model, genes: BTreeMap::new(), warnings: Vec::new() };
    found.parameters(parameters, false)?;
    found.people(people)?;
    for (_, scenario) in scenarios.named()? {
        found.both(&scenario.table()?, false)?;
        if let Some(groups) = scenario.table()?.take("group") {
            for (_, group) in groups.named()? {
                found.both(&group.table()?, true)?;
            }
        }
    }
    let (list, idle) = found.genes.into_values().unzip();
    Ok(Genes { list, idle, warnings: found.warnings, used: RefCell::default() })
}

struct Found<'a> {
    registry: &'a Registry,
    model: &'static Entry<MakeModel>,
    genes: BTreeMap<String, (Searched, Error)>,
    warnings: Vec<String>,
}

impl Found<'_> {
    fn both(&mut self, table: &Table<'_>, in_group: bool) -> Result<(), Error> {
        if let Some(item) = table.take("parameters") {
            self.parameters(&item, in_group)?;
        }
        table.take("people").map_or(Ok(()), |item| self.people(&item))
    }

    fn parameters(&mut self, item: &Item<'_>, in_group: bool) -> Result<(), Error> {
        let table = item.table()?;
        let defaults = registry::defaults(self.model.params);
        for (param, default) in self.model.params.iter().zip(defaults) {
            let Some(item) = table.take(param.key) else { continue };
            if in_group && !param.per_group {
                return Err(item
                    .error(format!("`{}` is one for all people, a group cannot have its own", param.key))
                    .help(format!("move it to [parameters] or [scenario.NAME.parameters]: {}", param.doc)));
            }
            if let params::Said::Searched(axis, start) = params::read(&item, param)? {
                self.add(&item, param, axis, default, start);
            }
        }
        table.leftover().map_or(Ok(()), |item| Err(self.unknown_constant(&table, &item)))
    }

    fn people(&mut self, item: &Item<'_>) -> Result<(), Error> {
        let table = item.table()?;
        for param in TRAITS {
            let Some(item) = table.take(param.key) else { continue };
            if let people::Said::Searched(axis, start) = people::read(&item, param)? {
                self.warnings.push(format!(
                    "`{}` is searched: it is a trait of people, not of the model, so the search may change who walks \
                     instead of how",
                    item.path
                ));
                self.add(&item, param, axis, param.default_value(), start);
            }
        }
        let Some(item) = table.leftover() else { return Ok(()) };
        let key = last(&item);
        if self.model.params.iter().any(|p| p.key == key) {
            return Err(item
                .error(format!("`{key}` is not a trait of people"))
                .help("it is a constant of the model: put it into [parameters]"));
        }
        match TRAITS.iter().find(|p| !p.symbol.is_empty() && p.symbol == key) {
            Some(param) => Err(symbol(&item, key, param.key)),
            None => Err(table.unknown(&item)),
        }
    }

    fn add(&mut self, item: &Item<'_>, param: &Param, axis: Axis, default: f64, start: f64) {
        let key = key(item);
        let default = params::moved(&axis, default, param);
        let idle = item
            .error(format!("`{key}` is searched, but acts in no scenario"))
            .help("every scenario or group has its own value of it; remove those, or this search");
        self.genes.insert(key.clone(), (Searched { gene: Gene { key, axis }, default, start }, idle));
    }

    fn unknown_constant(&self, table: &Table<'_>, item: &Item<'_>) -> Error {
        let typed = last(item);
        if let Some(help) = weights::reading(typed, self.model) {
            return item
                .error(format!("`{typed}` is a symbol that the source uses for two weights, no key"))
                .help(help);
        }
        if let Some(param) = self.model.params.iter().find(|p| !p.symbol.is_empty() && p.symbol == typed) {
            return symbol(item, typed, param.key);
        }
        if TRAITS.iter().any(|p| p.key == typed) {
            return item
                .error(format!("`{typed}` is not a constant of the model"))
                .help("it is a trait of people: put it into [people]");
        }
        for other in self.registry.models.iter() {
            if let Some(param) =
                other.params.iter().find(|p| p.key == typed || (!p.symbol.is_empty() && p.symbol == typed))
            {
                return item
                    .error(format!("`{typed}` is not a constant of the model `{}`", self.model.name))
                    .help(format!("`{}` is one of the model `{}`", param.key, other.name));
            }
        }
        table.unknown(item)
    }
}

fn symbol(item: &Item<'_>, typed: &str, key: &str) -> Error {
    item.error(format!("`{typed}` is a symbol of the paper, no key")).help(format!("write `{key}`"))
}

fn last<'p>(item: &'p Item<'_>) -> &'p str {
    item.path.rsplit('.').next().unwrap_or_default()
}
