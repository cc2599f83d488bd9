use super::super::testing::{Film, crowd, exit, make, make_in, make_of, make_set};
use super::*;
use crate::metrics::Place;
use crowdtune_core::math::vec2;

/// `count` people stand before the line; person k passes it at `times[k]` and leaves half a second later. The rest
/// wait. Ends at `end_s`.
fn run(entry: &'static Entry<MakeMetric>, window: Window, count: usize, times: &[f64], end_s: f64) -> Box<dyn Metric> {
    let film = Film::new(count, 1000.0);
    let mut metric = make_in(entry, &film, None, window);
    // Twice: a reset must leave nothing behind.
    for _ in 0..2 {
        metric.reset();
        let all: Vec<_> = (0..count as u32).map(|k| (k, (-0.5, 1.0))).collect();
        film.show(metric.as_mut(), 0.0, &all, &[]);
        for (k, &time_s) in times.iter().enumerate() {
            film.show(metric.as_mut(), time_s - 0.5, &all[k..], &[]);
            film.show(metric.as_mut(), time_s + 0.5, &all[k + 1..], &[exit(k, 0, time_s + 0.5, (0.5, 1.0))]);
        }
        film.show(metric.as_mut(), end_s, &all[times.len()..], &[]);
    }
    metric
}

fn near(value: Option<f64>, wanted: f64) {
    assert!(value.is_some_and(|v| (v - wanted).abs() < 1e-12), "{value:?} is not {wanted}");
}

#[test]
fn one_every_two_seconds_is_half_a_person_per_second() {
    let times: Vec<f64> = (1..=11).map(|k| 2.0 * f64::from(k)).collect();
    for window in [Window::All, MIDDLE, Window::Steady, Window::TimeS(5.0, 15.0)] {
        near(run(&FLOW_PER_S, window, 11, &times, 23.0).value(), 0.5);
        near(run(&SPECIFIC_FLOW_PER_M_S, window, 11, &times, 23.0).value(), 0.25);
        near(run(&TIME_GAP_MEAN_S, window, 11, &times, 23.0).value(), 2.0);
        near(run(&TIME_GAP_P95_S, window, 11, &times, 23.0).value(), 2.0);
    }
}

#[test]
fn windows_leave_the_slow_ends_out() {
    // Gaps 10, 1, 1, 1, 1, 1, 1, 1, 1, 30.
    let times = [2.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 50.0];
    near(run(&FLOW_PER_S, Window::All, 11, &times, 51.0).value(), 10.0 / 48.0);
    near(run(&FLOW_PER_S, MIDDLE, 11, &times, 51.0).value(), 1.0);
    near(run(&TIME_GAP_MEAN_S, Window::All, 11, &times, 51.0).value(), 4.8);
    // Rank 0.95 x 9 = 8.55 between 10 (rank 8) and 30 (rank 9).
    near(run(&TIME_GAP_P95_S, Window::All, 11, &times, 51.0).value(), 21.0);
    assert_eq!(run(&TIME_GAP_MEAN_S, Window::TimeS(12.5, 14.5), 11, &times, 51.0).samples(), [1.0]);
}

#[test]
fn waiting_in_a_jam_lowers_the_flow() {
    let times = [2.0, 4.0, 6.0, 8.0];
    // Four of ten pass, then nobody for 30 s: rank 8 of 9 never passes.
    near(run(&FLOW_PER_S, MIDDLE, 10, &times, 38.0).value(), 4.0 / 36.0);
    near(run(&FLOW_PER_S, Window::All, 10, &times, 38.0).value(), 4.0 / 36.0);
    near(run(&FLOW_PER_S, Window::TimeS(3.0, 20.0), 10, &times, 38.0).value(), 3.0 / 16.0);
    assert_eq!(run(&TIME_GAP_MEAN_S, Window::All, 10, &times, 38.0).samples(), [2.0, 2.0, 2.0, 30.0]);
    // The end comes before the next gap is over: nothing was seen of a jam.
    near(run(&FLOW_PER_S, Window::All, 10, &times, 9.5).value(), 0.5);
    // The window ends before the jam.
    near(run(&FLOW_PER_S, Window::TimeS(0.0, 8.0), 10, &times, 38.0).value(), 0.5);
    near(run(&FLOW_PER_S, Window::Ranks(0.0, 0.3), 10, &times, 38.0).value(), 0.5);
}

#[test]
fn a_total_jam_is_a_flow_of_zero_and_one_long_gap() {
    assert_eq!(run(&FLOW_PER_S, MIDDLE, 10, &[], 40.0).value(), Some(0.0));
    assert_eq!(run(&FLOW_PER_S, MIDDLE, 10, &[5.0], 40.0).value(), Some(0.0));
    assert_eq!(run(&TIME_GAP_MEAN_S, Window::All, 10, &[], 40.0).value(), Some(40.0));
    assert_eq!(run(&TIME_GAP_P95_S, Window::All, 10, &[5.0], 40.0).value(), Some(35.0));
    // A single person has no flow.
    assert_eq!(run(&FLOW_PER_S, MIDDLE, 1, &[5.0], 40.0).value(), None);
    assert_eq!(run(&TIME_GAP_MEAN_S, MIDDLE, 1, &[5.0], 40.0).value(), None);
}

#[test]
fn everybody_counts_once_in_either_direction() {
    let film = Film::new(2, 100.0);
    let mut metric = make_in(&TIME_GAP_MEAN_S, &film, None, Window::All);
    // Person 0 goes over at 0.5 s, back, and over again; person 1 comes the other way at 2.75 s.
    for (time_s, x0, x1) in [(0.0, -1.0, 5.0), (1.0, 1.0, 5.0), (2.0, -1.0, 3.0), (3.0, 1.0, -1.0)] {
        film.show(metric.as_mut(), time_s, &[(0, (x0, 1.0)), (1, (x1, 1.0))], &[]);
    }
    assert_eq!(metric.samples(), [2.25]);
}

#[test]
fn crossings_of_one_interval_are_put_in_order_of_time() {
    let film = Film::new(3, 100.0);
    let mut metric = make_in(&TIME_GAP_MEAN_S, &film, None, Window::All);
    film.show(metric.as_mut(), 0.0, &[(0, (-3.0, 1.0)), (1, (-1.0, 1.0)), (2, (-2.0, 1.0))], &[]);
    film.show(metric.as_mut(), 4.0, &[(0, (1.0, 1.0)), (1, (3.0, 1.0)), (2, (2.0, 1.0))], &[]);
    assert_eq!(metric.samples(), [1.0, 1.0]);
}

#[test]
fn a_line_of_the_file_comes_before_the_line_of_the_plan() {
    let film = Film::new(1, 100.0);
    let line = Segment { a: vec2(9.0, 0.0), b: vec2(9.0, 2.0) };
    let mut metric = make_in(&TIME_GAP_MEAN_S, &film, Some(Place::Line(line)), Window::All);
    film.show(metric.as_mut(), 0.0, &[(0, (8.0, 1.0)), (1, (-1.0, 1.0)), (2, (8.5, 1.0))], &[]);
    film.show(metric.as_mut(), 1.0, &[(0, (10.0, 1.0)), (1, (1.0, 1.0)), (2, (9.5, 1.0))], &[]);
    film.show(metric.as_mut(), 5.0, &[(0, (10.0, 1.0))], &[]);
    assert_eq!(metric.samples(), [0.0]);
    let mut bare = Film::new(1, 100.0);
    let world = std::sync::Arc::get_mut(&mut bare.scenario.world).unwrap();
    world.plan.lines.clear();
    assert_eq!(make(&FLOW_PER_S, &bare).value(), None);
}

/// East and west over the line x = 0 (drawn upwards: forward is west).
#[test]
fn directions_count_apart() {
    let film = Film::new(4, 100.0);
    let of = |direction: f64| {
        let mut metric = make_set(&TIME_GAP_MEAN_S, &film, Window::All, &[direction]);
        // 0 and 1 go east at 0.5 and 1.5 s, 2 and 3 west at 0.25 and 3.25 s; person 1 turns and comes back.
        let places =
            [[-0.5, -1.5, 0.25, 3.25], [0.5, -0.5, -0.75, 2.25], [1.5, 0.5, -1.75, 1.25], [2.5, -0.5, -2.75, 0.25]];
        for (k, x) in places.into_iter().chain([[3.5, -1.5, -3.75, -0.75]]).enumerate() {
            let people: Vec<_> = x.into_iter().enumerate().map(|(id, x)| (id as u32, (x, 1.0))).collect();
            film.show(metric.as_mut(), k as f64, &people, &[]);
        }
        metric.samples().to_vec()
    };
    assert_eq!(of(0.0), [0.25, 1.0, 1.75]);
    // Forward: 2 at 0.25, 1 on the way back at 2.5, 3 at 3.25.
    assert_eq!(of(1.0), [2.25, 0.75]);
    assert_eq!(of(2.0), [1.0]);
}

#[test]
fn who_goes_the_other_way_is_no_jam() {
    let film = Film::new(4, 100.0);
    // All four have a journey; 0 and 1 pass eastwards (backward), 2 and 3 stand east of the line.
    let run = |direction: f64| {
        let mut metric = make_set(&FLOW_PER_S, &film, Window::All, &[direction]);
        for (time_s, x) in [(0.0, [-0.5, -1.5]), (1.0, [0.5, -0.5]), (2.0, [1.5, 0.5]), (50.0, [2.5, 1.5])] {
            film.show(
                metric.as_mut(),
                time_s,
                &[(0, (x[0], 1.0)), (1, (x[1], 1.0)), (2, (8.0, 1.0)), (3, (9.0, 1.0))],
                &[],
            );
        }
        metric.value()
    };
    near(run(2.0), 1.0);
    assert_eq!(run(1.0), Some(0.0));
    // Both: 2 and 3 have not passed, so the gap from 1.5 to 50 s counts.
    near(run(0.0), 2.0 / 49.5);
}

/// Four people go around a ring of 10 m at 1 m/s, 2.5 m apart, for 40 s; the line lies at `x`.
fn ring(entry: &'static Entry<MakeMetric>, x: f64, speed: f64, window: Window) -> Box<dyn Metric> {
    let mut film = Film::ring(4, 100.0);
    film.scenario.groups[0].stages.clear();
    film.scenario.groups[0].pull = Pull::Heading(vec2(speed.signum(), 0.0));
    let line = Segment { a: vec2(x, 0.0), b: vec2(x, 2.0) };
    let mut metric = make_in(entry, &film, Some(Place::Line(line)), window);
    for k in 0..=400 {
        let time_s = 0.1 * f64::from(k);
        let place =
            |id: u32| film.scenario.world.plan.periodic.wrap(vec2(0.73 + 2.5 * f64::from(id) + speed * time_s, 1.0));
        let people: Vec<_> = (0..4).map(|id| (id, (place(id).x, 1.0))).collect();
        film.show(metric.as_mut(), time_s, &people, &[]);
    }
    metric
}

#[test]
fn a_ring_is_passed_once_a_lap_wherever_the_line_is() {
    for (x, speed) in [(0.0, 1.0), (10.0, 1.0), (0.02, 1.0), (9.99, -1.0), (5.0, -1.0), (0.0, -1.0)] {
        for window in [Window::All, Window::Steady, MIDDLE, Window::TimeS(21.0, 39.0)] {
            let flow = ring(&FLOW_PER_S, x, speed, window).value();
            assert!((flow.unwrap() - 0.4).abs() < 1e-9, "{x} {speed} {window:?}: {flow:?}");
        }
        // 40 m of way each: 16 crossings of 4 people.
        assert_eq!(ring(&TIME_GAP_MEAN_S, x, speed, Window::All).samples().len(), 15, "{x} {speed}");
    }
}

#[test]
fn a_jam_on_a_ring_is_a_flow_of_zero_and_trembling_is_none() {
    assert_eq!(ring(&FLOW_PER_S, 0.0, 0.0, Window::All).value(), Some(0.0));
    let film = Film::ring(1, 100.0);
    let mut metric = make_in(&TIME_GAP_MEAN_S, &film, None, Window::All);
    for (k, x) in [9.9, 0.1, 9.9, 0.1, 9.9, 0.1].into_iter().enumerate() {
        film.show(metric.as_mut(), k as f64, &[(0, (x, 1.0))], &[]);
    }
    assert_eq!(metric.samples().len(), 0);
}

#[test]
fn only_those_who_came_in_are_missed() {
    let mut film = Film::new(30, 100.0);
    film.scenario.groups[0].inflow_per_s = Some(0.5);
    let mut metric = make(&FLOW_PER_S, &film);
    film.show(metric.as_mut(), 0.0, &[(0, (-0.5, 1.0))], &[]);
    film.show(metric.as_mut(), 50.0, &[(0, (-0.5, 1.0))], &[]);
    // One person has no flow; two of whom none passes have none either, but that counts.
    assert_eq!(metric.value(), None);
    film.show(metric.as_mut(), 51.0, &[(0, (-0.5, 1.0)), (1, (-1.5, 1.0))], &[]);
    assert_eq!(metric.value(), Some(0.0));
}

#[test]
fn a_group_has_a_flow_of_its_own() {
    let mut film = Film::new(3, 100.0);
    film.scenario.groups.push(film.scenario.groups[0].clone());
    let mut metric = make_of(&TIME_GAP_MEAN_S, &film, 1);
    for time_s in [0.0, 4.0] {
        let mut people = crowd(&[(0, (time_s - 1.0, 1.0)), (1, (time_s - 2.0, 1.0)), (2, (time_s - 0.5, 1.0))]);
        people.group = vec![1, 1, 0];
        film.show_crowd(metric.as_mut(), time_s, &people, &[]);
    }
    assert_eq!(metric.samples(), [1.0]);
}

#[test]
fn the_tail_of_a_power_law_has_its_exponent() {
    // Logarithms over the smallest gap: 0, 1, 2, 3.
    let e = std::f64::consts::E;
    near(tail(&[e * e, 1.0, e * e * e, e], 0.0), 1.0 + 4.0 / 6.0);
    // Quantiles of a Pareto law with the exponent 2.5: P(gap > g) = g^-1.5, tail by tail the same.
    let gaps: Vec<_> = (0..20_000).map(|k| libm::pow((f64::from(k) + 0.5) / 20_000.0, -1.0 / 1.5)).collect();
    for from in [0.0, 0.5, 0.95] {
        let found = tail(&gaps, from).unwrap();
        assert!((found - 2.5).abs() < 0.01, "{from}: {found}");
    }
    assert_eq!(tail(&[1.0, 2.0], 0.0), None);
    assert_eq!(tail(&[2.0; 50], 0.95), None);
    assert_eq!(tail(&[0.0, 0.0, 0.0, 1.0], 0.0), None);
    // The metric: gaps 1, 1, 2, 4 from the start of the tail at 0.
    let mut film = Film::new(5, 100.0);
    film.scenario.groups[0].stages.clear();
    let mut metric = make_set(&TIME_GAP_TAIL, &film, Window::All, &[0.0, 0.0]);
    let start = [-0.5, -1.5, -2.5, -4.5, -8.5];
    for time_s in [0.0, 10.0] {
        let people: Vec<_> = start.iter().enumerate().map(|(id, x)| (id as u32, (x + time_s, 1.0))).collect();
        film.show(metric.as_mut(), time_s, &people, &[]);
    }
    near(metric.value(), 1.0 + 4.0 / (3.0 * std::f64::consts::LN_2));
}

const TENTHS: Window = Window::Crossings { shares: (0.1, 0.9), of: None };

#[test]
fn crossings_count_between_the_samples_that_saw_them() {
    // Seen half a second late, at 2.5, 4.5, .. 20.5 s: the first and the ninth of ten are 8 people and 16 s apart.
    let times: Vec<f64> = (1..=10).map(|k| 2.0 * f64::from(k)).collect();
    near(run(&FLOW_PER_S, TENTHS, 10, &times, 23.0).value(), 0.5);
    assert_eq!(run(&TIME_GAP_MEAN_S, TENTHS, 10, &times, 23.0).samples(), [2.0; 8]);
    // Ten others never come: of twenty the second crossed, the eighteenth did not. As in the study of narrow gates, ten
    // people took from the first sample with one to the end.
    near(run(&FLOW_PER_S, TENTHS, 20, &times, 40.0).value(), 10.0 / 37.5);
}

#[test]
fn everybody_whom_a_sample_saw_has_crossed() {
    // Five cross: two are seen at 1 s, one at 2 s, two at 4 s. 20 % is the first, so N is 2 there; 80 % the fourth, N is 5.
    let film = Film::new(5, 100.0);
    let window = Window::Crossings { shares: (0.2, 0.8), of: None };
    let mut metric = make_in(&FLOW_PER_S, &film, None, window);
    let seen_s = [1.0, 1.0, 2.0, 4.0, 4.0];
    for time_s in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] {
        let x = |at: f64| if time_s >= at { 0.5 } else { -0.3 };
        let people: Vec<_> = (0..).zip(seen_s.map(|at| (x(at), 1.0))).collect();
        film.show(metric.as_mut(), time_s, &people, &[]);
    }
    near(metric.value(), 3.0 / 3.0);
    // Another line times it: x = 3 is never crossed, and the five are still to come.
    let of = Some([(3.0, 0.0), (3.0, 2.0)]);
    let mut metric = make_in(&FLOW_PER_S, &film, None, Window::Crossings { shares: (0.2, 0.8), of });
    film.show(metric.as_mut(), 0.0, &[(0, (-0.5, 1.0)), (1, (-1.5, 1.0))], &[]);
    film.show(metric.as_mut(), 1.0, &[(0, (0.5, 1.0)), (1, (-0.5, 1.0))], &[]);
    film.show(metric.as_mut(), 3.0, &[(0, (1.5, 1.0)), (1, (0.5, 1.0))], &[]);
    // At 0.5 s and at 2 s.
    near(metric.value(), 1.0 / 1.5);
}
