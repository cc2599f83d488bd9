//! What metrics see in a run, whoever simulated it.

use crate::evolve::experiment::{Case, Experiment};
use crate::replay::Look;
use crate::target::{self, Wanted};
use crowdtune_sim::crowd::Health;
use crowdtune_sim::metrics::{Metric, Spec};
use crowdtune_sim::world::scenario::Scenario;

/// All that is left of a simulation.
pub(super) struct Simulated {
    pub values: Vec<Option<f64>>,
    pub health: Health,
    /// The metrics with their columns, after the last sample.
    pub metrics: Vec<(usize, Box<dyn Metric>)>,
    /// What was measured by and by, where that was asked for and is known.
    pub looks: Vec<Look>,
    /// When people left, s; empty for a simulator of somebody else.
    pub left_s: Vec<f64>,
}

/// The metrics of a case with their columns.
pub(in crate::evolve) fn metrics(experiment: &Experiment, case: &Case) -> Vec<(usize, Box<dyn Metric>)> {
    metrics_in(experiment, case, &case.scenario)
}

/// The metrics of a case with their columns, for people in this place.
pub(super) fn metrics_in(experiment: &Experiment, case: &Case, scenario: &Scenario) -> Vec<(usize, Box<dyn Metric>)> {
    let mut metrics = Vec::new();
    for (index, (column, here)) in experiment.columns.iter().zip(&case.columns).enumerate() {
        if let Some(here) = here {
            let spec = Spec {
                at: here.at.clone(),
                window: here.window,
                sample_every_s: experiment.timing.sample_every_s,
                group: here.group,
                center: here.center,
                settings: column.settings.clone(),
            };
            metrics.push((index, (column.metric.make.make)(&spec, scenario)));
        }
    }
    metrics
}

/// What a metric gives for its column after the last sample.
pub(super) fn value_of(experiment: &Experiment, column: usize, metric: &dyn Metric) -> Option<f64> {
    let value = match &experiment.columns[column].wanted {
        Some(Wanted::Like { reference, by, .. }) => target::distance(*by, &metric.samples(), reference),
        _ => metric.value(),
    };
    // JSON has no infinity, so the log could not give it back.
    value.filter(|x| x.is_finite())
}
