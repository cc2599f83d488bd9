//! One run of a foreign simulator, and what the metrics saw in it.

use super::observe::{Simulated, metrics_in, value_of};
use crate::evolve::engine::{Answer, Ask, EngineOf};
use crate::evolve::experiment::{Case, Experiment};
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_sim::crowd::{Crowd, Health, Trajectory};
use crowdtune_sim::metrics::played::Played;
use crowdtune_sim::world::scenario::Scenario;
use std::sync::Arc;

/// Asks for a run; with `record` its trajectory too.
///
/// # Errors
/// Why the run cannot be trusted; of the class of the environment if the engine cannot be asked at all.
pub(super) fn run(
    experiment: &Experiment,
    engine: &EngineOf,
    case: usize,
    (genes, seed): (&[f64], Seed),
    record: Option<&mut Trajectory>,
) -> Result<Simulated, Error> {
    let here = &experiment.cases[case];
    let people = experiment.start(case, genes, seed)?.crowd().clone();
    let mut ask = ask_for(experiment, case, genes, seed, &people);
    let measures = ask.trajectory;
    ask.trajectory |= record.is_some();
    let answer = engine.asked()?.run(&ask)?;
    if measures && answer.trajectory.is_none() {
        return Err(Error::nothing("the answer names no `trajectory`, although one was asked for"));
    }
    let mut simulated = observed(experiment, here, &people, &answer, record)?;
    for (column, at) in here.columns.iter().enumerate() {
        let name = experiment.columns[column].metric.name;
        if at.is_some() && engine.declared.values.iter().any(|value| value == name) {
            let said = answer.values.iter().find(|(value, _)| value == name);
            let Some(&(_, value)) = said else {
                return Err(Error::nothing(format!("the answer has no value `{name}`")));
            };
            simulated.values[column] = value.filter(|x| x.is_finite());
        }
    }
    simulated.health.agent_steps = answer.work.max(simulated.health.agent_steps);
    Ok(simulated)
}

/// What an engine is asked for a run; a trajectory if a column is measured on it.
pub(crate) fn ask_for<'a>(
    experiment: &'a Experiment,
    case: usize,
    genes: &[f64],
    seed: Seed,
    people: &'a Crowd,
) -> Ask<'a> {
    let here = &experiment.cases[case];
    let said = experiment.engine.as_ref().map_or(&[][..], |engine| &engine.declared.values[..]);
    let trajectory = here.columns.iter().enumerate().any(|(column, at)| {
        let name = experiment.columns[column].metric.name;
        at.is_some() && !said.iter().any(|value| value == name)
    });
    let parameters = parameters(here, genes);
    Ask { case: &here.name, scenario: &here.scenario, parameters, seed, trajectory, people }
}

/// All constants by name.
fn parameters(case: &Case, genes: &[f64]) -> Vec<(&'static str, crowdtune_core::registry::Written)> {
    let Some(group) = case.groups.first() else { return Vec::new() };
    let params = group.steered_by.params;
    params.iter().zip(group.constants(genes)).map(|(param, value)| (param.key, param.written(value))).collect()
}

/// What the metrics see in the trajectory of an answer, if it has one.
fn observed(
    experiment: &Experiment,
    case: &Case,
    people: &Crowd,
    answer: &Answer,
    record: Option<&mut Trajectory>,
) -> Result<Simulated, Error> {
    let mut values = vec![None; experiment.columns.len()];
    let Some(recording) = &answer.trajectory else {
        let health = Health { end_s: answer.end_s.unwrap_or(0.0), ..Health::default() };
        return Ok(Simulated { values, health, metrics: Vec::new(), looks: Vec::new(), left_s: Vec::new() });
    };
    let scenario = peopled(&case.scenario, recording.people());
    let played = Played::new(recording, &scenario, people, answer.end_s)?;
    let mut metrics = metrics_in(experiment, case, &scenario);
    played.watch(experiment.timing.sample_every_s, &mut |sample| {
        for (column, metric) in &mut metrics {
            metric.observe(&sample.seen(experiment.columns[*column].metric.make.needs));
        }
    });
    for (column, metric) in &metrics {
        values[*column] = value_of(experiment, *column, metric.as_ref());
    }
    if let Some(track) = record {
        *track = played.trajectory(experiment.timing.record_every_s);
    }
    Ok(Simulated { values, health: played.health(), metrics, looks: Vec::new(), left_s: Vec::new() })
}

/// The scenario with as many people as were seen, where only the engine knows how many there are.
fn peopled(scenario: &Arc<Scenario>, seen: usize) -> Arc<Scenario> {
    match &scenario.groups[..] {
        [only] if only.count == 0 => {
            let mut own = Scenario::clone(scenario);
            own.groups[0].count = seen;
            Arc::new(own)
        }
        _ => scenario.clone(),
    }
}
