//! Where people walked: trajectories over the geometry, crowds beside each other.

use super::Plot;
use super::canvas::{Canvas, Hold, cut, svg, text_width};
use super::style::{INK, LABEL, SOFT, TICK, WANTED, group};
use crate::math::Vec2;
use crate::report::replay_file::{Crowd, ReplayFile};
use crate::report::run::Run;

/// Most people whose path is drawn in a panel; of more, evenly chosen ones. Chosen here: beyond it lines merge and
/// the picture outgrows the report.
const MOST_PATHS: usize = 200;

/// One plot of the first replay that holds people.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let some = run.replays.iter().filter(|r| r.crowds.iter().any(|c| !c.people.is_empty()));
    some.take(1)
        .map(|file| Plot {
            name: "paths".into(),
            caption: "Paths of the recorded runs, the same seed for both; colors are groups, dots are starts, doors \
                      are green, measuring lines dashed."
                .into(),
            svg: draw(file),
        })
        .collect()
}

/// From meters to pixels.
struct Map {
    low: Vec2,
    left: f64,
    bottom: f64,
    scale: f64,
}

impl Map {
    fn at(&self, p: Vec2) -> (f64, f64) {
        (self.left + (p.x - self.low.x) * self.scale, self.bottom - (p.y - self.low.y) * self.scale)
    }

    fn cm(&self, x: i64, y: i64) -> (f64, f64) {
        self.at(Vec2 { x: x as f64 / 100.0, y: y as f64 / 100.0 })
    }
}

/// The picture: crowds side by side, below each other where the place is long.
pub fn draw(file: &ReplayFile) -> String {
    let (low, high) = file.bounds();
    let (w, h) = ((high.x - low.x).max(0.5), (high.y - low.y).max(0.5));
    let n = file.crowds.len().max(1);
    let columns = if w > 2.2 * h { 1 } else { n.min(2) };
    let rows = n.div_ceil(columns);
    let (width, gap, side) = (760.0, 24.0, 16.0);
    let cell = (width - 2.0 * side - gap * (columns - 1) as f64) / columns as f64;
    let scale = (cell / w).min(520.0 / h);
    let (head, foot, label) = (52.0, 30.0, 28.0);
    let groups = if file.groups.len() > 1 { 24.0 } else { 0.0 };
    let height = head + groups + rows as f64 * (label + h * scale + 14.0) + foot;
    svg(width, height, "Paths over the geometry", |c| {
        c.title("Paths", &file.title);
        if file.groups.len() > 1 {
            legend(c, &file.groups, head + 8.0);
        }
        for (i, crowd) in file.crowds.iter().enumerate() {
            let left = side + (i % columns) as f64 * (cell + gap);
            let top = head + groups + (i / columns) as f64 * (label + h * scale + 14.0);
            let map = Map { low, left: left + (cell - w * scale) / 2.0, bottom: top + label + h * scale, scale };
            let text = cut(&crowd.label, LABEL * 1.06, cell);
            c.bold(map.left, top + 12.0, &text, LABEL, INK, Hold::Start);
            place(c, file, &map);
            paths(c, crowd, &map, w.max(h));
        }
        ruler(c, side, height - 14.0, scale);
    })
}

fn place(c: &mut Canvas<'_>, file: &ReplayFile, map: &Map) {
    for area in &file.areas {
        let points: Vec<_> = area.points.iter().map(|p| map.cm(p[0], p[1])).collect();
        c.polygon(&points, SOFT, 0.12);
    }
    for area in &file.goal_areas {
        let points: Vec<_> = area.points.iter().map(|p| map.cm(p[0], p[1])).collect();
        c.polygon(&points, WANTED, 0.2);
    }
    for goal in &file.goal_points {
        let (x, y) = map.cm(goal.at[0], goal.at[1]);
        c.dot(x, y, (goal.radius as f64 / 100.0 * map.scale).max(3.0), WANTED, 0.4);
    }
    for wall in &file.walls {
        c.line(&[map.cm(wall[0], wall[1]), map.cm(wall[2], wall[3])], INK, 1.6, 1.0);
    }
    for region in &file.walkable {
        for ring in std::iter::once(&region.shell).chain(&region.holes) {
            let mut points: Vec<_> = ring.iter().map(|p| map.cm(p[0], p[1])).collect();
            points.extend(points.first().copied());
            c.line(&points, INK, 1.6, 1.0);
        }
    }
    for door in &file.doors {
        c.line(&[map.cm(door.line[0], door.line[1]), map.cm(door.line[2], door.line[3])], WANTED, 3.0, 1.0);
    }
    for line in &file.lines {
        let (a, b) = (map.cm(line.line[0], line.line[1]), map.cm(line.line[2], line.line[3]));
        c.dashes(a, b, INK, 1.2);
    }
}

fn paths(c: &mut Canvas<'_>, crowd: &Crowd, map: &Map, size: f64) {
    let step = crowd.people.len().div_ceil(MOST_PATHS).max(1);
    for person in crowd.people.iter().step_by(step) {
        let color = group(person.group.into());
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut last: Option<Vec2> = None;
        for p in person.positions() {
            let moved = last.map_or(f64::INFINITY, |l| (p - l).length());
            // A step of a third of the place is no step: a periodic edge.
            if last.is_some() && moved > size / 3.0 {
                c.line(&points, color, 0.9, 0.5);
                points.clear();
            }
            if moved > size / 150.0 {
                points.push(map.at(p));
                last = Some(p);
            }
        }
        if let Some(&(x, y)) = points.first() {
            c.dot(x, y, 1.6, color, 0.9);
        }
        c.line(&points, color, 0.9, 0.5);
    }
}

fn legend(c: &mut Canvas<'_>, names: &[String], y: f64) {
    let mut x = 20.0;
    for (i, name) in names.iter().enumerate() {
        let name = cut(name, LABEL, 160.0);
        let next = x + 34.0 + text_width(&name, LABEL);
        if next > c.width() {
            break;
        }
        c.dot(x, y, 4.5, group(i), 1.0);
        c.text(x + 10.0, y, &name, LABEL, INK, Hold::Start);
        x = next;
    }
}

fn ruler(c: &mut Canvas<'_>, x: f64, y: f64, scale: f64) {
    let lengths = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0];
    let length = lengths.into_iter().find(|l| l * scale >= 40.0).unwrap_or(1000.0);
    let end = x + length * scale;
    c.line(&[(x, y - 4.0), (x, y), (end, y), (end, y - 4.0)], SOFT, 1.4, 1.0);
    c.text(end + 8.0, y - 1.0, &format!("{} m", crate::report::format::plain(length)), TICK, SOFT, Hold::Start);
}
