//! Kernels: the cost of a meter in every cell, and the way down a potential, in loops compiled for each instruction
//! set.

use super::fields::{CANCELS2, DIRECTION, SpeedLaw, Weights};
use super::ground::Ground;
use crate::crowd::View;
use crowdtune_core::math::eikonal::{EAST, NORTH, SOUTH, WEST};
use crowdtune_core::math::lanes::{Kernel, Lanes};
use crowdtune_core::math::{Vec2, vec2};
use std::ops::Range;

/// Speeds into all cells, by face, and the cost of a meter, on flat ground without prediction.
pub(super) struct Price<'a, S> {
    pub law: &'a S,
    pub weights: &'a Weights,
    pub free: f64,
    pub density: &'a [f64],
    pub flow: &'a [Vec2],
    pub speed: &'a mut [Vec<f64>; 4],
    pub cost: &'a mut [Vec<f64>; 4],
}

impl<S: SpeedLaw> Kernel for Price<'_, S> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let (density, density_rest) = self.density.as_chunks();
        let (flow, flow_rest) = self.flow.as_chunks();
        for (block, (density, flow)) in density.iter().zip(flow).enumerate() {
            self.block(block * BLOCK, density, flow, BLOCK);
        }
        let (mut last, mut moves) = ([0.0; BLOCK], [Vec2::ZERO; BLOCK]);
        last[..density_rest.len()].copy_from_slice(density_rest);
        moves[..flow_rest.len()].copy_from_slice(flow_rest);
        self.block(density.len() * BLOCK, &last, &moves, density_rest.len());
    }
}

impl<S: SpeedLaw> Price<'_, S> {
    /// The first `count` of eight cells: all faces of a cell at once, which share what the density says.
    #[inline(always)]
    fn block(&mut self, first: usize, density: &Eight, flow: &[Vec2; BLOCK], count: usize) {
        let (mut speed, mut cost) = ([[0.0; BLOCK]; 4], [[0.0; BLOCK]; 4]);
        for k in 0..BLOCK {
            for (face, along) in DIRECTION.iter().enumerate() {
                let along = flow[k].x * along.x + flow[k].y * along.y;
                speed[face][k] = self.law.speed(density[k], along, self.free, 1.0);
                cost[face][k] = self.weights.per_meter(speed[face][k], 0.0);
            }
        }
        for face in 0..4 {
            self.speed[face][first..first + count].copy_from_slice(&speed[face][..count]);
            self.cost[face][first..first + count].copy_from_slice(&cost[face][..count]);
        }
    }
}

/// The way down the potential in a range of columns and rows: along each axis towards the neighbor with the steepest
/// fall per cost of the step, as in the solver's update.
pub(super) struct Ways<'a> {
    pub ground: &'a Ground,
    pub free: f64,
    /// No speed counts for more, m/s: the free speed, except where slopes set a limit of their own.
    pub most: f64,
    /// Column and row of the ground's first cell in the solver's grid.
    pub first: (usize, usize),
    pub across: Range<usize>,
    pub up: Range<usize>,
    /// Arrival times of the solver's grid, row by row with this width, framed by unreachable cells.
    pub times: &'a [f64],
    pub width: usize,
    pub speed: &'a [Vec<f64>; 4],
    pub cost: &'a [Vec<f64>; 4],
    /// [`UNKNOWN`] in cells that nothing reaches.
    pub way: &'a mut [Vec2],
}

/// The way in a cell that has none: what is computed of it is no number.
pub(super) const UNKNOWN: Vec2 = vec2(f64::NAN, f64::NAN);

/// True if a cell has a way.
#[inline]
pub(super) fn is_known(way: Vec2) -> bool {
    !way.x.is_nan()
}

/// Cells per block.
const BLOCK: usize = 8;

type Eight = [f64; BLOCK];

/// The neighbors of a block of cells along one axis, towards larger and towards smaller coordinates: fall of the time,
/// cost of a meter, speed.
struct Sides {
    fall: [Eight; 2],
    cost: [Eight; 2],
    speed: [Eight; 2],
}

impl Kernel for Ways<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let (columns, rows) = (self.ground.columns, self.ground.rows);
        for j in self.up.clone() {
            let mut i = self.across.start;
            while i < self.across.end {
                // A block if all its cells have neighbors, else a single cell.
                if i > 0 && j > 0 && j + 1 < rows && i + BLOCK < columns {
                    self.block(i, j);
                    i += BLOCK;
                } else {
                    self.cell(i, j);
                    i += 1;
                }
            }
        }
    }
}

impl Ways<'_> {
    /// Index of a cell's time.
    #[inline(always)]
    fn place(&self, i: usize, j: usize) -> usize {
        (j + self.first.1 + 1) * self.width + i + self.first.0 + 1
    }

    /// Eight cells in a row.
    #[inline(always)]
    fn block(&mut self, i: usize, j: usize) {
        let (columns, at, c) = (self.ground.columns, self.place(i, j), j * self.ground.columns + i);
        let t = eight(self.times, at);
        let joined: &[u8; BLOCK] = self.ground.joined[c..c + BLOCK].try_into().expect("eight cells");
        let [east, west] = [c + 1, c - 1];
        let [north, south] = [c + columns, c - columns];
        let fall = |face: usize, times: Eight| {
            let mut fall = [0.0; BLOCK];
            for k in 0..BLOCK {
                fall[k] = drop(joined[k], face, t[k], times[k]);
            }
            fall
        };
        let x = Sides {
            fall: [fall(EAST, eight(self.times, at + 1)), fall(WEST, eight(self.times, at - 1))],
            cost: [eight(&self.cost[EAST], east), eight(&self.cost[WEST], west)],
            speed: [eight(&self.speed[EAST], east), eight(&self.speed[WEST], west)],
        };
        let y = Sides {
            fall: [fall(NORTH, eight(self.times, at + self.width)), fall(SOUTH, eight(self.times, at - self.width))],
            cost: [eight(&self.cost[NORTH], north), eight(&self.cost[SOUTH], south)],
            speed: [eight(&self.speed[NORTH], north), eight(&self.speed[SOUTH], south)],
        };
        self.take(c, &t, &x, &y);
    }

    /// One cell, whose neighbors may lie beyond an edge or across a seam.
    #[inline(always)]
    fn cell(&mut self, i: usize, j: usize) {
        let (columns, rows) = (self.ground.columns, self.ground.rows);
        let (at, c) = (self.place(i, j), j * columns + i);
        let t = self.times[at];
        let east = if i + 1 < columns { c + 1 } else { c - i };
        let west = if i > 0 { c - 1 } else { c + columns - 1 };
        let north = if j + 1 < rows { c + columns } else { i };
        let south = if j > 0 { c - columns } else { (rows - 1) * columns + i };
        let joined = self.ground.joined[c];
        let all = |x: f64| [x; BLOCK];
        let side = |face: usize, n: usize, at: usize| {
            (all(drop(joined, face, t, self.times[at])), all(self.cost[face][n]), all(self.speed[face][n]))
        };
        let sides = |a: (Eight, Eight, Eight), b: (Eight, Eight, Eight)| Sides {
            fall: [a.0, b.0],
            cost: [a.1, b.1],
            speed: [a.2, b.2],
        };
        let x = sides(side(EAST, east, at + 1), side(WEST, west, at - 1));
        let y = sides(side(NORTH, north, at + self.width), side(SOUTH, south, at - self.width));
        let (per, free) = (per_size(self.ground), (self.most, 1.0 / self.free));
        self.way[c] = if t < f64::INFINITY { way((&x, &y), 0, per, free) } else { UNKNOWN };
    }

    #[inline(always)]
    fn take(&mut self, c: usize, t: &Eight, x: &Sides, y: &Sides) {
        let (per, free) = (per_size(self.ground), (self.most, 1.0 / self.free));
        let mut ways = [Vec2::ZERO; BLOCK];
        for k in 0..BLOCK {
            let found = way((x, y), k, per, free);
            ways[k] = if t[k] < f64::INFINITY { found } else { UNKNOWN };
        }
        self.way[c..c + BLOCK].copy_from_slice(&ways);
    }
}

#[inline(always)]
fn per_size(ground: &Ground) -> Vec2 {
    vec2(1.0 / ground.size.x, 1.0 / ground.size.y)
}

#[inline(always)]
fn eight(numbers: &[f64], at: usize) -> Eight {
    numbers[at..at + BLOCK].try_into().expect("eight numbers")
}

/// How much earlier the neighbor behind a face is reached; 0 for a closed face, even if the neighbor is earlier.
#[inline(always)]
fn drop(joined: u8, face: usize, t: f64, neighbor: f64) -> f64 {
    let drop = if joined & (1 << face) != 0 { t - neighbor } else { 0.0 };
    if drop > 0.0 { drop } else { 0.0 }
}

/// Direction of cell `k`, as a share of the free speed.
#[inline(always)]
fn way((x, y): (&Sides, &Sides), k: usize, per: Vec2, (most, per_free): (f64, f64)) -> Vec2 {
    let (x, speed_x) = steeper(x, k);
    let (y, speed_y) = steeper(y, k);
    let (x, y) = (x * per.x, y * per.y);
    let length = (x * x + y * y).sqrt();
    let n = if length > 1e-12 { (x / length, y / length) } else { (0.0, 0.0) };
    let fast = |n: f64, speed: f64| {
        let least = if speed < most { speed } else { most };
        if n == 0.0 { 0.0 } else { n * least * per_free }
    };
    vec2(fast(n.0, speed_x), fast(n.1, speed_y))
}

/// The steeper of two falls per cost, compared without dividing, and the speed on that side.
#[inline(always)]
fn steeper(side: &Sides, k: usize) -> (f64, f64) {
    let Sides { fall: [a, b], cost: [a_cost, b_cost], speed: [a_speed, b_speed] } = side;
    let first = a[k] * b_cost[k] >= b[k] * a_cost[k];
    (if first { a[k] } else { -b[k] }, if first { a_speed[k] } else { b_speed[k] })
}

/// Velocities of people of a class. Who stands where it takes a closer look, or has no clear direction, goes to the others.
pub(super) struct Lead<'a> {
    pub view: &'a View<'a>,
    pub rows: &'a [u32],
    pub columns: usize,
    pub places: &'a [Option<(u32, Vec2)>],
    /// By lower left cell, as [`super::classes::Class::plain`].
    pub plain: &'a [bool],
    pub way: &'a [Vec2],
    pub velocity: &'a mut [Vec2],
    pub others: &'a mut Vec<u32>,
}

/// Twice the free speed: no slope makes people as fast. A sum of ways as long as this says is none that cancels.
const CLEAR2: f64 = 4.0 * CANCELS2;

impl Kernel for Lead<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { view, rows, columns, places, plain, way, velocity, others } = self;
        for &row in rows {
            let i = row as usize;
            let Some((c, at)) = places[i].filter(|&(c, _)| plain[c as usize]) else {
                others.push(row);
                continue;
            };
            let (mut sum, mut all) = (Vec2::ZERO, 0.0);
            let (low, high) = (&way[c as usize..][..2], &way[c as usize + columns..][..2]);
            for (&way, w) in low.iter().chain(high).zip(weights(at)) {
                sum += way * w;
                all += w;
            }
            if sum.length2() > CLEAR2 {
                velocity[i] = sum * (view.flat_speed(i) / all);
            } else {
                others.push(row);
            }
        }
    }
}

/// Bilinear weights of the four cells around a position.
#[inline(always)]
pub(super) fn weights(Vec2 { x, y }: Vec2) -> [f64; 4] {
    [(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y]
}
