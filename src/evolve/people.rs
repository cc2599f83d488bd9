//! Intervals over people, of values that are means over people and times: where nothing is drawn, seeds say nothing of how far
//! other people would have strayed.

use super::summary::Figure;
use crowdtune_core::math::rng::{Seed, below};
use crowdtune_core::math::stats;

/// What each person adds to a sum and to a number, by id.
pub type ByPerson = Vec<(f64, u64)>;

/// What each person adds in several runs of the same people together.
pub fn together<'p>(runs: impl IntoIterator<Item = &'p ByPerson>) -> ByPerson {
    let mut all = ByPerson::new();
    for run in runs {
        all.resize(run.len().max(all.len()), (0.0, 0));
        for (person, (sum, count)) in all.iter_mut().zip(run) {
            *person = (person.0 + sum, person.1 + count);
        }
    }
    all
}

/// What each person adds less what the same person adds elsewhere, where the numbers of samples are equal: paired differences.
pub fn less(people: &ByPerson, others: &ByPerson) -> ByPerson {
    people.iter().zip(others).map(|(one, other)| (one.0 - other.0, one.1)).collect()
}

/// The mean of the cases' means, with a percentile bootstrap 95 % interval: in each case people are drawn with replacement, each with
/// all of the own samples, because those of one person depend on each other. Without an interval where a case has fewer than two people;
/// empty where a case has no value.
pub fn figure(cases: &[&ByPerson], seed: Seed) -> Figure {
    let there: Vec<ByPerson> =
        cases.iter().map(|case| case.iter().copied().filter(|person| person.1 > 0).collect()).collect();
    if there.is_empty() || there.iter().any(Vec::is_empty) {
        return Figure::default();
    }
    let mean = |sums: (f64, u64)| sums.0 / sums.1 as f64;
    let add = |all: (f64, u64), person: &(f64, u64)| (all.0 + person.0, all.1 + person.1);
    let values: Vec<f64> = there.iter().map(|case| mean(case.iter().fold((0.0, 0), add))).collect();
    let value = Some(stats::mean(&values));
    if there.iter().any(|case| case.len() < 2) {
        return Figure { value, low: None, high: None };
    }
    let mut rng = seed.child("people", 0).rng();
    let drawn: Vec<f64> = (0..stats::RESAMPLES)
        .map(|_| {
            let mut one = |case: &ByPerson| {
                mean((0..case.len()).fold((0.0, 0), |all, _| add(all, &case[below(&mut rng, case.len())])))
            };
            there.iter().map(&mut one).sum::<f64>() / there.len() as f64
        })
        .collect();
    Figure { value, low: Some(stats::quantile(&drawn, 0.025)), high: Some(stats::quantile(&drawn, 0.975)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_drawn_with_all_samples() {
        // Two people of three: 1 and 3 m2, with 10 samples each.
        let case = vec![(10.0, 10), (30.0, 10), (0.0, 0)];
        let of = figure(&[&case], Seed(1));
        assert_eq!(of, Figure { value: Some(2.0), low: Some(1.0), high: Some(3.0) });
        // A case that is sure halves the interval of the mean.
        let sure = vec![(4.0, 1), (4.0, 1)];
        assert_eq!(figure(&[&case, &sure], Seed(1)), Figure { value: Some(3.0), low: Some(2.5), high: Some(3.5) });
        assert_eq!(figure(&[&case, &Vec::new()], Seed(1)), Figure::default());
        assert_eq!(figure(&[&vec![(4.0, 2)]], Seed(1)), Figure { value: Some(2.0), low: None, high: None });
    }

    #[test]
    fn the_interval_of_many_people_is_that_of_a_mean() {
        let people: ByPerson = (0..400).map(|k| (f64::from(k % 2), 1)).collect();
        let Figure { low, high, .. } = figure(&[&people], Seed(3));
        // 1.96 times 0.5 over 20.
        assert!((low.unwrap() - 0.451).abs() < 0.006 && (high.unwrap() - 0.549).abs() < 0.006);
    }

    #[test]
    fn runs_are_added_person_by_person() {
        assert_eq!(together([&vec![(1.0, 1)], &vec![(2.0, 3), (4.0, 1)]]), [(3.0, 4), (4.0, 1)]);
    }
}
