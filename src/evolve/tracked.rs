//! What a summary says of track errors with other people in mind: their intervals are over people, not over seeds.

use super::baselines::{self, Without, errors};
use super::evaluate::{Ran, run_people, run_seed};
use super::experiment::Experiment;
use super::people::{figure, less};
use super::scoring::Rescore;
use super::summary::{Figure, Summary};
use crowdtune_core::math::rng::{Seed, below};
use crowdtune_core::math::stats;
use crowdtune_search::{Purpose, Values};

/// Runs defaults and recommendation once more on the first seed of the report, and writes intervals over people into the
/// summary, wherever something is compared with tracks; the values stay those of the report. `None`: that run failed.
pub(super) fn over_people(experiment: &Experiment, summary: &mut Summary, genes: [&[f64]; 2]) {
    let columns: Vec<usize> =
        (0..experiment.columns.len()).filter(|&column| baselines::over_people(experiment, column)).collect();
    if summary.replicas.1 == 0 {
        return;
    }
    without_width(experiment, summary);
    if columns.is_empty() {
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
                let paired = less(&tuned.people[column], &ways[better].people[column]);
                baseline.difference = figure(&[&paired], seed);
            }
        }
        let mean = |side: &[Option<Ran>]| {
            let people = here(true).map(|case| Some(&side[case].as_ref()?.people[column])).collect::<Option<Vec<_>>>();
            people.map(|people| figure(&people, seed))
        };
        // Of a `must` the worst case decides, not the mean.
        if let Some(target) = summary.targets.iter_mut().find(|target| target.name == *name && !target.must) {
            target.default = around(target.default, mean(&sides[0]));
            target.tuned = around(target.tuned, mean(&sides[1]));
        }
    }
    for (objective, [default, tuned, difference]) in summary.objectives.iter_mut().zip(losses(experiment, &sides, seed))
    {
        objective.default = around(objective.default, Some(default));
        objective.tuned = around(objective.tuned, Some(tuned));
        objective.difference = around(objective.difference, Some(difference));
    }
}

/// Takes intervals away that are over seeds and have no width, in cases beside tracks: where nothing is drawn all seeds are equal, and say
/// nothing of how sure a value is.
fn without_width(experiment: &Experiment, summary: &mut Summary) {
    let none = |figure: &mut Figure| {
        if figure.low.is_some() && figure.low == figure.high {
            *figure = Figure { value: figure.value, ..Figure::default() };
        }
    };
    let tracked = |name: &str| experiment.cases.iter().any(|case| case.name == name && case.scenario.tracks.is_some());
    for row in summary.cases.iter_mut().filter(|row| tracked(&row.case)) {
        none(&mut row.default);
        none(&mut row.tuned);
    }
    if experiment.cases.iter().all(|case| case.scenario.tracks.is_some()) {
        for target in &mut summary.targets {
            none(&mut target.default);
            none(&mut target.tuned);
        }
        for objective in &mut summary.objectives {
            none(&mut objective.default);
            none(&mut objective.tuned);
            none(&mut objective.difference);
        }
    }
}

/// One run of each case beside tracks.
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
    let Some(center) = one.value else { return report };
    let moved = |end: Option<f64>| end.map(|end| value + end - center);
    Figure { value: Some(value), low: moved(one.low), high: moved(one.high) }
}

/// Losses of defaults and recommendation and their difference, by objective, on the same draws of people; empty where something
/// else than tracks is wanted too, or a run failed.
fn losses(experiment: &Experiment, sides: &[Vec<Option<Ran>>; 2], seed: Seed) -> Vec<[Figure; 3]> {
    let tracked = |case: usize| experiment.cases[case].scenario.tracks.is_some();
    let failed = |side: &Vec<Option<Ran>>| side.iter().enumerate().any(|(case, ran)| ran.is_none() && tracked(case));
    if !experiment.targets().all(|(column, _)| baselines::over_people(experiment, column)) || sides.iter().any(failed) {
        return Vec::new();
    }
    let rescore = Rescore::new(experiment);
    let once = |side: &Vec<Option<Ran>>| -> Values {
        side.iter().map(|ran| ran.iter().map(|ran| ran.values.clone()).collect()).collect()
    };
    let score = |values: &Values| {
        let score = rescore.score(values, &[0]);
        if score.failure.is_some() { vec![f64::NAN; experiment.objectives.len()] } else { score.objectives }
    };
    let row = |values: &[Values; 2]| {
        let [default, tuned] = [score(&values[0]), score(&values[1])];
        default.into_iter().zip(tuned).map(|(default, tuned)| [default, tuned, tuned - default]).collect::<Vec<_>>()
    };
    let mut values = [once(&sides[0]), once(&sides[1])];
    let center = row(&values);
    let mut rng = seed.child("people", 1).rng();
    let drawn: Vec<Vec<[f64; 3]>> = (0..stats::RESAMPLES)
        .map(|_| {
            for (case, ran) in sides[1].iter().enumerate() {
                let Some(ran) = ran else { continue };
                for column in (0..experiment.columns.len()).filter(|&column| baselines::over_people(experiment, column))
                {
                    let there = ran.people[column].iter().enumerate().filter(|(_, person)| person.1 > 0);
                    let there: Vec<usize> = there.map(|(person, _)| person).collect();
                    let picked: Vec<usize> = there.iter().map(|_| there[below(&mut rng, there.len())]).collect();
                    for (side, values) in sides.iter().zip(&mut values) {
                        let people = side[case].as_ref().map(|ran| &ran.people[column]);
                        let add = |sum: (f64, u64), person: &(f64, u64)| (sum.0 + person.0, sum.1 + person.1);
                        let (sum, count) = picked.iter().filter_map(|&p| people?.get(p)).fold((0.0, 0), add);
                        values[case][0][column] = (count > 0).then(|| sum / count as f64);
                    }
                }
            }
            row(&values)
        })
        .collect();
    let figure = |objective: usize, side: usize| {
        let sample: Vec<f64> = drawn.iter().map(|row| row[objective][side]).filter(|x| x.is_finite()).collect();
        let end = |p| (sample.len() > 1).then(|| stats::quantile(&sample, p));
        Figure { value: Some(center[objective][side]), low: end(0.025), high: end(0.975) }
    };
    (0..center.len()).map(|objective| [0, 1, 2].map(|side| figure(objective, side))).collect()
}
