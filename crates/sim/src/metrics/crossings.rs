//! The number of people who have crossed a line over time, N(t), and the flow over intervals.

use super::line;
use super::span::Span;
use super::tracks::Tracks;
use super::window::pick;
use super::{At, MakeMetric, Metric, Plot, Seen, Spec, Table, Window};
use crate::world::scenario::{Group, Scenario, Segment};
use crowdtune_core::math::stats;
use crowdtune_core::registry::{Entry, Param};

/// People who have passed a line.
pub static CROSSINGS: Entry<MakeMetric> = Entry {
    name: "crossings",
    doc: "Number of people who cross a line, each once, at the first crossing; the table is N(t).",
    source: "N(t) as in JPSreport and PedPy",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Crossings::new(spec, scenario)), "people")
        .at(At::Line)
        .window(Window::All)
        .of_group(),
};

/// Mean of the flows over intervals.
pub static INTERVAL_FLOW_PER_S: Entry<MakeMetric> = Entry {
    name: "interval_flow_per_s",
    doc: "Mean flow over a line in successive intervals, each taken from one person's crossing to another's.",
    source: "the flow of JPSreport; PedPy differs in the first interval, where it counts the person who opens it",
    params: INTERVAL,
    make: MakeMetric::new(&|spec, scenario| Box::new(Intervals::new(spec, scenario)), "1/s").at(At::Line).of_group(),
};

const INTERVAL: &[Param] = &[Param::real("interval_s", "s", 10.0)
    .range(0.1, 1e6)
    .search(5.0, 30.0)
    .doc("length of the intervals")
    .source("chosen here: at a door of one meter ten or more people pass in that time")];

/// First crossings of a line at the times of samples.
#[derive(Debug)]
pub(super) struct First {
    line: Option<Segment>,
    tracks: Tracks,
    group: Option<u16>,
    /// By group: true for a journey.
    journey: Vec<bool>,
    passed: Vec<bool>,
    /// Time of the sample that saw the crossing, rising.
    times: Vec<f64>,
}

impl First {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        Self::over(line::asked(spec, scenario), spec.group, scenario)
    }

    /// Those of one group, or of all, over a line.
    pub fn over(line: Option<Segment>, group: Option<u16>, scenario: &Scenario) -> Self {
        let people = scenario.people();
        Self {
            line,
            tracks: Tracks::of(people, group),
            group,
            journey: scenario.groups.iter().map(Group::leaves).collect(),
            passed: vec![false; people],
            times: Vec::with_capacity(people),
        }
    }

    /// Takes a sample.
    pub fn observe(&mut self, seen: &Seen<'_>) {
        let Some(line) = self.line else { return };
        let Self { tracks, passed, times, .. } = self;
        tracks.steps(seen, |step| {
            if step.id >= passed.len() {
                passed.resize(step.id + 1, false);
            }
            if !passed[step.id] && line::passes(&seen.world.plan.periodic, line, &step).is_some() {
                passed[step.id] = true;
                times.push(seen.time_s);
            }
        });
    }

    /// Times of the samples that saw a crossing, rising.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// How many people of a sample that was taken have a journey and did not cross.
    pub fn waiting(&self, seen: &Seen<'_>) -> usize {
        let counts = |group: u16| self.group.is_none_or(|only| only == group);
        let goes = |group: u16| counts(group) && self.journey.get(usize::from(group)) == Some(&true);
        let passed = |id: u32| self.passed.get(id as usize) == Some(&true);
        seen.ids().iter().zip(seen.groups()).filter(|(id, group)| goes(**group) && !passed(**id)).count()
    }

    /// Forgets everybody.
    pub fn reset(&mut self) {
        self.tracks.reset();
        self.passed.fill(false);
        self.times.clear();
    }
}

struct Crossings {
    first: First,
    span: Span,
    /// Time of each sample, and how many have passed by then.
    curve: Vec<(f64, usize)>,
}

impl Crossings {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let samples = (scenario.limit_s / spec.sample_every_s).clamp(0.0, 1e6) as usize + 2;
        Self {
            first: First::new(spec, scenario),
            span: Span::of_events(spec, scenario),
            curve: Vec::with_capacity(samples),
        }
    }
}

impl Metric for Crossings {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.first.observe(seen);
        self.span.observe(seen);
        self.curve.push((seen.time_s, self.first.times.len()));
    }

    fn value(&self) -> Option<f64> {
        let (end, _) = *self.curve.last()?;
        self.first.line.map(|_| pick(self.span.window(), &self.first.times, 0, end).events.len() as f64)
    }

    fn table(&self) -> Option<Table> {
        let rows = self.curve.iter().map(|&(time, n)| vec![time, n as f64]).collect();
        Some(Table { plot: Plot::Curves, columns: &["time_s", "people"], rows })
    }

    fn reset(&mut self) {
        self.first.reset();
        self.span.reset();
        self.curve.clear();
    }
}

struct Intervals {
    first: First,
    interval_s: f64,
    end_s: f64,
    /// Start, end and number of people of each interval in which somebody crossed.
    found: Vec<(f64, f64, usize)>,
    flows: Vec<f64>,
}

impl Intervals {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        Self {
            first: First::new(spec, scenario),
            interval_s: spec.settings[0],
            end_s: 0.0,
            found: Vec::new(),
            flows: Vec::new(),
        }
    }

    /// Intervals end a multiple of their length after the first crossing, and before the last sample. The flow is taken
    /// from the last crossing before the interval (for the first one: the first crossing) to the last one in it.
    fn find(&mut self) {
        self.found.clear();
        self.flows.clear();
        let times = &self.first.times;
        let Some(&opening) = times.first() else { return };
        let (mut from, mut before) = (opening, 1);
        // A nanosecond: rounding must not separate the end of an interval from a sample at the same time.
        const SLACK_S: f64 = 1e-9;
        for k in 1.. {
            let until = opening + f64::from(k) * self.interval_s;
            if until >= self.end_s - SLACK_S {
                break;
            }
            let by = times.partition_point(|&t| t <= until + SLACK_S);
            let to = times[by - 1];
            if by > before && to > from {
                self.found.push((from, to, by - before));
                self.flows.push((by - before) as f64 / (to - from));
                (from, before) = (to, by);
            }
        }
    }
}

impl Metric for Intervals {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.first.observe(seen);
        self.end_s = seen.time_s;
        self.find();
    }

    fn value(&self) -> Option<f64> {
        (!self.flows.is_empty()).then(|| stats::mean(&self.flows))
    }

    fn samples(&self) -> Vec<f64> {
        self.flows.clone()
    }

    fn table(&self) -> Option<Table> {
        let rows = self.found.iter().zip(&self.flows);
        let rows = rows.map(|(&(from, to, people), &flow)| vec![from, to, people as f64, flow]).collect();
        Some(Table { plot: Plot::Steps, columns: &["from_s", "to_s", "people", "flow_per_s"], rows })
    }

    fn reset(&mut self) {
        self.first.reset();
        self.end_s = 0.0;
        self.found.clear();
        self.flows.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Place;
    use super::super::testing::{Film, exit, make, make_in};
    use super::*;
    use crowdtune_core::math::vec2;

    #[test]
    fn everybody_counts_once_and_who_ends_on_the_line_counts_with_the_next_step() {
        // The line is x = 0 from y = 0 to 2. Person 0 crosses, comes back and crosses again; 1 steps on the line, then
        // beyond; 2 passes beside it; 3 leaves across it.
        let film = Film::new(4, 100.0);
        let mut metric = make(&CROSSINGS, &film);
        film.show(metric.as_mut(), 0.0, &[(0, (-1.0, 1.0)), (1, (-1.0, 1.0)), (2, (-1.0, 3.0)), (3, (-1.0, 1.0))], &[]);
        film.show(metric.as_mut(), 1.0, &[(0, (1.0, 1.0)), (1, (0.0, 1.0)), (2, (1.0, 3.0)), (3, (-0.5, 1.0))], &[]);
        film.show(metric.as_mut(), 2.0, &[(0, (-1.0, 1.0)), (1, (0.5, 1.0)), (2, (2.0, 3.0)), (3, (-0.1, 1.0))], &[]);
        film.show(metric.as_mut(), 3.0, &[(0, (1.0, 1.0)), (1, (1.0, 1.0))], &[exit(3, 0, 2.5, (0.5, 1.0))]);
        assert_eq!(metric.value(), Some(3.0));
        let rows = vec![vec![0.0, 0.0], vec![1.0, 1.0], vec![2.0, 2.0], vec![3.0, 3.0]];
        assert_eq!(metric.table().unwrap().rows, rows);
        metric.reset();
        assert_eq!((metric.value(), metric.table().unwrap().rows.len()), (None, 0));
    }

    #[test]
    fn a_window_counts_its_crossings_only() {
        let film = Film::new(3, 100.0);
        let mut metric = make_in(&CROSSINGS, &film, None, Window::TimeS(2.0, 3.0));
        for k in 0..6 {
            // Person i crosses between the samples i + 1 and i + 2.
            let people: Vec<_> = (0..3).map(|i| (i, (f64::from(k) - f64::from(i) - 1.5, 1.0))).collect();
            film.show(metric.as_mut(), f64::from(k), &people, &[]);
        }
        assert_eq!(metric.value(), Some(2.0));
    }

    #[test]
    fn intervals_run_from_crossing_to_crossing() {
        let film = Film::new(8, 100.0);
        let mut metric = make(&INTERVAL_FLOW_PER_S, &film);
        // Crossings are seen at 1, 4, 7, 11 (intervals end at 11 and 21), none until 21, then 31.5 after 31.
        let seen_s = [1.0, 4.0, 7.0, 11.0, 31.5, 32.0];
        for half in 0..80 {
            let time_s = 0.5 * f64::from(half);
            let people: Vec<_> =
                (0u32..).zip(seen_s).map(|(id, at)| (id, (if time_s >= at { 1.0 } else { -1.0 }, 1.0))).collect();
            film.show(metric.as_mut(), time_s, &people, &[]);
        }
        // Three people in the 10 s after the first; the last sample is at 39.5 s, before the fourth interval ends.
        assert_eq!(metric.table().unwrap().rows, [vec![1.0, 11.0, 3.0, 0.3]]);
        assert_eq!(metric.samples(), [0.3]);
        assert_eq!(metric.value(), Some(0.3));
    }

    #[test]
    fn a_line_on_either_side_of_the_seam_is_passed() {
        // One person from 9.7 to 0.4 on a ring of 10 m; one who never passes.
        for x in [9.8, 0.0, 0.2] {
            let film = Film::ring(2, 100.0);
            let line = Segment { a: vec2(x, 0.0), b: vec2(x, 2.0) };
            let mut metric = make_in(&CROSSINGS, &film, Some(Place::Line(line)), Window::All);
            film.show(metric.as_mut(), 0.0, &[(0, (9.7, 1.0)), (1, (5.0, 1.0))], &[]);
            film.show(metric.as_mut(), 1.0, &[(0, (0.4, 1.0)), (1, (6.0, 1.0))], &[]);
            assert_eq!(metric.value(), Some(1.0), "{x}");
        }
    }
}
