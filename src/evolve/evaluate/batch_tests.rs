use super::super::evaluator::{Job, Runs, Simulator};
use super::*;
use crate::evolve::experiment::{Experiment, no_files};
use crate::registry::Registry;
use crowdtune_core::math::rng::unit;
use proptest::prelude::*;

/// A number of the seed, or none; large genes fail now and then.
fn fake(job: &Job<'_>) -> Result<Vec<Option<f64>>, Error> {
    let x = unit(&mut job.seed.child("fake", job.case as u64).rng()) * job.genes[0];
    if x > 1.0 { Err(Error::nothing(format!("{x} is too much"))) } else { Ok(vec![(x > 0.1).then_some(x)]) }
}

/// Trials of a batch whose runs are done in this order.
fn trials(plan: &Plan<'_>, order: &[usize]) -> Vec<Trial> {
    let simulator = Simulator::new("fake", fake);
    let (runs, mut assembly, mut trials) = (Runs::new(plan, &simulator), Assembly::new(plan, 3), Vec::new());
    for &index in order {
        assembly.put(index, runs.run(index));
        while let Some(trial) = assembly.next() {
            trials.push(trial);
        }
    }
    trials
}

proptest! {
    #[test]
    fn trials_do_not_depend_on_the_order_of_runs(
        genomes in prop::collection::vec(0.0..1.0_f64, 1..6),
        keys in prop::collection::vec(any::<u32>(), 5 * 2 * 3),
    ) {
        let text = r#"
            model = "social_force"
            parameters.relaxation_time_s = { range = [0.1, 2.0] }
            scenario.one = { kind = "room", replicas = 3 }
            scenario.two = { kind = "corridor", replicas = 2 }
            target.speed = { metric = "speed_mean_m_per_s", equals = 1.0, tolerance = 0.1 }
        "#;
        let experiment = Experiment::load(&Registry::builtin(), text, "fake.toml", &[], &mut no_files).unwrap();
        let ask: Vec<_> = genomes
            .into_iter()
            .map(|gene| Question { genome: vec![gene], replicas: 0..3, purpose: Purpose::Search })
            .collect();
        let plan = Plan::new(&experiment, &ask);
        let mut order: Vec<usize> = (0..plan.len()).collect();
        let in_order = trials(&plan, &order);
        prop_assert_eq!(in_order.len(), ask.len());
        order.sort_by_key(|&index| keys[index]);
        prop_assert_eq!(trials(&plan, &order), in_order);
    }
}

#[test]
fn further_replicas_go_on_where_the_case_with_most_of_them_stopped() {
    let text = r#"
        model = "social_force"
        parameters.relaxation_time_s = { range = [0.1, 2.0] }
        scenario.one = { kind = "room", replicas = 3 }
        scenario.two = { kind = "corridor", replicas = 2 }
        scenario.unseen = { kind = "corridor", replicas = 5, held_out = true }
        target.speed = { metric = "speed_mean_m_per_s", equals = 1.0, tolerance = 0.1 }
    "#;
    let experiment = Experiment::load(&Registry::builtin(), text, "fake.toml", &[], &mut no_files).unwrap();
    let runs = |replicas, purpose| {
        let ask = [Question { genome: vec![0.5], replicas, purpose }];
        let plan = Plan::new(&experiment, &ask);
        let of = |case| plan.runs.iter().filter(|r| r.case == case).map(|r| r.replica).collect::<Vec<_>>();
        [of(0), of(1), of(2)]
    };
    assert_eq!(runs(0..3, Purpose::Search), [vec![0, 1, 2], vec![0, 1], vec![]]);
    assert_eq!(runs(3..6, Purpose::Search), [vec![3, 4, 5], vec![3, 4], vec![]]);
    assert_eq!(runs(1..5, Purpose::Search), [vec![1, 2, 3, 4], vec![1, 3, 4], vec![]]);
    assert_eq!(runs(0..4, Purpose::Select), [vec![0, 1, 2, 3], vec![0, 1, 2, 3], vec![]]);
    assert_eq!(runs(0..2, Purpose::Report), [vec![0, 1], vec![0, 1], vec![0, 1]]);
}
