//! How long it takes until people are out.

use super::{At, MakeMetric, Metric, NO_PARAMS, Needs, Seen, Window, leavers};
use crate::registry::Entry;
use crate::world::scenario::Scenario;

const NEEDS: Needs = Needs { radius: false, contact: false, exits: true };

/// Time until 95 % of the people have left.
pub static EVACUATION_TIME_95_S: Entry<MakeMetric> = Entry {
    name: "evacuation_time_95_s",
    doc: "Time at which 95 % of the people (rounded up) have left; limit x (1 + share left) if fewer leave.",
    source: "common in evacuation studies; the penalty is chosen here: it tells a jam of few from a jam of many",
    params: NO_PARAMS,
    make: MakeMetric {
        make: |_, scenario| Box::new(EvacuationTime::new(95, scenario)),
        unit: "s",
        at: At::Nowhere,
        window: Window::All,
        takes_window: false,
        samples: true,
        takes_group: false,
        takes_center: false,
        needs: NEEDS,
    },
};

/// Time until everybody has left.
pub static EVACUATION_TIME_100_S: Entry<MakeMetric> = Entry {
    name: "evacuation_time_100_s",
    doc: "Time at which the last person has left; limit x (1 + share left) if people stay behind.",
    source: "Helbing, Farkas, Vicsek 2000, fig. 1c; the penalty is chosen here: it tells a jam of few from a jam of many",
    params: NO_PARAMS,
    make: MakeMetric {
        make: |_, scenario| Box::new(EvacuationTime::new(100, scenario)),
        unit: "s",
        at: At::Nowhere,
        window: Window::All,
        takes_window: false,
        samples: true,
        takes_group: false,
        takes_center: false,
        needs: NEEDS,
    },
};

/// Number of people who never left.
pub static PEOPLE_LEFT: Entry<MakeMetric> = Entry {
    name: "people_left",
    doc: "Number of people with a goal who have not left when the run ends.",
    source: "chosen here: an evacuation time says nothing without it",
    params: NO_PARAMS,
    make: MakeMetric {
        make: |_, scenario| Box::new(PeopleLeft { total: leavers(scenario), out: 0 }),
        unit: "people",
        at: At::Nowhere,
        window: Window::All,
        takes_window: false,
        samples: false,
        takes_group: false,
        takes_center: false,
        needs: NEEDS,
    },
};

struct EvacuationTime {
    percent: usize,
    total: usize,
    limit_s: f64,
    /// Times of leaving, rising.
    out_s: Vec<f64>,
}

impl EvacuationTime {
    fn new(percent: usize, scenario: &Scenario) -> Self {
        let total = leavers(scenario);
        Self { percent, total, limit_s: scenario.limit_s, out_s: Vec::with_capacity(total) }
    }
}

impl Metric for EvacuationTime {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.out_s.extend(seen.exits.iter().map(|exit| exit.time_s));
    }

    fn value(&self) -> Option<f64> {
        if self.total == 0 {
            return None;
        }
        let enough = (self.percent * self.total).div_ceil(100);
        Some(match self.out_s.get(enough - 1) {
            Some(&time_s) => time_s,
            None => {
                let left = (self.total - self.out_s.len()) as f64 / self.total as f64;
                self.limit_s * (1.0 + left)
            }
        })
    }

    fn samples(&self) -> &[f64] {
        &self.out_s
    }

    fn reset(&mut self) {
        self.out_s.clear();
    }
}

struct PeopleLeft {
    total: usize,
    out: usize,
}

impl Metric for PeopleLeft {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.out += seen.exits.len();
    }

    fn value(&self) -> Option<f64> {
        Some(self.total.saturating_sub(self.out) as f64)
    }

    fn reset(&mut self) {
        self.out = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, exit, make};
    use super::*;

    fn leaving(entry: &'static Entry<MakeMetric>, count: usize, out: usize) -> Option<f64> {
        let film = Film::new(count, 100.0);
        let mut metric = make(entry, &film);
        // Person k leaves at k + 1 seconds.
        let exits: Vec<_> = (0..out).map(|k| exit(k, 0, k as f64 + 1.0, (0.0, 0.0))).collect();
        film.show(metric.as_mut(), 50.0, &[], &exits);
        metric.value()
    }

    #[test]
    fn t95_is_the_nineteenth_of_twenty() {
        assert_eq!(leaving(&EVACUATION_TIME_95_S, 20, 20), Some(19.0));
        assert_eq!(leaving(&EVACUATION_TIME_95_S, 20, 19), Some(19.0));
        // 0.95 x 21 = 19.95, rounded up.
        assert_eq!(leaving(&EVACUATION_TIME_95_S, 21, 21), Some(20.0));
    }

    #[test]
    fn people_left_cost_the_limit_and_their_share() {
        assert_eq!(leaving(&EVACUATION_TIME_95_S, 20, 15), Some(125.0));
        assert_eq!(leaving(&EVACUATION_TIME_100_S, 20, 20), Some(20.0));
        assert_eq!(leaving(&EVACUATION_TIME_100_S, 20, 19), Some(105.0));
        assert_eq!(leaving(&EVACUATION_TIME_100_S, 20, 0), Some(200.0));
        assert_eq!(leaving(&PEOPLE_LEFT, 20, 15), Some(5.0));
        assert_eq!(leaving(&PEOPLE_LEFT, 20, 20), Some(0.0));
    }

    #[test]
    fn without_leavers_there_is_no_time() {
        assert_eq!(leaving(&EVACUATION_TIME_95_S, 0, 0), None);
        let mut film = Film::new(5, 100.0);
        film.scenario.groups[0].stages.clear();
        assert_eq!(make(&EVACUATION_TIME_100_S, &film).value(), None);
        assert_eq!(make(&PEOPLE_LEFT, &film).value(), Some(0.0));
    }
}
