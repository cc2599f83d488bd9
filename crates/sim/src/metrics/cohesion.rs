//! Whether a group keeps together.

use super::averaged::{SECOND_HALF, State, average, real};
use super::members::{Who, middle};
use super::{MakeMetric, Metric, Seen, Spec};
use crate::world::scenario::Scenario;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::exp::exp;
use crowdtune_core::registry::{Entry, Param, Settings};

/// Distance to the middle.
pub static DISPERSION_M: Entry<MakeMetric> = Entry {
    name: "dispersion_m",
    doc: "Mean distance of people from the middle of their group.",
    source: "usual in flocking; the group dispersion of evolved crowds (Wang and Li 2006 measure distances in a group)",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Cohesion::make(Quantity::Dispersion, spec, scenario), "m")
        .window(SECOND_HALF)
        .of_group(),
};

/// Largest distance in a group.
pub static EXTENT_M: Entry<MakeMetric> = Entry {
    name: "extent_m",
    doc: "Largest distance between two people of the group.",
    source: "diameter of a set of points",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Cohesion::make(Quantity::Extent, spec, scenario), "m")
        .window(SECOND_HALF)
        .of_group(),
};

/// Dispersion on a scale from 0 to 1.
pub static COHESION_INDEX: Entry<MakeMetric> = Entry {
    name: "cohesion_index",
    doc: "How closely a group keeps together: exp(-D / D0), where D is the dispersion and D0 = 0.5 sqrt(N) x \
          preferred distance; about 0.5 at that distance, 0 far apart.",
    source: "chosen here: D0 grows like the radius of a disc full of people, so groups of all sizes compare",
    params: PREFERRED,
    make: MakeMetric::new(&|spec, scenario| Cohesion::make(Quantity::Index, spec, scenario), "")
        .window(SECOND_HALF)
        .of_group(),
};

const PREFERRED: &[Param] = &[real(
    "preferred_distance_m",
    "m",
    "distance between neighbors in a group that keeps together",
    "median distance of walking pairs in the recording UCY zara01",
    0.88,
    (0.01, 100.0),
)];

#[derive(Clone, Copy)]
enum Quantity {
    Dispersion,
    Extent,
    Index,
}

struct Cohesion {
    quantity: Quantity,
    who: Who,
    preferred_m: f64,
    points: Vec<Vec2>,
    /// Distance from the middle and the point, farthest first.
    farthest: Vec<(f64, Vec2)>,
}

impl Cohesion {
    fn make(quantity: Quantity, spec: &Spec, scenario: &Scenario) -> Box<dyn Metric> {
        let preferred_m = match quantity {
            Quantity::Index => Settings::new(PREFERRED, &spec.settings).get("preferred_distance_m"),
            Quantity::Dispersion | Quantity::Extent => 0.0,
        };
        let people = scenario.people();
        let (points, farthest) = (Vec::with_capacity(people), Vec::with_capacity(people));
        average(Cohesion { quantity, who: Who::asked(spec), preferred_m, points, farthest }, spec, scenario)
    }
}

impl State for Cohesion {
    fn measure(&mut self, seen: &Seen<'_>) -> Option<(f64, f64)> {
        let Self { points, farthest, .. } = self;
        self.who.positions(seen, points);
        if points.len() < 2 {
            return None;
        }
        let n = points.len() as f64;
        let middle = middle(seen.world, points.iter().copied())?;
        let distance = |p: Vec2| seen.world.apart(middle, p).length();
        let dispersion = || points.iter().map(|&p| distance(p)).sum::<f64>() / n;
        let value = match self.quantity {
            Quantity::Dispersion => dispersion(),
            Quantity::Index => exp(-dispersion() / (0.5 * n.sqrt() * self.preferred_m)),
            Quantity::Extent => {
                farthest.clear();
                farthest.extend(points.iter().map(|&p| (distance(p), p)));
                farthest.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
                let mut best = 0.0_f64;
                for (k, &(arm, from)) in farthest.iter().enumerate() {
                    // Two people are at most as far apart as both are from the middle.
                    for &(other, to) in &farthest[k + 1..] {
                        if arm + other <= best {
                            break;
                        }
                        best = best.max(seen.world.apart(from, to).length());
                    }
                }
                best
            }
        };
        Some((value, 1.0))
    }
}

#[cfg(test)]
#[path = "cohesion_tests.rs"]
mod tests;
