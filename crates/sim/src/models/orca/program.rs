//! The velocity closest to the preferred one on the allowed side of every line, or else the one that violates the lines
//! least.
//!
//! The linear programs of the RVO2 library, eight lines at a time: one pass finds the next violated line, another cuts
//! it with all lines before.

use crowdtune_core::math::lanes::{Lanes, WIDTH};
use crowdtune_core::math::planes::{Planes, Read};

/// Lines, in columns: offset to the left of velocity 0, m/s, and direction, a unit vector. Velocities to the left of a
/// line are allowed.
pub(super) type Lines = Planes<3>;

/// A velocity, m/s.
pub(super) type Velocity = (f32, f32);

/// Lines whose directions differ by less than this sine are parallel: as in the RVO2 library.
const PARALLEL: f32 = 1e-5;
/// Beyond any speed, m/s: offset of a line that forbids nothing, and how far lines extend.
const FAR: f32 = 1e6;

/// The best velocity no faster than `most` on the allowed side of the first `len` lines. If there is none, the one that
/// violates the lines from `hard` on least while respecting the first `hard` ones. `scratch` is overwritten.
#[inline(always)]
pub(super) fn solve<L: Lanes>(
    (lines, scratch): (&mut Lines, &mut Lines),
    (len, hard): (usize, usize),
    most: f32,
    wish: Velocity,
) -> Velocity {
    lines.reserve(len.next_multiple_of(WIDTH));
    let read = lines.read();
    let start = within(wish, most);
    let (v, at) = plane::<L, false>(&read, len, most, wish, start);
    if at == len {
        return v;
    }
    least_wrong::<L>(&read, scratch, (len, hard, at), most, v)
}

/// The velocity, cut to the highest speed.
#[inline(always)]
fn within((x, y): Velocity, most: f32) -> Velocity {
    let speed2 = x * x + y * y;
    if speed2 > most * most {
        let scale = most / speed2.sqrt();
        (x * scale, y * scale)
    } else {
        (x, y)
    }
}

/// Mask of a block's lanes that hold one of `left` lines.
#[inline(always)]
fn there(left: usize) -> u32 {
    if left < WIDTH { (1 << left) - 1 } else { 0xff }
}

/// How far a velocity is on the wrong side of each line of a block, m/s.
#[inline(always)]
fn beyond<L: Lanes>([offset, ax, ay]: [L; 3], (vx, vy): (L, L)) -> L {
    offset.sub(ax.mul(vy).sub(ay.mul(vx)))
}

/// The first line from `from` on that a velocity violates by more than `wrong`; `len` if there is none.
#[inline(always)]
fn next_wrong<L: Lanes>(lines: &Read<'_, 3>, (from, len): (usize, usize), v: Velocity, wrong: f32) -> usize {
    let (vs, limit) = ((L::splat(v.0), L::splat(v.1)), L::splat(wrong));
    let mut block = from & !(WIDTH - 1);
    let mut ask = 0xff << (from - block);
    while block < len {
        let far = limit.below(beyond(lines.load::<L, 3>(block), vs));
        let bits = far.bits() & ask & there(len - block);
        if bits != 0 {
            return block + bits.trailing_zeros() as usize;
        }
        ask = 0xff;
        block += WIDTH;
    }
    len
}

/// The best velocity for all lines, and `len`; or the best one for the lines before the first infeasible one, and that
/// line. Best is closest to `want`, or with `TOWARD` farthest in its direction.
#[inline(always)]
fn plane<L: Lanes, const TOWARD: bool>(
    lines: &Read<'_, 3>,
    len: usize,
    most: f32,
    want: Velocity,
    start: Velocity,
) -> (Velocity, usize) {
    let (mut v, mut from) = (start, 0);
    loop {
        let at = next_wrong::<L>(lines, (from, len), v, 0.0);
        if at == len {
            return (v, len);
        }
        match line::<L, TOWARD>(lines, at, most, want) {
            Some(best) => v = best,
            None => return (v, at),
        }
        from = at + 1;
    }
}

/// The best point of a line given the lines before it; `None` if nothing is left of the line.
#[inline(always)]
fn line<L: Lanes, const TOWARD: bool>(lines: &Read<'_, 3>, at: usize, most: f32, want: Velocity) -> Option<Velocity> {
    let [offset, ax, ay] = lines.row(at);
    // Starts at the line's point closest to velocity 0, equally far both ways.
    let space = most * most - offset * offset;
    if space < 0.0 {
        return None;
    }
    let half = space.sqrt();
    let none = L::splat(0.0);
    let (off, dx, dy) = (L::splat(offset), L::splat(ax), L::splat(ay));
    // The first end with its sign flipped, so that both ends are minimized.
    let (mut last, mut first) = (L::splat(half), L::splat(half));
    let mut block = 0;
    let mut shut = 0;
    while block < at {
        let [other, bx, by] = lines.load::<L, 3>(block);
        let here = L::counted((at - block) as f32);
        let sine = dx.mul(by).sub(dy.mul(bx));
        let gap = off.mul(dx.mul(bx).add(dy.mul(by))).sub(other);
        let size = sine.max(none.sub(sine));
        let cuts = L::splat(PARALLEL).below(size).keep(here);
        let t = gap.div(sine);
        shut |= gap.below(none).keep(size.at_most(L::splat(PARALLEL))).keep(here).bits();
        let rising = none.below(sine);
        let far = L::splat(FAR);
        last = last.min(t.or_else(rising.keep(cuts), far));
        first = first.min(none.sub(t).or_else(sine.below(none).keep(cuts), far));
        block += WIDTH;
    }
    let (last, first) = (last.least(), -first.least());
    if shut != 0 || first > last {
        return None;
    }
    let t = if TOWARD {
        if want.0 * ax + want.1 * ay > 0.0 { last } else { first }
    } else {
        let t = ax * want.0 + ay * want.1;
        let t = if t < first { first } else { t };
        if t > last { last } else { t }
    };
    Some((ax * t - ay * offset, ay * t + ax * offset))
}

/// The velocity with the smallest maximal violation of the lines from `hard` on; `v` is the best one for the lines
/// before `from`.
#[inline(always)]
fn least_wrong<L: Lanes>(
    lines: &Read<'_, 3>,
    scratch: &mut Lines,
    (len, hard, from): (usize, usize, usize),
    most: f32,
    v: Velocity,
) -> Velocity {
    scratch.reserve(len.next_multiple_of(WIDTH) + WIDTH);
    let (mut v, mut wrong, mut from) = (v, 0.0, from);
    let mut copied = 0;
    while copied < hard {
        scratch.put(copied, lines.load::<L, 3>(copied));
        copied += WIDTH;
    }
    let none = L::splat(0.0);
    loop {
        let at = next_wrong::<L>(lines, (from, len), v, wrong);
        if at == len {
            return v;
        }
        let [offset, ax, ay] = lines.row(at);
        let (off, dx, dy) = (L::splat(offset), L::splat(ax), L::splat(ay));
        let mut block = hard;
        while block < at {
            let [other, bx, by] = lines.load::<L, 3>(block);
            // The line on which both are violated equally. Parallel lines that face the same way have none: neither is
            // violated before the other, so the line forbids nothing.
            let (ex, ey) = (bx.sub(dx), by.sub(dy));
            let size2 = ex.mul(ex).add(ey.mul(ey));
            let per = L::splat(1.0).div(size2.sqrt());
            let same = size2.at_most(L::splat(PARALLEL * PARALLEL));
            scratch.put(
                block,
                [
                    L::splat(-FAR).or_else(same, other.sub(off).mul(per)),
                    L::splat(1.0).or_else(same, ex.mul(per)),
                    none.or_else(same, ey.mul(per)),
                ],
            );
            block += WIDTH;
        }
        let way = (-ay, ax);
        // Infeasible only by rounding: the velocity so far is feasible by construction, and stays.
        let (best, stopped) = plane::<L, true>(&scratch.read(), at, most, way, (way.0 * most, way.1 * most));
        if stopped == at {
            v = best;
        }
        wrong = offset - (ax * v.1 - ay * v.0);
        from = at + 1;
    }
}

#[cfg(test)]
#[path = "program_tests.rs"]
mod tests;
