//! Who counts at a sample, their center, and their headings.

use super::tracks::Tracks;
use super::{Place, Seen, Spec};
use crate::world::World;
use crate::world::scenario::{Polygon, Scenario};
use crowdtune_core::math::Vec2;

/// Below this speed a person stands and has no direction, m/s (stop-and-go studies of single files use 0.04 m/s).
const STANDING_M_PER_S: f64 = 0.04;

/// The people of a group, in an area.
#[derive(Clone, Debug)]
pub(super) struct Who {
    group: Option<u16>,
    not: Option<u16>,
    area: Option<Polygon>,
}

impl Who {
    /// The people a spec asks for.
    pub fn asked(spec: &Spec) -> Self {
        let area = match &spec.at {
            Some(Place::Area(area)) => Some(area.clone()),
            _ => None,
        };
        Self { group: spec.group, not: None, area }
    }

    /// The people of one group.
    pub fn group(group: u16) -> Self {
        Self { group: Some(group), not: None, area: None }
    }

    /// The same people without those of a group.
    pub fn without(self, group: u16) -> Self {
        Self { not: Some(group), ..self }
    }

    /// True if the person in this row counts. In a recording without groups nobody is in any.
    pub fn counts(&self, seen: &Seen<'_>, row: usize, at: Vec2) -> bool {
        let group = seen.groups().get(row).copied();
        self.group.is_none_or(|g| group == Some(g))
            && self.not.is_none_or(|g| group != Some(g))
            && self.area.as_ref().is_none_or(|area| area.contains(at))
    }

    /// Puts the positions of the people who count into `out`, in row order, without undefined ones.
    pub fn positions(&self, seen: &Seen<'_>, out: &mut Vec<Vec2>) {
        out.clear();
        let there = seen.positions().iter().copied().enumerate();
        out.extend(there.filter(|&(row, at)| at.is_finite() && self.counts(seen, row, at)).map(|(_, at)| at));
    }
}

/// The mean of some points; `None` if there are none. In a periodic place they are unwrapped around the first point,
/// then once more around the resulting mean: exact for a group that fits into half a period.
pub(super) fn middle(world: &World, points: impl Iterator<Item = Vec2> + Clone) -> Option<Vec2> {
    let first = points.clone().next()?;
    let seen_from = |from: Vec2| {
        let (sum, n) = points.clone().fold((Vec2::ZERO, 0.0), |(s, n), p| (s + world.apart(from, p), n + 1.0));
        world.plan.periodic.wrap(from + sum / n)
    };
    let found = seen_from(first);
    Some(if world.plan.periodic.is_open() { found } else { seen_from(found) })
}

/// A person who was also there at the last sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walker {
    /// Where.
    pub at: Vec2,
    /// Direction of the step since the last sample, a unit vector; zero for people who stand.
    pub heading: Vec2,
}

/// Finds the headings of those who count.
#[derive(Clone, Debug)]
pub(super) struct Headings {
    who: Who,
    tracks: Tracks,
    found: Vec<Walker>,
}

impl Headings {
    /// Of the people a spec asks for.
    pub fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let people = scenario.people();
        Self { who: Who::asked(spec), tracks: Tracks::new(people), found: Vec::with_capacity(people) }
    }

    /// Everybody who counts and was there at the last sample, in row order.
    pub fn of(&mut self, seen: &Seen<'_>) -> &[Walker] {
        let Self { who, tracks, found } = self;
        found.clear();
        tracks.steps(seen, |step| {
            let Some(row) = step.row else { return };
            let seconds = step.duration_s();
            if seconds > 0.0 && who.counts(seen, row, step.at) {
                let way = step.way();
                let length = way.length();
                let walks = length >= STANDING_M_PER_S * seconds && length > 0.0;
                found.push(Walker { at: step.at, heading: if walks { way / length } else { Vec2::ZERO } });
            }
        });
        found
    }

    /// Forgets everybody.
    pub fn reset(&mut self) {
        self.tracks.reset();
    }
}
