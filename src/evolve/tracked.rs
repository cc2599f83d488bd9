//! What a summary says of track errors with other people in mind: their intervals are over people, not over seeds.

use super::baselines::{Without, compares, errors};
use super::evaluate::{Ran, run_people, run_seed};
use super::experiment::Experiment;
use super::people::{ByPerson, figure};
use super::summary::{Figure, Summary};
use crowdtune_core::math::rng::Seed;
use crowdtune_search::Purpose;

/// Runs defaults and recommendation once more on the first seed of the report, and writes intervals over people into the
/// summary, wherever something is compared with tracks; the values stay those of the report. `None`: that run failed.
pub(super) fn over_people(experiment: &Experiment, summary: &mut Summary, genes: [&[f64]; 2]) {
    let columns: Vec<usize> = (0..experiment.columns.len()).filter(|&column| compares(experiment, column)).collect();
    if columns.is_empty() || summary.replicas.1 == 0 {
        return;
    }
    let seed = Seed(experiment.search.seed);
    let sides = genes.map(|genes| runs(experiment, genes));
    for column in columns {
        let name = &experiment.columns[column].name;
        // Only cases that have it, and those that the loss counts for the mean over cases.
        let here = |held_out: bool| {
            let cases = experiment.cases.iter().enumerate();
            cases
                .filter(move |(_, case)| case.columns[column].is_some() && (!held_out || !case.held_out))
                .map(|(k, _)| k)
        };
        for case in here(false) {
            let of = |side: &[Option<Ran>]| Some(figure(&[&side[case].as_ref()?.people[column]], seed));
            let [default, tuned] = [of(&sides[0]), of(&sides[1])];
            let named = &experiment.cases[case].name;
            if let Some(row) = summary.cases.iter_mut().find(|row| row.case == *named && row.target == *name) {
                row.default = around(row.default, default);
                row.tuned = around(row.tuned, tuned);
            }
            let ways = Without::ALL.map(|way| errors(experiment, &experiment.cases[case], way));
            let baseline = summary.baselines.iter_mut().find(|b| b.case == *named && b.target == *name);
            if let (Some(baseline), Some(tuned)) = (baseline, &sides[1][case]) {
                let better = usize::from(baseline.standing_still < baseline.constant_velocity);
                let apart = tuned.people[column].iter().zip(&ways[better].people[column]);
                let paired: ByPerson = apart.map(|(model, without)| (model.0 - without.0, model.1)).collect();
                baseline.difference = figure(&[&paired], seed);
            }
        }
        let mean = |side: &[Option<Ran>]| {
            let people = here(true).map(|case| Some(&side[case].as_ref()?.people[column])).collect::<Option<Vec<_>>>();
            people.map(|people| figure(&people, seed))
        };
        if let Some(target) = summary.targets.iter_mut().find(|target| target.name == *name) {
            target.default = around(target.default, mean(&sides[0]));
            target.tuned = around(target.tuned, mean(&sides[1]));
        }
    }
}

/// One run of each case.
fn runs(experiment: &Experiment, genes: &[f64]) -> Vec<Option<Ran>> {
    let cases = experiment.cases.iter().enumerate();
    let one = |(at, case): (usize, &super::experiment::Case)| {
        let seed = run_seed(experiment.search.seed, Purpose::Report, &case.table, 0);
        case.scenario.tracks.as_ref().and_then(|_| run_people(experiment, at, genes, seed).ok())
    };
    cases.map(one).collect()
}

/// The value of the report with the interval of one run around it; what the report said where that run failed.
fn around(report: Figure, one: Option<Figure>) -> Figure {
    let (Some(value), Some(one)) = (report.value, one) else { return report };
    let moved = |end: Option<f64>| Some(value + end? - one.value?);
    Figure { value: Some(value), low: moved(one.low), high: moved(one.high) }
}
