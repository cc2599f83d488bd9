//! An atlas: not one best crowd, but one of each kind.

use super::{MakeDemo, Shown};
use crate::evolve::summary::{AxisSummary, Summary};
use crate::format;
use crowdtune_core::registry::Entry;

/// The demonstration's entry.
pub static ENTRY: Entry<MakeDemo> = Entry {
    name: "atlas",
    doc: "A search that fills a map of speed and spacing with crowds; a click on a cell plays its crowd.",
    source: "MAP-Elites: Mouret, Clune, arXiv 1504.04909 (2015), which has other domains: no curve of theirs is comparable",
    params: &[],
    make: MakeDemo {
        question: "Which crowds can five forces make at all, from slow and tight to fast and wide?",
        shown: Shown::Atlas(include_str!("../../configs/atlas.toml")),
    },
};

/// What the map says.
pub fn of_map(summary: &Summary) -> Vec<String> {
    let Some(map) = &summary.atlas else { return Vec::new() };
    let ends = |axis: usize| {
        let values = map.cells.iter().filter_map(|cell| cell.measures.get(axis)?.value);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    let spread = |(at, axis): (usize, &AxisSummary)| {
        let (low, high) = ends(at);
        format!(
            "{} from {} to {}",
            format::name_with_unit(&axis.name, &axis.unit),
            format::number(low),
            format::number(high)
        )
    };
    let found: Vec<String> = map.axes.iter().enumerate().map(spread).collect();
    vec![
        format!(
            "With {} evaluations the search found a crowd for {} of {} cells: {}.",
            summary.evaluations,
            map.cells.len(),
            map.total,
            found.join(", ")
        ),
        "Instead of one best candidate the search keeps the best of every cell, and makes new candidates from those it has.".into(),
        format!(
            "{} of {} cells stayed empty: this search found no crowd there, which does not prove that there is none.",
            map.total - map.cells.len() as u64,
            map.total
        ),
    ]
}
