//! How far people are from their neighbors.

use super::averaged::{SECOND_HALF, State, average, real};
use super::members::Who;
use super::{At, MakeMetric, Metric, Place, Seen, Spec};
use crate::world::World;
use crate::world::scenario::Scenario;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// Distance to the nearest neighbor.
pub static NEAREST_NEIGHBOR_M: Entry<MakeMetric> = Entry {
    name: "nearest_neighbor_m",
    doc: "Mean distance of people to the nearest other person of the group, center to center.",
    source: "usual in flocking and in point statistics (Clark and Evans 1954)",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Spacing::make(Quantity::Nearest, spec, scenario), "m")
        .window(SECOND_HALF)
        .of_group()
        .at(At::Area),
};

/// Number of clusters.
pub static CONNECTED_GROUPS: Entry<MakeMetric> = Entry {
    name: "connected_groups",
    doc: "Number of clusters, where people at most `link_m` apart belong together: 1 if all do.",
    source: "single-linkage clusters; the length is chosen here: beyond the 1.16 m that holds 90 % of real pairs (UCY \
             zara01)",
    params: LINK,
    make: MakeMetric::new(&|spec, scenario| Spacing::make(Quantity::Clusters, spec, scenario), "")
        .window(SECOND_HALF)
        .of_group(),
};

/// How regular people stand.
pub static CLARK_EVANS: Entry<MakeMetric> = Entry {
    name: "clark_evans",
    doc: "Mean distance to the nearest neighbor in a region over that of random points, 0.5 sqrt(area / N): below 1 \
          clustered, 1 random, 2 a square lattice.",
    source: "Clark and Evans 1954, without edge correction",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Spacing::make(Quantity::ClarkEvans, spec, scenario), "")
        .window(SECOND_HALF)
        .of_group()
        .at(At::Region),
};

const LINK: &[Param] = &[real(
    "link_m",
    "m",
    "people at most this far apart are linked",
    "chosen here: beyond the 1.16 m that holds 90 % of real pairs (UCY zara01)",
    1.5,
    (0.01, 1000.0),
)];

#[derive(Clone, Copy)]
enum Quantity {
    Nearest,
    Clusters,
    ClarkEvans,
}

struct Spacing {
    quantity: Quantity,
    who: Who,
    link_m: f64,
    /// Of the region, m2.
    area: Option<f64>,
    points: Vec<Vec2>,
    sorted: Sorted,
    parents: Vec<usize>,
}

impl Spacing {
    fn make(quantity: Quantity, spec: &Spec, scenario: &Scenario) -> Box<dyn Metric> {
        let link_m = match quantity {
            Quantity::Clusters => Settings::new(LINK, &spec.settings).get("link_m"),
            Quantity::Nearest | Quantity::ClarkEvans => 0.0,
        };
        let area = match &spec.at {
            Some(Place::Area(area)) => Some(area.area()),
            _ => None,
        };
        let people = scenario.people();
        let (points, parents) = (Vec::with_capacity(people), Vec::with_capacity(people));
        let spacing =
            Spacing { quantity, who: Who::asked(spec), link_m, area, points, sorted: Sorted::default(), parents };
        average(spacing, spec, scenario)
    }
}

impl Spacing {
    /// Number of clusters of the sorted points.
    fn clusters(&mut self, world: &World) -> usize {
        let Self { sorted, parents, link_m, .. } = self;
        parents.clear();
        parents.extend(0..self.points.len());
        let mut clusters = self.points.len();
        sorted.pairs(world, *link_m, |i, j| {
            let (a, b) = (root(parents, i), root(parents, j));
            if a != b {
                parents[a.max(b)] = a.min(b);
                clusters -= 1;
            }
            clusters > 1
        });
        clusters
    }
}

fn root(parents: &mut [usize], mut of: usize) -> usize {
    while parents[of] != of {
        parents[of] = parents[parents[of]];
        of = parents[of];
    }
    of
}

impl State for Spacing {
    fn measure(&mut self, seen: &Seen<'_>) -> Option<(f64, f64)> {
        self.who.positions(seen, &mut self.points);
        let n = self.points.len();
        self.sorted.sort(seen.world, self.points.iter().copied());
        let value = match self.quantity {
            Quantity::Clusters if n == 0 => return None,
            Quantity::Clusters => self.clusters(seen.world) as f64,
            Quantity::Nearest => self.sorted.nearest(seen.world)?,
            Quantity::ClarkEvans => self.sorted.nearest(seen.world)? / (0.5 * (self.area? / n as f64).sqrt()),
        };
        Some((value, 1.0))
    }
}

/// Points in order along one axis, so that whoever is near is found nearby.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorted {
    /// Coordinate along the axis, number of the point as it came, the point.
    points: Vec<(f64, usize, Vec2)>,
    /// Circumference along the axis; infinite where it is open.
    ring: f64,
}

impl Sorted {
    /// Takes points along the longer side of the crowd.
    pub fn sort(&mut self, world: &World, points: impl Iterator<Item = Vec2>) {
        self.points.clear();
        self.points.extend(points.enumerate().map(|(i, p)| (p.x, i, p)));
        let extent = |of: fn(&Vec2) -> f64| {
            let ends = self.points.iter().map(|(_, _, p)| of(p));
            let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), c| (l.min(c), h.max(c)));
            high - low
        };
        let by_y = extent(|p| p.y) > extent(|p| p.x);
        let size = world.plan.periodic.size();
        self.ring = if by_y { size.y } else { size.x };
        if by_y {
            self.points.iter_mut().for_each(|p| p.0 = p.2.y);
        }
        self.points.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// Calls `visit` for the places in the order up (or down) from `k`, as long as they are at most as far along the axis as
    /// it last returned; each side of a ring ends half way round.
    fn walk(&self, k: usize, up: bool, mut reach: f64, mut visit: impl FnMut(usize) -> f64) {
        let n = self.points.len();
        for step in 1..n {
            let (at, turned) = match up {
                true if k + step < n => (k + step, false),
                true => (k + step - n, true),
                false if step <= k => (k - step, false),
                false => (k + n - step, true),
            };
            if turned && self.ring.is_infinite() {
                break;
            }
            let way = if up { self.points[at].0 - self.points[k].0 } else { self.points[k].0 - self.points[at].0 };
            let way = if turned { way + self.ring } else { way };
            // At exactly half a ring a pair would meet from both sides.
            if way > reach || 2.0 * way > self.ring || (2.0 * way == self.ring && turned) {
                break;
            }
            reach = visit(at);
        }
    }

    /// Calls `each` with the numbers of all pairs at most `reach_m` apart, each pair once, until it returns false.
    pub fn pairs(&self, world: &World, reach_m: f64, mut each: impl FnMut(usize, usize) -> bool) {
        let mut goes_on = true;
        for (k, &(_, i, from)) in self.points.iter().enumerate() {
            self.walk(k, true, reach_m, |at| {
                let (_, j, to) = self.points[at];
                if world.apart(from, to).length2() <= reach_m * reach_m {
                    goes_on = each(i, j);
                }
                if goes_on { reach_m } else { f64::NEG_INFINITY }
            });
            if !goes_on {
                return;
            }
        }
    }

    /// Mean distance to the nearest other point, m; `None` for fewer than two.
    pub fn nearest(&self, world: &World) -> Option<f64> {
        if self.points.len() < 2 {
            return None;
        }
        let mut sum = 0.0;
        for (k, &(_, _, from)) in self.points.iter().enumerate() {
            let mut best2 = f64::INFINITY;
            let mut best = f64::INFINITY;
            for up in [true, false] {
                self.walk(k, up, best, |at| {
                    let apart2 = world.apart(from, self.points[at].2).length2();
                    if apart2 < best2 {
                        (best2, best) = (apart2, apart2.sqrt());
                    }
                    best
                });
            }
            sum += best;
        }
        Some(sum / self.points.len() as f64)
    }
}

#[cfg(test)]
#[path = "spacing_tests.rs"]
mod tests;
