use super::*;
use crate::evolve::config::item::Item;
use crate::evolve::config::tree::Node;
use crowdtune_core::registry::Kind;
use crowdtune_search::Axis;
use crowdtune_sim::crowd::people::{Distribution, Family, TRAITS};
use crowdtune_sim::models::MODELS;
use proptest::prelude::*;

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

proptest! {
    /// D13: a search for the published constants started from 120000.00000000006 N/m.
    #[test]
    fn a_published_constant_is_itself_in_every_search(below in 0.0..1.0_f64, above in 0.0..1.0_f64) {
        for param in MODELS.iter().flat_map(|m| m.params).chain(TRAITS) {
            let Kind::Real { default, hard, search, .. } = param.kind else { continue };
            let wide = |end: f64, most: f64| if most.is_finite() { most } else { 100.0 * (1.0 + end.abs()) };
            let (least, most) = (wide(search.0, hard.0).min(default), wide(search.1, hard.1).min(1e3 * search.1).max(default));
            let (low, high) = (default - below * (default - least), default + above * (most - default));
            for (low, high) in [search, hard, (low, high)] {
                for log in [false, low > 0.0] {
                    let axis = Axis::Real { low, high, log };
                    if high.is_finite() && (low..=high).contains(&default) {
                        let again = axis.decode(axis.encode(default));
                        prop_assert_eq!(again.to_bits(), default.to_bits(), "{} in {:?}", param.key, axis);
                    }
                }
            }
        }
    }
}
