//! Whether the people of a group arrive together.

use super::{MakeMetric, Metric, Need, Seen, Spec};
use crate::world::scenario::Scenario;
use crowdtune_core::registry::Entry;

/// Time between the first and the last arrival of a group.
pub static ARRIVAL_SPREAD_S: Entry<MakeMetric> = Entry {
    name: "arrival_spread_s",
    doc: "Time from the first to the last arrival in a group, the longest if there are several; if some never arrive, \
          the last arrival counts as limit x (1 + share missing).",
    source: "group tests of ISO 20414 and NIST TN 1822 (at most 10 s); the penalty is that of the evacuation times",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Spread::new(spec, scenario)), "s")
        .of_group()
        .needs(&[Need::Leaving]),
};

struct Spread {
    limit_s: f64,
    groups: Vec<Arrivals>,
}

/// Arrivals of one group.
struct Arrivals {
    /// True if its people want to arrive and are asked for.
    counts: bool,
    people: usize,
    arrived: usize,
    first_s: f64,
    last_s: f64,
}

impl Spread {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let asked = |at: usize| spec.group.is_none_or(|g| usize::from(g) == at);
        let groups = scenario.groups.iter().enumerate().map(|(at, group)| Arrivals {
            counts: asked(at) && group.leaves() && group.count > 0,
            people: group.count,
            arrived: 0,
            first_s: 0.0,
            last_s: 0.0,
        });
        Self { limit_s: scenario.limit_s, groups: groups.collect() }
    }
}

impl Metric for Spread {
    fn observe(&mut self, seen: &Seen<'_>) {
        for exit in seen.exits() {
            let Some(group) = self.groups.get_mut(usize::from(exit.group)) else { continue };
            group.first_s = if group.arrived == 0 { exit.time_s } else { group.first_s.min(exit.time_s) };
            group.last_s = group.last_s.max(exit.time_s);
            group.arrived += 1;
        }
    }

    fn value(&self) -> Option<f64> {
        let spread = |group: &Arrivals| {
            let missing = group.people.saturating_sub(group.arrived);
            let last_s = match missing {
                0 => group.last_s,
                _ => self.limit_s * (1.0 + missing as f64 / group.people as f64),
            };
            last_s - group.first_s
        };
        self.groups.iter().filter(|g| g.counts).map(spread).reduce(f64::max)
    }

    fn reset(&mut self) {
        for group in &mut self.groups {
            (group.arrived, group.first_s, group.last_s) = (0, 0.0, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, exit, make, make_in};
    use super::*;
    use crate::metrics::Window;
    use crate::world::scenario::Group;

    #[test]
    fn the_spread_is_from_the_first_to_the_last() {
        let film = Film::new(3, 100.0);
        let mut metric = make(&ARRIVAL_SPREAD_S, &film);
        film.show(metric.as_mut(), 10.0, &[], &[exit(1, 0, 9.5, (0.0, 0.0))]);
        film.show(metric.as_mut(), 12.0, &[], &[exit(0, 0, 11.0, (0.0, 0.0)), exit(2, 0, 11.75, (0.0, 0.0))]);
        assert_eq!(metric.value(), Some(2.25));
        metric.reset();
        // Nobody arrives: twice the limit. One of three: 100 (1 + 2/3) - 9.
        assert_eq!(metric.value(), Some(200.0));
        film.show(metric.as_mut(), 10.0, &[], &[exit(1, 0, 9.0, (0.0, 0.0))]);
        assert!((metric.value().unwrap() - (500.0 / 3.0 - 9.0)).abs() < 1e-9);
    }

    #[test]
    fn of_several_groups_the_longest_counts() {
        let mut film = Film::new(2, 100.0);
        let second = Group { count: 2, ..film.scenario.groups[0].clone() };
        let stays = Group { count: 5, stages: Vec::new(), ..second.clone() };
        film.scenario.groups.extend([second, stays]);
        let mut metric = make_in(&ARRIVAL_SPREAD_S, &film, None, Window::All);
        let [a, b] = [exit(0, 0, 1.0, (0.0, 0.0)), exit(1, 0, 2.0, (0.0, 0.0))];
        let [c, d] = [2, 3].map(|id| super::super::Exit { group: 1, time_s: 2.0 * f64::from(id), id, ..a });
        film.show(metric.as_mut(), 10.0, &[], &[a, b, c, d]);
        assert_eq!(metric.value(), Some(2.0));
        film.scenario.groups.iter_mut().for_each(|g| g.stages.clear());
        assert_eq!(make(&ARRIVAL_SPREAD_S, &film).value(), None);
    }
}
