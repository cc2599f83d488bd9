//! What a run wanted, as a fit can want it: one value for each case, and what it costs to miss it.

use crate::evolve::config::unseen;
use crate::evolve::experiment::Experiment;
use crate::target::{Distance, Target, Wanted};
use crowdtune_core::Error;
use std::collections::BTreeSet;

/// A target of the run in one of its scenario tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// Its name in the fit.
    pub name: String,
    /// The target of the run.
    pub column: String,
    /// The table.
    pub table: String,
    /// The `each` key over which its values differ, if there is one.
    pub over: Option<String>,
    /// How far off costs 1, in the unit of the metric; `None`: a tenth of the value.
    pub unit: Option<f64>,
    /// Weight of the target in the run.
    pub weight: f64,
}

/// The wishes of an experiment, and what cannot be wished for, a sentence each.
///
/// # Errors
/// If nothing is wanted, nothing of it can be seen in tracks, or a scenario has several `each`.
pub fn all(experiment: &Experiment) -> Result<(Vec<Wish>, Vec<String>), Error> {
    let (mut wishes, mut left_out) = (Vec::new(), Vec::new());
    if experiment.targets().next().is_none() {
        return Err(Error::input("the run wanted nothing, so there is no value that the other tool could be held to")
            .key("target")
            .help("tune a file that has a [target.NAME]"));
    }
    for (at, target) in experiment.columns.iter().enumerate() {
        let name = &target.name;
        let kind = if target.wanted.is_some() { "Target" } else { "Measure" };
        if let Some(why) = unseen(target.metric) {
            left_out.push(format!("{kind} `{name}`: `{}` cannot be measured on tracks: {why}.", target.metric.name));
            continue;
        }
        let Some(wanted) = &target.wanted else { continue };
        let searched = experiment.cases.iter().filter(|c| !c.held_out && c.columns[at].is_some());
        let tables: BTreeSet<&str> = searched.map(|c| c.table.as_str()).collect();
        if tables.is_empty() {
            left_out.push(format!("Target `{name}`: only held-out scenarios give it."));
        }
        for &table in &tables {
            wishes.push(Wish {
                name: if tables.len() == 1 { name.clone() } else { format!("{name}_{table}") },
                column: name.clone(),
                table: table.to_owned(),
                over: over(experiment, table)?,
                unit: unit(wanted),
                weight: target.weight,
            });
        }
    }
    if wishes.is_empty() {
        return Err(Error::input(format!("no target of the run can be fitted. {}", left_out.join(" ")))
            .key("target")
            .help("tune a file with a target that tracks show, such as `flow_per_s` or `evacuation_time_95_s`"));
    }
    distinct(&wishes, &experiment.columns)?;
    Ok((wishes, left_out))
}

/// The one `each` key of a table.
fn over(experiment: &Experiment, table: &str) -> Result<Option<String>, Error> {
    let axes = experiment.cases.iter().find(|c| c.table == table).map_or(&[][..], |c| &c.axes[..]);
    match axes {
        [] => Ok(None),
        [(key, _)] => Ok(Some(key.clone())),
        several => {
            let keys: Vec<&str> = several.iter().map(|(key, _)| key.as_str()).collect();
            Err(Error::input(format!("`scenario.{table}` has `each` for {}", keys.join(" and ")))
                .key(format!("scenario.{table}"))
                .allowed("one `each` in a scenario: a target is a curve over one key")
                .help("tune a file in which each value of the others has a scenario of its own"))
        }
    }
}

/// How far off costs 1 in the run, which makes the targets comparable.
fn unit(wanted: &Wanted) -> Option<f64> {
    Some(match wanted {
        Wanted::Minimize { good, bad } | Wanted::Maximize { good, bad } => (bad - good).abs(),
        Wanted::Equals { tolerance, .. } => *tolerance,
        Wanted::Between { low, high } => (high - low) / 2.0,
        Wanted::AtMost { scale, .. } | Wanted::AtLeast { scale, .. } => *scale,
        Wanted::Points { points, .. } => points.iter().map(|p| p.2).sum::<f64>() / points.len().max(1) as f64,
        Wanted::Like { by: Distance::Wasserstein, tolerance, .. } => *tolerance,
        Wanted::Like { by: Distance::Ks, .. } => return None,
    })
}

/// Refuses two columns of one name.
fn distinct(wishes: &[Wish], columns: &[Target]) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    let kept = columns.iter().filter(|c| c.wanted.is_none()).map(|c| &c.name);
    match wishes.iter().map(|wish| &wish.name).chain(kept).find(|name| !seen.insert(name.as_str())) {
        None => Ok(()),
        Some(name) => Err(Error::input(format!("two targets or measures of the fit would be called `{name}`"))
            .key(format!("target.{name}"))
            .help("rename one of them in the experiment, and tune it again")),
    }
}
