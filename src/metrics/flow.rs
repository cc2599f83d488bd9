//! Passing a line: flow and time gaps.

use super::tracks::{Step, Tracks};
use super::window::pick;
use super::{At, MakeMetric, Metric, NO_PARAMS, Needs, Place, Seen, Spec, Window, leavers, people};
use crate::math::{Vec2, stats};
use crate::registry::Entry;
use crate::world::scenario::{Scenario, Segment};

/// Mean time gap at a line.
pub static TIME_GAP_MEAN_S: Entry<MakeMetric> = Entry {
    name: "time_gap_mean_s",
    doc: "Mean time between successive people who pass a line; a gap that lasts until the end of the run counts.",
    source: "validation of bottleneck experiments: Seyfried and others 2009; the last gap is chosen here, else a jam \
             would cost nothing",
    params: NO_PARAMS,
    make: making(|spec, scenario| Box::new(Passing::new(Ask::GapMean, spec, scenario)), "s", Window::All),
};

/// 95th percentile of the time gaps at a line.
pub static TIME_GAP_P95_S: Entry<MakeMetric> = Entry {
    name: "time_gap_p95_s",
    doc: "95th percentile of the times between successive people who pass a line.",
    source: "Garcimartin and others 2014 judge clogging by the long gaps; the percentile is chosen here",
    params: NO_PARAMS,
    make: making(|spec, scenario| Box::new(Passing::new(Ask::GapP95, spec, scenario)), "s", Window::All),
};

/// People per second over a line.
pub static FLOW_PER_S: Entry<MakeMetric> = Entry {
    name: "flow_per_s",
    doc: "People per second over a line, (N - 1) / (t_N - t_1) of those in the window; waiting in a jam counts.",
    source: "Seyfried and others 2009; crossings as in PedPy; what a jam counts is chosen here",
    params: NO_PARAMS,
    make: making(|spec, scenario| Box::new(Passing::new(Ask::Flow, spec, scenario)), "1/s", MIDDLE),
};

/// People per second and meter of a line.
pub static SPECIFIC_FLOW_PER_M_S: Entry<MakeMetric> = Entry {
    name: "specific_flow_per_m_s",
    doc: "Flow over a line divided by the length of the line.",
    source: "Seyfried and others 2009; as flow_per_s",
    params: NO_PARAMS,
    make: making(|spec, scenario| Box::new(Passing::new(Ask::SpecificFlow, spec, scenario)), "1/(m s)", MIDDLE),
};

/// Chosen here: the first and the last tenth are the crowd's arrival and its loose end.
const MIDDLE: Window = Window::Ranks(0.1, 0.9);

const fn making(make: fn(&Spec, &Scenario) -> Box<dyn Metric>, unit: &'static str, window: Window) -> MakeMetric {
    let needs = Needs { radius: false, contact: false, exits: false };
    MakeMetric { at: At::Line, window, takes_window: true, samples: true, needs, ..MakeMetric::plain(make, unit) }
}

/// The share of a step at which it passes a line: 0 if it starts on the line, `None` if it does not touch the line,
/// ends on it, or runs along it.
pub(super) fn passes(line: Segment, from: Vec2, to: Vec2) -> Option<f64> {
    let along = line.b - line.a;
    let (before, after) = (along.cross(from - line.a), along.cross(to - line.a));
    if after == 0.0 || before * after > 0.0 {
        return None;
    }
    let share = before / (before - after);
    let at = (from + (to - from) * share - line.a).dot(along);
    (at >= 0.0 && at <= along.length2()).then_some(share)
}

#[derive(Clone, Copy)]
enum Ask {
    GapMean,
    GapP95,
    Flow,
    SpecificFlow,
}

struct Passing {
    ask: Ask,
    line: Option<Segment>,
    window: Window,
    /// People who want to leave, by the scenario.
    leavers: usize,
    /// True for groups with a journey.
    journey: Vec<bool>,
    tracks: Tracks,
    passed: Vec<bool>,
    /// Times of first crossings, rising.
    times: Vec<f64>,
    start_s: Option<f64>,
    end_s: f64,
    /// People still inside, with a journey, who have not passed.
    waiting: usize,
    /// Gaps of the window, in order of time.
    gaps: Vec<f64>,
}

impl Passing {
    fn new(ask: Ask, spec: &Spec, scenario: &Scenario) -> Self {
        let line = match &spec.at {
            Some(Place::Line(line)) => Some(*line),
            _ => scenario.world.plan.lines.first().map(|line| line.what),
        };
        let people = people(scenario);
        Self {
            ask,
            line,
            window: spec.window,
            leavers: leavers(scenario),
            journey: scenario.groups.iter().map(|g| !g.stages.is_empty()).collect(),
            tracks: Tracks::new(people),
            passed: vec![false; people],
            times: Vec::with_capacity(people),
            start_s: None,
            end_s: 0.0,
            waiting: 0,
            gaps: Vec::with_capacity(people + 1),
        }
    }

    /// The gaps of the window so far. Fewer than two crossings make one gap, from the first crossing, or else the
    /// start, to the end.
    fn find_gaps(&mut self) {
        let picked = pick(self.window, &self.times, self.waiting, self.end_s);
        let times = &self.times[picked.events];
        self.gaps.clear();
        self.gaps.extend(times.windows(2).map(|pair| pair[1] - pair[0]));
        let until = match (times.len() < 2, picked.awaited_s, self.window) {
            (_, Some(until), _) => Some(until),
            (true, None, Window::TimeS(_, to)) => Some(self.end_s.min(to)),
            (true, None, _) => Some(self.end_s),
            (false, None, _) => None,
        };
        let start = match self.window {
            Window::TimeS(from, _) => from,
            _ => self.start_s.unwrap_or(self.end_s),
        };
        let from = times.last().copied().unwrap_or(start);
        if let Some(awaited) = until.map(|until| until - from) {
            // A wait that is no longer than the usual gap says nothing: the next person may have been about to pass.
            let usual = self.gaps.iter().sum::<f64>() / self.gaps.len().max(1) as f64;
            if self.leavers.max(times.len()) >= 2 && awaited > usual {
                self.gaps.push(awaited);
            }
        }
    }

    fn flow(&self) -> Option<f64> {
        let passed = pick(self.window, &self.times, self.waiting, self.end_s).events.len();
        if passed < 2 {
            return (self.leavers >= 2).then_some(0.0);
        }
        let sum: f64 = self.gaps.iter().sum();
        (sum > 0.0).then(|| self.gaps.len() as f64 / sum)
    }
}

impl Metric for Passing {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Some(line) = self.line else { return };
        let Self { tracks, passed, times, journey, .. } = self;
        let known = times.len();
        tracks.steps(seen, |step: Step| {
            if step.id >= passed.len() {
                passed.resize(step.id + 1, false);
            }
            if passed[step.id] {
                return;
            }
            if let Some(share) = passes(line, step.from, step.to) {
                passed[step.id] = true;
                times.push(step.from_s + step.duration_s() * share);
            }
        });
        times[known..].sort_unstable_by(f64::total_cmp);
        let people = seen.crowd.id.iter().zip(&seen.crowd.group);
        self.waiting = people
            .filter(|&(&id, &group)| {
                let passed = passed.get(id as usize).copied().unwrap_or(false);
                !passed && journey.get(usize::from(group)).copied().unwrap_or(false)
            })
            .count();
        self.start_s.get_or_insert(seen.time_s);
        self.end_s = seen.time_s;
        self.find_gaps();
    }

    fn value(&self) -> Option<f64> {
        let line = self.line?;
        match self.ask {
            Ask::GapMean | Ask::GapP95 if self.gaps.is_empty() => None,
            Ask::GapMean => Some(stats::mean(&self.gaps)),
            Ask::GapP95 => Some(stats::p95(&self.gaps)),
            Ask::Flow => self.flow(),
            Ask::SpecificFlow => {
                let length = (line.b - line.a).length();
                self.flow().filter(|_| length > 0.0).map(|flow| flow / length)
            }
        }
    }

    fn samples(&self) -> &[f64] {
        &self.gaps
    }

    fn reset(&mut self) {
        self.tracks.reset();
        self.passed.fill(false);
        self.times.clear();
        self.start_s = None;
        self.end_s = 0.0;
        self.waiting = 0;
        self.gaps.clear();
    }
}

#[cfg(test)]
#[path = "flow_tests.rs"]
mod tests;
