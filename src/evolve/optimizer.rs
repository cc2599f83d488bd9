//! The optimizer of an experiment.

use super::experiment::Experiment;
use super::scoring;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::Settings;
use crowdtune_search::{AdaptiveReplicas, Noise, Optimizer, Setup, Trial};

/// Makes the optimizer of an experiment. It starts from the published defaults and, if the file gives others, from its start values.
pub(super) fn optimizer(experiment: &Experiment) -> Box<dyn Optimizer + '_> {
    let search = &experiment.search;
    let mut start = vec![experiment.space.encode(&experiment.defaults)];
    let given = experiment.space.encode(&experiment.start);
    if given != start[0] {
        start.push(given);
    }
    let inner = (search.optimizer.make.make)(&Setup {
        space: &experiment.space,
        seed: Seed(search.seed).child("optimizer", 0),
        parallel: search.parallel,
        replicas: experiment.replicas(),
        start,
        work_s: experiment.work_s(),
        // Fresh seeds judge.
        noise: Noise::Fresh,
        objectives: experiment.objectives.len(),
        measures: experiment.measures(),
        parts: scoring::parts(experiment),
        settings: Settings::new(search.optimizer.params, &search.settings),
    });
    if !search.adaptive() {
        return inner;
    }
    let join = Box::new(|rows: &[Trial], n: u32| scoring::join(experiment, rows, n));
    Box::new(AdaptiveReplicas::new(inner, join, search.parallel, search.max_replicas))
}
