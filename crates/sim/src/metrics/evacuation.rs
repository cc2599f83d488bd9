//! How long it takes until people are out.

use super::leavers::Leavers;
use super::{MakeMetric, Metric, Need, Seen, Spec};
use crate::world::scenario::Scenario;
use crowdtune_core::registry::Entry;

/// Time until 95 % of the people have left.
pub static EVACUATION_TIME_95_S: Entry<MakeMetric> = Entry {
    name: "evacuation_time_95_s",
    doc: "Time at which 95 % of the people (rounded up) have left; limit x (1 + share left) if fewer leave.",
    source: "usual in evacuation studies; the penalty is chosen here: it tells a jam of few from a jam of many",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(EvacuationTime::new(95, spec, scenario)), "s")
        .less_is_better()
        .penalized()
        .of_group()
        .needs(&[Need::Leaving]),
};

/// Time until everybody has left.
pub static EVACUATION_TIME_100_S: Entry<MakeMetric> = Entry {
    name: "evacuation_time_100_s",
    doc: "Time at which the last person has left; limit x (1 + share left) if people stay behind.",
    source: "Helbing, Farkas, Vicsek 2000, fig. 1c; the penalty is chosen here: it tells a jam of few from a jam of \
             many",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(EvacuationTime::new(100, spec, scenario)), "s")
        .less_is_better()
        .penalized()
        .of_group()
        .needs(&[Need::Leaving]),
};

/// Number of people who did not leave.
pub static PEOPLE_LEFT: Entry<MakeMetric> = Entry {
    name: "people_left",
    doc: "Number of people with a goal who came in and have not left when the run ends.",
    source: "chosen here: an evacuation time says nothing without it",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(PeopleLeft::new(spec, scenario)), "people")
        .less_is_better()
        .of_group()
        .needs(&[Need::Leaving]),
};

struct EvacuationTime {
    percent: usize,
    leavers: Leavers,
    group: Option<u16>,
    limit_s: f64,
    /// Times of leaving, ascending.
    out_s: Vec<f64>,
}

impl EvacuationTime {
    fn new(percent: usize, spec: &Spec, scenario: &Scenario) -> Self {
        Self {
            percent,
            leavers: Leavers::new(scenario, spec.group),
            group: spec.group,
            limit_s: scenario.limit_s,
            out_s: Vec::with_capacity(super::leavers(scenario)),
        }
    }
}

impl Metric for EvacuationTime {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.leavers.observe(seen);
        self.out_s.extend(seen.leaving(self.group).map(|exit| exit.time_s));
    }

    fn value(&self) -> Option<f64> {
        let total = self.leavers.total();
        if total == 0 {
            return None;
        }
        let enough = (self.percent * total).div_ceil(100);
        Some(match self.out_s.get(enough - 1) {
            Some(&time_s) => time_s,
            None => {
                let left = (total - self.out_s.len()) as f64 / total as f64;
                self.limit_s * (1.0 + left)
            }
        })
    }

    fn samples(&self) -> Vec<f64> {
        self.out_s.clone()
    }

    fn reset(&mut self) {
        self.leavers.reset();
        self.out_s.clear();
    }
}

struct PeopleLeft {
    leavers: Leavers,
    group: Option<u16>,
    out: usize,
}

impl PeopleLeft {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        Self { leavers: Leavers::new(scenario, spec.group), group: spec.group, out: 0 }
    }
}

impl Metric for PeopleLeft {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.leavers.observe(seen);
        self.out += seen.leaving(self.group).count();
    }

    fn value(&self) -> Option<f64> {
        Some(self.leavers.total().saturating_sub(self.out) as f64)
    }

    fn reset(&mut self) {
        self.leavers.reset();
        self.out = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, exit, make, make_of};
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

    #[test]
    fn who_never_came_in_is_not_left_behind() {
        let mut film = Film::new(3, 100.0);
        let mut later = film.scenario.groups[0].clone();
        (later.count, later.inflow_per_s) = (50, Some(1.0));
        film.scenario.groups.push(later);
        let entries = [&PEOPLE_LEFT, &EVACUATION_TIME_100_S, &EVACUATION_TIME_95_S];
        for (entry, all, second) in
            entries.into_iter().zip([2.0, 140.0, 140.0]).zip([1.0, 150.0, 150.0]).map(|((e, a), s)| (e, a, s))
        {
            let [mut both, mut only] = [make(entry, &film), make_of(entry, &film, 1)];
            for metric in [both.as_mut(), only.as_mut()] {
                // Twice: a reset must leave nothing behind.
                for _ in 0..2 {
                    metric.reset();
                    // Of five who were seen, 0, 1 and 3 leave; 3 and 4 came in, 3 between two samples.
                    let mut here = super::super::testing::crowd(&[(0, (0.0, 0.0)), (1, (1.0, 0.0)), (2, (2.0, 0.0))]);
                    film.show_crowd(metric, 0.0, &here, &[]);
                    here = super::super::testing::crowd(&[(2, (2.0, 0.0)), (4, (3.0, 0.0))]);
                    here.group[1] = 1;
                    let mut exits =
                        [exit(0, 0, 0.2, (0.0, 0.0)), exit(1, 0, 0.3, (0.0, 0.0)), exit(3, 0, 0.4, (0.0, 0.0))];
                    exits[2].group = 1;
                    film.show_crowd(metric, 0.5, &here, &exits);
                }
            }
            assert_eq!(both.value(), Some(all), "{}", entry.name);
            assert_eq!(only.value(), Some(second), "{}", entry.name);
        }
    }
}
