//! How far a run is from recorded tracks.

use super::{MakeMetric, Metric, Need, Seen, Spec, Window};
use crate::world::Tracks;
use crate::world::scenario::Scenario;
use crowdtune_core::registry::Entry;
use std::sync::Arc;

/// Mean squared distance from recorded tracks.
pub static TRACK_ERROR_M2: Entry<MakeMetric> = Entry {
    name: "track_error_m2",
    doc: "Mean squared distance between where people are and where the scenario's `tracks` have them, over all \
          samples that have both.",
    source: "least squares on trajectories; Johansson, Helbing, Shukla, Adv. Complex Syst. 10, 271 (2007) calibrate \
             by relative distances; squares are chosen here: their minimum is smooth",
    params: &[],
    make: MakeMetric::new(&make, "m2").less_is_better().window(Window::All).of_group().needs(&[Need::Tracks]),
};

fn make(spec: &Spec, scenario: &Scenario) -> Box<dyn Metric> {
    let (from, to) = match spec.window {
        Window::TimeS(from, to) => (from, to),
        _ => (0.0, f64::INFINITY),
    };
    let tracks = scenario.tracks.clone().unwrap_or_default();
    let people = vec![(0.0, 0); tracks.people.len()];
    Box::new(TrackError { tracks, group: spec.group, from, to, sum: 0.0, count: 0, people })
}

struct TrackError {
    tracks: Arc<Tracks>,
    group: Option<u16>,
    from: f64,
    to: f64,
    sum: f64,
    count: u64,
    /// Sum and number of each person.
    people: Vec<(f64, u64)>,
}

impl Metric for TrackError {
    fn observe(&mut self, seen: &Seen<'_>) {
        if seen.time_s < self.from || seen.time_s > self.to {
            return;
        }
        for (row, (&id, &pos)) in seen.ids().iter().zip(seen.positions()).enumerate() {
            if self.group.is_some_and(|group| seen.groups().get(row) != Some(&group)) {
                continue;
            }
            // Where people come in is that of the recording itself.
            if !self.tracks.has_walked(id, seen.time_s) {
                continue;
            }
            let torus = &seen.world.plan.periodic;
            if let Some(place) = self.tracks.place(seen.time_s, id, torus) {
                let apart = torus.apart(place, pos);
                let squared = apart.dot(apart);
                self.sum += squared;
                self.count += 1;
                let person = &mut self.people[id as usize];
                *person = (person.0 + squared, person.1 + 1);
            }
        }
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    fn by_person(&self) -> Vec<(f64, u64)> {
        self.people.clone()
    }

    fn reset(&mut self) {
        (self.sum, self.count) = (0.0, 0);
        self.people.fill((0.0, 0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::testing::{Film, make_with};
    use crowdtune_core::math::vec2;

    #[test]
    fn squares_are_averaged_over_people_and_samples_that_both_have() {
        let mut film = Film::new(3, 10.0);
        let track = |places: &[(u32, f64)]| places.iter().map(|&(frame, x)| (frame, vec2(x, 0.0))).collect();
        film.scenario.tracks = Some(Arc::new(Tracks::new(
            1.0,
            None,
            vec![track(&[(0, 0.0), (1, 1.0), (2, 2.0)]), track(&[(0, 5.0), (1, 5.0)]), track(&[(1, 3.0), (2, 3.0)])],
            &[3],
        )));
        let mut metric = make_with(&TRACK_ERROR_M2, &film, |_| ());
        film.show(metric.as_mut(), 0.0, &[(0, (9.0, 9.0)), (1, (5.0, 0.0))], &[]);
        assert_eq!(metric.value(), None, "the start is given");
        // Where the third person comes in is given too.
        film.show(metric.as_mut(), 1.0, &[(0, (1.0, 2.0)), (1, (4.0, 0.0)), (2, (9.0, 9.0))], &[]);
        film.show(metric.as_mut(), 2.0, &[(0, (2.0, 1.0)), (1, (7.0, 0.0))], &[]);
        // 4 and 1, then 1; where the second person is not seen any more nothing counts.
        assert_eq!(metric.value(), Some(2.0));
        // Half way between two frames.
        film.show(metric.as_mut(), 1.5, &[(0, (1.5, 2.0))], &[]);
        assert_eq!(metric.value(), Some(2.5));
        assert_eq!(metric.by_person(), [(9.0, 3), (1.0, 1), (0.0, 0)]);
        metric.reset();
        assert_eq!((metric.value(), metric.by_person()), (None, vec![(0.0, 0); 3]));
    }
}
