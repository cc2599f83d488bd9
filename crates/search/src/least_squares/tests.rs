use super::*;
use crate::{Axis, Gene, Outcome, Part, Rule, Space};
use crowdtune_core::math::stats;
use crowdtune_core::registry::{Settings, defaults};

/// What is wanted of each value.
const WANTED: Rule = Rule::Squares { value: 3.0, unit: 0.5 };

/// Residuals whose squares make a curved valley (Rosenbrock 1960) in the first two genes, and a slope for each other one.
fn valley(genome: &[f64]) -> Vec<f64> {
    let x: Vec<f64> = genome.iter().map(|u| 4.0 * u - 2.0).collect();
    let mut residuals = vec![10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]];
    residuals.extend(x[2..].iter().map(|x| x - 0.5));
    residuals
}

fn space(genes: usize) -> Space {
    let axis = Axis::Real { low: 0.0, high: 1.0, log: false };
    Space { genes: (0..genes).map(|k| Gene { key: format!("x{k}"), axis: axis.clone() }).collect() }
}

/// Searches so many evaluations in two replicas; what is recommended. `of` gives the residuals of a genome, and the noise of their means.
fn searched(genes: usize, evaluations: usize, seed: u64, of: impl Fn(&[f64]) -> (Vec<f64>, f64)) -> Genome {
    let space = space(genes);
    let settings = defaults(PARAMS);
    let parts = of(&vec![0.0; genes]).0.len();
    let mut search = make(&Setup {
        seed: Seed(seed),
        parallel: 4,
        replicas: 2,
        start: vec![vec![0.1; genes]],
        parts: (0..parts).map(|column| Part { case: 0, column, rule: WANTED, weight: 1.0 }).collect(),
        ..Setup::new(&space, Settings::new(PARAMS, &settings))
    });
    let mut id = 0;
    while id < evaluations as u64 {
        let questions = search.ask();
        let mut trials = Vec::new();
        for question in questions {
            let mut rng = Seed(seed).child("noise", id).rng();
            let (residuals, noise) = of(&question.genome);
            let runs: [Vec<f64>; 2] = std::array::from_fn(|_| {
                let mut z = vec![0.0; parts];
                normals(&mut rng, &mut z);
                residuals.iter().zip(&z).map(|(r, z)| r + noise * 2.0_f64.sqrt() * z).collect()
            });
            let objectives = vec![runs[0].iter().zip(&runs[1]).map(|(a, b)| (a + b) * (a + b) / 4.0).sum()];
            let values = vec![runs.iter().map(|run| run.iter().map(|r| Some(3.0 + r / 2.0)).collect()).collect()];
            trials.push(Trial {
                id,
                question,
                outcome: Outcome::Done,
                objectives,
                violation: 0.0,
                measures: vec![],
                values,
            });
            id += 1;
        }
        search.tell(&trials);
    }
    search.recommend().swap_remove(0)
}

/// The loss without noise of what is recommended for a curved valley.
fn recommended(genes: usize, evaluations: usize, noise: f64, seed: u64) -> f64 {
    let genome = searched(genes, evaluations, seed, |genome| (valley(genome), noise));
    valley(&genome).iter().map(|r| r * r).sum()
}

#[test]
fn a_curved_valley_is_followed_to_its_end() {
    for seed in 0..5 {
        let loss = recommended(2, 60, 0.0, seed);
        assert!(loss < 1e-6, "seed {seed}: {loss:e}");
        let loss = recommended(6, 100, 0.0, seed);
        assert!(loss < 1e-6, "seed {seed}, six genes: {loss:e}");
    }
}

/// The loss in the middle of nine searches.
fn median(noise: f64) -> f64 {
    let losses: Vec<f64> = (0..9).map(|seed| recommended(6, 150, noise, seed)).collect();
    stats::median(&losses)
}

#[test]
fn noise_is_averaged_away() {
    // Six residuals with noise of 0.2 each: the loss of the luckiest candidate has an error of about 0.2.
    let loss = median(0.2);
    assert!(loss < 0.02, "{loss}");
}

#[test]
fn luck_does_not_hold_a_search() {
    // With noise of 0.5 the least loss of a few candidates is soon one that nobody beats: a search that goes on from there ended at 2.7.
    let loss = median(0.5);
    assert!(loss < 0.2, "{loss}");
}

#[test]
fn of_equally_near_candidates_those_that_scatter_less_are_recommended() {
    // Nothing but the noise depends on the last gene.
    let of = |genome: &[f64]| ((0..4).map(|k| genome[k] - 0.5).collect(), 0.05 + genome[4]);
    let last: Vec<f64> = (0..9).map(|seed| searched(5, 100, seed, of)[4]).collect();
    assert!(stats::median(&last) < 0.05, "{last:?}");
}
