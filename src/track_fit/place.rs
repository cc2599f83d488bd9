//! The place of a recording that comes without one.

use crate::wkt::Shapes;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::crowd::recording::Recording;
use crowdtune_sim::world::Hull;
use crowdtune_sim::world::scenario::Polygon;

/// How far the edge of such a place is from people, besides a body radius, m. Chosen here: nobody has seen a wall there, and people
/// come in and go across it, so that it should be beyond the reach of what walls do in a model.
pub(crate) const MARGIN_M: f64 = 2.0;
/// Corners of an octagon around the unit circle: (1, tan 22.5 degrees) and its mirror images.
const OCTAGON: f64 = std::f64::consts::SQRT_2 - 1.0;

/// The convex hull of all recorded places, widened by a body radius and [`MARGIN_M`]: each corner becomes an octagon.
pub(crate) fn around(recording: &Recording, radius_m: f64) -> Shapes {
    let mut hull = Hull::default();
    hull.wrap(recording.moments.iter().flat_map(|moment| moment.positions.iter().copied()));
    let wide = radius_m + MARGIN_M;
    let octagon = [(1.0, OCTAGON), (OCTAGON, 1.0)]
        .into_iter()
        .flat_map(|(x, y)| [vec2(x, y), vec2(-x, y), vec2(x, -y), vec2(-x, -y)].map(|corner: Vec2| corner * wide));
    let octagon: Vec<Vec2> = octagon.collect();
    let corners: Vec<Vec2> =
        hull.corners().iter().flat_map(|&corner| octagon.iter().map(move |&off| round(corner + off))).collect();
    hull.wrap(corners);
    Shapes { polygons: vec![(Polygon { points: hull.corners().to_vec() }, Vec::new())], ..Shapes::default() }
}

/// To whole centimeters: nobody measured the edge of this place.
fn round(p: Vec2) -> Vec2 {
    let cm = |x: f64| (100.0 * x).round() / 100.0;
    vec2(cm(p.x), cm(p.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_sim::crowd::recording::Row;

    #[test]
    fn one_who_stands_is_in_an_octagon() {
        let rows = vec![Row { id: 1, frame: 0, pos: vec2(10.0, 20.0), line: 1 }];
        let shapes = around(&Recording::of(10.0, rows).unwrap(), 0.3);
        let corners = &shapes.polygons[0].0.points;
        // 2.3 m to each side; 2.3 tan 22.5 degrees is 0.95.
        assert_eq!(corners.len(), 8);
        assert!(corners.contains(&vec2(12.3, 20.95)) && corners.contains(&vec2(9.05, 17.7)), "{corners:?}");
    }
}
