//! Travel times to people who move, and away from them.

use super::World;
use super::field::{CLEAR, FACES, Field, Ground, SEES, SHORT_M, downhill, in_view, inside};
use super::geometry::Bounds;
use super::march::Mesh;
use super::scenario::Navigation;
use super::speeds::Speeds;
use super::watch::Watch;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::eikonal::Eikonal;
use std::ops::Range;

/// Most cells; in larger places cells grow. Chosen here: with this many, a field is solved in about 10 ms.
const MAX_CELLS: f64 = 250_000.0;
/// People start a field in the cells whose centers are this near, in cells. Chosen here: the first cells around a source are
/// those with the largest errors of a first-order scheme.
const NEAR_CELLS: f64 = 2.0;
/// How much more the time from the chasers counts than the own time on the way. Brian Walker, The Incredible Power of Dijkstra
/// Maps (RogueBasin), who chose it for Brogue: at 1, people run into the nearest dead end.
pub(crate) const BOLDNESS: f64 = 1.2;
/// Chasers count as no slower than this, m/s. Chosen here: whoever stands still frightens, too.
pub(crate) const LEAST_SPEED_M_PER_S: f64 = 0.01;
/// Nobody.
const NONE: u32 = u32::MAX;

/// What fields of people who move have in common: the cells of a place, which of them are joined, and the speeds there.
#[derive(Debug)]
pub struct Terrain {
    /// The cells; without times.
    blank: Field,
    mesh: Mesh,
    /// Speed of a step through each face, m/s, of people who make 1 m/s on flat ground; in the order of [`Mesh::neighbors`].
    pub(super) speed: [Vec<f64>; 4],
}

impl Terrain {
    /// The cells of a place with travel-time fields; `None` without them, and where there is nothing that has an extent.
    pub(super) fn of(world: &World) -> Option<Self> {
        let Navigation::Field { cell_m, .. } = world.plan.navigation else { return None };
        let (walls, ground) = (&world.walls, Ground::of(&world.plan));
        let place: Bounds = world.plan.bounds(&[])?;
        let least = (place.size().x * place.size().y / MAX_CELLS).sqrt();
        let cell = cell_m.max(least);
        let bounds = place.grown(2.0 * cell);
        let size = bounds.size() / cell;
        let (columns, rows) = (size.x.ceil() as usize, size.y.ceil() as usize);
        let count = columns * rows;
        let (time, way, marks) = (vec![f64::INFINITY; count], vec![Vec2::ZERO; count], vec![0; count]);
        let mut blank = Field { origin: bounds.min, cell, columns, rows, time, way, marks };
        for c in 0..count {
            if walls.distance(blank.center(c)) > 2.0 * cell {
                blank.marks[c] |= CLEAR;
            }
        }
        let center = |c: usize| blank.center(c);
        let open = |c: usize| ground.walkable.is_empty() || inside(ground.walkable, center(c));
        let mesh = Mesh::new(columns, rows, cell, open, |a, b| !walls.crosses(center(a), center(b)));
        let speed = FACES.map(|face| (0..count).map(|c| ground.speed(center(c) + face * (0.5 * cell), face)).collect());
        Some(Self { blank, mesh, speed })
    }

    /// Cell size, m.
    pub(super) fn cell_m(&self) -> f64 {
        self.blank.cell
    }

    /// Numbers of columns and rows.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.blank.columns, self.blank.rows)
    }

    /// Center of a cell.
    pub(super) fn center(&self, c: usize) -> Vec2 {
        self.blank.center(c)
    }

    /// Columns that meet this range of x, m.
    pub(super) fn columns_between(&self, low: f64, high: f64) -> Range<usize> {
        between(low - self.blank.origin.x, high - self.blank.origin.x, self.blank.cell, self.blank.columns)
    }

    /// Rows that meet this range of y, m.
    pub(super) fn rows_between(&self, low: f64, high: f64) -> Range<usize> {
        between(low - self.blank.origin.y, high - self.blank.origin.y, self.blank.cell, self.blank.rows)
    }

    /// A front that costs what a step in its own direction costs, or one against it.
    fn front(&self, against: bool) -> Eikonal {
        let mut front = Eikonal::default();
        front.resize(self.blank.columns, self.blank.rows);
        self.set_costs(&mut front, &self.speed, against);
        front
    }

    /// Sets what steps cost at these speeds.
    fn set_costs(&self, front: &mut Eikonal, speed: &[Vec<f64>; 4], against: bool) {
        let Field { columns, cell, .. } = self.blank;
        front.set_costs(|i, j| {
            let c = j * columns + i;
            let neighbors = self.mesh.neighbors(c);
            let cost = |k: usize| {
                let speed = |n: usize| if against { speed[k ^ 1][n] } else { speed[k][c] };
                neighbors[k].map_or(f64::INFINITY, |n| cell / speed(n))
            };
            let [west, east, south, north] = [cost(0), cost(1), cost(2), cost(3)];
            [east, north, west, south]
        });
    }
}

/// Cells that meet a range that starts at the first one; casts of negative numbers give 0.
fn between(low: f64, high: f64, cell: f64, count: usize) -> Range<usize> {
    ((low / cell) as usize).min(count)..((high / cell + 1.0) as usize).min(count)
}

/// A way for people who follow others, or run away from them, by travel times, made anew when one of the others has moved by a cell. Or
/// to a goal, where discomfort moves.
#[derive(Debug)]
pub(crate) struct Potential {
    watch: Watch,
    field: Field,
    front: Eikonal,
    /// Times of the others to here; `None` for people who follow.
    chase: Option<Eikonal>,
    /// The goal, for people who follow nobody.
    goal: Option<usize>,
    is_made: bool,
    seeds: Vec<(usize, f64)>,
    /// By cell, who of the others is near and in sight.
    near: Vec<u32>,
}

impl Potential {
    /// Towards the nearest of some people.
    pub fn to(terrain: &Terrain) -> Self {
        Self::new(terrain, false)
    }

    /// Away from some people: down `min over y of t(x, y) - k T(y)`, with the own time t(x, y) to a place y and theirs, T(y). So
    /// people run to where they have the largest lead, and not into a dead end where another place gives more.
    pub fn away(terrain: &Terrain) -> Self {
        Self::new(terrain, true)
    }

    /// To a goal of the place. From cells that see it at a distance of few paces people go straight, as in [`Field::solve`].
    pub fn to_goal(terrain: &Terrain, world: &World, goal: usize) -> Self {
        let mut potential = Self { goal: Some(goal), ..Self::new(terrain, false) };
        let (what, ground) = (&world.goals()[goal].what, Ground::of(&world.plan));
        let field = &mut potential.field;
        for c in 0..field.time.len() {
            let p = field.center(c);
            let way = what.nearest(p) - p;
            let open = ground.walkable.is_empty() || inside(ground.walkable, p);
            if open && way.length() <= SHORT_M.max(2.0 * field.cell) && in_view(&world.walls, p, p + way) {
                field.marks[c] |= SEES;
                potential.seeds.push((c, ground.straight_on(p, way, field.cell)));
            }
        }
        potential
    }

    /// The field.
    pub fn field(&self) -> &Field {
        &self.field
    }

    fn new(terrain: &Terrain, away: bool) -> Self {
        Self {
            watch: Watch::default(),
            field: terrain.blank.clone(),
            front: terrain.front(false),
            chase: away.then(|| terrain.front(true)),
            goal: None,
            is_made: false,
            seeds: Vec::new(),
            near: Vec::new(),
        }
    }

    /// Looks where the others are, ids and places in the order of rows, and makes the field anew if one of them has moved by a cell.
    /// `head_start` is the own speed over theirs, for people who run away. `speeds` are those of the place, or where discomfort moves
    /// the present ones, and whether they are new.
    pub fn look(
        &mut self,
        world: &World,
        others: impl Iterator<Item = (u32, Vec2)>,
        head_start: f64,
        speeds: Option<(&Speeds, bool)>,
    ) {
        let Some(terrain) = world.terrain() else { return };
        let is_new = speeds.is_some_and(|(_, is_new)| is_new);
        let first = self.goal.is_some() && !self.is_made;
        if !self.watch.look(others, self.field.cell) && !is_new && !first {
            return;
        }
        self.is_made = true;
        let speed = speeds.map_or(&terrain.speed, |(speeds, _)| &speeds.of);
        if is_new {
            terrain.set_costs(&mut self.front, speed, false);
        }
        if self.goal.is_none() {
            self.seed(world);
        }
        let Self { field, front, chase, seeds, goal, .. } = self;
        let goal = goal.map(|goal| &world.goals()[goal].what);
        if let Some(chase) = chase {
            chase.solve(seeds);
            seeds.clear();
            let worth = BOLDNESS * head_start;
            for c in 0..field.time.len() {
                let time = chase.time(c % field.columns, c / field.columns);
                if time.is_finite() {
                    seeds.push((c, -worth * time));
                }
            }
        }
        front.solve(seeds);
        for (j, row) in field.time.chunks_exact_mut(field.columns).enumerate() {
            front.row(j, row);
        }
        let mut ways = std::mem::take(&mut field.way);
        for (c, way) in ways.iter_mut().enumerate() {
            *way = match goal {
                Some(goal) if field.marks[c] & SEES != 0 => {
                    (goal.nearest(field.center(c)) - field.center(c)).unit().unwrap_or(Vec2::ZERO)
                }
                _ => downhill(&terrain.mesh, &field.time, c, |face| speed[face][c]),
            };
        }
        field.way = ways;
    }

    /// Lets fronts start in the cells around each of the others that they see.
    fn seed(&mut self, world: &World) {
        let Self { watch, field, seeds, near, chase, .. } = self;
        let ground = Ground::of(&world.plan);
        seeds.clear();
        near.clear();
        near.resize(field.time.len(), NONE);
        // The best time so far of each cell, in a buffer that the solution will overwrite.
        field.time.fill(f64::INFINITY);
        for (who, &p) in watch.now.iter().enumerate() {
            let Some((i, j)) = field.cell_at(p) else { continue };
            for y in j.saturating_sub(1)..=(j + 1).min(field.rows - 1) {
                for x in i.saturating_sub(1)..=(i + 1).min(field.columns - 1) {
                    let c = y * field.columns + x;
                    let way = p - field.center(c);
                    let seen = field.marks[c] & CLEAR != 0 || in_view(&world.walls, field.center(c), p);
                    if way.length() > NEAR_CELLS * field.cell || !seen {
                        continue;
                    }
                    let time = match (ground.is_even(), chase.is_some()) {
                        (true, _) => way.length(),
                        (false, false) => ground.straight_on(field.center(c), way, field.cell),
                        (false, true) => ground.straight_on(p, -way, field.cell),
                    };
                    if time < field.time[c] {
                        field.time[c] = time;
                        near[c] = who as u32;
                        seeds.push((c, time));
                    }
                }
            }
        }
    }

    /// Direction of the way from `p`, a unit vector: straight to somebody near and in sight. Zero where no way leads to them, or
    /// away from them; `None` beyond the field, or without anybody.
    pub fn direction(&self, world: &World, p: Vec2) -> Option<Vec2> {
        let (i, j) = self.field.cell_at(p).filter(|_| !self.watch.now.is_empty())?;
        let c = j * self.field.columns + i;
        if self.chase.is_some() {
            // Where no cell around gives a larger lead, people stand: they are cornered.
            let cornered = self.field.time[c].is_finite() && self.field.way[c] == Vec2::ZERO;
            return Some(if cornered {
                Vec2::ZERO
            } else {
                self.field.direction(&world.walls, p).unwrap_or(Vec2::ZERO)
            });
        }
        if let Some(&who) = self.watch.now.get(self.near[c] as usize)
            && in_view(&world.walls, p, who)
        {
            return Some((who - p).unit().unwrap_or(Vec2::ZERO));
        }
        Some(self.field.direction(&world.walls, p).unwrap_or(Vec2::ZERO))
    }

    /// Time from `p` to the nearest of the others, s, of people who make 1 m/s on flat ground; infinite where no way leads. `None`
    /// beyond the field, or without anybody.
    pub fn time(&self, world: &World, p: Vec2) -> Option<f64> {
        let (i, j) = self.field.cell_at(p).filter(|_| !self.watch.now.is_empty())?;
        let near = self.watch.now.get(self.near[j * self.field.columns + i] as usize);
        Some(near.map_or_else(|| self.field.time(&world.walls, p), |&who| (who - p).length()))
    }
}

#[cfg(test)]
#[path = "moving_tests.rs"]
mod tests;
