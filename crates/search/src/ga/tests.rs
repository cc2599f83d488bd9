//! Survival, and when strengths are learned.

use super::*;
use crate::space::{Axis, Gene, Space};
use crowdtune_core::registry::{Settings, defaults};

/// In a space of so many genes, with these settings beside the defaults.
fn ga(genes: usize, given: &[(&str, f64)]) -> Ga {
    let axis = Axis::Real { low: 0.0, high: 1.0, log: false };
    let space = Space { genes: vec![Gene { key: String::new(), axis }; genes] };
    let mut values = defaults(PARAMS);
    for (key, value) in given {
        values[PARAMS.iter().position(|p| p.key == *key).unwrap()] = *value;
    }
    begin(&Setup::new(&space, Settings::new(PARAMS, &values)))
}

#[test]
fn population_and_patience_grow_with_the_genes() {
    for (genes, size, patience) in [(0, 14, 150), (4, 14, 150), (6, 14, 180), (14, 14, 420), (20, 20, 600)] {
        let ga = ga(genes, &[]);
        assert_eq!((ga.size, ga.patience), (size, patience), "{genes} genes");
    }
    let given = ga(20, &[("population", 6.0), ("stagnation", 900.0)]);
    assert_eq!((given.size, given.patience), (6, 900));
}

#[test]
fn a_differential_child_fights_its_parent_and_any_other_the_worst() {
    let mut ga = ga(1, &[("population", 4.0)]);
    let child = |born, parent| Origin::Differential { born, parent: (0.0, parent), f: 0.5, cr: 0.5 };
    let mut add = |loss: f64, origin| {
        ga.told += 1;
        ga.settle(&[loss / 10.0], (0.0, loss), origin);
        (ga.population.iter().map(|m| m.cost.1).collect::<Vec<f64>>(), ga.successes.len())
    };
    for loss in [3.0, 1.0, 4.0, 2.0] {
        add(loss, Origin::Plain);
    }
    // Number 2 has a loss of 1: what is worse than it does not live, though 3 and 4 are worse still.
    assert_eq!(add(1.5, child(2, 1.0)), (vec![1.0, 2.0, 3.0, 4.0], 0));
    assert_eq!(add(0.5, child(2, 1.0)), (vec![0.5, 2.0, 3.0, 4.0], 1));
    // Its parent is gone: it fights the worst, and learns from its parent all the same.
    assert_eq!(add(0.8, child(2, 1.0)), (vec![0.5, 0.8, 2.0, 3.0], 2));
    assert_eq!(add(5.0, Origin::Plain), (vec![0.5, 0.8, 2.0, 3.0], 2));
    assert_eq!(add(2.5, Origin::Plain), (vec![0.5, 0.8, 2.0, 2.5], 2));
    // An equal child takes its parent's place, before older equals.
    assert_eq!(add(2.0, child(4, 2.0)), (vec![0.5, 0.8, 2.0, 2.5], 2));
    assert_eq!(ga.population[2].born, 10);
    assert_eq!(ga.population[2].genome, [0.2]);
}

#[test]
fn strengths_are_learned_once_a_generation() {
    let mut ga = ga(1, &[("population", 4.0), ("design", 4.0)]);
    for told in 0..8 {
        let questions = ga.ask();
        let loss = -f64::from(told);
        let trials: Vec<Trial> =
            (0..).zip(questions).map(|(id, question)| Trial::of_search(id, question.genome, loss)).collect();
        ga.tell(&trials);
        assert_eq!(ga.untaught, (told as usize + 1) % 4);
        assert!(ga.successes.len() <= ga.untaught);
    }
}
