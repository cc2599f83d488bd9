//! The models of a file: its own, which steers every group that names none, and those that groups name.

use super::item::{Item, join};
use super::tree::{Entries, Node, tables};
use crate::evolve::experiment::Case;
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::models::{MakeModel, fit_together};
use crowdtune_sim::world::scenario::{Group, Scenario};
use std::collections::BTreeMap;

/// What is done with a `parameters` table: its dotted key, its entries and the model whose constants stand in it.
type Visit<'a> = dyn FnMut(&str, &mut Entries, &'static Entry<MakeModel>) -> Result<(), Error> + 'a;

/// Which models a file uses, and where.
#[derive(Debug)]
pub struct Models {
    /// The file's own first, then those that groups name, in the order of the registry.
    pub all: Vec<&'static Entry<MakeModel>>,
    /// By scenario and group, the index of the model that the group names.
    of_group: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Models {
    /// Finds the models of a file that is not filled in yet.
    ///
    /// # Errors
    /// If the file has no `model`, or one of them is not registered.
    pub fn read(root: &Node, file: &str, registry: &Registry) -> Result<Self, Error> {
        let root = Item::root(file, root);
        let usual = registry.models.first().map_or("NAME", |m| m.name);
        let own = root.table()?.need("model", &format!("add `model = \"{usual}\"`"))?.entry(&registry.models)?;
        let mut named: BTreeMap<String, BTreeMap<String, &'static Entry<MakeModel>>> = BTreeMap::new();
        for (scenario, place) in parts(&root, "scenario") {
            for (group, table) in parts(&place, "group") {
                if let Some(node) = table.node.get("model") {
                    let model = of_group(&Item::part(file, join(&table.path, "model"), node), registry)?;
                    named.entry(scenario.clone()).or_default().insert(group, model);
                }
            }
        }
        let others = registry.models.iter().filter(|model| {
            model.name != own.name && named.values().flat_map(BTreeMap::values).any(|m| m.name == model.name)
        });
        let all: Vec<_> = [own].into_iter().chain(others.copied()).collect();
        let index = |model: &Entry<MakeModel>| all.iter().position(|m| m.name == model.name).unwrap_or(0);
        let of_scenario = |groups: BTreeMap<String, &'static Entry<MakeModel>>| {
            groups.into_iter().map(|(group, model)| (group, index(model))).collect()
        };
        let of_group = named.into_iter().map(|(name, groups)| (name, of_scenario(groups))).collect();
        Ok(Self { all, of_group })
    }

    /// The model of the groups that name none.
    pub fn own(&self) -> &'static Entry<MakeModel> {
        self.all[0]
    }

    /// Their names.
    pub fn names(&self) -> Vec<&'static str> {
        self.all.iter().map(|model| model.name).collect()
    }

    /// The index of the model that steers a group.
    pub fn of(&self, scenario: &str, group: &str) -> usize {
        self.of_group.get(scenario).and_then(|groups| groups.get(group)).copied().unwrap_or(0)
    }

    /// The other models that groups of a scenario name; `None`: of any.
    pub fn others(&self, scenario: Option<&str>) -> Vec<usize> {
        let named = |at: usize| {
            let here = self.of_group.iter().filter(|(name, _)| scenario.is_none_or(|wanted| wanted == name.as_str()));
            here.flat_map(|(_, groups)| groups.values()).any(|&model| model == at)
        };
        (1..self.all.len()).filter(|&at| named(at)).collect()
    }

    /// The index of another model of this name.
    pub fn other(&self, name: &str) -> Option<usize> {
        (1..self.all.len()).find(|&at| self.all[at].name == name)
    }

    /// Checks that the models can steer their groups of a scenario, and that they can meet.
    ///
    /// # Errors
    /// As [`fit_together`].
    pub fn fit(&self, scenario: &Scenario) -> Result<(), Error> {
        let of = |group: &Group| self.of(&scenario.name, &group.name);
        let mut here: Vec<usize> = scenario.groups.iter().map(of).collect();
        here.sort_unstable();
        here.dedup();
        let at = |model: usize| here.iter().position(|&m| m == model).expect("each model of a group is there");
        let steered_by: Vec<usize> = scenario.groups.iter().map(|group| at(of(group))).collect();
        let models: Vec<_> = here.iter().map(|&model| self.all[model]).collect();
        fit_together(&models, &steered_by, scenario)
    }

    /// The group of a scenario whose model cannot meet others, or else the first that names one; the scenario where none does.
    pub fn named_first<'a>(&self, scenario: &Item<'a>) -> Item<'a> {
        let named: Vec<_> =
            parts(scenario, "group").into_iter().filter(|(_, group)| group.node.get("model").is_some()).collect();
        let name = scenario.path.strip_prefix("scenario.").unwrap_or_default();
        let alone = named.iter().find(|(group, _)| self.all[self.of(name, group)].make.alone.is_some());
        alone.or(named.first()).map_or_else(|| scenario.clone(), |(_, group)| group.clone())
    }

    /// Says that the file's own model steers somebody.
    ///
    /// # Errors
    /// If every group names another one.
    pub fn check(&self, cases: &[Case], root: &Node, file: &str) -> Result<(), Error> {
        let own = self.own().name;
        let mut groups = cases.iter().flat_map(|case| &case.groups).map(|group| group.steered_by.name);
        if groups.clone().next().is_none() || groups.any(|name| name == own) {
            return Ok(());
        }
        let node = root.get("model").expect("it was read");
        Err(Item::part(file, "model".into(), node)
            .error(format!("`{own}` steers nobody: every group names another model"))
            .help("make `model` one of theirs, or leave `model` out of the groups that it is to steer"))
    }

    /// Shows `visit` every `parameters` table of a file.
    ///
    /// # Errors
    /// The first that `visit` finds.
    pub fn tables(&self, root: &mut Node, visit: &mut Visit<'_>) -> Result<(), Error> {
        let Some(top) = root.entries_mut() else { return Ok(()) };
        self.inside(top, ("", 0), visit)?;
        for (scenario, place) in tables(top, "scenario") {
            let path = join("scenario", scenario);
            let Some(place) = place.entries_mut() else { continue };
            self.inside(place, (&path, 0), visit)?;
            for (group, table) in tables(place, "group") {
                let path = join(&join(&path, "group"), group);
                if let Some(table) = table.entries_mut() {
                    self.inside(table, (&path, self.of(scenario, group)), visit)?;
                }
            }
        }
        Ok(())
    }

    fn inside(&self, place: &mut Entries, (path, own): (&str, usize), visit: &mut Visit<'_>) -> Result<(), Error> {
        let path = join(path, "parameters");
        let Some(table) = place.get_mut("parameters").and_then(Node::entries_mut) else { return Ok(()) };
        visit(&path, table, self.all[own])?;
        for other in &self.all[1..] {
            if let Some(table) = table.get_mut(other.name).and_then(Node::entries_mut) {
                visit(&join(&path, other.name), table, other)?;
            }
        }
        Ok(())
    }
}

/// The named tables inside a table, with their dotted keys; nothing where there are none.
fn parts<'a>(item: &Item<'a>, key: &str) -> Vec<(String, Item<'a>)> {
    let path = join(&item.path, key);
    let entries = item.node.get(key).and_then(Node::entries).into_iter().flatten();
    entries.map(|(name, node)| (name.clone(), Item::part(item.file(), join(&path, name), node))).collect()
}

fn of_group(item: &Item<'_>, registry: &Registry) -> Result<&'static Entry<MakeModel>, Error> {
    if item.node.get("each").is_some() {
        return Err(item.error("the model of a group has no `each`: it goes with numbers").help(format!(
            "compare models with `crowdtune simulate FILE --compare {}=social_force,rvo`, or write a scenario for each",
            item.path
        )));
    }
    item.entry(&registry.models)
}
