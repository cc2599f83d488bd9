//! Where people walked: trajectories over the geometry, crowds beside each other.

use super::Plot;
use super::canvas::{Canvas, Hold, cut, svg};
use super::scene::{Map, legend, names, pieces, place, ruler};
use super::style::{INK, LABEL, group};
use crate::report::replay_file::{Crowd, ReplayFile};
use crate::report::run::Run;
use crowdtune_core::math::Vec2;
use crowdtune_sim::world::Torus;

/// Most people whose path is drawn in a panel; of more, evenly chosen ones. Chosen here: beyond it lines merge and
/// the picture outgrows the report.
const MOST_PATHS: usize = 200;

/// One plot of the first replay that holds people.
pub fn plots(run: &Run<'_>) -> Vec<Plot> {
    let some = run.replays.iter().filter(|r| r.crowds.iter().any(|c| !c.people.is_empty()));
    some.take(1)
        .map(|file| Plot {
            name: "paths".into(),
            caption: "Paths of the recorded runs, the same seed for both; colors are groups, dots are starts, goals \
                      are green, places to measure at dashed."
                .into(),
            svg: draw(file),
        })
        .collect()
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
            legend(c, file, head + 8.0, (20.0, width - 20.0));
        }
        for (i, crowd) in file.crowds.iter().enumerate() {
            let left = side + (i % columns) as f64 * (cell + gap);
            let top = head + groups + (i / columns) as f64 * (label + h * scale + 14.0);
            let left = left + (cell - w * scale) / 2.0;
            let map = Map { low, high, left, bottom: top + label + h * scale, scale };
            let text = cut(&crowd.label, LABEL * 1.06, cell);
            c.bold(map.left, top + 12.0, &text, LABEL, INK, Hold::Start);
            place(c, file, &map);
            paths(c, crowd, &file.rings.torus(), &map, w.max(h));
            names(c, file, &map);
        }
        ruler(c, &[file], side, height - 14.0, scale);
    })
}

fn paths(c: &mut Canvas<'_>, crowd: &Crowd, torus: &Torus, map: &Map, size: f64) {
    let step = crowd.people.len().div_ceil(MOST_PATHS).max(1);
    for person in crowd.people.iter().step_by(step) {
        let color = group(person.group.into());
        for (k, piece) in pieces(torus, person.positions()).iter().enumerate() {
            let mut points: Vec<(f64, f64)> = Vec::new();
            let mut last: Option<Vec2> = None;
            for (at, &p) in piece.iter().enumerate() {
                let moved = last.map_or(f64::INFINITY, |l| (p - l).length());
                if moved > size / 150.0 || at + 1 == piece.len() {
                    points.push(map.at(p));
                    last = Some(p);
                }
            }
            if let (0, Some(&(x, y))) = (k, points.first()) {
                c.dot(x, y, 1.6, color, 0.9);
            }
            c.line(&points, color, 0.9, 0.5);
        }
    }
}
