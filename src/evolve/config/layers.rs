//! The typed layers of an experiment: what the file, a scenario and a group say of constants and traits of people.
//!
//! Every `parameters` and `people` table is read once, into one slot for each param of the model and each trait. A group takes
//! each of them from the nearest layer that says something of it: its own, its scenario's, the file's, which has all defaults.

use super::each::Combination;
use super::item::{Item, join};
use super::tree::{Entries, Node, Value, put, tables};
use super::{hints, params};
use crate::evolve::codec::{self, Said};
use crate::evolve::experiment::{Binding, GroupBinding, TraitBinding};
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::{self, Entry, Param};
use crowdtune_search::{Axis, Gene};
use crowdtune_sim::crowd::people::{Distribution, TRAITS};
use crowdtune_sim::models::MakeModel;
use std::cell::Cell;
use std::collections::BTreeMap;

/// One gene with its decoded default and start.
#[derive(Clone, Debug)]
pub struct Searched {
    /// Its dotted key, without `parameters.` for the constants of the whole file, and its axis.
    pub gene: Gene,
    /// Published default, moved into the axis.
    pub default: f64,
    /// Start value of the file, else the default.
    pub start: f64,
    /// True once a group takes it.
    acts: Cell<bool>,
    /// What to say if none does.
    idle: Error,
}

/// A key that a layer can have.
#[derive(Clone, Copy, Debug)]
struct Slot {
    table: &'static str,
    param: &'static Param,
    default: f64,
}

/// What the `parameters` and `people` tables of one place say: one value per slot, `None` where they leave it out.
#[derive(Debug, Default)]
struct Layer {
    path: String,
    said: Vec<Option<Said>>,
}

/// A scenario's own layer, and those of its groups.
#[derive(Debug, Default)]
struct OfScenario {
    own: Layer,
    groups: BTreeMap<String, Layer>,
}

/// All layers of an experiment.
#[derive(Debug)]
pub struct Layers<'a> {
    /// What is searched, in key order.
    pub genes: Vec<Searched>,
    /// What the user should know of it.
    pub warnings: Vec<String>,
    file: &'a str,
    /// The params of the model, then the traits.
    slots: Vec<Slot>,
    whole: Layer,
    scenarios: BTreeMap<String, OfScenario>,
}

impl<'a> Layers<'a> {
    /// Reads all layers, and writes out in the tree what they leave open: defaults, and `log`, `start` and `clip`.
    ///
    /// # Errors
    /// If a key is unknown, or a value is wrong.
    pub fn read(
        root: &mut Node,
        file: &'a str,
        model: &'static Entry<MakeModel>,
        registry: &Registry,
    ) -> Result<Self, Error> {
        let lists = [
            ("parameters", model.params, registry::defaults(model.params)),
            ("people", TRAITS, registry::defaults(TRAITS)),
        ];
        let slots = lists.into_iter().flat_map(|(table, list, defaults)| {
            list.iter().zip(defaults).map(move |(param, default)| Slot { table, param, default })
        });
        let (slots, whole, scenarios) = (slots.collect(), Layer::default(), BTreeMap::new());
        let mut layers = Self { genes: Vec::new(), warnings: Vec::new(), file, slots, whole, scenarios };
        let Some(top) = root.entries_mut() else { return Ok(layers) };
        for (table, list) in [("parameters", model.params), ("people", TRAITS)] {
            let node = top.entry(table.to_owned()).or_insert_with(Node::empty);
            node.entries_mut().into_iter().for_each(|entries| params::fill(entries, list));
        }
        let unknown = |table: &Item<'_>| hints::unknown(table, model, registry);
        layers.whole = layers.layer(top, (String::new(), false), &unknown)?;
        for (name, scenario) in tables(top, "scenario") {
            let Some(place) = scenario.entries_mut() else { continue };
            let path = join("scenario", name);
            let own = layers.layer(place, (path.clone(), false), &unknown)?;
            let mut groups = BTreeMap::new();
            for (name, group) in tables(place, "group") {
                let Some(place) = group.entries_mut() else { continue };
                let path = join(&join(&path, "group"), name);
                groups.insert(name.clone(), layers.layer(place, (path, true), &unknown)?);
            }
            layers.scenarios.insert(name.clone(), OfScenario { own, groups });
        }
        layers.genes.sort_by(|a, b| a.gene.key.cmp(&b.gene.key));
        Ok(layers)
    }

    fn layer(
        &mut self,
        place: &mut Entries,
        (path, in_group): (String, bool),
        unknown: &dyn Fn(&Item<'_>) -> Result<(), Error>,
    ) -> Result<Layer, Error> {
        let mut said = vec![None; self.slots.len()];
        for table in ["parameters", "people"] {
            let Some(node) = place.get_mut(table) else { continue };
            let path = join(&path, table);
            Item::part(self.file, path.clone(), node).table()?;
            let shared = |param: &Param| in_group && table == "parameters" && !param.per_group;
            for (at, said) in said.iter_mut().enumerate() {
                let Slot { table: of, param, .. } = self.slots[at];
                let found = node.entries_mut().filter(|_| of == table).and_then(|entries| entries.get_mut(param.key));
                if let Some(node) = found {
                    let path = join(&path, param.key);
                    if shared(param) {
                        return Err(Item::part(self.file, path, node)
                            .error(format!("`{}` is one for all people, a group cannot have its own", param.key))
                            .help(format!("move it to [parameters] or [scenario.NAME.parameters]: {}", param.doc)));
                    }
                    *said = Some(self.value(node, path, at)?);
                }
            }
            unknown(&Item::part(self.file, path, node))?;
        }
        Ok(Layer { path, said })
    }

    /// Reads one value, and writes out what it leaves open.
    fn value(&mut self, node: &mut Node, path: String, at: usize) -> Result<Said, Error> {
        let Slot { table, param, default } = self.slots[at];
        let item = Item::part(self.file, path, node);
        let said = codec::said(&item, param)?;
        let open: Vec<(String, Value)> = match &said {
            Said::Searched(axis, start) => {
                if table == "people" {
                    self.warnings.push(format!(
                        "`{}` is searched: it is a trait of people, not of the model, so the search may change who walks \
                         instead of how",
                        item.path
                    ));
                }
                let default = codec::moved(axis, default, param);
                let start = start.unwrap_or(default);
                self.genes.push(gene(&item, axis, default, start));
                let log =
                    if let Axis::Real { log, .. } = axis { Some(("log".to_owned(), Value::Bool(*log))) } else { None };
                log.into_iter().chain([("start".to_owned(), codec::value(param, start))]).collect()
            }
            Said::Drawn(distribution) => match codec::drawn(*distribution) {
                Value::Table(full) => full.into_iter().map(|(key, node)| (key, node.value)).collect(),
                _ => Vec::new(),
            },
            Said::Fixed(_) | Said::Same(_) | Said::Each => Vec::new(),
        };
        if let Some(entries) = node.entries_mut() {
            open.into_iter().for_each(|(key, value)| put(entries, &key, value));
        }
        Ok(said)
    }

    /// Constants and traits of each of these groups of a scenario, for one combination of `each` values.
    ///
    /// # Errors
    /// If an `each` value is none that its key takes.
    pub fn groups<'g>(
        &self,
        scenario: &str,
        groups: impl Iterator<Item = &'g str>,
        each: &Combination,
    ) -> Result<Vec<GroupBinding>, Error> {
        let of = &self.scenarios[scenario];
        let group = |name: &str| {
            let place = each.scenario.get("group").and_then(|groups| groups.get(name));
            let own = of.groups.get(name).zip(place);
            let nearest = Nearest {
                layers: self,
                places: own.into_iter().chain([(&of.own, &each.scenario), (&self.whole, &each.file)]).collect(),
            };
            Ok(GroupBinding { model: nearest.constants()?, people: nearest.people()? })
        };
        groups.map(group).collect()
    }

    /// Says that all groups are bound.
    ///
    /// # Errors
    /// If a gene acts in no case.
    pub fn finish(&self) -> Result<(), Error> {
        self.genes.iter().find(|gene| !gene.acts.get()).map_or(Ok(()), |gene| Err(gene.idle.clone()))
    }
}

fn gene(item: &Item<'_>, axis: &Axis, default: f64, start: f64) -> Searched {
    let key = gene_key(&item.path).to_owned();
    let idle = item
        .error(format!("`{key}` is searched, but acts in no scenario"))
        .help("every scenario or group has its own value of it; remove those, or this search");
    Searched { gene: Gene { key, axis: axis.clone() }, default, start, acts: Cell::new(false), idle }
}

fn gene_key(path: &str) -> &str {
    path.strip_prefix("parameters.").unwrap_or(path)
}

/// The layers of one group, the nearest first, each with its place in the expanded tree.
struct Nearest<'l> {
    layers: &'l Layers<'l>,
    places: Vec<(&'l Layer, &'l Node)>,
}

impl Nearest<'_> {
    /// What the nearest layer that has it says of a slot, and its dotted key. What has an `each` is known here only.
    fn said(&self, at: usize) -> Result<(Said, String), Error> {
        let Slot { table, param, .. } = self.layers.slots[at];
        let has = |(layer, _): &&(&Layer, &Node)| layer.said[at].is_some();
        let (layer, place) = self.places.iter().find(has).expect("the defaults are filled in");
        let path = join(&join(&layer.path, table), param.key);
        match (&layer.said[at], place.get(table).and_then(|table| table.get(param.key))) {
            (Some(Said::Each), Some(node)) => {
                let item = Item::part(self.layers.file, path.clone(), node);
                match codec::said(&item, param)? {
                    Said::Each => Err(item.wrong(param.allowed())),
                    said => Ok((said, path)),
                }
            }
            (said, _) => Ok((said.clone().expect("it was looked for"), path)),
        }
    }

    fn constants(&self) -> Result<Vec<Binding>, Error> {
        let slots = &self.layers.slots[..self.layers.slots.len() - TRAITS.len()];
        let said = |at| {
            Ok(match self.said(at)? {
                (Said::Fixed(value), _) => Ok(Binding::Fixed(value)),
                (Said::Searched(..), path) => Ok(Binding::Gene(self.gene(&path))),
                (Said::Same(other), _) => Err(other),
                (Said::Drawn(_) | Said::Each, path) => unreachable!("`{path}` is one number"),
            })
        };
        let said = (0..slots.len()).map(said).collect::<Result<Vec<_>, Error>>()?;
        let follow = |other: &str| {
            let at = slots.iter().position(|slot| slot.param.key == other).expect("a registered key is followed");
            said[at].unwrap_or(Binding::Fixed(slots[at].param.default_value()))
        };
        Ok(said.iter().map(|s| s.unwrap_or_else(follow)).collect())
    }

    fn people(&self) -> Result<[TraitBinding; 5], Error> {
        let mut people = [TraitBinding::Drawn(Distribution::Fixed(0.0)); 5];
        for (of_person, at) in people.iter_mut().zip(self.layers.slots.len() - TRAITS.len()..) {
            *of_person = match self.said(at)? {
                (Said::Fixed(value), _) => TraitBinding::Drawn(Distribution::Fixed(value)),
                (Said::Drawn(distribution), _) => TraitBinding::Drawn(distribution),
                (Said::Searched(..), path) => TraitBinding::Gene(self.gene(&path)),
                (Said::Same(_) | Said::Each, path) => unreachable!("`{path}` follows no other trait"),
            };
        }
        Ok(people)
    }

    /// The gene of a dotted key, which acts from now on.
    fn gene(&self, path: &str) -> usize {
        let genes = &self.layers.genes;
        let at = genes.binary_search_by(|gene| gene.gene.key.as_str().cmp(gene_key(path)));
        let at = at.expect("every search of the file is read");
        genes[at].acts.set(true);
        at
    }
}
