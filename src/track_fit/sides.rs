//! The errors of a search's experiment: without a model, with published constants, with tuned ones.

use crate::evolve::baselines::{Without, errors};
use crate::evolve::evaluate::{Ran, run_people, run_seed};
use crate::evolve::experiment::Experiment;
use crate::evolve::people::{figure, less};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_search::Purpose;
use serde::Serialize;
use std::collections::BTreeMap;

/// Figures by the name of the measure, with 95 % intervals over people where it is a mean over people.
pub(crate) type Figures = BTreeMap<String, Figure>;

/// The errors of one model beside those without any.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Sides {
    /// Everybody walks on with the velocity of the last restart.
    pub constant_velocity: Figures,
    /// Everybody stands where the last restart put them.
    pub standing_still: Figures,
    /// Published constants; without values where that run failed.
    pub published: Figures,
    /// Tuned constants.
    pub tuned: Figures,
    /// Tuned constants less constant velocity, paired person by person: below 0 the model predicts better.
    pub difference: Figures,
    /// Published constants less constant velocity.
    pub published_difference: Figures,
}

/// Runs each scenario with published and with tuned constants, and compares.
///
/// # Errors
/// If a run with the tuned constants fails.
pub(crate) fn sides(experiment: &Experiment, tuned: &[f64]) -> Result<Sides, Error> {
    let all = || 0..experiment.cases.len();
    let run = |at: usize, genes: &[f64]| {
        let seed = run_seed(experiment.search.seed, Purpose::Report, &experiment.cases[at].table, 0);
        run_people(experiment, at, genes, seed)
    };
    let [straight, standing] = Without::ALL
        .map(|way| all().map(|at| Some(errors(experiment, &experiment.cases[at], way))).collect::<Vec<_>>());
    let tuned = all().map(|at| run(at, tuned).map(Some)).collect::<Result<Vec<_>, _>>()?;
    let published: Vec<Option<Ran>> = all().map(|at| run(at, &experiment.defaults).ok()).collect();
    let seed = Seed(experiment.search.seed);
    // Each measure belongs to one scenario.
    let table = |runs: &[Option<Ran>], of: &dyn Fn(usize, usize, &Ran) -> Figure| {
        let figure = |column: usize| {
            let case = experiment.cases.iter().position(|case| case.columns[column].is_some())?;
            Some(of(case, column, runs[case].as_ref()?))
        };
        let columns = experiment.columns.iter().enumerate();
        columns.map(|(at, column)| (column.name.clone(), figure(at).unwrap_or_default())).collect::<Figures>()
    };
    let side = |runs: &[Option<Ran>]| {
        table(runs, &|_, column, ran| match ran.people[column].is_empty() {
            // What is no mean over people has no interval over people.
            true => Figure { value: ran.values[column], ..Figure::default() },
            false => figure(&[&ran.people[column]], seed),
        })
    };
    let than = |runs: &[Option<Ran>]| {
        table(runs, &|case, column, ran| {
            let without = straight[case].as_ref().map(|ran| &ran.people[column]);
            without.map_or_else(Figure::default, |without| figure(&[&less(&ran.people[column], without)], seed))
        })
    };
    Ok(Sides {
        constant_velocity: side(&straight),
        standing_still: side(&standing),
        published: side(&published),
        tuned: side(&tuned),
        difference: than(&tuned),
        published_difference: than(&published),
    })
}
