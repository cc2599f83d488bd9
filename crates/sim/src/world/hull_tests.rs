use super::*;
use crowdtune_core::math::vec2;
use proptest::prelude::*;

const FAR: f64 = f64::INFINITY;

fn hull(points: &[(f64, f64)]) -> Hull {
    let mut hull = Hull::default();
    hull.wrap(points.iter().map(|&(x, y)| vec2(x, y)));
    hull
}

#[track_caller]
fn is(found: Option<Away>, normal: Vec2, distance: f64) {
    let found = found.unwrap();
    assert!((found.normal - normal).length() < 1e-12 && (found.distance - distance).abs() < 1e-12, "{found:?}");
}

#[test]
fn a_square_keeps_its_corners_and_nothing_else() {
    let square =
        hull(&[(1.0, 1.0), (0.0, 0.0), (0.5, 0.5), (2.0, 0.0), (1.0, 0.0), (2.0, 2.0), (0.0, 2.0), (0.0, 1.0)]);
    assert_eq!(square.corners(), [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 2.0), vec2(0.0, 2.0)]);
}

#[test]
fn one_point_two_points_and_a_line_are_hulls() {
    assert!(hull(&[]).corners().is_empty() && hull(&[]).away(Vec2::ZERO, FAR).is_none());
    let point = hull(&[(1.0, 2.0), (1.0, 2.0)]);
    assert_eq!(point.corners(), [vec2(1.0, 2.0)]);
    is(point.away(vec2(1.0, 5.0), FAR), vec2(0.0, 1.0), 3.0);
    is(point.away(vec2(1.0, 2.0), FAR), Vec2::ZERO, 0.0);
    assert!(point.away(vec2(1.0, 5.0), 2.9).is_none() && point.away(vec2(1.0, 5.0), 3.0).is_some());
    let line = hull(&[(2.0, 2.0), (0.0, 0.0), (1.0, 1.0), (3.0, 3.0)]);
    assert_eq!(line.corners(), [vec2(0.0, 0.0), vec2(3.0, 3.0)]);
    is(line.away(vec2(4.0, 3.0), FAR), vec2(1.0, 0.0), 1.0);
    let along = 0.5_f64.sqrt();
    is(line.away(vec2(1.0, 2.0), FAR), vec2(-along, along), along);
    assert!(line.away(vec2(1.0, 1.0), FAR).unwrap().distance.abs() < 1e-12);
}

#[test]
fn out_of_a_square_leads_the_shortest_way() {
    let square = hull(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]);
    is(square.away(vec2(3.0, 2.0), FAR), vec2(1.0, 0.0), -1.0);
    is(square.away(vec2(6.0, 1.0), FAR), vec2(1.0, 0.0), 2.0);
    assert!(square.away(vec2(6.0, 1.0), 1.9).is_none() && square.away(vec2(7.0, 8.0), 4.9).is_none());
    is(square.away(vec2(7.0, 8.0), FAR), vec2(0.6, 0.8), 5.0);
    // In the middle all four are equally long: the first edge, the lower one.
    is(square.away(vec2(2.0, 2.0), FAR), vec2(0.0, -1.0), -2.0);
    is(square.away(vec2(4.0, 1.0), FAR), vec2(1.0, 0.0), 0.0);
}

#[test]
fn a_swept_square_is_a_hexagon() {
    let square = hull(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]);
    let mut swept = Hull::default();
    swept.sweep(&square, vec2(2.0, 1.0));
    let corners = [(0.0, 0.0), (1.0, 0.0), (3.0, 1.0), (3.0, 2.0), (2.0, 2.0), (0.0, 1.0)];
    assert_eq!(swept.corners(), corners.map(|(x, y)| vec2(x, y)));
    swept.sweep(&square, Vec2::ZERO);
    assert_eq!(swept.corners(), square.corners());
}

/// Points on a lattice, so that many lie on one line and on each other.
fn lattice() -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec((0..12i32, 0..12i32), 1..60)
        .prop_map(|points| points.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect())
}

proptest! {
    #[test]
    fn hulls_are_convex_hold_all_points_and_forget_the_order(points in lattice()) {
        let found = hull(&points);
        let corners = found.corners();
        let n = corners.len();
        for k in 0..n {
            let (a, b, c) = (corners[k], corners[(k + 1) % n], corners[(k + 2) % n]);
            prop_assert!(n < 3 || (b - a).cross(c - b) > 0.0);
        }
        for &(x, y) in &points {
            prop_assert!(found.away(vec2(x, y), FAR).is_none_or(|away| away.distance <= 1e-9));
        }
        prop_assert!(corners.iter().all(|c| points.contains(&(c.x, c.y))));
        let mut turned = points.clone();
        turned.reverse();
        let turned = hull(&turned);
        prop_assert_eq!(turned.corners(), corners);
    }

    #[test]
    fn the_way_out_leads_to_the_edge(points in lattice(), x in -3.0..15.0_f64, y in -3.0..15.0_f64) {
        let found = hull(&points);
        if let Some(away) = found.away(vec2(x, y), FAR) {
            let edge = vec2(x, y) - away.normal * away.distance;
            prop_assert!(found.away(edge, FAR).is_none_or(|there| there.distance.abs() < 1e-9), "{:?}", away);
        }
    }
}
