use super::super::batch::Plan;
use super::super::evaluator::{Runs, Simulator};
use super::*;
use crate::evolve::experiment::{Experiment, no_files};
use crate::registry::Registry;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_search::{Purpose, Question};
use proptest::prelude::*;

/// When the last of the threads ends if they take runs of these costs in this order.
fn end(costs: &[f64], order: &[usize], threads: usize) -> f64 {
    let mut free = vec![0.0_f64; threads];
    for &run in order {
        let first = free.iter_mut().min_by(|a, b| a.total_cmp(b)).unwrap();
        *first += costs[run];
    }
    free.into_iter().fold(0.0, f64::max)
}

#[test]
fn only_the_last_runs_are_taken_longest_first() {
    // Two threads: the last four fives and what lies between them, 2 x 2 x 5 = 20 = 5 + 1 + 1 + 1 + 5 + 1 + 1 + 5.
    let costs = [1.0, 5.0, 1.0, 5.0, 1.0, 1.0, 1.0, 5.0, 1.0, 1.0, 5.0];
    assert_eq!(order(&costs, 2), [0, 1, 2, 3, 7, 10, 4, 5, 6, 8, 9]);
    assert_eq!(order(&[3.0; 7], 2), [0, 1, 2, 3, 4, 5, 6], "equal ones as they come");
    assert_eq!(order(&[1.0, 2.0, 3.0], 8), [2, 1, 0], "a small batch is all tail");
    assert_eq!(order(&[], 4), [0; 0]);
    // One after the other a long last run has a thread for itself: 1 + 1 + 6 against 6.
    let costs = [1.0, 1.0, 1.0, 1.0, 6.0];
    assert_eq!(end(&costs, &[0, 1, 2, 3, 4], 2), 8.0);
    assert_eq!(end(&costs, &order(&costs, 2), 2), 6.0);
}

#[test]
fn what_is_not_known_yet_is_scaled_by_what_is() {
    let text = r#"
        model = "social_force"
        scenario.large = { kind = "room", count = 40, limit_s = 10.0 }
        scenario.small = { kind = "room", count = 10, limit_s = 20.0 }
        measure.left = { metric = "people_left" }
    "#;
    let costs = Costs::new(&Experiment::load(&Registry::builtin(), text, "costs.toml", &[], &mut no_files).unwrap());
    assert_eq!(costs.expected(), [40_000.0, 20_000.0], "steps of 10 ms");
    costs.note(0, 8_000);
    costs.note(0, 12_000);
    costs.note(1, 0);
    assert_eq!(costs.expected(), [10_000.0, 5_000.0]);
    costs.note(1, 7_000);
    assert_eq!(costs.expected(), [10_000.0, 7_000.0]);
}

proptest! {
    #[test]
    fn threads_end_together(costs in prop::collection::vec(0.1..10.0_f64, 1..200), threads in 1usize..9) {
        let order = order(&costs, threads);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        prop_assert_eq!(sorted, (0..costs.len()).collect::<Vec<_>>());
        // Graham's bound of lists that are longest first at the end: 4/3 of the best, which is no less than these two.
        let longest = costs.iter().fold(0.0_f64, |a, &c| a.max(c));
        let best = longest.max(costs.iter().sum::<f64>() / threads as f64);
        prop_assert!(end(&costs, &order, threads) <= best * (4.0 / 3.0) + longest * 0.5);
    }
}

/// Work of all runs of a batch of random candidates, by run, and their cases; 1 for who failed at once.
fn work(experiment: &Experiment, seed: u64, purpose: Purpose, questions: usize) -> (Vec<usize>, Vec<f64>) {
    let mut rng = Seed(seed).rng();
    let ask: Vec<_> = (0..questions)
        .map(|_| {
            let genome = experiment.space.genes.iter().map(|_| unit(&mut rng)).collect();
            Question { genome, replicas: 0..3, purpose }
        })
        .collect();
    let simulator = Simulator::of(experiment);
    let plan = Plan::new(experiment, &ask);
    let runs = Runs::new(&plan, &simulator);
    (0..plan.len()).map(|index| (plan.case(index), runs.run(index).work().max(1) as f64)).unzip()
}

#[test]
#[ignore = "prints how busy threads are"]
fn busy_threads() {
    for file in ["bottleneck", "evacuation"] {
        let text = std::fs::read_to_string(format!("{}/configs/{file}.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let experiment = Experiment::load(&Registry::builtin(), &text, file, &[], &mut no_files).unwrap();
        let costs = Costs::new(&experiment);
        for (name, purpose, questions) in [("search", Purpose::Search, 16), ("report", Purpose::Report, 2)] {
            // The first batch is the past that the second one knows.
            let (cases, past) = work(&experiment, 1, purpose, questions);
            cases.into_iter().zip(past).for_each(|(case, work)| costs.note(case, work as u64));
            let expected = costs.expected();
            let (cases, took) = work(&experiment, 2, purpose, questions);
            let guess: Vec<f64> = cases.into_iter().map(|case| expected[case]).collect();
            for threads in [2, 4, 8, 16, 32] {
                let in_order: Vec<usize> = (0..took.len()).collect();
                let busy =
                    |order: &[usize]| 100.0 * took.iter().sum::<f64>() / threads as f64 / end(&took, order, threads);
                println!(
                    "{file} {name}, {} runs, {threads} threads: busy {:.1} % in order, {:.1} % longest first at the end, {:.1} % if costs were known",
                    took.len(),
                    busy(&in_order),
                    busy(&order(&guess, threads)),
                    busy(&order(&took, threads)),
                );
            }
        }
    }
}
