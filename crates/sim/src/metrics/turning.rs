//! How people turn and step aside.

use super::chords::{Chord, Chords, INTERVAL, speed_param};
use super::series::{Pool, Ratio};
use super::{MakeMetric, Metric, Seen, Spec, Window};
use crate::world::scenario::Scenario;
use crowdtune_core::math::{Vec2, stats};
use crowdtune_core::registry::{Entry, Param, Settings};

/// Degrees turned per meter walked.
pub static TURNING_DEG_PER_M: Entry<MakeMetric> = Entry {
    name: "turning_deg_per_m",
    doc: "Degrees that people turn per meter walked, from headings taken over `interval_s`.",
    source: "sum of turning angles as in SteerBench; per meter is chosen here, so that long ways compare",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| Box::new(Turning::new(spec, scenario)), "deg/m")
        .window(Window::All)
        .of_group(),
};

/// 95th percentile of the turn rate.
pub static TURN_RATE_P95_DEG_PER_S: Entry<MakeMetric> = Entry {
    name: "turn_rate_p95_deg_per_s",
    doc: "95th percentile over people and intervals of the turn from one heading to the next over the time between.",
    source: "chosen here: the percentile tells sharp turns of a few from slow curves of all",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| Box::new(Rates::new(Quantity::Turn, spec, scenario)), "deg/s")
        .window(Window::All)
        .of_group(),
};

/// 95th percentile of the sidestep angle.
pub static SIDESTEP_P95_DEG: Entry<MakeMetric> = Entry {
    name: "sidestep_p95_deg",
    doc: "95th percentile over people and intervals of the angle between a step and the person's way, the net way \
          over five intervals around it.",
    source: "chosen here: the way around a step is known in recordings too, and a smooth curve is no sidestep",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| Box::new(Rates::new(Quantity::Sidestep, spec, scenario)), "deg")
        .window(Window::All)
        .of_group(),
};

const PARAMS: &[Param] = &[
    INTERVAL,
    speed_param(
        "heading_above_m_per_s",
        "slower people have no heading",
        "chosen here: the direction of a standing body is the noise of being pushed",
        0.1,
    ),
];

/// The angle from one direction to another, degrees, 0 to 180.
fn angle_deg(a: Vec2, b: Vec2) -> f64 {
    libm::atan2(a.cross(b).abs(), a.dot(b)).to_degrees()
}

/// Headings of people, one after the other.
#[derive(Clone, Debug)]
struct Headings {
    above: f64,
    /// By id: the last heading, and the time at the middle of its chord.
    last: Vec<Option<(Vec2, f64)>>,
}

impl Headings {
    /// The turn since the last heading, degrees, and the time between, s; `None` without a heading now or before.
    fn turn(&mut self, chord: &Chord) -> Option<(f64, f64)> {
        if chord.id >= self.last.len() {
            self.last.resize(chord.id + 1, None);
        }
        let last = &mut self.last[chord.id];
        if chord.first {
            *last = None;
        }
        let heading = chord.heading(self.above)?;
        let middle_s = chord.to_s - 0.5 * chord.seconds;
        let before = last.replace((heading, middle_s));
        before.map(|(before, then_s)| (angle_deg(before, heading), middle_s - then_s))
    }
}

struct Turning {
    chords: Chords,
    headings: Headings,
    sums: Ratio,
}

impl Turning {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let settings = Settings::new(PARAMS, &spec.settings);
        Self {
            chords: Chords::new(spec, scenario, settings.get("interval_s")),
            headings: Headings { above: settings.get("heading_above_m_per_s"), last: vec![None; scenario.people()] },
            sums: Ratio::new(spec, scenario),
        }
    }
}

impl Metric for Turning {
    fn observe(&mut self, seen: &Seen<'_>) {
        let (mut degrees, mut meters) = (0.0, 0.0);
        self.chords.cut(seen, |chord| {
            meters += chord.way.length();
            degrees += self.headings.turn(&chord).map_or(0.0, |turn| turn.0);
        });
        self.sums.put(seen, degrees, meters);
    }

    fn value(&self) -> Option<f64> {
        self.sums.value()
    }

    fn reset(&mut self) {
        self.chords.reset();
        self.headings.last.fill(None);
        self.sums.reset();
    }
}

#[derive(Clone, Copy)]
enum Quantity {
    Turn,
    Sidestep,
}

/// Chords around a step that make a person's way. Chosen here: 2.5 s, longer than it takes to pass somebody, shorter than
/// the way to the next corner.
const AROUND: usize = 5;

struct Rates {
    quantity: Quantity,
    chords: Chords,
    headings: Headings,
    /// By id: the last chords of a person, the newest last, and how many there are.
    ways: Vec<([Vec2; AROUND], usize)>,
    pool: Pool,
}

impl Rates {
    fn new(quantity: Quantity, spec: &Spec, scenario: &Scenario) -> Self {
        let settings = Settings::new(PARAMS, &spec.settings);
        let interval_s = settings.get("interval_s");
        let people = scenario.people();
        Self {
            quantity,
            chords: Chords::new(spec, scenario, interval_s),
            headings: Headings { above: settings.get("heading_above_m_per_s"), last: vec![None; people] },
            ways: vec![Default::default(); people],
            pool: Pool::new(spec, scenario, people, interval_s.max(spec.sample_every_s)),
        }
    }
}

/// The angle between the middle one of the last chords and all of them together, degrees. `None` until there are enough
/// chords, for people who stood at the step, and for those who came back to the same place.
fn sidestep(ways: &mut Vec<([Vec2; AROUND], usize)>, chord: &Chord, above: f64) -> Option<f64> {
    if chord.id >= ways.len() {
        ways.resize(chord.id + 1, Default::default());
    }
    let (last, count) = &mut ways[chord.id];
    last.rotate_left(1);
    last[AROUND - 1] = chord.way;
    *count = if chord.first { 1 } else { (*count + 1).min(AROUND) };
    let step = last[AROUND / 2];
    let way = last.iter().fold(Vec2::ZERO, |sum, &way| sum + way);
    let walks = |way: Vec2, seconds: f64| way.length() > 0.0 && way.length() >= above * seconds;
    let known = *count == AROUND && walks(step, chord.seconds) && walks(way, AROUND as f64 * chord.seconds);
    known.then(|| angle_deg(way, step))
}

impl Metric for Rates {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Self { quantity, chords, headings, ways, pool } = self;
        chords.cut(seen, |chord| {
            let value = match quantity {
                Quantity::Turn => headings.turn(&chord).map(|(degrees, seconds)| degrees / seconds),
                Quantity::Sidestep => sidestep(ways, &chord, headings.above),
            };
            if let Some(value) = value {
                pool.put(value);
            }
        });
        pool.close(seen);
    }

    fn value(&self) -> Option<f64> {
        let values = self.pool.values();
        (!values.is_empty()).then(|| stats::p95(values))
    }

    fn samples(&self) -> Vec<f64> {
        self.pool.values().to_vec()
    }

    fn reset(&mut self) {
        self.chords.reset();
        self.headings.last.fill(None);
        self.ways.fill(Default::default());
        self.pool.reset();
    }
}

#[cfg(test)]
#[path = "turning_tests.rs"]
mod tests;
