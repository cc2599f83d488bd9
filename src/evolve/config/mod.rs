//! Reading experiment files: text to a tree of values that know their line, then to a checked [`Experiment`].
//!
//! The way of a file: `tree` or `json` (text to a tree, `--set` pairs put in) -> `models` (which it uses, and where) -> `behaviors`,
//! `lists` and `fill` (all that is said in short written out) -> `layers` (constants and traits read once; after it the tree is the
//! resolved file) -> `cases` (one for every combination of `each` values), whose groups take their values from the layers -> checks, one
//! file for each part.

pub mod asked;
mod axes;
mod behaviors;
mod cases;
mod columns;
mod context;
mod each;
mod effect;
mod engine;
mod fill;
mod geometry;
mod ground;
pub(crate) mod hints;
pub(super) mod item;
mod json;
mod layers;
mod lists;
mod meetings;
mod models;
mod objectives;
mod params;
pub(super) mod resolved;
mod sample;
mod sections;
mod start;
mod targets;
mod ties;
mod tracks;
pub(super) mod tree;
mod wanted;
mod written;

#[cfg(test)]
mod axes_tests;
#[cfg(test)]
mod behaviors_tests;
#[cfg(test)]
mod mistakes_tests;
#[cfg(test)]
mod models_tests;
#[cfg(test)]
mod tests;

pub(crate) use engine::{ELSEWHERE, unseen};

use super::engine::EngineOf;
use super::experiment::Experiment;
use super::scoring;
use crate::registry::Registry;
use crate::target;
use context::Context;
use crowdtune_core::Error;
use crowdtune_search::{Goal, Space, are_squares};
use item::Item;
use layers::Layers;
use models::Models;
use std::collections::BTreeMap;
use tree::Node;

impl Experiment {
    /// Reads and checks an experiment file.
    ///
    /// `registry` says what it can name. `file` is its name for messages and, without folder and ending, the name of the
    /// experiment unless it has a `name`; a name that ends in `.json` or a text that starts with `{` is read as JSON, all
    /// else as TOML. `sets` are dotted keys with values that replace those of the file (`--set`, and what `--seed`,
    /// `--evaluations` and `--model` stand for). `read` gives the files that the experiment names ([`super::experiment::no_files`]: none).
    ///
    /// # Errors
    /// The first mistake found, with file, line, key, what is allowed and what to do.
    pub fn load(
        registry: &Registry,
        text: &str,
        file: &str,
        sets: &[(String, String)],
        read: &mut dyn FnMut(&str) -> Result<Vec<u8>, Error>,
    ) -> Result<Self, Error> {
        load(registry, text, file, sets, read)
    }
}

/// The tree of a file's text.
fn parse(text: &str, file: &str) -> Result<Node, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if file.to_ascii_lowercase().ends_with(".json") || text.trim_start().starts_with('{') {
        return json::parse(text, file);
    }
    tree::toml(text).map_err(|(what, line)| {
        Error::input(format!("this is not valid TOML: {what}"))
            .file(file)
            .line(line)
            .help("put texts in quotes, lists in [ ], tables in { } on one line or under a [header]")
    })
}

fn load(
    registry: &Registry,
    text: &str,
    file: &str,
    sets: &[(String, String)],
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, Error>,
) -> Result<Experiment, Error> {
    let mut tree = parse(text, file)?;
    for (key, value) in sets {
        tree::set(&mut tree, key, value)?;
    }
    let declared = engine::read(&mut tree, file, registry)?;
    let (registry, foreign) = match declared {
        Some(declared) => (&{ declared.registry }, Some(declared.foreign)),
        None => (registry, None),
    };
    let models = Models::read(&tree, file, registry)?;
    behaviors::merge(&mut tree, file, registry)?;
    lists::expand(&mut tree, file, &models)?;
    fill::fill(&mut tree, file, &models, registry)?;
    let layers = Layers::read(&mut tree, file, &models, registry)?;

    let root = Item::root(file, &tree);
    let table = root.table()?;
    table.take("model");
    let head = sections::head(&table)?;
    let timing = sections::timing(&table.need("simulation", "")?, &models)?;
    let search_item = table.need("search", "")?;
    let search = sections::search(&search_item, registry)?;
    table.need("scenario", "add a table such as `[scenario.room]` with `kind = \"room\"`")?;
    // `layers` has read them.
    for key in ["parameters", "people", "engine"] {
        table.take(key);
    }
    let targets = table.take("target");
    let measures = table.take("measure");
    let axes = table.take("atlas");
    table.finish()?;

    let mut context =
        Context { registry, foreign: foreign.as_ref(), read, seen: BTreeMap::new(), warnings: Vec::new() };
    context.see_command();
    let mut placed = cases::cases(&tree, file, &models, &mut context)?;
    for cases::Placed { case, each } in &mut placed {
        let names = case.scenario.groups.iter().map(|group| group.name.as_str());
        case.groups = layers.groups(&case.table, names, each)?;
    }
    layers.finish()?;
    let defaults: Vec<f64> = layers.genes.iter().map(|g| g.default).collect();
    start::check(&placed, file, &defaults, &timing, search.seed)?;
    let mut cases: Vec<_> = placed.into_iter().map(|placed| placed.case).collect();
    models.check(&cases, &tree, file)?;

    let (columns, atlas) =
        columns::columns(targets.as_ref(), measures.as_ref(), axes.as_ref(), &mut cases, &mut context, &search)?;
    if atlas.is_empty() && search.optimizer.make.goal == Goal::Atlas {
        let named = search_item.table()?.need("optimizer", "")?;
        return Err(named
            .error(format!("the optimizer `{}` has no axes to spread candidates along", search.optimizer.name))
            .help("add one to three tables such as `[atlas.speed]` with `metric`, `range` and `cells`"));
    }

    let (weights, remarks) = objectives::check(&columns.targets, &columns.objectives, &search_item, &search, &cases)?;

    let seen = |column: usize| cases.iter().any(|c| !c.held_out && c.columns[column].is_some());
    let mut wanted = columns.targets.iter().enumerate().filter(|(_, t)| t.wanted.is_some()).peekable();
    if let (Some(targets), false, true) = (&targets, layers.genes.is_empty(), wanted.peek().is_some())
        && !wanted.any(|(column, _)| seen(column))
    {
        return Err(targets
            .error("only held-out scenarios give the targets, so the search can see none of them")
            .help("give one scenario without `held_out`, or move a value from `held_out` to `each`"));
    }

    if search.optimizer.make.squares && !are_squares(&target::parts(&columns.targets, &scoring::views_of(&cases))) {
        let named = search_item.table()?.need("optimizer", "")?;
        return Err(named
            .error(format!("the optimizer `{}` needs targets that count squares", search.optimizer.name))
            .allowed("`equals` and `points` with `loss = \"squares\"` and the mean of replicas")
            .help("say so in each target, or take `optimizer = \"auto\"`"));
    }

    sections::check_stop(&search_item, &search, columns.objectives.len())?;
    sections::check_replication(&search_item, &search, columns.objectives.len())?;
    let without_effect = effect::without(&models.all, &cases);
    let space = Space { genes: layers.genes.iter().map(|g| g.gene.clone()).collect() };
    let (seen, warnings) = (context.seen, context.warnings);
    Ok(Experiment {
        name: head.name,
        title: head.title,
        model: models.own(),
        engine: foreign.map(|declared| EngineOf { declared, models: registry.models.clone(), asked: None }),
        defaults,
        start: layers.genes.iter().map(|g| g.start).collect(),
        priors: layers.genes.iter().map(|g| g.prior).collect(),
        space,
        cases,
        columns: columns.targets,
        atlas,
        objectives: columns.objectives,
        preference: weights,
        timing,
        search,
        resolved: resolved::toml(&tree, &models.names()),
        digest: resolved::digest(&tree, &models.names(), &seen),
        warnings: [layers.warnings, warnings, columns.warnings, without_effect, remarks].concat(),
        inputs: seen.into_iter().collect(),
    })
}
