//! One pass over one strip of eight rows.

use super::{EAST, NORTH, SOUTH, WEST};
use crate::math::lanes::{Kernel, Lanes};

/// Rows of a strip.
pub(super) const STRIP: usize = 8;
/// Columns beyond each end of a strip, so that rows that go ahead or stay behind find something.
pub(super) const EDGE: usize = 8;

type Eight = [f64; STRIP];

/// From which side a pass comes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    SouthWest,
    SouthEast,
    NorthWest,
    NorthEast,
}

/// The sides in the order of passes, and whether a pass from there goes down.
pub(super) const SIDES: [(Side, bool); 4] =
    [(Side::SouthWest, false), (Side::SouthEast, false), (Side::NorthEast, true), (Side::NorthWest, true)];

/// A pass over the strip `strip` (the first one is 1).
pub(super) struct Pass<'a> {
    pub tiles: usize,
    pub len: usize,
    pub strip: usize,
    pub time: &'a mut [f64],
    pub cost: &'a [Vec<f64>; 4],
    pub due: &'a mut [f64],
    pub limit: f64,
    pub side: Side,
}

impl Kernel for Pass<'_> {
    type Out = u64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u64 {
        match self.side {
            Side::SouthWest => self.go::<false, false>(),
            Side::SouthEast => self.go::<true, false>(),
            Side::NorthWest => self.go::<false, true>(),
            Side::NorthEast => self.go::<true, true>(),
        }
    }
}

impl Pass<'_> {
    /// Goes through the squares that are due, and on as long as something changes. All is written as for a pass to
    /// the right and up; `LEFT` and `DOWN` mirror it. Lane k is a row further on and a column behind lane k - 1.
    #[inline(always)]
    fn go<const LEFT: bool, const DOWN: bool>(self) -> u64 {
        let Self { tiles, len, strip, time, cost, due, limit, .. } = self;
        let (base, columns) = (strip * len, tiles * STRIP);
        // First rows of the strips behind and ahead at the column of lane 0 or 7.
        let (behind, ahead) = if DOWN { (base + len, base - len + 7) } else { (base - len + 7, base + len) };
        let [behind_x, ahead_x] = if LEFT { [EAST, WEST] } else { [WEST, EAST] };
        let [behind_y, ahead_y] = if DOWN { [NORTH, SOUTH] } else { [SOUTH, NORTH] };
        let (behind_x, ahead_x) = (&cost[behind_x][..], &cost[ahead_x][..]);
        let (behind_y, ahead_y) = (&cost[behind_y][..], &cost[ahead_y][..]);
        let here_due = strip * tiles;
        let (behind_due, ahead_due) =
            if DOWN { (here_due + tiles, here_due - tiles) } else { (here_due - tiles, here_due + tiles) };
        let mut steps = 0;
        let mut tile = 0;
        while tile < tiles {
            if due[here_due + if LEFT { tiles - 1 - tile } else { tile }] >= limit {
                tile += 1;
                continue;
            }
            let mut step = tile * STRIP;
            let mut last = step + 15;
            let mut next = take::<LEFT, DOWN>(eight(time, base + window::<LEFT>(columns, step)));
            let mut old = if step == 0 {
                [f64::INFINITY; STRIP]
            } else {
                take::<LEFT, DOWN>(eight(time, base + window::<LEFT>(columns, step - 1)))
            };
            while step < last && step < columns + 7 {
                if step.is_multiple_of(STRIP) && step < columns {
                    let entered = &mut due[here_due + if LEFT { tiles - 1 - step / STRIP } else { step / STRIP }];
                    if *entered < limit {
                        *entered = f64::INFINITY;
                        last = last.max(step + 15);
                    }
                }
                let here = next;
                let at = base + window::<LEFT>(columns, step);
                next = take::<LEFT, DOWN>(eight(time, base + window::<LEFT>(columns, step + 1)));
                let column = (if LEFT { columns + EDGE - 1 - step } else { step + EDGE }) * STRIP;
                let below = time[behind + column];
                // Lane 7 is seven columns behind.
                let above = time[if LEFT { ahead + column + 7 * STRIP } else { ahead + column - 7 * STRIP }];
                let south = [below, old[0], old[1], old[2], old[3], old[4], old[5], old[6]];
                let north = [next[1], next[2], next[3], next[4], next[5], next[6], next[7], above];
                let cost_behind_x = take::<LEFT, DOWN>(eight(behind_x, at));
                let cost_behind_y = take::<LEFT, DOWN>(eight(behind_y, at));
                let costs = [
                    cost_behind_x,
                    take::<LEFT, DOWN>(eight(ahead_x, at)),
                    cost_behind_y,
                    take::<LEFT, DOWN>(eight(ahead_y, at)),
                ];
                let new = update(here, [old, next, south, north], costs);
                let changed = falls(&new, &here);
                if changed != 0 {
                    put::<LEFT, DOWN>(time, at, new);
                    last = last.max(step + 9);
                    let mut back = changed & helps(&new, &old, &cost_behind_x);
                    while back != 0 {
                        let k = back.trailing_zeros() as usize;
                        back &= back - 1;
                        let t = (step - k - 1) / STRIP;
                        let d = &mut due[here_due + if LEFT { tiles - 1 - t } else { t }];
                        *d = d.min(new[k]);
                    }
                    let mut back = changed & helps(&new, &south, &cost_behind_y);
                    while back != 0 {
                        let k = back.trailing_zeros() as usize;
                        back &= back - 1;
                        let t = (step - k) / STRIP;
                        let d =
                            &mut due[if k == 0 { behind_due } else { here_due } + if LEFT { tiles - 1 - t } else { t }];
                        *d = d.min(new[k]);
                    }
                    if changed & 128 != 0 && new[7] < above {
                        let t = (step - 7) / STRIP;
                        let d = &mut due[ahead_due + if LEFT { tiles - 1 - t } else { t }];
                        *d = d.min(new[7]);
                    }
                }
                old = new;
                step += 1;
                steps += 1;
            }
            tile = step.saturating_sub(7).div_ceil(STRIP).max(tile + 1);
        }
        steps
    }
}

/// Where the window of a step begins in a strip.
#[inline(always)]
fn window<const LEFT: bool>(columns: usize, step: usize) -> usize {
    (if LEFT { columns + EDGE - 1 - step } else { step + EDGE - 7 }) * STRIP
}

/// Bit k is set if a time could lower that of a neighbor it is not closed to.
#[inline(always)]
fn helps(new: &Eight, neighbor: &Eight, cost: &Eight) -> u32 {
    let mut bits = 0;
    for k in 0..STRIP {
        bits |= u32::from(new[k] < neighbor[k] && cost[k] < f64::INFINITY) << k;
    }
    bits
}

#[inline(always)]
fn eight(numbers: &[f64], at: usize) -> &[f64; 64] {
    numbers[at..at + 64].try_into().expect("eight columns of eight")
}

/// Lane k: the k-th row in the direction of the pass, in the column k behind.
#[inline(always)]
const fn offset<const LEFT: bool, const DOWN: bool>(k: usize) -> usize {
    (if LEFT { k } else { 7 - k }) * STRIP + if DOWN { 7 - k } else { k }
}

#[inline(always)]
fn take<const LEFT: bool, const DOWN: bool>(w: &[f64; 64]) -> Eight {
    [
        w[offset::<LEFT, DOWN>(0)],
        w[offset::<LEFT, DOWN>(1)],
        w[offset::<LEFT, DOWN>(2)],
        w[offset::<LEFT, DOWN>(3)],
        w[offset::<LEFT, DOWN>(4)],
        w[offset::<LEFT, DOWN>(5)],
        w[offset::<LEFT, DOWN>(6)],
        w[offset::<LEFT, DOWN>(7)],
    ]
}

#[inline(always)]
fn put<const LEFT: bool, const DOWN: bool>(numbers: &mut [f64], at: usize, lanes: Eight) {
    let w: &mut [f64; 64] = (&mut numbers[at..at + 64]).try_into().expect("eight columns of eight");
    for k in 0..STRIP {
        w[offset::<LEFT, DOWN>(k)] = lanes[k];
    }
}

/// New times from those of the neighbors behind and ahead along both axes, and the costs towards them: the least over
/// the four pairs of a neighbor along x and one along y, which falls whenever one of them falls.
#[inline(always)]
fn update(here: Eight, [bx, ax, by, ay]: [Eight; 4], [cbx, cax, cby, cay]: [Eight; 4]) -> Eight {
    let (mut new, mut doubt) = (here, 0);
    for k in 0..STRIP {
        let (x, other_x, sum_x) = upwind((bx[k], cbx[k]), (ax[k], cax[k]));
        let (y, other_y, sum_y) = upwind((by[k], cby[k]), (ay[k], cay[k]));
        let t = least(both(x, y), least(sum_x, sum_y));
        new[k] = least(t, here[k]);
        // Who has the earlier sum and the earlier time is the better one for all times between.
        doubt |= u32::from(other_x < x.0) | u32::from(other_y < y.0);
    }
    if doubt != 0 {
        for k in 0..STRIP {
            let (behind_x, ahead_x) = (open(bx[k], cbx[k]), open(ax[k], cax[k]));
            let (behind_y, ahead_y) = (open(by[k], cby[k]), open(ay[k], cay[k]));
            let behind = least(both(behind_x, behind_y), both(ahead_x, behind_y));
            let ahead = least(both(behind_x, ahead_y), both(ahead_x, ahead_y));
            new[k] = least(least(behind, ahead), new[k]);
        }
    }
    new
}

#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// A neighbor through whose face a way leads, else one whose time is infinite.
#[inline(always)]
fn open(t: f64, cost: f64) -> (f64, f64) {
    (if cost < f64::INFINITY { t } else { f64::INFINITY }, cost)
}

/// The time that a neighbor along x and one along y give together; infinite if it would lie before one of them.
#[inline(always)]
fn both(x: (f64, f64), y: (f64, f64)) -> f64 {
    let ((low, cl), (high, ch)) = if x.0 <= y.0 { (x, y) } else { (y, x) };
    let d = high - low;
    let (u, w) = (cl * cl, ch * ch);
    let t = low + (u * d + cl * ch * (u + w - d * d).sqrt()) / (u + w);
    // An infinite cost belongs to an infinite time, and the difference is then infinite or no number.
    if d < cl && high < f64::INFINITY { t } else { f64::INFINITY }
}

/// The neighbor along an axis with the earlier sum of time and cost, the time of the other one, and that sum.
#[inline(always)]
fn upwind((t, c): (f64, f64), (u, d): (f64, f64)) -> ((f64, f64), f64, f64) {
    let (t, c) = open(t, c);
    let (u, d) = open(u, d);
    let (s, r) = (t + c, u + d);
    if s <= r { ((t, c), u, s) } else { ((u, d), t, r) }
}

/// Bit k is set if lane k has become smaller.
#[inline(always)]
fn falls(new: &Eight, old: &Eight) -> u32 {
    let mut bits = 0;
    for k in 0..STRIP {
        bits |= u32::from(new[k] < old[k]) << k;
    }
    bits
}
