//! Tracks cut into chords of about half a second: how fast people walk and where they head, without the jitter of a
//! single sample.

use super::tracks::Tracks;
use super::{Seen, Spec};
use crate::world::scenario::Scenario;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::Param;

/// The straight way of one person over one interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    /// Who.
    pub id: usize,
    /// Group of the person.
    pub group: u16,
    /// From start to end, m.
    pub way: Vec2,
    /// Duration, s; above 0.
    pub seconds: f64,
    /// Time at the end, s.
    pub to_s: f64,
    /// True if the chord does not begin where one of the same person ended.
    pub first: bool,
}

impl Chord {
    /// Mean velocity, m/s.
    pub fn velocity(&self) -> Vec2 {
        self.way / self.seconds
    }

    /// The heading: direction of the chord; `None` below `above` m/s.
    pub fn heading(&self, above: f64) -> Option<Vec2> {
        let length = self.way.length();
        (length > 0.0 && length >= above * self.seconds).then(|| self.way / length)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Open {
    way: Vec2,
    from_s: f64,
    seconds: f64,
    /// True if a chord of this person has just ended.
    follows: bool,
}

/// Cuts the tracks of all people into chords.
#[derive(Clone, Debug)]
pub(super) struct Chords {
    tracks: Tracks,
    open: Vec<Open>,
    least_s: f64,
}

impl Chords {
    /// Chords of at least `interval_s`, less a quarter of the sample interval: the rounding of times must not make a
    /// chord longer by a sample.
    pub fn new(spec: &Spec, scenario: &Scenario, interval_s: f64) -> Self {
        let people = scenario.people();
        Self {
            tracks: Tracks::of(people, spec.group),
            open: vec![Open::default(); people],
            least_s: interval_s - 0.25 * spec.sample_every_s,
        }
    }

    /// Calls `each` with the chords that end at this sample, or where people left. Time before a
    /// person starts and after an injury is left out, and so is a rest shorter than the interval.
    pub fn cut(&mut self, seen: &Seen<'_>, mut each: impl FnMut(Chord)) {
        let Self { tracks, open, least_s } = self;
        tracks.steps(seen, |step| {
            if step.id >= open.len() {
                open.resize(step.id + 1, Open::default());
            }
            let chord = &mut open[step.id];
            if !step.walks(seen, false) {
                *chord = Open::default();
                return;
            }
            if chord.seconds == 0.0 {
                chord.from_s = step.from_s;
            }
            chord.way += step.way();
            chord.seconds = step.to_s - chord.from_s;
            if chord.seconds >= *least_s && chord.seconds > 0.0 {
                each(Chord {
                    id: step.id,
                    group: step.row.and_then(|row| seen.groups().get(row)).copied().unwrap_or(0),
                    way: chord.way,
                    seconds: chord.seconds,
                    to_s: step.to_s,
                    first: !chord.follows,
                });
                *chord = Open { follows: true, ..Open::default() };
            }
        });
    }

    /// Forgets everybody.
    pub fn reset(&mut self) {
        self.tracks.reset();
        self.open.fill(Open::default());
    }
}

/// The interval of the chords.
pub(super) const INTERVAL: Param = Param::real("interval_s", "s", 0.5)
    .range(0.01, 60.0)
    .search(0.1, 2.0)
    .doc("interval over which speed and heading are taken; at least the sample interval")
    .source("5 to 10 frames at 16 to 25 frames/s, usual for recorded tracks");

/// A speed threshold.
pub(super) const fn speed_param(key: &'static str, doc: &'static str, source: &'static str, default: f64) -> Param {
    Param::real(key, "m/s", default).range(0.0, 10.0).search(0.0, 0.5).doc(doc).source(source)
}
