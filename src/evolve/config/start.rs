//! The people of replica 0 are placed while the file is read: if they do not fit now, they would not in the search.

use super::cases::Placed;
use super::item::Item;
use crate::evolve::evaluate::run_seed;
use crate::evolve::experiment::{Case, Timing};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_search::Purpose;
use crowdtune_sim::crowd::people::Traits;
use crowdtune_sim::crowd::{RunSetup, Start};
use crowdtune_sim::world::Torus;
use crowdtune_sim::world::scenario::Spawn;

/// Trial places for the first person who comes in. Chosen here: a place that one of a thousand hits is no entrance.
const TRIES_AT_ENTRANCE: usize = 1_000;

/// Places the people of all cases with the defaults of all genes.
///
/// # Errors
/// If they do not fit, start where nobody can walk, or lie on top of each other so deeply that no run is healthy.
pub fn check(cases: &[Placed], file: &str, genes: &[f64], timing: &Timing, seed: u64) -> Result<(), Error> {
    let mut placed = None;
    for now in cases {
        let case = &now.case;
        let traits: Vec<_> = case.groups.iter().map(|g| g.traits(genes)).collect();
        // Constants of the model do not change where people start.
        let start = (&case.table, &case.scenario.world.plan, &case.scenario.groups, traits);
        if placed.as_ref() != Some(&start) {
            self::case(&now.item(file), case, &start.3, timing, seed)?;
            placed = Some(start);
        }
    }
    Ok(())
}

fn case(item: &Item<'_>, case: &Case, traits: &[Traits], timing: &Timing, seed: u64) -> Result<(), Error> {
    let scenario = &case.scenario;
    // People of tracks start where they were seen, whatever else the file says.
    for group in scenario.groups.iter().filter(|_| scenario.tracks.is_none()) {
        let (Spawn::Points(points) | Spawn::Near { points, .. } | Spawn::Apart { points, .. }) = &group.spawn else {
            continue;
        };
        if let Some(at) = points.iter().position(|&p| !scenario.world.contains(p)) {
            return Err(item.locate(
                Error::input(format!("the point {} is not walkable, so nobody can start there", show(points[at])))
                    .key(format!("group.{}.from.points[{at}]", group.name))
                    .help("move it into the walkable area, out of the obstacles"),
            ));
        }
    }
    let run = Start::new(RunSetup {
        scenario: case.scenario.clone(),
        traits: traits.to_vec(),
        time_step_s: timing.time_step_s,
        sample_every_s: timing.sample_every_s,
        max_overlap_share: timing.max_overlap_share,
        max_backward_share: timing.max_backward_share,
        seed: run_seed(seed, Purpose::Search, &case.table, 0),
    })
    .map_err(|e| match item.node.get("count") {
        // A registered place has one count for all its people.
        Some(_) => item.locate(
            Error::input(e.what()).key("count").help("fewer people, a smaller people.radius_m, or a larger place"),
        ),
        None => item.locate(e),
    })?;

    for group in scenario.groups.iter().filter(|g| g.inflow_per_s.is_some() && g.count > 0) {
        let radius = run.max_radius_m();
        let mut rng = run_seed(seed, Purpose::Search, &case.table, 0).child("entrance", 0).rng();
        let entrance = group.spawn.area();
        if entrance.and_then(|area| scenario.world.free_point(area, radius, TRIES_AT_ENTRANCE, &mut rng)).is_none() {
            return Err(item.locate(
                Error::input(format!(
                    "nobody of radius {radius} m can come in with the group `{}`: its area has no place off the walls",
                    group.name
                ))
                .key(format!("group.{}.from", group.name))
                .help("a wider or larger place to come in at, or a smaller people.radius_m"),
            ));
        }
    }

    if scenario.tracks.is_some() {
        return Ok(());
    }
    let crowd = run.crowd();
    let world = &scenario.world;
    let Some((i, j)) = overlap(&world.plan.periodic, &crowd.pos, &crowd.radius, timing.max_overlap_share) else {
        return Ok(());
    };
    let group = &scenario.groups[usize::from(crowd.group[j])];
    let share = 100.0 * timing.max_overlap_share;
    Err(item.locate(
        Error::input(format!(
            "people start on top of each other at {} and {}: they overlap by more than {share} % of the smaller radius",
            show(crowd.pos[i]),
            show(crowd.pos[j])
        ))
        .key(match item.node.get("count") {
            Some(_) => "count".to_owned(),
            None => format!("group.{}.from", group.name),
        })
        .help("move the points apart, enlarge the place, or give a smaller people.radius_m"),
    ))
}

fn show(p: Vec2) -> String {
    format!("({}, {})", p.x, p.y)
}

/// The first two, in the order of x, that overlap by more than a share of the smaller radius, across the seam of a
/// periodic place too; the lower index first.
fn overlap(torus: &Torus, pos: &[Vec2], radius: &[f64], most: f64) -> Option<(usize, usize)> {
    let widest = 2.0 * radius.iter().copied().fold(0.0, f64::max);
    let mut order: Vec<(Vec2, usize)> = pos.iter().copied().zip(0..).collect();
    torus.images(|shift| order.extend(pos.iter().map(|&p| p + shift).zip(0..)));
    order.sort_by(|a, b| a.0.x.total_cmp(&b.0.x).then(a.1.cmp(&b.1)));
    order.iter().enumerate().find_map(|(at, &(p, i))| {
        let near = order[at + 1..].iter().take_while(|(q, _)| q.x - p.x < widest);
        let deep = |&&(q, j): &&(Vec2, usize)| {
            i != j && radius[i] + radius[j] - (p - q).length() > most * radius[i].min(radius[j])
        };
        near.clone().find(deep).map(|&(_, j)| (i.min(j), i.max(j)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;

    #[test]
    fn people_on_both_sides_of_the_seam_can_overlap() {
        let ring = Torus { x: Some((0.0, 10.0)), y: None };
        let pos = [vec2(5.0, 0.0), vec2(9.9, 0.0), vec2(0.1, 0.0)];
        // 0.2 m apart: 0.4 of 0.3 m deep.
        assert_eq!(overlap(&ring, &pos, &[0.3; 3], 0.9), Some((1, 2)));
        assert_eq!(overlap(&Torus::default(), &pos, &[0.3; 3], 0.9), None);
        assert_eq!(overlap(&ring, &pos, &[0.3; 3], 1.4), None);
    }
}
