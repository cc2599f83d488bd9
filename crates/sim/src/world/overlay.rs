//! Union and intersection of polygons, by `i_overlay`.

use super::scenario::Polygon;
use crowdtune_core::math::{Vec2, vec2};
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::overlay::{FloatOverlay, OverlayOptions};

/// An outline as `i_overlay` takes it: its corners, the first one not repeated.
pub(crate) type Ring = Vec<[f64; 2]>;

/// A connected piece of a result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// The outline.
    pub outline: Polygon,
    /// Outlines of the holes.
    pub holes: Vec<Polygon>,
}

impl Piece {
    /// Area without the holes, m2.
    pub fn area(&self) -> f64 {
        self.outline.area() - self.holes.iter().map(Polygon::area).sum::<f64>()
    }
}

/// The ring through these corners.
pub(crate) fn ring(points: &[Vec2]) -> Ring {
    points.iter().map(|p| [p.x, p.y]).collect()
}

/// The area that the rings of at least one polygon enclose. The rings turn as the first one does.
pub(crate) fn union(rings: &[Ring]) -> Vec<Piece> {
    let fill = if rings.first().is_some_and(|ring| polygon(ring).signed_area() < 0.0) {
        FillRule::Negative
    } else {
        FillRule::Positive
    };
    let mut union = FloatOverlay::with_subj_custom(rings, OverlayOptions::ogc(), Default::default());
    pieces(union.overlay(OverlayRule::Subject, fill))
}

/// The area that two sets of rings have in common. A ring inside another ring of its set is a hole, whichever way it turns.
pub(crate) fn intersection(one: &[Ring], other: &[Ring]) -> Vec<Piece> {
    let mut both = FloatOverlay::with_subj_and_clip_custom(one, other, OverlayOptions::ogc(), Default::default());
    pieces(both.overlay(OverlayRule::Intersect, FillRule::EvenOdd))
}

fn polygon(ring: &[[f64; 2]]) -> Polygon {
    Polygon { points: ring.iter().map(|&[x, y]| vec2(x, y)).collect() }
}

fn pieces(shapes: Vec<Vec<Ring>>) -> Vec<Piece> {
    let piece = |rings: Vec<Ring>| {
        let mut rings = rings.iter().map(|ring| polygon(ring));
        Some(Piece { outline: rings.next()?, holes: rings.collect() })
    };
    shapes.into_iter().filter_map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use geo::BooleanOps as _;
    use proptest::prelude::*;

    fn square(x: f64, y: f64, side: f64) -> Ring {
        ring(&Polygon::rectangle(vec2(x, y), vec2(x + side, y + side)).points)
    }

    #[test]
    fn two_squares_have_a_union_and_an_intersection() {
        let (a, b) = (square(0.0, 0.0, 2.0), square(1.0, 1.0, 2.0));
        let both = intersection(std::slice::from_ref(&a), std::slice::from_ref(&b));
        assert_eq!((both.len(), both[0].area()), (1, 1.0));
        let all = union(&[a, b]);
        assert_eq!((all.len(), all[0].area()), (1, 7.0));
    }

    #[test]
    fn a_ring_inside_a_ring_is_a_hole_of_an_intersection() {
        let both = intersection(&[square(0.0, 0.0, 4.0), square(1.0, 1.0, 2.0)], &[square(0.0, 0.0, 9.0)]);
        assert_eq!((both.len(), both[0].holes.len(), both[0].area()), (1, 1, 12.0));
        assert!(intersection(&[square(0.0, 0.0, 1.0)], &[square(5.0, 5.0, 1.0)]).is_empty());
    }

    /// A star around a middle, counter-clockwise.
    fn star(middle: Vec2, lengths: &[f64]) -> Vec<Vec2> {
        let step = std::f64::consts::TAU / lengths.len() as f64;
        let corner = |(k, length): (usize, &f64)| {
            middle + vec2(libm::cos(step * k as f64), libm::sin(step * k as f64)) * *length
        };
        lengths.iter().enumerate().map(corner).collect()
    }

    fn to_geo(points: &[Vec2]) -> geo::Polygon<f64> {
        geo::Polygon::new(points.iter().map(|p| (p.x, p.y)).collect(), Vec::new())
    }

    fn of_geo(all: &geo::MultiPolygon<f64>) -> Vec<Piece> {
        let open = |line: &geo::LineString<f64>| {
            let mut points: Vec<Vec2> = line.coords().map(|c| vec2(c.x, c.y)).collect();
            points.pop();
            Polygon { points }
        };
        all.iter()
            .map(|p| Piece { outline: open(p.exterior()), holes: p.interiors().iter().map(open).collect() })
            .collect()
    }

    proptest! {
        #[test]
        fn results_are_those_of_the_geo_crate_bit_for_bit(
            a in proptest::collection::vec(0.5f64..3.0, 3..12),
            b in proptest::collection::vec(0.5f64..3.0, 3..12),
            x in -3.0f64..3.0,
        ) {
            let (a, b) = (star(Vec2::ZERO, &a), star(vec2(x, 0.5), &b));
            let rings = [ring(&a), ring(&b)];
            let (a, b) = (to_geo(&a), to_geo(&b));
            prop_assert_eq!(intersection(&rings[..1], &rings[1..]), of_geo(&a.intersection(&b)));
            prop_assert_eq!(union(&rings), of_geo(&geo::unary_union([&a, &b])));
        }
    }
}
