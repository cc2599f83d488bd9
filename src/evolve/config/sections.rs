//! The parts of a file that are not about places, people and targets: head, `[simulation]`, `[search]`.

use super::item::{Item, Table, key_of};
use super::models::Models;
use super::params;
use crate::evolve::StopRules;
use crate::evolve::experiment::{Replication, Search, Timing};
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_search::{Goal, MakeOptimizer};
use crowdtune_sim::models::max_time_step_s;

/// By how much an interval may miss a multiple of the step, as a share of it. Chosen here: numbers of a file have six
/// digits at least.
const ROUNDING: f64 = 1e-6;

/// What stands before the first table.
#[derive(Clone, Debug)]
pub struct Head {
    /// `name`.
    pub name: String,
    /// `title`.
    pub title: String,
}

/// Reads what stands before the first table.
///
/// # Errors
/// If the format is not 1, the name cannot name a folder.
pub fn head(table: &Table<'_>) -> Result<Head, Error> {
    let format = table.need("format", "")?;
    if format.whole(1, i64::MAX)? != 1 {
        return Err(format.wrong("1").help("this version of crowdtune reads format 1"));
    }
    // Their targets are in the tree already.
    table.take("behaviors");
    let given = table.need("name", "")?;
    let name = given.text()?;
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\']) || name.contains(char::is_control) {
        return Err(given
            .wrong("a text without slashes and control characters that does not start with a dot")
            .help("run folders and presets are called by it"));
    }
    Ok(Head { name, title: table.need("title", "")?.text()? })
}

/// Reads `[simulation]`.
///
/// # Errors
/// If a number is out of range, or an interval is not a multiple of the step.
pub fn timing(item: &Item<'_>, models: &Models) -> Result<Timing, Error> {
    let table = item.table()?;
    let most = max_time_step_s(models.all.iter().copied());
    let shortest = models.all.iter().find(|m| m.make.max_time_step_s == most).map_or("", |m| m.name);
    let time_step_s = table.need("time_step_s", "")?.number(
        1e-5,
        most,
        &format!("a number from 0.00001 to {most} s, the largest step of the model `{shortest}`"),
    )?;
    let interval = |key: &str| {
        let item = table.need(key, "")?;
        let value =
            item.number(time_step_s, 1e6, &format!("a number from {time_step_s} s, the step of the simulation"))?;
        let steps = value / time_step_s;
        if (steps - steps.round()).abs() <= ROUNDING * steps {
            return Ok(value);
        }
        // Nine digits hide what a product of steps adds to 0.1 s.
        let multiple = |n: f64| (n * time_step_s * 1e9).round() / 1e9;
        Err(item
            .wrong(format!(
                "whole multiples of `time_step_s` ({time_step_s} s), next to it {} and {}",
                multiple(steps.floor()),
                multiple(steps.ceil())
            ))
            .help("samples and frames are taken after whole steps; change it, or `time_step_s`"))
    };
    let timing = Timing {
        time_step_s,
        sample_every_s: interval("sample_every_s")?,
        record_every_s: interval("record_every_s")?,
        max_overlap_share: table.need("max_overlap_share", "")?.number(
            0.01,
            2.0,
            "a number from 0.01 to 2, a share of the smaller radius",
        )?,
        max_backward_share: table.need("max_backward_share", "")?.number(
            0.0,
            1.0,
            "a share of the time, from 0 to 1",
        )?,
    };
    table.finish()?;
    Ok(timing)
}

/// Reads `[search]`.
///
/// # Errors
/// If the optimizer is unknown, or a number is out of range.
pub fn search(item: &Item<'_>, registry: &Registry) -> Result<Search, Error> {
    let table = item.table()?;
    let whole = |key: &str, low: i64, high: i64| table.need(key, "")?.whole(low, high);
    let optimizer = table.need("optimizer", "")?.entry(&registry.optimizers)?;
    let settings = settings(&table.need(optimizer.name, "")?, optimizer)?;
    let evaluations = whole("evaluations", 1, 1_000_000_000)? as u64;
    let stop = stop(&table.need("stop", "")?)?;
    let search = Search {
        optimizer,
        settings,
        evaluations,
        parallel: whole("parallel", 1, 65_536)? as usize,
        seed: whole("seed", 0, i64::MAX)? as u64,
        finalists: whole("finalists", 1, 1000)? as usize,
        select_replicas: whole("select_replicas", 20, 100_000)? as u32,
        report_replicas: whole("report_replicas", 20, 100_000)? as u32,
        profile_share: table.need("profile_share", "")?.number(
            0.0,
            1.0,
            "a number from 0 to 1, a share of the simulations of the search",
        )?,
        replication: table
            .need("replication", "")?
            .word(&[("fixed", Replication::Fixed), ("adaptive", Replication::Adaptive)])?,
        max_replicas: whole("max_replicas", 1, 100_000)? as u32,
        stop,
        repeats: whole("repeats", 1, 100_000)? as u32,
    };
    whole("replicas", 1, 100_000)?;
    // It names objectives, which are known after the targets.
    table.take("preference");
    // Settings of the other optimizers may stay in the file, so that `--set search.optimizer=random` is all it takes to
    // compare; they act in nothing, but a mistake in them would act as soon as another one is chosen.
    for other in registry.optimizers.iter() {
        table.take(other.name).map(|item| self::settings(&item, other)).transpose()?;
    }
    if let Some(item) = table.leftover() {
        let key = key_of(&item.path, "search");
        let own = |o: &&Entry<_>| o.params.iter().any(|p| p.key == key);
        return Err(match [optimizer].into_iter().chain(registry.optimizers.iter().copied()).find(own) {
            Some(o) => item
                .error(format!("`{key}` is not a key of `search` but a setting of an optimizer"))
                .help(format!("write it as `search.{}.{key}`", o.name)),
            None => table.unknown(&item),
        });
    }
    Ok(search)
}

/// Reads the settings of an optimizer; what the table leaves out is the default.
fn settings(item: &Item<'_>, optimizer: &Entry<MakeOptimizer>) -> Result<Vec<f64>, Error> {
    let mut full = item.node.clone();
    full.entries_mut().into_iter().for_each(|own| params::fill(own, optimizer.params));
    let item = Item::part(item.file(), item.path.clone(), &full);
    let table = item.table()?;
    let settings = params::settings(&table, optimizer.params)?;
    table.finish()?;
    Ok(settings)
}

/// Refuses replicas that adapt where the optimizer asks again by itself, or there is no order of candidates.
///
/// # Errors
/// If the file wants both.
pub fn check_replication(item: &Item<'_>, search: &Search, objectives: usize) -> Result<(), Error> {
    let own = search.optimizer.make.repeats;
    if !search.adaptive() || !(own || objectives > 1) {
        return Ok(());
    }
    let why = if own {
        format!("`{}` asks candidates again by itself where replicas differ", search.optimizer.name)
    } else {
        format!("{objectives} objectives have no single order of candidates")
    };
    Err(item
        .error(format!("replicas cannot adapt here: {why}"))
        .key("replication")
        .allowed("\"fixed\"")
        .help("leave `replication` out"))
}

/// Refuses rules to stop that look at the best candidate where there is none.
///
/// # Errors
/// If the file has such a rule.
pub fn check_stop(item: &Item<'_>, search: &Search, objectives: usize) -> Result<(), Error> {
    let stop = item.table()?.need("stop", "")?.table()?;
    let several = (objectives > 1).then(|| format!("{objectives} objectives have no single best candidate"));
    let cells =
        || (search.optimizer.make.goal == Goal::Atlas).then(|| "an atlas wants the best of every cell".to_owned());
    let refused = [("loss", several.clone()), ("stagnation", several.or_else(cells))];
    for (key, why) in refused {
        if let (Some(rule), Some(why)) = (stop.take(key), why) {
            return Err(rule
                .error(format!("`{key}` cannot end this search: {why}"))
                .help("leave it out; `time_s` and `search.evaluations` end any search"));
        }
    }
    Ok(())
}

/// Reads `[search.stop]`: the rules that are there.
fn stop(item: &Item<'_>) -> Result<StopRules, Error> {
    let table = item.table()?;
    let rules = StopRules {
        loss: table.take("loss").map(|i| i.finite()).transpose()?,
        stagnation: table.take("stagnation").map(|i| i.whole(1, 1_000_000_000)).transpose()?.map(|n| n as u64),
        time_s: table.take("time_s").map(|i| i.positive("a time above 0 s")).transpose()?,
    };
    table.finish()?;
    Ok(rules)
}
