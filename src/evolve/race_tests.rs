//! Races whose end is known: candidates with chosen losses per replica.

use super::*;
use crate::evolve::experiment::{Experiment, no_files};
use crate::evolve::scoring;
use crate::registry::Registry;

/// One scenario, the time is the loss, four contestants' worth of replicas.
fn experiment(target: &str, replicas: u32) -> Experiment {
    let text = format!(
        "model = \"social_force\"\n[parameters]\nrepulsion_range_m = {{ range = [0.02, 1.0] }}\n[scenario.room]\nkind = \"room\"\ncount = 2\n\
         [target.time]\nmetric = \"evacuation_time_95_s\"\n{target}\n[search]\nselect_replicas = {replicas}\n"
    );
    Experiment::load(&Registry::builtin(), &text, "race.toml", &[], &mut no_files).unwrap()
}

/// Replica `r` of candidate `i` has this value; `None` fails.
type Value = fn(usize, u32) -> Option<f64>;

fn race<'a>(experiment: &'a Experiment, count: usize, value: Value) -> Race<'a> {
    let mut race = Race::new(experiment, (0..count).map(|i| vec![i as f64 / 100.0]).collect());
    let mut id = 0;
    loop {
        let ask = race.ask();
        if ask.is_empty() {
            return race;
        }
        let answer = |question: Question| {
            id += 1;
            let who = (question.genome[0] * 100.0).round() as usize;
            let runs: Option<Vec<_>> = question.replicas.clone().map(|r| Some(vec![Some(value(who, r)?)])).collect();
            match runs {
                Some(runs) => scoring::trial(experiment, id - 1, question, vec![runs]),
                None => Trial {
                    outcome: crowdtune_search::Outcome::Failed("unhealthy".into()),
                    ..scoring::trial(experiment, id - 1, question, vec![vec![]])
                },
            }
        };
        let answers = ask.into_iter().map(answer).collect();
        race.tell(answers);
    }
}

/// Noise without a pattern that repeats within a race, in 0..1.
fn noise(who: usize, replica: u32) -> f64 {
    (f64::from(replica) * 0.618_034 + who as f64 * 0.377 + f64::from(replica * replica % 13) * 0.171).fract()
}

fn places(race: &Race<'_>) -> Vec<usize> {
    race.ranked().iter().map(|c| (c.genome[0] * 100.0).round() as usize).collect()
}

#[test]
fn who_was_lucky_in_the_search_loses() {
    let experiment = experiment("minimize = { good = 0, bad = 10 }", 20);
    // Candidate 1 is truly the best by one, under shared noise of 20 and own noise of 1; the order of the start says nothing.
    let race = race(&experiment, 4, |who, r| {
        let truth = [12.0, 10.0, 11.0, 15.0][who];
        Some(truth + 20.0 * noise(0, r) + noise(who, r))
    });
    assert_eq!(places(&race)[0], 1);
    let out = |who: usize| race.contestants[who].out;
    assert_eq!(out(1), None);
    assert!(out(3).is_some(), "five times the own noise is clear");
    let spent: u32 = race.contestants.iter().map(Contestant::replicas).sum();
    assert!(spent <= 80, "{spent} replicas of 4 x 20");
}

#[test]
fn one_round_tells_a_clear_case_and_the_race_is_over() {
    let experiment = experiment("minimize = { good = 0, bad = 10 }", 20);
    let race = race(&experiment, 3, |who, r| Some(10.0 * who as f64 + noise(who, r)));
    assert_eq!(places(&race), [0, 1, 2]);
    assert!(race.contestants.iter().all(|c| c.replicas() == 5));
    assert_eq!(race.contestants[2].out, Some(1));
}

#[test]
fn equal_ones_share_all_replicas_and_the_first_is_taken() {
    let experiment = experiment("minimize = { good = 0, bad = 10 }", 20);
    let race = race(&experiment, 3, |_, r| Some(noise(0, r)));
    assert_eq!(places(&race), [0, 1, 2]);
    assert!(race.contestants.iter().all(|c| c.out.is_none() && c.replicas() == 20));
}

#[test]
fn replicas_of_those_who_are_out_go_to_the_others() {
    let experiment = experiment("minimize = { good = 0, bad = 10 }", 20);
    // Two that are equal but for their noise, four that are clearly worse.
    let race = race(&experiment, 6, |who, r| Some(noise(who, r) + if who < 2 { 0.0 } else { 50.0 }));
    // 120 - 6 x 5 are left after the first round: 45 more for each of the two.
    assert_eq!(race.contestants[0].replicas(), 50);
    assert_eq!(race.contestants[1].replicas(), 50);
}

#[test]
fn a_failed_row_is_the_end_and_all_failed_is_nothing() {
    let experiment = experiment("minimize = { good = 0, bad = 10 }", 20);
    let late = race(&experiment, 2, |who, r| (who == 1 || r < 7).then(|| noise(who, r)));
    assert_eq!(places(&late), [1, 0]);
    assert!(late.contestants[0].failed && late.contestants[0].out == Some(2));
    let none = race(&experiment, 2, |_, _| None);
    assert!(none.winner().is_none());
}

#[test]
fn a_missed_must_counts_before_the_loss() {
    let experiment = experiment("at_most = 5.0\nmust = true", 20);
    let race = race(&experiment, 2, |who, r| Some(if who == 0 { 6.0 + noise(0, r) } else { 4.0 + noise(1, r) }));
    assert_eq!(places(&race), [1, 0]);
    assert_eq!(race.contestants[0].out, Some(1));
    assert!(race.contestants[0].score.unwrap().0 > 0.0);
}

#[test]
fn the_rows_alone_give_the_same_race() {
    let experiment = experiment("minimize = { good = 0, bad = 10 }", 20);
    let full = race(&experiment, 5, |who, r| Some(0.3 * who as f64 + noise(who, r)));
    // The order of the log: by round, then contestant.
    let mut rows: Vec<Trial> = full.contestants.iter().flat_map(|c| c.rows.clone()).collect();
    rows.sort_by_key(|t| t.id);
    let second = again(&experiment, &rows);
    assert_eq!(places(&second), places(&full));
    let outs = |r: &Race<'_>| r.contestants.iter().map(|c| (c.out, c.replicas())).collect::<Vec<_>>();
    assert_eq!(outs(&second), outs(&full));
    assert!(second.ask().is_empty());
}
