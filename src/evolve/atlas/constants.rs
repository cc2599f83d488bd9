//! What tells the candidates on both sides of a value apart.

use crate::evolve::experiment::Experiment;
use crate::evolve::summary::{Checked, SideOf, Split};
use crowdtune_search::{Axis, Trial};

/// Parts of the searched range of a number that are counted. Chosen here: 200 candidates leave 40 for each.
const PARTS: usize = 5;

/// The splits of the axes that ask for one; `checked` has what each of `rows` measured.
pub(super) fn splits(experiment: &Experiment, rows: &[&Trial], checked: &[Checked]) -> Vec<Split> {
    let genes = &experiment.space.genes;
    let parts = |axis: &Axis| match axis {
        Axis::Choice(words) => words.len().max(1),
        Axis::Real { .. } | Axis::Integer { .. } => PARTS,
    };
    let keys: Vec<(String, usize)> = genes.iter().map(|g| (g.key.clone(), parts(&g.axis))).collect();
    let of = |(at, value): (usize, f64)| {
        let side = |(row, c): (&&Trial, &Checked)| {
            (SideOf::of(&c.measures[at], value), c.genes.clone(), row.question.genome.clone())
        };
        Split::new(at, value, &keys, &rows.iter().zip(checked).map(side).collect::<Vec<_>>())
    };
    experiment.atlas.iter().enumerate().filter_map(|(at, axis)| Some((at, axis.split?))).map(of).collect()
}
