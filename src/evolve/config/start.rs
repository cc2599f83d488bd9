//! Everybody of replica 0 is placed while the file is read: who finds no room then would find none in the search.

use super::item::Item;
use crate::Error;
use crate::crowd::people::Traits;
use crate::crowd::simulation::{RunSetup, Simulation};
use crate::evolve::evaluate::run_seed;
use crate::evolve::experiment::{Case, Timing};
use crate::math::Vec2;
use crate::search::Purpose;
use crate::world::scenario::Spawn;

/// Places the people of a case with the defaults of all genes.
///
/// # Errors
/// If they do not fit, start where nobody can walk, or lie on top of each other so deeply that no run is healthy.
pub fn check(item: &Item<'_>, case: &Case, traits: &[Traits], timing: &Timing, seed: u64) -> Result<(), Error> {
    let scenario = &case.scenario;
    for group in &scenario.groups {
        let Spawn::Points(points) = &group.spawn else { continue };
        if let Some(at) = points.iter().position(|&p| !scenario.world.contains(p)) {
            return Err(item.locate(
                Error::input(format!("the point {} is not walkable, so nobody can start there", show(points[at])))
                    .key(format!("group.{}.from.points[{at}]", group.name))
                    .help("move it into the walkable area, out of the obstacles"),
            ));
        }
    }
    let run = Simulation::new(RunSetup {
        scenario,
        traits,
        time_step_s: timing.time_step_s,
        sample_every_s: timing.sample_every_s,
        max_overlap_share: timing.max_overlap_share,
        seed: run_seed(seed, Purpose::Search, &case.table, 0),
    })
    .map_err(|e| match item.node.get("count") {
        // A registered place has one count for all its people.
        Some(_) => item.locate(
            Error::input(e.what()).key("count").help("fewer people, a smaller people.radius_m, or a larger place"),
        ),
        None => item.locate(e),
    })?;

    let crowd = run.crowd();
    let Some((i, j)) = overlap(&crowd.pos, &crowd.radius, timing.max_overlap_share) else { return Ok(()) };
    let group = &scenario.groups[usize::from(crowd.group[j])];
    let share = 100.0 * timing.max_overlap_share;
    Err(item.locate(
        Error::input(format!(
            "people start on top of each other at {} and {}: they overlap by more than {share} % of the smaller radius",
            show(crowd.pos[i]),
            show(crowd.pos[j])
        ))
        .key(format!("group.{}.from", group.name))
        .help("move the points apart, or give a smaller people.radius_m"),
    ))
}

fn show(p: Vec2) -> String {
    format!("({}, {})", p.x, p.y)
}

/// The first two, in the order of x, that overlap by more than a share of the smaller radius; the lower index first.
fn overlap(pos: &[Vec2], radius: &[f64], most: f64) -> Option<(usize, usize)> {
    let widest = 2.0 * radius.iter().copied().fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..pos.len()).collect();
    order.sort_by(|&i, &j| pos[i].x.total_cmp(&pos[j].x).then(i.cmp(&j)));
    order.iter().enumerate().find_map(|(at, &i)| {
        let near = order[at + 1..].iter().take_while(|&&j| pos[j].x - pos[i].x < widest);
        let deep = |j: usize| {
            let depth = radius[i] + radius[j] - (pos[i] - pos[j]).length();
            depth > most * radius[i].min(radius[j])
        };
        near.copied().find(|&j| deep(j)).map(|j| (i.min(j), i.max(j)))
    })
}
