//! Which exits people take, and how many have left by when.

use super::span::Span;
use super::window::pick;
use super::{MakeMetric, Metric, Need, Seen, Spec, Window, leavers};
use crate::world::scenario::Scenario;
use crowdtune_core::registry::Entry;

/// Share of the most used exit.
pub static EXIT_SHARE: Entry<MakeMetric> = Entry {
    name: "exit_share",
    doc: "Share of the busiest exit among those who left: 1 if all took the same one, 1 / exits if all are used alike.",
    source: "chosen here: one number for any number of exits, whatever their order",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Exits::new(Quantity::Share, spec, scenario)), "")
        .window(Window::All)
        .of_group()
        .needs(&[Need::Leaving, Need::Goal]),
};

/// Difference between the most and the least used exit.
pub static EXIT_IMBALANCE: Entry<MakeMetric> = Entry {
    name: "exit_imbalance",
    doc: "People through the busiest exit minus people through the least used one; |N1 - N2| for two exits.",
    source: "Helbing, Farkas, Vicsek 2000, fig. 3d (difference in the use of two exits)",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Exits::new(Quantity::Imbalance, spec, scenario)), "people")
        .window(Window::All)
        .of_group()
        .needs(&[Need::Leaving, Need::Goal]),
};

/// Number of people who left in the window.
pub static PEOPLE_OUT: Entry<MakeMetric> = Entry {
    name: "people_out",
    doc: "Number of people who left within the window; time_s = [0, 30] gives those out after 30 s.",
    source: "Helbing, Farkas, Vicsek 2000, fig. 3b (people out within 30 s)",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Exits::new(Quantity::Out, spec, scenario)), "people")
        .more_is_better()
        .window(Window::All)
        .of_group()
        .needs(&[Need::Leaving]),
};

#[derive(Clone, Copy)]
enum Quantity {
    Share,
    Imbalance,
    Out,
}

struct Exits {
    quantity: Quantity,
    span: Span,
    group: Option<u16>,
    /// Goals at which a journey ends, each once.
    doors: Vec<usize>,
    /// Times of leaving, ascending, and the goals.
    out_s: Vec<f64>,
    goal: Vec<Option<usize>>,
    end_s: f64,
}

impl Exits {
    fn new(quantity: Quantity, spec: &Spec, scenario: &Scenario) -> Self {
        let groups = scenario.groups.iter().enumerate().filter(|(_, g)| g.leaves());
        let groups = groups.filter(|(g, _)| spec.group.is_none_or(|only| usize::from(only) == *g));
        let mut doors: Vec<usize> = groups.filter_map(|(_, g)| g.stages.last()).flatten().copied().collect();
        doors.sort_unstable();
        doors.dedup();
        let people = leavers(scenario);
        Self {
            quantity,
            span: Span::new(spec, scenario),
            group: spec.group,
            doors,
            out_s: Vec::with_capacity(people),
            goal: Vec::with_capacity(people),
            end_s: 0.0,
        }
    }
}

impl Metric for Exits {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.span.observe(seen);
        for exit in seen.leaving(self.group) {
            self.out_s.push(exit.time_s);
            self.goal.push(exit.goal);
        }
        self.end_s = seen.time_s;
    }

    fn value(&self) -> Option<f64> {
        let events = pick(self.span.window(), &self.out_s, 0, self.end_s).events;
        let out = events.len() as f64;
        let through = |door: usize| self.goal[events.clone()].iter().filter(|&&g| g == Some(door)).count();
        let most = self.doors.iter().map(|&door| through(door)).max();
        let least = self.doors.iter().map(|&door| through(door)).min();
        match self.quantity {
            Quantity::Out => Some(out),
            Quantity::Share => most.filter(|_| out > 0.0).map(|most| most as f64 / out),
            Quantity::Imbalance => most.zip(least).map(|(most, least)| (most - least) as f64),
        }
    }

    fn reset(&mut self) {
        self.span.reset();
        self.out_s.clear();
        self.goal.clear();
        self.end_s = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, exit, make_in};
    use super::*;

    /// Five leave: goals 0, 1, 1, 1, 0 at 10, 20, ... s. Three exits exist.
    fn five(entry: &'static Entry<MakeMetric>, window: Window) -> Option<f64> {
        let mut film = Film::new(6, 100.0);
        film.scenario.groups[0].stages = vec![vec![7], vec![0, 1, 2]];
        let mut metric = make_in(entry, &film, None, window);
        let exits = [0, 1, 1, 1, 0];
        let exits: Vec<_> =
            exits.iter().enumerate().map(|(k, &g)| exit(k, g, 10.0 * (k + 1) as f64, (0.0, 0.0))).collect();
        film.show(metric.as_mut(), 25.0, &[], &exits[..2]);
        film.show(metric.as_mut(), 60.0, &[], &exits[2..]);
        metric.value()
    }

    #[test]
    fn counts_by_exit_and_time() {
        assert_eq!(five(&PEOPLE_OUT, Window::All), Some(5.0));
        assert_eq!(five(&PEOPLE_OUT, Window::TimeS(0.0, 30.0)), Some(3.0));
        assert_eq!(five(&PEOPLE_OUT, Window::TimeS(0.0, 5.0)), Some(0.0));
        assert_eq!(five(&EXIT_SHARE, Window::All), Some(0.6));
        assert_eq!(five(&EXIT_SHARE, Window::TimeS(0.0, 15.0)), Some(1.0));
        assert_eq!(five(&EXIT_SHARE, Window::TimeS(0.0, 5.0)), None);
        // Exit 2 is never used: 3 - 0.
        assert_eq!(five(&EXIT_IMBALANCE, Window::All), Some(3.0));
        assert_eq!(five(&EXIT_IMBALANCE, Window::TimeS(0.0, 5.0)), Some(0.0));
    }
}
