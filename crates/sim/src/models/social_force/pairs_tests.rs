use super::*;
use crate::crowd::Crowd;
use crate::world::Torus;
use crowdtune_core::math::exp::exp;
use crowdtune_core::math::lanes::{self, Path};
use crowdtune_core::registry::{Settings, defaults};
use proptest::prelude::*;

/// Force, its absolute sum and who is in touch, in double precision, one pair after the other.
fn one_by_one(near: &Neighbors, c: &Constants, e: &[Vec2], slot: usize) -> (Vec2, f64, Vec<u32>) {
    let (mut force, mut push, mut touching) = (Vec2::ZERO, 0.0, Vec::new());
    for other in (0..near.len()).filter(|&other| other != slot) {
        let apart = near.apart(near.pos[other], near.pos[slot]);
        let (d, touch) = (apart.length(), near.radius[slot] + near.radius[other]);
        if d < touch {
            touching.push(other as u32);
        } else if d <= touch + c.feels {
            let n = apart / d;
            let seen = c.anisotropy + (1.0 - c.anisotropy) * 0.5 * (1.0 - n.dot(e[near.row[slot] as usize]));
            let one = c.strength * exp((touch - d) * c.per_range) * seen;
            force += n * one;
            push += one;
        }
    }
    touching.sort_unstable();
    (force, push, touching)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn eight_at_a_time_feel_what_one_by_one_feels(
        people in prop::collection::vec((0.0..12.0f64, 0.0..7.0f64, 0.2..0.35f64, 0.0..6.2f64), 1..120),
        ring in any::<bool>(),
        anisotropy in 0.0..1.0f64,
    ) {
        let torus = Torus { x: ring.then_some((0.0, 12.0)), y: None };
        let params = super::super::params::PARAMS;
        let mut values = defaults(params);
        values[params.iter().position(|p| p.key == "anisotropy").unwrap()] = anisotropy;
        let groups = [Constants::new(&Settings::new(params, &values), 80.0)];
        let pos: Vec<Vec2> = people.iter().map(|p| vec2(p.0, p.1)).collect();
        let radius: Vec<f64> = people.iter().map(|p| p.2).collect();
        let direction: Vec<Vec2> = people.iter().map(|p| vec2(libm::cos(p.3), libm::sin(p.3))).collect();
        let mut near = Neighbors::default();
        near.build(0.7 + groups[0].feels, torus, &pos, &vec![Vec2::ZERO; pos.len()], &radius);
        let group = vec![0; pos.len()];
        for path in [Path::Baseline, Path::Avx2, Path::Avx512] {
            if !lanes::choose(path) {
                continue;
            }
            let mut felt = Felt::default();
            let (mut cells, mut done) = (near.cells(), 0);
            while done < near.len() {
                let pairs = Pairs { near: &near, cells: &mut cells, groups: &groups, group: &group, by_row: ByRow { crowd: &Crowd::default(), direction: &direction, next_vel: &[], walled: false }, steered: &[], giving: None, sums_pushes: true, felt: &mut felt };
                let people = pairs.next();
                prop_assert!(people > 0, "{done} of {}", near.len());
                prop_assert_eq!(felt.touching().count(), people);
                for (person, ours) in felt.touching().enumerate() {
                    let (force, push, touching) = one_by_one(&near, &groups[0], &direction, done + person);
                    let mut ours = ours.to_vec();
                    ours.sort_unstable();
                    // A rounding error of 1e-6 m decides who touches; the push there is that of the paper, 2000 N.
                    prop_assume!(ours == touching);
                    prop_assert!((felt.force[person] - force).length() <= 2e-4 * push + 1e-3, "{force:?}");
                    prop_assert!((felt.push[person] - push).abs() <= 2e-4 * push + 1e-3, "{push}");
                }
                done += people;
            }
            prop_assert!(cells.advance().is_none());
        }
    }
}

/// Everybody's force, by row.
fn forces(people: &[(f64, f64)], groups: &[Constants]) -> Vec<Vec2> {
    let pos: Vec<Vec2> = people.iter().map(|p| vec2(p.0, p.1)).collect();
    let (radius, direction, group) = (vec![0.3; pos.len()], vec![vec2(1.0, 0.0); pos.len()], vec![0; pos.len()]);
    let mut near = Neighbors::default();
    near.build(0.7 + groups[0].feels, Torus::default(), &pos, &vec![Vec2::ZERO; pos.len()], &radius);
    let (mut felt, mut by_row) = (Felt::default(), vec![Vec2::ZERO; pos.len()]);
    let (mut cells, mut done) = (near.cells(), 0);
    while done < near.len() {
        let pairs = Pairs {
            near: &near,
            cells: &mut cells,
            groups,
            group: &group,
            by_row: ByRow { crowd: &Crowd::default(), direction: &direction, next_vel: &[], walled: false },
            steered: &[],
            giving: None,
            sums_pushes: false,
            felt: &mut felt,
        };
        let people = pairs.next();
        for (&row, &force) in near.row[done..].iter().zip(&felt.force[..people]) {
            by_row[row as usize] = force;
        }
        done += people;
    }
    by_row
}

proptest! {
    #[test]
    fn a_small_crowd_feels_the_same_bits_beside_a_large_one_far_away(
        people in prop::collection::vec((0.0..8.0f64, 0.0..8.0f64), 1..SMALL),
    ) {
        let params = super::super::params::PARAMS;
        let groups = [Constants::new(&Settings::new(params, &defaults(params)), 80.0)];
        // The same corner of the grid for both, in a cell of its own.
        let alone = [&[(-4.0, -4.0)][..], &people].concat();
        let others = (0..2 * SMALL).map(|k| (12.0 + 0.7 * (k % 8) as f64, 0.7 * (k / 8) as f64));
        let beside: Vec<_> = alone.iter().copied().chain(others).collect();
        prop_assert_eq!(&forces(&alone, &groups)[..], &forces(&beside, &groups)[..alone.len()]);
    }
}
