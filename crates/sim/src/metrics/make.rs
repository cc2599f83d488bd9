//! How a metric is registered: where and when it looks, what it needs, how one is made.

use super::Metric;
use super::seen::Need;
use crate::world::scenario::{Polygon, Scenario, Segment};
use std::fmt;

/// When to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Window {
    /// The whole run.
    All,
    /// From one time to another, s.
    TimeS(f64, f64),
    /// From one share of the people who passed to another, 0..1 (ranks at a line).
    Ranks(f64, f64),
    /// The middle of the run: from 20 % to 80 % of the time between the first and the last event.
    Steady,
    /// From the sample by which one share of all crossings of a line are done to the sample by which another one is.
    Crossings {
        /// Both shares, 0..1.
        shares: (f64, f64),
        /// The ends of the line, m; `None`: the line that is measured at, else the first of the scenario.
        of: Option<[(f64, f64); 2]>,
    },
}

impl Window {
    /// From when to when a window in seconds is, s; every other one is the whole run.
    pub(super) fn seconds(self) -> (f64, f64) {
        match self {
            Self::TimeS(from, to) => (from, to),
            _ => (0.0, f64::INFINITY),
        }
    }
}

/// Where to measure.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Across a line.
    Line(Segment),
    /// In an area.
    Area(Polygon),
}

/// Where a metric looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Nothing: the whole place.
    Nowhere,
    /// A line; the default is the scenario's first line.
    Line,
    /// An area, or the whole place.
    Area,
    /// An area; the default is the scenario's first area.
    Region,
}

/// Whether more or less of a metric is better for everybody, whatever a file wants of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Better {
    /// Less: collisions, overlap, pressure, time lost.
    Less,
    /// More: people who get out.
    More,
    /// That depends on what is wanted.
    #[default]
    Neither,
}

/// A metric as a file asks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Where.
    pub at: Option<Place>,
    /// When.
    pub window: Window,
    /// Interval between samples, s.
    pub sample_every_s: f64,
    /// Only people of this group count; `None`: everybody.
    pub group: Option<u16>,
    /// The group from which distances are measured: a leader, or a person to guard.
    pub center: Option<u16>,
    /// Values of the entry's params.
    pub settings: Vec<f64>,
}

/// Makes a metric for runs of a scenario. A reference, so that a program can add one that it made itself.
pub type Maker = &'static (dyn Fn(&Spec, &Scenario) -> Box<dyn Metric> + Sync);

/// How a metric is made, and what an experiment file may say about it.
///
/// ```
/// # use crowdtune_sim::metrics::{At, MakeMetric, Maker, Need, Window};
/// # const fn entry(make: Maker) -> MakeMetric {
/// MakeMetric::new(make, "m/s").at(At::Line).window(Window::Steady).of_group().needs(&[Need::Velocity])
/// # }
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct MakeMetric {
    /// Makes one.
    pub make: Maker,
    /// Unit of the value, "" where it has none.
    pub unit: &'static str,
    /// Where it looks.
    pub at: At,
    /// When it looks unless told otherwise.
    pub window: Window,
    /// True if the file may set a window.
    pub takes_window: bool,
    /// True if the file may restrict it to a group.
    pub takes_group: bool,
    /// True if it is measured from a group: `center`, else the one that the scenario's people follow.
    pub takes_center: bool,
    /// Everything it needs that recorded tracks may lack.
    pub needs: &'static [Need],
    /// Whether more or less of it is better for everybody: a result that doubles what nobody weighs is said to.
    pub better: Better,
    /// True if it is a mean over people ([`Metric::by_person`]), so that intervals may be over people.
    pub over_people: bool,
    /// True if a replay of the run shows the overlaps it is about.
    pub shows_overlaps: bool,
    /// True if people who are still inside at the limit make it limit x (1 + their share): beyond the limit it is a penalty, not a
    /// time that was seen.
    pub penalized: bool,
}

impl MakeMetric {
    /// A metric of everybody, in the whole place and run, that needs positions only.
    pub const fn new(make: Maker, unit: &'static str) -> Self {
        Self {
            make,
            unit,
            at: At::Nowhere,
            window: Window::All,
            takes_window: false,
            takes_group: false,
            takes_center: false,
            needs: &[],
            better: Better::Neither,
            over_people: false,
            shows_overlaps: false,
            penalized: false,
        }
    }

    /// The same, and less of it is better for everybody.
    #[must_use]
    pub const fn less_is_better(self) -> Self {
        Self { better: Better::Less, ..self }
    }

    /// The same, and more of it is better for everybody.
    #[must_use]
    pub const fn more_is_better(self) -> Self {
        Self { better: Better::More, ..self }
    }

    /// The same at a line or in an area.
    #[must_use]
    pub const fn at(self, at: At) -> Self {
        Self { at, ..self }
    }

    /// The same in a window that a file may change.
    #[must_use]
    pub const fn window(self, window: Window) -> Self {
        Self { window, takes_window: true, ..self }
    }

    /// The same, and a file may restrict it to a group.
    #[must_use]
    pub const fn of_group(self) -> Self {
        Self { takes_group: true, ..self }
    }

    /// The same, measured from the middle of a group.
    #[must_use]
    pub const fn from_center(self) -> Self {
        Self { takes_center: true, ..self }
    }

    /// The same; it needs things that recorded tracks may lack.
    #[must_use]
    pub const fn needs(self, needs: &'static [Need]) -> Self {
        Self { needs, ..self }
    }

    /// The same; it is a mean over people.
    #[must_use]
    pub const fn over_people(self) -> Self {
        Self { over_people: true, ..self }
    }

    /// The same; replays of the run show overlaps.
    #[must_use]
    pub const fn shows_overlaps(self) -> Self {
        Self { shows_overlaps: true, ..self }
    }

    /// The same; beyond the limit of the run it is a penalty.
    #[must_use]
    pub const fn penalized(self) -> Self {
        Self { penalized: true, ..self }
    }
}

impl fmt::Debug for MakeMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MakeMetric").field("unit", &self.unit).field("at", &self.at).finish_non_exhaustive()
    }
}
