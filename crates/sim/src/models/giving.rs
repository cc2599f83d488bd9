//! Who gives way to whom: the share of the avoidance that people of one group take towards those of another.
//!
//! Models that share the avoidance take this share. To the others it says how much the people of a group count: forces and densities
//! are those of twice the share, so that half of the avoidance each is what a model does anyway.

use crate::world::Neighbors;
use crate::world::scenario::Scenario;
use crowdtune_core::math::lanes::Lanes;
use crowdtune_core::math::planes::Planes;

/// What a scenario says of it, for each two of its groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Giving {
    /// By group: the others for whom something is said, and the share.
    of: Vec<Vec<(u16, f64)>>,
}

impl Giving {
    /// What this scenario says; `None` if that is nothing.
    pub fn of(scenario: &Scenario) -> Option<Self> {
        let of = |giving: &[(usize, f64)]| giving.iter().map(|&(other, share)| (other as u16, share)).collect();
        let said = scenario.groups.iter().any(|group| !group.gives_way.is_empty());
        said.then(|| Self { of: scenario.groups.iter().map(|group| of(&group.gives_way)).collect() })
    }

    /// What people of a group say of others.
    pub fn said(&self, group: u16) -> &[(u16, f64)] {
        &self.of[usize::from(group)]
    }

    /// The share that people of a group take towards another.
    #[inline]
    pub fn share(&self, group: u16, other: u16) -> Option<f64> {
        self.said(group).iter().find(|(named, _)| *named == other).map(|&(_, share)| share)
    }

    /// How much people of another group count for those of a group: 1 unless something is said.
    #[inline]
    pub fn weight(&self, group: u16, other: u16) -> f64 {
        self.share(group, other).map_or(1.0, |share| 2.0 * share)
    }
}

/// Everybody's group, by slot, as [`weights`] takes it.
#[inline(always)]
pub(super) fn groups_by_slot(near: &Neighbors, group: &[u16], to: &mut Planes<1>) {
    to.reserve(near.len() + 1);
    for (slot, &row) in near.row.iter().enumerate() {
        to.set(slot, [f32::from(group[row as usize])]);
    }
}

/// How much people count of whom `said` says something, given their groups; the others count 1.
#[inline(always)]
pub(super) fn weights<L: Lanes>(said: &[(u16, f64)], groups: L) -> L {
    let mut weights = L::splat(1.0);
    for &(other, share) in said {
        let other = L::splat(f32::from(other));
        let one = groups.at_most(other).keep(other.at_most(groups));
        weights = L::splat(2.0 * share as f32).or_else(one, weights);
    }
    weights
}
