//! A search whose loss is known by hand.

use super::*;
use crate::evolve::experiment::{Experiment, no_files};
use crate::registry::Registry;
use crowdtune_search::{Outcome, Question};

fn experiment() -> Experiment {
    let text = r#"
        model = "social_force"
        parameters.relaxation_time_s = { range = [0.1, 2.0] }
        parameters.repulsion_strength_n = { range = [50.0, 5000.0] }
        parameters.wall_repulsion = { choices = [true, false] }
        scenario.room = { kind = "room", count = 3, width_m = 5.0, depth_m = 5.0 }
        target.time = { metric = "evacuation_time_95_s", minimize = { good = 0.0, bad = 1.0 } }
    "#;
    Experiment::load(&Registry::builtin(), text, "tiny.toml", &[], &mut no_files).unwrap()
}

/// Trials that gather around 0.3 in the first gene, as a search would, with this loss.
fn trials(experiment: &Experiment, count: u64, loss: impl Fn(&[f64]) -> f64) -> Vec<Trial> {
    let points = crowdtune_search::sensitivity::points::Points::scrambled(3, Seed(1));
    let one = |id: u64| {
        let mut genome = points.point(id as u32);
        if id > count / 4 {
            genome[0] = 0.3 + 0.3 * (genome[0] - 0.5);
        }
        let genome = experiment.space.canonical(&genome);
        let objectives = vec![loss(&genome)];
        let question = Question { genome, replicas: 0..1, purpose: Purpose::Search };
        Trial { id, question, outcome: Outcome::Done, objectives, violation: 0.0, measures: vec![], values: vec![] }
    };
    (0..count).map(one).collect()
}

#[test]
fn what_moves_the_loss_is_named_and_a_word_counts_too() {
    let experiment = experiment();
    let mut rows = trials(&experiment, 300, |u| (u[0] - 0.3) * (u[0] - 0.3) + if u[2] > 0.5 { 0.05 } else { 0.0 });
    // Failures are the worst of all, and stand at the far end of the first gene.
    rows.iter_mut().filter(|t| t.question.genome[0] > 0.9).for_each(|t| {
        t.outcome = Outcome::Failed("x".into());
        t.objectives.clear();
    });
    let found = &importance(&experiment, &rows)[0];
    assert!(found.explained.unwrap() > 0.8, "{found:?}");
    let total: Vec<f64> = found.shares.iter().map(|s| s.total).collect();
    assert!(total[0] > 0.3 && total[2] > 0.2 && total[1] < 0.05, "{found:?}");
    assert_eq!(found.shares[2].key, "wall_repulsion");
    assert_eq!(importance(&experiment, &rows)[0], *found, "the same bits again");
}

#[test]
fn chance_and_few_trials_tell_nothing() {
    let experiment = experiment();
    let noise = crowdtune_search::sensitivity::points::Points::scrambled(7, Seed(4));
    let mut rows = trials(&experiment, 200, |_| 0.0);
    for t in &mut rows {
        t.objectives = vec![noise.point(t.id as u32)[6]];
    }
    let found = &importance(&experiment, &rows)[0];
    assert!(found.explained.unwrap() < EXPLAINS && found.shares.is_empty(), "{found:?}");
    let found = &importance(&experiment, &rows[..30])[0];
    assert!(found.explained.is_none() && found.shares.is_empty());
    assert!(importance(&experiment, &[]).is_empty());
}
