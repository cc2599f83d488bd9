//! Travel-time fields: time and direction to a goal from everywhere.

use super::geometry::Bounds;
use super::march::Mesh;
use super::relief::Relief;
use super::scenario::{Discomfort, FloorPlan, Goal, Navigation, Polygon};
use super::walls::Walls;
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most cells of one field. Chosen here: at most 300 MB while it is solved.
const MAX_CELLS: f64 = 4e6;

/// Flag: the goal's nearest point is in sight of the cell's center.
pub(super) const SEES: u8 = 1;
/// Flag: no wall is within reach of a step of one cell from here.
pub(super) const CLEAR: u8 = 2;

/// Travel times to one goal at 1 m/s on flat ground, on square cells.
///
/// Cells that see the goal's nearest point have the straight distance as time; on ground that is uneven or disliked the
/// time of the straight way, and only within 3 m. The others follow from the eikonal equation, with the speeds that the
/// ground allows along the axes. Neighboring cells are connected if no wall lies between their centers.
#[derive(Clone, Debug)]
pub struct Field {
    pub(super) origin: Vec2,
    pub(super) cell: f64,
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) time: Vec<f64>,
    pub(super) way: Vec<Vec2>,
    pub(super) marks: Vec<u8>,
}

/// Where the ground is uneven or disliked, people who see their goal within this distance go straight, m. Chosen here: a
/// few paces, in which no hill and no puddle is worth a detour.
pub(super) const SHORT_M: f64 = 3.0;

/// The steps from a cell to its neighbors, in the order of [`Mesh::neighbors`].
pub(super) const FACES: [Vec2; 4] = [vec2(-1.0, 0.0), vec2(1.0, 0.0), vec2(0.0, -1.0), vec2(0.0, 1.0)];

/// What people walk on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ground<'a> {
    /// Shells with holes; empty if walls alone bound the place.
    pub walkable: &'a [(Polygon, Vec<Polygon>)],
    /// Heights; `None` for flat ground.
    pub relief: Option<&'a Relief>,
    /// Where people do not like to be.
    pub discomfort: &'a [Discomfort],
    /// How many seconds more a second is worth where the discomfort is one person per m2, m2.
    pub discomfort_weight: f64,
}

impl<'a> Ground<'a> {
    /// What a plan says; without travel-time fields nobody weighs discomfort.
    pub fn of(plan: &'a FloorPlan) -> Self {
        let weight = match plan.navigation {
            Navigation::Field { discomfort_weight, .. } => discomfort_weight,
            Navigation::Straight | Navigation::Waypoints { .. } | Navigation::Corners { .. } => 0.0,
        };
        let discomfort = if weight > 0.0 { &plan.discomfort[..] } else { &[] };
        Self { walkable: &plan.walkable, relief: plan.relief.as_ref(), discomfort, discomfort_weight: weight }
    }

    /// True if all places and directions are alike.
    pub(super) fn is_even(&self) -> bool {
        self.relief.is_none() && self.discomfort.is_empty()
    }

    /// Speed in a direction, a unit vector, m/s, of people who make 1 m/s on flat ground; where they do not like to be, what a
    /// meter is worth counts.
    pub(super) fn speed(&self, p: Vec2, way: Vec2) -> f64 {
        let share = self.relief.map_or(1.0, |relief| relief.share(p, way));
        let there = self.discomfort.iter().filter(|d| d.area.contains(p));
        let people: f64 = there.map(|d| d.people_per_m2).sum();
        if people > 0.0 { share / (1.0 + self.discomfort_weight * people) } else { share }
    }

    /// Time of a straight way, s: the midpoint rule with steps of a cell.
    pub(super) fn straight_on(&self, from: Vec2, way: Vec2, cell: f64) -> f64 {
        let (length, unit) = (way.length(), way.unit().unwrap_or(Vec2::ZERO));
        let steps = (length / cell).ceil().max(1.0);
        let step = length / steps;
        (0..steps as usize).map(|k| step / self.speed(from + unit * (step * (k as f64 + 0.5)), unit)).sum()
    }
}

impl Field {
    /// Solves the field of a goal.
    ///
    /// # Errors
    /// Too many cells, or no cell that sees the goal.
    pub fn solve(walls: &Walls, ground: Ground<'_>, goal: &Goal, cell: f64) -> Result<Self, Error> {
        let walkable = ground.walkable;
        let points = walls.segments().iter().flat_map(|s| [s.a, s.b]);
        let points = points.chain(walkable.iter().flat_map(|(shell, _)| shell.points.iter().copied()));
        let bounds = Bounds::of(points.chain(goal.points())).expect("a goal has a point").grown(2.0 * cell);
        let size = bounds.size() / cell;
        if size.x.ceil() * size.y.ceil() > MAX_CELLS {
            let least = cell * (size.x * size.y / MAX_CELLS).sqrt();
            return Err(Error::input(format!(
                "a travel-time field with cells of {cell} m is too large for this place"
            ))
            .key("navigation.cell_m")
            .allowed(format!("at most {MAX_CELLS:e} cells"))
            .help(format!("make cell_m at least {:.2}", 1.1 * least)));
        }
        let (columns, rows) = (size.x.ceil() as usize, size.y.ceil() as usize);
        let origin = bounds.min;
        let center = |c: usize| origin + vec2((c % columns) as f64 + 0.5, (c / columns) as f64 + 0.5) * cell;
        let open = |c: usize| walkable.is_empty() || inside(walkable, center(c));
        let mesh = Mesh::new(columns, rows, cell, open, |a, b| !walls.crosses(center(a), center(b)));

        let even = ground.is_even();
        let mut marks = vec![0; columns * rows];
        let mut seeds = Vec::new();
        for (c, mark) in marks.iter_mut().enumerate() {
            let p = center(c);
            // Farthest point reached from positions that use this cell, one step on: (sqrt(1/2) + 1) cells.
            if walls.distance(p) > 2.0 * cell {
                *mark |= CLEAR;
            }
            let way = goal.nearest(p) - p;
            // On uneven ground the straight way is the fastest only where it is short.
            let straight = even || way.length() <= SHORT_M.max(2.0 * cell);
            if open(c) && straight && in_view(walls, p, p + way) {
                *mark |= SEES;
                seeds.push((c, if even { way.length() } else { ground.straight_on(p, way, cell) }));
            }
        }
        if seeds.is_empty() {
            return Err(Error::input("a goal cannot be seen from any cell of the travel-time field")
                .help("move the goal into the walkable area, or make cell_m smaller than the openings before it"));
        }
        let speed = |c: usize, face: Vec2| ground.speed(center(c) + face * (0.5 * cell), face);
        let time = mesh.arrival(&seeds, speed);
        let way = (0..columns * rows)
            .map(|c| {
                if marks[c] & SEES != 0 {
                    return (goal.nearest(center(c)) - center(c)).unit().unwrap_or(Vec2::ZERO);
                }
                downhill(&mesh, &time, c, |face| speed(c, FACES[face]))
            })
            .collect();
        Ok(Self { origin, cell, columns, rows, time, way, marks })
    }

    /// Cell size, m.
    pub fn cell_m(&self) -> f64 {
        self.cell
    }

    /// True if `p` lies on the cells of the field.
    pub fn covers(&self, p: Vec2) -> bool {
        self.around(p).is_some()
    }

    /// True if the goal is in sight of all cells around `p`.
    pub fn in_sight(&self, p: Vec2) -> bool {
        self.around(p).is_some_and(|near| near.iter().all(|&(c, _)| self.marks[c] & SEES != 0))
    }

    /// Travel time from `p` at 1 m/s on flat ground, s: bilinear between the cells not behind a wall; infinite if unreachable or
    /// beyond the field.
    pub fn time(&self, walls: &Walls, p: Vec2) -> f64 {
        let Some(near) = self.around(p) else { return f64::INFINITY };
        let (mut sum, mut weights) = (0.0, 0.0);
        for (c, w) in near {
            if w > 0.0 && self.time[c].is_finite() && self.joined(walls, p, c) {
                sum += self.time[c] * w;
                weights += w;
            }
        }
        if weights > 0.0 { sum / weights } else { self.best_near(walls, p).map_or(f64::INFINITY, |(t, _)| t) }
    }

    /// Direction of the fastest way from `p`, a unit vector: bilinear between the cells not behind a wall, and never
    /// through a wall within a cell. `None` if unreachable, beyond the field, or at the goal.
    pub fn direction(&self, walls: &Walls, p: Vec2) -> Option<Vec2> {
        let near = self.around(p)?;
        let mut sum = Vec2::ZERO;
        for (c, w) in near {
            if w > 0.0 && self.time[c].is_finite() && self.joined(walls, p, c) {
                sum += self.way[c] * w;
            }
        }
        let clear = near.iter().all(|&(c, _)| self.marks[c] & CLEAR != 0);
        match sum.unit() {
            Some(way) if clear || !walls.crosses(p, p + way * self.cell) => Some(way),
            _ => self.best_near(walls, p).and_then(|(_, center)| (center - p).unit()),
        }
    }

    pub(super) fn center(&self, c: usize) -> Vec2 {
        self.origin + vec2((c % self.columns) as f64 + 0.5, (c / self.columns) as f64 + 0.5) * self.cell
    }

    fn joined(&self, walls: &Walls, p: Vec2, c: usize) -> bool {
        self.marks[c] & CLEAR != 0 || !walls.crosses(p, self.center(c))
    }

    /// Column and row of the cell that contains `p`; `None` beyond the field.
    pub(super) fn cell_at(&self, p: Vec2) -> Option<(usize, usize)> {
        let q = (p - self.origin) / self.cell;
        let inside = q.x >= 0.0 && q.y >= 0.0 && q.x < self.columns as f64 && q.y < self.rows as f64;
        inside.then_some((q.x as usize, q.y as usize))
    }

    /// The four cells around `p` with their bilinear weights.
    fn around(&self, p: Vec2) -> Option<[(usize, f64); 4]> {
        let q = (p - self.origin) / self.cell;
        if !(q.x >= 0.0 && q.y >= 0.0 && q.x < self.columns as f64 && q.y < self.rows as f64) {
            return None;
        }
        // The field has a margin of two cells around the place, hence at least four columns and rows.
        let i = (q.x - 0.5).floor().clamp(0.0, self.columns as f64 - 2.0);
        let j = (q.y - 0.5).floor().clamp(0.0, self.rows as f64 - 2.0);
        let (u, v) = ((q.x - 0.5 - i).clamp(0.0, 1.0), (q.y - 0.5 - j).clamp(0.0, 1.0));
        let c = j as usize * self.columns + i as usize;
        Some([
            (c, (1.0 - u) * (1.0 - v)),
            (c + 1, u * (1.0 - v)),
            (c + self.columns, (1.0 - u) * v),
            (c + self.columns + 1, u * v),
        ])
    }

    /// The quickest way via a cell center in sight of `p`, among the 5 x 5 around it: its time and that center; on
    /// ties, the lowest cell.
    fn best_near(&self, walls: &Walls, p: Vec2) -> Option<(f64, Vec2)> {
        let q = (p - self.origin) / self.cell;
        let (i, j) = (q.x.floor() as i64, q.y.floor() as i64);
        let mut best: Option<(f64, Vec2)> = None;
        for y in (j - 2).max(0)..=(j + 2).min(self.rows as i64 - 1) {
            for x in (i - 2).max(0)..=(i + 2).min(self.columns as i64 - 1) {
                let c = y as usize * self.columns + x as usize;
                let center = self.center(c);
                let way = (center - p).length();
                let time = self.time[c] + way;
                // A center right at `p` gives no direction.
                let better = time.is_finite() && way > 1e-6 && best.is_none_or(|(t, _)| time < t);
                if better && !walls.crosses(p, center) {
                    best = Some((time, center));
                }
            }
        }
        best
    }
}

/// The fastest way from a cell, a unit vector: upwind, downhill towards the neighbors that the update used. Zero where no neighbor
/// is earlier. `speed(face)` is the speed of a step from the cell through a face, in the order of [`Mesh::neighbors`].
#[inline]
pub(super) fn downhill(mesh: &Mesh, time: &[f64], c: usize, speed: impl Fn(usize) -> f64) -> Vec2 {
    if !time[c].is_finite() {
        return Vec2::ZERO;
    }
    let drop = |n: Option<usize>| n.map_or(0.0, |n| (time[c] - time[n]).max(0.0));
    let falls = mesh.neighbors(c).map(drop);
    // The axis with the higher speed turns the fastest way towards itself by the square of the speed.
    let fastest = |k: usize| {
        let speed = speed(k);
        (falls[k] * speed, falls[k] * (speed * speed))
    };
    let [west, east, south, north] = [fastest(0), fastest(1), fastest(2), fastest(3)];
    let x = if west.0 > east.0 { -west.1 } else { east.1 };
    let y = if south.0 > north.0 { -south.1 } else { north.1 };
    vec2(x, y).unit().unwrap_or(Vec2::ZERO)
}

/// True if `p` lies in a shell and in none of its holes.
pub(super) fn inside(walkable: &[(Polygon, Vec<Polygon>)], p: Vec2) -> bool {
    walkable.iter().any(|(shell, holes)| shell.contains(p) && !holes.iter().any(|hole| hole.contains(p)))
}

/// True if no wall lies between `p` and `q`; a wall through `q` itself does not count.
pub(super) fn in_view(walls: &Walls, p: Vec2, q: Vec2) -> bool {
    !walls.crosses(p, p + (q - p) * (1.0 - 1e-6))
}

/// Solved fields by content, shared by scenarios of equal geometry.
#[derive(Debug, Default)]
pub struct FieldCache {
    solved: BTreeMap<[u8; 32], Arc<Field>>,
}

impl FieldCache {
    /// The field of a goal, solved once for equal walls, walkable area, goal and cell size.
    ///
    /// # Errors
    /// As [`Field::solve`].
    pub fn field(&mut self, walls: &Walls, plan: &FloorPlan, goal: &Goal, cell: f64) -> Result<Arc<Field>, Error> {
        let key = content(walls, plan, goal, cell);
        if let Some(field) = self.solved.get(&key) {
            return Ok(Arc::clone(field));
        }
        let field = Arc::new(Field::solve(walls, Ground::of(plan), goal, cell)?);
        self.solved.insert(key, Arc::clone(&field));
        Ok(field)
    }

    /// Number of fields solved so far.
    pub fn len(&self) -> usize {
        self.solved.len()
    }

    /// True if none has been solved.
    pub fn is_empty(&self) -> bool {
        self.solved.is_empty()
    }
}

fn content(walls: &Walls, plan: &FloorPlan, goal: &Goal, cell: f64) -> [u8; 32] {
    let walkable = &plan.walkable;
    let mut hash = Sha256::new();
    // Every list is preceded by its length, so that different contents never give the same bytes.
    let mut list = |points: &[Vec2]| {
        hash.update((points.len() as u64).to_le_bytes());
        for p in points {
            hash.update(p.x.to_bits().to_le_bytes());
            hash.update(p.y.to_bits().to_le_bytes());
        }
    };
    list(&walls.segments().iter().flat_map(|s| [s.a, s.b]).collect::<Vec<_>>());
    list(&[vec2(cell, walkable.len() as f64)]);
    for (shell, holes) in walkable {
        list(&shell.points);
        list(&[vec2(holes.len() as f64, 0.0)]);
        holes.iter().for_each(|hole| list(&hole.points));
    }
    list(&goal.points().collect::<Vec<_>>());
    let ground = Ground::of(plan);
    list(&[vec2(ground.discomfort_weight, ground.discomfort.len() as f64)]);
    for discomfort in ground.discomfort {
        list(&discomfort.area.points);
        list(&[vec2(discomfort.people_per_m2, 0.0)]);
    }
    if let Some(relief) = &plan.relief {
        hash.update(format!("{:?}", (relief.slope, &relief.hills, relief.law)));
        if let Some(grid) = &relief.heights {
            hash.update(format!("{:?}", (grid.first, grid.cell_m, grid.columns)));
            grid.heights.iter().for_each(|h| hash.update(h.map_or(u64::MAX, f64::to_bits).to_le_bytes()));
        }
    }
    hash.finalize().into()
}

#[cfg(test)]
#[path = "field_tests.rs"]
mod tests;
