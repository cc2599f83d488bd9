//! From the values of a partner to a genome.

use super::short;
use super::space::written;
use crate::evolve::experiment::Experiment;
use crate::evolve::genes::param;
use crowdtune_core::Error;
use crowdtune_core::suggest;
use crowdtune_search::{Axis, Gene, Genome};
use serde_json::Value;

/// How far beyond the ends of a range a value may lie, as a share of it. Chosen here: the rounding of a logarithm and back.
const ROUNDING: f64 = 1e-9;

/// Reads a candidate: values in the order of the genes, or an object of some of their keys, the others keeping their
/// defaults. With `cube` the values are coordinates in [0, 1].
///
/// # Errors
/// If a value is missing, unknown or out of range.
pub fn genome(given: Value, experiment: &Experiment, cube: bool) -> Result<Genome, Error> {
    let genes = &experiment.space.genes;
    match given {
        Value::Array(list) if list.len() == genes.len() => {
            genes.iter().zip(&list).map(|(gene, value)| coordinate(experiment, gene, value, cube)).collect()
        }
        Value::Array(list) => Err(Error::input(format!("{} values for {} genes", list.len(), genes.len()))
            .allowed(format!("one for each of {}", keys(genes).join(", ")))),
        Value::Object(map) => {
            let mut genome = experiment.space.encode(&experiment.defaults);
            for (key, value) in &map {
                let Some(at) = genes.iter().position(|gene| gene.key == *key) else {
                    let error = Error::input(format!("`{key}` is not a gene of this experiment")).key(key);
                    return Err(suggest::among(error, key, &keys(genes)));
                };
                genome[at] = coordinate(experiment, &genes[at], value, cube)?;
            }
            Ok(genome)
        }
        other => Err(Error::input(format!("{} is not a candidate", short(&other)))
            .allowed("a list of values in the order of the genes, or an object {gene: value}")),
    }
}

fn keys(genes: &[Gene]) -> Vec<&str> {
    genes.iter().map(|gene| gene.key.as_str()).collect()
}

/// The coordinate of one value.
fn coordinate(experiment: &Experiment, gene: &Gene, value: &Value, cube: bool) -> Result<f64, Error> {
    let wrong = |allowed: String| {
        Error::input(format!("`{}` is {}", gene.key, short(value))).key(gene.key.as_str()).allowed(allowed)
    };
    if cube {
        let inside = value.as_f64().filter(|u| (-ROUNDING..=1.0 + ROUNDING).contains(u));
        return inside
            .map(|u| gene.axis.canonical(u))
            .ok_or_else(|| wrong("0 to 1, the coordinate of the gene".into()));
    }
    let number = value.as_f64();
    let stored = match &gene.axis {
        Axis::Real { low, high, .. } => {
            let slack = ROUNDING * (high - low);
            number.filter(|x| (low - slack..=high + slack).contains(x)).ok_or_else(|| wrong(format!("{low} to {high}")))
        }
        Axis::Integer { low, high } => {
            let whole =
                |x: &f64| (x - x.round()).abs() <= ROUNDING && (*low as f64..=*high as f64).contains(&x.round());
            number.filter(whole).ok_or_else(|| wrong(format!("a whole number from {low} to {high}")))
        }
        Axis::Choice(values) => {
            let choices: Vec<Value> = values.iter().map(|&v| written(param(experiment, gene), v)).collect();
            let same = |choice: &Value| choice == value || (number.is_some() && choice.as_f64() == number);
            let all = || choices.iter().map(short).collect::<Vec<_>>().join(", ");
            choices.iter().position(same).map(|at| values[at]).ok_or_else(|| wrong(all()))
        }
    };
    stored.map(|x| gene.axis.encode(x))
}
