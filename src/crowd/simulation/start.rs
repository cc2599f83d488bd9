//! The people before the first step: drawn, placed, and those who come in later.

use super::inflow::Inflow;
use super::ways::first_heading;
use super::{RunSetup, Simulation};
use crate::Error;
use crate::crowd::people::Distribution;
use crate::crowd::{Crowd, RowMap, Status};
use crate::math::Vec2;
use crate::world::{Neighbors, spawn};

impl<'a> Simulation<'a> {
    /// Draws the traits and places everybody.
    ///
    /// Each trait has its own stream, so fixing one does not shift another.
    ///
    /// # Errors
    /// If the people do not fit into their starting area.
    pub fn new(setup: RunSetup<'a>) -> Result<Self, Error> {
        let scenario = setup.scenario;
        let mut crowd = Crowd::default();
        let mut taken: Vec<(Vec2, f64)> = Vec::new();
        let mut lines = Vec::new();
        for (g, group) in scenario.groups.iter().enumerate() {
            let traits = &setup.traits[g];
            let stream = |meaning: &str| setup.seed.child(meaning, g as u64).rng();
            let draw = |d: Distribution, meaning: &str| -> Vec<f64> {
                let mut rng = stream(meaning);
                (0..group.count).map(|_| d.draw(&mut rng)).collect()
            };
            let radius = draw(traits.radius, "radius");
            if let Some(per_s) = group.inflow_per_s {
                lines.push(Inflow {
                    group: g as u16,
                    per_s,
                    area: group.spawn.area().cloned().ok_or_else(|| {
                        Error::input("people who come in during the run need an area to come in at, not points")
                            .key(format!("group.{}.from", group.name))
                    })?,
                    rng: stream("place"),
                    entered: 0,
                    mass: draw(traits.mass, "mass"),
                    desired_speed: draw(traits.desired_speed, "desired speed"),
                    max_speed: draw(traits.max_speed, "max speed"),
                    start_s: draw(traits.start, "start"),
                    radius,
                });
                continue;
            }
            let place = spawn::place(&group.spawn, &radius, &scenario.world, &taken, &mut stream("place"))
                .map_err(|e| e.under(&format!("group.{}", group.name)).key(format!("group.{}", group.name)))?;
            taken.extend(place.iter().copied().zip(radius.iter().copied()));
            let first = crowd.len() as u32;
            crowd.id.extend(first..first + group.count as u32);
            crowd.pos.extend(place);
            crowd.radius.extend(radius);
            crowd.mass.extend(draw(traits.mass, "mass"));
            crowd.desired_speed.extend(draw(traits.desired_speed, "desired speed"));
            crowd.max_speed.extend(draw(traits.max_speed, "max speed"));
            crowd.start_s.extend(draw(traits.start, "start"));
            crowd.group.extend(std::iter::repeat_n(g as u16, group.count));
        }
        let n = crowd.len();
        crowd.vel = vec![Vec2::ZERO; n];
        crowd.stage = vec![0; n];
        crowd.status = vec![Status::Waiting; n];
        crowd.pressure = vec![0.0; n];
        let mut simulation = Self::of(setup, crowd);
        simulation.lines = lines;
        Ok(simulation)
    }

    /// A run that starts with a given crowd, for workloads and tests.
    pub fn of(setup: RunSetup<'a>, crowd: Crowd) -> Self {
        let n = crowd.len();
        let heading = (0..n as u32).map(|id| first_heading(setup.seed, id)).collect();
        Self {
            journeys: setup.scenario.groups.iter().map(|g| setup.scenario.world.journey(g)).collect(),
            heading,
            rank: ranks(&crowd.group),
            desired: vec![Vec2::ZERO; n],
            sees_goal: vec![true; n],
            next_vel: vec![Vec2::ZERO; n],
            shift: vec![Vec2::ZERO; n],
            pressure: vec![0.0; n],
            status: Vec::with_capacity(n),
            near: Neighbors::default(),
            stay: RowMap { old: Vec::with_capacity(n) },
            exits: Vec::with_capacity(n),
            distance: Vec::new(),
            middles: Vec::new(),
            lines: Vec::new(),
            next_id: n as u32,
            setup,
            crowd,
        }
    }
}

/// Rank of everybody in the own group, in the order of rows.
fn ranks(groups: &[u16]) -> Vec<u32> {
    let mut seen = vec![0; groups.iter().max().map_or(0, |&g| usize::from(g) + 1)];
    groups
        .iter()
        .map(|&g| {
            seen[usize::from(g)] += 1;
            seen[usize::from(g)] - 1
        })
        .collect()
}
