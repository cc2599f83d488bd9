//! How people walk: speed, effort, and how straight.

use super::averaged::{State, average};
use super::headings::Headings;
use super::series::Ratio;
use super::tracks::Tracks;
use super::{MakeMetric, Metric, Need, Seen, Spec, Window};
use crate::crowd::is_backward;
use crate::world::scenario::Scenario;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::Entry;

/// Mean speed of those who walk.
pub static SPEED_MEAN_M_PER_S: Entry<MakeMetric> = Entry {
    name: "speed_mean_m_per_s",
    doc: "Meters walked by all over the seconds they spent walking or queuing, of groups with a heading those along it; \
          people yet to start do not count.",
    source: "space-mean speed over straight steps between samples; no smoothing is chosen here, so that recordings \
             are measured alike",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Speed::new(spec, scenario)), "m/s").of_group().window(Window::All),
};

/// How much people walk backwards.
pub static BACKWARD_SHARE: Entry<MakeMetric> = Entry {
    name: "backward_share",
    doc: "Share of their time in which people who want to go somewhere walk against that way, at more than 0.04 m/s.",
    source: "chosen here: a model that pushes people backwards may have a fine speed without a sign; the threshold is that \
             of standing in the single-file experiments on an oval (Juelich)",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| average(Backward { group: spec.group }, spec, scenario), "")
        .less_is_better()
        .window(Window::All)
        .of_group()
        .needs(&[Need::Velocity, Need::Desired]),
};

/// Energy per meter of progress.
pub static EFFORT_J_PER_KG_M: Entry<MakeMetric> = Entry {
    name: "effort_j_per_kg_m",
    doc: "Energy per kg that all spend on walking and waiting, over the straight distances from their start to their \
          last place; at best 3.35 on level ground.",
    source: "Guy and others 2010 (PLE), constants as in SteerSuite; over progress, chosen here: neither detours nor \
             standing pay; on slopes also what a meter there costs more or less than a level one by Minetti and others, \
             J. Appl. Physiol. 93, 1039 (2002), measured up to a slope of 0.45",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Effort::new(Quantity::Effort, spec, scenario)), "J/(kg m)")
        .less_is_better()
        .of_group(),
};

/// Effort of a perfect walk over the effort of this one.
pub static PLE_EFFICIENCY: Entry<MakeMetric> = Entry {
    name: "ple_efficiency",
    doc: "Least energy that the straight distances from start to last place cost on level ground, over the energy spent: \
          1 is best there, 0 means nobody gets anywhere.",
    source: "Guy and others 2010 (PLE), constants as in SteerSuite: 3.35 J/(kg m) at 1.33 m/s",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Effort::new(Quantity::Efficiency, spec, scenario)), "")
        .more_is_better()
        .of_group(),
};

/// How straight people walk.
pub static PATH_EFFICIENCY: Entry<MakeMetric> = Entry {
    name: "path_efficiency",
    doc: "Straight distance from start to last place over the meters walked, of all people together; along the \
          heading for groups that have one: 1 is straight.",
    source: "path efficiency of steering benchmarks; straight and not around walls, so that recordings are measured \
             alike",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Effort::new(Quantity::Path, spec, scenario)), "").of_group(),
};

/// Power of standing, W/kg (Guy and others 2010).
const STANDING_W_PER_KG: f64 = 2.23;
/// Power of walking over the square of the speed, J s/(kg m2) (Guy and others 2010).
const WALKING_J_S_PER_KG_M2: f64 = 1.26;
/// Coefficients of the energy for a meter of walking as a polynomial of the slope, J/(kg m), highest power first.
const WALKING_ON_SLOPES_J_PER_KG_M: [f64; 6] = [280.5, -58.7, -76.8, 51.9, 19.6, 2.5];
/// Steepest slope that was measured, up and down.
const MEASURED_SLOPE: f64 = 0.45;
/// Progress of all people below which effort has no value, m. Chosen here: far below one step of one person.
const NO_PROGRESS_M: f64 = 1e-6;

/// What a way of a length, m, at a slope costs more than on level ground, J/kg; less downhill, but for the steepest ways.
fn climbing(slope: f64, length: f64) -> f64 {
    let slope = slope.clamp(-MEASURED_SLOPE, MEASURED_SLOPE);
    let cost = |slope: f64| WALKING_ON_SLOPES_J_PER_KG_M.iter().fold(0.0, |sum, c| sum * slope + c);
    // The way along the ground is longer than on the map.
    length * (cost(slope) * (1.0 + slope * slope).sqrt() - cost(0.0))
}

struct Speed {
    tracks: Tracks,
    headings: Headings,
    /// Meters and person-seconds.
    sums: Ratio,
}

impl Speed {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        Self {
            tracks: Tracks::of(scenario.people(), spec.group),
            headings: Headings::new(scenario),
            sums: Ratio::new(spec, scenario),
        }
    }
}

impl Metric for Speed {
    fn observe(&mut self, seen: &Seen<'_>) {
        let (mut meters, mut seconds) = (0.0, 0.0);
        let Self { tracks, headings, .. } = self;
        tracks.steps(seen, |step| {
            if step.walks(seen, false) {
                meters += headings.along(step.group(seen), step.way());
                seconds += step.duration_s();
            }
        });
        self.sums.put(seen, meters, seconds);
    }

    fn value(&self) -> Option<f64> {
        self.sums.value()
    }

    fn reset(&mut self) {
        self.tracks.reset();
        self.sums.reset();
    }
}

struct Backward {
    group: Option<u16>,
}

impl State for Backward {
    fn measure(&mut self, seen: &Seen<'_>) -> Option<(f64, f64)> {
        let (mut backward, mut all) = (0.0, 0.0);
        for (row, (vel, way)) in seen.velocities().iter().zip(seen.desired()).enumerate() {
            if *way != Vec2::ZERO && self.group.is_none_or(|only| seen.groups().get(row) == Some(&only)) {
                all += 1.0;
                backward += f64::from(u8::from(is_backward(vel.dot(*way))));
            }
        }
        (all > 0.0).then_some((backward, all))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Quantity {
    Effort,
    Efficiency,
    Path,
}

struct Effort {
    quantity: Quantity,
    tracks: Tracks,
    /// J/kg of everybody.
    energy: f64,
    /// Meters walked by everybody.
    meters: f64,
    /// By id: the first place, and the unwrapped last place.
    ends: Vec<Option<(Vec2, Vec2)>>,
    /// By id: the group, where the heading counts.
    group: Vec<u16>,
    headings: Headings,
}

impl Effort {
    fn new(quantity: Quantity, spec: &Spec, scenario: &Scenario) -> Self {
        let people = scenario.people();
        Self {
            quantity,
            tracks: Tracks::of(people, spec.group),
            energy: 0.0,
            meters: 0.0,
            ends: vec![None; people],
            group: vec![0; people],
            headings: Headings::new(scenario),
        }
    }

    /// Straight distances of everybody, m.
    fn straight(&self) -> f64 {
        self.ends.iter().flatten().map(|(from, to)| (*to - *from).length()).sum()
    }

    /// The same, but along the heading for those who have one: negative for anyone carried back.
    fn ahead(&self) -> f64 {
        let ways = self.ends.iter().zip(&self.group);
        ways.filter_map(|(ends, &group)| {
            let way = ends.map(|(from, to)| to - from)?;
            Some(self.headings.along(Some(group), way))
        })
        .sum()
    }
}

impl Metric for Effort {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Self { tracks, energy, meters, ends, group, .. } = self;
        let open = seen.world.plan.periodic.is_open();
        tracks.steps(seen, |step| {
            if step.id >= ends.len() {
                ends.resize(step.id + 1, None);
                group.resize(step.id + 1, 0);
            }
            if let Some(of) = step.group(seen) {
                group[step.id] = of;
            }
            let last = &mut ends[step.id].get_or_insert((step.from, step.from)).1;
            // Around a ring the ways add up; elsewhere the place itself is exact.
            *last = if open { step.to } else { *last + step.way() };
            let (seconds, length) = (step.duration_s(), step.length_m());
            *meters += length;
            if seconds > 0.0 && step.walks(seen, true) {
                *energy += STANDING_W_PER_KG * seconds + WALKING_J_S_PER_KG_M2 * length * length / seconds;
                if let (Some(relief), Some(way)) = (&seen.world.plan.relief, step.way().unit()) {
                    *energy += climbing(relief.gradient(step.from + step.way() * 0.5).dot(way), length);
                }
            }
        });
    }

    fn value(&self) -> Option<f64> {
        match self.quantity {
            Quantity::Effort => Some(self.straight()).filter(|&way| way > NO_PROGRESS_M).map(|way| self.energy / way),
            Quantity::Efficiency => {
                let least = 2.0 * (STANDING_W_PER_KG * WALKING_J_S_PER_KG_M2).sqrt();
                (self.energy > 0.0).then(|| least * self.straight() / self.energy)
            }
            Quantity::Path => (self.meters > NO_PROGRESS_M).then(|| self.ahead() / self.meters),
        }
    }

    fn reset(&mut self) {
        self.tracks.reset();
        self.energy = 0.0;
        self.meters = 0.0;
        self.ends.fill(None);
        self.group.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, crowd, exit, make, make_in, near};
    use super::*;
    use crate::crowd::Status;
    use crate::world::scenario::Pull;
    use crate::world::{Relief, SlopeLaw};
    use crowdtune_core::math::vec2;

    #[test]
    fn a_lap_over_the_seam_counts_no_jump() {
        let film = Film::ring(1, 100.0);
        let mut metric = make(&SPEED_MEAN_M_PER_S, &film);
        for second in 0..25 {
            film.show(metric.as_mut(), f64::from(second), &[(0, (1.5 * f64::from(second) % 10.0, 0.0))], &[]);
        }
        near(metric.value(), 1.5);
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
    fn climbing_costs_what_was_measured_on_a_treadmill() {
        // At a slope of 0.1 the polynomial gives 4.90 J/(kg m), 2.5 on level ground; least near -0.1.
        near(Some(climbing(0.1, 1.0) + 2.5), 4.899135 * 1.01_f64.sqrt());
        assert!(climbing(-0.1, 1.0) < -1.2 && climbing(-0.1, 1.0) > -1.6);
        near(Some(climbing(2.0, 3.0)), climbing(0.45, 3.0));
        let slope = vec2(0.1, 0.0);
        let film = Film::new(1, 100.0).on(Relief { slope, hills: Vec::new(), heights: None, law: SlopeLaw::Tobler });
        let mut metric = make(&EFFORT_J_PER_KG_M, &film);
        for second in 0..=10 {
            film.show(metric.as_mut(), f64::from(second), &[(0, (f64::from(second), 0.0))], &[]);
        }
        near(metric.value(), 2.23 + 1.26 + climbing(0.1, 1.0));
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

    #[test]
    fn a_straight_walk_at_the_best_speed_is_the_best() {
        assert!((walk(&PLE_EFFICIENCY, 1.33).unwrap() - 1.0).abs() < 1e-5);
        let least = 2.0 * (2.23 * 1.26_f64).sqrt();
        near(walk(&PLE_EFFICIENCY, 2.0), least / (1.115 + 2.52));
        near(walk(&PLE_EFFICIENCY, 0.0), 0.0);
        near(walk(&PATH_EFFICIENCY, 0.7), 1.0);
        assert_eq!(walk(&PATH_EFFICIENCY, 0.0), None);
    }

    #[test]
    fn three_sides_of_a_square_are_a_third_of_the_way() {
        let film = Film::new(1, 100.0);
        let mut path = make(&PATH_EFFICIENCY, &film);
        for (k, place) in [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)].into_iter().enumerate() {
            film.show(path.as_mut(), k as f64, &[(0, place)], &[]);
        }
        near(path.value(), 1.0 / 3.0);
        film.show(path.as_mut(), 4.0, &[(0, (0.0, 0.0))], &[]);
        near(path.value(), 0.0);
    }

    /// Two people on a ring of 10 m for 30 s: 0 walks east at 1 m/s, three rounds; 1 is carried west at 0.5 m/s.
    #[test]
    fn ways_around_a_ring_add_up() {
        let mut film = Film::ring(2, 100.0);
        film.scenario.groups[0].stages.clear();
        film.scenario.groups[0].pull = Pull::Heading(vec2(1.0, 0.0));
        let all = [&SPEED_MEAN_M_PER_S, &EFFORT_J_PER_KG_M, &PLE_EFFICIENCY, &PATH_EFFICIENCY];
        let mut metrics = all.map(|entry| make(entry, &film));
        for k in 0..=300 {
            let time_s = 0.1 * f64::from(k);
            let x = |speed: f64| film.scenario.world.plan.periodic.wrap(vec2(speed * time_s, 0.0)).x;
            for metric in &mut metrics {
                film.show(metric.as_mut(), time_s, &[(0, (x(1.0), 0.0)), (1, (x(-0.5), 5.0))], &[]);
            }
        }
        let [speed, effort, ple, path] = metrics.map(|metric| metric.value());
        // 1 m/s along the heading and 0.5 m/s against it.
        near(speed, 0.25);
        // Energies over 30 s: 30 (2.23 + 1.26) and 30 (2.23 + 0.315); 45 m of ways.
        let energy = 30.0 * (2.0 * 2.23 + 1.26 + 0.315);
        near(effort, energy / 45.0);
        near(ple, 2.0 * (2.23 * 1.26_f64).sqrt() * 45.0 / energy);
        // 30 m ahead and 15 m back.
        near(path, 15.0 / 45.0);
    }

    #[test]
    fn who_walks_against_the_own_way_walks_backwards() {
        let film = Film::new(4, 100.0);
        let mut metric = make(&BACKWARD_SHARE, &film);
        let mut people = crowd(&[(0, (0.0, 0.0)), (1, (1.0, 0.0)), (2, (2.0, 0.0)), (3, (3.0, 0.0))]);
        people.vel = vec![vec2(1.0, 0.0), vec2(-0.5, 0.1), vec2(-0.03, 0.2), vec2(-2.0, 0.0)];
        people.desired = vec![vec2(1.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 0.0), Vec2::ZERO];
        film.show_crowd(metric.as_mut(), 0.0, &people, &[]);
        // One of three: the third sways, the fourth wants to go nowhere.
        near(metric.value(), 1.0 / 3.0);
        people.desired.fill(Vec2::ZERO);
        let mut metric = make(&BACKWARD_SHARE, &film);
        film.show_crowd(metric.as_mut(), 0.0, &people, &[]);
        assert_eq!(metric.value(), None);
    }

    #[test]
    fn a_group_counts_alone() {
        let mut film = Film::new(2, 100.0);
        film.scenario.groups.push(film.scenario.groups[0].clone());
        let mut metric = super::super::testing::make_of(&SPEED_MEAN_M_PER_S, &film, 1);
        for time_s in [0.0, 1.0, 2.0] {
            let mut people = crowd(&[(0, (time_s, 0.0)), (1, (0.0, 0.25 * time_s))]);
            people.group[1] = 1;
            film.show_crowd(metric.as_mut(), time_s, &people, &[]);
        }
        near(metric.value(), 0.25);
    }
}
