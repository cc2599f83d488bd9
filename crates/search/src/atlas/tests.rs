//! The whole optimizer: determinism, repeats, and answers of any size.

use super::grid::{Elite, Grid, Offer};
use crate::space::{Axis, Gene, Space};
use crate::{Measure, Optimizer, Outcome, Question, Setup, Trial};
use crowdtune_core::math::rng::{Seed, normal};
use crowdtune_core::registry::{Settings, defaults};
use proptest::prelude::*;

const AXES: [Measure; 2] = [Measure { low: 0.0, high: 1.0, cells: 10 }, Measure { low: -1.0, high: 1.0, cells: 4 }];

fn trial(id: u64, genome: Vec<f64>, loss: f64, measures: [f64; 2]) -> Trial {
    Trial { measures: measures.to_vec(), ..Trial::of_search(id, genome, loss) }
}

fn elite(id: u64, violation: f64, loss: f64, measures: [f64; 2]) -> Elite {
    Elite { violation, ..Elite::of(&trial(id, vec![0.5], loss, measures), 2).expect("a sound trial") }
}

fn cube(n: usize) -> Space {
    let gene = |i| Gene { key: format!("x{i}"), axis: Axis::Real { low: 0.0, high: 1.0, log: false } };
    Space { genes: (0..n).map(gene).collect() }
}

fn born(space: &Space, seed: u64, parallel: usize, replicas: u32) -> Box<dyn Optimizer> {
    let values = defaults(super::ENTRY.params);
    let settings = Settings::new(super::ENTRY.params, &values);
    let (seed, measures) = (Seed(seed), AXES.to_vec());
    (super::ENTRY.make.make)(&Setup { seed, parallel, replicas, measures, ..Setup::new(space, settings) })
}

/// Asks `evaluations` questions; `answer` gives loss and measures, or `None` for a failure.
fn search(
    optimizer: &mut dyn Optimizer,
    evaluations: usize,
    mut answer: impl FnMut(&Question) -> Option<(f64, [f64; 2])>,
) -> Vec<Trial> {
    let mut log = Vec::new();
    while log.len() < evaluations && optimizer.stop().is_none() {
        let first = log.len();
        for question in optimizer.ask() {
            let found = answer(&question);
            let mut trial = trial(log.len() as u64, question.genome.clone(), 0.0, [0.0; 2]);
            trial.question = question;
            match found {
                Some((loss, measures)) => {
                    (trial.objectives, trial.measures) = (vec![loss], measures.to_vec());
                }
                None => {
                    (trial.objectives, trial.measures) = (Vec::new(), Vec::new());
                    trial.outcome = Outcome::Failed("fell over".to_owned());
                }
            }
            log.push(trial);
        }
        optimizer.tell(&log[first..]);
    }
    log
}

fn bowl(x: &[f64]) -> (f64, [f64; 2]) {
    (x.iter().map(|x| (x - 0.4) * (x - 0.4)).sum(), [x[0], 2.0 * x[1] - 1.0])
}

#[test]
fn cells_at_the_edges() {
    let grid = Grid::new(&AXES, 1);
    // Ten times four cells; an inner border belongs to the upper cell, the upper end and beyond to the last.
    for (measures, index) in [
        ([0.0, -1.0], 0),
        ([-7.0, -1.5], 0),
        ([0.05, -0.5], 1),
        ([0.5, 0.0], 22),
        ([0.999, 0.999], 39),
        ([1.0, 1.0], 39),
        ([f64::MAX, f64::MAX], 39),
        ([-f64::MAX, f64::MAX], 3),
    ] {
        assert_eq!(grid.index(&measures), index, "{measures:?}");
    }
    assert_eq!(grid.coordinates(22), [5, 2]);
    assert_eq!(grid.coordinates(39), [9, 3]);
    assert_eq!(grid.size(), 40.0);
}

#[test]
fn better_candidates_take_the_cell() {
    let mut grid = Grid::new(&AXES, 2);
    assert_eq!(grid.offer(elite(0, 1.0, -5.0, [0.1, 0.1])), Offer::Filled);
    assert_eq!(grid.offer(elite(1, 0.0, 9.0, [0.1, 0.1])), Offer::Improved(1.0, -5.0));
    assert_eq!(grid.offer(elite(2, 0.0, 9.0, [0.1, 0.1])), Offer::Behind);
    assert_eq!(grid.offer(elite(3, 0.0, 8.0, [0.1, 0.1])), Offer::Improved(0.0, 9.0));
    assert_eq!(grid.offer(elite(4, 0.0, 7.0, [0.2, 0.1])), Offer::Filled);
    assert_eq!(grid.len(), 2);
    assert_eq!(grid.coverage(), 0.05);
    // Losses 8 and 7 against a bad one of 10.
    assert_eq!(grid.qd_score(10.0), 5.0);
    assert_eq!(grid.qd_score(7.5), 0.5);
    // The second of the cell follows when the first leaves it.
    let cell = grid.index(&[0.1, 0.1]);
    assert_eq!(grid.take(cell, 3).map(|e| e.loss), Some(8.0));
    assert_eq!(grid.best(cell).map(|e| e.id), Some(1));
    assert_eq!(grid.take(cell, 3), None);
    assert!(grid.take(cell, 1).is_some());
    assert_eq!((grid.len(), grid.best(cell)), (1, None));
    assert_eq!(grid.elites().map(|(_, e)| e.id).collect::<Vec<_>>(), [4]);
}

#[test]
fn an_archive_is_rebuilt_from_trials() {
    // The lucky one is averaged with its repeat, and moves to where its mean lies; one that failed once is gone.
    let mut trials = vec![
        trial(0, vec![0.1], 1.0, [0.0, -1.0]),
        trial(1, vec![0.2], 2.0, [0.0, -1.0]),
        trial(2, vec![0.1], 5.0, [0.3, -1.0]),
        trial(3, vec![0.3], 0.0, [0.9, 0.9]),
        trial(4, vec![0.3], 0.0, [0.9, 0.9]),
    ];
    trials[4].outcome = Outcome::Failed("fell over".to_owned());
    trials[4].objectives.clear();
    let grid = Grid::from_trials(&AXES, &trials);
    let found: Vec<_> = grid.elites().map(|(cell, e)| (cell, e.id, e.loss, e.replicas)).collect();
    assert_eq!(found, [(0, 1, 2.0, 1), (4, 0, 3.0, 2)]);
}

#[test]
fn nearest_in_units_of_the_ranges() {
    let mut grid = Grid::new(&AXES, 1);
    grid.offer(elite(0, 0.0, 1.0, [0.5, -1.0]));
    grid.offer(elite(1, 0.0, 1.0, [0.9, 0.0]));
    grid.offer(elite(2, 0.0, 0.5, [0.1, 0.0]));
    let id = |wanted: &[Option<f64>]| grid.nearest(wanted).map(|(_, e)| e.id);
    // From (0.6, 0): 0.1 and half a range away, 0.3 away, 0.5 away.
    assert_eq!(id(&[Some(0.6), Some(0.0)]), Some(1));
    assert_eq!(id(&[Some(0.6), None]), Some(0));
    // Two are equally near: the better one.
    assert_eq!(id(&[Some(0.5), Some(0.0)]), Some(2));
    assert_eq!(Grid::new(&AXES, 1).nearest(&[None, None]), None);
}

#[test]
fn equal_repeats_end_the_probing() {
    let mut optimizer = born(&cube(3), 1, 4, 2);
    let log = search(&mut *optimizer, 2000, |q| Some(bowl(&q.genome)));
    let again: Vec<_> = log.iter().filter(|t| t.question.replicas.start > 0).map(|t| &t.question.replicas).collect();
    // Four probes; whoever is probed twice is asked further replicas.
    assert_eq!(again.len(), 4, "{again:?}");
    let grid = Grid::from_trials(&AXES, &log);
    assert_eq!(grid.coverage(), 1.0);
    // The third gene, which moves no measure, has come near its best: chance leaves 0.26 in the mean.
    let off = grid.elites().map(|(_, e)| (e.genome[2] - 0.4).abs()).sum::<f64>() / 40.0;
    assert!(off < 0.05, "{off}");
}

#[test]
fn lucky_candidates_do_not_stay() {
    let mut rng = Seed(7).rng();
    let mut optimizer = born(&cube(3), 1, 4, 1);
    let log = search(&mut *optimizer, 3000, |q| {
        let (loss, measures) = bowl(&q.genome);
        Some((loss + 0.3 * normal(&mut rng), measures))
    });
    let elites = optimizer.recommend();
    assert_eq!(elites.len(), 40);
    for genome in elites {
        let asked = log.iter().filter(|t| t.question.genome == genome).count();
        assert!(asked >= 4, "{asked}");
    }
    // At most every second question asks again.
    assert!(log.iter().filter(|t| t.question.replicas.start > 0).count() <= 1500);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_answers_and_the_same_questions(
        answers in prop::collection::vec(
            prop_oneof![
                Just(None),
                Just(Some((0.0, [0.0, 0.0]))),
                (-1e300..1e300_f64, -1e300..1e300_f64, -2.0..2.0_f64).prop_map(|(f, a, b)| Some((f, [a, b]))),
                Just(Some((f64::MAX, [f64::MAX, -f64::MAX]))),
                Just(Some((-f64::MAX, [0.3, 0.3]))),
                (0.0..1.0_f64, 0.0..1.0_f64, -1.0..1.0_f64).prop_map(|(f, a, b)| Some((f, [a, b]))),
            ],
            1..40,
        ),
        seed in 0..1000_u64,
        parallel in 1_usize..20,
        genes in 1_usize..5,
        choice in 0_i64..4,
    ) {
        let mut space = cube(genes);
        space.genes.push(Gene { key: "c".to_owned(), axis: Axis::Choice((0..=choice).map(|c| c as f64).collect()) });
        space.genes.push(Gene { key: "i".to_owned(), axis: Axis::Integer { low: -2, high: choice } });
        let run = || {
            let mut at = 0;
            search(&mut *born(&space, seed, parallel, 2), 300, |_| {
                at += 1;
                answers[at % answers.len()]
            })
        };
        let log = run();
        prop_assert_eq!(&log, &run());
        for trial in &log {
            let genome = &trial.question.genome;
            prop_assert_eq!(&space.canonical(genome), genome);
            prop_assert!(genome.iter().all(|u| (0.0..=1.0).contains(u)));
            prop_assert_eq!(trial.question.replicas.len(), 2);
        }
        let grid = Grid::from_trials(&AXES, &log);
        prop_assert!(grid.coverage() <= 1.0);
        prop_assert!(grid.elites().all(|(cell, e)| grid.index(&e.measures) == cell));
    }
}
