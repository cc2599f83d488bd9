use crowdtune_core::math::normals::normals;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_search::{DOUBT, Inference, Likelihood, Observed, PosteriorSetup, Sample};

/// Runs an inference of `generations` of 250 draws each, or with processes of 25, on a simulator that gets a point and standard normal noise.
fn inferred(
    setup: PosteriorSetup,
    generations: usize,
    noise: usize,
    simulate: impl Fn(&[f64], &[f64]) -> Option<Vec<f64>>,
) -> (Inference, Sample) {
    let mut rng = setup.seed.child("noise of the simulator", 0).rng();
    let draws = if setup.likelihood == Likelihood::Emulated { 25 } else { 250 };
    let mut inference = Inference::new(setup);
    for _ in 0..generations {
        let asked = inference.ask(draws);
        let answer = |point: &Vec<f64>| {
            let mut draws = vec![0.0; noise];
            normals(&mut rng, &mut draws);
            simulate(point, &draws)
        };
        inference.tell(asked.iter().map(answer).collect());
    }
    let sample = inference.sample().unwrap();
    (inference, sample)
}

fn moments(sample: &Sample, of: impl Fn(&[f64]) -> f64) -> (f64, f64) {
    let mean: f64 = sample.points.iter().zip(&sample.weights).map(|(p, w)| w * of(p)).sum();
    let variance: f64 = sample.points.iter().zip(&sample.weights).map(|(p, w)| w * (of(p) - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

fn setup(parameters: usize, observed: &[(f64, f64)], seed: u64) -> PosteriorSetup {
    let observed = observed.iter().map(|&(value, sd)| Observed { value, sd }).collect();
    PosteriorSetup { parameters, observed, effective: 200, likelihood: Likelihood::Simulated, seed: Seed(seed) }
}

/// The same with processes for the likelihood.
fn emulated(parameters: usize, observed: &[(f64, f64)], seed: u64) -> PosteriorSetup {
    PosteriorSetup { likelihood: Likelihood::Emulated, ..setup(parameters, observed, seed) }
}

#[test]
fn a_normal_posterior_is_found() {
    // Prior N(0, 1); measured 1.2 with errors of 0.3 (simulator) and 0.4 (measurement), 0.5 together: precision 1 + 4, mean 4 * 1.2 / 5.
    let (inference, sample) = inferred(setup(1, &[(1.2, 0.4)], 1), 6, 1, |p, noise| Some(vec![p[0] + 0.3 * noise[0]]));
    let (mean, sd) = moments(&sample, |p| p[0]);
    assert!(inference.is_settled() && sample.widened == 0.0);
    assert!((mean - 0.96).abs() < 0.06 && (sd - 0.2_f64.sqrt()).abs() < 0.05, "{mean} {sd}");
    assert!(sample.effective > 200.0, "{}", sample.effective);
}

#[test]
fn processes_find_it_with_a_tenth_of_the_runs() {
    // As above; without an error of the measurement it is no harder.
    for (sd, seed) in [(0.4, 1), (0.0, 2)] {
        let (inference, sample) =
            inferred(emulated(1, &[(1.2, sd)], seed), 4, 1, |p, noise| Some(vec![p[0] + 0.3 * noise[0]]));
        let precision = 1.0 + 1.0 / (0.09 + sd * sd);
        let (mean, spread) = moments(&sample, |p| p[0]);
        assert!((mean - 1.2 * (precision - 1.0) / precision).abs() < 0.12, "{sd}: {mean}");
        assert!((spread * precision.sqrt() - 1.0).abs() < 0.25, "{sd}: {spread}");
        let (doubt, _) = inference.doubts().unwrap();
        assert!(doubt < DOUBT && sample.effective >= 1000.0, "{sd}: {doubt} {}", sample.effective);
    }
}

#[test]
fn an_exact_measurement_is_reached_by_the_regression() {
    // Without an error of its own the measured value is widened to the end, and the regression takes that back: precision 1 + 1 / 0.09.
    let (inference, sample) = inferred(setup(1, &[(1.2, 0.0)], 2), 6, 1, |p, noise| Some(vec![p[0] + 0.3 * noise[0]]));
    let (mean, sd) = moments(&sample, |p| p[0]);
    let precision = 1.0 + 1.0 / 0.09;
    assert!(!inference.is_settled());
    assert!((mean - 1.2 / 0.09 / precision).abs() < 0.04, "{mean}");
    assert!((sd - 1.0 / precision.sqrt()).abs() < 0.04, "{sd}");
}

#[test]
fn a_ridge_stays_a_ridge() {
    // Only the sum of two parameters is measured: what is known of it says nothing of their difference.
    let (_, sample) = inferred(setup(2, &[(0.5, 0.1)], 3), 10, 1, |p, _| Some(vec![p[0] + p[1]]));
    let (sum, sd_of_sum) = moments(&sample, |p| p[0] + p[1]);
    let (difference, sd_of_difference) = moments(&sample, |p| p[0] - p[1]);
    // The sum has prior variance 2, so its precision is 1 / 2 + 100.
    assert!(
        (sum - 50.0 / 100.5).abs() < 0.03 && (sd_of_sum - 1.0 / 100.5_f64.sqrt()).abs() < 0.02,
        "{sum} {sd_of_sum}"
    );
    assert!(
        difference.abs() < 0.3 && (sd_of_difference - 2.0_f64.sqrt()).abs() < 0.2,
        "{difference} {sd_of_difference}"
    );
}

#[test]
fn processes_know_a_ridge_and_correlated_noise() {
    // Both statistics share a noise of 0.4, and the second one has one of 0.1 of its own: their difference is known better than either of them.
    let simulate = |p: &[f64], noise: &[f64]| {
        Some(vec![p[0] + p[1] + 0.4 * noise[0], p[0] - p[1] + 0.4 * noise[0] + 0.1 * noise[1]])
    };
    let (_, sample) = inferred(emulated(2, &[(0.5, 0.0), (0.1, 0.0)], 3), 5, 2, simulate);
    let (second, sd) = moments(&sample, |p| p[1]);
    // Twice the second parameter is 0.4 with a deviation of 0.1, of its own 0.05; without the correlation it would be 0.28.
    assert!((second - 0.2).abs() < 0.05 && sd < 0.14, "{second} {sd}");
    // The first one has the common noise: precision 1 + 1 / 0.16.
    let (_, sd) = moments(&sample, |p| p[0]);
    assert!((sd * 7.25_f64.sqrt() - 1.0).abs() < 0.25, "{sd}");
}

#[test]
fn failed_runs_agree_with_nothing() {
    // Every run above 0 fails in half of the cases, and says nothing of the parameter otherwise: below 0 lie two thirds.
    let fails = |p: &[f64], noise: &[f64]| (p[0] < 0.0 || noise[0] < 0.0).then(|| vec![noise[1]]);
    let (inference, sample) = inferred(setup(1, &[(0.0, 1.0)], 4), 8, 2, fails);
    let below: f64 = sample.points.iter().zip(&sample.weights).filter(|(p, _)| p[0] < 0.0).map(|(_, w)| w).sum();
    assert!((below - 2.0 / 3.0).abs() < 0.05, "{below}");
    assert!(inference.counts().1 > 300, "{:?}", inference.counts());
    assert!(inferred_nothing().sample().is_none());
    // Processes learn the same share.
    let (_, sample) = inferred(emulated(1, &[(0.0, 1.0)], 4), 4, 2, fails);
    let below: f64 = sample.points.iter().zip(&sample.weights).filter(|(p, _)| p[0] < 0.0).map(|(_, w)| w).sum();
    assert!((below - 2.0 / 3.0).abs() < 0.08, "{below}");
}

fn inferred_nothing() -> Inference {
    let mut inference = Inference::new(setup(1, &[(0.0, 1.0)], 5));
    let asked = inference.ask(20);
    inference.tell(vec![None; asked.len()]);
    assert_eq!(inference.counts(), (20, 20));
    inference
}

#[test]
fn true_values_have_uniform_ranks() {
    // Simulation-based calibration (Talts and others, 2018) on a curved problem of two parameters and three statistics.
    let simulate = |p: &[f64], noise: &[f64]| {
        Some(vec![p[0] + 0.3 * noise[0], p[0] * p[0] + p[1] + 0.5 * noise[1], p[1] + 0.8 * noise[2]])
    };
    let (truths, bins) = (120, 4);
    let mut rng = Seed(6).rng();
    let mut counts = vec![[0.0; 2]; bins];
    for truth in 0..truths {
        let mut draws = vec![0.0; 8];
        normals(&mut rng, &mut draws);
        let values = simulate(&draws[..2], &draws[2..5]).unwrap();
        let observed: Vec<(f64, f64)> = (0..3).map(|k| (values[k] + 0.2 * draws[5 + k], 0.2)).collect();
        let (_, sample) = inferred(setup(2, &observed, 100 + truth), 4, 3, simulate);
        for parameter in 0..2 {
            let mut bin = 0;
            // Of as many draws as make equal bins.
            for _ in 0..bins - 1 {
                let at = pick(&sample, unit(&mut rng));
                bin += usize::from(sample.points[at][parameter] < draws[parameter]);
            }
            counts[bin][parameter] += 1.0;
        }
    }
    let expected = truths as f64 / bins as f64;
    for parameter in 0..2 {
        let chi2: f64 = counts.iter().map(|c| (c[parameter] - expected).powi(2) / expected).sum();
        // 99.9 % of the chi-square distribution with three degrees of freedom.
        assert!(chi2 < 16.3, "{parameter}: {counts:?}");
    }
}

fn pick(sample: &Sample, share: f64) -> usize {
    let mut sum = 0.0;
    sample
        .weights
        .iter()
        .position(|w| {
            sum += w;
            sum > share
        })
        .unwrap_or(sample.weights.len() - 1)
}

#[test]
fn the_same_answers_give_the_same_questions() {
    let run = || inferred(setup(2, &[(0.5, 0.1)], 7), 4, 1, |p, noise| (noise[0] < 1.5).then(|| vec![p[0] * p[1]])).1;
    assert_eq!(run(), run());
}

#[test]
fn evidence_is_the_density_of_the_books() {
    // Prior N(0, 1), noise 0.3, error 0.4: what is measured is N(0, 1.25). A second model has twice the slope: N(0, 4.25).
    let log_density = |x: f64, variance: f64| -0.5 * (x * x / variance + (2.0 * std::f64::consts::PI * variance).ln());
    for (slope, variance) in [(1.0, 1.25), (2.0, 4.25)] {
        for value in [0.3, 2.5] {
            let simulate = |p: &[f64], noise: &[f64]| Some(vec![slope * p[0] + 0.3 * noise[0]]);
            let (inference, _) = inferred(setup(1, &[(value, 0.4)], 8), 8, 1, simulate);
            let found = inference.evidence(&[0.0]).unwrap();
            let wanted = log_density(value, variance);
            assert!(
                (found.log - wanted).abs() < 4.0 * found.error && found.error < 0.06,
                "{slope} {value}: {found:?} {wanted}"
            );
            let (inference, _) = inferred(emulated(1, &[(value, 0.4)], 8), 2, 1, simulate);
            let found = inference.evidence(&[0.0]).unwrap();
            assert!((found.log - wanted).abs() < 0.5, "{slope} {value}: {found:?} {wanted} by processes");
        }
    }
}
