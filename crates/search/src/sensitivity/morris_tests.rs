//! Known answers: a linear function, words, whole numbers, and SALib on the same rows.

use super::*;
use crate::space::Gene;

fn space(axes: Vec<Axis>) -> Space {
    Space { genes: axes.into_iter().map(|axis| Gene { key: String::new(), axis }).collect() }
}

fn real() -> Axis {
    Axis::Real { low: -1.0, high: 3.0, log: false }
}

fn of(space: &Space, trajectories: usize, f: impl Fn(&[f64]) -> f64) -> Vec<Effect> {
    let design = design(space, trajectories, Seed(1));
    let y: Vec<f64> = design.rows.iter().map(|row| f(&space.decode(row))).collect();
    effects(space.len(), &design, &y, Seed(1))
}

#[test]
fn a_linear_function_has_its_slopes_and_no_spread() {
    // 2 x - 3 y over a range of 4 each: 8 and -12.
    let found = of(&space(vec![real(), real(), real()]), 12, |x| 2.0 * x[0] - 3.0 * x[1]);
    for (e, slope) in found.iter().zip([8.0, -12.0, 0.0]) {
        assert!((e.mu_star.value - f64::abs(slope)).abs() < 1e-12 && (e.mu.value - slope).abs() < 1e-12, "{e:?}");
        assert!(e.sigma.value < 1e-12 && e.sigma.high < 1e-12, "{e:?}");
        assert_eq!(e.effects, 12);
    }
}

#[test]
fn curvature_shows_as_spread_and_signs_cancel_in_mu_only() {
    // (x - 1)^2 on [-1, 3] is even about the middle: with levels at -1, 1/3, 5/3, 3 and steps of 8/3 the changes are
    // 4/9 - 4 or the other way round, so each effect is 32/9 / (2/3) = 16/3 in size.
    let found = of(&space(vec![real()]), 40, |x| (x[0] - 1.0) * (x[0] - 1.0));
    assert!((found[0].mu_star.value - 16.0 / 3.0).abs() < 1e-12, "{found:?}");
    assert!(found[0].mu.value.abs() < 2.0 && found[0].sigma.value > 5.0, "{found:?}");
}

#[test]
fn words_and_whole_numbers_move_by_cells() {
    let axes = vec![
        Axis::Choice(vec![0.0, 10.0, 20.0, 30.0, 40.0]),
        Axis::Integer { low: 0, high: 10 },
        Axis::Integer { low: 4, high: 5 },
    ];
    let space = space(axes);
    let design = design(&space, 40, Seed(1));
    let mut words: Vec<f64> = design.rows.iter().map(|row| space.decode(row)[0]).collect();
    words.sort_by(f64::total_cmp);
    words.dedup();
    assert_eq!(words, [0.0, 10.0, 20.0, 30.0, 40.0]);
    assert!(design.rows.iter().all(|row| *row == space.canonical(row)));
    for step in &design.steps {
        let (a, b) = (space.decode(&design.rows[step.from]), space.decode(&design.rows[step.from + 1]));
        let moved: Vec<usize> = (0..3).filter(|&g| a[g] != b[g]).collect();
        assert_eq!(moved, [step.gene]);
    }
    // A slope of 1 over 10 and of 3 over 1.
    let found = of(&space, 8, |x| x[1] + 3.0 * x[2] + if x[0] == 20.0 { 1.0 } else { 0.0 });
    assert!((found[1].mu.value - 10.0).abs() < 1e-12 && (found[2].mu.value - 3.0).abs() < 1e-12, "{found:?}");
    assert!(found[0].mu_star.value > 0.0 && found[0].mu_star.value < 1.0);
}

#[test]
fn levels_are_started_from_equally_often_and_designs_extend() {
    let space = space(vec![real(), real()]);
    let (short, long) = (design(&space, 3, Seed(9)), design(&space, 16, Seed(9)));
    assert_eq!((&short.rows[..], &short.steps[..]), (&long.rows[..9], &long.steps[..6]));
    for gene in 0..2 {
        let starts: Vec<usize> = long.rows.iter().step_by(3).map(|row| (row[gene] * 3.0).round() as usize).collect();
        assert_eq!((0..4).map(|l| starts.iter().filter(|s| **s == l).count()).collect::<Vec<_>>(), [4; 4]);
    }
}

#[test]
fn salib_gives_the_same_from_the_same_rows() {
    // SALib 1.6.0, analyze.morris(num_levels = 4, scaled = False) on these rows of [0, 1]^3 and answers.
    let space = space(vec![Axis::Real { low: 0.0, high: 1.0, log: false }; 3]);
    let found = of(&space, 10, |x| x[0] * x[0] + 3.0 * x[0] * x[1] - 0.5 * x[2]);
    for (e, (mu_star, mu, sigma)) in found.iter().zip([
        (2.4999999999999996, 2.4999999999999996, 1.2886015005270226),
        (2.1, 2.1, 0.7378647873726218),
        (0.5, -0.5, 1.3846913936850747e-16),
    ]) {
        assert!((e.mu_star.value - mu_star).abs() < 1e-9, "{e:?} should have {mu_star}");
        assert!((e.mu.value - mu).abs() < 1e-9 && (e.sigma.value - sigma).abs() < 1e-9, "{e:?}, {mu}, {sigma}");
    }
}

#[test]
fn missing_ends_are_left_out_and_few_effects_tell_nothing() {
    let space = space(vec![real(), real()]);
    let design = design(&space, 6, Seed(1));
    let mut y: Vec<f64> = design.rows.iter().map(|row| row[0]).collect();
    y[0] = f64::NAN;
    let found = effects(2, &design, &y, Seed(1));
    let lost = design.steps[0].gene;
    assert_eq!((found[lost].effects, found[1 - lost].effects), (5, 6));
    y[3..].fill(f64::NAN);
    assert!(effects(2, &design, &y, Seed(1)).iter().all(|e| e.mu_star.value.is_nan()));
}
