//! Where a recording is best measured: a line that people cross, and an area before it.

use crate::wkt::Shapes;
use crowdtune_core::math::{Vec2, stats, vec2};
use crowdtune_sim::world::scenario::{Polygon, Segment};
use std::ops::RangeInclusive;

/// Distance between lines that are looked at, m.
const STEP_M: f64 = 0.1;
/// A main direction nearer to an axis than this is the axis, degrees. Chosen here: rooms are drawn along the axes.
const ALONG_AXIS_DEG: f64 = 10.0;
/// Lines over which this share of the most people go are as good as the best. Chosen here: a few tracks begin or end late.
const NEARLY_ALL: f64 = 0.95;
/// How far a line reaches beyond the outermost people where no wall ends it, m. Chosen here: nearly the width of a body.
const BESIDE_M: f64 = 0.5;
/// Where the area begins and ends before the line, m, and how wide it is at most to each side. Chosen here: behind the turbulence at a
/// door, and at 1 per m2 some eight people, as the boxes of the published calibrations have.
const AREA_M: (f64, f64) = (0.5, 2.5);
const HALF_WIDTH_M: f64 = 2.0;

/// A line to measure flows at, and an area before it for densities and speeds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    /// The line.
    pub line: Segment,
    /// How many people cross it.
    pub people: usize,
    /// The area; none where too few people come from afar.
    pub area: Option<Polygon>,
}

/// The way along which most people get on, and what is across it.
struct Ways<'r> {
    rows: &'r [Vec<(u32, Vec2)>],
    shapes: &'r Shapes,
    along: Vec2,
    across: Vec2,
}

/// Where the tracks cross a straight line across the way.
struct Crossed {
    /// From wall to wall, or to where people cross.
    line: Segment,
    /// True if a wall ends it at both sides.
    walled: bool,
    /// Median crossing, across the way.
    middle: f64,
    /// Along the way, of each person the first time: forward or backward.
    forward: Vec<bool>,
}

/// Proposes where to measure: of all straight lines across the main direction, those over which nearly the most people go; of these the shortest between two walls, as
/// in a door; of equally short ones that in the middle. `None` where nobody gets anywhere.
pub(crate) fn propose(rows: &[Vec<(u32, Vec2)>], shapes: &Shapes) -> Option<Measured> {
    let along = main_direction(rows)?;
    let ways = Ways { rows, shapes, along, across: vec2(-along.y, along.x) };
    let places: Vec<f64> = rows.iter().flatten().map(|row| row.1.dot(along)).collect();
    let (first, last) = places.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |all, &u| (all.0.min(u), all.1.max(u)));
    // At round places, and where walls bend or end: a board may be as thin as a line.
    let steps = (first / STEP_M).ceil() as i64..=(last / STEP_M).floor() as i64;
    let corners = ways.walls().flat_map(|wall| [wall.a, wall.b].map(|end| end.dot(along)));
    let mut at: Vec<f64> = steps.map(|k| k as f64 * STEP_M).chain(corners).collect();
    at.retain(|u| (first..=last).contains(u));
    at.sort_by(f64::total_cmp);
    at.dedup();
    let lines: Vec<(f64, Crossed)> = at.into_iter().filter_map(|u| Some((u, ways.crossed(u)?))).collect();
    let most = lines.iter().map(|(_, crossed)| crossed.forward.len()).max()?;
    let enough = |crossed: &Crossed| crossed.forward.len() as f64 >= NEARLY_ALL * most as f64;
    let length = |crossed: &Crossed| (crossed.line.b - crossed.line.a).length();
    let mut good: Vec<&(f64, Crossed)> = lines.iter().filter(|(_, crossed)| enough(crossed)).collect();
    if good.iter().any(|(_, crossed)| crossed.walled) {
        // Beside people who walk where no wall is, nothing says how wide their way is.
        good.retain(|(_, crossed)| crossed.walled);
    }
    let shortest = good.iter().map(|(_, crossed)| length(crossed)).min_by(f64::total_cmp)?;
    let short: Vec<&&(f64, Crossed)> =
        good.iter().filter(|(_, crossed)| length(crossed) <= shortest * 1.01 + 1e-9).collect();
    let (u, crossed) = short[(short.len() - 1) / 2];
    Some(ways.measured(*u, crossed.line, &crossed.forward))
}

/// What is measured at a line that somebody gives, and in an area before it.
pub(crate) fn given(rows: &[Vec<(u32, Vec2)>], shapes: &Shapes, line: Segment) -> Measured {
    let Some(across) = (line.b - line.a).unit() else { return Measured { line, people: 0, area: None } };
    let ways = Ways { rows, shapes, along: vec2(across.y, -across.x), across };
    let (u, ends) = (line.a.dot(ways.along), line.a.dot(across)..=line.b.dot(across));
    ways.measured(u, line, &ways.crossings(u, &ends).into_iter().map(|crossing| crossing.1).collect::<Vec<_>>())
}

/// Unit vector along which people get on most, back and forth alike; `None` if nobody gets anywhere.
fn main_direction(rows: &[Vec<(u32, Vec2)>]) -> Option<Vec2> {
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for way in rows.iter().map(|rows| rows[rows.len() - 1].1 - rows[0].1) {
        (xx, xy, yy) = (xx + way.x * way.x, xy + way.x * way.y, yy + way.y * way.y);
    }
    if xx + yy < f64::MIN_POSITIVE {
        return None;
    }
    // The axis of the largest moment.
    let angle = 0.5 * libm::atan2(2.0 * xy, xx - yy);
    let quarter = std::f64::consts::FRAC_PI_2;
    let axis = (angle / quarter).round();
    let snapped = (angle - axis * quarter).abs() <= ALONG_AXIS_DEG.to_radians();
    Some(match (snapped, axis as i64 % 2 == 0) {
        (true, true) => vec2(1.0, 0.0),
        (true, false) => vec2(0.0, 1.0),
        (false, _) => vec2(libm::cos(angle), libm::sin(angle)),
    })
}

impl Ways<'_> {
    /// Where people cross the straight line that is so far along the way between two places across it, and whether forward: each the first
    /// time.
    fn crossings(&self, u: f64, between: &RangeInclusive<f64>) -> Vec<(f64, bool)> {
        let first = |rows: &Vec<(u32, Vec2)>| {
            rows.windows(2).find_map(|step| {
                let (from, to) = (step[0].1.dot(self.along) - u, step[1].1.dot(self.along) - u);
                let passes = (from < 0.0) != (to < 0.0);
                passes
                    .then(|| {
                        let at = step[0].1 + (step[1].1 - step[0].1) * (from / (from - to));
                        (at.dot(self.across), to > from)
                    })
                    .filter(|crossing| between.contains(&crossing.0))
            })
        };
        self.rows.iter().filter_map(first).collect()
    }

    /// The part of that line between the walls around the median crossing. `None` where fewer than two people cross.
    fn crossed(&self, u: f64) -> Option<Crossed> {
        let all = self.crossings(u, &(f64::NEG_INFINITY..=f64::INFINITY));
        if all.len() < 2 {
            return None;
        }
        let sideways: Vec<f64> = all.iter().map(|crossing| crossing.0).collect();
        let middle = stats::quantile(&sideways, 0.5);
        let (low, high) = self.between_walls(u, middle);
        let inside = all.iter().filter(|crossing| (low..=high).contains(&crossing.0));
        let (least, most) =
            inside.clone().fold((f64::INFINITY, f64::NEG_INFINITY), |all, c| (all.0.min(c.0), all.1.max(c.0)));
        let walled = low.is_finite() && high.is_finite();
        let low = if low.is_finite() { low } else { least - BESIDE_M };
        let high = if high.is_finite() { high } else { most + BESIDE_M };
        let end = |v: f64| rounded(self.along * u + self.across * v);
        let line = Segment { a: end(low), b: end(high) };
        Some(Crossed { line, walled, middle, forward: inside.map(|c| c.1).collect() })
    }

    /// What is measured at a line, which these people cross forward or backward: the area is where most of them come from.
    fn measured(&self, u: f64, line: Segment, forward: &[bool]) -> Measured {
        let ahead = forward.iter().filter(|forward| **forward).count();
        let upstream = if 2 * ahead >= forward.len() { -1.0 } else { 1.0 };
        Measured { line, people: forward.len(), area: self.area(u, upstream, forward.len()) }
    }

    fn walls(&self) -> impl Iterator<Item = Segment> {
        let rings = self.shapes.polygons.iter().flat_map(|(shell, holes)| [shell].into_iter().chain(holes));
        let edges = rings.flat_map(|ring| {
            let next = ring.points.iter().cycle().skip(1);
            ring.points.iter().zip(next).map(|(&a, &b)| Segment { a, b })
        });
        edges.chain(self.shapes.segments.iter().copied())
    }

    /// How far it is to the nearest walls to both sides of a place.
    fn between_walls(&self, u: f64, v: f64) -> (f64, f64) {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut wall_at = |at: f64| if at <= v { low = low.max(at) } else { high = high.min(at) };
        for Segment { a, b } in self.walls() {
            let (from, to) = (a.dot(self.along) - u, b.dot(self.along) - u);
            if from == 0.0 && to == 0.0 {
                wall_at(a.dot(self.across));
                wall_at(b.dot(self.across));
            } else if (from < 0.0) != (to < 0.0) {
                wall_at((a + (b - a) * (from / (from - to))).dot(self.across));
            }
        }
        (low, high)
    }

    /// The area before a line, where at least half of those who cross it come from.
    fn area(&self, u: f64, upstream: f64, people: usize) -> Option<Polygon> {
        let middle = self.crossed(u + upstream * 0.5 * (AREA_M.0 + AREA_M.1))?;
        if 2 * middle.forward.len() < people {
            return None;
        }
        let low = middle.line.a.dot(self.across).max(middle.middle - HALF_WIDTH_M);
        let high = middle.line.b.dot(self.across).min(middle.middle + HALF_WIDTH_M);
        let corner = |far: f64, v: f64| rounded(self.along * (u + upstream * far) + self.across * v);
        let (near, far) = AREA_M;
        let points = vec![corner(near, low), corner(near, high), corner(far, high), corner(far, low)];
        Some(Polygon { points }.counter_clockwise())
    }
}

/// To whole millimeters.
fn rounded(p: Vec2) -> Vec2 {
    let mm = |x: f64| (1000.0 * x).round() / 1000.0;
    vec2(mm(p.x), mm(p.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(from: (f64, f64), to: (f64, f64)) -> Vec<(u32, Vec2)> {
        let (from, to) = (vec2(from.0, from.1), vec2(to.0, to.1));
        (0..=50).map(|k| (k, from + (to - from) * (f64::from(k) / 50.0))).collect()
    }

    fn walls(lines: &[[(f64, f64); 2]]) -> Shapes {
        let segments = lines.iter().map(|[a, b]| Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) }).collect();
        Shapes { segments, ..Shapes::default() }
    }

    #[test]
    fn people_are_counted_in_the_door() {
        // Boards at x = 0 with a door of 1 m between y = -0.5 and 0.5, in a corridor 4 m wide; the passage is 0.6 m long.
        let shapes = walls(&[
            [(-8.0, -2.0), (4.0, -2.0)],
            [(-8.0, 2.0), (4.0, 2.0)],
            [(0.0, -2.0), (0.0, -0.5)],
            [(0.0, -0.5), (0.6, -0.5)],
            [(0.6, -0.5), (0.6, -2.0)],
            [(0.0, 2.0), (0.0, 0.5)],
            [(0.0, 0.5), (0.6, 0.5)],
            [(0.6, 0.5), (0.6, 2.0)],
        ]);
        let way = |y: f64| {
            let mut rows = walk((-6.0, y), (-0.2, 0.2 * y));
            rows.extend(walk((0.0, 0.2 * y), (3.0, 0.3 * y)).into_iter().map(|(k, p)| (k + 51, p)));
            rows
        };
        let rows: Vec<_> = [-1.5, -0.5, 0.5, 1.5].map(way).to_vec();
        let Measured { line, people, area } = propose(&rows, &shapes).unwrap();
        assert_eq!((people, given(&rows, &shapes, line).people), (4, 4));
        assert!((line.a.x - line.b.x).abs() < 1e-9 && line.a.x > 0.0 && line.a.x < 0.6, "{line:?}");
        assert!((line.a.y + 0.5).abs() < 1e-9 && (line.b.y - 0.5).abs() < 1e-9, "{line:?}");
        // Where people come from: to the left.
        let area = area.unwrap().bounds();
        assert!((area.max.x - (line.a.x - 0.5)).abs() < 1e-9 && (area.min.x - (line.a.x - 2.5)).abs() < 1e-9);
        assert!(area.min.y < -1.0 && area.min.y >= -2.0 && area.max.y > 1.0 && area.max.y <= 2.0, "{area:?}");
    }

    #[test]
    fn a_door_may_be_as_thin_as_a_line() {
        // Boards at x = 1.23, between the places that are tried anyway.
        let shapes = walls(&[[(1.23, -2.0), (1.23, -0.4)], [(1.23, 0.3), (1.23, 2.0)]]);
        let rows: Vec<_> = (0..3).map(|k| walk((0.0, 0.1 * f64::from(k)), (3.0, 0.1 * f64::from(k)))).collect();
        let Measured { line, people, .. } = propose(&rows, &shapes).unwrap();
        assert_eq!((people, line.a.x, line.b.x), (3, 1.23, 1.23));
        assert!((line.a.y + 0.4).abs() < 1e-9 && (line.b.y - 0.3).abs() < 1e-9, "{line:?}");
    }

    #[test]
    fn a_corridor_is_measured_where_its_walls_are() {
        // People come from 6 m before it, side by side as closely as nobody walks between its walls 2 m apart.
        let shapes = walls(&[[(0.0, 0.0), (6.0, 0.0)], [(0.0, 2.0), (6.0, 2.0)]]);
        let rows: Vec<_> =
            (0..4).map(|k| walk((-6.0, 0.8 + 0.1 * f64::from(k)), (6.0, 0.8 + 0.1 * f64::from(k)))).collect();
        let Measured { line, area, .. } = propose(&rows, &shapes).unwrap();
        assert!(line.a.x > 2.0 && line.a.x < 4.0 && (line.b - line.a).length() == 2.0, "{line:?}");
        assert_eq!((area.clone().unwrap().bounds().min.y, area.unwrap().bounds().max.y), (0.0, 2.0));
    }

    #[test]
    fn both_directions_cross_a_line_in_the_middle_of_a_field() {
        let rows: Vec<_> = (0..6)
            .map(|k| {
                let y = 0.5 * f64::from(k);
                if k % 3 == 0 { walk((10.0, y), (0.0, y)) } else { walk((0.0, y), (10.0, y)) }
            })
            .collect();
        let Measured { line, people, area } = propose(&rows, &Shapes::default()).unwrap();
        let given = |line: Segment| given(&rows, &Shapes::default(), line);
        assert_eq!((people, given(line).people), (6, 6));
        // Beside some of them; the area is before this line, not before the other one.
        let part = given(Segment { a: vec2(3.0, -1.0), b: vec2(3.0, 0.7) });
        assert_eq!((part.people, part.area.unwrap().bounds().max.x), (2, 2.5));
        // Half a meter beyond the outermost tracks.
        assert!((line.a.y + 0.5).abs() < 1e-9 && (line.b.y - 3.0).abs() < 1e-9, "{line:?}");
        assert!((line.a.x - 5.0).abs() <= 0.11, "{line:?}");
        // Most come from the left.
        assert!(area.unwrap().bounds().max.x < line.a.x);
        // Nobody gets anywhere.
        assert_eq!(propose(&[walk((1.0, 1.0), (1.0, 1.0))], &Shapes::default()), None);
    }

    #[test]
    fn a_way_across_the_axes_is_crossed_at_right_angles() {
        let rows: Vec<_> = (0..3).map(|k| walk((f64::from(k), 0.0), (10.0 + f64::from(k), 10.0))).collect();
        let Measured { line, people, .. } = propose(&rows, &Shapes::default()).unwrap();
        assert_eq!(people, 3);
        assert!((line.b - line.a).dot(vec2(1.0, 1.0)).abs() < 0.01, "{line:?}");
    }
}
