//! The headings of groups: speeds along them have a sign.

use crate::world::scenario::{Pull, Scenario};
use crowdtune_core::math::Vec2;

/// The heading of each group that walks along one as long as the run lasts; none for people with a goal, and in recordings.
#[derive(Clone, Debug)]
pub(super) struct Headings(Vec<Option<Vec2>>);

impl Headings {
    /// Those of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let heading = |pull: &Pull| match pull {
            Pull::Heading(way) => Some(*way),
            Pull::Nothing | Pull::Group(_) | Pull::Point { .. } | Pull::Track => None,
        };
        Self(scenario.groups.iter().map(|g| heading(&g.pull).filter(|_| !g.leaves())).collect())
    }

    /// The heading of a group, a unit vector.
    pub fn of(&self, group: Option<u16>) -> Option<Vec2> {
        self.0.get(usize::from(group?)).copied().flatten()
    }

    /// How much of a way or a velocity leads along the group's heading, negative for anyone who walks backwards; without a
    /// heading its length.
    pub fn along(&self, group: Option<u16>, way: Vec2) -> f64 {
        self.of(group).map_or_else(|| way.length(), |heading| way.dot(heading))
    }
}
