//! People around a leader or a person to guard.

use super::averaged::{SECOND_HALF, State, average, real};
use super::members::{Who, middle};
use super::{MakeMetric, Seen, Spec};
use crate::world::scenario::Scenario;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Param, Settings};
use std::f64::consts::TAU;

/// Distance to a leader.
pub static LEADER_DISTANCE_M: Entry<MakeMetric> = Entry {
    name: "leader_distance_m",
    doc: "Mean distance of people from the middle of the group they follow.",
    source: "follow the leader in evolved crowds (Wang and Li 2006); averaging is chosen here",
    params: &[],
    make: MakeMetric::new(
        &|spec, scenario| average(Around::new(Quantity::Distance, spec, scenario), spec, scenario),
        "m",
    )
    .window(SECOND_HALF)
    .of_group()
    .from_center(),
};

/// How closed a ring is.
pub static RING_COVERAGE: Entry<MakeMetric> = Entry {
    name: "ring_coverage",
    doc: "Share of the circle around the guarded people that others cover, each person in a ring around them covering \
          an arc: 1 if no gap is left.",
    source: "chosen here: arcs, because two people opposite each other already cancel in a sum of unit vectors, and \
             fixed sectors jump at their edges",
    params: RING,
    make: MakeMetric::new(
        &|spec, scenario| average(Around::new(Quantity::Coverage, spec, scenario), spec, scenario),
        "",
    )
    .window(SECOND_HALF)
    .of_group()
    .from_center(),
};

const RING: &[Param] = &[
    real(
        "inner_m",
        "m",
        "people nearer than this do not count",
        "chosen here: two bodies of 0.25 m radius touch there",
        0.5,
        (0.0, 1000.0),
    ),
    real(
        "outer_m",
        "m",
        "people farther than this do not count",
        "chosen here: within a few steps of the guarded person",
        3.0,
        (0.01, 1000.0),
    ),
    real("arc_deg", "deg", "arc that each person covers", "chosen here: eight people close a ring", 45.0, (1.0, 360.0)),
];

#[derive(Clone, Copy)]
enum Quantity {
    Distance,
    Coverage,
}

struct Around {
    quantity: Quantity,
    /// The people in the middle, and those around them.
    center: Option<Who>,
    who: Who,
    inner_m: f64,
    outer_m: f64,
    arc: f64,
    points: Vec<Vec2>,
    angles: Vec<f64>,
}

impl Around {
    fn new(quantity: Quantity, spec: &Spec, scenario: &Scenario) -> Self {
        let setting = |key: &str| match quantity {
            Quantity::Coverage => Settings::new(RING, &spec.settings).get(key),
            Quantity::Distance => 0.0,
        };
        let who = Who::asked(spec);
        let people = scenario.people();
        Self {
            quantity,
            center: spec.center.map(Who::group),
            who: match spec.center {
                Some(center) => who.without(center),
                None => who,
            },
            inner_m: setting("inner_m"),
            outer_m: setting("outer_m"),
            arc: setting("arc_deg").to_radians(),
            points: Vec::with_capacity(people),
            angles: Vec::with_capacity(people),
        }
    }

    /// Share of the full turn that arcs of equal width about these angles cover together.
    fn covered(&mut self) -> f64 {
        let angles = &mut self.angles;
        angles.sort_unstable_by(f64::total_cmp);
        let (Some(&first), Some(&last)) = (angles.first(), angles.last()) else { return 0.0 };
        // Between two people at most half an arc from each side is covered.
        let inside: f64 = angles.windows(2).map(|pair| (pair[1] - pair[0]).min(self.arc)).sum();
        (inside + (first + TAU - last).min(self.arc)) / TAU
    }
}

impl State for Around {
    fn measure(&mut self, seen: &Seen<'_>) -> Option<(f64, f64)> {
        self.center.as_ref()?.positions(seen, &mut self.points);
        let center = middle(seen.world, self.points.iter().copied())?;
        self.who.positions(seen, &mut self.points);
        let arms = self.points.iter().map(|&p| seen.world.apart(center, p));
        let value = match self.quantity {
            Quantity::Distance if self.points.is_empty() => return None,
            Quantity::Distance => arms.map(Vec2::length).sum::<f64>() / self.points.len() as f64,
            Quantity::Coverage => {
                self.angles.clear();
                let ring = self.inner_m..=self.outer_m;
                let there = arms.filter(|arm| arm.length2() > 0.0 && ring.contains(&arm.length()));
                self.angles.extend(there.map(|arm| libm::atan2(arm.y, arm.x)));
                self.covered()
            }
        };
        Some((value, 1.0))
    }
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
