//! The velocity nearest to a wish that lies on the allowed side of every line, or the one that is least on the wrong side.
//!
//! The linear programs of the RVO2 library with eight lines at a time: one look finds the next line that is violated, and one
//! look cuts it with all lines before.

use crowdtune_core::math::lanes::{Lanes, WIDTH};
use crowdtune_core::math::planes::{Planes, Read};

/// Columns of lines: how far the bound lies to the left of standing still, m/s, and its direction, a unit vector; allowed is
/// what lies to its left.
pub(super) type Lines = Planes<3>;

/// A velocity, m/s.
pub(super) type Velocity = (f32, f32);

/// Lines whose directions differ by less than this sine are parallel: as in the RVO2 library.
const PARALLEL: f32 = 1e-5;
/// So far away nothing is forbidden, m/s, and a line goes so far. Chosen here: beyond any speed.
const FAR: f32 = 1e6;

/// The best velocity no faster than `most` on the right side of the first `len` lines; where there is none, the one that is
/// least on the wrong side of the lines from `hard` on, while the `hard` first ones are kept. `scratch` is overwritten.
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

/// The nearest velocity that is no faster.
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

/// Bits of the lanes of a block that hold one of `left` lines.
#[inline(always)]
fn there(left: usize) -> u32 {
    if left < WIDTH { (1 << left) - 1 } else { 0xff }
}

/// How far a velocity lies on the wrong side of each line of a block, m/s.
#[inline(always)]
fn beyond<L: Lanes>([offset, ax, ay]: [L; 3], (vx, vy): (L, L)) -> L {
    offset.sub(ax.mul(vy).sub(ay.mul(vx)))
}

/// The first line from `from` on that a velocity violates by more than `wrong`; `len` if none.
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

/// The best velocity between all lines, or the best one before the line at which nothing was left, and that line (`len`
/// if none): nearest to `want`, or with `TOWARD` farthest in its direction.
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

/// The best point of a line between the lines before it; `None` if there is nothing left of it.
#[inline(always)]
fn line<L: Lanes, const TOWARD: bool>(lines: &Read<'_, 3>, at: usize, most: f32, want: Velocity) -> Option<Velocity> {
    let [offset, ax, ay] = lines.row(at);
    // From the foot of standing still, where the line is nearest to the middle of the disc, both ways alike.
    let space = most * most - offset * offset;
    if space < 0.0 {
        return None;
    }
    let half = space.sqrt();
    let none = L::splat(0.0);
    let (off, dx, dy) = (L::splat(offset), L::splat(ax), L::splat(ay));
    // The first end with its sign turned, so that the least of both counts.
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

/// The velocity whose largest distance on the wrong side of the lines from `hard` on is smallest; `v` is the best one before
/// the line `from`.
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
            // Where both are wrong by the same: the difference of their bounds. It has no direction where they are parallel
            // and face the same way: of those none is wrong before the other, and the line forbids nothing.
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
        // Nothing left is a rounding error: the velocity so far lies inside by construction, and stays.
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
