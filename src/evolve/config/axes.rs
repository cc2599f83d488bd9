//! `[atlas.*]`: the axes of an atlas of behaviors. An axis measures something itself, or names a target or measure.

use super::context::Context;
use super::item::Item;
use super::targets::{self, Asked};
use crate::evolve::experiment::{AtlasAxis, Case};
use crate::target::{Combine, Target};
use crowdtune_core::{Error, suggest};
use std::collections::BTreeMap;

/// Keys of an axis besides those of a measure.
const KEYS: [&str; 3] = ["range", "cells", "split"];
/// Axes at most. Chosen here: a fourth can be neither drawn nor filled.
const MOST_AXES: usize = 3;
/// Cells of an axis at most. Chosen here: more cannot be told apart in a map.
const MOST_ON_AXIS: i64 = 100;
/// Cells of an atlas at most. Chosen here: each wants several evaluations.
const MOST_CELLS: u64 = 10_000;

/// One axis as the file has it.
#[derive(Debug)]
struct Axis<'a> {
    name: String,
    item: Item<'a>,
    range: (f64, f64),
    cells: u32,
    split: Option<f64>,
}

/// Axes before their columns are known.
#[derive(Debug, Default)]
pub struct Axes<'a>(Vec<Axis<'a>>);

impl<'a> Axes<'a> {
    /// Reads the tables; what an axis measures itself is added to the columns that are asked for.
    ///
    /// # Errors
    /// If one is wrong, names nothing, or is measured twice.
    pub fn read(
        table: Option<&Item<'a>>,
        asked: &mut BTreeMap<String, Asked<'a>>,
        context: &mut Context<'_>,
    ) -> Result<Self, Error> {
        let Some(table) = table else { return Ok(Self::default()) };
        let named = table.named()?;
        if named.len() > MOST_AXES {
            let error = table.error(format!("the atlas has {} axes", named.len()));
            return Err(error.allowed(format!("1 to {MOST_AXES}")).help("keep the ones that matter most"));
        }
        let mut axes = Vec::new();
        for (name, item) in named {
            let own = item.table()?;
            let range = own.need("range", "the ends of the axis, in the unit of the metric: range = [0, 1]")?;
            let range = range.interval("[low, high], in the unit of the metric")?;
            let cells = own.need("cells", "")?.whole(2, MOST_ON_AXIS)? as u32;
            let split = own.take("split").map(|item| split(&item, range)).transpose()?;
            let known = asked.get(&name);
            match (own.take("metric"), known) {
                (Some(_), None) => {
                    let column = targets::read(&name, &item, false, &KEYS, context)?;
                    asked.insert(name.clone(), column);
                }
                (Some(metric), Some(_)) => {
                    return Err(metric
                        .error(format!("`{name}` is a target or measure already"))
                        .help("remove `metric`, and the axis follows that one; or give the axis another name"));
                }
                (None, None) => {
                    let names: Vec<&str> = asked.keys().map(String::as_str).collect();
                    let error =
                        item.error(format!("the axis `{name}` has no `metric`, and nothing else has that name"));
                    return Err(suggest::among(error, &name, &names)
                        .help("give it a `metric`, or give it the name of the target or measure that it follows"));
                }
                (None, Some(_)) => {
                    let extra = ["window", "at", "group", "center", "scenario", "combine"].map(|key| own.take(key));
                    if let Some(extra) = extra.into_iter().flatten().next() {
                        return Err(extra
                            .error(format!("`{name}` is measured as its target or measure says"))
                            .help("write this key there, or give the axis a name and a `metric` of its own"));
                    }
                    own.finish()?;
                }
            }
            axes.push(Axis { name, item, range, cells, split });
        }
        let all: u64 = axes.iter().map(|a| u64::from(a.cells)).product();
        if all > MOST_CELLS {
            let error = table.error(format!("the atlas has {all} cells"));
            return Err(error.allowed(format!("at most {MOST_CELLS}")).help("give the axes fewer `cells`"));
        }
        Ok(Self(axes))
    }

    /// The axes with their columns.
    ///
    /// # Errors
    /// If a column is no mean over replicas, only held-out scenarios give it, or there are several objectives.
    pub fn place(self, targets: &[Target], objectives: &[String], cases: &[Case]) -> Result<Vec<AtlasAxis>, Error> {
        let mut out = Vec::new();
        for axis in self.0 {
            if let [_, second, ..] = objectives {
                return Err(axis
                    .item
                    .error(format!("a cell of an atlas keeps the best by one objective, and `{second}` is another"))
                    .help("remove `objective`, and balance the targets by `weight`"));
            }
            let column = targets.iter().position(|t| t.name == axis.name).expect("an axis has a column");
            let target = &targets[column];
            if target.combine != Combine::Mean {
                return Err(axis
                    .item
                    .error(format!(
                        "an axis is a mean over replicas, and `{}` takes `{}`",
                        axis.name,
                        target.combine.word()
                    ))
                    .help("give the axis a name and a `metric` of its own"));
            }
            if cases.iter().all(|c| c.held_out || c.columns[column].is_none()) {
                return Err(axis
                    .item
                    .error(format!(
                        "only held-out scenarios give `{}`, so the search cannot place a candidate",
                        axis.name
                    ))
                    .help("give one scenario without `held_out`, or choose another metric"));
            }
            let (low, high) = axis.range;
            out.push(AtlasAxis { name: axis.name, column, low, high, cells: axis.cells, split: axis.split });
        }
        Ok(out)
    }
}

/// A value between the ends of an axis.
fn split(item: &Item<'_>, (low, high): (f64, f64)) -> Result<f64, Error> {
    let value = item.finite()?;
    if low < value && value < high {
        return Ok(value);
    }
    let error = item.error(format!("{value} is no value between the ends of the axis"));
    Err(error.allowed(format!("more than {low} and less than {high}")).help("write a `split` inside the `range`"))
}
