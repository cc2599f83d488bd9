use super::super::testing::{Film, exit, make, make_in};
use super::*;
use crate::math::vec2;

const LINE: Segment = Segment { a: vec2(0.0, 0.0), b: vec2(0.0, 2.0) };

#[test]
fn a_step_that_starts_on_the_line_passes_and_one_that_ends_there_does_not() {
    assert_eq!(passes(LINE, vec2(-1.0, 1.0), vec2(3.0, 1.0)), Some(0.25));
    assert_eq!(passes(LINE, vec2(3.0, 1.0), vec2(-1.0, 1.0)), Some(0.75));
    assert_eq!(passes(LINE, vec2(-1.0, 1.0), vec2(0.0, 1.0)), None);
    assert_eq!(passes(LINE, vec2(0.0, 1.0), vec2(1.0, 1.0)), Some(0.0));
    assert_eq!(passes(LINE, vec2(-1.0, 2.5), vec2(1.0, 2.5)), None);
    assert_eq!(passes(LINE, vec2(-1.0, 2.0), vec2(1.0, 2.0)), Some(0.5));
    assert_eq!(passes(LINE, vec2(-2.0, 1.0), vec2(-1.0, 1.0)), None);
    assert_eq!(passes(LINE, vec2(0.0, 0.5), vec2(0.0, 1.5)), None);
}

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
