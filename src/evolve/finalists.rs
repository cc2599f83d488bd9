//! The finalists of a run, as their race on fresh seeds ranked them.

use super::candidates::Candidates;
use super::experiment::Experiment;
use super::figures::Resamples;
use super::race::{self, Contestant};
use super::scoring::Rescore;
use super::summary::{Figure, FinalistSummary, ObjectiveSummary};
use crowdtune_core::math::rng::Seed;
use crowdtune_search::Trial;

/// Everybody who took part in the race of a selection, best first: what the search, the selection and the report saw of them.
pub(super) fn finalists(
    experiment: &Experiment,
    selection: &[Trial],
    candidates: &Candidates<'_>,
    recommended: &[f64],
    objectives: &[ObjectiveSummary],
) -> Vec<FinalistSummary> {
    let space = &experiment.space;
    let (tuned, default) = (space.key(recommended), space.key(&space.encode(&experiment.defaults)));
    let finalist = |c: &&Contestant| {
        let row = candidates.of(&c.genome);
        let key = space.key(&c.genome);
        let (recommended, defaults) = (key == tuned, key == default);
        let fresh = objectives.first().map(|o| match (recommended, defaults) {
            (true, _) => o.tuned,
            (_, true) => o.default,
            _ => Figure::default(),
        });
        FinalistSummary {
            trial: row.map(|t| t.id),
            defaults,
            recommended,
            search: row.and_then(|t| t.objectives.first().copied()),
            search_replicas: row.map_or(0, |t| t.question.replicas.len() as u32),
            selection: self::selection(experiment, c),
            selection_replicas: c.replicas(),
            out: c.out,
            fresh: fresh.unwrap_or_default(),
        }
    };
    race::again(experiment, selection).ranked().iter().map(finalist).collect()
}

/// The first objective of a contestant on the replicas that it ran, with its interval.
fn selection(experiment: &Experiment, contestant: &Contestant) -> Figure {
    let Some(last) = contestant.rows.last().filter(|_| !contestant.failed) else { return Figure::default() };
    let all = Trial { values: contestant.values().clone(), ..last.clone() };
    let rescore = Rescore::new(experiment);
    let resamples = Resamples::new(Seed(experiment.search.seed), contestant.replicas() as usize);
    resamples.figure(|rows| rescore.objectives(Some(&all), rows).first().copied().flatten())
}
