//! Who is caught.

use super::setup::RunSetup;
use crate::crowd::{Crowd, RowMap, Status};
use crate::world::Neighbors;
use crate::world::scenario::Catch;
use crowdtune_core::math::Vec2;

/// How long each person has been held, and buffers.
#[derive(Debug, Default)]
pub(super) struct Catching {
    /// By group that catches, for how many steps in a row each person has been held; by row.
    held: Vec<Vec<u32>>,
    /// Those who catch: the people of one group who walk.
    near: Neighbors,
    pos: Vec<Vec2>,
    vel: Vec<Vec2>,
    radius: Vec<f64>,
    /// Who has been caught, and by which group; by row.
    pub caught: Vec<(usize, usize)>,
}

impl Catching {
    /// For a number of groups.
    pub fn new(groups: usize) -> Self {
        Self { held: vec![Vec::new(); groups], ..Self::default() }
    }

    /// Finds who has been caught in this step, each once: of two groups that catch somebody at once the first one counts.
    pub fn find(&mut self, setup: &RunSetup, crowd: &Crowd) {
        self.caught.clear();
        let world = &setup.scenario.world;
        for (g, group) in setup.scenario.groups.iter().enumerate() {
            let Some(Catch { group: prey, distance_m, time_s, .. }) = group.catches else { continue };
            let of = |group: usize| (0..crowd.len()).filter(move |&i| usize::from(crowd.group[i]) == group);
            let hunters = || of(g).filter(|&i| crowd.status[i] == Status::Walking);
            self.pos.clear();
            self.pos.extend(hunters().map(|i| crowd.pos[i]));
            self.vel.resize(self.pos.len(), Vec2::ZERO);
            self.radius.clear();
            self.radius.extend(hunters().map(|i| crowd.radius[i]));
            let largest = |all: &mut dyn Iterator<Item = f64>| all.fold(0.0, f64::max);
            let reach = distance_m
                + largest(&mut self.radius.iter().copied())
                + largest(&mut of(prey).map(|i| crowd.radius[i]));
            self.near.build(reach, world.plan.periodic, &self.pos, &self.vel, &self.radius);
            let held = &mut self.held[g];
            held.resize(crowd.len(), 0);
            for i in of(prey) {
                let holds = |slot: usize| {
                    let gap = distance_m + self.near.radius[slot] + crowd.radius[i];
                    world.apart(crowd.pos[i], self.near.pos[slot]).length2() <= gap * gap
                };
                let is_held = self.near.around(crowd.pos[i]).into_iter().flatten().any(holds);
                held[i] = if is_held { held[i] + 1 } else { 0 };
                if u64::from(held[i]) >= setup.steps(time_s) {
                    self.caught.push((i, g));
                }
            }
        }
        self.caught.sort_unstable();
        self.caught.dedup_by_key(|(row, _)| *row);
    }

    /// Nobody holds this person any more.
    pub fn free(&mut self, row: usize) {
        for held in self.held.iter_mut().filter_map(|held| held.get_mut(row)) {
            *held = 0;
        }
    }

    /// Rows have moved because people left.
    pub fn remap(&mut self, rows: &RowMap) {
        self.held.iter_mut().for_each(|held| rows.apply(held));
    }
}
