//! Another tool made to do what a preset does: an experiment that searches the parameters of the tool's engine, and wants of it the
//! values that the preset reaches in runs of this library.
//!
//! Nothing here searches: [`Fit::experiment`] is a file that `evolve` takes, and [`residuals`] reads what came out of it.

mod compose;
mod residual;
mod wish;

pub use compose::Asked;
pub use residual::{Residual, residuals};

use super::config::resolved;
use super::config::tree::{self, Entries, Node, Value};
use super::experiment::Experiment;
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_search::{Genome, Purpose, Question};
use std::collections::BTreeSet;
use wish::Wish;

/// Fresh seeds that the wanted values are means over, and as many others that the residuals are measured on; the fewest that a report takes.
pub const SEEDS: u32 = 20;

/// Keys of a target that say what is wanted of its metric.
const WANTED: [&str; 15] = [
    "minimize",
    "maximize",
    "equals",
    "between",
    "at_most",
    "at_least",
    "points",
    "like",
    "tolerance",
    "scale",
    "over",
    "by",
    "weight",
    "must",
    "objective",
];

/// A preset that another tool shall follow.
#[derive(Debug)]
pub struct Fit {
    /// The scenarios that the search of the preset saw, with this library's models: all is measured there, nothing wanted.
    pub own: Experiment,
    /// The preset, as a genome of it.
    genome: Genome,
    wishes: Vec<Wish>,
    /// What is not fitted and why, one sentence each.
    pub left_out: Vec<String>,
    /// The file of `own`.
    tree: Node,
}

impl Fit {
    /// A fit to this candidate of an experiment.
    ///
    /// # Errors
    /// If the experiment is one of a foreign simulator, wants nothing, or wants nothing that can be seen in the tracks of another tool.
    pub fn new(registry: &Registry, experiment: &Experiment, genome: &[f64]) -> Result<Self, Error> {
        if let Some(engine) = &experiment.engine {
            return Err(Error::input(format!(
                "the run tuned a foreign simulator, `{}`: a fit follows a preset of one of crowdtune's own models",
                engine.declared.command.join(" ")
            ))
            .help("name the folder of a run whose experiment has no [engine]"));
        }
        let (wishes, left_out) = wish::all(experiment)?;
        let mut tree = tree::toml(&experiment.resolved)
            .map_err(|(what, line)| Error::input(what).file("experiment.toml").line(line))?;
        measured_only(&mut tree, experiment, &wishes);
        let names: Vec<&str> = experiment.models().iter().map(|model| model.name).collect();
        let text = resolved::toml(&tree, &names);
        let mut read = |name: &str| {
            let known = experiment.inputs.iter().find(|(known, _)| known == name);
            known.map(|(_, bytes)| bytes.clone()).ok_or_else(|| Error::input(format!("the run does not keep `{name}`")))
        };
        let own = Experiment::load(registry, &text, "experiment.toml", &[], &mut read)?;
        // A gene of a scenario that was held out is not there any more.
        let of = |key: &str| experiment.space.genes.iter().position(|gene| gene.key == key).map(|at| genome[at]);
        let genome = own.space.genes.iter().map(|gene| of(&gene.key).unwrap_or(0.5)).collect();
        Ok(Self { own, genome, wishes, left_out, tree })
    }

    /// What this library is asked: the preset on the seeds that the wanted values come from, and on those of the residuals.
    pub fn questions(&self) -> [Question; 2] {
        let on = |replicas| Question { purpose: Purpose::Report, genome: self.genome.clone(), replicas };
        [on(SEEDS..2 * SEEDS), on(0..SEEDS)]
    }
}

/// Leaves of a resolved file the scenarios that the search saw, and turns what was wanted into measures.
fn measured_only(tree: &mut Node, experiment: &Experiment, wishes: &[Wish]) {
    let seen: BTreeSet<&str> = experiment.cases.iter().filter(|c| !c.held_out).map(|c| c.table.as_str()).collect();
    let given = |name: &str| {
        let column = experiment.columns.iter().position(|c| c.name == name);
        column.is_some_and(|at| {
            let column = &experiment.columns[at];
            super::config::unseen(column.metric).is_none()
                && experiment.cases.iter().any(|c| seen.contains(c.table.as_str()) && c.columns[at].is_some())
        })
    };
    let Some(top) = tree.entries_mut() else { return };
    top.remove("behaviors");
    top.remove("atlas");
    if let Some(scenarios) = top.get_mut("scenario").and_then(Node::entries_mut) {
        scenarios.retain(|name, _| seen.contains(name.as_str()));
    }
    let targets = top.remove("target");
    let mut measures = top.remove("measure").and_then(|node| node.entries().cloned()).unwrap_or_default();
    measures.retain(|name, _| given(name));
    for (name, mut node) in targets.and_then(|node| node.entries().cloned()).unwrap_or_default() {
        if !wishes.iter().any(|wish| wish.column == name) {
            continue;
        }
        if let Some(table) = node.entries_mut() {
            WANTED.iter().for_each(|key| _ = table.remove(*key));
        }
        measures.insert(name, node);
    }
    for node in measures.values_mut() {
        let worst = node.get("combine").and_then(Node::text) == Some("worst");
        if let Some(table) = node.entries_mut().filter(|_| worst) {
            // The worst of some runs has no value that another crowd could be held to.
            table.insert("combine".into(), Node::default(Value::Text("mean".into())));
        }
    }
    top.insert("measure".into(), Node::default(Value::Table(measures)));
    let seed = Node::default(Value::Integer(experiment.search.seed as i64));
    top.insert("search".into(), Node::default(Value::Table(Entries::from([("seed".to_owned(), seed)]))));
}

#[cfg(test)]
mod tests;
