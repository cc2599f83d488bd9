//! A place seen from above and the people in it, for all pictures of people.

use crate::format;
use crate::replay::{ReplayFile, Track};
use crate::report::chart::style::{GROUND, INK, MEASURE, PAPER, SOFT, WANTED, group};
use crate::report::chart::{Anchor, Canvas, Fill, Font, Key, Legend, Point, SIDE, Stroke, Symbol};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_sim::world::Torus;

/// A move shorter than this says nothing about a heading, m. Chosen here: three times the rounding of a replay.
const STILL_M: f64 = 0.03;
/// A person is drawn at least this large, px. Chosen here: smaller discs have no color.
const SMALLEST: f64 = 2.2;
/// A ruler is at least this long, px.
const RULER: f64 = 40.0;
const WALL: Stroke = Stroke::new(INK, 1.6);
const DOOR: Stroke = Stroke::new(WANTED, 3.0);
const LINE: Stroke = Stroke::dashed(MEASURE, 1.6);
const CONTOUR: Stroke = Stroke::new(GROUND, 0.7);
const HIGHER: Fill = Fill::new(GROUND).alpha(0.07);
const SEAM: Stroke = Stroke::dashed(SOFT, 1.0);

/// From meters to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map {
    /// Lower left corner of the place, m.
    pub low: Vec2,
    /// Upper right corner, m.
    pub high: Vec2,
    /// Where the lower left corner is, px.
    pub left: f64,
    /// Where the lower left corner is, px.
    pub bottom: f64,
    /// Pixels per meter.
    pub scale: f64,
}

impl Map {
    /// Place of a point, px.
    pub(super) fn at(&self, p: Vec2) -> (f64, f64) {
        (self.left + (p.x - self.low.x) * self.scale, self.bottom - (p.y - self.low.y) * self.scale)
    }

    fn cm(&self, p: [i64; 2]) -> (f64, f64) {
        self.at(vec2(p[0] as f64 / 100.0, p[1] as f64 / 100.0))
    }

    fn line(&self, l: [i64; 4]) -> [(f64, f64); 2] {
        [self.cm([l[0], l[1]]), self.cm([l[2], l[3]])]
    }
}

/// Walls, doors, goals, seams, and the lines and areas where something is measured.
pub(super) fn place(c: &mut Canvas<'_>, file: &ReplayFile, map: &Map) {
    let corners = |points: &[[i64; 2]]| points.iter().map(|&p| map.cm(p)).collect::<Vec<_>>();
    let closed = |points: &[[i64; 2]]| points.iter().chain(points.first()).map(|&p| map.cm(p)).collect::<Vec<_>>();
    relief(c, file, map);
    for area in &file.areas {
        c.polygon(&corners(&area.points), Fill::new(MEASURE).alpha(0.1));
        c.line(&closed(&area.points), Stroke::dashed(MEASURE, 1.0));
    }
    for area in &file.goal_areas {
        c.polygon(&corners(&area.points), Fill::new(WANTED).alpha(0.2));
        c.line(&closed(&area.points), Stroke::new(WANTED, 1.2).alpha(0.8));
    }
    for goal in &file.goal_points {
        let radius = (goal.radius as f64 / 100.0 * map.scale).max(4.0);
        c.mark(map.cm(goal.at), Symbol::dot(WANTED, radius).alpha(0.25));
        c.mark(map.cm(goal.at), Symbol::cross(WANTED, radius.min(5.0)));
    }
    seams(c, file, map);
    file.walls.iter().for_each(|wall| c.line(&map.line(*wall), WALL));
    // Places that a file describes as regions have their walls listed too, with the doors cut out.
    if file.walls.is_empty() && file.rings.torus().is_open() {
        for ring in file.walkable.iter().flat_map(|r| std::iter::once(&r.shell).chain(&r.holes)) {
            c.line(&closed(ring), WALL);
        }
    }
    file.doors.iter().for_each(|door| c.line(&map.line(door.line), DOOR));
    file.lines.iter().for_each(|line| c.line(&map.line(line.line), LINE));
}

/// Higher ground is darker, with a line at each level.
fn relief(c: &mut Canvas<'_>, file: &ReplayFile, map: &Map) {
    for region in file.relief.iter().flat_map(|level| &level.areas) {
        // One outline with its holes: there and back along the same line, and holes turn the other way.
        let first = region.shell.iter().take(1);
        let holes = region.holes.iter().flat_map(|hole| hole.iter().chain(first.clone()));
        c.polygon(&region.shell.iter().chain(holes).map(|&p| map.cm(p)).collect::<Vec<_>>(), HIGHER);
        for ring in std::iter::once(&region.shell).chain(&region.holes) {
            c.line(&ring.iter().map(|&p| map.cm(p)).collect::<Vec<_>>(), CONTOUR);
        }
    }
}

fn seams(c: &mut Canvas<'_>, file: &ReplayFile, map: &Map) {
    let torus = file.rings.torus();
    let (low, high) = (map.low, map.high);
    for x in torus.x.iter().flat_map(|&(a, b)| [a, b]) {
        c.line(&[map.at(vec2(x, low.y)), map.at(vec2(x, high.y))], SEAM);
    }
    for y in torus.y.iter().flat_map(|&(a, b)| [a, b]) {
        c.line(&[map.at(vec2(low.x, y)), map.at(vec2(high.x, y))], SEAM);
    }
}

/// Names of the lines and areas where something is measured, above them and clear of each other.
pub(super) fn names(c: &mut Canvas<'_>, file: &ReplayFile, map: &Map) {
    let top = |points: &mut dyn Iterator<Item = [i64; 2]>| {
        let seen: Vec<_> = points.map(|p| map.cm(p)).collect();
        let x = |pick: fn(f64, f64) -> f64, from: f64| seen.iter().fold(from, |a, p| pick(a, p.0));
        let (left, right) = (x(f64::min, f64::INFINITY), x(f64::max, f64::NEG_INFINITY));
        (f64::midpoint(left, right), seen.iter().fold(f64::INFINITY, |a, p| a.min(p.1)))
    };
    let lines = file.lines.iter().map(|l| {
        let l4 = l.line;
        (&l.name, top(&mut [[l4[0], l4[1]], [l4[2], l4[3]]].into_iter()))
    });
    let areas = file.areas.iter().map(|a| (&a.name, top(&mut a.points.iter().copied())));
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    let (left, right) = (map.left, map.left + (map.high.x - map.low.x) * map.scale);
    let ceiling = map.bottom - (map.high.y - map.low.y) * map.scale;
    for (name, (x, y)) in lines.chain(areas) {
        let name = Font::TICK.cut(name, (right - left).max(60.0));
        let half = Font::TICK.width(&name) / 2.0 + 3.0;
        let x = x.max(left + half).min((right - half).max(left + half));
        let mut y = (y - 8.0).max(ceiling + 8.0);
        while let Some(hit) = taken.iter().find(|t| (t.0 - x).abs() < t.2 + half && (t.1 - y).abs() < 14.0) {
            y = hit.1 + 14.0;
        }
        taken.push((x, y, half));
        c.rect((x - half, y - 7.0), (x + half, y + 7.0), Fill::new(PAPER).alpha(0.8));
        c.text((x, y), &name, Font::TICK, MEASURE, Anchor::Middle);
    }
}

/// A path, broken where it crosses a seam: each piece ends and begins on the seam.
pub(super) fn pieces(torus: &Torus, way: impl Iterator<Item = Vec2>) -> Vec<Vec<Vec2>> {
    let mut pieces: Vec<Vec<Vec2>> = Vec::new();
    let mut last: Option<Vec2> = None;
    for p in way {
        match (last, pieces.last_mut()) {
            (Some(before), Some(piece)) => {
                let step = torus.apart(before, p);
                let jump = p - before - step;
                if jump.length() > 1e-6 {
                    // The share of the step at which the first seam is met.
                    let share = |axis: Option<(f64, f64)>, from: f64, step: f64, jump: f64| match axis {
                        Some((low, high)) if jump.abs() > 1e-6 && step != 0.0 => {
                            ((if step > 0.0 { high } else { low }) - from) / step
                        }
                        _ => 1.0,
                    };
                    let first = share(torus.x, before.x, step.x, jump.x).min(share(torus.y, before.y, step.y, jump.y));
                    let seam = before + step * first.clamp(0.0, 1.0);
                    piece.push(seam);
                    pieces.push(vec![seam + jump, p]);
                } else {
                    piece.push(p);
                }
            }
            _ => pieces.push(vec![p]),
        }
        last = Some(p);
    }
    pieces
}

/// Direction of a person at their `at`-th position: that of the last real move before it, else of the first one after
/// it; `None` for a person who never moved.
pub(super) fn heading(torus: &Torus, person: &Track, at: usize) -> Option<Vec2> {
    let way: Vec<Vec2> = person.positions().collect();
    let here = *way.get(at)?;
    let moved = |p: &Vec2| torus.apart(*p, here);
    let back = way[..at].iter().rev().map(moved).find(|m| m.length() > STILL_M);
    back.or_else(|| way[at..].iter().map(|p| torus.apart(here, *p)).find(|m| m.length() > STILL_M))?.unit()
}

/// A person as a disc with a nose in the direction of motion; `marked` ones get a ring around.
pub(super) fn person(c: &mut Canvas<'_>, at: Point, radius: f64, heading: Option<Vec2>, group_at: usize, marked: bool) {
    let radius = radius.max(SMALLEST);
    if marked {
        c.mark(at, Symbol::ringed(INK, radius + 0.5));
    }
    if let Some(way) = heading {
        let tip = |reach: f64, side: f64| {
            (at.0 + (way.x * reach - way.y * side) * radius, at.1 - (way.y * reach + way.x * side) * radius)
        };
        c.polygon(&[tip(1.9, 0.0), tip(0.55, 0.8), tip(0.55, -0.8)], Fill::new(INK));
    }
    c.mark(at, Symbol::dot(INK, radius + 0.5).alpha(0.75));
    c.mark(at, Symbol::dot(group(group_at), radius - 0.3));
}

/// The groups of a place in their colors; nothing where there is only one.
pub(super) fn groups(file: &ReplayFile) -> Legend {
    let entry = |legend: Legend, (i, name): (usize, &String)| {
        let marked = file.marked.contains(&(i as u16));
        let symbol = if marked { Symbol::ringed(group(i), 3.4) } else { Symbol::dot(group(i), 4.5) };
        legend.with(Key::Mark(symbol), name.as_str())
    };
    match file.groups.len() {
        0 | 1 => Legend::new(),
        _ => file.groups.iter().enumerate().fold(Legend::new(), entry),
    }
}

/// A length to compare with at the bottom left, and what the marks in these places mean; `y` is the line of the ruler.
pub(super) fn ruler(c: &mut Canvas<'_>, files: &[&ReplayFile], y: f64, scale: f64) {
    let lengths = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0];
    let length = lengths.into_iter().find(|l| l * scale >= RULER).unwrap_or(1000.0);
    let end = SIDE + length * scale;
    c.line(&[(SIDE, y - 4.0), (SIDE, y), (end, y), (end, y - 4.0)], Stroke::new(SOFT, 1.4));
    let text = format!("{} m", format::plain(length));
    c.text((end + 8.0, y - 1.0), &text, Font::TICK, SOFT, Anchor::Start);
    let any = |has: fn(&ReplayFile) -> bool| files.iter().any(|f| has(f));
    let goals = any(|f| !(f.goal_areas.is_empty() && f.goal_points.is_empty() && f.doors.is_empty()));
    let every = files.iter().find_map(|f| f.contour_interval_m());
    let contours = every.map(|m| format!("height, every {} m", format::plain(m)));
    let left = end + 34.0 + Font::TICK.width(&text);
    let width = c.width() - SIDE - left;
    Legend::new()
        .with_if(goals, Key::Line(DOOR), "goal")
        .with_if(any(|f| !(f.lines.is_empty() && f.areas.is_empty())), Key::Line(LINE), "measured here")
        .with_if(contours.is_some(), Key::Line(CONTOUR), contours.unwrap_or_default())
        .with_if(any(|f| !f.rings.torus().is_open()), Key::Line(SEAM), "seam: the place continues on the other side")
        .first_row(width)
        .draw(c, (left, y - 10.0), width);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(x: &[i64]) -> Track {
        Track { id: 0, group: 0, radius: 20.0, start: 0, x: x.to_vec(), y: vec![0; x.len()] }
    }

    #[test]
    fn ways_break_on_the_seam() {
        let torus = Torus { x: Some((0.0, 10.0)), y: None };
        let way = [vec2(9.0, 1.0), vec2(9.75, 1.0), vec2(0.25, 2.0), vec2(1.0, 2.0)];
        let broken = pieces(&torus, way.into_iter());
        assert_eq!(broken, [vec![way[0], way[1], vec2(10.0, 1.5)], vec![vec2(0.0, 1.5), way[2], way[3]]]);
        assert_eq!(pieces(&Torus::default(), way.into_iter()), [way.to_vec()]);
        assert_eq!(pieces(&torus, std::iter::empty()).len(), 0);
    }

    #[test]
    fn headings_outlast_a_stop_and_point_across_the_seam() {
        let torus = Torus { x: Some((0.0, 10.0)), y: None };
        let walks = track(&[980, 15, -985, 0, 0]);
        assert_eq!(heading(&torus, &walks, 2), Some(vec2(1.0, 0.0)));
        assert_eq!(heading(&torus, &walks, 4), Some(vec2(1.0, 0.0)));
        assert_eq!(heading(&torus, &walks, 0), Some(vec2(1.0, 0.0)));
        assert_eq!(heading(&torus, &track(&[100, 1, 0]), 2), None);
        assert_eq!(heading(&torus, &track(&[]), 0), None);
    }
}
