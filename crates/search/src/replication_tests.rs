//! Adaptive replication around a fake optimizer, on losses whose noise is chosen.

use super::*;
use crate::{Outcome, Purpose};
use crowdtune_core::math::rng::{Seed, unit};

/// Asks batches of new points, keeps what it is told.
struct Points {
    batch: usize,
    asked: u64,
    told: std::sync::Arc<std::sync::Mutex<Vec<Trial>>>,
}

impl Optimizer for Points {
    fn ask(&mut self) -> Vec<Question> {
        let question = |i: usize| {
            let genome = vec![unit(&mut Seed(7).child("point", self.asked + i as u64).rng())];
            Question { genome, replicas: 0..3, purpose: Purpose::Search }
        };
        let questions = (0..self.batch).map(question).collect();
        self.asked += self.batch as u64;
        questions
    }
    fn tell(&mut self, trials: &[Trial]) {
        self.told.lock().unwrap().extend(trials.iter().cloned());
    }
    fn stop(&self) -> Option<StopReason> {
        None
    }
}

/// Loss of a point on a replica.
type Loss = fn(f64, u32) -> f64;

/// One value a replica; the score is their mean.
fn trial(question: Question, loss: Loss) -> Trial {
    let values: Vec<f64> = question.replicas.clone().map(|r| loss(question.genome[0], r)).collect();
    let values = vec![values.iter().map(|&v| vec![Some(v)]).collect()];
    scored(question, values)
}

fn scored(question: Question, values: crate::Values) -> Trial {
    let all: Vec<f64> = values[0].iter().filter_map(|run| run[0]).collect();
    let objectives = vec![crowdtune_core::math::stats::mean(&all)];
    Trial { id: 0, question, outcome: Outcome::Done, objectives, violation: 0.0, measures: Vec::new(), values }
}

fn join(rows: &[Trial], n: u32) -> Trial {
    let mut runs: Vec<_> = rows.iter().flat_map(|t| t.values[0].clone()).collect();
    runs.truncate(n as usize);
    scored(Question { replicas: 0..n, ..rows[0].question.clone() }, vec![runs])
}

/// Runs so many batches; gives the questions, what was told, and the replicas at the end.
fn run(batch: usize, parallel: usize, batches: usize, loss: Loss) -> (Vec<Question>, Vec<Trial>, u32) {
    let told = std::sync::Arc::<std::sync::Mutex<Vec<Trial>>>::default();
    let inner = Points { batch, asked: 0, told: told.clone() };
    let mut adaptive = AdaptiveReplicas::new(Box::new(inner), Box::new(join), parallel, 12);
    let mut questions = Vec::new();
    while told.lock().unwrap().len() < batch * batches {
        let ask = adaptive.ask();
        assert!(!ask.is_empty() && ask.len() <= parallel);
        let trials: Vec<Trial> = ask.iter().map(|q| trial(q.clone(), loss)).collect();
        questions.extend(ask);
        adaptive.tell(&trials);
    }
    let told = told.lock().unwrap().clone();
    (questions, told, adaptive.now())
}

fn noise(x: f64, replica: u32) -> f64 {
    unit(&mut Seed(x.to_bits()).child("noise", u64::from(replica)).rng())
}

#[test]
fn without_noise_one_replica_is_enough() {
    let (questions, told, replicas) = run(16, 16, 20, |x, _| (x - 0.3).abs());
    assert_eq!(replicas, 1);
    assert!(told.iter().all(|t| (t.objectives[0] - (t.question.genome[0] - 0.3).abs()).abs() < 1e-12));
    assert!(told.iter().all(|t| t.question.replicas == (0..3)), "the inner optimizer hears what it asked");
    // Two of sixteen again, and challengers, which become rare.
    let extra = questions.iter().filter(|q| q.replicas.start > 0).count();
    assert!((40..70).contains(&extra), "{extra}");
}

#[test]
fn noise_that_all_share_changes_no_rank() {
    let shared: Loss = |x, r| (x - 0.3).abs() + 10.0 * noise(0.5, r);
    let (_, told, replicas) = run(16, 16, 20, shared);
    assert_eq!(replicas, 1);
    // What is told stays in the order of the truth within every batch.
    for batch in told.chunks(16) {
        let mut order: Vec<&Trial> = batch.iter().collect();
        order.sort_by(|a, b| a.objectives[0].total_cmp(&b.objectives[0]));
        let truth = |t: &Trial| (t.question.genome[0] - 0.3).abs();
        assert!(order.windows(2).all(|w| truth(w[0]) <= truth(w[1]) + 1e-9));
    }
}

#[test]
fn own_noise_asks_for_more_up_to_the_most() {
    let loud: Loss = |x, r| 0.01 * x + noise(x, r);
    assert!(run(16, 16, 20, loud).2 >= 8);
    let quiet: Loss = |x, r| x + 0.001 * noise(x, r);
    assert!(run(16, 16, 20, quiet).2 <= 2);
}

#[test]
fn who_was_lucky_is_told_as_no_better_than_the_best() {
    // Everybody is worth 1 but for the best half, which is worth its distance; every point has a lucky first replica now and then.
    let lucky: Loss = |x, r| if r == 0 && noise(x, 99) > 0.9 { -5.0 } else { x };
    let (questions, told, _) = run(8, 8, 30, lucky);
    let believed = told.iter().filter(|t| t.objectives[0] < -4.0).count();
    let asked = questions.iter().filter(|q| q.replicas.start == 0 && noise(q.genome[0], 99) > 0.9).count();
    assert!(asked > 15 && believed < asked, "{believed} of {asked}");
}

#[test]
fn replicas_of_a_candidate_follow_each_other_in_batches_of_any_width() {
    let loud: Loss = |x, r| x + noise(x, r);
    for parallel in [1, 3, 16] {
        let (questions, _, _) = run(8, parallel, 12, loud);
        let mut ends = std::collections::BTreeMap::new();
        for q in questions {
            let end = ends.entry(q.genome[0].to_bits()).or_insert(0);
            assert_eq!(q.replicas.start, *end);
            *end = q.replicas.end;
            assert!(q.replicas.end <= 24);
        }
    }
    assert_eq!(run(8, 3, 12, loud).1, run(8, 16, 12, loud).1, "the width changes nothing that is told");
}

#[test]
fn tolerated_changes_by_hand() {
    // From the first of 21 places the changes are 0, 1, ..., 20: the tenth percentile is 2.
    assert_eq!(tolerated(0, 20), 2.0);
    // From the middle 0, 1, 1, 2, 2, ...: the third of 21.
    assert_eq!(tolerated(10, 20), 1.0);
}
