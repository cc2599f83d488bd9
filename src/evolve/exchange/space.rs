//! The first line: what can be varied, and what is measured.

use crate::evolve::codec;
use crate::evolve::experiment::Experiment;
use crate::evolve::genes::{in_file, param};
use crate::evolve::scoring;
use crowdtune_core::registry::Param;
use crowdtune_search::{Axis, Gene, Part, Rule};
use serde_json::{Value, json};

/// Genes with kinds, ranges and defaults, objectives, columns and scenarios.
pub fn describe(experiment: &Experiment) -> Value {
    let genes = experiment.space.genes.iter().zip(experiment.defaults.iter().zip(&experiment.start));
    let columns = experiment.columns.iter().map(|column| {
        json!({
            "name": column.name,
            "metric": column.metric.name,
            "unit": column.unit(),
            "wanted": column.wanted.as_ref().map(|w| w.words(column.metric.make.unit)),
            "weight": column.weight,
            "must": column.must,
        })
    });
    let scenarios = experiment
        .cases
        .iter()
        .map(|case| json!({ "name": case.name, "replicas": case.replicas, "held_out": case.held_out }));
    json!({
        "evaluate": 1,
        "crowdtune": env!("CARGO_PKG_VERSION"),
        "name": experiment.name,
        "title": experiment.title,
        "model": experiment.walkers(),
        "digest": experiment.digest,
        "seed": experiment.search.seed,
        "genes": genes.map(|(gene, (&default, &start))| describe_gene(experiment, gene, default, start)).collect::<Vec<_>>(),
        "objectives": experiment.objectives,
        "columns": columns.collect::<Vec<_>>(),
        "scenarios": scenarios.collect::<Vec<_>>(),
        "parts": scoring::parts(experiment).iter().map(|part| describe_part(experiment, part)).collect::<Vec<_>>(),
    })
}

/// A part of the loss as `ask-tell` takes it, and where its value is in an answer.
fn describe_part(experiment: &Experiment, part: &Part) -> Value {
    let mut said = match part.rule {
        Rule::Band { low, high, unit } if low == f64::NEG_INFINITY => json!({ "at_most": high, "scale": unit }),
        Rule::Band { low, high, unit } if high == f64::INFINITY => json!({ "at_least": low, "scale": unit }),
        Rule::Band { low, high, .. } => json!({ "between": [low, high] }),
        Rule::Squares { value, unit } => json!({ "equals": value, "tolerance": unit, "loss": "squares" }),
        Rule::Slope { good, bad } if bad < good => json!({ "maximize": { "good": good, "bad": bad } }),
        Rule::Slope { good, bad } => {
            json!({ "minimize": { "good": good, "bad": if bad == good { good + 1.0 } else { bad } } })
        }
    };
    said["target"] = json!(experiment.columns[part.column].name);
    said["scenario"] = json!(experiment.cases[part.case].name);
    said["weight"] = json!(part.weight);
    said
}

fn describe_gene(experiment: &Experiment, gene: &Gene, default: f64, start: f64) -> Value {
    let param = param(experiment, gene);
    let mut said = match &gene.axis {
        Axis::Real { low, high, log } => json!({ "type": "real", "low": low, "high": high, "log": log }),
        Axis::Integer { low, high } => json!({ "type": "integer", "low": low, "high": high }),
        Axis::Choice(values) => {
            json!({ "type": "choice", "choices": values.iter().map(|&v| written(param, v)).collect::<Vec<_>>() })
        }
    };
    said["key"] = json!(gene.key);
    said["path"] = json!(in_file(&gene.key));
    said["unit"] = json!(param.map_or("", |p| p.unit));
    said["default"] = value(experiment, gene, default);
    said["start"] = value(experiment, gene, start);
    said
}

/// A decoded value as candidates have it.
pub fn value(experiment: &Experiment, gene: &Gene, decoded: f64) -> Value {
    match gene.axis {
        Axis::Real { .. } => json!(decoded),
        Axis::Integer { .. } => json!(decoded as i64),
        Axis::Choice(_) => written(param(experiment, gene), decoded),
    }
}

/// A stored choice: a word, true or false, or a number.
pub fn written(param: Option<&'static Param>, stored: f64) -> Value {
    let written = param.map_or(Some(json!(stored)), |p| codec::json(&codec::value(p, stored)));
    written.unwrap_or(Value::Null)
}
