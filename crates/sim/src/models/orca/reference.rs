//! The same in double precision, line by line and pair by pair, to test the lanes against.

use super::walls::Line;
use crowdtune_core::math::Vec2;

/// Lines whose directions differ by less than this sine are parallel: as in the RVO2 library.
const PARALLEL: f64 = 1e-5;

/// What is wanted inside the bounds.
#[derive(Clone, Copy, Debug)]
enum Want {
    /// The velocity nearest to this one.
    Near(Vec2),
    /// The velocity farthest in this direction.
    Toward(Vec2),
}

/// The best velocity no faster than `most` on the allowed side of all lines. If there is none, the one that violates
/// the lines from `hard` on least while respecting the first `hard` ones.
pub(super) fn solve(lines: &[Line], hard: usize, most: f64, wish: Vec2, scratch: &mut Vec<Line>) -> Vec2 {
    let (v, failed) = plane(lines, most, Want::Near(wish));
    match failed {
        Some(at) => least_wrong(lines, (hard, at), most, v, scratch),
        None => v,
    }
}

/// The best point of a line given the lines before it; `None` if nothing is left of the line.
fn line(lines: &[Line], at: usize, most: f64, want: Want) -> Option<Vec2> {
    let Line { point, along } = lines[at];
    let middle = point.dot(along);
    let space = middle * middle + most * most - point.length2();
    if space < 0.0 {
        return None;
    }
    let half = space.sqrt();
    let (mut first, mut last) = (-middle - half, -middle + half);
    for other in &lines[..at] {
        let sine = along.cross(other.along);
        let gap = other.along.cross(point - other.point);
        if sine.abs() <= PARALLEL {
            if gap < 0.0 {
                return None;
            }
            continue;
        }
        let t = gap / sine;
        if sine >= 0.0 {
            last = last.min(t)
        } else {
            first = first.max(t)
        }
        if first > last {
            return None;
        }
    }
    let t = match want {
        Want::Near(wish) => along.dot(wish - point).max(first).min(last),
        Want::Toward(way) => {
            if way.dot(along) > 0.0 {
                last
            } else {
                first
            }
        }
    };
    Some(point + along * t)
}

/// The best velocity for all lines, or the best one for the lines before the first infeasible one, and that line.
fn plane(lines: &[Line], most: f64, want: Want) -> (Vec2, Option<usize>) {
    let mut v = match want {
        Want::Near(wish) if wish.length2() > most * most => wish * (most / wish.length()),
        Want::Near(wish) => wish,
        Want::Toward(way) => way * most,
    };
    for (at, one) in lines.iter().enumerate() {
        if one.beyond(v) > 0.0 {
            match line(lines, at, most, want) {
                Some(best) => v = best,
                None => return (v, Some(at)),
            }
        }
    }
    (v, None)
}

/// The velocity with the smallest maximal violation of the soft lines.
fn least_wrong(lines: &[Line], (hard, from): (usize, usize), most: f64, v: Vec2, scratch: &mut Vec<Line>) -> Vec2 {
    let (mut v, mut wrong) = (v, 0.0);
    for (at, one) in lines.iter().enumerate().skip(from) {
        if one.beyond(v) <= wrong {
            continue;
        }
        scratch.clear();
        scratch.extend_from_slice(&lines[..hard.min(at)]);
        for before in &lines[hard.min(at)..at] {
            let sine = one.along.cross(before.along);
            // The line on which both are violated equally: through their intersection, or halfway between parallel
            // ones.
            let point = if sine.abs() <= PARALLEL {
                if one.along.dot(before.along) > 0.0 {
                    continue;
                }
                (one.point + before.point) * 0.5
            } else {
                one.point + one.along * (before.along.cross(one.point - before.point) / sine)
            };
            if let Some(along) = (before.along - one.along).unit() {
                scratch.push(Line { point, along });
            }
        }
        // Infeasible only by rounding: the velocity so far is feasible by construction, and stays.
        if let (best, None) = plane(scratch, most, Want::Toward(one.along.left())) {
            v = best;
        }
        wrong = one.beyond(v);
    }
    v
}

/// The ORCA line due to a person at `way`.
pub(super) fn bound(way: Vec2, vel: Vec2, other_vel: Vec2, (touch, horizon, share): (f64, f64, f64), dt: f64) -> Line {
    let v = vel - other_vel;
    let (d2, touch2) = (way.length2(), touch * touch);
    let (along, change);
    let per = if d2 > touch2 { 1.0 / horizon.max(dt) } else { 1.0 / dt };
    let w = v - way * per;
    let w_along = w.dot(way);
    if d2 <= touch2 || (w_along < 0.0 && w_along * w_along > touch2 * w.length2()) {
        let length = w.length();
        let out = if length > 1e-12 { w / length } else { -way.unit().unwrap() };
        along = -out.left();
        change = out * (touch * per - length);
    } else {
        let leg = (d2 - touch2).sqrt();
        along = if way.cross(w) > 0.0 {
            (way * leg + way.left() * touch) / d2
        } else {
            (way * leg - way.left() * touch) / -d2
        };
        change = along * v.dot(along) - v;
    }
    Line { point: vel + change * share, along }
}
