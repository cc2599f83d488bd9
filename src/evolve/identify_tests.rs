//! A loss whose valley is known by hand, through trials with replicas.

use super::*;
use crate::evolve::experiment::{Experiment, no_files};
use crate::evolve::scoring;
use crate::registry::Registry;
use crowdtune_core::math::rng::{Seed, normal};
use crowdtune_search::{Purpose, Question, Values};

fn experiment(replicas: u32) -> Experiment {
    let text = format!(
        r#"
        model = "social_force"
        parameters.repulsion_range_m = {{ range = [0.01, 1.0], log = true }}
        parameters.repulsion_strength_n = {{ range = [50.0, 5000.0], log = true }}
        scenario.room = {{ kind = "room", count = 3, width_m = 5.0, depth_m = 5.0, replicas = {replicas} }}
        target.time = {{ metric = "evacuation_time_95_s", minimize = {{ good = 0.0, bad = 1.0 }} }}
    "#
    );
    Experiment::load(&Registry::builtin(), &text, "tiny.toml", &[], &mut no_files).unwrap()
}

/// The loss is 1 + 10 (u + v - 1)^2 + 0.01 (u - v)^2 plus noise that differs by replica and row.
fn trials(experiment: &Experiment, replicas: u32, noise: f64) -> Vec<Trial> {
    let points = crowdtune_search::sensitivity::points::Points::scrambled(2, Seed(1));
    let mut rng = Seed(3).rng();
    let one = |id: u64| {
        let genome = points.point(id as u32);
        let (a, b) = (genome[0] + genome[1] - 1.0, genome[0] - genome[1]);
        let loss = 1.0 + 10.0 * a * a + 0.01 * b * b;
        let values: Values = vec![(0..replicas).map(|_| vec![Some(loss + noise * normal(&mut rng))]).collect()];
        let question = Question { genome, replicas: 0..replicas, purpose: Purpose::Search };
        scoring::trial(experiment, id, question, values)
    };
    (0..200).map(one).collect()
}

#[test]
fn before_profiles_a_model_guesses_which_parameters_make_up_for_each_other() {
    let experiment = experiment(4);
    let found = identify(&experiment, &trials(&experiment, 4, 0.02)).unwrap();
    assert_eq!(found.noise_from, "replicas");
    // The mean of four.
    assert!((found.noise.unwrap() - 0.02 / 2.0).abs() < 0.002, "{found:?}");
    let pair = &found.pairs[0];
    assert!(pair.confounded && pair.tied < -0.9, "{pair:?}");
    assert_eq!(pair.keys.0, "repulsion_range_m");
    assert!(found.profiles.is_empty() && found.points == 0);
}

#[test]
fn what_cannot_be_told_says_why() {
    let experiment = experiment(1);
    let rows = trials(&experiment, 1, 0.0);
    let few = identify(&experiment, &rows[..8]).unwrap();
    assert_eq!((few.needed, few.pairs.len()), (Some(12), 0));
    let rough = identify(&experiment, &trials(&experiment, 1, 500.0)).unwrap();
    assert!(rough.explained.unwrap() < valley::EXPLAINS && rough.pairs.is_empty());
    let alone = identify(&experiment, &rows).unwrap();
    assert_eq!(alone.noise_from, "fit");
}
