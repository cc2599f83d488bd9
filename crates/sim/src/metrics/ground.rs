//! Where a Voronoi cell may reach: the walkable area, or only walls where a place has no outline.

use super::convex::{Blade, area};
use crate::world::World;
use crate::world::geometry::Bounds;
use crate::world::overlay::{self, Ring};
use crate::world::scenario::{Polygon, Scenario, Segment};
use crowdtune_core::math::Vec2;

/// How exactly cells and walls are compared, m. Chosen here: far below the tolerance of any measured position.
const SLACK_M: f64 = 1e-7;
/// An outline nearer than this to the seam of a ring lies on it, m: as for custom places.
const ON_SEAM_M: f64 = 1e-3;

/// A cell, or what walls leave of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    /// Corners, counter-clockwise.
    pub outline: Vec<Vec2>,
    /// Outlines of obstacles that stand inside; empty for a convex piece.
    pub holes: Vec<Vec<Vec2>>,
    /// True if the outline is convex and there is no hole.
    pub convex: bool,
}

impl Piece {
    /// Area without the holes, m2.
    pub fn area(&self) -> f64 {
        area(&self.outline).abs() - self.holes.iter().map(|hole| area(hole).abs()).sum::<f64>()
    }

    /// The box around it.
    pub fn bounds(&self) -> Option<Bounds> {
        Bounds::of(self.outline.iter().copied())
    }

    /// The outline and the holes.
    pub fn rings(&self) -> Vec<Ring> {
        std::iter::once(&self.outline).chain(&self.holes).map(|points| overlay::ring(points)).collect()
    }

    fn of(piece: overlay::Piece) -> Self {
        let points = |ring: Polygon| ring.counter_clockwise().points;
        Self { outline: points(piece.outline), holes: piece.holes.into_iter().map(points).collect(), convex: false }
    }

    /// Distance of a point to the piece, m; 0 inside.
    fn distance(&self, p: Vec2) -> f64 {
        let outline = Polygon { points: self.outline.clone() };
        let in_hole = || self.holes.iter().any(|h| Polygon { points: h.clone() }.contains(p));
        if outline.contains(p) && !in_hole() { 0.0 } else { (outline.closest_on_outline(p) - p).length() }
    }
}

/// The outlines that bound cells.
#[derive(Debug)]
pub(super) struct Ground {
    /// The walkable area with its images next door; empty where walls alone bound the place.
    shapes: Vec<Ring>,
    /// Edges of the walkable area, or the walls, images included.
    edges: Vec<Segment>,
    /// True if walls alone bound the place.
    walls_only: bool,
    /// Box around everything that the scenario draws.
    pub bounds: Option<Bounds>,
    near: Vec<(f64, Segment)>,
}

impl Ground {
    /// The ground of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let plan = &scenario.world.plan;
        let torus = plan.periodic;
        let mut shifts = vec![Vec2::ZERO];
        torus.images(|shift| shifts.push(shift));
        let on_seam = |edge: &Segment| {
            let on = |axis: Option<(f64, f64)>, a: f64, b: f64| {
                axis.is_some_and(|(low, high)| {
                    [low, high].iter().any(|end| (a - end).abs() <= ON_SEAM_M && (b - end).abs() <= ON_SEAM_M)
                })
            };
            on(torus.x, edge.a.x, edge.b.x) || on(torus.y, edge.a.y, edge.b.y)
        };
        let walls_only = plan.walkable.is_empty();
        let own: Vec<Segment> = if walls_only {
            plan.walls.clone()
        } else {
            let rings = plan.walkable.iter().flat_map(|(shell, holes)| std::iter::once(shell).chain(holes));
            rings.flat_map(Polygon::edges).filter(|edge| !on_seam(edge)).collect()
        };
        let moved = |by: Vec2| own.iter().map(move |e| Segment { a: e.a + by, b: e.b + by });
        let edges = shifts.iter().flat_map(|&by| moved(by)).collect();
        let image = |p: &Polygon, by: Vec2| p.points.iter().map(|&q| [(q + by).x, (q + by).y]).collect();
        let copies = shifts.iter().flat_map(|&by| {
            let rings = plan.walkable.iter().flat_map(|(shell, holes)| std::iter::once(shell).chain(holes));
            rings.map(move |ring| image(ring, by))
        });
        let mut shapes: Vec<Ring> = copies.collect();
        if !torus.is_open() {
            let pieces = overlay::union(&shapes).into_iter();
            shapes = pieces
                .flat_map(|p| std::iter::once(p.outline).chain(p.holes))
                .map(|p| overlay::ring(&p.points))
                .collect();
        }
        let areas = plan.areas.iter().flat_map(|a| a.what.points.iter().copied());
        let lines = plan.lines.iter().flat_map(|l| [l.what.a, l.what.b]);
        let drawn = plan.bounds(&scenario.groups).into_iter().flat_map(|b| [b.min, b.max]);
        let bounds = Bounds::of(drawn.chain(areas).chain(lines));
        // Beyond the walkable area, so that its outline does the cutting.
        let bounds = if walls_only { bounds } else { bounds.map(|b| b.grown(1.0)) };
        Self { shapes, edges, walls_only, bounds, near: Vec::new() }
    }

    /// What the walls leave of a convex cell around the person at `at`; the cell is given relative to the person.
    ///
    /// In a walkable area: the connected piece of the cell that holds the person, or is nearest to one who stands
    /// outside; empty if there is none. In a place of walls alone: the cell is cut along the line of each wall that it
    /// still touches, nearest first, so that it stays on the person's side.
    pub fn clip(&mut self, world: &World, at: Vec2, cell: &mut Blade, piece: &mut Piece) {
        let whole = |cell: &Blade, piece: &mut Piece| {
            piece.outline.clear();
            piece.outline.extend(cell.points.iter().map(|&q| q + at));
            piece.holes.clear();
            piece.convex = true;
        };
        let reach2 = cell.reach2();
        self.near.clear();
        for edge in &self.edges {
            let d2 = (at - edge.closest(at)).length2();
            if d2 < reach2 {
                self.near.push((d2, Segment { a: edge.a - at, b: edge.b - at }));
            }
        }
        let inside = self.walls_only || world.contains(at);
        if self.near.is_empty() && inside {
            return whole(cell, piece);
        }
        // Stable: equally near ones stay in the order of the plan.
        self.near.sort_by(|x, y| x.0.total_cmp(&y.0));
        let uncut = if self.walls_only { Vec::new() } else { cell.points.clone() };
        if inside && self.cut_along_walls(cell) {
            return whole(cell, piece);
        }
        cell.set(uncut);
        whole(cell, piece);
        let pieces = overlay::intersection(&self.shapes, &piece.rings());
        let best = pieces.into_iter().map(Piece::of).filter(|p| p.area() > SLACK_M * SLACK_M);
        // The first of equally near ones.
        let best = best.min_by(|a, b| a.distance(at).total_cmp(&b.distance(at)));
        *piece = best.unwrap_or_default();
    }

    /// Cuts along the lines of the near walls. True if the result is the piece that holds the person: it is convex, no
    /// wall passes its inside, and where its edge lies on the line of a wall it lies on a wall.
    fn cut_along_walls(&self, cell: &mut Blade) -> bool {
        let mut lines: Vec<(Vec2, f64)> = Vec::new();
        for (_, wall) in &self.near {
            if !cell.is_passed(wall.a, wall.b, SLACK_M) {
                continue;
            }
            let Some(n) = (wall.b - wall.a).left().unit() else { continue };
            let c = wall.a.dot(n);
            if c.abs() <= SLACK_M {
                // The person stands on the wall: which side is meant?
                if self.walls_only {
                    continue;
                }
                return false;
            }
            let (n, c) = if c < 0.0 { (-n, -c) } else { (n, c) };
            cell.cut(n, c);
            lines.push((n, c));
        }
        self.walls_only || self.edges_are_walls(cell, &lines)
    }

    fn edges_are_walls(&self, cell: &Blade, lines: &[(Vec2, f64)]) -> bool {
        let count = cell.points.len();
        (0..count).all(|k| {
            let (p, q) = (cell.points[k], cell.points[(k + 1) % count]);
            let on = |n: Vec2, c: f64| (p.dot(n) - c).abs() <= SLACK_M && (q.dot(n) - c).abs() <= SLACK_M;
            if !lines.iter().any(|&(n, c)| on(n, c)) {
                return true;
            }
            let Some(along) = (q - p).unit() else { return true };
            // Outlines do not overlap, so lengths add up; several walls in line can carry one edge.
            let borne = self.near.iter().filter_map(|(_, wall)| {
                let beside = |end: Vec2| along.cross(end - p).abs() <= SLACK_M;
                let (a, b) = (along.dot(wall.a - p), along.dot(wall.b - p));
                let (from, to) = (a.min(b).max(0.0), a.max(b).min((q - p).length()));
                (beside(wall.a) && beside(wall.b) && from < to).then_some(to - from)
            });
            borne.sum::<f64>() >= (q - p).length() - 4.0 * SLACK_M
        })
    }
}
