use super::*;
use crate::world::Torus;
use crowdtune_core::math::lanes::{self, Path};
use proptest::prelude::*;

const LAW: Law =
    Law { weight: 1.0, exponent: 1.0, reaction_s: 0.5, ahead_cos: std::f64::consts::FRAC_1_SQRT_2, within_m: 3.0 };

fn neighbors(torus: Torus, cell: f64, pos: &[Vec2]) -> Neighbors {
    let mut near = Neighbors::default();
    near.build(cell, torus, pos, &vec![Vec2::ZERO; pos.len()], &vec![0.25; pos.len()]);
    near
}

/// Leaders by row, of people who all walk along one way.
fn leaders(near: &Neighbors, labels: &[u32], law: Law, heading: Vec2) -> Vec<Option<usize>> {
    let mut seekers = Seekers::default();
    seekers.begin(near.row.iter().map(|&row| labels[row as usize]));
    seekers.heading.fill(heading);
    let group = vec![0; labels.len()];
    lanes::run(Search { near, seekers: &mut seekers, laws: &[law], group: &group, max_radius_m: 0.25 });
    let mut found = vec![None; labels.len()];
    for (slot, &leader) in seekers.leader.iter().enumerate() {
        found[near.row[slot] as usize] = (leader != NOBODY).then(|| near.row[leader as usize] as usize);
    }
    found
}

/// The same by asking everybody.
fn brute(near: &Neighbors, pos: &[Vec2], labels: &[u32], law: Law, heading: Vec2) -> Vec<Option<usize>> {
    let leader = |row: usize| {
        let mut best: Option<(f64, usize)> = None;
        for other in (0..pos.len()).filter(|&o| o != row && labels[o] == labels[row]) {
            let Some(ahead) = law.leads(heading, near.apart(pos[row], pos[other]), 0.5) else { continue };
            if best.is_none_or(|(d, _)| ahead.distance_m < d) {
                best = Some((ahead.distance_m, other));
            }
        }
        best.map(|(_, other)| other)
    };
    (0..pos.len()).map(leader).collect()
}

#[test]
fn the_nearest_of_the_group_leads() {
    // 1 m ahead a stranger, then one at 2 m of the own group, and one at 2.5 m.
    let pos = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(2.5, 0.0), vec2(2.0, 0.1)];
    let near = neighbors(Torus::default(), 1.0, &pos);
    assert_eq!(leaders(&near, &[7, 1, 7, 7], LAW, vec2(1.0, 0.0)), [Some(3), None, None, Some(2)]);
}

#[test]
fn of_two_at_one_distance_the_lower_row_leads() {
    let pos = [vec2(2.0, 0.25), vec2(0.0, 0.0), vec2(2.0, -0.25)];
    let near = neighbors(Torus::default(), 1.0, &pos);
    assert_eq!(leaders(&near, &[4; 3], LAW, vec2(1.0, 0.0))[1], Some(0));
}

proptest! {
    #[test]
    fn everybody_gets_the_leader_that_brute_force_finds(
        points in prop::collection::vec((0.0..12.0_f64, 0.0..9.0_f64, 0..2_u32), 0..90),
        angle in prop_oneof![0.0..std::f64::consts::TAU, (0..8_u32).prop_map(|k| f64::from(k) * 0.25 * std::f64::consts::PI)],
        (ring_x, ring_y) in (any::<bool>(), any::<bool>()),
        cell in 0.3..4.0_f64,
        ahead_cos in -0.5..0.95_f64,
        far in prop_oneof![Just(0.0), Just(4e4)],
    ) {
        // Far from the corner of the grid single precision knows places to some millimeters only.
        let far = if ring_x || ring_y { 0.0 } else { far };
        let mut pos: Vec<Vec2> = points.iter().map(|p| vec2(p.0 + far, p.1 + far)).collect();
        let mut labels: Vec<u32> = points.iter().map(|p| p.2 + LABELS).collect();
        if far > 0.0 {
            pos.push(Vec2::ZERO);
            labels.push(0);
        }
        let torus = Torus { x: ring_x.then_some((0.0, 12.0)), y: ring_y.then_some((0.0, 9.0)) };
        let near = neighbors(torus, cell, &pos);
        let (law, heading) = (Law { ahead_cos, ..LAW }, vec2(libm::cos(angle), libm::sin(angle)));
        let expected = brute(&near, &pos, &labels, law, heading);
        prop_assert_eq!(leaders(&near, &labels, law, heading), expected);
    }
}

#[test]
fn all_paths_find_the_same() {
    let pos: Vec<Vec2> = (0..200).map(|k| vec2(f64::from(k * 37 % 101) * 0.1, f64::from(k * 53 % 97) * 0.1)).collect();
    let near = neighbors(Torus::default(), 1.0, &pos);
    let labels: Vec<u32> = (0..200).map(|k| k % 3).collect();
    let heading = vec2(0.6, 0.8);
    let (best, expected) = (lanes::chosen(), brute(&near, &pos, &labels, LAW, heading));
    for path in [Path::Baseline, Path::Avx2, Path::Avx512] {
        if lanes::choose(path) {
            assert_eq!(leaders(&near, &labels, LAW, heading), expected, "{path:?}");
        }
    }
    lanes::choose(best);
}
