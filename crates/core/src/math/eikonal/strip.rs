//! One pass over one strip of eight rows.

use super::faces::{Faces, ways};
use super::window::{EDGE, STRIP, eight, put, take, window};
use crate::math::doubles::Doubles;
use crate::math::lanes::{Kernel, Lanes};

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
pub(super) struct Pass<'a, F> {
    pub tiles: usize,
    pub len: usize,
    pub strip: usize,
    pub time: &'a mut [f64],
    pub faces: F,
    /// By square and by the side from which it comes.
    pub due: &'a mut [[f64; 4]],
    pub limit: f64,
    pub side: Side,
}

impl<F: Faces> Kernel for Pass<'_, F> {
    type Out = u64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u64 {
        match self.side {
            Side::SouthWest => self.go::<L::Double, false, false>(),
            Side::SouthEast => self.go::<L::Double, true, false>(),
            Side::NorthWest => self.go::<L::Double, false, true>(),
            Side::NorthEast => self.go::<L::Double, true, true>(),
        }
    }
}

impl<F: Faces> Pass<'_, F> {
    /// Goes through the squares that are due, and on as long as something changes. All is written as for a pass to
    /// the right and up; `LEFT` and `DOWN` mirror it. Lane k is a row further on and a column behind lane k - 1.
    #[inline(always)]
    fn go<D: Doubles, const LEFT: bool, const DOWN: bool>(self) -> u64 {
        let Self { tiles, len, strip, time, faces, due, limit, .. } = self;
        let (base, columns) = (strip * len, tiles * STRIP);
        // First rows of the strips behind and ahead at the column of lane 0 or 7.
        let (behind, ahead) = if DOWN { (base + len, base - len + 7) } else { (base - len + 7, base + len) };
        let here_due = strip * tiles;
        let (behind_due, ahead_due) =
            if DOWN { (here_due + tiles, here_due - tiles) } else { (here_due - tiles, here_due + tiles) };
        let square = |t: usize| if LEFT { tiles - 1 - t } else { t };
        let [behind_x, ahead_x, behind_y, ahead_y] = ways::<LEFT, DOWN>();
        let mut steps = 0;
        let mut tile = 0;
        while tile < tiles {
            // What comes from ahead would get one cell further a pass: the pass from there takes it.
            let pending = &due[here_due + square(tile)];
            if least(pending[behind_x], pending[behind_y]) >= limit {
                tile += 1;
                continue;
            }
            let mut step = tile * STRIP;
            let mut last = step + 15;
            let mut next = D::of(&take::<LEFT, DOWN>(eight(time, base + window::<LEFT>(columns, step))));
            let mut old = if step == 0 {
                D::splat(f64::INFINITY)
            } else {
                D::of(&take::<LEFT, DOWN>(eight(time, base + window::<LEFT>(columns, step - 1))))
            };
            while step < last && step < columns + 7 {
                if step.is_multiple_of(STRIP) && step < columns {
                    let entered = &mut due[here_due + square(step / STRIP)];
                    if least(entered[behind_x], entered[behind_y]) < limit {
                        *entered = [f64::INFINITY; 4];
                        last = last.max(step + 15);
                    }
                }
                let here = next;
                let at = base + window::<LEFT>(columns, step);
                next = D::of(&take::<LEFT, DOWN>(eight(time, base + window::<LEFT>(columns, step + 1))));
                let column = (if LEFT { columns + EDGE - 1 - step } else { step + EDGE }) * STRIP;
                let below = time[behind + column];
                // Lane 7 is seven columns behind.
                let above = time[if LEFT { ahead + column + 7 * STRIP } else { ahead + column - 7 * STRIP }];
                let (south, north) = (old.up(below), next.down(above));
                let [to_west, to_east, to_south, to_north] = faces.lanes::<LEFT, DOWN>(step, at);
                let x = [faces.towards(old, to_west), faces.towards(next, to_east)];
                let y = [faces.towards(south, to_south), faces.towards(north, to_north)];
                let new = update(here, x, y);
                let changed = falls(new, here);
                if changed != 0 {
                    let times = new.store();
                    put::<LEFT, DOWN>(time, at, times);
                    last = last.max(step + 9);
                    let mut back = changed & falls(new, old) & F::open::<D>(to_west);
                    while back != 0 {
                        let k = back.trailing_zeros() as usize;
                        back &= back - 1;
                        let t = (step - k - 1) / STRIP;
                        let d = &mut due[here_due + square(t)][ahead_x];
                        *d = d.min(times[k]);
                    }
                    let mut back = changed & falls(new, south) & F::open::<D>(to_south);
                    while back != 0 {
                        let k = back.trailing_zeros() as usize;
                        back &= back - 1;
                        let t = (step - k) / STRIP;
                        let d = &mut due[if k == 0 { behind_due } else { here_due } + square(t)][ahead_y];
                        *d = d.min(times[k]);
                    }
                    if changed & 128 != 0 && times[7] < above {
                        let t = (step - 7) / STRIP;
                        let d = &mut due[ahead_due + square(t)][behind_y];
                        *d = d.min(times[7]);
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

/// New times from the neighbors behind and ahead along both axes, each with its times and the costs towards them: the least over
/// the four pairs of a neighbor along x and one along y, which falls whenever one of them falls.
#[inline(always)]
fn update<D: Doubles>(here: D, [bx, ax]: [(D, D); 2], [by, ay]: [(D, D); 2]) -> D {
    let (x, other_x, sum_x) = upwind(bx, ax);
    let (y, other_y, sum_y) = upwind(by, ay);
    let new = both(x, y).min(sum_x.min(sum_y)).min(here);
    // Who has the earlier sum and the earlier time is the better one for all times between.
    if falls(other_x, x.0) | falls(other_y, y.0) == 0 {
        return new;
    }
    [both(bx, by), both(ax, by), both(bx, ay), both(ax, ay)].into_iter().fold(new, |new, t| t.min(new))
}

#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The time that a neighbor along x and one along y give together. Infinite if it would lie before one of them, and no number where both are
/// infinite.
#[inline(always)]
fn both<D: Doubles>(x: (D, D), y: (D, D)) -> D {
    let (low, high) = (x.0.min(y.0), x.0.max(y.0));
    let (cl, ch) = (x.0.choose(y.0, x.1, y.1), x.0.choose(y.0, y.1, x.1));
    let d = high.sub(low);
    let (u, w) = (cl.mul(cl), ch.mul(ch));
    let sum = u.add(w);
    let root = sum.sub(d.mul(d)).sqrt();
    let t = low.add(u.mul(d).add(cl.mul(ch).mul(root)).div(sum));
    cl.choose(d, D::splat(f64::INFINITY), t)
}

/// The neighbor along an axis with the earlier sum of time and cost, the time of the other one, and that sum.
#[inline(always)]
fn upwind<D: Doubles>(a: (D, D), b: (D, D)) -> ((D, D), D, D) {
    let (s, r) = (a.0.add(a.1), b.0.add(b.1));
    let nearer = (s.choose(r, a.0, b.0), s.choose(r, a.1, b.1));
    (nearer, s.choose(r, b.0, a.0), s.min(r))
}

/// Bit k is set if lane k is the smaller one.
#[inline(always)]
fn falls<D: Doubles>(new: D, old: D) -> u8 {
    !old.at_most(new)
}
