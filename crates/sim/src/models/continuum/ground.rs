//! The cells of a place: their positions, which of them are joined, and the four cells around a position.

use crate::world::World;
use crate::world::geometry::Bounds;
use crate::world::scenario::{Pull, Scenario, Spawn};
use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::eikonal::{EAST, NORTH, SOUTH, WEST};
use crowdtune_core::math::{Vec2, vec2};

/// Most cells; in larger places cells grow. Chosen here: with this many, a step of one class takes about 10 ms.
const MAX_CELLS: f64 = 250_000.0;
/// Margin of cells around everything in the scenario.
const MARGIN: f64 = 2.0;
/// In an open place, how far the cells extend from the start along a heading, m. Chosen here: a walk of 20 s.
const AHEAD_M: f64 = 30.0;

/// A grid over a place. Cell `(i, j)` has the index `j * columns + i`.
#[derive(Clone, Debug)]
pub struct Ground {
    origin: Vec2,
    /// Size of a cell, m: square, unless a periodic axis must hold a whole number of cells.
    pub size: Vec2,
    per_size: Vec2,
    /// Number of columns.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
    /// True if the columns are periodic.
    pub ring_x: bool,
    /// True if the rows are periodic.
    pub ring_y: bool,
    /// By cell: bit `face` is set if the cell is joined to the one behind that face.
    pub joined: Vec<u8>,
    /// By cell: true if no wall is close enough to lie between a point of the cell and the center of a neighbor.
    clear: Vec<bool>,
}

impl Ground {
    /// Cells of about `cell_m` over everything in the scenario: walls, the walkable area, goals, starts. Two neighbors
    /// are joined if both centers are walkable and no wall lies between them.
    pub fn new(scenario: &Scenario, cell_m: f64) -> Self {
        let world = &scenario.world;
        let bounds = extent(scenario);
        let least = (bounds.size().x * bounds.size().y / MAX_CELLS).sqrt();
        let cell = cell_m.max(least);
        let ring = world.plan.periodic;
        let axis = |ring: Option<(f64, f64)>, low: f64, high: f64| match ring {
            Some((low, high)) => {
                let count = ((high - low) / cell).round().max(3.0);
                (low, (high - low) / count, count as usize)
            }
            None => (low - MARGIN * cell, cell, ((high - low) / cell + 2.0 * MARGIN).ceil() as usize),
        };
        let (x, dx, columns) = axis(ring.x, bounds.min.x, bounds.max.x);
        let (y, dy, rows) = axis(ring.y, bounds.min.y, bounds.max.y);
        let mut ground = Self {
            origin: vec2(x, y),
            size: vec2(dx, dy),
            per_size: vec2(1.0 / dx, 1.0 / dy),
            columns,
            rows,
            ring_x: ring.x.is_some(),
            ring_y: ring.y.is_some(),
            joined: vec![0; columns * rows],
            clear: Vec::new(),
        };
        ground.join(world);
        ground
    }

    fn join(&mut self, world: &World) {
        let count = self.columns * self.rows;
        let open: Vec<bool> = (0..count).map(|c| world.contains(self.center(c))).collect();
        let longer = self.size.x.max(self.size.y);
        self.clear = (0..count).map(|c| world.walls.distance(self.center(c)) > 2.0 * longer).collect();
        for c in 0..count {
            for (face, back, step) in [(EAST, WEST, vec2(self.size.x, 0.0)), (NORTH, SOUTH, vec2(0.0, self.size.y))] {
                let Some(n) = self.beside(c, face) else { continue };
                // Across a seam the neighbor's image counts; walls have images there as well.
                let from = self.center(c);
                if open[c] && open[n] && (self.clear[c] || !world.walls.crosses(from, from + step)) {
                    self.joined[c] |= 1 << face;
                    self.joined[n] |= 1 << back;
                }
            }
        }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.joined.len()
    }

    /// Center of a cell.
    pub fn center(&self, c: usize) -> Vec2 {
        let (i, j) = ((c % self.columns) as f64, (c / self.columns) as f64);
        self.origin + vec2((i + 0.5) * self.size.x, (j + 0.5) * self.size.y)
    }

    /// The neighbor behind a face, joined or not, also across a seam; `None` at an edge.
    #[inline]
    pub fn beside(&self, c: usize, face: usize) -> Option<usize> {
        let (i, j) = (c % self.columns, c / self.columns);
        match face {
            EAST if i + 1 < self.columns => Some(c + 1),
            EAST => self.ring_x.then(|| c - i),
            WEST if i > 0 => Some(c - 1),
            WEST => self.ring_x.then(|| c + self.columns - 1),
            NORTH if j + 1 < self.rows => Some(c + self.columns),
            NORTH => self.ring_y.then_some(i),
            _ if j > 0 => Some(c - self.columns),
            _ => self.ring_y.then(|| c + self.columns * (self.rows - 1)),
        }
    }

    /// The cell that contains a position; `None` beyond the grid.
    #[inline]
    pub fn cell(&self, p: Vec2) -> Option<usize> {
        let (x, y) = ((p.x - self.origin.x) * self.per_size.x, (p.y - self.origin.y) * self.per_size.y);
        let inside = x >= 0.0 && y >= 0.0 && x < self.columns as f64 && y < self.rows as f64;
        inside.then(|| y as u32 as usize * self.columns + x as u32 as usize)
    }

    /// The four cells whose centers surround a position (lower left, lower right, upper left, upper right) and the
    /// position between them, 0 to 1 along each axis. At the edges of the grid the outermost four; `None` beyond the
    /// grid.
    #[inline]
    pub fn around(&self, p: Vec2) -> Option<([usize; 4], Vec2)> {
        let (x, y) = ((p.x - self.origin.x) * self.per_size.x, (p.y - self.origin.y) * self.per_size.y);
        if !(x >= 0.0 && y >= 0.0 && x < self.columns as f64 && y < self.rows as f64) {
            return None;
        }
        let (i, u) = between(x - 0.5, self.columns, self.ring_x);
        let (j, v) = between(y - 0.5, self.rows, self.ring_y);
        let right = if i + 1 < self.columns { i + 1 } else { 0 };
        let upper = if j + 1 < self.rows { j + 1 } else { 0 };
        let (low, high) = (j * self.columns, upper * self.columns);
        Some(([low + i, low + right, high + i, high + right], vec2(u, v)))
    }

    /// The same for eight positions.
    #[inline(always)]
    pub fn around_eight<D: Doubles>(&self, x: D, y: D) -> Around<D> {
        let x = x.sub(D::splat(self.origin.x)).mul(D::splat(self.per_size.x));
        let y = y.sub(D::splat(self.origin.y)).mul(D::splat(self.per_size.y));
        let (zero, columns) = (D::splat(0.0), D::splat(self.columns as f64));
        let beyond = columns.at_most(x) | D::splat(self.rows as f64).at_most(y);
        let inside = zero.at_most(x) & zero.at_most(y) & !beyond;
        let ([i, right], u) = between_eight(x, self.columns, self.ring_x);
        let ([j, upper], v) = between_eight(y, self.rows, self.ring_y);
        let (low, high) = (j.mul(columns), upper.mul(columns));
        Around { inside, cells: [low.add(i), low.add(right), high.add(i), high.add(right)], at: [u, v] }
    }

    /// Calls `each` for the cells that a box may meet, on a periodic axis for all.
    pub fn block(&self, low: Vec2, high: Vec2, mut each: impl FnMut(usize)) {
        let along = |ring: bool, low: f64, high: f64, per: f64, count: usize| {
            if ring {
                return 0..count;
            }
            // Casts of negative numbers give 0.
            ((low * per) as usize).min(count)..((high * per + 1.0) as usize).min(count)
        };
        let (low, high) = (low - self.origin, high - self.origin);
        for j in along(self.ring_y, low.y, high.y, self.per_size.y, self.rows) {
            for i in along(self.ring_x, low.x, high.x, self.per_size.x, self.columns) {
                each(j * self.columns + i);
            }
        }
    }

    /// True if no wall is close enough to hide the cell's center from a position around it.
    #[inline]
    pub fn is_clear(&self, c: usize) -> bool {
        self.clear[c]
    }

    /// True if no wall lies between a position and the center of a cell around it.
    #[inline]
    pub fn sees(&self, world: &World, p: Vec2, c: usize) -> bool {
        self.clear[c] || !world.walls.crosses(p, p + world.apart(p, self.center(c)))
    }

    /// Calls `each` for the open cells around a position that it sees, with the way to their centers, m.
    pub fn seen(&self, world: &World, p: Vec2, mut each: impl FnMut(usize, f64)) {
        let Some((cells, _)) = self.around(p) else { return };
        for c in cells.into_iter().filter(|&c| self.joined[c] != 0 && self.sees(world, p, c)) {
            each(c, world.apart(p, self.center(c)).length());
        }
    }

    /// Area of a cell, m2.
    pub fn area(&self) -> f64 {
        self.size.x * self.size.y
    }
}

/// Index of the last center before a position (in cells), and the distance beyond it, 0 to 1.
#[inline]
fn between(at: f64, count: usize, ring: bool) -> (usize, f64) {
    if at < 0.0 {
        return if ring { (count - 1, at + 1.0) } else { (0, 0.0) };
    }
    let last = if ring { count - 1 } else { count - 2 };
    let i = (at as u32 as usize).min(last);
    (i, (at - i as f64).min(1.0))
}

/// The same for eight positions, and the center after it.
#[inline(always)]
fn between_eight<D: Doubles>(at: D, count: usize, ring: bool) -> ([D; 2], D) {
    let (half, zero, one, last) = (D::splat(0.5), D::splat(0.0), D::splat(1.0), D::splat((count - 1) as f64));
    let at = at.sub(half);
    let (i, u) = if ring {
        let i = at.floor();
        (zero.choose(i, i, last), at.sub(i))
    } else {
        let at = at.max(zero);
        let i = at.floor().min(last.sub(one));
        (i, at.sub(i).min(one))
    };
    let next = i.add(one);
    ([i, next.choose(last, next, zero)], u)
}

/// The four cells around eight positions, and where they are between these, as [`Ground::around`] says.
pub struct Around<D> {
    /// Bit k is set if position k is not beyond the grid; else the rest says nothing of it.
    pub inside: u8,
    /// Lower left, lower right, upper left, upper right: whole numbers.
    pub cells: [D; 4],
    /// Along x and y.
    pub at: [D; 2],
}

/// A box around everything in a scenario.
fn extent(scenario: &Scenario) -> Bounds {
    let plan = &scenario.world.plan;
    let mut points: Vec<Vec2> = plan.walls.iter().flat_map(|s| [s.a, s.b]).collect();
    points.extend(plan.walkable.iter().flat_map(|(shell, _)| &shell.points));
    points.extend(plan.goals.iter().flat_map(|g| g.what.points()));
    for group in &scenario.groups {
        let from = points.len();
        match &group.spawn {
            Spawn::Points(starts) => points.extend(starts),
            Spawn::Near { points: starts, .. } | Spawn::Apart { points: starts, .. } => points.extend(starts),
            Spawn::Honeycomb { middle, .. } => points.push(*middle),
            Spawn::Random(area) | Spawn::Lattice { area, .. } => points.extend(&area.points),
        }
        match group.pull {
            Pull::Heading(way) if plan.walls.is_empty() && plan.walkable.is_empty() => {
                let starts: Vec<Vec2> = points[from..].to_vec();
                points.extend(starts.into_iter().map(|p| p + way * AHEAD_M));
            }
            Pull::Point { at, .. } => points.push(at),
            _ => {}
        }
    }
    Bounds::of(points).unwrap_or(Bounds { min: Vec2::ZERO, max: Vec2::ZERO })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::doubles::PlainDoubles;
    use crowdtune_core::math::lanes::WIDTH;

    #[test]
    fn a_place_lies_between_centers() {
        assert_eq!(between(1.25, 4, false), (1, 0.25));
        assert_eq!(between(-0.25, 4, false), (0, 0.0));
        assert_eq!(between(3.25, 4, false), (2, 1.0));
        assert_eq!(between(-0.25, 4, true), (3, 0.75));
        assert_eq!(between(3.25, 4, true), (3, 0.25));
    }

    #[test]
    fn eight_places_are_those_of_each() {
        for (ring_x, ring_y) in [(false, false), (true, false), (false, true)] {
            let (origin, size, per_size) = (vec2(-3.0, 7.0), vec2(0.3, 0.7), vec2(1.0 / 0.3, 1.0 / 0.7));
            let (joined, clear) = (vec![0; 20], vec![false; 20]);
            let ground = Ground { origin, size, per_size, columns: 5, rows: 4, ring_x, ring_y, joined, clear };
            for k in 0..40 {
                let x: [f64; WIDTH] = std::array::from_fn(|n| -3.1 + 0.21 * n as f64 + 1e-3 * f64::from(k));
                let y = 6.9 + 0.0785 * f64::from(k);
                let eight = ground.around_eight(PlainDoubles::of(&x), PlainDoubles::splat(y));
                let (cells, [u, v]) = (eight.cells.map(Doubles::whole), eight.at.map(Doubles::store));
                for (n, &x) in x.iter().enumerate() {
                    let inside = eight.inside >> n & 1 == 1;
                    let place = inside.then(|| (cells.map(|cells| cells[n] as usize), vec2(u[n], v[n])));
                    assert_eq!(ground.around(vec2(x, y)), place);
                }
            }
        }
    }
}
