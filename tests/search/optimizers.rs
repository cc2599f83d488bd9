//! What every optimizer owes to the loop, and how much better than random search the genetic algorithm is.

use crowdtune_core::math::rng::{Seed, normal};
use crowdtune_core::math::stats::median;
use crowdtune_core::registry::{Settings, defaults, find};
use crowdtune_search::{
    Axis, Gene, Noise, OPTIMIZERS, Optimizer, Outcome, Purpose, Question, Setup, Space, StopReason, Trial,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn space(axes: Vec<Axis>) -> Space {
    Space { genes: axes.into_iter().enumerate().map(|(i, axis)| Gene { key: format!("x{i}"), axis }).collect() }
}

fn cube(n: usize) -> Space {
    space(vec![Axis::Real { low: 0.0, high: 1.0, log: false }; n])
}

fn born(name: &str, space: &Space, seed: u64, parallel: usize, start: &[Vec<f64>]) -> Box<dyn Optimizer> {
    let entry = find(OPTIMIZERS, name).expect("a registered optimizer");
    let values = defaults(entry.params);
    (entry.make.make)(&Setup {
        space,
        seed: Seed(seed),
        parallel,
        replicas: 3,
        start: start.to_vec(),
        work_s: None,
        noise: Noise::Unknown,
        objectives: 1,
        measures: Vec::new(),
        parts: Vec::new(),
        settings: Settings::new(entry.params, &values),
    })
}

/// What a candidate's values give: violation and loss, or `None` for a failure.
type Answer = Option<(f64, f64)>;

fn trial(id: u64, question: Question, answer: Answer) -> Trial {
    let (violation, objectives, outcome) = match answer {
        Some((violation, loss)) => (violation, vec![loss], Outcome::Done),
        None => (0.0, Vec::new(), Outcome::Failed("fell over".to_owned())),
    };
    Trial { id, question, values: Vec::new(), objectives, violation, measures: Vec::new(), outcome }
}

/// What the best candidate is truly worth after so many evaluations in batches of 16, from a start near a corner.
fn best(name: &str, space: &Space, seed: u64, evaluations: usize, problem: &Problem) -> f64 {
    let mut optimizer = born(name, space, seed, 16, &[vec![0.9; space.len()]]);
    let mut best = ((true, f64::INFINITY, f64::INFINITY), f64::INFINITY);
    let mut done = 0;
    while done < evaluations {
        let questions = optimizer.ask().into_iter().take(evaluations - done);
        let trials: Vec<Trial> = questions
            .zip(done as u64..)
            .map(|(question, id)| {
                let values = space.decode(&question.genome);
                let trial = trial(id, question, (problem.seen)(&values));
                if trial.rank() < best.0 {
                    best = (trial.rank(), (problem.worth)(&values));
                }
                trial
            })
            .collect();
        done += trials.len();
        optimizer.tell(&trials);
    }
    best.1
}

/// A problem: what an evaluation answers, and what a candidate is truly worth.
struct Problem {
    seen: fn(&[f64]) -> Answer,
    worth: fn(&[f64]) -> f64,
}

/// Over 21 seeds: the median of random search, that of the genetic algorithm, and how often the latter is the better one
/// of a seed's pair.
fn duel(space: &Space, evaluations: usize, problem: &Problem) -> (f64, f64, usize) {
    let run = |name: &str| (0..21).map(|seed| best(name, space, seed, evaluations, problem)).collect::<Vec<f64>>();
    let (random, ga) = (run("random"), run("ga"));
    let wins = random.iter().zip(&ga).filter(|(random, ga)| ga < random).count();
    println!("{evaluations}: random {:.3e} ga {:.3e} wins {wins}", median(&random), median(&ga));
    (median(&random), median(&ga), wins)
}

/// Asserts that the median is better by this factor and that most pairs are won.
fn assert_better(space: &Space, evaluations: usize, factor: f64, problem: &Problem) {
    let (random, ga, wins) = duel(space, evaluations, problem);
    assert!(ga * factor <= random, "{evaluations} evaluations in {} genes: {random} by chance, {ga}", space.len());
    assert!(wins >= 16, "{evaluations} evaluations in {} genes: {wins} of 21 pairs won", space.len());
}

/// Where a problem's optimum lies: off the center and off the axes' symmetry.
fn optimum(i: usize) -> f64 {
    [0.31, 0.72, 0.44, 0.83, 0.22, 0.61][i % 6]
}

fn sphere(x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(i, x)| (x - optimum(i)).powi(2)).sum()
}

/// Rosenbrock's valley on [-2, 2]^n.
fn rosenbrock(x: &[f64]) -> f64 {
    let z: Vec<f64> = x.iter().map(|x| 4.0 * x - 2.0).collect();
    z.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum()
}

/// Rastrigin's egg box on [-2.56, 2.56]^n, shifted.
fn rastrigin(x: &[f64]) -> f64 {
    let wave = |(i, x): (usize, &f64)| {
        let z = 5.12 * (x - optimum(i));
        10.0 + z * z - 10.0 * (2.0 * std::f64::consts::PI * z).cos()
    };
    x.iter().enumerate().map(wave).sum()
}

/// Noise that belongs to the candidate, as with common random numbers: a rough landscape of this height.
fn rough(x: &[f64], height: f64) -> f64 {
    let seed = x.iter().fold(Seed(5), |seed, x| seed.child("x", x.to_bits()));
    height * normal(&mut seed.rng())
}

/// A crowd objective in small: bands that are free inside and linear outside, a must, a part that always fails, and
/// measurements that are rough.
fn crowd(x: &[f64]) -> Answer {
    if x[0] > 0.95 {
        return None;
    }
    let flow = 1.9 - 2.0 * (x[0] - 0.3).abs() - 0.8 * (x[1] - x[0]).powi(2) + rough(x, 0.03);
    let overlap = 0.02 + 0.2 * (x[1] - 0.35).max(0.0) + 0.1 * (0.6 - x[2]).max(0.0);
    let time = 60.0 + 80.0 * (x[2] - 0.7).powi(2) + 40.0 * (x[3] - x[0]).abs() + rough(&x[1..], 0.5);
    let outside = |value: f64, target: f64, half: f64| (((value - target).abs() - half) / half).max(0.0);
    Some(((overlap - 0.03).max(0.0) / 0.03, outside(flow, 1.85, 0.02) + outside(time, 60.0, 0.5)))
}

#[test]
fn ga_beats_random_on_smooth_problems() {
    let smooth = Problem { seen: |x| Some((0.0, sphere(x))), worth: sphere };
    for (genes, evaluations, factor) in [(2, 150, 5.0), (2, 300, 100.0), (4, 200, 10.0), (6, 150, 3.0), (6, 300, 20.0)]
    {
        assert_better(&cube(genes), evaluations, factor, &smooth);
    }
}

#[test]
fn ga_beats_random_in_a_bent_valley() {
    let valley = Problem { seen: |x| Some((0.0, rosenbrock(x))), worth: rosenbrock };
    for (genes, evaluations, factor) in [(2, 200, 1.5), (2, 300, 3.0), (3, 300, 2.0), (5, 300, 3.0)] {
        assert_better(&cube(genes), evaluations, factor, &valley);
    }
}

#[test]
fn ga_beats_random_among_many_optima() {
    let rugged = Problem { seen: |x| Some((0.0, rastrigin(x))), worth: rastrigin };
    for (genes, evaluations, factor) in [(2, 200, 2.0), (2, 300, 5.0), (4, 300, 2.0), (6, 300, 2.0)] {
        assert_better(&cube(genes), evaluations, factor, &rugged);
    }
}

#[test]
fn ga_beats_random_under_noise() {
    let noisy = Problem { seen: |x| Some((0.0, sphere(x) + rough(x, 0.02))), worth: sphere };
    for (genes, evaluations, factor) in [(3, 200, 2.0), (6, 200, 3.0), (6, 300, 3.0)] {
        assert_better(&cube(genes), evaluations, factor, &noisy);
    }
}

#[test]
fn ga_beats_random_on_bands_with_a_must() {
    // A missed must counts more than any loss.
    let worth = |x: &[f64]| crowd(x).map_or(f64::INFINITY, |(violation, loss)| 1e3 * violation + loss);
    for (evaluations, factor) in [(150, 5.0), (300, 10.0)] {
        assert_better(&cube(4), evaluations, factor, &Problem { seen: crowd, worth });
    }
}

#[test]
fn ga_beats_random_on_mixed_genes() {
    fn worth(x: &[f64]) -> f64 {
        // The order of the words says nothing, and the first one suits only a bad place.
        let word = [3.0, 1.0, 0.0, 2.0][x[2] as usize];
        sphere(&x[..2]) + 0.02 * word * (1.0 + x[0]) + ((x[3] - 14.0) / 20.0).powi(2)
    }
    let real = Axis::Real { low: 0.0, high: 1.0, log: false };
    let words = Axis::Choice(vec![0.0, 1.0, 2.0, 3.0]);
    let mixed = space(vec![real.clone(), real, words, Axis::Integer { low: 1, high: 30 }]);
    for (evaluations, factor) in [(150, 4.0), (300, 20.0)] {
        assert_better(&mixed, evaluations, factor, &Problem { seen: |x| Some((0.0, worth(x))), worth });
    }
}

#[test]
fn ga_beats_random_on_stairs() {
    // Plateaus of width 0.1 around the optimum; a wide one without any slope far away.
    fn worth(x: &[f64]) -> f64 {
        (10.0 * sphere(x).sqrt()).floor().min(6.0)
    }
    assert_better(&cube(5), 300, 2.0, &Problem { seen: |x| Some((0.0, worth(x))), worth });
}

#[test]
fn start_points_come_first_and_once() {
    let space = space(vec![Axis::Integer { low: 0, high: 9 }, Axis::Real { low: 0.0, high: 1.0, log: false }]);
    let start = [vec![0.55, 0.5], vec![0.51, 0.5], vec![0.05, 1.0]];
    for entry in OPTIMIZERS {
        let questions = born(entry.name, &space, 1, 16, &start).ask();
        assert_eq!(questions.len(), 16, "{}", entry.name);
        // The first two are the same candidate.
        assert_eq!(questions[0].genome, [0.55, 0.5], "{}", entry.name);
        assert_eq!(questions[1].genome, [0.05, 1.0], "{}", entry.name);
        assert_ne!(questions[2].genome, [0.05, 1.0], "{}", entry.name);
    }
}

#[test]
fn a_finite_space_is_asked_to_its_end() {
    let space = space(vec![Axis::Integer { low: 1, high: 6 }, Axis::Choice(vec![0.0, 1.0, 2.0, 4.0, 8.0])]);
    for entry in OPTIMIZERS {
        let mut optimizer = born(entry.name, &space, 2, 7, &[]);
        let mut seen = BTreeSet::new();
        while optimizer.stop().is_none() {
            let questions = optimizer.ask();
            assert!(!questions.is_empty(), "{}", entry.name);
            seen.extend(questions.iter().map(|q| bits(&q.genome)));
            let trials: Vec<Trial> = questions.into_iter().map(|q| trial(0, q, Some((0.0, 1.0)))).collect();
            optimizer.tell(&trials);
        }
        assert_eq!(seen.len(), 30, "{}", entry.name);
        assert_eq!(optimizer.stop(), Some(StopReason::Exhausted), "{}", entry.name);
        assert!(optimizer.ask().is_empty(), "{}", entry.name);
    }
}

#[test]
fn an_empty_space_has_one_candidate() {
    for entry in OPTIMIZERS {
        let mut optimizer = born(entry.name, &Space::default(), 3, 16, &[Vec::new()]);
        assert_eq!(optimizer.ask().len(), 1, "{}", entry.name);
        assert_eq!(optimizer.stop(), Some(StopReason::Exhausted), "{}", entry.name);
    }
}

#[test]
fn failed_equal_and_huge_answers_do_not_end_a_search() {
    let answers: [fn(u64) -> Answer; 4] = [
        |_| None,
        |_| Some((0.0, 0.0)),
        |id| Some((f64::MAX, if id % 2 == 0 { f64::MAX } else { -f64::MAX })),
        |id| (id % 7 == 0).then_some((0.0, 1.0)),
    ];
    for entry in OPTIMIZERS {
        for answer in answers {
            let mut optimizer = born(entry.name, &cube(3), 4, 16, &[]);
            let mut seen = BTreeSet::new();
            let (mut count, mut batches) = (0, 0);
            while count < length(entry.name, 960) {
                let questions = optimizer.ask();
                seen.extend(questions.iter().map(|q| bits(&q.genome)));
                let trials = questions.into_iter().zip(count..).map(|(q, id)| trial(id, q, answer(id)));
                let trials: Vec<Trial> = trials.collect();
                assert!(!trials.is_empty(), "{}", entry.name);
                (count, batches) = (count + trials.len() as u64, batches + 1);
                optimizer.tell(&trials);
            }
            // Most of the threads have work most of the time.
            assert!(batches <= 120, "{}: {batches} batches", entry.name);
            assert_eq!((seen.len() as u64, optimizer.stop()), (count, None), "{}", entry.name);
        }
    }
}

/// How long a search is that shows what one of so many evaluations shows: a Gaussian process thinks longer with every candidate.
fn length(optimizer: &str, evaluations: u64) -> u64 {
    match optimizer {
        "gp" => evaluations / 15,
        "auto" => evaluations / 8,
        _ => evaluations,
    }
}

fn bits(genome: &[f64]) -> Vec<u64> {
    genome.iter().map(|u| u.to_bits()).collect()
}

fn any_axis() -> impl Strategy<Value = Axis> {
    prop_oneof![
        (-1e3..1e3_f64, 1e-3..1e3_f64).prop_map(|(low, span)| Axis::Real { low, high: low + span, log: false }),
        (1e-3..1e3_f64, 1.1..1e3_f64).prop_map(|(low, factor)| Axis::Real { low, high: low * factor, log: true }),
        (-50_i64..50, 0_i64..20).prop_map(|(low, span)| Axis::Integer { low, high: low + span }),
        (1_usize..6).prop_map(|n| Axis::Choice((0..n).map(|i| i as f64).collect())),
    ]
}

fn any_answer() -> impl Strategy<Value = Answer> {
    let number = || prop_oneof![Just(0.0), Just(1.0), 0.0..1.0_f64, Just(f64::MAX), 0.0..f64::MAX];
    let loss = prop_oneof![number(), number().prop_map(|x| -x)];
    prop_oneof![1 => Just(None), 3 => (number(), loss).prop_map(Some), 2 => Just(Some((0.0, 0.0)))]
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn optimizers_take_any_answer(
        axes in prop::collection::vec(any_axis(), 0..5),
        answers in prop::collection::vec(any_answer(), 1..40),
        seed in 0..1000_u64,
        parallel in 1_usize..40,
        start in prop::collection::vec(prop::collection::vec(0.0..=1.0_f64, 0..5), 0..3),
    ) {
        let space = space(axes);
        for entry in OPTIMIZERS {
            let mut optimizer = born(entry.name, &space, seed, parallel, &start);
            let mut twin = born(entry.name, &space, seed, parallel, &start);
            let mut seen = BTreeSet::new();
            let mut id = 0;
            while id < length(entry.name, 400) && optimizer.stop().is_none() {
                let questions = optimizer.ask();
                prop_assert_eq!(&questions, &twin.ask());
                prop_assert!(questions.len() <= parallel);
                prop_assert!(!questions.is_empty() || optimizer.stop().is_some());
                for q in &questions {
                    prop_assert_eq!(q.genome.len(), space.len());
                    prop_assert!(q.genome.iter().all(|u| (0.0..=1.0).contains(u)));
                    prop_assert_eq!(bits(&q.genome), bits(&space.canonical(&q.genome)));
                    prop_assert!(seen.insert(bits(&space.decode(&q.genome))));
                    prop_assert_eq!((q.replicas.clone(), q.purpose), (0..3, Purpose::Search));
                }
                let trials: Vec<Trial> = questions
                    .into_iter()
                    .zip(id..)
                    .map(|(q, id)| trial(id, q, answers[id as usize % answers.len()]))
                    .collect();
                id += trials.len() as u64;
                optimizer.tell(&trials);
                twin.tell(&trials);
            }
        }
    }
}
