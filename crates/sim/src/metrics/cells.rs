//! Voronoi cells of people: the points that are nearer to one person than to all others.
//!
//! Half-planes are cut off a polygon around each person, nearest others first, until no other one is near enough to
//! cut. `docs/decisions.md` says why no triangulation is used.

use super::convex::{Blade, twelve_corners};
use super::ground::{Ground, Piece};
use crate::world::World;
use crate::world::geometry::Bounds;
use crate::world::scenario::Scenario;
use crowdtune_core::math::{Vec2, vec2};

/// Computes cells, keeping its memory.
#[derive(Debug)]
pub(super) struct Cells {
    ground: Ground,
    /// Largest cell around the origin; empty for none.
    largest: Vec<Vec2>,
    bins: Bins,
    sites: Vec<Vec2>,
    cell: Blade,
    piece: Piece,
}

impl Cells {
    /// Cells of people in a scenario, none larger than the 12-gon of radius `cut_off_m` (0: no limit).
    pub fn new(scenario: &Scenario, cut_off_m: f64) -> Self {
        let largest = if cut_off_m > 0.0 { twelve_corners(cut_off_m).to_vec() } else { Vec::new() };
        Self {
            ground: Ground::new(scenario),
            largest,
            bins: Bins::default(),
            sites: Vec::new(),
            cell: Blade::default(),
            piece: Piece::default(),
        }
    }

    /// Calls `each` with the row and the cell of everybody at a defined place, in row order. A person outside the
    /// walkable area may have an empty cell; people at the same place have the same cell.
    pub fn each(&mut self, world: &World, people: &[Vec2], mut each: impl FnMut(usize, &Piece)) {
        let torus = world.plan.periodic;
        self.sites.clear();
        self.sites.extend(people.iter().copied().filter(|p| p.is_finite()));
        let here = self.sites.len();
        torus.images(|by| {
            for k in 0..here {
                let image = self.sites[k] + by;
                self.sites.push(image);
            }
        });
        let Some(all) = Bounds::of(self.sites.iter().copied()) else { return };
        self.bins.fill(&self.sites, all);
        let drawn = self.ground.bounds.into_iter().flat_map(|b| [b.min, b.max]);
        let limits = Bounds::of(self.sites[..here].iter().copied().chain(drawn)).unwrap_or(all);
        let half = torus.size() * 0.5;
        for (row, &at) in people.iter().enumerate().filter(|(_, p)| p.is_finite()) {
            if self.largest.is_empty() {
                let (mut min, mut max) = (limits.min - at, limits.max - at);
                if half.x.is_finite() {
                    (min.x, max.x) = (-half.x, half.x);
                }
                if half.y.is_finite() {
                    (min.y, max.y) = (-half.y, half.y);
                }
                self.cell.set([min, vec2(max.x, min.y), max, vec2(min.x, max.y)]);
            } else {
                self.cell.set(self.largest.iter().copied());
            }
            self.bins.cut(&self.sites, at, &mut self.cell);
            self.ground.clip(world, at, &mut self.cell, &mut self.piece);
            each(row, &self.piece);
        }
    }
}

/// People sorted into squares with about one person each.
#[derive(Debug, Default)]
struct Bins {
    min: Vec2,
    side: f64,
    columns: i64,
    rows: i64,
    /// Where each square starts in `order`; one more than there are squares.
    starts: Vec<usize>,
    order: Vec<usize>,
    next: Vec<usize>,
}

impl Bins {
    fn fill(&mut self, sites: &[Vec2], all: Bounds) {
        let size = all.size();
        let count = sites.len() as f64;
        // At most about five squares a person, also where people stand in one line.
        let side = (size.x * size.y / count).sqrt().max((size.x + size.y) / (4.0 * count));
        self.side = if side > 0.0 { side } else { 1.0 };
        self.min = all.min;
        self.columns = (size.x / self.side) as i64 + 1;
        self.rows = (size.y / self.side) as i64 + 1;
        self.starts.clear();
        self.starts.resize((self.columns * self.rows) as usize + 1, 0);
        for &p in sites {
            let square = self.square(p);
            self.starts[square + 1] += 1;
        }
        for k in 1..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        self.next.clear();
        self.next.extend_from_slice(&self.starts);
        self.order.clear();
        self.order.resize(sites.len(), 0);
        for (k, &p) in sites.iter().enumerate() {
            let square = self.square(p);
            self.order[self.next[square]] = k;
            self.next[square] += 1;
        }
    }

    fn column_row(&self, p: Vec2) -> (i64, i64) {
        let at = (p - self.min) / self.side;
        ((at.x as i64).clamp(0, self.columns - 1), (at.y as i64).clamp(0, self.rows - 1))
    }

    fn square(&self, p: Vec2) -> usize {
        let (column, row) = self.column_row(p);
        (row * self.columns + column) as usize
    }

    /// Cuts the half-planes of all sites off the cell around the site at `at`, ring by ring of squares.
    fn cut(&self, sites: &[Vec2], at: Vec2, cell: &mut Blade) {
        let (column, row) = self.column_row(at);
        let corner = self.min + vec2(column as f64, row as f64) * self.side;
        let (low, high) = (at - corner, corner + vec2(self.side, self.side) - at);
        // From the site to the nearest side of its own square; rounding must not make it too large.
        let margin = low.x.min(low.y).min(high.x).min(high.y).max(0.0) * (1.0 - 1e-9);
        let mut reach2 = cell.reach2();
        for ring in 0..=self.columns.max(self.rows) {
            let nearest = (ring - 1) as f64 * self.side * (1.0 - 1e-9) + margin;
            if ring > 0 && nearest * nearest >= 4.0 * reach2 {
                break;
            }
            for y in (row - ring).max(0)..=(row + ring).min(self.rows - 1) {
                let step = if (y - row).abs() == ring { 1 } else { 2 * ring };
                let mut x = column - ring;
                while x <= column + ring {
                    if x >= 0 && x < self.columns {
                        let square = (y * self.columns + x) as usize;
                        for &k in &self.order[self.starts[square]..self.starts[square + 1]] {
                            let way = sites[k] - at;
                            let d2 = way.length2();
                            // The bisector is half the way away: it cuts nothing that ends before.
                            if d2 > 0.0 && d2 < 4.0 * reach2 && cell.cut(way, 0.5 * d2) {
                                reach2 = cell.reach2();
                            }
                        }
                    }
                    x += step.max(1);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::region::tests::Stage;
    use super::*;
    use crate::world::Torus;
    use crate::world::scenario::{FloorPlan, Polygon};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn cells_fill_the_place_and_hold_their_people(
            people in prop::collection::vec((0.0..8.0f64, 0.0..3.0f64), 1..60),
            ring in any::<bool>(),
        ) {
            let floor = Polygon::rectangle(Vec2::ZERO, vec2(8.0, 3.0));
            let periodic = Torus { x: ring.then_some((0.0, 8.0)), y: None };
            let plan = FloorPlan { walkable: vec![(floor.clone(), Vec::new())], periodic, ..FloorPlan::default() };
            let stage = Stage::new(plan, floor);
            let people: Vec<Vec2> = people.into_iter().map(|p| vec2(p.0, p.1)).collect();
            let apart = |a: usize, b: usize| periodic.apart(people[a], people[b]).length() > 1e-3;
            prop_assume!((0..people.len()).all(|a| (0..a).all(|b| apart(a, b))));
            let (mut sum, mut nearest) = (0.0, true);
            let mut cells = Cells::new(&stage.scenario, 0.0);
            cells.each(&stage.scenario.world, &people, |row, cell| {
                sum += cell.area();
                // No corner is nearer to somebody else; polygons of the library are exact to some 1e-8 m.
                for &corner in &cell.outline {
                    let way = |p: Vec2| periodic.apart(periodic.wrap(corner), p).length();
                    nearest &= people.iter().all(|&p| way(p) >= way(people[row]) - 1e-6);
                }
            });
            prop_assert!((sum - 24.0).abs() < 1e-6, "{sum}");
            prop_assert!(nearest);
        }
    }
}
