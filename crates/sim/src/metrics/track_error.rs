//! How far a run is from recorded tracks.

use super::{MakeMetric, Metric, Need, Seen, Spec, Window};
use crate::world::scenario::Scenario;
use crate::world::{Torus, Track, Tracks};
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Param, Settings};
use std::sync::Arc;

/// Mean squared distance from recorded tracks.
pub static TRACK_ERROR_M2: Entry<MakeMetric> = Entry {
    name: "track_error_m2",
    doc: "Mean squared distance between where people are and where the scenario's `tracks` have them, over all \
          samples that have both.",
    source: "least squares on trajectories; Johansson, Helbing, Shukla, Adv. Complex Syst. 10, 271 (2007) calibrate \
             by relative distances; squares are chosen here: their minimum is smooth",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| TrackError::boxed(spec, scenario, Vec2::length2), "m2")
        .less_is_better()
        .over_people()
        .window(Window::All)
        .of_group()
        .needs(&[Need::Tracks]),
};

/// Average displacement error.
pub static ADE_M: Entry<MakeMetric> = Entry {
    name: "ade_m",
    doc: "Average displacement error: mean distance between where people are and where the scenario's `tracks` have \
          them, over all samples that have both.",
    source: "trajectory prediction; Pellegrini, Ess, Schindler, van Gool, ICCV 2009, compare mean distances",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| TrackError::boxed(spec, scenario, Vec2::length), "m")
        .less_is_better()
        .over_people()
        .window(Window::All)
        .of_group()
        .needs(&[Need::Tracks]),
};

/// Final displacement error.
pub static FDE_M: Entry<MakeMetric> = Entry {
    name: "fde_m",
    doc: "Final displacement error: mean distance from the scenario's `tracks` at the end of each restart interval, of \
          those who are seen from its start to its end; without restarts in the last sample of everybody.",
    source: "trajectory prediction; Alahi et al., CVPR 2016, who call it so",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| Final::boxed(spec, scenario, false), "m")
        .less_is_better()
        .over_people()
        .window(Window::All)
        .of_group()
        .needs(&[Need::Tracks]),
};

/// Entropy metric.
pub static ENTROPY_METRIC_BITS: Entry<MakeMetric> = Entry {
    name: "entropy_metric_bits",
    doc: "Entropy of the error of prediction: that of a normal distribution with the covariance of the errors of position \
          at the end of each restart interval, beside the scenario's `tracks`.",
    source: "Guy, van den Berg, Liu, Lau, Lin, Manocha, ACM Trans. Graph. 31, 190 (2012); they estimate the true states, \
             here they are the recorded ones",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| Final::boxed(spec, scenario, true), "bits")
        .less_is_better()
        .window(Window::All)
        .of_group()
        .needs(&[Need::Tracks]),
};

const PARAMS: &[Param] = &[
    Param::choice("people", "all", &["all", "tuned", "held_out"])
        .doc("who counts: everybody, those for tuning, or those who are held out")
        .source("chosen here: everybody, unless a search is to be checked on people whom it did not see"),
    Param::integer("held_out_one_in", 4, (2, 1000), (2, 10))
        .doc("of so many people, by rising id in the recording, the last one is held out")
        .source("chosen here: a quarter, as a fourfold cross-validation has"),
];

/// Samples are at multiples of an interval, up to rounding, s.
const AT_S: f64 = 1e-6;

/// Whose samples count, and when.
struct Counted {
    tracks: Arc<Tracks>,
    group: Option<u16>,
    from: f64,
    to: f64,
    people: &'static str,
    one_in: u32,
}

impl Counted {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let (from, to) = spec.window.seconds();
        let settings = Settings::new(PARAMS, &spec.settings);
        Self {
            tracks: scenario.tracks.clone().unwrap_or_default(),
            group: spec.group,
            from,
            to,
            people: settings.word("people"),
            one_in: settings.whole("held_out_one_in") as u32,
        }
    }

    fn takes(&self, track: &Track) -> bool {
        let held_out = track.is_held_out(self.one_in);
        match self.people {
            "tuned" => !held_out,
            "held_out" => held_out,
            _ => true,
        }
    }

    /// The way from the recorded to the actual place of everybody who counts and has both, by id.
    fn observe(&self, seen: &Seen<'_>, mut each: impl FnMut(u32, Vec2)) {
        if seen.time_s < self.from || seen.time_s > self.to {
            return;
        }
        let torus: &Torus = &seen.world.plan.periodic;
        for (row, (&id, &pos)) in seen.ids().iter().zip(seen.positions()).enumerate() {
            if self.group.is_some_and(|group| seen.groups().get(row) != Some(&group)) {
                continue;
            }
            // Where people come in is that of the recording itself.
            if !self.tracks.has_walked(id, seen.time_s)
                || !self.tracks.people.get(id as usize).is_some_and(|track| self.takes(track))
            {
                continue;
            }
            if let Some(place) = self.tracks.place(seen.time_s, id, torus) {
                each(id, torus.apart(place, pos));
            }
        }
    }
}

/// Mean over samples of a distance or its square.
struct TrackError {
    counted: Counted,
    of: fn(Vec2) -> f64,
    sum: f64,
    count: u64,
    /// Sum and number of each person.
    people: Vec<(f64, u64)>,
}

impl TrackError {
    fn boxed(spec: &Spec, scenario: &Scenario, of: fn(Vec2) -> f64) -> Box<dyn Metric> {
        let counted = Counted::new(spec, scenario);
        let people = vec![(0.0, 0); counted.tracks.people.len()];
        Box::new(Self { counted, of, sum: 0.0, count: 0, people })
    }
}

impl Metric for TrackError {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Self { counted, of, sum, count, people } = self;
        counted.observe(seen, |id, apart| {
            let error = of(apart);
            *sum += error;
            *count += 1;
            let person = &mut people[id as usize];
            *person = (person.0 + error, person.1 + 1);
        });
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    fn by_person(&self) -> Vec<(f64, u64)> {
        self.people.clone()
    }

    fn reset(&mut self) {
        (self.sum, self.count) = (0.0, 0);
        self.people.fill((0.0, 0));
    }
}

/// The ways that people are off at the end of restart intervals.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    count: u64,
    /// Sum of their lengths, m.
    length: f64,
    /// Sums of x x, x y and y y, m2.
    squares: [f64; 3],
}

impl Ends {
    fn plus(self, other: Self) -> Self {
        let [a, b] = [self.squares, other.squares];
        Self {
            count: self.count + other.count,
            length: self.length + other.length,
            squares: [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
        }
    }

    fn of(off: Vec2) -> Self {
        Self { count: 1, length: off.length(), squares: [off.x * off.x, off.x * off.y, off.y * off.y] }
    }

    /// Mean length.
    fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.length / self.count as f64)
    }

    /// Entropy of a normal distribution with their covariance around zero, bits; none where all are on one line.
    fn entropy(self) -> Option<f64> {
        let [xx, xy, yy] = self.squares.map(|sum| sum / self.count.max(1) as f64);
        let det = xx * yy - xy * xy;
        // 1e-12: chosen here; below it the rest is rounding.
        let around = 2.0 * std::f64::consts::PI * std::f64::consts::E;
        (det > 1e-12 * xx * yy).then(|| 0.5 * libm::log2(around * around * det))
    }
}

/// What is said of the ends of restart intervals.
struct Final {
    counted: Counted,
    /// True for the entropy, which is no mean over people.
    entropy: bool,
    /// Each person's intervals that are over.
    people: Vec<Ends>,
    /// Interval of a person's last sample, and the way there.
    last: Vec<Option<(u64, Vec2)>>,
}

impl Final {
    fn boxed(spec: &Spec, scenario: &Scenario, entropy: bool) -> Box<dyn Metric> {
        let counted = Counted::new(spec, scenario);
        let count = counted.tracks.people.len();
        Box::new(Self { counted, entropy, people: vec![Ends::default(); count], last: vec![None; count] })
    }

    /// What an interval adds: nothing for those who came later or went earlier, or if the window cuts it.
    fn adds(counted: &Counted, id: u32, (interval, off): (u64, Vec2)) -> Ends {
        let Some(every_s) = counted.tracks.restart_every_s else { return Ends::of(off) };
        let (start_s, end_s) = (interval as f64 * every_s, (interval + 1) as f64 * every_s);
        let whole = start_s >= counted.from - AT_S
            && end_s <= counted.to + AT_S
            && counted.tracks.has_come(id, start_s)
            && !counted.tracks.has_gone(id, end_s);
        if whole { Ends::of(off) } else { Ends::default() }
    }

    fn ends(&self) -> impl Iterator<Item = Ends> {
        (0..).zip(self.people.iter().zip(&self.last)).map(|(id, (ends, last))| {
            ends.plus(last.map_or(Ends::default(), |last| Self::adds(&self.counted, id, last)))
        })
    }
}

impl Metric for Final {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Self { counted, people, last, .. } = self;
        // A sample at the time of a restart is still of the way before.
        let interval = counted.tracks.restart_every_s.map_or(0, |s| ((seen.time_s - AT_S) / s).max(0.0) as u64);
        counted.observe(seen, |id, apart| {
            let at = id as usize;
            if let Some(before) = last[at].filter(|before| before.0 != interval) {
                people[at] = people[at].plus(Self::adds(counted, id, before));
            }
            last[at] = Some((interval, apart));
        });
    }

    fn value(&self) -> Option<f64> {
        let all = self.ends().fold(Ends::default(), Ends::plus);
        if self.entropy { all.entropy() } else { all.mean() }
    }

    fn by_person(&self) -> Vec<(f64, u64)> {
        if self.entropy { Vec::new() } else { self.ends().map(|ends| (ends.length, ends.count)).collect() }
    }

    fn reset(&mut self) {
        self.people.fill(Ends::default());
        self.last.fill(None);
    }
}

#[cfg(test)]
#[path = "track_error_tests.rs"]
mod tests;
