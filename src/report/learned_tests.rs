use super::*;
use crate::evolve::evaluate::{Job, Measured, Serial};
use crate::evolve::experiment::{Experiment, no_files};
use crate::evolve::log::MemoryLog;
use crate::evolve::run::{Silent, evolve};
use crate::evolve::summarize;
use crate::registry::Registry;
use crate::report::fixture;
use crowdtune_core::math::rng::unit;
use std::sync::atomic::AtomicBool;

#[test]
fn importance_is_a_line_and_says_when_it_cannot_tell() {
    let mut i = fixture::summary().importance[0].clone();
    assert_eq!(
        importance(&i, false),
        "What mattered: relaxation_time_s 62 %, repulsion_range_m 31 %, repulsion_strength_n 12 % (a model of the log \
         explains 81 % of the ranks; what they do together counts for each, so that they add up to more than 100 %)"
    );
    i.shares[0].total = 0.5;
    assert!(!importance(&i, false).contains("100 %"), "0.93 in all");
    i.shares.clear();
    i.explained = Some(-0.2);
    assert_eq!(
        importance(&i, true),
        "What mattered for loss: cannot tell, a model of the log explains too little (0 % of the ranks)"
    );
    i.explained = None;
    assert_eq!(importance(&i, false), "What mattered: cannot tell from 60 trials");
}

#[test]
fn a_flat_valley_is_said_in_points_that_were_simulated() {
    let mut s = fixture::summary();
    let ridge = "repulsion_range_m and repulsion_strength_n cannot be told apart: at 4 simulated points from repulsion_range_m 0.134 m, \
                 repulsion_strength_n 3244 N to repulsion_range_m 0.298 m, repulsion_strength_n 197 N the loss is within its noise \
                 (0.0500) of the recommendation's";
    assert_eq!(valleys(&s), [ridge]);
    let found = s.identified.as_mut().unwrap();
    found.profiles[1].within = crate::evolve::summary::Within { first: 0, last: 3, reached: (true, true) };
    assert_eq!(
        valleys(&s),
        [
            ridge,
            "relaxation_time_s is not determined: held at 4 values over its whole range, the others adjusted, it stays within the \
             noise (0.0500) of the recommendation"
        ]
    );
    assert!(
        determined(s.identified.as_ref().unwrap()).contains("17 simulated points of 6 replicas on seeds of their own")
    );
    // A direction of which only the recommendation is within the noise says nothing.
    let found = s.identified.as_mut().unwrap();
    (found.profiles[0].within.first, found.profiles[0].within.last) = (2, 2);
    found.profiles[1].within.reached = (true, false);
    assert!(valleys(&s).is_empty());
    s.identified = None;
    assert!(valleys(&s).is_empty());
}

#[test]
fn before_a_check_nothing_is_claimed_and_the_check_is_named() {
    let mut s = fixture::summary();
    let found = s.identified.as_mut().unwrap();
    found.profiles.clear();
    let said = determined(found);
    assert!(
        said.contains("was not simulated. To") && said.contains("--resume") && said.contains("search.profile_share"),
        "{said}"
    );
    found.needed = Some(30);
    assert!(determined(found).contains("it needs 30 trials on the same seeds, and there are 40 feasible trials"));
    assert_eq!(
        valleys(&s),
        [
            "repulsion_range_m and repulsion_strength_n may make up for each other, says a model of the log that no simulation has \
          checked"
        ]
    );
}

#[test]
fn an_open_interval_says_so() {
    let s = fixture::summary();
    let found = s.identified.as_ref().unwrap();
    let profile = &found.profiles[2];
    let mut i = profile.interval.clone().unwrap();
    assert_eq!(interval(&s.genes[1], &i), "0.12 m to 0.32 m or more");
    i.low_open = true;
    assert_eq!(interval(&s.genes[1], &i), "0.12 m or less to 0.32 m or more");
    assert_eq!(within(found, &s.genes[1], profile).unwrap(), "0.16 m to 0.32 m (3 values)");
}

#[test]
fn a_planted_ridge_is_found_and_named() {
    // Strength times range is all that counts, and every run has noise of its own.
    let planted = |job: &Job<'_>| {
        let share = |value: f64, low: f64, high: f64| libm::log(value / low) / libm::log(high / low);
        let own = job.seed.child("own", job.genes[0].to_bits() ^ job.genes[1].to_bits());
        let off = share(job.genes[0], 0.01, 1.0) + share(job.genes[1], 50.0, 5000.0) - 1.0;
        Ok(Measured { values: vec![Some(1.0 + 10.0 * off * off + 0.02 * unit(&mut own.rng()))], work: 1 })
    };
    let text = r#"
        model = "social_force"
        parameters.repulsion_range_m = { range = [0.01, 1.0], log = true }
        parameters.repulsion_strength_n = { range = [50.0, 5000.0], log = true }
        scenario.room = { kind = "room", count = 3, width_m = 5.0, depth_m = 5.0, replicas = 4 }
        target.time = { metric = "evacuation_time_95_s", minimize = { good = 0.0, bad = 1.0 } }
        search.evaluations = 200
    "#;
    // A profile is a test with a chance to err, so four of five searches have to name it.
    let named: Vec<bool> = (1..=5)
        .map(|seed| {
            let changes = [("search.seed".to_string(), seed.to_string())];
            let experiment =
                Experiment::load(&Registry::builtin(), text, "ridge.toml", &changes, &mut no_files).unwrap();
            let cancel = AtomicBool::new(false);
            let serial = Serial::new(&experiment, &cancel).with("planted", planted);
            let finished = evolve(&experiment, &serial, &mut MemoryLog::default(), &mut Silent, &cancel).unwrap();
            let s = summarize(&experiment, &finished);
            let found = s.identified.as_ref().unwrap();
            // 15 % of 200 evaluations of 4 simulations.
            assert!(found.points <= 30 && found.replicas == 4, "{found:?}");
            let Some(ridge) = found.profiles.iter().find(|p| p.keys.len() == 2) else { return false };
            for point in &ridge.points[ridge.within.first..=ridge.within.last] {
                assert!((libm::log(point.at[0] * point.at[1] / 50.0)).abs() < 0.6, "A B is 50: {point:?}");
            }
            let [first, last] = [ridge.within.first, ridge.within.last].map(|at| &ridge.points[at].at);
            let said = valleys(&s).join("; ");
            said.contains("repulsion_range_m and repulsion_strength_n cannot be told apart: at ")
                && last[0].max(first[0]) / last[0].min(first[0]) > 10.0
        })
        .collect();
    assert!(named.iter().filter(|named| **named).count() >= 4, "{named:?}");
}
