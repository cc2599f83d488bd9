use super::*;
use crate::world::Torus;
use crowdtune_core::math::{Vec2, vec2};
use proptest::prelude::*;

const RULE: Rule = Rule { distance_m: 2.0, speed_m_per_s: 0.3, hold: 1.2, least: 3 };

/// People at these places along x, all walking east but for those whose speed is given.
fn near(at: &[f64], speeds: &[(usize, f64)]) -> Neighbors {
    let pos: Vec<Vec2> = at.iter().map(|&x| vec2(x, 0.0)).collect();
    let mut vel = vec![vec2(1.0, 0.0); pos.len()];
    for &(row, speed) in speeds {
        vel[row] = vec2(speed, 0.0);
    }
    let mut near = Neighbors::default();
    near.build(RULE.hold * RULE.distance_m, Torus::default(), &pos, &vel, &vec![0.25; pos.len()]);
    near
}

fn groups(steps: &[Neighbors]) -> Vec<u32> {
    let mut grouping = Grouping::default();
    steps.iter().for_each(|near| grouping.update(near, &RULE));
    grouping.labels().to_vec()
}

#[test]
fn a_chain_is_one_group_and_two_are_none() {
    // 1.9 m from each to the next: the ends are 3.8 m apart. Two at 20 m are too few.
    assert_eq!(groups(&[near(&[0.0, 20.0, 1.9, 21.0, 3.8], &[])]), [0, ALONE, 0, ALONE, 0]);
}

#[test]
fn who_walks_differently_is_not_in_the_group() {
    assert_eq!(groups(&[near(&[0.0, 1.0, 1.9, 3.0], &[(1, -1.0)])]), [0, ALONE, 0, 0]);
    // 0.29 m/s less is alike, 0.31 m/s is not.
    assert_eq!(groups(&[near(&[0.0, 1.0, 1.9, 3.0], &[(1, 0.71)])]), [0; 4]);
    assert_eq!(groups(&[near(&[0.0, 1.0, 1.9, 3.0], &[(1, 0.69)])]), [0, ALONE, 0, 0]);
}

#[test]
fn groups_hold_a_little_longer_than_they_take_to_form() {
    let (tight, loose, wide) = ([0.0, 1.9, 3.8], [0.0, 2.3, 4.6], [0.0, 2.5, 5.0]);
    assert_eq!(groups(&[near(&loose, &[])]), [ALONE; 3]);
    assert_eq!(groups(&[near(&tight, &[]), near(&loose, &[])]), [0; 3]);
    assert_eq!(groups(&[near(&tight, &[]), near(&wide, &[])]), [ALONE; 3]);
}

#[test]
fn labels_go_with_most_of_the_members() {
    let one = near(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[]);
    // Three of seven leave: the four keep the label, the three get a new one.
    let parted = near(&[0.0, 1.0, 2.0, 30.0, 31.0, 32.0, 33.0], &[]);
    assert_eq!(groups(&[one, parted.clone()]), [1, 1, 1, 0, 0, 0, 0]);
    // Of two that join, the larger one.
    let joined = near(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[]);
    assert_eq!(groups(&[parted, joined]), [1; 7]);
}

#[test]
fn of_equal_shares_the_lowest_label_and_the_first_row_count() {
    let two = near(&[0.0, 1.0, 2.0, 30.0, 31.0, 32.0], &[]);
    let one = near(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], &[]);
    assert_eq!(groups(&[two.clone(), one.clone()]), [0; 6]);
    assert_eq!(groups(&[one, two]), [0, 0, 0, 1, 1, 1]);
}

#[test]
fn who_leaves_takes_no_label_along() {
    let mut grouping = Grouping::default();
    grouping.update(&near(&[0.0, 30.0, 1.0, 2.0, 31.0, 32.0, 3.0], &[]), &RULE);
    assert_eq!(grouping.labels(), [0, 1, 0, 0, 1, 1, 0]);
    grouping.remap(&RowMap { old: vec![1, 2, 3, 4, 5, 6] });
    assert_eq!(grouping.labels(), [1, 0, 0, 1, 1, 0]);
    grouping.update(&near(&[30.0, 1.0, 2.0, 31.0, 32.0, 3.0], &[]), &RULE);
    assert_eq!(grouping.labels(), [1, 0, 0, 1, 1, 0]);
    grouping.remap(&RowMap::default());
    grouping.update(&near(&[0.0, 1.0, 2.0], &[]), &RULE);
    assert_eq!(grouping.labels(), [0; 3]);
}

proptest! {
    #[test]
    fn cells_of_any_size_find_the_same_groups(
        people in prop::collection::vec((0.0..20.0_f64, 0.0..9.0_f64, 0..3_u8), 0..60),
        cell in 0.3..4.0_f64,
        ring in any::<bool>(),
    ) {
        let torus = Torus { x: ring.then_some((0.0, 20.0)), y: None };
        let pos: Vec<Vec2> = people.iter().map(|p| vec2(p.0, p.1)).collect();
        let vel: Vec<Vec2> = people.iter().map(|p| vec2(0.25 * f64::from(p.2), 0.0)).collect();
        let found = |cell: f64| {
            let mut near = Neighbors::default();
            near.build(cell, torus, &pos, &vel, &vec![0.25; pos.len()]);
            let mut grouping = Grouping::default();
            (0..2).for_each(|_| grouping.update(&near, &RULE));
            grouping.labels().to_vec()
        };
        // One cell for all tries every pair.
        prop_assert_eq!(found(cell), found(100.0));
    }
}
