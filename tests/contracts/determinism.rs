//! The same experiment gives the same bytes for any number of threads.

use crowdtune::evolve::evaluate::{Evaluate, Job, Measured, Pool, Serial};
use crowdtune::evolve::log::{self, MemoryLog};
use crowdtune::evolve::run::{Silent, evolve};
use crowdtune_core::Error;
use crowdtune_search::{Outcome, Purpose, Question};
use crowdtune_testing::fake::{ENGINE, bowl, experiment, registered};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// The bowl, but it panics now and then.
fn touchy(job: &Job<'_>) -> Result<Measured, Error> {
    assert!(job.genes[0] < 900.0 || !job.seed.0.is_multiple_of(5), "a fake panic");
    bowl(job)
}

#[test]
fn one_two_and_eight_threads_write_the_same_bytes() {
    let mut experiment = experiment(registered("ga"), 40);
    experiment.search.profile_share = 0.8;
    let cancel = AtomicBool::new(false);
    let run = |evaluator: &dyn Evaluate| {
        let mut journal = MemoryLog::default();
        evolve(&experiment, evaluator, &mut journal, &mut Silent, &cancel).unwrap();
        journal.0
    };
    let serial = run(&Serial::new(&experiment, &cancel).with("touchy", touchy));
    for threads in [1, 2, 8] {
        let pool = Pool::new(&experiment, threads, &cancel).unwrap().with("touchy", touchy);
        assert!(run(&pool) == serial, "another log with {threads} threads");
    }
    let trials = log::parse(&serial, "log").unwrap().trials;
    let failed = |word| trials.iter().filter_map(log::failure).any(|reason| reason.contains(word));
    assert!(trials.iter().any(|t| t.question.purpose == Purpose::Profile), "and profiles");
    assert!(failed("panic: a fake panic") && failed("a speed of"), "the comparison covers failures");
}

#[test]
fn a_closure_that_holds_something_stands_in_place_of_the_simulator() {
    let experiment = experiment(registered("ga"), 12);
    let cancel = AtomicBool::new(false);
    let jobs = Mutex::new(Vec::new());
    let pool = Pool::new(&experiment, 2, &cancel).unwrap().with(ENGINE, |job| {
        jobs.lock().unwrap().push(job.case);
        bowl(job)
    });
    let mut log = MemoryLog::default();
    evolve(&experiment, &pool, &mut log, &mut Silent, &cancel).unwrap();
    drop(pool);
    let plain = Serial::new(&experiment, &cancel).with(ENGINE, bowl);
    let mut same = MemoryLog::default();
    evolve(&experiment, &plain, &mut same, &mut Silent, &cancel).unwrap();
    assert!(log == same, "whoever does the jobs, the log is theirs alone");
    let jobs = jobs.into_inner().unwrap();
    assert!((0..3).all(|case| jobs.contains(&case)) && jobs.len() >= 12 * 5, "{jobs:?}");
}

#[test]
fn cases_take_part_as_their_purpose_says() {
    let experiment = experiment(registered("random"), 8);
    let cancel = AtomicBool::new(false);
    let genome = experiment.space.encode(&[300.0, 0.3]);
    let ask: Vec<_> = [Purpose::Search, Purpose::Select, Purpose::Report, Purpose::Baseline, Purpose::Profile]
        .map(|purpose| Question { genome: genome.clone(), replicas: 0..3, purpose })
        .to_vec();
    let mut trials = Vec::new();
    let serial = Serial::new(&experiment, &cancel).with(ENGINE, bowl);
    serial
        .evaluate(&ask, 5, &mut |t| {
            trials.push(t);
            Ok(())
        })
        .unwrap();
    assert_eq!(trials.iter().map(|t| t.id).collect::<Vec<_>>(), [5, 6, 7, 8, 9]);
    let runs = |i: usize| trials[i].values.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(runs(0), [3, 0, 2], "the room has two replicas in the search, the held-out width none");
    assert_eq!(runs(1), [3, 0, 3]);
    assert_eq!(runs(2), [3, 3, 3]);
    assert_eq!(trials[2].values, trials[3].values, "the baseline shares the seeds of the report");
    assert_eq!(runs(4), [3, 0, 3]);
    let noise = |i: usize, case: usize| trials[i].values[case][0][1];
    assert_eq!(noise(2, 0), noise(2, 1), "each values of one table share their seeds");
    assert_ne!(noise(2, 0), noise(2, 2));
    assert_ne!(trials[0].values[0], trials[1].values[0]);
    for earlier in &trials[..4] {
        assert_ne!(earlier.values[0], trials[4].values[0], "profiles have seeds of their own");
    }
    assert_ne!(trials[1].values[0], trials[2].values[0]);
}

#[test]
fn a_panic_and_an_unhealthy_run_fail_the_trial_only() {
    let experiment = experiment(registered("random"), 8);
    let cancel = AtomicBool::new(false);
    let pool =
        Pool::new(&experiment, 4, &cancel).unwrap().with(ENGINE, |job| match (job.case, job.genes[0] > 1000.0) {
            (0, _) => Ok(vec![Some(1.0), None]),
            (_, true) => panic!("division by {}", 0),
            _ => Err(Error::nothing("too fast")),
        });
    let ask = [4000.0, 100.0].map(|a| Question {
        genome: experiment.space.encode(&[a, 0.3]),
        replicas: 0..2,
        purpose: Purpose::Search,
    });
    let mut outcomes = Vec::new();
    pool.evaluate(&ask, 0, &mut |t| {
        assert_eq!(t.values[0], vec![vec![Some(1.0), None]; 2]);
        assert_eq!(t.values[2], vec![Vec::<Option<f64>>::new(); 2]);
        outcomes.push(t.outcome);
        Ok(())
    })
    .unwrap();
    let failed = |reason: &str| Outcome::Failed(reason.to_string());
    assert_eq!(outcomes, [failed("room, replica 0: panic: division by 0"), failed("room, replica 0: too fast")]);
}

#[test]
fn a_question_without_any_run_is_a_failed_trial() {
    let mut experiment = experiment(registered("random"), 8);
    experiment.cases.iter_mut().for_each(|case| case.held_out = true);
    let cancel = AtomicBool::new(false);
    let ask = [Question { genome: vec![0.5, 0.5], replicas: 0..2, purpose: Purpose::Search }];
    let pool = Pool::new(&experiment, 2, &cancel).unwrap().with(ENGINE, bowl);
    let serial = Serial::new(&experiment, &cancel).with(ENGINE, bowl);
    for evaluator in [&pool as &dyn Evaluate, &serial] {
        let mut reasons = Vec::new();
        evaluator
            .evaluate(&ask, 0, &mut |t| {
                reasons.push(log::failure(&t).map(str::to_string));
                Ok(())
            })
            .unwrap();
        assert_eq!(reasons, [Some("target `time` (fake): no scenario of the search gives it".to_string())]);
    }
}
