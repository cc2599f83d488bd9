//! How many people want to leave: those with a journey who have come in.

use super::Seen;
use crate::world::scenario::Scenario;

/// Counts the people who want to leave. A group without an inflow counts as a whole from the start; with an inflow or tracks,
/// people count once they have been seen, so that nobody counts who never entered.
#[derive(Clone, Debug)]
pub(super) struct Leavers {
    /// People who are there at the start.
    fixed: usize,
    /// By group: true if its people leave and come in during the run.
    inflow: Vec<bool>,
    /// Ids of those groups that have been seen.
    came: Vec<bool>,
    count: usize,
}

impl Leavers {
    /// Those of one group, or of all.
    pub fn new(scenario: &Scenario, group: Option<u16>) -> Self {
        let counts = |g: usize| group.is_none_or(|only| usize::from(only) == g) && scenario.groups[g].leaves();
        let groups = &scenario.groups;
        let comes = |g: usize| groups[g].inflow_per_s.is_some() || scenario.tracks.is_some();
        let fixed = (0..groups.len()).filter(|&g| counts(g) && !comes(g));
        Self {
            fixed: fixed.map(|g| groups[g].count).sum(),
            inflow: (0..groups.len()).map(|g| counts(g) && comes(g)).collect(),
            came: vec![false; scenario.people()],
            count: 0,
        }
    }

    /// Notes who has come in.
    pub fn observe(&mut self, seen: &Seen<'_>) {
        if !self.inflow.contains(&true) {
            return;
        }
        let here = seen.ids().iter().zip(seen.groups());
        let gone = seen.gone().iter().map(|exit| (&exit.id, &exit.group));
        for (&id, &group) in here.chain(gone) {
            let id = id as usize;
            if self.inflow.get(usize::from(group)) != Some(&true) {
                continue;
            }
            if id >= self.came.len() {
                self.came.resize(id + 1, false);
            }
            self.count += usize::from(!self.came[id]);
            self.came[id] = true;
        }
    }

    /// How many there are, or were.
    pub fn total(&self) -> usize {
        self.fixed + self.count
    }

    /// Forgets who has come in.
    pub fn reset(&mut self) {
        self.came.fill(false);
        self.count = 0;
    }
}
