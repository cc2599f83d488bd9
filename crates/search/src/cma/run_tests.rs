use super::*;
use crate::space::{Axis, Gene, Space};

fn coding(n: usize) -> Coding {
    let gene = |_| Gene { key: String::new(), axis: Axis::Real { low: 0.0, high: 1.0, log: false } };
    Coding::new(&Space { genes: (0..n).map(gene).collect() })
}

fn start(n: usize) -> Start {
    let mean = Point { x: vec![0.5; n], words: Vec::new() };
    Start { mean, given: false, shape: None, sigma: 0.2, lambda: 8, seed: Seed(1) }
}

/// A turned ellipsoid of condition 10^4 with its least value 0 at (0.3, 0.3, ...).
fn ellipsoid(x: &[f64]) -> f64 {
    let middle = x.iter().sum::<f64>() / x.len() as f64;
    let weight = |i: usize| 10.0_f64.powi(i as i32);
    x.iter().enumerate().map(|(i, x)| weight(i) * (x - 0.5 * middle - 0.15).powi(2)).sum()
}

/// Evaluations until the loss is below 1e-9.
fn solved(run: &mut CmaRun) -> usize {
    (1..5000)
        .find(|_| {
            let genome = run.ask(&mut |_| Lookup::New).expect("not at its end");
            let loss = ellipsoid(&genome);
            run.tell(Some((0.0, loss)));
            loss < 1e-9
        })
        .expect("solved")
}

#[test]
fn the_surrogate_spares_most_evaluations() {
    let plain = solved(&mut CmaRun::new(&coding(5), &start(5), false));
    let helped = solved(&mut CmaRun::new(&coding(5), &start(5), true));
    assert!(plain > 300 && helped < 100, "{plain} {helped}");
}

#[test]
fn evaluations_of_others_are_learned_from() {
    let mut run = CmaRun::new(&coding(3), &start(3), true);
    let mut rng = Seed(2).rng();
    for _ in 0..40 {
        let x: Vec<f64> = (0..3).map(|_| crowdtune_core::math::rng::unit(&mut rng)).collect();
        run.note(&x, (0.0, ellipsoid(&x)));
    }
    let least = run.minimum().unwrap();
    assert!(ellipsoid(&least) < 1e-9, "{least:?}");
}

#[test]
fn a_run_ends_where_nothing_differs() {
    let mut run = CmaRun::new(&coding(2), &start(2), true);
    for _ in 0..2000 {
        if run.ask(&mut |_| Lookup::New).is_some() {
            run.tell(Some((0.0, 1.0)));
        }
    }
    assert_eq!(run.ended(), Some(End::Flat));
    assert!(run.evaluations() < 500);
}
