//! How long people stand, and how hard they start and stop.

use super::chords::{Chords, INTERVAL, speed_param};
use super::series::Ratio;
use super::{MakeMetric, Metric, Seen, Spec, Window};
use crate::world::scenario::{Pull, Scenario};
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// Seconds that a person is stuck.
pub static STUCK_S: Entry<MakeMetric> = Entry {
    name: "stuck_s",
    doc: "Mean time that people with a journey or a heading spend slower than `below_m_per_s`; if nobody has either, \
          as in recordings, everybody counts.",
    source: "chosen here: a jam costs as long as it holds people, whether or not they get through in the end",
    params: STUCK,
    make: MakeMetric::new(&|spec, scenario| Box::new(Stops::new(Quantity::Stuck, spec, scenario)), "s")
        .less_is_better()
        .window(Window::All)
        .of_group(),
};

/// Share of the time that people stand.
pub static STOP_SHARE: Entry<MakeMetric> = Entry {
    name: "stop_share",
    doc: "Share of their time on the way that people spend slower than `below_m_per_s`.",
    source: "stop-and-go in single-file experiments on an oval (Juelich): samples below 0.04 m/s",
    params: STOP,
    make: MakeMetric::new(&|spec, scenario| Box::new(Stops::new(Quantity::Share, spec, scenario)), "")
        .less_is_better()
        .window(Window::All)
        .of_group(),
};

/// Mean acceleration.
pub static ACCELERATION_MEAN_M_PER_S2: Entry<MakeMetric> = Entry {
    name: "acceleration_mean_m_per_s2",
    doc: "Mean change of velocity per second, over people and time, from velocities taken over `interval_s`.",
    source: "acceleration effort of SteerBench (a sum over frames), per second of walking, so that the frame rate \
             does not matter",
    params: &[INTERVAL],
    make: MakeMetric::new(&|spec, scenario| Box::new(Acceleration::new(spec, scenario)), "m/s2")
        .window(Window::All)
        .of_group(),
};

const BELOW: &str = "below_m_per_s";
const STUCK: &[Param] = &[
    INTERVAL,
    speed_param(BELOW, "slower people are stuck", "chosen here: 2.5 cm in half a second, less than a footstep", 0.05),
];
const STOP: &[Param] = &[
    INTERVAL,
    speed_param(
        BELOW,
        "slower people stand",
        "the threshold of the single-file experiments on an oval (Juelich)",
        0.04,
    ),
];

#[derive(Clone, Copy, PartialEq)]
enum Quantity {
    Stuck,
    Share,
}

struct Stops {
    quantity: Quantity,
    below: f64,
    chords: Chords,
    /// By group: true if its people want to walk.
    wants: Vec<bool>,
    /// By id, and together: people who count.
    known: Vec<bool>,
    people: usize,
    /// Seconds below the speed, and seconds.
    sums: Ratio,
}

impl Stops {
    fn new(quantity: Quantity, spec: &Spec, scenario: &Scenario) -> Self {
        let params = if quantity == Quantity::Stuck { STUCK } else { STOP };
        let settings = Settings::new(params, &spec.settings);
        let mut wants: Vec<_> =
            scenario.groups.iter().map(|g| g.leaves() || matches!(g.pull, Pull::Heading(_) | Pull::Track)).collect();
        if quantity == Quantity::Share || !wants.contains(&true) {
            wants.clear();
        }
        Self {
            quantity,
            below: settings.get(BELOW),
            chords: Chords::new(spec, scenario, settings.get("interval_s")),
            wants,
            known: vec![false; scenario.people()],
            people: 0,
            sums: Ratio::new(spec, scenario),
        }
    }
}

impl Metric for Stops {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Self { below, chords, wants, known, people, .. } = self;
        let (mut slow, mut all) = (0.0, 0.0);
        chords.cut(seen, |chord| {
            if wants.get(usize::from(chord.group)) == Some(&false) {
                return;
            }
            if chord.id >= known.len() {
                known.resize(chord.id + 1, false);
            }
            *people += usize::from(!known[chord.id]);
            known[chord.id] = true;
            all += chord.seconds;
            if chord.way.length() < *below * chord.seconds {
                slow += chord.seconds;
            }
        });
        self.sums.put(seen, slow, all);
    }

    fn value(&self) -> Option<f64> {
        match self.quantity {
            Quantity::Share => self.sums.value(),
            Quantity::Stuck => (self.people > 0).then(|| self.sums.sums().0 / self.people as f64),
        }
    }

    fn reset(&mut self) {
        self.chords.reset();
        self.known.fill(false);
        self.people = 0;
        self.sums.reset();
    }
}

struct Acceleration {
    chords: Chords,
    /// By id: the velocity of the last chord and its duration.
    last: Vec<(Vec2, f64)>,
    /// Changes of velocity, and the seconds over which they happened.
    sums: Ratio,
}

impl Acceleration {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let settings = Settings::new(ACCELERATION_MEAN_M_PER_S2.params, &spec.settings);
        Self {
            chords: Chords::new(spec, scenario, settings.get("interval_s")),
            last: vec![(Vec2::ZERO, 0.0); scenario.people()],
            sums: Ratio::new(spec, scenario),
        }
    }
}

impl Metric for Acceleration {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Self { chords, last, .. } = self;
        let (mut change, mut seconds) = (0.0, 0.0);
        chords.cut(seen, |chord| {
            if chord.id >= last.len() {
                last.resize(chord.id + 1, (Vec2::ZERO, 0.0));
            }
            let (before, lasted) = std::mem::replace(&mut last[chord.id], (chord.velocity(), chord.seconds));
            if !chord.first {
                change += (chord.velocity() - before).length();
                seconds += 0.5 * (lasted + chord.seconds);
            }
        });
        self.sums.put(seen, change, seconds);
    }

    fn value(&self) -> Option<f64> {
        self.sums.value()
    }

    fn reset(&mut self) {
        self.chords.reset();
        self.last.fill((Vec2::ZERO, 0.0));
        self.sums.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, crowd, make, make_in, near};
    use super::*;
    use crate::crowd::Status;
    use crowdtune_core::math::vec2;

    /// Two people for 40 s: one walks on at 1.2 m/s, one goes 2 s at 1 m/s, stands 2 s, and so on. On a ring of 10 m.
    fn stop_and_go(entry: &'static Entry<MakeMetric>, window: Window) -> Option<f64> {
        let film = Film::ring(2, 100.0);
        let mut metric = make_in(entry, &film, None, window);
        let wrap = |x: f64| film.scenario.world.plan.periodic.wrap(vec2(x, 0.0)).x;
        for k in 0..=400 {
            let time_s = 0.1 * f64::from(k);
            let rounds = (time_s / 4.0 + 1e-9).floor();
            let x = 2.0 * rounds + (time_s - 4.0 * rounds).min(2.0);
            film.show(metric.as_mut(), time_s, &[(0, (wrap(1.2 * time_s), 0.0)), (1, (wrap(x), 5.0))], &[]);
        }
        metric.value()
    }

    #[test]
    fn who_stands_half_of_the_time_makes_a_quarter_of_two() {
        near(stop_and_go(&STOP_SHARE, Window::All), 0.25);
        // 20 s of one of two.
        near(stop_and_go(&STUCK_S, Window::All), 10.0);
        // A rest from 10 to 12 s: half of the window for one of two. Chords count where they end.
        near(stop_and_go(&STOP_SHARE, Window::TimeS(10.2, 12.2)), 0.5);
        near(stop_and_go(&STUCK_S, Window::TimeS(10.2, 12.2)), 1.0);
        // Ten starts and nine stops of 1 m/s each within 39.5 s of one person, beside 39.5 s of the other.
        near(stop_and_go(&ACCELERATION_MEAN_M_PER_S2, Window::All), 19.0 / 79.0);
    }

    #[test]
    fn a_circle_accelerates_by_the_square_of_the_speed_over_the_radius() {
        // 1 m/s on a circle of 2 m: 0.5 m/s2; the chords of 0.5 s shorten it by (sin(a) / a)^2 with a = 0.125.
        let film = Film::new(1, 100.0);
        let mut metric = make(&ACCELERATION_MEAN_M_PER_S2, &film);
        for k in 0..=300 {
            let time_s = 0.1 * f64::from(k);
            let place = (2.0 * libm::cos(0.5 * time_s), 2.0 * libm::sin(0.5 * time_s));
            film.show(metric.as_mut(), time_s, &[(0, place)], &[]);
        }
        let shorter = libm::sin(0.125) / 0.125;
        near(metric.value(), 0.5 * shorter * shorter);
    }

    #[test]
    fn who_wants_to_stand_is_not_stuck() {
        let mut film = Film::new(2, 100.0);
        let mut stays = film.scenario.groups[0].clone();
        stays.stages.clear();
        film.scenario.groups.push(stays);
        let [mut stuck, mut share] = [make(&STUCK_S, &film), make(&STOP_SHARE, &film)];
        let mut people = crowd(&[(0, (0.0, 0.0)), (1, (3.0, 0.0))]);
        people.group[1] = 1;
        for metric in [stuck.as_mut(), share.as_mut()] {
            // Waits for a start at 2 s.
            for k in 0..=60 {
                people.status[0] = if k <= 20 { Status::Waiting } else { Status::Walking };
                film.show_crowd(metric, 0.1 * f64::from(k), &people, &[]);
            }
        }
        near(stuck.value(), 4.0);
        near(share.value(), 1.0);
    }
}
