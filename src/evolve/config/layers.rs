//! The typed layers of an experiment: what the file, a scenario and a group say of constants and traits of people.
//!
//! Every `parameters` and `people` table is read once, into one slot for each param of the models and each trait. A group takes
//! each of them from the nearest layer that says something of it: its own, its scenario's, the file's, which has all defaults. Its own
//! has constants of the model that steers it; how another model sees its people say the two others.

use super::each::Combination;
use super::item::{Item, join};
use super::models::Models;
use super::tree::{Entries, Node, Value, put, tables};
use super::{hints, params};
use crate::evolve::codec::{self, Said, Search};
use crate::evolve::experiment::{Binding, GroupBinding, TraitBinding};
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::{self, Param};
use crowdtune_search::{Axis, Gene, Prior};
use crowdtune_sim::crowd::people::{Distribution, TRAITS};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Refuses the keys of a table, of this model (`None`: of the traits), in a place, that nobody knows.
type Unknown<'a> = dyn Fn(&Item<'_>, Option<usize>, &Place) -> Result<(), Error> + 'a;

/// One gene with its decoded default and start.
#[derive(Clone, Debug)]
pub struct Searched {
    /// Its dotted key, without `parameters.` for the constants of the whole file, and its axis.
    pub gene: Gene,
    /// What is known of it before anything was measured.
    pub prior: Prior,
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
    /// Index of the model whose constant it is; `None` for a trait of people.
    model: Option<usize>,
    param: &'static Param,
    default: f64,
}

/// What the `parameters` and `people` tables of one place say: one value per slot, `None` where they leave it out.
#[derive(Debug, Default)]
struct Layer {
    place: Place,
    said: Vec<Option<Said>>,
}

/// Where a layer stands.
#[derive(Clone, Debug, Default)]
struct Place {
    /// Its dotted key.
    path: String,
    /// Index of the model whose constants stand in `parameters` itself.
    own: usize,
    /// Indices of the models that have a table of their own in `parameters`.
    others: Vec<usize>,
    in_group: bool,
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
    models: &'a Models,
    /// The params of the models, then the traits.
    slots: Vec<Slot>,
    whole: Layer,
    scenarios: BTreeMap<String, OfScenario>,
}

impl<'a> Layers<'a> {
    /// Reads all layers, and writes out in the tree what they leave open: defaults, and `log`, `start` and `clip`.
    ///
    /// # Errors
    /// If a key is unknown, or a value is wrong.
    pub fn read(root: &mut Node, file: &'a str, models: &'a Models, registry: &Registry) -> Result<Self, Error> {
        let constants = models.all.iter().enumerate().map(|(at, model)| (Some(at), model.params));
        let slots = constants.chain([(None, TRAITS)]).flat_map(|(model, list)| {
            let slot = move |(param, default)| Slot { model, param, default };
            list.iter().zip(registry::defaults(list)).map(slot)
        });
        let (slots, whole, scenarios) = (slots.collect(), Layer::default(), BTreeMap::new());
        let mut layers = Self { genes: Vec::new(), warnings: Vec::new(), file, models, slots, whole, scenarios };
        let Some(top) = root.entries_mut() else { return Ok(layers) };
        layers.fill(top);
        let unknown = |table: &Item<'_>, of: Option<usize>, place: &Place| {
            let others = if of == Some(place.own) { &place.others[..] } else { &[] };
            hints::unknown(table, &hints::Known { models, of, others, registry })
        };
        let place = Place { others: models.others(None), ..Place::default() };
        layers.whole = layers.layer(top, place, &unknown)?;
        for (scenario, node) in tables(top, "scenario") {
            let Some(entries) = node.entries_mut() else { continue };
            let path = join("scenario", scenario);
            let place = Place { path: path.clone(), others: models.others(Some(scenario)), ..Place::default() };
            let own = layers.layer(entries, place, &unknown)?;
            let mut groups = BTreeMap::new();
            for (group, node) in tables(entries, "group") {
                let Some(entries) = node.entries_mut() else { continue };
                let (path, own) = (join(&join(&path, "group"), group), models.of(scenario, group));
                let place = Place { path, own, others: Vec::new(), in_group: true };
                groups.insert(group.clone(), layers.layer(entries, place, &unknown)?);
            }
            layers.scenarios.insert(scenario.clone(), OfScenario { own, groups });
        }
        layers.genes.sort_by(|a, b| a.gene.key.cmp(&b.gene.key));
        Ok(layers)
    }

    /// Writes the defaults of all models and traits into the tables of the file.
    fn fill(&self, top: &mut Entries) {
        let mut table = |table: &[&str], list| {
            let inner = table.iter().try_fold(&mut *top, |entries, key| {
                entries.entry((*key).to_owned()).or_insert_with(Node::empty).entries_mut()
            });
            inner.into_iter().for_each(|entries| params::fill(entries, list));
        };
        table(&["parameters"], self.models.own().params);
        for other in &self.models.all[1..] {
            table(&["parameters", other.name], other.params);
        }
        table(&["people"], TRAITS);
    }

    /// The keys that lead to the table in which a layer has what slots of this model say; `None`: the traits.
    fn table(&self, of: Option<usize>, own: usize) -> Vec<&'static str> {
        match of {
            None => vec!["people"],
            Some(model) if model == own => vec!["parameters"],
            Some(model) => vec!["parameters", self.models.all[model].name],
        }
    }

    fn layer(&mut self, entries: &mut Entries, place: Place, unknown: &Unknown<'_>) -> Result<Layer, Error> {
        let mut said = vec![None; self.slots.len()];
        let others = place.others.iter().copied();
        for of in [Some(place.own)].into_iter().chain(others.map(Some)).chain([None]) {
            let keys = self.table(of, place.own);
            let path = keys.iter().fold(place.path.clone(), |path, key| join(&path, key));
            let inner = keys[1..].iter().try_fold(entries.get_mut(keys[0]), |node, key| match node {
                Some(node) => node.entries_mut().map(|entries| entries.get_mut(*key)),
                None => None,
            });
            let Some(node) = inner.flatten() else { continue };
            Item::part(self.file, path.clone(), node).table()?;
            for (at, said) in said.iter_mut().enumerate() {
                let Slot { model, param, .. } = self.slots[at];
                let found = node.entries_mut().filter(|_| model == of).and_then(|entries| entries.get_mut(param.key));
                if let Some(node) = found {
                    let path = join(&path, param.key);
                    if let (true, Some(model), false) = (place.in_group, model, param.per_group) {
                        let keys = self.table(Some(model), 0).join(".");
                        let within = keys.strip_prefix("parameters").unwrap_or_default();
                        return Err(Item::part(self.file, path, node)
                            .error(format!("`{}` is one for all people, a group cannot have its own", param.key))
                            .help(format!(
                                "move it to [{keys}] or [scenario.NAME.parameters{within}]: {}",
                                param.doc
                            )));
                    }
                    *said = Some(self.value(node, path, at)?);
                }
            }
            unknown(&Item::part(self.file, path, node), of, &place)?;
        }
        Ok(Layer { place, said })
    }

    /// Reads one value, and writes out what it leaves open.
    fn value(&mut self, node: &mut Node, path: String, at: usize) -> Result<Said, Error> {
        let Slot { model, param, default } = self.slots[at];
        let item = Item::part(self.file, path, node);
        let said = codec::said(&item, param)?;
        let open: Vec<(String, Value)> = match &said {
            Said::Searched(Search { axis, start, prior }) => {
                if model.is_none() {
                    self.warnings.push(format!(
                        "`{}` is searched: it is a trait of people, not of the model, so the search may change who walks \
                         instead of how",
                        item.path
                    ));
                }
                let default = codec::moved(axis, default, param);
                let start = start.unwrap_or(default);
                self.genes.push(gene(&item, (axis, *prior), default, start));
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
        let names: Vec<&str> = groups.collect();
        let group = |name: &&str| {
            let place = each.scenario.get("group").and_then(|groups| groups.get(name));
            let own = of.groups.get(*name).zip(place);
            let nearest = Nearest {
                layers: self,
                places: own.into_iter().chain([(&of.own, &each.scenario), (&self.whole, &each.file)]).collect(),
            };
            let steered_by = self.models.of(scenario, name);
            let mut others: Vec<usize> = names.iter().map(|name| self.models.of(scenario, name)).collect();
            others.sort_unstable();
            others.dedup();
            let others = others.into_iter().filter(|&other| other != steered_by);
            // A search that changes nothing but how others see people is a mistake.
            let seen_by = others.map(|other| Ok((self.models.all[other], nearest.constants(other, false)?)));
            Ok(GroupBinding {
                steered_by: self.models.all[steered_by],
                model: nearest.constants(steered_by, true)?,
                seen_by: seen_by.collect::<Result<_, Error>>()?,
                people: nearest.people()?,
            })
        };
        names.iter().map(group).collect()
    }

    /// Says that all groups are bound.
    ///
    /// # Errors
    /// If a gene acts in no case.
    pub fn finish(&self) -> Result<(), Error> {
        self.genes.iter().find(|gene| !gene.acts.get()).map_or(Ok(()), |gene| Err(gene.idle.clone()))
    }
}

fn gene(item: &Item<'_>, (axis, prior): (&Axis, Prior), default: f64, start: f64) -> Searched {
    let key = gene_key(&item.path).to_owned();
    let idle = item
        .error(format!("`{key}` is searched, but acts in no scenario"))
        .help("every scenario or group has its own value of it; remove those, or this search");
    Searched { gene: Gene { key, axis: axis.clone() }, prior, default, start, acts: Cell::new(false), idle }
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
        let Slot { model, param, .. } = self.layers.slots[at];
        let has = |(layer, _): &&(&Layer, &Node)| layer.said[at].is_some();
        let (layer, place) = self.places.iter().find(has).expect("the defaults are filled in");
        let keys = [&self.layers.table(model, layer.place.own)[..], &[param.key]].concat();
        let path = keys.iter().fold(layer.place.path.clone(), |path, key| join(&path, key));
        let node = keys.iter().try_fold(*place, |node, key| node.get(key));
        match (&layer.said[at], node) {
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

    /// What one of the models has for its params; where it steers, genes act.
    fn constants(&self, model: usize, steers: bool) -> Result<Vec<Binding>, Error> {
        let slots = &self.layers.slots;
        let own: Vec<usize> = (0..slots.len()).filter(|&at| slots[at].model == Some(model)).collect();
        let said = |&at: &usize| {
            Ok(match self.said(at)? {
                (Said::Fixed(value), _) => Ok(Binding::Fixed(value)),
                (Said::Searched(..), path) => Ok(Binding::Gene(self.gene(&path, steers))),
                (Said::Same(other), _) => Err(other),
                (Said::Drawn(_) | Said::Each, path) => unreachable!("`{path}` is one number"),
            })
        };
        let said = own.iter().map(said).collect::<Result<Vec<_>, Error>>()?;
        let follow = |other: &str| {
            let at = own.iter().position(|&at| slots[at].param.key == other).expect("a registered key is followed");
            said[at].unwrap_or(Binding::Fixed(slots[own[at]].param.default_value()))
        };
        Ok(said.iter().map(|s| s.unwrap_or_else(follow)).collect())
    }

    fn people(&self) -> Result<[TraitBinding; 5], Error> {
        let mut people = [TraitBinding::Drawn(Distribution::Fixed(0.0)); 5];
        for (of_person, at) in people.iter_mut().zip(self.layers.slots.len() - TRAITS.len()..) {
            *of_person = match self.said(at)? {
                (Said::Fixed(value), _) => TraitBinding::Drawn(Distribution::Fixed(value)),
                (Said::Drawn(distribution), _) => TraitBinding::Drawn(distribution),
                (Said::Searched(..), path) => TraitBinding::Gene(self.gene(&path, true)),
                (Said::Same(_) | Said::Each, path) => unreachable!("`{path}` follows no other trait"),
            };
        }
        Ok(people)
    }

    /// The gene of a dotted key, which acts from now on if it `acts` here.
    fn gene(&self, path: &str, acts: bool) -> usize {
        let genes = &self.layers.genes;
        let at = genes.binary_search_by(|gene| gene.gene.key.as_str().cmp(gene_key(path)));
        let at = at.expect("every search of the file is read");
        genes[at].acts.set(acts || genes[at].acts.get());
        at
    }
}
