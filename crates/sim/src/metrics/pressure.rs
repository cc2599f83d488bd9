//! How hard people are pressed.

use super::{MakeMetric, Metric, Need, Seen};
use crate::world::scenario::Scenario;
use crowdtune_core::math::stats;
use crowdtune_core::registry::Entry;

/// 95th percentile over people of the highest pressure each one felt.
pub static BODY_PRESSURE_P95_N_PER_M: Entry<MakeMetric> = Entry {
    name: "body_pressure_p95_n_per_m",
    doc: "95th percentile over people of the highest pressure that each felt at any sample (radial contact forces \
          over the circumference).",
    source: "Helbing, Farkas, Vicsek 2000 (1600 N/m injures); the highest per person is chosen here: at most samples \
             people touch nobody",
    params: &[],
    make: MakeMetric::new(&|_, scenario| Box::new(Pressure::new(scenario)), "N/m")
        .less_is_better()
        .needs(&[Need::Pressure]),
};

struct Pressure {
    /// Place in `highest` by id.
    slot: Vec<Option<usize>>,
    /// Highest pressure of each person seen, in the order of first sight.
    highest: Vec<f64>,
}

impl Pressure {
    fn new(scenario: &Scenario) -> Self {
        let people = scenario.people();
        Self { slot: vec![None; people], highest: Vec::with_capacity(people) }
    }
}

impl Metric for Pressure {
    fn observe(&mut self, seen: &Seen<'_>) {
        for (&id, &pressure) in seen.ids().iter().zip(seen.pressures()) {
            let id = id as usize;
            if id >= self.slot.len() {
                self.slot.resize(id + 1, None);
            }
            let slot = *self.slot[id].get_or_insert_with(|| {
                self.highest.push(0.0);
                self.highest.len() - 1
            });
            self.highest[slot] = self.highest[slot].max(pressure);
        }
    }

    fn value(&self) -> Option<f64> {
        (!self.highest.is_empty()).then(|| stats::p95(&self.highest))
    }

    fn samples(&self) -> Vec<f64> {
        self.highest.clone()
    }

    fn reset(&mut self) {
        self.slot.fill(None);
        self.highest.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, crowd, make};
    use super::*;

    #[test]
    fn takes_the_highest_of_each_person_then_the_percentile() {
        let film = Film::new(3, 100.0);
        let mut metric = make(&BODY_PRESSURE_P95_N_PER_M, &film);
        assert_eq!(metric.value(), None);
        let mut people = crowd(&[(0, (0.0, 0.0)), (2, (1.0, 0.0)), (1, (2.0, 0.0))]);
        people.pressure = vec![10.0, 0.0, 300.0];
        film.show_crowd(metric.as_mut(), 0.0, &people, &[]);
        people.pressure = vec![0.0, 100.0, 50.0];
        film.show_crowd(metric.as_mut(), 0.1, &people, &[]);
        assert_eq!(metric.samples(), [10.0, 100.0, 300.0]);
        // Rank 0.95 x 2 = 1.9 between 100 and 300.
        assert!((metric.value().unwrap() - 280.0).abs() < 1e-9);
    }
}
