//! How far people are from where they want to be.

use super::averaged::{SECOND_HALF, State, average};
use super::members::middle;
use super::{MakeMetric, Seen, Spec};
use crate::world::scenario::{Group, Pull, Scenario};
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::Entry;

/// Mean distance still to go.
pub static GOAL_DISTANCE_M: Entry<MakeMetric> = Entry {
    name: "goal_distance_m",
    doc: "Mean distance that people still have to go: to the last goal of their journey, to the place that draws \
          them, or to the middle of the group they follow; 0 for those who have left.",
    source: "chosen here: tells how near a crowd came even if nobody arrives",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| average(GoalDistance::new(spec, scenario), spec, scenario), "m")
        .window(SECOND_HALF)
        .of_group(),
};

struct GoalDistance {
    group: Option<u16>,
    groups: Vec<Group>,
    /// Number of people who have arrived and left so far.
    left: usize,
    /// Places of a followed group.
    places: Vec<Vec2>,
    middles: Vec<Option<Vec2>>,
}

impl GoalDistance {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        Self {
            group: spec.group,
            groups: scenario.groups.clone(),
            left: 0,
            places: Vec::with_capacity(scenario.people()),
            middles: vec![None; scenario.groups.len()],
        }
    }

    fn counts(&self, group: u16) -> bool {
        self.group.is_none_or(|only| only == group)
    }

    /// Finds the middles of the followed groups.
    fn find_middles(&mut self, seen: &Seen<'_>) {
        for group in &self.groups {
            let Pull::Group(other) = group.pull else { continue };
            let there = seen.groups().iter().zip(seen.positions());
            self.places.clear();
            self.places.extend(there.filter(|(g, p)| usize::from(**g) == other && p.is_finite()).map(|(_, p)| *p));
            self.middles[other] = middle(seen.world, self.places.iter().copied());
        }
    }

    /// How far somebody of a group still has to go from here, m; `None` for people without a destination.
    fn way_m(&self, seen: &Seen<'_>, group: &Group, at: Vec2) -> Option<f64> {
        if group.leaves() {
            let goals = group.stages.last()?.iter().map(|&goal| seen.world.distance_to(goal, at));
            return goals.min_by(f64::total_cmp);
        }
        match group.pull {
            _ if group.rounds => None,
            Pull::Point { at: place, .. } => Some(seen.world.apart(at, place).length()),
            Pull::Group(other) => self.middles[other].map(|middle| seen.world.apart(at, middle).length()),
            Pull::Nothing | Pull::Heading(_) | Pull::Track => None,
        }
    }
}

impl State for GoalDistance {
    fn measure(&mut self, seen: &Seen<'_>) -> Option<(f64, f64)> {
        self.find_middles(seen);
        self.left += seen.exits().filter(|exit| self.counts(exit.group)).count();
        let (mut sum, mut count) = (0.0, self.left as f64);
        for (&group, &at) in seen.groups().iter().zip(seen.positions()) {
            let of = self.groups.get(usize::from(group)).filter(|_| self.counts(group) && at.is_finite());
            if let Some(way) = of.and_then(|of| self.way_m(seen, of, at)) {
                sum += way;
                count += 1.0;
            }
        }
        (count > 0.0).then(|| (sum / count, 1.0))
    }

    fn reset(&mut self) {
        self.left = 0;
        self.middles.fill(None);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, crowd, exit, make};
    use super::*;
    use crate::metrics::Metric;
    use crate::metrics::Window;
    use crate::metrics::testing::make_in;
    use crowdtune_core::math::vec2;

    /// A film whose second group is drawn so, and people of both groups.
    fn drawn(pull: Pull) -> (Film, Box<dyn Metric>) {
        let mut film = Film::new(1, 10.0);
        let other = Group { name: "drawn".into(), count: 2, pull, ..Group::default() };
        film.scenario.groups[0].stages.clear();
        film.scenario.groups.push(other);
        let metric = make(&GOAL_DISTANCE_M, &film);
        (film, metric)
    }

    fn shown(film: &Film, metric: &mut dyn Metric) -> Option<f64> {
        // One person of the first group at (3, 4), two of the second.
        let mut people = crowd(&[(0, (3.0, 4.0)), (1, (0.0, 0.0)), (2, (3.0, 7.0))]);
        people.group = vec![0, 1, 1];
        film.show_crowd(metric, 0.0, &people, &[]);
        metric.value()
    }

    #[test]
    fn the_way_leads_to_a_place_or_to_the_middle_of_a_group() {
        let (film, mut metric) = drawn(Pull::Point { at: vec2(3.0, 4.0), radius_m: 2.0 });
        // 5 m and 3 m; being near enough to stay is no arrival.
        assert_eq!(shown(&film, metric.as_mut()), Some(4.0));
        let (film, mut metric) = drawn(Pull::Group(0));
        assert_eq!(shown(&film, metric.as_mut()), Some(4.0));
        for pull in [Pull::Nothing, Pull::Heading(vec2(1.0, 0.0))] {
            let (film, mut metric) = drawn(pull);
            assert_eq!(shown(&film, metric.as_mut()), None);
        }
    }

    #[test]
    fn people_who_have_left_have_no_way_before_them() {
        // The goal of the film is the origin, reached within 1 m.
        let film = Film::new(2, 10.0);
        let mut metric = make_in(&GOAL_DISTANCE_M, &film, None, Window::All);
        film.show(metric.as_mut(), 0.0, &[(0, (3.0, 4.0)), (1, (0.0, 9.0))], &[]);
        assert_eq!(metric.value(), Some(7.0));
        film.show(metric.as_mut(), 1.0, &[(1, (0.0, 6.0))], &[exit(0, 0, 0.5, (0.0, 1.0))]);
        // 7 at the first sample, (0 + 6) / 2 at the second.
        assert_eq!(metric.value(), Some(5.0));
        metric.reset();
        film.show(metric.as_mut(), 0.0, &[(1, (0.0, 6.0))], &[]);
        assert_eq!(metric.value(), Some(6.0));
    }
}
