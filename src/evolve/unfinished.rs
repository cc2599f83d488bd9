//! Runs that ended at their limit with people inside: the time that they count as is a penalty, and nobody saw it.

use super::experiment::Experiment;

/// Whether the value of a column in a case is such a penalty.
pub(crate) fn unfinished(experiment: &Experiment, column: usize, case: usize, value: f64) -> bool {
    experiment.columns[column].metric.make.penalized && value > experiment.cases[case].scenario.limit_s
}

/// What is said of a target or measure of which `of.0` of `of.1` runs are such.
pub(crate) fn words(name: &str, of: (u32, u32)) -> String {
    let (open, all) = of;
    let inside = if all == 1 { "people".to_string() } else { format!("in {open} of {all} runs people") };
    format!(
        "{name}: {inside} were still inside at the limit; such a run counts as limit x (1 + share still inside), a penalty and no \
         time that was seen"
    )
}
