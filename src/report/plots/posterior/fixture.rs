//! A posterior of made-up figures, for tests.

use crate::evolve::posterior::{Agreement, Calibration, Design, Likelihood, Margin, RankOf};
use crate::evolve::posterior::{Draws, Posterior};
use crate::evolve::summary::GeneSummary;
use std::collections::BTreeMap;

fn gene(key: &str, choices: &[&str]) -> GeneSummary {
    GeneSummary {
        key: key.into(),
        symbol: String::new(),
        unit: "m".into(),
        low: 0.0,
        high: if choices.is_empty() { 2.0 } else { choices.len() as f64 - 1.0 },
        log: false,
        choices: choices.iter().map(|c| (*c).to_string()).collect(),
        default: 1.0,
        tuned: 1.0,
        at_bound: false,
    }
}

pub(in crate::report) fn posterior() -> (Posterior, Draws) {
    let margin = |gene: GeneSummary, shares: &[f64]| Margin {
        gene,
        prior: "uniform".into(),
        mean: 1.0,
        sd: 0.2,
        quantiles: [0.7, 0.9, 1.0, 1.1, 1.3],
        before: [0.1, 0.5, 1.0, 1.5, 1.9],
        prior_quantiles: (0..100).map(|k| f64::from(k) / 50.0).collect(),
        shares: shares.to_vec(),
    };
    let agreement = |measured: f64, held_out: bool| Agreement {
        target: "flow".into(),
        case: "neck[width_m=0.8]".into(),
        held_out,
        unit: "1/s".into(),
        measured,
        sd: 0.1,
        predicted: Some([1.4, 1.2, 1.6]),
    };
    let rank = |key: &str, p: f64| RankOf {
        key: key.into(),
        bins: vec![3; 20],
        chi_square: 0.0,
        p,
        inside_50: 0.5,
        inside_90: 0.9,
    };
    let p = Posterior {
        format: 1,
        crowdtune: "0".into(),
        name: "door".into(),
        title: "A door".into(),
        model: "social_force".into(),
        digest: "d".into(),
        seed: 1,
        draft_step_s: None,
        design: Design { evaluations: 1000, effective: 200, likelihood: Likelihood::Simulated },
        evaluated: 1000,
        failures: BTreeMap::from([("a speed of 7 m/s".to_string(), 4)]),
        beyond: 0,
        draws: 200.0,
        doubt: None,
        surprise: None,
        settled: true,
        widened: 0.3,
        genes: vec![margin(gene("repulsion_range_m", &[]), &[]), margin(gene("rule", &["one", "two"]), &[0.2, 0.8])],
        correlations: vec![vec![1.0, -0.8], vec![-0.8, 1.0]],
        statistics: vec![agreement(1.45, false), agreement(1.9, true)],
        calibration: Some(Calibration {
            planted: 61,
            without: 1,
            genes: vec![rank("repulsion_range_m", 0.4), rank("rule", 0.001)],
        }),
    };
    let draws = Draws {
        trials: vec![0, 1, 2],
        values: vec![vec![0.9, 1.0], vec![1.2, 0.0], vec![1.0, 1.0]],
        weights: vec![0.5, 0.25, 0.25],
    };
    (p, draws)
}
