//! Lanes of two opposite directions.

use super::averaged::{State, average, real};
use super::members::Who;
use super::tracks::Tracks;
use super::{At, MakeMetric, Metric, Seen, Spec, Window};
use crate::world::scenario::{Polygon, Scenario};
use crowdtune_core::registry::{Entry, Param, Settings};

/// Order of lanes.
pub static LANE_ORDER: Entry<MakeMetric> = Entry {
    name: "lane_order",
    doc: "How purely people walk in lanes, the mean over people of ((same - opposite) / (same + opposite))^2 among \
          those beside them: 1 for pure lanes; chance gives more than 0.",
    source: "Rex and Loewen 2007 as used by Nowak and Schadschneider 2012; everybody counts as walking beside \
             themselves",
    params: ORDER,
    make: MakeMetric::new(&|spec, scenario| Lanes::make(Quantity::Order, ORDER, spec, scenario), "")
        .at(At::Area)
        .window(Window::Steady),
};

/// Order of lanes beyond chance.
pub static LANE_ORDER_REDUCED: Entry<MakeMetric> = Entry {
    name: "lane_order_reduced",
    doc: "Lane order beyond chance, (phi - phi0) / (1 - phi0), where phi0 is the exact mean over all ways to deal the \
          same directions to the same places: 1 for pure lanes, 0 for chance.",
    source: "Nowak and Schadschneider 2012; the mean over shuffles is computed, not sampled",
    params: ORDER,
    make: MakeMetric::new(&|spec, scenario| Lanes::make(Quantity::Reduced, ORDER, spec, scenario), "")
        .at(At::Area)
        .window(Window::Steady),
};

/// Bands of one direction.
pub static BAND_INDEX: Entry<MakeMetric> = Entry {
    name: "band_index",
    doc: "How unmixed bands along the way are, the mean of |n+ - n-| / (n+ + n-) over the bands that hold somebody: 1 \
          if no band is mixed.",
    source: "Yamori 1998; bands of 0.4 m and equal weights as in the reference numbers for the 4 m corridor",
    params: BANDS,
    make: MakeMetric::new(&|spec, scenario| Lanes::make(Quantity::Bands, BANDS, spec, scenario), "")
        .at(At::Area)
        .window(Window::Steady),
};

const AXIS: Param = Param::choice("axis", "x", &["x", "y"])
    .doc("axis along which the two directions go")
    .source("chosen here: corridors lie along x");
const LEAST: Param = Param::integer("min_each", 2, (1, 1000), (1, 10))
    .doc("samples with fewer people in either direction do not count")
    .source("chosen here: one person in a direction is no lane; the reference numbers for the 4 m corridor use 8");
const ORDER: &[Param] = &[
    AXIS,
    LEAST,
    real(
        "half_width_m",
        "m",
        "people closer than this across the way walk in the same lane",
        "chosen here: a body's width, as in the reference numbers for the 4 m corridor",
        0.4,
        (0.01, 100.0),
    ),
];
const BANDS: &[Param] = &[
    AXIS,
    LEAST,
    real(
        "band_width_m",
        "m",
        "width of the bands along the way",
        "chosen here: a body's width, as in the reference numbers for the 4 m corridor",
        0.4,
        (0.01, 100.0),
    ),
];

/// People slower than this along the axis keep their last direction, m/s. Chosen here: swaying and being pushed are
/// slower, walking in a dense crowd is not.
const SLOW_M_PER_S: f64 = 0.1;

#[derive(Clone, Copy)]
enum Quantity {
    Order,
    Reduced,
    Bands,
}

struct Lanes {
    quantity: Quantity,
    along_x: bool,
    min_each: usize,
    /// Half width of a lane, or width of a band, m.
    width_m: f64,
    /// First edge of the bands, m.
    origin: f64,
    /// Circumference across the way; infinite where it is open.
    ring: f64,
    who: Who,
    tracks: Tracks,
    /// Direction along the axis by id: -1, 1, or 0 for people who have not walked yet.
    signs: Vec<i8>,
    /// Place across the way and direction, sorted.
    people: Vec<(f64, f64)>,
    /// Sum of the directions before each of the people.
    before: Vec<f64>,
}

impl Lanes {
    fn make(quantity: Quantity, params: &'static [Param], spec: &Spec, scenario: &Scenario) -> Box<dyn Metric> {
        let settings = Settings::new(params, &spec.settings);
        let along_x = settings.word("axis") == "x";
        let torus = scenario.world.plan.periodic;
        let across = if along_x { torus.y } else { torus.x };
        let low = |area: &Polygon| if along_x { area.bounds().min.y } else { area.bounds().min.x };
        let area = match &spec.at {
            Some(super::Place::Area(area)) => Some(low(area)),
            _ => None,
        };
        let size = torus.size();
        let people = scenario.people();
        let lanes = Self {
            quantity,
            along_x,
            min_each: settings.whole("min_each").max(1) as usize,
            width_m: settings.get(params[2].key),
            origin: area.or(across.map(|ends| ends.0)).unwrap_or(0.0),
            ring: if along_x { size.y } else { size.x },
            who: Who::asked(spec),
            tracks: Tracks::new(people),
            signs: vec![0; people],
            people: Vec::with_capacity(3 * people),
            before: Vec::with_capacity(3 * people + 1),
        };
        average(lanes, spec, scenario)
    }

    /// Finds who walks where, sorted across the way.
    fn look(&mut self, seen: &Seen<'_>) {
        let Self { tracks, signs, people, who, along_x, .. } = self;
        people.clear();
        tracks.steps(seen, |step| {
            let Some(row) = step.row else { return };
            let way = step.way();
            let (along, across) = if *along_x { (way.x, step.at.y) } else { (way.y, step.at.x) };
            if step.id >= signs.len() {
                signs.resize(step.id + 1, 0);
            }
            let seconds = step.duration_s();
            if seconds > 0.0 && along.abs() >= SLOW_M_PER_S * seconds {
                signs[step.id] = if along > 0.0 { 1 } else { -1 };
            }
            if signs[step.id] != 0 && who.counts(seen, row, step.at) {
                people.push((across, f64::from(signs[step.id])));
            }
        });
        people.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    }

    /// Mean of phi over the people, and its mean over all ways to deal the directions.
    fn order(&mut self, forward: usize) -> (f64, f64) {
        let Self { people, before, .. } = self;
        let n = people.len();
        // On a narrow ring everybody walks beside everybody.
        let all = 2.0 * self.width_m >= self.ring;
        // The middle one of three turns has neighbors on both sides of the seam.
        let middle = if all || self.ring.is_infinite() { 0..n } else { n..2 * n };
        for k in 0..2 * middle.start {
            let (across, sign) = people[k];
            people.push((across + self.ring, sign));
        }
        before.clear();
        before.push(0.0);
        for (k, person) in people.iter().enumerate() {
            before.push(before[k] + person.1);
        }
        let chance = Chance::new(forward, n - forward);
        let (mut sum, mut null) = (0.0, 0.0);
        let (mut low, mut high) = (0, 0);
        for k in middle {
            let at = people[k].0;
            while at - people[low].0 >= self.width_m {
                low += 1;
            }
            while high < people.len() && people[high].0 - at < self.width_m {
                high += 1;
            }
            let beside = if all { 0..n } else { low..high };
            let count = beside.len() as f64;
            let share = (before[beside.end] - before[beside.start]) / count;
            sum += share * share;
            null += chance.order(count);
        }
        (sum / n as f64, null / n as f64)
    }

    /// Mean over the bands that hold somebody of |n+ - n-| / (n+ + n-).
    fn bands(&self) -> f64 {
        let band = |across: f64| ((across - self.origin) / self.width_m).floor();
        let (mut sum, mut bands) = (0.0, 0.0);
        for beside in self.people.chunk_by(|a, b| band(a.0) == band(b.0)) {
            let surplus: f64 = beside.iter().map(|p| p.1).sum();
            sum += surplus.abs() / beside.len() as f64;
            bands += 1.0;
        }
        sum / bands
    }
}

/// What chance gives: directions dealt to places like cards.
struct Chance {
    /// Number of all people.
    n: f64,
    /// Per direction: share of the people, and of the others that go the same way.
    directions: [(f64, f64); 2],
}

impl Chance {
    fn new(forward: usize, back: usize) -> Self {
        let n = (forward + back) as f64;
        let direction = |own: usize| (own as f64 / n, (own as f64 - 1.0) / (n - 1.0).max(1.0));
        Self { n, directions: [direction(forward), direction(back)] }
    }

    /// Mean of phi of somebody with `count` people in the lane, this person included.
    fn order(&self, count: f64) -> f64 {
        let others = count - 1.0;
        let of = |&(share, same): &(f64, f64)| {
            // Hypergeometric number of others who go the same way: mean and variance.
            let mean = others * same;
            let variance = mean * (1.0 - same) * (self.n - 1.0 - others) / (self.n - 2.0).max(1.0);
            let surplus = 2.0 * (mean + 1.0) - count;
            share * (4.0 * variance + surplus * surplus) / (count * count)
        };
        self.directions.iter().map(of).sum()
    }
}

impl State for Lanes {
    fn measure(&mut self, seen: &Seen<'_>) -> Option<(f64, f64)> {
        self.look(seen);
        let forward = self.people.iter().filter(|p| p.1 > 0.0).count();
        if forward.min(self.people.len() - forward) < self.min_each {
            return None;
        }
        match self.quantity {
            Quantity::Order => Some((self.order(forward).0, 1.0)),
            // The mean over samples is that of phi reduced by that of chance.
            Quantity::Reduced => {
                let (order, chance) = self.order(forward);
                // Where all walk alone the rest is a rounding error.
                (1.0 - chance > 1e-9).then_some((order - chance, 1.0 - chance))
            }
            Quantity::Bands => Some((self.bands(), 1.0)),
        }
    }

    fn reset(&mut self) {
        self.tracks.reset();
        self.signs.fill(0);
    }
}

#[cfg(test)]
#[path = "lanes_tests.rs"]
mod tests;
