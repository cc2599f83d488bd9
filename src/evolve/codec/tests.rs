use super::*;
use crate::evolve::config::item::Item;
use crate::evolve::config::tree::Node;
use crowdtune_sim::crowd::people::{Distribution, Family, TRAITS};
use crowdtune_sim::models::MODELS;

#[test]
fn every_default_comes_back_from_a_tree_and_from_json() {
    for param in MODELS.iter().flat_map(|m| m.params) {
        let stored = param.default_value();
        let node = Node::default(value(param, stored));
        assert_eq!(super::stored(&Item::part("x", param.key.into(), &node), param).unwrap(), stored, "{}", param.key);
        let again = tree(&json(&node.value).unwrap());
        assert_eq!(super::stored(&Item::part("x", param.key.into(), &again), param).unwrap(), stored, "{}", param.key);
    }
}

#[test]
fn every_distribution_comes_back_from_a_tree_and_from_json() {
    let clip = (0.5, 2.2);
    let all = [
        Distribution::Fixed(1.3),
        Distribution::Uniform { low: 0.9, high: 1.5 },
        Distribution::Normal { mean: 1.34, sd: 0.26, clip },
        Distribution::Skewed { family: Family::LogNormal, numbers: (0.1, 0.2), clip },
    ];
    for distribution in all {
        let node = Node::default(drawn(distribution));
        for node in [node.clone(), tree(&json(&node.value).unwrap())] {
            let item = Item::part("x", TRAITS[0].key.into(), &node);
            assert_eq!(super::distribution(&item, &TRAITS[0]).unwrap(), distribution);
        }
    }
    assert_eq!(json(&drawn(Distribution::Fixed(f64::INFINITY))), None);
}
