//! Writes every default out, so that the rest of the reading knows none and the resolved file has them all. Those of constants and
//! traits are written by `layers`.

use super::item::{Item, join};
use super::models::Models;
use super::params;
use super::tree::{Entries, Node, Value, put, tables};
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_search::{Goal, usual};
use crowdtune_sim::metrics::Window;
use crowdtune_sim::models::time_step_s;
use crowdtune_sim::world::CORNER_MARGIN_M;

/// Fills a whole file. Values of a wrong type stay as they are: the checks that follow complain.
///
/// # Errors
/// If a scenario, a metric or the optimizer is wrong, because the defaults depend on them.
pub fn fill(root: &mut Node, file: &str, models: &Models, registry: &Registry) -> Result<(), Error> {
    let Some(top) = root.entries_mut() else { return Ok(()) };
    put(top, "format", Value::Integer(1));
    put(top, "name", Value::Text(stem(file)));
    put(top, "title", Value::Text(String::new()));
    for key in ["simulation", "search"] {
        top.entry(key.into()).or_insert_with(Node::empty);
    }
    if let Some(table) = entries(top, "simulation") {
        put(table, "time_step_s", Value::Float(time_step_s(models.all.iter().copied())));
        put(table, "sample_every_s", Value::Float(0.1));
        put(table, "record_every_s", Value::Float(0.1));
        put(table, "max_overlap_share", Value::Float(0.9));
        put(table, "max_backward_share", Value::Float(0.5));
    }
    let replicas = search(top, file, registry)?;
    for (name, scenario) in tables(top, "scenario") {
        let path = join("scenario", name);
        if let Some(table) = scenario.entries_mut() {
            self::scenario(table, file, &path, replicas.clone(), registry)?;
        }
    }
    for section in ["target", "measure", "atlas"] {
        for (name, target) in tables(top, section) {
            // An axis without a metric goes along a target or measure.
            if section != "atlas" || target.get("metric").is_some() {
                self::target(target, file, &format!("{section}.{name}"), section == "target", registry)?;
            }
            if let Some(axis) = target.entries_mut().filter(|_| section == "atlas") {
                // Chosen here: ten cells a side can still be looked at with a picture in each.
                put(axis, "cells", Value::Integer(10));
            }
        }
    }
    Ok(())
}

/// The name of a file without folder and ending.
fn stem(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    match name.rsplit_once('.').map_or(name, |(stem, _)| stem).trim_start_matches('.') {
        "" => "experiment".into(),
        stem => stem.into(),
    }
}

fn entries<'t>(table: &'t mut Entries, key: &str) -> Option<&'t mut Entries> {
    table.get_mut(key).and_then(Node::entries_mut)
}

fn floats(values: &[f64]) -> Value {
    Value::List(values.iter().map(|x| Node::default(Value::Float(*x))).collect())
}

fn one(key: &str, value: Value) -> Value {
    Value::Table([(key.to_owned(), Node::default(value))].into_iter().collect())
}

/// Fills `[search]`; gives the default number of replicas of a scenario.
fn search(top: &mut Entries, file: &str, registry: &Registry) -> Result<Value, Error> {
    // Chosen here: 3 replicas tell a lucky seed from a good candidate, 16 questions keep 8 to 16 cores busy.
    let common = [("evaluations", 1000), ("parallel", 16), ("seed", 1), ("replicas", 3), ("repeats", 1)];
    let atlas = top.get("atlas").and_then(Node::entries).is_some_and(|axes| !axes.is_empty());
    // Chosen here: five tell a lucky one from the best; twenty show the shape of a front; of an atlas the elites of up to 200
    // cells are checked, that is a map of 14 by 14.
    let (goal, finalists) = match () {
        () if atlas => (Goal::Atlas, 200),
        () if several_objectives(top) => (Goal::Front, 20),
        () => (Goal::Best, 5),
    };
    let Some(table) = entries(top, "search") else { return Ok(Value::Integer(3)) };
    for (key, value) in
        common.into_iter().chain([("finalists", finalists), ("select_replicas", 20), ("report_replicas", 20)])
    {
        put(table, key, Value::Integer(value));
    }
    put(table, "optimizer", Value::Text(usual(goal).name.into()));
    put(table, "replication", Value::Text("fixed".into()));
    put(table, "max_replicas", Value::Integer(20));
    // Chosen here: a search of 400 candidates with five numbers can follow each of them to both sides.
    put(table, "profile_share", Value::Float(0.15));
    table.entry("stop".into()).or_insert_with(Node::empty);
    let optimizer = Item::part(file, "search.optimizer".into(), &table["optimizer"]).entry(&registry.optimizers)?;
    table.entry(optimizer.name.into()).or_insert_with(Node::empty);
    if let Some(own) = entries(table, optimizer.name) {
        params::fill(own, optimizer.params);
    }
    Ok(table["replicas"].value.clone())
}

/// True if targets that are no `must` name different objectives.
fn several_objectives(top: &Entries) -> bool {
    let targets = top.get("target").and_then(Node::entries).into_iter().flat_map(Entries::values);
    let free = targets.filter(|t| !matches!(t.get("must").map(|m| &m.value), Some(Value::Bool(true))));
    let mut names = free.map(|t| match t.get("objective").map(|o| &o.value) {
        Some(Value::Text(name)) => name.as_str(),
        _ => "loss",
    });
    let first = names.next();
    names.any(|name| Some(name) != first)
}

fn scenario(table: &mut Entries, file: &str, path: &str, replicas: Value, registry: &Registry) -> Result<(), Error> {
    put(table, "replicas", replicas);
    put(table, "held_out", Value::Bool(false));
    let (limit_s, give_up_s) = match table.get("kind") {
        Some(node) => {
            let kind = Item::part(file, join(path, "kind"), node).entry(&registry.scenarios)?;
            params::fill(table, kind.params);
            (kind.make.limit_s, kind.make.give_up_s)
        }
        None => {
            super::written::fill(table);
            (super::written::LIMIT_S, None)
        }
    };
    if let Some(own) = entries(table, "navigation") {
        let kind = own.get("kind").map(|kind| kind.value.clone());
        // Chosen here: cells of 0.1 m resolve a door of 0.8 m; within half a meter a waypoint counts as passed.
        match kind {
            Some(Value::Text(kind)) if kind == "field" => put(own, "cell_m", Value::Float(0.1)),
            Some(Value::Text(kind)) if kind == "corners" => put(own, "margin_m", Value::Float(CORNER_MARGIN_M)),
            Some(Value::Text(kind)) if kind == "waypoints" => put(own, "radius_m", Value::Float(0.5)),
            _ => {}
        }
    }
    put(table, "limit_s", Value::Float(limit_s));
    put(table, "give_up_s", Value::Float(give_up_s.unwrap_or(f64::INFINITY)));
    Ok(())
}

fn target(node: &mut Node, file: &str, path: &str, wanted: bool, registry: &Registry) -> Result<(), Error> {
    let Some(table) = node.entries_mut() else { return Ok(()) };
    put(table, "combine", Value::Text("mean".into()));
    if let Some(node) = table.get("metric") {
        let metric = Item::part(file, join(path, "metric"), node).entry(&registry.metrics)?;
        if metric.make.takes_window {
            put(table, "window", window(metric.make.window));
        }
        params::fill(table, metric.params);
    }
    if !wanted {
        return Ok(());
    }
    put(table, "weight", Value::Float(1.0));
    put(table, "must", Value::Bool(false));
    put(table, "objective", Value::Text("loss".into()));
    if table.contains_key("like") {
        put(table, "by", Value::Text("wasserstein".into()));
    }
    let limit = table.get("at_most").or(table.get("at_least")).and_then(Node::number);
    if let Some(limit) = limit.filter(|l| *l != 0.0 && l.is_finite()) {
        put(table, "scale", Value::Float(limit.abs()));
    }
    Ok(())
}

fn window(window: Window) -> Value {
    match window {
        Window::All => Value::Text("all".into()),
        Window::Steady => Value::Text("steady".into()),
        Window::TimeS(a, b) => one("time_s", floats(&[a, b])),
        Window::Ranks(a, b) => one("ranks", floats(&[a, b])),
        // The line is that of the metric or the scenario: no metric comes with a line of its own.
        Window::Crossings { shares: (a, b), .. } => one("crossings", floats(&[a, b])),
    }
}
