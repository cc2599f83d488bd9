//! What a metric can see of a sample.

use crate::crowd::Exit;
use crate::crowd::{Crowd, Status};
use crate::world::World;
use crowdtune_core::math::Vec2;

/// Something that a simulation knows and recorded tracks may not.
///
/// A metric names what it needs in its entry ([`super::MakeMetric::needs()`]); [`Seen`] shows it nothing else, and
/// recordings that lack it are refused before anything is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// Body radii. A recording has them where somebody gives a radius for all.
    Radius,
    /// Velocities. Tracks have places only: take the way between two samples over the time between.
    Velocity,
    /// Contact pressure.
    Pressure,
    /// The direction in which everybody wants to go.
    Desired,
    /// People who leave, so that there is no value in a scenario where nobody does. In a recording a person has left
    /// after the last frame that has the person.
    Leaving,
    /// Through which goal a person left ([`Exit::goal`]).
    Goal,
    /// Recorded tracks in the scenario, to compare with.
    Tracks,
    /// People who catch others, so that there is no value in a scenario where nobody does ([`Exit::caught`]).
    Catching,
}

/// One sample of a run or of a recording, before it is narrowed to what a metric may see.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Time, s.
    pub time_s: f64,
    /// The people present. Columns that a recording does not have are empty.
    pub crowd: &'a Crowd,
    /// Who has left since the last sample, in order of time, then id.
    pub exits: &'a [Exit],
    /// The place.
    pub world: &'a World,
}

impl<'a> Sample<'a> {
    /// The sample as a metric with these needs sees it.
    pub fn seen(&self, needs: &'static [Need]) -> Seen<'a> {
        let Self { time_s, crowd, exits, world } = *self;
        Seen { time_s, world, crowd, exits, needs }
    }
}

/// One sample as a metric sees it. Row `i` of every column is one person.
///
/// Times, places, ids, groups and exits are always there. Everything else is shown only to a metric whose entry names
/// it as a [`Need`], so a metric that forgets to say so fails at its first sample wherever it is tried.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Time, s; the first sample is at the start.
    pub time_s: f64,
    /// The place.
    pub world: &'a World,
    crowd: &'a Crowd,
    exits: &'a [Exit],
    needs: &'static [Need],
}

impl<'a> Seen<'a> {
    /// Number of each person, 0.. in the order of entry, at the start that of the groups; never reused.
    pub fn ids(&self) -> &'a [u32] {
        &self.crowd.id
    }

    /// Centers, m. NaN where a recording has no place for somebody.
    pub fn positions(&self) -> &'a [Vec2] {
        &self.crowd.pos
    }

    /// Index of each person's group. In a recording everybody is in group 0, or the column is empty.
    pub fn groups(&self) -> &'a [u16] {
        &self.crowd.group
    }

    /// What a person is doing. In a recording everybody is walking, as tracks do not say why somebody stands.
    pub fn status(&self, row: usize) -> Status {
        self.crowd.status.get(row).copied().unwrap_or(Status::Walking)
    }

    /// Body radii, m.
    ///
    /// # Panics
    /// If the metric does not name [`Need::Radius`].
    pub fn radii(&self) -> &'a [f64] {
        self.column(Need::Radius, &self.crowd.radius)
    }

    /// Velocities, m/s.
    ///
    /// # Panics
    /// If the metric does not name [`Need::Velocity`].
    pub fn velocities(&self) -> &'a [Vec2] {
        self.column(Need::Velocity, &self.crowd.vel)
    }

    /// Summed radial contact force over the circumference, felt in the last step, N/m.
    ///
    /// # Panics
    /// If the metric does not name [`Need::Pressure`].
    pub fn pressures(&self) -> &'a [f64] {
        self.column(Need::Pressure, &self.crowd.pressure)
    }

    /// Directions in which people wanted to go in the last step: unit vectors, zero for nobody's way.
    ///
    /// # Panics
    /// If the metric does not name [`Need::Desired`].
    pub fn desired(&self) -> &'a [Vec2] {
        self.column(Need::Desired, &self.crowd.desired)
    }

    /// Who has left since the last sample, in order of time, then id. People who were caught have not left: they are among those
    /// who are [`Seen::gone`].
    pub fn exits(&self) -> impl Iterator<Item = &'a Exit> {
        self.exits.iter().filter(|exit| !exit.caught)
    }

    /// Who was there at the last sample or came in since, and is not there any more: those who have left and those who were caught.
    pub fn gone(&self) -> &'a [Exit] {
        self.exits
    }

    /// Who has left, of one group or of all.
    pub(super) fn leaving(&self, group: Option<u16>) -> impl Iterator<Item = &'a Exit> {
        self.exits().filter(move |exit| group.is_none_or(|group| exit.group == group))
    }

    fn column<T>(&self, need: Need, column: &'a [T]) -> &'a [T] {
        assert!(
            self.needs.contains(&need),
            "this metric reads {need:?} and does not say so: add `.needs(&[Need::{need:?}])` to its entry, because \
             recorded tracks may lack it"
        );
        assert_eq!(column.len(), self.crowd.len(), "this metric needs {need:?}, which these people do not have");
        column
    }
}
