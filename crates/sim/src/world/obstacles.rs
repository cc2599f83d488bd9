//! Walls as chains of one-sided edges, each linked to the previous and the next edge on its side.
//!
//! Walls have two sides, so every straight piece gives two edges, one in each direction; an edge is seen from its
//! right. Walls are split where they cross or touch, so that edges meet only at their ends. At an end the next edge is
//! the first one on the right-hand side; at a free end it is the other side of the same piece.

use super::lists::Lists;
use super::scenario::Segment;
use super::walls::{MEET_M, SHORTEST_M, Walls, meet};
use crowdtune_core::math::Vec2;

/// Reach of the cell lists, m; farther lookups check all edges. Chosen here: two seconds of a fast walker.
const REACH_M: f64 = 4.0;

/// One side of a straight piece of wall, seen from its right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Start: the left end, as seen from the walkable side.
    pub from: Vec2,
    /// End.
    pub to: Vec2,
    /// Unit vector from start to end.
    pub along: Vec2,
    /// The previous edge on the same side; at a free start, the other side of the same piece.
    pub before: u32,
    /// The next edge.
    pub after: u32,
    /// True if the corner at the start is convex or straight; false if it is concave.
    pub convex: bool,
}

/// All edges, with a static cell list.
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    /// The two sides of piece `i` are `2 i` and `2 i + 1`.
    edges: Vec<Edge>,
    lists: Lists,
}

impl Obstacles {
    /// Splits walls into pieces and links their sides into chains.
    pub fn new(walls: &Walls) -> Self {
        let pieces = pieces(walls.segments());
        let ends = meet(&pieces);
        let side = |piece: usize, back: bool| {
            let Segment { a, b } = pieces[piece];
            let (from, to) = if back { (b, a) } else { (a, b) };
            let along = (to - from) / (to - from).length();
            Edge { from, to, along, before: 0, after: 0, convex: true }
        };
        let mut edges: Vec<Edge> = (0..pieces.len()).flat_map(|i| [side(i, false), side(i, true)]).collect();
        let count = ends.iter().flatten().max().map_or(0, |&v| v as usize + 1);
        // The edges that start at each vertex, counterclockwise.
        let mut leaving: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (i, &[a, b]) in ends.iter().enumerate() {
            leaving[a as usize].push(2 * i as u32);
            leaving[b as usize].push(2 * i as u32 + 1);
        }
        for around in &mut leaving {
            around.sort_by(|&i, &j| turn(edges[i as usize].along, edges[j as usize].along).then(i.cmp(&j)));
            for (k, &edge) in around.iter().enumerate() {
                // Arriving along the back of an edge, the chain continues with the next edge to its left.
                let (comes, after) = (edge ^ 1, around[(k + 1) % around.len()]);
                let sine = edges[comes as usize].along.cross(edges[after as usize].along);
                edges[comes as usize].after = after;
                edges[after as usize].before = comes;
                edges[after as usize].convex = sine >= 0.0;
            }
        }
        Self { edges, lists: Lists::of(&pieces, REACH_M) }
    }

    /// An edge by its number.
    #[inline]
    pub fn edge(&self, edge: u32) -> &Edge {
        &self.edges[edge as usize]
    }

    /// True if there are no edges.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The straight pieces of wall, which meet only at their ends.
    pub fn pieces(&self) -> impl Iterator<Item = Segment> + '_ {
        self.edges.iter().step_by(2).map(|edge| Segment { a: edge.from, b: edge.to })
    }

    /// Every closed chain by its corners, with the walkable side on the right: counterclockwise around what is solid.
    pub fn chains(&self) -> Vec<Vec<Vec2>> {
        let mut seen = vec![false; self.edges.len()];
        let mut chains = Vec::new();
        for first in 0..self.edges.len() {
            let (mut chain, mut at) = (Vec::new(), first);
            while !seen[at] {
                seen[at] = true;
                chain.push(self.edges[at].from);
                at = self.edges[at].after as usize;
            }
            if !chain.is_empty() {
                chains.push(chain);
            }
        }
        chains
    }

    /// Calls `f` with the number and the squared distance of each edge that is seen from `p` and within `reach` meters,
    /// in ascending order. A point in line with a piece sees the piece's right side.
    #[inline]
    pub fn seen(&self, p: Vec2, reach: f64, f: &mut impl FnMut(u32, f64)) {
        let mut look = |piece: u32| {
            let edge = &self.edges[2 * piece as usize];
            let way = p - edge.from;
            let side = edge.along.cross(way);
            if side.abs() > reach {
                return;
            }
            let length = (edge.to - edge.from).dot(edge.along);
            let t = way.dot(edge.along);
            let beside = t - t.clamp(0.0, length);
            let d2 = side * side + beside * beside;
            if d2 <= reach * reach {
                f(2 * piece + u32::from(side > 0.0), d2);
            }
        };
        match self.lists.near(p, reach) {
            Some(near) if near.clear() > reach => {}
            Some(near) => near.segments().iter().for_each(|&piece| look(piece)),
            None => (0..self.edges.len() as u32 / 2).for_each(look),
        }
    }
}

/// Orders two directions counterclockwise from the positive x axis.
fn turn(a: Vec2, b: Vec2) -> std::cmp::Ordering {
    let lower = |v: Vec2| v.y < 0.0 || (v.y == 0.0 && v.x < 0.0);
    lower(a).cmp(&lower(b)).then(0.0f64.total_cmp(&(a.cross(b) + 0.0)))
}

/// The walls, split where they cross, touch or overlap, each piece once.
fn pieces(walls: &[Segment]) -> Vec<Segment> {
    let mut order: Vec<usize> = (0..walls.len()).collect();
    let low = |i: usize| walls[i].a.x.min(walls[i].b.x);
    let high = |i: usize| walls[i].a.x.max(walls[i].b.x);
    order.sort_by(|&i, &j| low(i).total_cmp(&low(j)).then(i.cmp(&j)));
    let mut cuts: Vec<Vec<Vec2>> = vec![Vec::new(); walls.len()];
    for (k, &i) in order.iter().enumerate() {
        for &j in order[k + 1..].iter().take_while(|&&j| low(j) <= high(i) + MEET_M) {
            let (one, other) = (&walls[i], &walls[j]);
            let mut touch = false;
            for (wall, at, end) in [(one, i, other.a), (one, i, other.b), (other, j, one.a), (other, j, one.b)] {
                if wall.distance(end) <= MEET_M {
                    touch = true;
                    cuts[at].push(end);
                }
            }
            if !touch && let Some(at) = meeting(one, other) {
                cuts[i].push(at);
                cuts[j].push(at);
            }
        }
    }
    let mut pieces = Vec::with_capacity(walls.len());
    for (wall, mut cuts) in walls.iter().zip(cuts) {
        let way = wall.b - wall.a;
        cuts.sort_by(|p, q| (*p - wall.a).dot(way).total_cmp(&(*q - wall.a).dot(way)));
        let mut from = wall.a;
        for to in cuts.into_iter().filter(|&cut| (wall.b - cut).length() >= SHORTEST_M).chain([wall.b]) {
            if (to - from).length() >= SHORTEST_M {
                pieces.push(Segment { a: from, b: to });
                from = to;
            }
        }
    }
    let ends = meet(&pieces);
    let mut seen = std::collections::BTreeSet::new();
    let mut fresh = ends.iter().map(|&[a, b]| a != b && seen.insert((a.min(b), a.max(b))));
    pieces.retain(|_| fresh.next().unwrap_or(true));
    pieces
}

/// The intersection of two walls; `None` if they do not cross or are parallel.
fn meeting(one: &Segment, other: &Segment) -> Option<Vec2> {
    let (u, v, way) = (one.b - one.a, other.b - other.a, other.a - one.a);
    let sine = u.cross(v);
    if sine == 0.0 {
        return None;
    }
    let (s, t) = (way.cross(v) / sine, way.cross(u) / sine);
    ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)).then(|| one.a + u * s)
}

#[cfg(test)]
#[path = "obstacles_tests.rs"]
mod tests;
