//! Where people walked: trajectories over the geometry, crowds side by side.

use super::plot::Plot;
use super::scene::{Map, groups, names, pieces, place, ruler};
use crate::replay::{Crowd, ReplayFile};
use crate::report::chart::style::{INK, group};
use crate::report::chart::{Anchor, Canvas, Font, SIDE, Sheet, Stroke, Symbol, WIDTH};
use crate::report::run::Run;
use crowdtune_core::math::Vec2;
use crowdtune_sim::world::Torus;

/// Most people whose path is drawn in a panel; of more, evenly chosen ones. Chosen here: beyond it lines merge and
/// the picture outgrows the report.
const MOST_PATHS: usize = 200;
/// Positions nearer than this to the last one drawn are skipped, px. Chosen here: no eye sees the corner.
const STEP: f64 = 3.0;
/// A place this much longer than it is deep gets a row of its own.
pub(super) const LONG: f64 = 2.2;
/// A place is at most this high, px. Chosen here: it fits a screen.
pub(super) const HIGHEST: f64 = 520.0;
/// Room for the name above a place, px.
const NAME: f64 = 28.0;
/// Between places beside and below each other, px.
const GAP: (f64, f64) = (24.0, 14.0);
/// Room for the ruler, px.
const FOOT: f64 = 30.0;

const CAPTION: &str = "Paths of people in the recorded runs, which share one seed, that of the replays; colors are groups, dots are \
                       starts, goals are green, and dashes show where something is measured.";

/// A plot of the first replay that holds people.
pub(super) fn plots(run: &Run<'_>) -> Vec<Plot> {
    let file = run.replays.iter().find(|r| r.crowds.iter().any(|c| !c.people.is_empty()));
    file.map(|file| Plot { name: "paths".into(), caption: CAPTION.into(), svg: draw(file) }).into_iter().collect()
}

/// The picture: crowds side by side, below each other where the place is long.
fn draw(file: &ReplayFile) -> String {
    let (low, high) = file.bounds();
    let (w, h) = ((high.x - low.x).max(0.5), (high.y - low.y).max(0.5));
    let n = file.crowds.len().max(1);
    let columns = if w > LONG * h { 1 } else { n.min(2) };
    let cell = (WIDTH - 2.0 * SIDE - GAP.0 * (columns - 1) as f64) / columns as f64;
    let scale = (cell / w).min(HIGHEST / h);
    let row = NAME + h * scale + GAP.1;
    let height = n.div_ceil(columns) as f64 * row + FOOT;
    Sheet::new("Paths").below(&file.title).legend(groups(file)).draw(height, |c, top| {
        for (i, crowd) in file.crowds.iter().enumerate() {
            let left = SIDE + (i % columns) as f64 * (cell + GAP.0) + (cell - w * scale) / 2.0;
            let upper = top + (i / columns) as f64 * row;
            let map = Map { low, high, left, bottom: upper + NAME + h * scale, scale };
            let name = Font::HEADING.cut(&crowd.label, cell);
            c.text((left, upper + 12.0), &name, Font::HEADING, INK, Anchor::Start);
            place(c, file, &map);
            paths(c, crowd, &file.rings.torus(), &map);
            names(c, file, &map);
        }
        ruler(c, &[file], top + height - 14.0, scale);
    })
}

fn paths(c: &mut Canvas<'_>, crowd: &Crowd, torus: &Torus, map: &Map) {
    let every = crowd.people.len().div_ceil(MOST_PATHS).max(1);
    for person in crowd.people.iter().step_by(every) {
        let color = group(person.group.into());
        for (k, piece) in pieces(torus, person.positions()).iter().enumerate() {
            let mut points: Vec<(f64, f64)> = Vec::new();
            let mut last: Option<Vec2> = None;
            for (at, &p) in piece.iter().enumerate() {
                let moved = last.map_or(f64::INFINITY, |l| (p - l).length() * map.scale);
                if moved > STEP || at + 1 == piece.len() {
                    points.push(map.at(p));
                    last = Some(p);
                }
            }
            if let (0, Some(&start)) = (k, points.first()) {
                c.mark(start, Symbol::dot(color, 1.6).alpha(0.9));
            }
            c.line(&points, Stroke::new(color, 0.9).alpha(0.5));
        }
    }
}
