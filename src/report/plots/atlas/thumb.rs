//! A crowd as a thumbnail: SVG by hand, because a map of a hundred crowds has to stay small. It holds numbers only, no text.

use crate::replay::{Crowd, ReplayFile, Track};
use crate::report::chart::style::{RGBColor, WANTED, group};
use crate::report::plots::scene::{heading, pieces};
use crowdtune_core::math::Vec2;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Longer side of a thumbnail in its own pixels; it is drawn smaller in the map and as it is beside it.
pub const SIDE: f64 = 240.0;
/// Space around the place, px.
const MARGIN: f64 = 6.0;
/// A person is drawn at least this large, px. Chosen here: a third of it is still a dot in the map.
const LEAST_RADIUS: f64 = 3.6;

/// Walls and outlines have the color of the text around: light or dark with the page, also where the page shows them again.
const INK: &str = "currentColor";
/// That color in a map.
pub const STYLE: &str =
    "<style>.ctplot{color:#1F2937}@media screen and (prefers-color-scheme:dark){.ctplot{color:#E8ECF2}}</style>";

/// Width and height of the thumbnails of a place, px.
pub fn size(file: &ReplayFile) -> (f64, f64) {
    let (low, high) = file.bounds();
    let (w, h) = ((high.x - low.x).max(1e-3), (high.y - low.y).max(1e-3));
    let scale = (SIDE - 2.0 * MARGIN) / w.max(h);
    (w * scale + 2.0 * MARGIN, h * scale + 2.0 * MARGIN)
}

/// Places of one kind, all in one path: compact, and equally colored.
#[derive(Default)]
struct Path(String);

impl Path {
    fn to(&mut self, word: char, p: (f64, f64)) {
        let _ = write!(self.0, "{word}{:.1} {:.1}", p.0, p.1);
    }

    fn line(&mut self, points: impl IntoIterator<Item = (f64, f64)>, closed: bool) {
        for (i, p) in points.into_iter().enumerate() {
            self.to(if i == 0 { 'M' } else { 'L' }, p);
        }
        if closed {
            self.0.push('Z');
        }
    }

    fn stroke(&self, out: &mut String, color: &str, width: f64, alpha: f64) {
        if !self.0.is_empty() {
            let _ = write!(
                out,
                "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width:.1}\" stroke-opacity=\"{alpha}\" \
                 stroke-linecap=\"round\"/>",
                self.0, color
            );
        }
    }

    fn fill(&self, out: &mut String, color: &str, alpha: f64) {
        if !self.0.is_empty() {
            let _ = write!(out, "<path d=\"{}\" fill=\"{}\" fill-opacity=\"{alpha}\"/>", self.0, color);
        }
    }
}

/// A color as SVG has it.
fn hex(RGBColor(r, g, b): RGBColor) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// The last moment of a crowd in its place, with the way of the recorded frames before it. Inside a box of [`size`].
pub fn draw(file: &ReplayFile, crowd: &Crowd) -> String {
    let (low, high) = file.bounds();
    let (w, h) = size(file);
    let scale = ((w - 2.0 * MARGIN) / (high.x - low.x).max(1e-3)).min((h - 2.0 * MARGIN) / (high.y - low.y).max(1e-3));
    let at = |p: Vec2| (MARGIN + (p.x - low.x) * scale, h - MARGIN - (p.y - low.y) * scale);
    let cm = |p: [i64; 2]| at(crowdtune_core::math::vec2(p[0] as f64 / 100.0, p[1] as f64 / 100.0));
    let mut out = String::new();
    place(&mut out, file, &cm);

    let torus = file.rings.torus();
    let last = crowd.frames.saturating_sub(1);
    let here = || crowd.people.iter().filter_map(|p| Some((p, last.checked_sub(p.start).filter(|&k| k < p.x.len())?)));
    let mut trails: BTreeMap<u16, Path> = BTreeMap::new();
    let mut discs: BTreeMap<u16, (Path, f64)> = BTreeMap::new();
    let (mut noses, mut edges) = (Path::default(), BTreeMap::<u64, Path>::new());
    for (p, k) in here() {
        for piece in pieces(&torus, p.positions().take(k + 1)) {
            trails.entry(p.group).or_default().line(piece.into_iter().map(at), false);
        }
        let Some(pos) = p.positions().nth(k) else { continue };
        let radius = (p.radius / 100.0 * scale).max(LEAST_RADIUS);
        nose(&mut noses, at(pos), radius, heading(&torus, p, k));
        let disc = discs.entry(p.group).or_insert_with(|| (Path::default(), radius_of(crowd, p.group, scale)));
        disc.0.to('M', at(pos));
        disc.0.0.push_str("h0");
        let edge = edges.entry((disc.1 * 10.0) as u64).or_default();
        edge.to('M', at(pos));
        edge.0.push_str("h0");
    }
    for (at, trail) in &trails {
        trail.stroke(&mut out, &hex(group((*at).into())), 1.6, 0.45);
    }
    noses.fill(&mut out, INK, 1.0);
    for (tenths, edge) in &edges {
        edge.stroke(&mut out, INK, *tenths as f64 / 5.0 + 1.6, 1.0);
    }
    for (at, (disc, radius)) in &discs {
        disc.stroke(&mut out, &hex(group((*at).into())), 2.0 * radius - 0.4, 1.0);
    }
    out
}

/// Mean radius of a group, px, so that one path draws all of it.
fn radius_of(crowd: &Crowd, group: u16, scale: f64) -> f64 {
    let radii: Vec<f64> = crowd.people.iter().filter(|p: &&Track| p.group == group).map(|p| p.radius).collect();
    (radii.iter().sum::<f64>() / radii.len().max(1) as f64 / 100.0 * scale).max(LEAST_RADIUS)
}

fn nose(noses: &mut Path, at: (f64, f64), radius: f64, way: Option<Vec2>) {
    let Some(way) = way else { return };
    let tip = |reach: f64, side: f64| {
        (at.0 + (way.x * reach - way.y * side) * radius, at.1 - (way.y * reach + way.x * side) * radius)
    };
    noses.line([tip(2.2, 0.0), tip(0.5, 0.9), tip(0.5, -0.9)], true);
}

/// Walls, doors and goals.
fn place(out: &mut String, file: &ReplayFile, cm: &dyn Fn([i64; 2]) -> (f64, f64)) {
    let (mut walls, mut goals, mut doors) = (Path::default(), Path::default(), Path::default());
    let ends = |l: &[i64; 4]| [cm([l[0], l[1]]), cm([l[2], l[3]])];
    file.walls.iter().for_each(|wall| walls.line(ends(wall), false));
    if file.walls.is_empty() && file.rings.torus().is_open() {
        for ring in file.walkable.iter().flat_map(|r| std::iter::once(&r.shell).chain(&r.holes)) {
            walls.line(ring.iter().map(|&p| cm(p)), true);
        }
    }
    file.goal_areas.iter().for_each(|area| goals.line(area.points.iter().map(|&p| cm(p)), true));
    file.doors.iter().for_each(|door| doors.line(ends(&door.line), false));
    for goal in &file.goal_points {
        doors.to('M', cm(goal.at));
        doors.0.push_str("h0");
    }
    goals.fill(out, &hex(WANTED), 0.3);
    walls.stroke(out, INK, 2.0, 1.0);
    doors.stroke(out, &hex(WANTED), 4.0, 1.0);
}
