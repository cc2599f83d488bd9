//! Passing a line: flow and time gaps.

use super::headings::Headings;
use super::leavers::Leavers;
use super::line;
use super::span::Span;
use super::tracks::Tracks;
use super::window::pick;
use super::{At, MakeMetric, Metric, Seen, Spec, Window};
use crate::world::scenario::{Pull, Scenario, Segment};
use crowdtune_core::math::{Vec2, stats};
use crowdtune_core::registry::{Entry, Param, Settings};

/// Mean time gap at a line.
pub static TIME_GAP_MEAN_S: Entry<MakeMetric> = Entry {
    name: "time_gap_mean_s",
    doc: "Mean time between successive people at a line; a jam that lasts until the end of the run counts as a gap.",
    source: "Seyfried and others 2009; the last gap is chosen here: without it a jam would cost nothing",
    params: LINE,
    make: MakeMetric::new(&|spec, scenario| Box::new(Passing::new(Quantity::GapMean, spec, scenario)), "s")
        .at(At::Line)
        .window(Window::All)
        .of_group(),
};

/// 95th percentile of the time gaps at a line.
pub static TIME_GAP_P95_S: Entry<MakeMetric> = Entry {
    name: "time_gap_p95_s",
    doc: "95th percentile of the times between successive people at a line.",
    source: "Garcimartin and others 2014 judge clogging by its long gaps; the percentile is chosen here",
    params: LINE,
    make: MakeMetric::new(&|spec, scenario| Box::new(Passing::new(Quantity::GapP95, spec, scenario)), "s")
        .less_is_better()
        .at(At::Line)
        .window(Window::All)
        .of_group(),
};

/// Exponent of the tail of the time gaps at a line.
pub static TIME_GAP_TAIL: Entry<MakeMetric> = Entry {
    name: "time_gap_tail",
    doc: "Exponent of the power law that the longest time gaps at a line follow: the smaller, the more clogged; at 2 \
          or less the mean gap has no limit.",
    source: "Zuriguel and others 2014; fitted by maximum likelihood: Clauset, Shalizi, Newman 2009, eq. 3.1",
    params: TAIL,
    make: MakeMetric::new(&|spec, scenario| Box::new(Passing::new(Quantity::Tail, spec, scenario)), "")
        .at(At::Line)
        .window(Window::All)
        .of_group(),
};

/// People per second over a line.
pub static FLOW_PER_S: Entry<MakeMetric> = Entry {
    name: "flow_per_s",
    doc: "People per second over a line, (N - 1) / (t_N - t_1) of those in the window; waiting in a jam counts, and who \
          walks back over it against the heading of the group counts back.",
    source: "Seyfried and others 2009; crossings as in PedPy; how a jam counts is chosen here",
    params: LINE,
    make: MakeMetric::new(&|spec, scenario| Box::new(Passing::new(Quantity::Flow, spec, scenario)), "1/s")
        .at(At::Line)
        .window(MIDDLE)
        .of_group(),
};

/// People per second and meter of a line.
pub static SPECIFIC_FLOW_PER_M_S: Entry<MakeMetric> = Entry {
    name: "specific_flow_per_m_s",
    doc: "Flow over a line divided by its length.",
    source: "Seyfried and others 2009; as flow_per_s",
    params: LINE,
    make: MakeMetric::new(&|spec, scenario| Box::new(Passing::new(Quantity::SpecificFlow, spec, scenario)), "1/(m s)")
        .at(At::Line)
        .window(MIDDLE)
        .of_group(),
};

/// Which crossings count.
const DIRECTION: Param = Param::choice("direction", "both", &["both", "forward", "backward"])
    .doc("which crossings count: forward is to the left of the way from the first to the second point of the line")
    .source("chosen here: everybody counts by default");
const LINE: &[Param] = &[DIRECTION];
const TAIL: &[Param] = &[
    DIRECTION,
    Param::real("tail_from", "", 0.95)
        .range(0.0, 0.999)
        .search(0.5, 0.99)
        .doc("gaps from this quantile on are the tail")
        .source("Garcimartin and others 2014 fit the longest gaps; the 95th percentile is chosen here"),
];
/// Fewest gaps that make a tail. Chosen here: the error of the exponent is (exponent - 1) / sqrt(gaps).
const FEWEST_OF_TAIL: usize = 3;

/// Chosen here: the first and the last tenth are the crowd's arrival and its stragglers.
const MIDDLE: Window = Window::Ranks(0.1, 0.9);

#[derive(Clone, Copy)]
enum Quantity {
    GapMean,
    GapP95,
    Tail,
    Flow,
    SpecificFlow,
}

/// What a person has to do with the line.
#[derive(Clone, Copy, Debug, Default)]
struct Passer {
    /// True after a crossing in any direction.
    passed: bool,
    /// True after a crossing that counts; on a ring until half a lap later.
    counted: bool,
    /// Way along the ring since then, m.
    since_m: f64,
    /// Crossings against the own heading that no crossing along it has made good yet.
    owes: u32,
}

struct Passing {
    quantity: Quantity,
    line: Option<Segment>,
    span: Span,
    /// 1 for forward, -1 for backward, 0 for both.
    direction: f64,
    tail_from: f64,
    lap: Option<(f64, Vec2)>,
    /// Where crossings in both directions count, those against the own heading count back.
    headings: Headings,
    group: Option<u16>,
    leavers: Leavers,
    /// Number of people who walk over the line for as long as the run lasts.
    walkers: usize,
    /// By group: true for a journey.
    journey: Vec<bool>,
    /// By group: true for a heading that leads around a ring and over the line in a direction that counts.
    around: Vec<bool>,
    tracks: Tracks,
    passers: Vec<Passer>,
    /// Times of crossings, ascending.
    times: Vec<f64>,
    /// Of the samples that saw them: a window that goes by crossings counts in samples.
    seen_s: Vec<f64>,
    /// The same of those against the own heading.
    back: Vec<f64>,
    start_s: Option<f64>,
    end_s: f64,
    /// Number of people still expected at the line.
    waiting: usize,
    /// Gaps of the window, in order of time.
    gaps: Vec<f64>,
}

impl Passing {
    fn new(quantity: Quantity, spec: &Spec, scenario: &Scenario) -> Self {
        let line = line::asked(spec, scenario);
        let settings = Settings::new(if matches!(quantity, Quantity::Tail) { TAIL } else { LINE }, &spec.settings);
        let direction = match settings.word("direction") {
            "forward" => 1.0,
            "backward" => -1.0,
            _ => 0.0,
        };
        let people = scenario.people();
        let lap = line.and_then(|line| line::lap(&scenario.world.plan.periodic, line));
        let counts = |g: usize| spec.group.is_none_or(|only| usize::from(only) == g);
        let heading = |g: usize| match scenario.groups[g].pull {
            Pull::Heading(way) if counts(g) && !scenario.groups[g].leaves() => Some(way),
            _ => None,
        };
        let over = |way: Vec2| {
            line.is_some_and(|line| {
                let forward = (line.b - line.a).cross(way);
                forward != 0.0 && forward * direction >= 0.0
            })
        };
        let groups = 0..scenario.groups.len();
        Self {
            quantity,
            line,
            span: Span::of_events(spec, scenario),
            direction,
            tail_from: if matches!(quantity, Quantity::Tail) { settings.get("tail_from") } else { 0.0 },
            lap,
            headings: Headings::new(scenario),
            group: spec.group,
            leavers: Leavers::new(scenario, spec.group),
            walkers: groups.clone().filter(|&g| heading(g).is_some_and(over)).map(|g| scenario.groups[g].count).sum(),
            journey: groups.clone().map(|g| counts(g) && scenario.groups[g].leaves()).collect(),
            around: groups.map(|g| lap.is_some() && heading(g).is_some_and(over)).collect(),
            tracks: Tracks::of(people, spec.group),
            passers: vec![Passer::default(); people],
            times: Vec::with_capacity(people),
            seen_s: Vec::with_capacity(people),
            back: Vec::new(),
            start_s: None,
            end_s: 0.0,
            waiting: 0,
            gaps: Vec::with_capacity(people + 1),
        }
    }

    /// Number of people expected at the line during the whole run, as far as is known yet.
    fn wanting(&self) -> usize {
        self.leavers.total() + self.walkers
    }

    /// Counts the people present who are still expected: those with a journey who never crossed and are on the side from
    /// which a crossing counts. Where people walk around a ring one more is always expected.
    fn count_waiting(&mut self, seen: &Seen<'_>, line: Segment) {
        let mut waiting = 0;
        let mut around = false;
        for (row, (&id, &group)) in seen.ids().iter().zip(seen.groups()).enumerate() {
            if self.group.is_some_and(|only| only != group) {
                continue;
            }
            let of = |groups: &[bool]| groups.get(usize::from(group)) == Some(&true);
            around |= of(&self.around);
            let passed = self.passers.get(id as usize).is_some_and(|p| p.passed);
            let before = || self.direction * (line.b - line.a).cross(seen.positions()[row] - line.a) <= 0.0;
            waiting += usize::from(!passed && of(&self.journey) && before());
        }
        self.waiting = waiting + usize::from(around);
    }

    /// The times that the window picks from.
    fn events(&self) -> &[f64] {
        if matches!(self.span.window(), Window::Crossings { .. }) { &self.seen_s } else { &self.times }
    }

    /// The gaps of the window so far. With fewer than two crossings there is one gap, from the crossing
    /// (without one: the start) to the end.
    fn find_gaps(&mut self) {
        let mut gaps = std::mem::take(&mut self.gaps);
        let window = self.span.window();
        let times = self.events();
        let picked = pick(window, times, self.waiting, self.end_s);
        let times = &times[picked.events];
        gaps.clear();
        gaps.extend(times.windows(2).map(|pair| pair[1] - pair[0]));
        let until = match (times.len() < 2, picked.awaited_s, window) {
            (_, Some(until), _) => Some(until),
            (true, None, Window::TimeS(_, to)) => Some(self.end_s.min(to)),
            (true, None, _) => Some(self.end_s),
            (false, None, _) => None,
        };
        let start = match window {
            Window::TimeS(from, _) if from.is_finite() => from,
            _ => self.start_s.unwrap_or(self.end_s),
        };
        let from = times.last().copied().unwrap_or(start);
        if let Some(awaited) = until.map(|until| until - from) {
            // A wait no longer than the usual gap says nothing: the next person may have been about to cross.
            let usual = gaps.iter().sum::<f64>() / gaps.len().max(1) as f64;
            if self.wanting().max(times.len()) >= 2 && awaited > usual {
                gaps.push(awaited);
            }
        }
        self.gaps = gaps;
    }

    fn flow(&self) -> Option<f64> {
        let window = self.span.window();
        let passed = pick(window, self.events(), self.waiting, self.end_s).events.len();
        let back = &self.back[pick(window, &self.back, 0, self.end_s).events];
        if let ([first, .., last], true) = (back, passed < 2) {
            return (last > first).then(|| -((back.len() - 1) as f64) / (last - first));
        }
        if passed < 2 {
            return (self.wanting() >= 2).then_some(0.0);
        }
        let sum: f64 = self.gaps.iter().sum();
        (sum > 0.0).then(|| self.gaps.len() as f64 / sum)
    }
}

/// Exponent of p(g) ~ g^-a for the gaps from the quantile on: 1 + n / sum ln(g / g_min). `None` for fewer than
/// [`FEWEST_OF_TAIL`] of them, if the smallest is 0, or if all are equal.
fn tail(gaps: &[f64], from: f64) -> Option<f64> {
    let least = stats::quantile(gaps, from);
    let long = || gaps.iter().filter(|&&gap| gap >= least);
    let logs: f64 = if least > 0.0 { long().map(|gap| libm::log(gap / least)).sum() } else { 0.0 };
    // 1e-9: rounding of equal gaps.
    (long().count() >= FEWEST_OF_TAIL && logs > 1e-9).then(|| 1.0 + long().count() as f64 / logs)
}

impl Metric for Passing {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Some(line) = self.line else { return };
        self.leavers.observe(seen);
        self.span.observe(seen);
        let Self { tracks, passers, times, back, lap, headings, direction, .. } = self;
        let torus = &seen.world.plan.periodic;
        let known = (times.len(), back.len());
        tracks.steps(seen, |step| {
            if step.id >= passers.len() {
                passers.resize(step.id + 1, Passer::default());
            }
            let passer = &mut passers[step.id];
            if let (true, Some((length, along))) = (passer.counted, *lap) {
                passer.since_m += step.way().dot(along);
                // Somebody who sways on the line must not count twice; somebody who comes round again must.
                passer.counted = passer.since_m.abs() < 0.5 * length;
            }
            if passer.counted {
                return;
            }
            if let Some(share) = line::passes(torus, line, &step) {
                passer.passed = true;
                let forward = (line.b - line.a).cross(step.way());
                if forward * *direction < 0.0 {
                    return;
                }
                (passer.counted, passer.since_m) = (true, 0.0);
                let time_s = step.from_s + step.duration_s() * share;
                let heading = headings.of(step.group(seen)).filter(|_| *direction == 0.0);
                if heading.is_some_and(|way| (line.b - line.a).cross(way) * forward < 0.0) {
                    passer.owes += 1;
                    back.push(time_s);
                } else if passer.owes > 0 {
                    passer.owes -= 1;
                } else {
                    times.push(time_s);
                }
            }
        });
        self.seen_s.resize(times.len(), seen.time_s);
        times[known.0..].sort_unstable_by(f64::total_cmp);
        back[known.1..].sort_unstable_by(f64::total_cmp);
        self.count_waiting(seen, line);
        self.start_s.get_or_insert(seen.time_s);
        self.end_s = seen.time_s;
        self.find_gaps();
    }

    fn value(&self) -> Option<f64> {
        let line = self.line?;
        match self.quantity {
            Quantity::GapMean | Quantity::GapP95 | Quantity::Tail if self.gaps.is_empty() => None,
            Quantity::GapMean => Some(stats::mean(&self.gaps)),
            Quantity::GapP95 => Some(stats::p95(&self.gaps)),
            Quantity::Tail => tail(&self.gaps, self.tail_from),
            Quantity::Flow => self.flow(),
            Quantity::SpecificFlow => {
                let length = (line.b - line.a).length();
                self.flow().filter(|_| length > 0.0).map(|flow| flow / length)
            }
        }
    }

    fn samples(&self) -> Vec<f64> {
        self.gaps.clone()
    }

    fn reset(&mut self) {
        self.leavers.reset();
        self.span.reset();
        self.tracks.reset();
        self.passers.fill(Passer::default());
        self.times.clear();
        self.seen_s.clear();
        self.back.clear();
        self.start_s = None;
        self.end_s = 0.0;
        self.waiting = 0;
        self.gaps.clear();
    }
}

#[cfg(test)]
#[path = "flow_tests.rs"]
mod tests;
