//! Overlaps of people with walls.

use super::{MakeMetric, Metric, Need, Seen};
use crowdtune_core::registry::Entry;

/// Deepest overlap of a person with a wall.
pub static WALL_OVERLAP_MAX_M: Entry<MakeMetric> = Entry {
    name: "wall_overlap_max_m",
    doc: "Deepest overlap of a person with a wall at any sample: radius minus distance to the nearest wall; 0 if \
          nobody touches one.",
    source: "SteerBench (penetration depth), applied to walls; door posts count as walls",
    params: &[],
    make: MakeMetric::new(&|_, _| Box::new(WallOverlap { deepest_m: None }), "m")
        .less_is_better()
        .needs(&[Need::Radius]),
};

struct WallOverlap {
    /// `None` before the first sample.
    deepest_m: Option<f64>,
}

impl Metric for WallOverlap {
    fn observe(&mut self, seen: &Seen<'_>) {
        let deepest = seen
            .positions()
            .iter()
            .zip(seen.radii())
            .fold(0.0, |deepest: f64, (&pos, &radius)| deepest.max(radius - seen.world.walls.distance(pos)));
        self.deepest_m = Some(self.deepest_m.unwrap_or(0.0).max(deepest));
    }

    fn value(&self) -> Option<f64> {
        self.deepest_m
    }

    fn reset(&mut self) {
        self.deepest_m = None;
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, make};
    use super::*;
    use crate::world::scenario::Segment;
    use crowdtune_core::math::vec2;

    #[test]
    fn a_person_in_a_door_touches_its_posts() {
        // A door from y = 0 to y = 0.5 in a wall along the y axis; radius 0.3 m.
        let walls =
            vec![Segment { a: vec2(0.0, -5.0), b: vec2(0.0, 0.0) }, Segment { a: vec2(0.0, 0.5), b: vec2(0.0, 5.0) }];
        let film = Film::with_walls(1, 100.0, walls);
        let mut metric = make(&WALL_OVERLAP_MAX_M, &film);
        assert_eq!(metric.value(), None);
        film.show(metric.as_mut(), 0.0, &[(0, (-1.0, 0.25))], &[]);
        assert_eq!(metric.value(), Some(0.0));
        film.show(metric.as_mut(), 0.1, &[(0, (0.0, 0.25))], &[]);
        film.show(metric.as_mut(), 0.2, &[(0, (1.0, 0.25))], &[]);
        assert!((metric.value().unwrap() - 0.05).abs() < 1e-12);
    }
}
