//! Known answers: Ishigami's function, the g-function of Sobol', and SALib on the same answers.

use super::*;
use crate::space::{Axis, Gene};
use std::f64::consts::PI;

fn unit(genes: usize) -> Space {
    let gene = |_| Gene { key: String::new(), axis: Axis::Real { low: 0.0, high: 1.0, log: false } };
    Space { genes: (0..genes).map(gene).collect() }
}

/// Ishigami and Homma, ISUMA 1990, with a = 7 and b = 0.1 on [-pi, pi]^3.
fn ishigami(u: &[f64]) -> f64 {
    let x: Vec<f64> = u.iter().map(|u| PI * (2.0 * u - 1.0)).collect();
    let s = libm::sin(x[1]);
    libm::sin(x[0]) + 7.0 * s * s + 0.1 * libm::pow(x[2], 4.0) * libm::sin(x[0])
}

fn answers(f: fn(&[f64]) -> f64, genes: usize, samples: u32, seed: u64) -> Vec<f64> {
    design(&unit(genes), samples, Seed(seed)).iter().map(|row| f(row)).collect()
}

fn near(estimates: &[Estimate], truth: &[f64], tolerance: f64) {
    assert_eq!(estimates.len(), truth.len());
    for (e, t) in estimates.iter().zip(truth) {
        assert!((e.value - t).abs() < tolerance, "{estimates:?} should be {truth:?}");
        assert!(e.low <= e.value && e.value <= e.high, "{e:?}");
    }
}

/// Shares of the variance by the closed forms, e.g. Saltelli et al., Global Sensitivity Analysis: The Primer (2008), section 4.
const FIRST: [f64; 3] = [0.3139, 0.4424, 0.0];
const TOTAL: [f64; 3] = [0.5576, 0.4424, 0.2437];
/// Pairs (1, 2), (1, 3), (2, 3).
const SECOND: [f64; 3] = [0.0, 0.2437, 0.0];

#[test]
fn ishigami_is_taken_apart() {
    let found = indices(3, &answers(ishigami, 3, 1024, 1), Seed(1));
    near(&found.first, &FIRST, 0.015);
    near(&found.total, &TOTAL, 0.015);
    near(&found.second, &SECOND, 0.02);
}

#[test]
fn intervals_hold_the_truth_and_shrink_with_samples() {
    let widths: Vec<f64> = [64, 256, 1024]
        .iter()
        .map(|&n| {
            let found = indices(3, &answers(ishigami, 3, n, 5), Seed(2));
            for (e, t) in found.first.iter().zip(FIRST).chain(found.total.iter().zip(TOTAL)) {
                assert!(e.low - 0.01 <= t && t <= e.high + 0.01, "{n}: {e:?} should hold {t}");
            }
            found.total[0].high - found.total[0].low
        })
        .collect();
    assert!(widths[0] > 1.5 * widths[1] && widths[1] > 1.5 * widths[2], "{widths:?}");
}

#[test]
fn the_g_function_is_taken_apart() {
    // Saltelli and Sobol' 1995: product of (|4 x - 2| + a) / (1 + a) has partial variances 1 / (3 (1 + a)^2).
    const A: [f64; 4] = [0.0, 1.0, 4.5, 9.0];
    let g = |u: &[f64]| u.iter().zip(A).map(|(x, a)| ((4.0 * x - 2.0).abs() + a) / (1.0 + a)).product::<f64>();
    let part = A.map(|a| 1.0 / (3.0 * (1.0 + a) * (1.0 + a)));
    let whole = part.iter().map(|v| 1.0 + v).product::<f64>() - 1.0;
    let first = part.map(|v| v / whole);
    let total = part.map(|v| v * (whole + 1.0) / (1.0 + v) / whole);
    let found = indices(4, &answers(g, 4, 1024, 1), Seed(1));
    near(&found.first, &first, 0.015);
    near(&found.total, &total, 0.015);
    assert!((found.second[0].value - part[0] * part[1] / whole).abs() < 0.02);
}

#[test]
fn salib_gives_the_same_from_the_same_answers() {
    // SALib 1.6.0, analyze.sobol on these 256 x 8 answers, and on them with A and B exchanged; the mean of both.
    let found = indices(3, &answers(ishigami, 3, 256, 7), Seed(1));
    let first = [0.31254762478096015, 0.3949092851872623, 0.025249452283125227];
    let total = [0.5482591602261995, 0.38650797386993613, 0.23857587448853235];
    let second = [0.01398380192250595, 0.21543136062454454, -0.030786424557158357];
    near(&found.first, &first, 1e-9);
    near(&found.total, &total, 1e-9);
    near(&found.second, &second, 1e-9);
}

#[test]
fn missing_answers_are_left_out_pair_by_pair() {
    let mut y = answers(ishigami, 3, 512, 3);
    // Every eighth base point has lost one of its eight rows, each time another one.
    for k in (0..512).step_by(8) {
        y[k * 8 + (k / 8) % 8] = f64::NAN;
    }
    let found = indices(3, &y, Seed(1));
    near(&found.first, &FIRST, 0.06);
    near(&found.total, &TOTAL, 0.06);
    y[8..].fill(f64::NAN);
    assert!(indices(3, &y, Seed(1)).total.iter().all(|e| e.value.is_nan()));
}

#[test]
fn what_does_not_vary_has_no_shares() {
    for constant in [0.0, 0.1, -1e9] {
        let found = indices(2, &answers(|_| 0.0, 2, 16, 1).iter().map(|_| constant).collect::<Vec<_>>(), Seed(1));
        assert!(found.first.iter().chain(&found.total).chain(&found.second).all(|e| e.value.is_nan()), "{found:?}");
    }
    assert!(indices(2, &[], Seed(1)).first[0].value.is_nan());
}

#[test]
fn a_design_can_be_extended_and_choices_are_canonical() {
    let mut space = unit(2);
    space.genes[1].axis = Axis::Choice(vec![3.0, 5.0, 9.0]);
    let (short, long) = (design(&space, 4, Seed(1)), design(&space, 16, Seed(1)));
    assert_eq!(short[..], long[..short.len()]);
    assert_eq!(long.len(), 16 * stride(2));
    assert!(long.iter().all(|row| *row == space.canonical(row)));
    // A, AB1, AB2, BA1, BA2, B: AB1 shares column 2 with A and column 1 with B.
    assert!(long[1][1] == long[0][1] && long[1][0] == long[5][0] && long[3][0] == long[0][0]);
}
