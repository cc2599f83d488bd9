//! Starts of crowds that stand where an experiment had them: honeycombs, and measured places with room for bodies.

use super::World;
use super::spawn::stands_free;
use crowdtune_core::Error;
use crowdtune_core::math::rng::{self, ChaCha8Rng};
use crowdtune_core::math::{Vec2, vec2};

/// Gap that a shift leaves between two bodies of a honeycomb, m; as in the scenes of JuPedSim's calibration.
const LEFT_M: f64 = 0.01;
/// How often everybody is pushed apart before that is given up. Chosen here: measured places need some ten rounds.
const ROUNDS: usize = 2_000;

/// On a hexagonal lattice in the half plane `ahead` of `middle`, a lattice point, whose rows lie across `ahead`: at the points
/// nearest to it that it sees and where the largest person stands free, those of equal distance row by row. The spacing is the largest diameter and
/// `gap_m`, at least `spacing_m`; both coordinates are shifted by up to (spacing - diameter - 1 cm) / sqrt(8), so that two bodies never touch.
///
/// # Errors
/// People who do not fit.
pub(super) fn honeycomb(
    (middle, ahead): (Vec2, Vec2),
    (spacing_m, gap_m): (f64, f64),
    radii: &[f64],
    world: &World,
    rng: &mut ChaCha8Rng,
) -> Result<Vec<Vec2>, Error> {
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let spacing = spacing_m.max(2.0 * largest + gap_m);
    let shift = (spacing - 2.0 * largest - LEFT_M).max(0.0) / 8.0_f64.sqrt();
    let height = 0.5 * 3.0_f64.sqrt() * spacing;
    // Half a disc with room for everybody; walls can make it larger, up to all of the place.
    let mut reach = spacing * ((radii.len() as f64).sqrt() + 1.0);
    let whole = world.plan.bounds(&[]).map_or(reach, |bounds| bounds.size().length() + (bounds.min - middle).length());
    let mut found: Vec<(i64, Vec2)>;
    loop {
        found = Vec::new();
        for row in 0..=(reach / height) as i64 {
            let (up, half) = (row as f64 * height, if row % 2 == 0 { 0.0 } else { 0.5 });
            let most = (reach / spacing) as i64 + 1;
            for column in -most..=most {
                let place = middle + ahead * up - ahead.left() * ((column as f64 + half) * spacing);
                // Twice the distance in spacings, squared: a whole number, so that equal ones stay equal.
                let far = 3 * row * row + (2 * column + row % 2) * (2 * column + row % 2);
                let free = || stands_free(world, place, largest) && !world.walls.crosses(middle, place);
                if 0.25 * far as f64 * spacing * spacing <= reach * reach && free() {
                    found.push((far, place));
                }
            }
        }
        if found.len() >= radii.len() || reach >= whole {
            break;
        }
        reach *= 2.0;
    }
    if found.len() < radii.len() {
        return Err(Error::input(format!(
            "{} people do not fit on a hexagonal lattice of {spacing:.2} m, room was found for {}",
            radii.len(),
            found.len()
        ))
        .key("count")
        .help("fewer people, or a smaller radius_m"));
    }
    found.sort_by_key(|&(far, _)| far);
    let mut by = || (2.0 * rng::unit(rng) - 1.0) * shift;
    Ok(found[..radii.len()].iter().map(|&(_, place)| place + vec2(by(), by())).collect())
}

/// Pushes people apart, one pair after the other, half each, and off the walls, until no two bodies touch and none touches a
/// wall; those who would are `gap_m` apart then, or half of it where it is tight. Two at the same place part along x.
///
/// # Errors
/// People for whom there is no room.
pub(super) fn apart(mut places: Vec<Vec2>, radii: &[f64], gap_m: f64, world: &World) -> Result<Vec<Vec2>, Error> {
    for _ in 0..ROUNDS {
        if lack(&places, radii, gap_m, world) <= 0.5 * gap_m {
            return Ok(places);
        }
        for i in 0..places.len() {
            for j in i + 1..places.len() {
                let way = places[j] - places[i];
                let short = radii[i] + radii[j] + gap_m - way.length();
                if short > 0.0 {
                    let push = way.unit().unwrap_or(vec2(1.0, 0.0)) * (0.5 * short);
                    places[i] = moved(world, places[i], -push, radii[i] + gap_m);
                    places[j] = moved(world, places[j], push, radii[j] + gap_m);
                }
            }
            places[i] = moved(world, places[i], Vec2::ZERO, radii[i] + gap_m);
        }
    }
    Err(Error::input(format!("{} people have no room where they start, even when they are pushed apart", places.len()))
        .key("count")
        .help("fewer people, or a smaller radius_m"))
}

/// The end of a push, `reach` meters off walls; its start, where a wall is in between or the end would be nearer to one than that
/// and than before, as in a gate that is too narrow.
fn moved(world: &World, place: Vec2, push: Vec2, reach: f64) -> Vec2 {
    let mut to = place + push;
    world.walls.contacts(place + push, reach, &mut |wall| to += wall.normal * (reach - wall.distance));
    let closer = || world.walls.distance(to) < reach.min(world.walls.distance(place));
    if world.walls.crosses(place, to) || closer() { place } else { to }
}

/// How much is missing at most of the gap between two bodies, or between a body and a wall, m.
fn lack(places: &[Vec2], radii: &[f64], gap_m: f64, world: &World) -> f64 {
    let pair = |i: usize, j: usize| radii[i] + radii[j] + gap_m - (places[j] - places[i]).length();
    (0..places.len()).fold(0.0, |most: f64, i| {
        let others = (i + 1..places.len()).map(|j| pair(i, j)).fold(most, f64::max);
        others.max(radii[i] + gap_m - world.walls.distance(places[i]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::FieldCache;
    use crate::world::scenario::{FloorPlan, Polygon};
    use crowdtune_core::math::rng::Seed;

    fn room(width: f64, height: f64) -> World {
        let walls = Polygon::rectangle(Vec2::ZERO, vec2(width, height)).edges().collect();
        World::new(FloorPlan { walls, ..FloorPlan::default() }, &mut FieldCache::default()).unwrap()
    }

    #[test]
    fn a_honeycomb_fills_half_a_disc_from_its_middle() {
        let at = (vec2(10.0, 1.0), vec2(0.0, 1.0));
        // Bodies of 0.195 m leave no shift at a gap of 1 cm.
        let six = honeycomb(at, (0.3, 0.01), &[0.195; 6], &room(20.0, 20.0), &mut Seed(1).rng()).unwrap();
        let h = 0.4 * 3.0_f64.sqrt() / 2.0;
        let wanted = [(10.0, 1.0), (9.6, 1.0), (10.4, 1.0), (9.8, 1.0 + h), (10.2, 1.0 + h), (9.4, 1.0 + h)];
        for (place, wanted) in six.iter().zip(wanted) {
            assert!((*place - vec2(wanted.0, wanted.1)).length() < 1e-12, "{place:?} is not {wanted:?}");
        }
        let many = honeycomb(at, (0.62, 0.1), &[0.2; 350], &room(20.0, 20.0), &mut Seed(1).rng()).unwrap();
        for (i, p) in many.iter().enumerate() {
            assert!(many[i + 1..].iter().all(|q| (*p - *q).length() >= 0.41), "{i}");
        }
        // Three of 0.62 m are in the row of a room of 2 m, and one above them.
        let error = honeycomb((vec2(1.0, 0.5), at.1), (0.62, 0.1), &[0.2; 9], &room(2.0, 1.5), &mut Seed(1).rng());
        assert!(error.unwrap_err().to_string().contains("room was found for 5"));
    }

    #[test]
    fn people_on_top_of_each_other_part_along_x() {
        let w = room(10.0, 10.0);
        let two = apart(vec![vec2(5.0, 5.0); 2], &[0.2, 0.3], 0.1, &w).unwrap();
        assert!((two[0] - vec2(4.7, 5.0)).length() < 1e-12 && (two[1] - vec2(5.3, 5.0)).length() < 1e-12, "{two:?}");
        assert_eq!(apart(vec![vec2(5.0, 5.0), vec2(5.6, 5.0)], &[0.2, 0.3], 0.1, &w).unwrap()[1], vec2(5.6, 5.0));
        // Off a wall, and off each other in a corner.
        let corner = apart(vec![vec2(0.1, 0.1), vec2(0.2, 0.1), vec2(0.1, 0.2)], &[0.2; 3], 0.02, &w).unwrap();
        for (i, p) in corner.iter().enumerate() {
            assert!(p.x >= 0.2 && p.y >= 0.2, "{p:?}");
            assert!(corner[i + 1..].iter().all(|q| (*p - *q).length() >= 0.4), "{corner:?}");
        }
        assert!(apart(vec![vec2(0.5, 0.5); 9], &[0.3; 9], 0.02, &room(1.0, 1.0)).is_err());
    }
}
