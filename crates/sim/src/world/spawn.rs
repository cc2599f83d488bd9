//! Initial positions.

use super::geometry::{Bounds, check_point};
use super::scenario::{Polygon, Spawn};
use super::{World, starts};
use crowdtune_core::Error;
use crowdtune_core::math::rng::{self, ChaCha8Rng};
use crowdtune_core::math::{Vec2, vec2};

/// Trial points per person, in the given order, before the group is placed again by descending radius. Chosen here: if
/// this is not enough, the crowd is near the jamming density of random placement.
const TRIES: usize = 2_000;
/// Trial points per person by descending radius, before the placement is given up. Chosen here: under a second for a
/// thousand people.
const LAST_TRIES: usize = 50_000;
/// Most lattice points tried for one spacing. Chosen here: a square kilometer at 0.5 m.
const MAX_LATTICE: usize = 4_000_000;
/// Tolerance for lattice points at the edge of the area and at walls, m, so that rounding does not drop a row.
const SLACK_M: f64 = 1e-9;

/// Places one person per radius, m, in that order: nobody closer to a wall than the radius, outside the walkable area,
/// or overlapping others or `taken` (center, radius). Centers lie in the spawn area.
///
/// Random: one by one at uniform points; if somebody finds no room, all are placed again by descending radius. A
/// lattice is filled row by row from below, left to right; with a given spacing it starts in the lower left corner of
/// the area's bounding box, else it is centered, with the widest spacing that fits everybody. Points are used as given,
/// overlaps included; near points, each is shifted by its own two random numbers. `taken` does not count there, nor for points
/// pushed apart and honeycombs.
///
/// # Errors
/// People who do not fit (with how many did, and the density asked for); a wrong number of points.
pub(crate) fn place(
    spawn: &Spawn,
    radii: &[f64],
    world: &World,
    taken: &[(Vec2, f64)],
    rng: &mut ChaCha8Rng,
) -> Result<Vec<Vec2>, Error> {
    match spawn {
        Spawn::Random(area) => random(area, radii, world, taken, rng),
        Spawn::Lattice { area, spacing_m } => lattice(area, *spacing_m, radii, world, taken),
        Spawn::Points(points) => {
            points.iter().try_for_each(|&p| check_point(p))?;
            if points.len() == radii.len() {
                return Ok(points.clone());
            }
            Err(Error::input(format!("{} people start at {} points", radii.len(), points.len()))
                .key("count")
                .help("give one point per person, or leave count out"))
        }
        Spawn::Near { points, within_m } => {
            let exact = place(&Spawn::Points(points.clone()), radii, world, taken, rng)?;
            let mut shift = || (2.0 * rng::unit(rng) - 1.0) * within_m;
            Ok(exact.into_iter().map(|p| p + vec2(shift(), shift())).collect())
        }
        Spawn::Apart { points, within_m, gap_m } => {
            let near = Spawn::Near { points: points.clone(), within_m: *within_m };
            starts::apart(place(&near, radii, world, taken, rng)?, radii, *gap_m, world)
        }
        Spawn::Honeycomb { middle, ahead, spacing_m, gap_m } => {
            starts::honeycomb((*middle, *ahead), (*spacing_m, *gap_m), radii, world, rng)
        }
    }
}

/// Discs in cells as wide as the largest diameter, to find overlaps in constant time.
struct Discs {
    origin: Vec2,
    cell: f64,
    columns: usize,
    rows: usize,
    /// First disc of each cell and next disc of each disc, `NONE` at the end.
    first: Vec<u32>,
    next: Vec<u32>,
    discs: Vec<(Vec2, f64)>,
}

const NONE: u32 = u32::MAX;

impl Discs {
    fn new(bounds: Bounds, max_radius: f64, expected: usize) -> Self {
        let bounds = bounds.grown(2.0 * max_radius);
        let size = bounds.size();
        // A few cells per person at most, however large the area.
        let cell = (2.0 * max_radius).max((size.x * size.y / (16.0 * expected as f64 + 64.0)).sqrt()).max(1e-6);
        let (columns, rows) = ((size.x / cell) as usize + 1, (size.y / cell) as usize + 1);
        Self {
            origin: bounds.min,
            cell,
            columns,
            rows,
            first: vec![NONE; columns * rows],
            next: Vec::with_capacity(expected),
            discs: Vec::with_capacity(expected),
        }
    }

    fn cell_of(&self, p: Vec2) -> (usize, usize) {
        let at = |x: f64, n: usize| (x / self.cell).clamp(0.0, (n - 1) as f64) as usize;
        (at(p.x - self.origin.x, self.columns), at(p.y - self.origin.y, self.rows))
    }

    fn is_free(&self, p: Vec2, radius: f64) -> bool {
        let (i, j) = self.cell_of(p);
        for y in j.saturating_sub(1)..=(j + 1).min(self.rows - 1) {
            for x in i.saturating_sub(1)..=(i + 1).min(self.columns - 1) {
                let mut k = self.first[y * self.columns + x];
                while k != NONE {
                    let (q, r) = self.discs[k as usize];
                    if (p - q).length2() < (radius + r - SLACK_M) * (radius + r - SLACK_M) {
                        return false;
                    }
                    k = self.next[k as usize];
                }
            }
        }
        true
    }

    fn add(&mut self, p: Vec2, radius: f64) {
        let (i, j) = self.cell_of(p);
        let cell = j * self.columns + i;
        self.next.push(self.first[cell]);
        self.first[cell] = self.discs.len() as u32;
        self.discs.push((p, radius));
    }
}

impl World {
    /// A point of the area where a person of this radius, m, is in the walkable area and touches no wall: the first
    /// such point of `tries` drawn uniformly; `None` if there was none.
    pub fn free_point(&self, area: &Polygon, radius_m: f64, tries: usize, rng: &mut ChaCha8Rng) -> Option<Vec2> {
        free_point(area, tries, rng, |p| stands_free(self, p, radius_m))
    }
}

/// The first free point of `tries` drawn uniformly from the area; `None` if none of them is free.
pub(crate) fn free_point(
    area: &Polygon,
    tries: usize,
    rng: &mut ChaCha8Rng,
    free: impl Fn(Vec2) -> bool,
) -> Option<Vec2> {
    (0..tries).find_map(|_| area.random_point(rng, 100).filter(|&p| free(p)))
}

/// True if a person of this radius at `p` is in the walkable area and touches no wall.
pub(crate) fn stands_free(world: &World, p: Vec2, radius: f64) -> bool {
    world.walls.distance(p) >= radius - SLACK_M && world.contains(p)
}

fn discs(area: &Polygon, radii: &[f64], taken: &[(Vec2, f64)], world: &World) -> Discs {
    let largest = radii.iter().copied().chain(taken.iter().map(|t| t.1)).fold(0.0, f64::max);
    let mut discs = Discs::new(area.bounds(), largest, radii.len() + taken.len());
    // Discs far from the area do not matter, and would crowd the cells at its edge.
    let near = area.bounds().grown(2.0 * largest);
    for &(p, r) in taken {
        let mut add = |p: Vec2| {
            if p.x >= near.min.x && p.y >= near.min.y && p.x <= near.max.x && p.y <= near.max.y {
                discs.add(p, r);
            }
        };
        add(p);
        world.plan.periodic.images(|shift| add(p + shift));
    }
    discs
}

fn random(
    area: &Polygon,
    radii: &[f64],
    world: &World,
    taken: &[(Vec2, f64)],
    rng: &mut ChaCha8Rng,
) -> Result<Vec<Vec2>, Error> {
    let mut order: Vec<usize> = (0..radii.len()).collect();
    let mut most = 0;
    for tries in [TRIES, LAST_TRIES] {
        let mut placed = vec![Vec2::ZERO; radii.len()];
        let mut discs = discs(area, radii, taken, world);
        let all = order.iter().enumerate().try_for_each(|(fit, &i)| {
            for _ in 0..tries {
                // A slanted strip fills little of the bounding box that points are drawn from.
                let Some(p) = area.random_point(rng, 100) else { continue };
                if discs.is_free(p, radii[i]) && stands_free(world, p, radii[i]) {
                    discs.add(p, radii[i]);
                    world.plan.periodic.images(|shift| discs.add(p + shift, radii[i]));
                    placed[i] = p;
                    return Ok(());
                }
            }
            Err(fit)
        });
        match all {
            Ok(()) => return Ok(placed),
            Err(fit) => most = most.max(fit),
        }
        order.sort_by(|&i, &j| radii[j].total_cmp(&radii[i]).then(i.cmp(&j)));
    }
    Err(crowded(area, radii.len(), most))
}

fn crowded(area: &Polygon, people: usize, fit: usize) -> Error {
    let density = people as f64 / area.area();
    Error::input(format!(
        "{people} people do not fit into their starting area of {:.1} m2: {density:.2} people/m2, room was found for {fit}",
        area.area()
    ))
    .key("count")
    .help("fewer people, a smaller radius_m, or a larger starting area that is free of walls")
}

fn lattice(
    area: &Polygon,
    spacing: Option<f64>,
    radii: &[f64],
    world: &World,
    taken: &[(Vec2, f64)],
) -> Result<Vec<Vec2>, Error> {
    let Bounds { min, max } = area.bounds();
    let size = max - min;
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let others = discs(area, radii, taken, world);
    // Lattice points, in order, where the largest person fits, up to the number of people.
    let points = |s: f64, centered: bool| {
        let (nx, ny) = ((size.x / s + SLACK_M).floor(), (size.y / s + SLACK_M).floor());
        let margin = if centered { (size - vec2(nx, ny) * s) * 0.5 } else { Vec2::ZERO };
        let mut found = Vec::new();
        // Only a vast area with hardly any free space reaches this limit.
        let mut looked_at = 0;
        for j in 0..=ny as u64 {
            for i in 0..=nx as u64 {
                looked_at += 1;
                if found.len() == radii.len() || looked_at > MAX_LATTICE {
                    return found;
                }
                let p = min + margin + vec2(i as f64, j as f64) * s;
                let within = area.contains(p) || (p - area.closest_on_outline(p)).length() <= SLACK_M;
                if within && stands_free(world, p, largest) && others.is_free(p, largest) {
                    found.push(p);
                }
            }
        }
        found
    };
    let least = (2.0 * largest).max(1e-3);
    if let Some(spacing) = spacing {
        if spacing < least - SLACK_M || !spacing.is_finite() {
            return Err(Error::input(format!("people of radius {largest} m overlap on a lattice of {spacing} m"))
                .key("spacing_m")
                .allowed(format!("at least {least} m")));
        }
        let found = points(spacing, false);
        return if found.len() == radii.len() { Ok(found) } else { Err(crowded(area, radii.len(), found.len())) };
    }
    let mut best = points(least, true);
    if best.len() < radii.len() {
        return Err(crowded(area, radii.len(), best.len()));
    }
    let (mut narrow, mut wide) = (least, size.x.max(size.y).max(least));
    // Bisection to a micrometer in a hall of a kilometer.
    for _ in 0..30 {
        let middle = 0.5 * (narrow + wide);
        let found = points(middle, true);
        if found.len() == radii.len() {
            narrow = middle;
            best = found;
        } else {
            wide = middle;
        }
    }
    Ok(best)
}

#[cfg(test)]
#[path = "spawn_tests.rs"]
mod tests;
