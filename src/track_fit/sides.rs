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

/// What is measured, as the experiment names it, and what tables call it.
pub(crate) const MEASURES: [(&str, &str); 5] = [
    ("tuned", "tuned people, m2"),
    ("held_out_people", "held-out people, m2"),
    ("held_out_time", "held-out time, m2"),
    ("held_out_people_ade", "held-out people, ADE m"),
    ("held_out_people_fde", "held-out people, FDE m"),
];

/// Figures by the name of the measure, with 95 % intervals over people.
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

/// Runs the one scenario with published and with tuned constants, and compares.
///
/// # Errors
/// If the run with the tuned constants fails.
pub(crate) fn sides(experiment: &Experiment, tuned: &[f64]) -> Result<Sides, Error> {
    let case = &experiment.cases[0];
    let run = |genes: &[f64]| {
        let seed = run_seed(experiment.search.seed, Purpose::Report, &case.table, 0);
        run_people(experiment, 0, genes, seed)
    };
    let [straight, standing] = Without::ALL.map(|way| errors(experiment, case, way));
    let tuned = run(tuned)?;
    let published = run(&experiment.defaults).ok();
    let seed = Seed(experiment.search.seed);
    let table = |of: &dyn Fn(usize) -> Figure| {
        let columns = experiment.columns.iter().enumerate();
        columns.map(|(at, column)| (column.name.clone(), of(at))).collect::<Figures>()
    };
    let side = |ran: &Ran| table(&|at| figure(&[&ran.people[at]], seed));
    let than = |ran: &Ran| table(&|at| figure(&[&less(&ran.people[at], &straight.people[at])], seed));
    let none = || table(&|_| Figure::default());
    Ok(Sides {
        constant_velocity: side(&straight),
        standing_still: side(&standing),
        published: published.as_ref().map_or_else(none, side),
        tuned: side(&tuned),
        difference: than(&tuned),
        published_difference: published.as_ref().map_or_else(none, than),
    })
}
