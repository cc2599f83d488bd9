use super::*;
use crate::world::Torus;
use crowdtune_core::math::lanes::Plain;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::{Settings, defaults};
use proptest::prelude::*;

/// Rows of those whom somebody finds who sees so far and so wide, the nearest first.
fn found(pos: &[Vec2], row: usize, heading: Vec2, torus: Torus, set: &[(&str, f64)]) -> Vec<usize> {
    let params = super::super::params::PARAMS;
    let mut values = defaults(params);
    for (key, value) in set {
        values[params.iter().position(|p| p.key == *key).unwrap()] = *value;
    }
    let c = Constants::new(&Settings::new(params, &values), 0.5);
    let crowd = Crowd::at(pos.to_vec());
    let mut near = Neighbors::default();
    near.build(c.sees, torus, pos, &crowd.vel, &crowd.radius);
    let (mut tile, mut nearest) = (Tile::default(), Nearest::default());
    let mut cells = near.cells();
    while let Some((slots, ranges)) = cells.advance() {
        tile.gather::<Plain, 2>(&near.lanes, ranges);
        for slot in slots {
            if near.row[slot] as usize == row {
                nearest.find::<Plain>(&near, &tile, slot, &crowd, (&c, heading));
            }
        }
    }
    nearest.found().iter().map(|f| near.row[f.slot as usize] as usize).collect()
}

#[test]
fn of_equally_near_ones_the_lower_id_comes_first() {
    let pos = [vec2(2.0, 0.0), vec2(0.0, 2.0), vec2(0.0, 0.0), vec2(-2.0, 0.0), vec2(0.0, -1.0)];
    let see = |most: f64| found(&pos, 2, vec2(1.0, 0.0), Torus::default(), &[("max_neighbors", most)]);
    assert_eq!(see(10.0), [4, 0, 1, 3]);
    assert_eq!(see(3.0), [4, 0, 1]);
    assert!(see(0.0).is_empty());
}

#[test]
fn a_cone_hides_who_is_behind_but_for_whom_one_stands_in() {
    let pos = [vec2(0.0, 0.0), vec2(3.0, 0.0), vec2(-3.0, 0.0), vec2(-0.5, 0.0), vec2(1.0, 3.0)];
    let see = |view: f64| found(&pos, 0, vec2(1.0, 0.0), Torus::default(), &[("field_of_view_deg", view)]);
    assert_eq!(see(360.0), [3, 1, 2, 4]);
    assert_eq!(see(180.0), [3, 1, 4]);
    assert_eq!(see(90.0), [3, 1]);
}

proptest! {
    #[test]
    fn the_nearest_are_those_of_a_search_of_all(
        points in prop::collection::vec((0.0..20.0_f64, 0.0..12.0_f64), 2..80),
        most in 1..12_usize,
        sees in 1.0..8.0_f64,
        ring in any::<bool>(),
    ) {
        let torus = Torus { x: ring.then_some((0.0, 20.0)), y: None };
        let pos: Vec<Vec2> = points.iter().map(|&(x, y)| vec2(x, y)).collect();
        let mut all: Vec<(f64, usize)> = (1..pos.len()).map(|k| (torus.apart(pos[0], pos[k]).length2(), k)).collect();
        all.retain(|(d2, _)| *d2 <= sees * sees);
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let wanted: Vec<usize> = all.iter().take(most).map(|f| f.1).collect();
        let set = [("max_neighbors", most as f64), ("neighbor_distance_m", sees)];
        prop_assert_eq!(found(&pos, 0, vec2(1.0, 0.0), torus, &set), wanted);
    }
}
