//! Walls, and lookup by position.
//!
//! One rule says which points act on a person. A straight wall acts at its nearest point. A vertex acts only if it is
//! the nearest point of every wall that meets there, and then once. So a wall drawn in two pieces acts like one, a door
//! post acts once, a concave corner twice, a convex corner once. Ends within 1e-9 m meet. An end in the interior of
//! another wall never acts: where it would be the nearest point of both, the other wall already acts. Walls that cross
//! or partly overlap act independently.

use super::lists::Lists;
use super::scenario::Segment;
use crowdtune_core::math::Vec2;

/// Ends closer than this meet, m; also how far beyond an end of its wall a foot still counts as on the wall.
pub(super) const MEET_M: f64 = 1e-9;
/// Shorter walls are dropped, m. Chosen here: a hundred times the distance at which ends meet.
pub(super) const SHORTEST_M: f64 = 1e-7;
/// Reach of the cell lists, m. Chosen here: the cutoff of the social force between people.
const REACH_M: f64 = 2.0;

/// A point where a wall acts on a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Nearest point of the wall.
    pub point: Vec2,
    /// Distance from there to the person's center, m.
    pub distance: f64,
    /// Unit vector from the wall to the person; the wall's left normal if the distance is below 1e-9 m.
    pub normal: Vec2,
}

/// A point where a wall acts on a person, before its distance is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    /// Nearest point of the wall.
    pub point: Vec2,
    /// The vector from there to the person, m.
    pub away: Vec2,
    /// Direction of the wall.
    pub along: Vec2,
}

/// A disc in which there is no wall.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clearing {
    center: Vec2,
    radius2: f64,
}

impl Clearing {
    #[inline]
    fn holds(&self, p: Vec2) -> bool {
        (p - self.center).length2() < self.radius2
    }
}

/// A wall with its direction, length and the vertices of its ends.
#[derive(Clone, Copy, Debug)]
struct Wall {
    a: Vec2,
    b: Vec2,
    along: Vec2,
    length: f64,
    ends: [u32; 2],
}

/// A point where wall ends meet: a range of `arms`; `dead` if it is in the interior of another wall.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    first: u32,
    end: u32,
    dead: bool,
}

/// A wall at a vertex: its id, its exact end, and its direction away from the vertex.
#[derive(Clone, Copy, Debug)]
struct Arm {
    wall: u32,
    at: Vec2,
    away: Vec2,
}

/// All walls, with static cell lists.
#[derive(Clone, Debug, Default)]
pub struct Walls {
    segments: Vec<Segment>,
    walls: Vec<Wall>,
    vertices: Vec<Vertex>,
    arms: Vec<Arm>,
    lists: Lists,
}

impl Walls {
    /// Prepares the walls for queries up to 2 m; farther queries check every wall.
    ///
    /// Walls shorter than 1e-7 m and repeated walls, in either direction, are dropped.
    pub fn new(segments: &[Segment]) -> Self {
        let mut kept: Vec<Segment> = segments.iter().copied().filter(|s| s.length() >= SHORTEST_M).collect();
        let ends = meet(&kept);
        let mut seen = std::collections::BTreeSet::new();
        let fresh: Vec<bool> = ends.iter().map(|&[a, b]| seen.insert((a.min(b), a.max(b)))).collect();
        let mut keep = fresh.iter().copied();
        kept.retain(|_| keep.next().unwrap_or(true));
        let ends = ends.into_iter().zip(fresh).filter_map(|(e, fresh)| fresh.then_some(e));
        let walls = kept
            .iter()
            .zip(ends)
            .map(|(&Segment { a, b }, ends)| {
                let length = (b - a).length();
                Wall { a, b, along: (b - a) / length, length, ends }
            })
            .collect();
        let lists = Lists::of(&kept, REACH_M);
        let mut this = Self { segments: kept, walls, lists, ..Self::default() };
        this.join_ends();
        this
    }

    /// The walls that are left, in the order given.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Calls `f` for every contact within `reach` meters of `p`, in the order of the walls.
    #[inline]
    pub fn contacts(&self, p: Vec2, reach: f64, f: &mut impl FnMut(Contact)) {
        self.feet(p, reach, &mut |Foot { point, away, along }| {
            let distance = away.length();
            let normal = if distance < MEET_M { along.left() } else { away / distance };
            f(Contact { point, distance, normal });
        });
    }

    /// Calls `f` for every point that acts within `reach` meters of `p`, in the order of the walls.
    #[inline]
    pub(crate) fn feet(&self, p: Vec2, reach: f64, f: &mut impl FnMut(Foot)) {
        match self.lists.near(p, reach) {
            Some(near) if near.clear() > reach => {}
            Some(near) => near.segments().iter().filter_map(|&i| self.foot(i, p, reach)).for_each(f),
            None => (0..self.walls.len() as u32).filter_map(|i| self.foot(i, p, reach)).for_each(f),
        }
    }

    /// Calls `f` for every wall with a point within `reach` meters of `p`, in the order of the walls.
    pub fn within(&self, p: Vec2, reach: f64, f: &mut impl FnMut(Segment)) {
        let mut look = |segment: &Segment| {
            if segment.distance(p) <= reach {
                f(*segment);
            }
        };
        match self.lists.near(p, reach) {
            Some(near) if near.clear() > reach => {}
            Some(near) => near.segments().iter().for_each(|&i| look(&self.segments[i as usize])),
            None => self.segments.iter().for_each(look),
        }
    }

    /// True if the cell lists alone tell that no wall is within `reach` meters of `p`.
    #[inline]
    pub fn are_far(&self, p: Vec2, reach: f64) -> bool {
        self.walls.is_empty() || self.lists.near(p, reach).is_some_and(|near| near.clear() > reach)
    }

    /// Distance from `p` to the nearest wall, m; infinite without walls.
    pub fn distance(&self, p: Vec2) -> f64 {
        if let Some(near) = self.lists.near(p, REACH_M) {
            let nearest =
                near.segments().iter().fold(f64::INFINITY, |d, &i| d.min(self.segments[i as usize].distance(p)));
            if nearest <= REACH_M {
                return nearest;
            }
        }
        self.segments.iter().fold(f64::INFINITY, |d, s| d.min(s.distance(p)))
    }

    /// True if a straight step crosses a wall.
    ///
    /// A point on a wall counts as on its left side, so a step that ends on a wall and the next one that leaves it
    /// cross it at most once together. A step within 1e-9 m of a wall's end crosses it.
    #[inline]
    pub fn crosses(&self, from: Vec2, to: Vec2) -> bool {
        self.crosses_outside(&mut Clearing::default(), from, to)
    }

    /// The same for many steps of one person: a step inside the clearing that the last look has found crosses nothing, and another look finds the next one.
    #[inline]
    pub(crate) fn crosses_outside(&self, clearing: &mut Clearing, from: Vec2, to: Vec2) -> bool {
        if self.walls.is_empty() || clearing.holds(from) && clearing.holds(to) {
            return false;
        }
        let way = to - from;
        if way.length2() <= REACH_M * REACH_M {
            self.crosses_near(clearing, from, to)
        } else {
            self.crosses_far(from, to)
        }
    }

    fn crosses_far(&self, from: Vec2, to: Vec2) -> bool {
        let way = to - from;
        let length = way.length();
        if !(length.is_finite()) {
            return true;
        }
        // Splits long steps into pieces that the cell lists cover, unless checking all walls is less work.
        let pieces = (length / REACH_M).ceil().max(1.0);
        if pieces > self.walls.len() as f64 {
            return (0..self.walls.len()).any(|i| self.walls[i].is_crossed(from, to));
        }
        let mut start = from;
        for k in 1..=pieces as u32 {
            let end = if f64::from(k) == pieces { to } else { from + way * (f64::from(k) / pieces) };
            if self.crosses_near(&mut Clearing::default(), start, end) {
                return true;
            }
            start = end;
        }
        false
    }

    /// True if a step no longer than the reach of the cell lists crosses a wall.
    fn crosses_near(&self, clearing: &mut Clearing, from: Vec2, to: Vec2) -> bool {
        let Some(near) = self.lists.near(from, REACH_M) else {
            return self.walls.iter().any(|w| w.is_crossed(from, to));
        };
        *clearing = Clearing { center: from, radius2: near.clear() * near.clear() };
        !clearing.holds(to) && near.segments().iter().any(|&i| self.walls[i as usize].is_crossed(from, to))
    }

    /// The point of wall `i` that acts on a person, if it is within reach.
    #[inline]
    fn foot(&self, i: u32, p: Vec2, reach: f64) -> Option<Foot> {
        let wall = &self.walls[i as usize];
        let from_a = p - wall.a;
        // Cheap rejections first: most listed walls are too far away.
        if wall.along.cross(from_a).abs() > reach {
            return None;
        }
        let t = from_a.dot(wall.along);
        let point = if t > MEET_M && t < wall.length - MEET_M {
            wall.a + wall.along * t
        } else {
            let (end, vertex) = if t <= MEET_M { (wall.a, wall.ends[0]) } else { (wall.b, wall.ends[1]) };
            if (p - end).length2() > reach * reach * (1.0 + 1e-6) + 1e-6 {
                return None;
            }
            self.vertex_acts(i, vertex, p)?
        };
        let away = p - point;
        (away.length2() <= reach * reach).then_some(Foot { point, away, along: wall.along })
    }

    /// The contact point at a vertex for wall `i`: only the first of the vertex's walls gets one.
    fn vertex_acts(&self, i: u32, vertex: u32, p: Vec2) -> Option<Vec2> {
        let vertex = self.vertices[vertex as usize];
        let arms = &self.arms[vertex.first as usize..vertex.end as usize];
        if vertex.dead || arms[0].wall != i {
            return None;
        }
        let (mut most, mut point) = (0.0, arms[0].at);
        for arm in arms {
            let beyond = (p - arm.at).dot(arm.away);
            if beyond > MEET_M {
                return None;
            }
            // Between 0 and 1e-9 the foot itself acts, so that a split wall acts exactly like a whole one.
            if beyond > most {
                most = beyond;
                point = arm.at + arm.away * beyond;
            }
        }
        Some(point)
    }

    /// Builds the vertices from the ends of the walls.
    fn join_ends(&mut self) {
        let count = self.walls.iter().flat_map(|w| w.ends).max().map_or(0, |v| v as usize + 1);
        let mut at: Vec<Vec<Arm>> = vec![Vec::new(); count];
        for (i, wall) in self.walls.iter().enumerate() {
            let wall_id = i as u32;
            at[wall.ends[0] as usize].push(Arm { wall: wall_id, at: wall.a, away: wall.along });
            at[wall.ends[1] as usize].push(Arm { wall: wall_id, at: wall.b, away: -wall.along });
        }
        for arms in at {
            let dead = arms.first().is_some_and(|arm| self.on_inside(arm.at));
            let first = self.arms.len() as u32;
            self.arms.extend(arms);
            self.vertices.push(Vertex { first, end: self.arms.len() as u32, dead });
        }
    }

    /// True if `v` is in the interior of a wall.
    fn on_inside(&self, v: Vec2) -> bool {
        self.lists.near(v, MEET_M).map_or(&[][..], |near| near.segments()).iter().any(|&i| {
            let wall = &self.walls[i as usize];
            let t = (v - wall.a).dot(wall.along);
            t > 2.0 * MEET_M && t < wall.length - 2.0 * MEET_M && wall.along.cross(v - wall.a).abs() <= MEET_M
        })
    }
}

impl Wall {
    fn is_crossed(&self, from: Vec2, to: Vec2) -> bool {
        let (s, e) = (self.along.cross(from - self.a), self.along.cross(to - self.a));
        if (s >= 0.0) == (e >= 0.0) {
            return false;
        }
        let t = (from + (to - from) * (s / (s - e)) - self.a).dot(self.along);
        t >= -MEET_M && t <= self.length + MEET_M
    }
}

/// The vertex of each end: ends within [`MEET_M`] share a vertex.
pub(super) fn meet(segments: &[Segment]) -> Vec<[u32; 2]> {
    let ends: Vec<Vec2> = segments.iter().flat_map(|s| [s.a, s.b]).collect();
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|&i, &j| ends[i].x.total_cmp(&ends[j].x).then(ends[i].y.total_cmp(&ends[j].y)).then(i.cmp(&j)));
    let mut vertex = vec![u32::MAX; ends.len()];
    let mut count = 0;
    for (k, &i) in order.iter().enumerate() {
        if vertex[i] == u32::MAX {
            vertex[i] = count;
            count += 1;
        }
        for &j in order[k + 1..].iter().take_while(|&&j| ends[j].x - ends[i].x <= MEET_M) {
            if vertex[j] == u32::MAX && (ends[j] - ends[i]).length() <= MEET_M {
                vertex[j] = vertex[i];
            }
        }
    }
    vertex.chunks_exact(2).map(|v| [v[0], v[1]]).collect()
}

#[cfg(test)]
#[path = "walls_tests.rs"]
mod tests;
