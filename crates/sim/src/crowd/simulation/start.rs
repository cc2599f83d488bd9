//! The people before the first step: drawn, placed, and those who come in later.

use super::inflow::Inflow;
use super::memory::{Memory, emptied, filled};
use super::ways::first_heading;
use super::{RunSetup, Simulation};
use crate::crowd::people::Distribution;
use crate::crowd::{Crowd, Status};
use crate::world::spawn;
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;

impl<'a> Simulation<'a> {
    /// Draws the traits and places everybody.
    ///
    /// Each trait has its own stream, so fixing one does not shift another.
    ///
    /// # Errors
    /// If the people do not fit into their starting area.
    pub fn new(setup: RunSetup<'a>) -> Result<Self, Error> {
        Self::reusing(setup, Memory::default())
    }

    /// The same in the memory of a run that is over.
    ///
    /// # Errors
    /// If the people do not fit into their starting area.
    pub fn reusing(setup: RunSetup<'a>, mut memory: Memory) -> Result<Self, Error> {
        let scenario = setup.scenario;
        let crowd = &mut memory.crowd;
        crowd.clear();
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
        crowd.vel.resize(n, Vec2::ZERO);
        crowd.stage.resize(n, 0);
        crowd.status.resize(n, Status::Waiting);
        crowd.pressure.resize(n, 0.0);
        let mut simulation = Self::begin(setup, memory);
        simulation.lines = lines;
        Ok(simulation)
    }

    /// A run that starts with a given crowd, for workloads and tests.
    pub fn of(setup: RunSetup<'a>, crowd: Crowd) -> Self {
        Self::begin(setup, Memory { crowd, ..Memory::default() })
    }

    /// A run that starts with the crowd of the memory.
    fn begin(setup: RunSetup<'a>, memory: Memory) -> Self {
        let crowd = memory.crowd;
        let n = crowd.len();
        let mut heading = emptied(memory.heading);
        let world = &setup.scenario.world;
        heading.extend((0..n as u32).map(|id| first_heading(world, setup.seed, id)));
        let (mut stay, mut exits) = (memory.stay, emptied(memory.exits));
        stay.old.reserve(n);
        exits.reserve(n);
        Self {
            journeys: setup.scenario.groups.iter().map(|g| setup.scenario.world.journey(g)).collect(),
            heading,
            rank: ranks(&crowd.group, emptied(memory.rank)),
            desired: filled(memory.desired, n, Vec2::ZERO),
            sees_goal: filled(memory.sees_goal, n, true),
            next_pos: filled(memory.next_pos, n, Vec2::ZERO),
            next_vel: filled(memory.next_vel, n, Vec2::ZERO),
            shift: memory.shift,
            pressure: filled(memory.pressure, n, 0.0),
            status: memory.status,
            near: memory.near,
            stay,
            exits,
            distance: memory.distance,
            middles: memory.middles,
            lines: Vec::new(),
            next_id: n as u32,
            setup,
            crowd,
        }
    }
}

/// Rank of everybody in the own group, in the order of rows, appended to an empty column.
fn ranks(groups: &[u16], mut ranks: Vec<u32>) -> Vec<u32> {
    let mut seen = vec![0; groups.iter().max().map_or(0, |&g| usize::from(g) + 1)];
    ranks.extend(groups.iter().map(|&g| {
        seen[usize::from(g)] += 1;
        seen[usize::from(g)] - 1
    }));
    ranks
}
