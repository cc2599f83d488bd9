//! Passing a line: flow and time gaps.

use super::leavers::Leavers;
use super::line;
use super::tracks::Tracks;
use super::window::pick;
use super::{At, MakeMetric, Metric, Needs, Seen, Spec, Window, people};
use crate::world::scenario::{Pull, Scenario, Segment};
use crowdtune_core::math::{Vec2, stats};
use crowdtune_core::registry::{Entry, Param, Settings};

/// Mean time gap at a line.
pub static TIME_GAP_MEAN_S: Entry<MakeMetric> = Entry {
    name: "time_gap_mean_s",
    doc: "Mean time between successive people who pass a line; a gap that lasts until the end of the run counts.",
    source: "validation of bottleneck experiments: Seyfried and others 2009; the last gap is chosen here, else a jam \
             would cost nothing",
    params: LINE,
    make: making(|spec, scenario| Box::new(Passing::new(Ask::GapMean, spec, scenario)), "s", Window::All),
};

/// 95th percentile of the time gaps at a line.
pub static TIME_GAP_P95_S: Entry<MakeMetric> = Entry {
    name: "time_gap_p95_s",
    doc: "95th percentile of the times between successive people who pass a line.",
    source: "Garcimartin and others 2014 judge clogging by the long gaps; the percentile is chosen here",
    params: LINE,
    make: making(|spec, scenario| Box::new(Passing::new(Ask::GapP95, spec, scenario)), "s", Window::All),
};

/// Exponent of the tail of the time gaps at a line.
pub static TIME_GAP_TAIL: Entry<MakeMetric> = Entry {
    name: "time_gap_tail",
    doc: "Exponent of the power law that the long time gaps at a line follow: smaller is more clogged, and at 2 or less the \
          mean time of clogging has no limit.",
    source: "Zuriguel and others 2014; fit by maximum likelihood: Clauset, Shalizi, Newman 2009, eq. 3.1",
    params: TAIL,
    make: making(|spec, scenario| Box::new(Passing::new(Ask::Tail, spec, scenario)), "", Window::All),
};

/// People per second over a line.
pub static FLOW_PER_S: Entry<MakeMetric> = Entry {
    name: "flow_per_s",
    doc: "People per second over a line, (N - 1) / (t_N - t_1) of those in the window; waiting in a jam counts.",
    source: "Seyfried and others 2009; crossings as in PedPy; what a jam counts is chosen here",
    params: LINE,
    make: making(|spec, scenario| Box::new(Passing::new(Ask::Flow, spec, scenario)), "1/s", MIDDLE),
};

/// People per second and meter of a line.
pub static SPECIFIC_FLOW_PER_M_S: Entry<MakeMetric> = Entry {
    name: "specific_flow_per_m_s",
    doc: "Flow over a line divided by the length of the line.",
    source: "Seyfried and others 2009; as flow_per_s",
    params: LINE,
    make: making(|spec, scenario| Box::new(Passing::new(Ask::SpecificFlow, spec, scenario)), "1/(m s)", MIDDLE),
};

/// Which crossings count.
const DIRECTION: Param = Param::choice(
    "direction",
    "which crossings count: forward is to the left of the way from the first to the second point of the line",
    "chosen here: everybody counts unless told otherwise",
    "both",
    &["both", "forward", "backward"],
);
const LINE: &[Param] = &[DIRECTION];
const TAIL: &[Param] = &[
    DIRECTION,
    Param::real(
        "tail_from",
        "",
        "",
        "gaps from this quantile on are the tail",
        "Garcimartin and others 2014 fit the longest gaps; the 95th percentile is chosen here",
        0.95,
        (0.0, 0.999),
        (0.5, 0.99),
        false,
    ),
];
/// Fewest gaps that make a tail. Chosen here: the error of the exponent is (exponent - 1) / sqrt(gaps).
const FEWEST_OF_TAIL: usize = 3;

/// Chosen here: the first and the last tenth are the crowd's arrival and its loose end.
const MIDDLE: Window = Window::Ranks(0.1, 0.9);

const fn making(make: fn(&Spec, &Scenario) -> Box<dyn Metric>, unit: &'static str, window: Window) -> MakeMetric {
    let needs = Needs { radius: false, contact: false, exits: false };
    MakeMetric { at: At::Line, window, takes_window: true, takes_group: true, needs, ..MakeMetric::plain(make, unit) }
}

#[derive(Clone, Copy)]
enum Ask {
    GapMean,
    GapP95,
    Tail,
    Flow,
    SpecificFlow,
}

/// How a person stands to the line.
#[derive(Clone, Copy, Debug, Default)]
struct Passer {
    /// True after a crossing in any direction.
    passed: bool,
    /// True after one that counted; on a ring until half a lap later.
    counted: bool,
    /// Way along the ring since then, m.
    since_m: f64,
}

struct Passing {
    ask: Ask,
    line: Option<Segment>,
    window: Window,
    /// 1 for forward, -1 for backward, 0 for both.
    direction: f64,
    tail_from: f64,
    lap: Option<(f64, Vec2)>,
    group: Option<u16>,
    leavers: Leavers,
    /// People who walk on forever, by the scenario.
    walkers: usize,
    /// By group: true for a journey.
    journey: Vec<bool>,
    /// By group: true for a heading that leads around a ring and over the line in a direction that counts.
    around: Vec<bool>,
    tracks: Tracks,
    passers: Vec<Passer>,
    /// Times of crossings, rising.
    times: Vec<f64>,
    start_s: Option<f64>,
    end_s: f64,
    /// People who are to pass, as far as they are known, and have not.
    waiting: usize,
    /// Gaps of the window, in order of time.
    gaps: Vec<f64>,
}

impl Passing {
    fn new(ask: Ask, spec: &Spec, scenario: &Scenario) -> Self {
        let line = line::asked(spec, scenario);
        let settings = Settings::new(if matches!(ask, Ask::Tail) { TAIL } else { LINE }, &spec.settings);
        let direction = match settings.word("direction") {
            "forward" => 1.0,
            "backward" => -1.0,
            _ => 0.0,
        };
        let people = people(scenario);
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
            ask,
            line,
            window: spec.window,
            direction,
            tail_from: if matches!(ask, Ask::Tail) { settings.get("tail_from") } else { 0.0 },
            lap,
            group: spec.group,
            leavers: Leavers::new(scenario, spec.group),
            walkers: groups.clone().filter(|&g| heading(g).is_some_and(over)).map(|g| scenario.groups[g].count).sum(),
            journey: groups.clone().map(|g| counts(g) && scenario.groups[g].leaves()).collect(),
            around: groups.map(|g| lap.is_some() && heading(g).is_some_and(over)).collect(),
            tracks: Tracks::of(people, spec.group),
            passers: vec![Passer::default(); people],
            times: Vec::with_capacity(people),
            start_s: None,
            end_s: 0.0,
            waiting: 0,
            gaps: Vec::with_capacity(people + 1),
        }
    }

    /// How many people are to pass, as far as is known.
    fn wanting(&self) -> usize {
        self.leavers.total() + self.walkers
    }

    /// How many of those who are there are to pass and have not: people with a journey who never passed, and on the side
    /// from which a crossing counts; one, the next, where people walk around a ring.
    fn count_waiting(&mut self, seen: &Seen<'_>, line: Segment) {
        let crowd = seen.crowd;
        let mut waiting = 0;
        let mut around = false;
        for (row, (&id, &group)) in crowd.id.iter().zip(&crowd.group).enumerate() {
            if self.group.is_some_and(|only| only != group) {
                continue;
            }
            let of = |groups: &[bool]| groups.get(usize::from(group)) == Some(&true);
            around |= of(&self.around);
            let passed = self.passers.get(id as usize).is_some_and(|p| p.passed);
            let before = || self.direction * (line.b - line.a).cross(crowd.pos[row] - line.a) <= 0.0;
            waiting += usize::from(!passed && of(&self.journey) && before());
        }
        self.waiting = waiting + usize::from(around);
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
            if self.wanting().max(times.len()) >= 2 && awaited > usual {
                self.gaps.push(awaited);
            }
        }
    }

    fn flow(&self) -> Option<f64> {
        let passed = pick(self.window, &self.times, self.waiting, self.end_s).events.len();
        if passed < 2 {
            return (self.wanting() >= 2).then_some(0.0);
        }
        let sum: f64 = self.gaps.iter().sum();
        (sum > 0.0).then(|| self.gaps.len() as f64 / sum)
    }
}

/// Exponent of p(g) ~ g^-a for the gaps from the quantile on: 1 + n / sum ln(g / g_min). `None` for fewer than
/// [`FEWEST_OF_TAIL`] of them, a smallest one of 0, and gaps that are all alike.
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
        let Self { tracks, passers, times, lap, direction, .. } = self;
        let torus = &seen.world.plan.periodic;
        let known = times.len();
        tracks.steps(seen, |step| {
            if step.id >= passers.len() {
                passers.resize(step.id + 1, Passer::default());
            }
            let passer = &mut passers[step.id];
            if let (true, Some((length, along))) = (passer.counted, *lap) {
                passer.since_m += step.way().dot(along);
                // Who trembles on the line must not count twice, who comes round again must.
                passer.counted = passer.since_m.abs() < 0.5 * length;
            }
            if passer.counted {
                return;
            }
            if let Some(share) = line::passes(torus, line, &step) {
                passer.passed = true;
                if (line.b - line.a).cross(step.way()) * *direction >= 0.0 {
                    (passer.counted, passer.since_m) = (true, 0.0);
                    times.push(step.from_s + step.duration_s() * share);
                }
            }
        });
        times[known..].sort_unstable_by(f64::total_cmp);
        self.count_waiting(seen, line);
        self.start_s.get_or_insert(seen.time_s);
        self.end_s = seen.time_s;
        self.find_gaps();
    }

    fn value(&self) -> Option<f64> {
        let line = self.line?;
        match self.ask {
            Ask::GapMean | Ask::GapP95 | Ask::Tail if self.gaps.is_empty() => None,
            Ask::GapMean => Some(stats::mean(&self.gaps)),
            Ask::GapP95 => Some(stats::p95(&self.gaps)),
            Ask::Tail => tail(&self.gaps, self.tail_from),
            Ask::Flow => self.flow(),
            Ask::SpecificFlow => {
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
        self.tracks.reset();
        self.passers.fill(Passer::default());
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
