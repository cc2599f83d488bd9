use super::*;
use geo::{Area as _, Contains as _, Validation as _};
use proptest::prelude::*;

/// The polygon as one of the `geo` crate.
fn to_geo(polygon: &Polygon) -> geo::Polygon<f64> {
    geo::Polygon::new(polygon.points.iter().map(|c| (c.x, c.y)).collect(), Vec::new())
}

#[test]
fn closest_point_is_the_foot_or_an_end() {
    let s = Segment { a: vec2(0.0, 0.0), b: vec2(4.0, 0.0) };
    assert_eq!(s.closest(vec2(1.0, 2.0)), vec2(1.0, 0.0));
    assert_eq!(s.closest(vec2(-1.0, 2.0)), s.a);
    assert_eq!(s.closest(vec2(7.0, 4.0)), s.b);
    assert_eq!(s.distance(vec2(7.0, 4.0)), 5.0);
}

#[test]
fn an_l_shape_has_area_3_centroid_five_sixths_and_no_inside_in_its_notch() {
    let p = Polygon::checked(vec![
        vec2(0.0, 0.0),
        vec2(0.0, 2.0),
        vec2(1.0, 2.0),
        vec2(1.0, 1.0),
        vec2(2.0, 1.0),
        vec2(2.0, 0.0),
    ])
    .unwrap();
    assert_eq!(p.signed_area(), 3.0);
    let c = p.centroid();
    assert!((c - vec2(5.0 / 6.0, 5.0 / 6.0)).length() < 1e-12);
    assert!(p.contains(vec2(0.5, 1.5)) && !p.contains(vec2(1.5, 1.5)));
    assert!(p.contains(vec2(0.0, 0.0)) && !p.contains(vec2(2.0, 0.5)));
}

#[test]
fn bad_outlines_are_named() {
    let bow = vec![vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(0.0, 2.0)];
    assert!(Polygon::checked(bow).unwrap_err().what().contains("crosses"));
    let line = vec![vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(2.0, 2.0)];
    assert!(Polygon::checked(line).unwrap_err().what().contains("no area"));
    let nan = vec![vec2(0.0, f64::NAN), vec2(1.0, 1.0), vec2(2.0, 0.0)];
    assert!(Polygon::checked(nan).unwrap_err().what().contains("cannot be placed"));
    assert!(Polygon::checked(vec![vec2(0.0, 0.0); 9]).unwrap_err().what().contains("1 different"));
}

proptest! {
    #[test]
    fn accepted_outlines_are_those_that_the_geo_crate_accepts(
        ring in proptest::collection::vec((-3i32..4, -3i32..4), 3..8)
    ) {
        let points: Vec<Vec2> = ring.iter().map(|&(x, y)| vec2(x.into(), y.into())).collect();
        let valid = to_geo(&Polygon { points: points.clone() }).check_validation().is_ok();
        match Polygon::checked(points.clone()) {
            Ok(polygon) => prop_assert!(to_geo(&polygon).check_validation().is_ok()),
            // The geo crate lets repeated points and outlines without area pass in some cases.
            Err(error) => prop_assert!(!valid || !error.what().contains("crosses"), "{points:?}"),
        }
    }

    #[test]
    fn inside_and_area_agree_with_the_geo_crate(
        star in proptest::collection::vec(0.5f64..3.0, 3..12), x in -3.0f64..3.0, y in -3.0f64..3.0
    ) {
        let n = star.len() as f64;
        let points = star.iter().enumerate().map(|(i, r)| {
            let a = std::f64::consts::TAU * i as f64 / n;
            vec2(r * libm::cos(a), r * libm::sin(a))
        });
        let polygon = Polygon { points: points.collect() };
        let other = to_geo(&polygon);
        prop_assert!((polygon.signed_area() - other.signed_area()).abs() < 1e-9);
        let p = vec2(x, y);
        if (p - polygon.closest_on_outline(p)).length() > 1e-9 {
            prop_assert_eq!(polygon.contains(p), other.contains(&geo::Point::new(x, y)));
        }
    }
}
