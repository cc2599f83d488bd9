//! Overlaps of people with each other.

use super::near::Sweep;
use super::{MakeMetric, Metric, Need, Plot, Seen, Table};
use crate::world::scenario::Scenario;
use crowdtune_core::registry::Entry;

/// Number of collisions of people.
pub static COLLISIONS: Entry<MakeMetric> = Entry {
    name: "collisions",
    doc: "Number of collisions: each run of successive samples in which a pair overlaps by more than 1 mm counts once; the table \
          is their number over time.",
    source: "SteerBench (unique collisions, threshold), counted once per pair",
    params: &[],
    make: MakeMetric::new(&|_, scenario| Box::new(Collisions::new(Quantity::Events, scenario)), "events")
        .less_is_better()
        .needs(&[Need::Radius])
        .shows_overlaps(),
};

/// Pair-seconds of overlap.
pub static COLLISION_TIME_S: Entry<MakeMetric> = Entry {
    name: "collision_time_s",
    doc: "Time during which pairs overlap by more than 1 mm, summed over pairs.",
    source: "SteerBench counts pairs in frames; multiplied by the interval, so that the frame rate does not matter",
    params: &[],
    make: MakeMetric::new(&|_, scenario| Box::new(Collisions::new(Quantity::Time, scenario)), "s")
        .less_is_better()
        .needs(&[Need::Radius]),
};

/// Deepest overlap of two people.
pub static OVERLAP_MAX_M: Entry<MakeMetric> = Entry {
    name: "overlap_max_m",
    doc: "Deepest overlap of two people at any sample: sum of their radii minus the distance of their centers; 0 if \
          nobody overlaps.",
    source: "SteerBench (penetration depth)",
    params: &[],
    make: MakeMetric::new(&|_, scenario| Box::new(Collisions::new(Quantity::Deepest, scenario)), "m")
        .less_is_better()
        .needs(&[Need::Radius]),
};

/// Overlap that counts as a collision, m (SteerSuite, `COLLISION_EPSILON`).
const TOUCH_M: f64 = 0.001;

#[derive(Clone, Copy)]
enum Quantity {
    Events,
    Time,
    Deepest,
}

struct Collisions {
    quantity: Quantity,
    sweep: Sweep,
    /// Pairs of ids that overlapped at the last sample, sorted.
    before: Vec<(u32, u32)>,
    now: Vec<(u32, u32)>,
    last_s: Option<f64>,
    events: usize,
    /// Samples at which collisions began, and how many there were by then; the first sample too.
    began: Vec<(f64, usize)>,
    time_s: f64,
    deepest_m: f64,
}

impl Collisions {
    fn new(quantity: Quantity, scenario: &Scenario) -> Self {
        let people = scenario.people();
        Self {
            quantity,
            sweep: Sweep::new(people),
            // Discs of equal size touch at most six others: three pairs a person.
            before: Vec::with_capacity(3 * people),
            now: Vec::with_capacity(3 * people),
            last_s: None,
            events: 0,
            began: Vec::with_capacity(3 * people),
            time_s: 0.0,
            deepest_m: 0.0,
        }
    }
}

/// Number of entries of `now` that are not in `before`; both sorted.
fn new_pairs(before: &[(u32, u32)], now: &[(u32, u32)]) -> usize {
    let mut old = before.iter().peekable();
    now.iter()
        .filter(|&pair| {
            while old.next_if(|&o| o < pair).is_some() {}
            old.peek() != Some(&pair)
        })
        .count()
}

impl Metric for Collisions {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Self { sweep, now, deepest_m, .. } = self;
        let id = seen.ids();
        now.clear();
        let threshold = if matches!(self.quantity, Quantity::Deepest) { 0.0 } else { TOUCH_M };
        sweep.overlaps(seen.positions(), seen.radii(), &seen.world.plan.periodic, threshold, |a, b, overlap| {
            now.push((id[a].min(id[b]), id[a].max(id[b])));
            *deepest_m = deepest_m.max(overlap);
        });
        now.sort_unstable();
        let new = new_pairs(&self.before, &self.now);
        self.events += new;
        if new > 0 || self.last_s.is_none() {
            self.began.push((seen.time_s, self.events));
        }
        let elapsed = self.last_s.map_or(0.0, |last| seen.time_s - last);
        self.time_s += self.before.len() as f64 * elapsed;
        self.last_s = Some(seen.time_s);
        std::mem::swap(&mut self.before, &mut self.now);
    }

    fn value(&self) -> Option<f64> {
        self.last_s?;
        Some(match self.quantity {
            Quantity::Events => self.events as f64,
            Quantity::Time => self.time_s,
            Quantity::Deepest => self.deepest_m,
        })
    }

    fn table(&self) -> Option<Table> {
        let Quantity::Events = self.quantity else { return None };
        let (_, last) = self.began.last()?;
        let end = self.last_s.map(|time_s| (time_s, *last));
        let rows = self.began.iter().copied().chain(end).map(|(time_s, n)| vec![time_s, n as f64]).collect();
        Some(Table { plot: Plot::Curves, columns: &["time_s", "collisions"], rows })
    }

    fn reset(&mut self) {
        self.before.clear();
        self.now.clear();
        self.last_s = None;
        self.events = 0;
        self.began.clear();
        self.time_s = 0.0;
        self.deepest_m = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, make};
    use super::*;

    /// Two discs of 0.3 m pass each other at a side distance of 0.4 m, 2 m/s towards each other, sampled at 0.1 s. They
    /// overlap while they are closer along the way than sqrt(0.6^2 - 0.4^2) = 0.447 m: at 0.4, 0.2, 0, -0.2, -0.4 m.
    fn crossing(entry: &'static Entry<MakeMetric>, rounds: usize) -> f64 {
        let film = Film::new(2, 100.0);
        let mut metric = make(entry, &film);
        for sample in 0..=20 * rounds {
            let apart = 2.0 - 0.2 * (sample % 20) as f64;
            let people = [(7, (0.0, 0.0)), (3, (apart, 0.4))];
            film.show(metric.as_mut(), 0.1 * sample as f64, &people, &[]);
        }
        metric.value().unwrap()
    }

    #[test]
    fn two_discs_that_cross_collide_once() {
        assert_eq!(crossing(&COLLISIONS, 1), 1.0);
        assert!((crossing(&COLLISION_TIME_S, 1) - 0.5).abs() < 1e-9);
        assert!((crossing(&OVERLAP_MAX_M, 1) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn the_table_counts_collisions_over_time() {
        let film = Film::new(2, 100.0);
        let mut metric = make(&COLLISIONS, &film);
        for (time_s, apart) in [(0.0, 2.0), (1.0, 0.3), (2.0, 0.3), (3.0, 2.0), (4.0, 0.3), (5.0, 2.0)] {
            film.show(metric.as_mut(), time_s, &[(0, (0.0, 0.0)), (1, (apart, 0.0))], &[]);
        }
        let rows = metric.table().unwrap().rows;
        assert_eq!(rows, [[0.0, 0.0], [1.0, 1.0], [4.0, 2.0], [5.0, 2.0]].map(Vec::from));
        assert_eq!(make(&COLLISION_TIME_S, &film).table(), None);
        metric.reset();
        assert_eq!(metric.table(), None);
    }

    #[test]
    fn meeting_again_counts_again() {
        assert_eq!(crossing(&COLLISIONS, 3), 3.0);
        assert!((crossing(&COLLISION_TIME_S, 3) - 1.5).abs() < 1e-9);
    }

    #[test]
    fn a_millimeter_is_no_collision_but_an_overlap() {
        let film = Film::new(2, 100.0);
        let people = [(0, (0.0, 0.0)), (1, (0.5995, 0.0))];
        let [mut events, mut deepest] = [make(&COLLISIONS, &film), make(&OVERLAP_MAX_M, &film)];
        film.show(events.as_mut(), 0.0, &people, &[]);
        film.show(deepest.as_mut(), 0.0, &people, &[]);
        assert_eq!(events.value(), Some(0.0));
        assert!((deepest.value().unwrap() - 0.0005).abs() < 1e-12);
        deepest.reset();
        assert_eq!(deepest.value(), None);
    }

    #[test]
    fn three_in_a_heap_are_three_pairs() {
        let film = Film::new(3, 100.0);
        let mut metric = make(&COLLISIONS, &film);
        let heap = [(0, (0.0, 0.0)), (1, (0.1, 0.0)), (2, (0.0, 0.1))];
        film.show(metric.as_mut(), 0.0, &heap, &[]);
        film.show(metric.as_mut(), 0.1, &heap[1..], &[]);
        assert_eq!(metric.value(), Some(3.0));
    }
}
