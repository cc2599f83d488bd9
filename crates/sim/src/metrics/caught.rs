//! How many people are caught, and when.

use super::{MakeMetric, Metric, Need, Seen, Spec};
use crate::world::scenario::Scenario;
use crowdtune_core::registry::{Entry, Param, Settings};

/// Share of the people who have been caught.
pub static CAUGHT_SHARE: Entry<MakeMetric> = Entry {
    name: "caught_share",
    doc: "Share of the people who were caught by the end, among those in groups that others catch.",
    source: "chosen here: the outcome of a chase in one number",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Catches::new(None, spec, scenario)), "")
        .of_group()
        .needs(&[Need::Catching]),
};

/// Which of the catches.
static WHICH: &[Param] = &[Param::real("share", "", 0.5)
    .range(0.0, 1.0)
    .search(0.0, 1.0)
    .doc("which share of the people: 0 for the first one who is caught, 0.5 for half of them, 1 for the last one")
    .source("chosen here")];

/// Time until people are caught.
pub static TIME_TO_CATCH_S: Entry<MakeMetric> = Entry {
    name: "time_to_catch_s",
    doc: "Time at which `share` of the people (rounded up, at least one) have been caught, among those in groups that others catch; \
          limit x (1 + share who were not caught) if fewer are.",
    source: "chosen here; the penalty is that of the evacuation times",
    params: WHICH,
    make: MakeMetric::new(
        &|spec, scenario| {
            let share = Settings::new(WHICH, &spec.settings).get("share");
            Box::new(Catches::new(Some(share), spec, scenario))
        },
        "s",
    )
    .of_group()
    .needs(&[Need::Catching]),
};

struct Catches {
    /// The share whose time counts; `None` for the share at the end.
    share: Option<f64>,
    limit_s: f64,
    /// By group: true if others catch its people, and it is asked for.
    prey: Vec<bool>,
    /// By id, the first group, once somebody has been seen.
    first: Vec<Option<u16>>,
    is_caught: Vec<bool>,
    /// How many people of those groups have been seen.
    people: usize,
    /// Times of the catches, s, ascending. Those who join others have the time of the sample.
    caught_s: Vec<f64>,
}

impl Catches {
    fn new(share: Option<f64>, spec: &Spec, scenario: &Scenario) -> Self {
        let groups = &scenario.groups;
        let caught = |g: usize| groups.iter().any(|other| other.catches.is_some_and(|catch| catch.group == g));
        let asked = |g: usize| spec.group.is_none_or(|only| usize::from(only) == g);
        let people = scenario.people();
        Self {
            share,
            limit_s: scenario.limit_s,
            prey: (0..groups.len()).map(|g| caught(g) && asked(g)).collect(),
            first: vec![None; people],
            is_caught: vec![false; people],
            people: 0,
            caught_s: Vec::with_capacity(people),
        }
    }

    /// Notes somebody of a group, at this time; `gone` if caught and taken away.
    fn note(&mut self, id: u32, group: u16, gone: bool, time_s: f64) {
        let id = id as usize;
        if id >= self.first.len() {
            self.first.resize(id + 1, None);
            self.is_caught.resize(id + 1, false);
        }
        let is_new = self.first[id].is_none();
        let first = *self.first[id].get_or_insert(group);
        if self.prey.get(usize::from(first)) != Some(&true) {
            return;
        }
        self.people += usize::from(is_new);
        if (gone || group != first) && !self.is_caught[id] {
            self.is_caught[id] = true;
            self.caught_s.push(time_s);
        }
    }
}

impl Metric for Catches {
    fn observe(&mut self, seen: &Seen<'_>) {
        for exit in seen.gone() {
            self.note(exit.id, exit.group, exit.caught, exit.time_s);
        }
        for (&id, &group) in seen.ids().iter().zip(seen.groups()) {
            self.note(id, group, false, seen.time_s);
        }
    }

    fn value(&self) -> Option<f64> {
        if self.people == 0 {
            return None;
        }
        let (people, caught) = (self.people as f64, self.caught_s.len() as f64);
        let Some(share) = self.share else { return Some(caught / people) };
        let wanted = (share * people).ceil().max(1.0) as usize;
        Some(match self.caught_s.get(wanted - 1) {
            Some(&time_s) => time_s,
            None => self.limit_s * (1.0 + (people - caught) / people),
        })
    }

    fn reset(&mut self) {
        self.first.fill(None);
        self.is_caught.fill(false);
        self.people = 0;
        self.caught_s.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, crowd, exit, make_with};
    use super::*;
    use crate::world::scenario::{Catch, Caught, Group};

    /// Four people of the first group, whom the second one catches.
    fn film() -> Film {
        let mut film = Film::new(4, 100.0);
        let catches = Some(Catch { group: 0, distance_m: 0.5, time_s: 1.0, then: Caught::Leave });
        film.scenario.groups.push(Group { name: "hunters".into(), count: 1, catches, ..Group::default() });
        film
    }

    /// Person 0 is caught at 1.25 s, 1 joins the hunters by the sample at 2 s, 2 leaves through the goal, 3 stays.
    fn show(film: &Film, metric: &mut dyn Metric) {
        let mut people = crowd(&[(0, (0.0, 1.0)), (1, (1.0, 1.0)), (2, (2.0, 1.0)), (3, (3.0, 1.0)), (4, (9.0, 1.0))]);
        people.group[4] = 1;
        film.show_crowd(metric, 0.0, &people, &[]);
        let mut people = crowd(&[(1, (1.0, 1.0)), (3, (3.0, 1.0)), (4, (9.0, 1.0))]);
        people.group = vec![1, 0, 1];
        let caught = super::super::Exit { caught: true, goal: None, ..exit(0, 0, 1.25, (0.0, 1.0)) };
        film.show_crowd(metric, 2.0, &people, &[caught, exit(2, 0, 1.5, (0.0, 0.0))]);
        // Whoever has joined the hunters may leave as one of them.
        let as_hunter = super::super::Exit { group: 1, ..exit(1, 0, 3.0, (0.0, 0.0)) };
        let mut people = crowd(&[(3, (3.0, 1.0)), (4, (9.0, 1.0))]);
        people.group = vec![0, 1];
        film.show_crowd(metric, 4.0, &people, &[as_hunter]);
    }

    #[test]
    fn two_of_four_are_caught() {
        let film = film();
        let mut share = make_with(&CAUGHT_SHARE, &film, |_| {});
        let time = |share: f64| {
            let mut metric = make_with(&TIME_TO_CATCH_S, &film, |spec| spec.settings = vec![share]);
            show(&film, metric.as_mut());
            metric.value()
        };
        for _ in 0..2 {
            share.reset();
            show(&film, share.as_mut());
            assert_eq!(share.value(), Some(0.5));
        }
        assert_eq!([time(0.0), time(0.25), time(0.5)], [Some(1.25), Some(1.25), Some(2.0)]);
        // 100 s (1 + 2 / 4)
        assert_eq!([time(0.51), time(1.0)], [Some(150.0); 2]);
    }

    #[test]
    fn where_nobody_is_caught_there_is_no_share() {
        let film = Film::new(4, 100.0);
        let mut metric = make_with(&CAUGHT_SHARE, &film, |_| {});
        film.show(metric.as_mut(), 0.0, &[(0, (0.0, 1.0))], &[]);
        assert_eq!(metric.value(), None);
        // Of a group that nobody catches, too.
        let film = self::film();
        let mut metric = make_with(&CAUGHT_SHARE, &film, |spec| spec.group = Some(1));
        show(&film, metric.as_mut());
        assert_eq!(metric.value(), None);
    }

    #[test]
    fn who_is_caught_has_not_left() {
        let film = film();
        let value = |entry| {
            let mut metric = make_with(entry, &film, |_| {});
            show(&film, metric.as_mut());
            metric.value()
        };
        // 2 left as one of four and 1 as a hunter; 0 was caught.
        assert_eq!(value(&super::super::evacuation::PEOPLE_LEFT), Some(2.0));
        assert_eq!(value(&super::super::exits::PEOPLE_OUT), Some(2.0));
        assert_eq!(value(&super::super::evacuation::EVACUATION_TIME_100_S), Some(150.0));
        // Of its group one of four arrived.
        assert_eq!(value(&super::super::arrival::ARRIVAL_SPREAD_S), Some(100.0 * 1.75 - 1.5));
    }
}
