//! How people walk: speed and effort.

use super::tracks::{Step, Tracks};
use super::window::pick;
use super::{At, MakeMetric, Metric, NO_PARAMS, Needs, Seen, Spec, Window, people};
use crate::crowd::Status;
use crate::math::Vec2;
use crate::registry::Entry;
use crate::world::scenario::Scenario;

/// Mean speed of those who walk.
pub static SPEED_MEAN_M_PER_S: Entry<MakeMetric> = Entry {
    name: "speed_mean_m_per_s",
    doc: "Metres walked by all over the seconds they were walking or queuing; people yet to start do not count.",
    source: "space-mean speed over straight steps between samples (chosen here: no smoothing, the same for recordings)",
    params: NO_PARAMS,
    make: MakeMetric {
        make: |spec, scenario| Box::new(Speed::new(spec, scenario)),
        unit: "m/s",
        at: At::Nowhere,
        window: Window::All,
        takes_window: true,
        samples: false,
        takes_group: false,
        takes_center: false,
        needs: NEEDS,
    },
};

/// Energy per meter of progress.
pub static EFFORT_J_PER_KG_M: Entry<MakeMetric> = Entry {
    name: "effort_j_per_kg_m",
    doc: "Energy of walking and waiting of all, per kg, over the straight distances from start to last place; at best \
          3.35.",
    source: "Guy and others 2010 (PLE), constants as in SteerSuite; over progress, chosen here: neither detours nor \
             standing pay",
    params: NO_PARAMS,
    make: MakeMetric {
        make: |_, scenario| Box::new(Effort::new(scenario)),
        unit: "J/(kg m)",
        at: At::Nowhere,
        window: Window::All,
        takes_window: false,
        samples: false,
        takes_group: false,
        takes_center: false,
        needs: NEEDS,
    },
};

const NEEDS: Needs = Needs { radius: false, contact: false, exits: false };

/// Power of standing, W/kg (Guy and others 2010).
const STANDING_W_PER_KG: f64 = 2.23;
/// Power of walking over the square of the speed, J s/(kg m2) (Guy and others 2010).
const WALKING_J_S_PER_KG_M2: f64 = 1.26;
/// Progress of all people below which effort has no value, m. Chosen here: far below one step of one person.
const NO_PROGRESS_M: f64 = 1e-6;

/// True unless the person stands by intention at this sample; columns that a recording lacks mean walking.
fn walks(seen: &Seen<'_>, step: &Step, injured_too: bool) -> bool {
    match step.row.and_then(|row| seen.crowd.status.get(row)) {
        Some(Status::Waiting) => false,
        Some(Status::Injured) => injured_too,
        Some(Status::Walking) | None => true,
    }
}

struct Speed {
    window: Window,
    tracks: Tracks,
    /// Time, meters and person-seconds of every interval; it lies at the time of its end.
    times: Vec<f64>,
    sums: Vec<(f64, f64)>,
}

impl Speed {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let samples = (scenario.limit_s / spec.sample_every_s).clamp(0.0, 1e6) as usize + 2;
        Self {
            window: spec.window,
            tracks: Tracks::new(people(scenario)),
            times: Vec::with_capacity(samples),
            sums: Vec::with_capacity(samples),
        }
    }
}

impl Metric for Speed {
    fn observe(&mut self, seen: &Seen<'_>) {
        let (mut meters, mut seconds) = (0.0, 0.0);
        self.tracks.steps(seen, |step| {
            if walks(seen, &step, false) {
                meters += step.length_m();
                seconds += step.duration_s();
            }
        });
        self.times.push(seen.time_s);
        self.sums.push((meters, seconds));
    }

    fn value(&self) -> Option<f64> {
        let end = self.times.last().copied()?;
        let sums = &self.sums[pick(self.window, &self.times, 0, end).events];
        let meters: f64 = sums.iter().map(|s| s.0).sum();
        let seconds: f64 = sums.iter().map(|s| s.1).sum();
        (seconds > 0.0).then(|| meters / seconds)
    }

    fn reset(&mut self) {
        self.tracks.reset();
        self.times.clear();
        self.sums.clear();
    }
}

struct Effort {
    tracks: Tracks,
    /// J/kg of everybody.
    energy: f64,
    /// First and last place of each person, by id.
    ends: Vec<Option<(Vec2, Vec2)>>,
}

impl Effort {
    fn new(scenario: &Scenario) -> Self {
        let people = people(scenario);
        Self { tracks: Tracks::new(people), energy: 0.0, ends: vec![None; people] }
    }
}

impl Metric for Effort {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Self { tracks, energy, ends } = self;
        tracks.steps(seen, |step| {
            if step.id >= ends.len() {
                ends.resize(step.id + 1, None);
            }
            ends[step.id].get_or_insert((step.from, step.to)).1 = step.to;
            let seconds = step.duration_s();
            if seconds > 0.0 && walks(seen, &step, true) {
                let meters = step.length_m();
                *energy += STANDING_W_PER_KG * seconds + WALKING_J_S_PER_KG_M2 * meters * meters / seconds;
            }
        });
    }

    fn value(&self) -> Option<f64> {
        let progress: f64 = self.ends.iter().flatten().map(|(from, to)| (*to - *from).length()).sum();
        (progress > NO_PROGRESS_M).then(|| self.energy / progress)
    }

    fn reset(&mut self) {
        self.tracks.reset();
        self.energy = 0.0;
        self.ends.fill(None);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, crowd, exit, make, make_in};
    use super::*;

    fn near(value: Option<f64>, wanted: f64) {
        assert!(value.is_some_and(|v| (v - wanted).abs() < 1e-9), "{value:?} is not {wanted}");
    }

    /// One person walks east from 0 with `speed` for 10 s and leaves; sampled every 0.1 s.
    fn walk(entry: &'static Entry<MakeMetric>, speed: f64) -> Option<f64> {
        let film = Film::new(1, 100.0);
        let mut metric = make(entry, &film);
        for sample in 0..100 {
            let time_s = 0.1 * f64::from(sample);
            film.show(metric.as_mut(), time_s, &[(0, (speed * time_s, 0.0))], &[]);
        }
        film.show(metric.as_mut(), 10.0, &[], &[exit(0, 0, 10.0, (speed * 10.0, 0.0))]);
        metric.value()
    }

    #[test]
    fn the_best_effort_is_3_35_at_1_33_m_per_s() {
        // 2 sqrt(2.23 x 1.26) = 3.3525; at 1.33: 2.23 / 1.33 + 1.26 x 1.33 = 3.35249...
        near(walk(&EFFORT_J_PER_KG_M, 1.33), 2.23 / 1.33 + 1.26 * 1.33);
        assert!((walk(&EFFORT_J_PER_KG_M, 1.33).unwrap() - 3.35).abs() < 0.005);
        near(walk(&EFFORT_J_PER_KG_M, 2.0), 1.115 + 2.52);
        assert_eq!(walk(&EFFORT_J_PER_KG_M, 0.0), None);
        near(walk(&SPEED_MEAN_M_PER_S, 1.33), 1.33);
        near(walk(&SPEED_MEAN_M_PER_S, 0.0), 0.0);
    }

    /// Two people over 2 s: person 0 goes 1 m east, then 1 m north (or stands); person 1 is in the second interval.
    #[test]
    fn a_detour_and_a_rest_cost_effort() {
        let film = Film::new(2, 100.0);
        let [mut effort, mut speed] = [make(&EFFORT_J_PER_KG_M, &film), make(&SPEED_MEAN_M_PER_S, &film)];
        for metric in [effort.as_mut(), speed.as_mut()] {
            film.show(metric, 0.0, &[(0, (0.0, 0.0))], &[]);
            film.show(metric, 1.0, &[(0, (1.0, 0.0)), (1, (5.0, 0.0))], &[]);
            film.show(metric, 2.0, &[(0, (1.0, 1.0)), (1, (5.0, 0.0))], &[]);
        }
        // Three person-seconds, two of them at 1 m/s; progress sqrt 2.
        near(effort.value(), (3.0 * 2.23 + 2.0 * 1.26) / 2.0_f64.sqrt());
        near(speed.value(), 2.0 / 3.0);
    }

    #[test]
    fn who_has_not_started_costs_nothing() {
        let film = Film::new(1, 100.0);
        let mut metric = make(&EFFORT_J_PER_KG_M, &film);
        let mut waiting = crowd(&[(0, (0.0, 0.0))]);
        waiting.status[0] = Status::Waiting;
        film.show_crowd(metric.as_mut(), 0.0, &waiting, &[]);
        film.show_crowd(metric.as_mut(), 50.0, &waiting, &[]);
        film.show(metric.as_mut(), 51.0, &[(0, (1.0, 0.0))], &[]);
        near(metric.value(), 2.23 + 1.26);
    }

    #[test]
    fn a_time_window_leaves_the_start_out() {
        let film = Film::new(1, 100.0);
        let mut metric = make_in(&SPEED_MEAN_M_PER_S, &film, None, Window::TimeS(1.5, 9.0));
        for (time_s, x) in [(0.0, 0.0), (1.0, 0.1), (2.0, 1.1), (3.0, 2.6)] {
            film.show(metric.as_mut(), time_s, &[(0, (x, 0.0))], &[]);
        }
        near(metric.value(), 1.25);
    }
}
