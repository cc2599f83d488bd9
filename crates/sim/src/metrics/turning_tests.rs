use super::super::Window;
use super::super::testing::{Film, make, make_in, near};
use super::*;
use crowdtune_core::math::vec2;

/// One person at `place(t)` on a ring of 10 m in x, for `seconds` s, sampled every 0.1 s.
fn walk(
    entry: &'static Entry<MakeMetric>,
    window: Window,
    seconds: u32,
    place: impl Fn(f64) -> (f64, f64),
) -> Option<f64> {
    let film = Film::ring(1, 100.0);
    let mut metric = make_in(entry, &film, None, window);
    for k in 0..=10 * seconds {
        let time_s = 0.1 * f64::from(k);
        let (x, y) = place(time_s);
        let place = film.scenario.world.plan.periodic.wrap(vec2(x, y));
        film.show(metric.as_mut(), time_s, &[(0, (place.x, place.y))], &[]);
    }
    metric.value()
}

/// On a circle around a point of the seam at 1 m/s.
fn circle(radius: f64) -> impl Fn(f64) -> (f64, f64) {
    move |t| (radius * libm::cos(t / radius), radius * libm::sin(t / radius))
}

#[test]
fn a_circle_turns_by_360_degrees_over_its_length() {
    for radius in [1.0, 3.0] {
        // 80 chords of the angle 0.5 / r, with 79 turns between them.
        let angle = 0.5 / radius;
        let found = walk(&TURNING_DEG_PER_M, Window::All, 40, circle(radius));
        near(found, 79.0 * angle.to_degrees() / (80.0 * 2.0 * radius * libm::sin(0.5 * angle)));
        // At the start one turn is missing, and the polygon is shorter than the circle.
        assert!((found.unwrap() / (360.0 / (std::f64::consts::TAU * radius)) - 1.0).abs() < 0.015, "{radius}");
        near(walk(&TURN_RATE_P95_DEG_PER_S, Window::All, 40, circle(radius)), (1.0 / radius).to_degrees());
        near(walk(&SIDESTEP_P95_DEG, Window::All, 40, circle(radius)), 0.0);
    }
    // In a window no turn is missing.
    let (angle, window) = (0.5_f64, Window::TimeS(10.0, 20.0));
    near(walk(&TURNING_DEG_PER_M, window, 40, circle(1.0)), angle.to_degrees() / (2.0 * libm::sin(0.25)));
}

#[test]
fn a_straight_walk_around_a_ring_does_not_turn() {
    for entry in [&TURNING_DEG_PER_M, &TURN_RATE_P95_DEG_PER_S, &SIDESTEP_P95_DEG] {
        near(walk(entry, Window::All, 40, |t| (1.33 * t, 2.0)), 0.0);
        near(walk(entry, Window::All, 40, |t| (-1.33 * t, 2.0)), 0.0);
    }
}

/// Around a square of 4 m at 1 m/s.
fn square(t: f64) -> (f64, f64) {
    let side = (t / 4.0 + 1e-9).floor();
    let on = t - 4.0 * side;
    match side as u32 % 4 {
        0 => (on, 0.0),
        1 => (4.0, on),
        2 => (4.0 - on, 4.0),
        _ => (0.0, 4.0 - on),
    }
}

#[test]
fn a_square_turns_by_90_degrees_a_side() {
    // Three rounds: 48 m, eleven corners.
    near(walk(&TURNING_DEG_PER_M, Window::All, 48, square), 11.0 * 90.0 / 48.0);
    // One of eight intervals has a corner, 90 degrees in 0.5 s.
    near(walk(&TURN_RATE_P95_DEG_PER_S, Window::All, 48, square), 180.0);
}

#[test]
fn a_zigzag_steps_aside() {
    // Half a second to the left, half a second to the right, at 45 degrees each: three steps of one kind and two of the
    // other make a way at atan(1 / 5).
    let zigzag = |t: f64| {
        let turns = (2.0 * t + 1e-9).floor();
        let on = t - 0.5 * turns;
        (t, if (turns as u32).is_multiple_of(2) { on } else { 0.5 - on })
    };
    near(walk(&SIDESTEP_P95_DEG, Window::All, 40, zigzag), 45.0 - 0.2_f64.atan().to_degrees());
    near(walk(&TURN_RATE_P95_DEG_PER_S, Window::All, 40, zigzag), 180.0);
    near(walk(&TURNING_DEG_PER_M, Window::All, 40, zigzag), 79.0 * 90.0 / (40.0 * 2.0_f64.sqrt()));
}

#[test]
fn a_trembling_person_has_no_heading() {
    let tremble = |t: f64| (0.01 * libm::sin(40.0 * t), 0.01 * libm::cos(31.0 * t));
    assert_eq!(walk(&TURN_RATE_P95_DEG_PER_S, Window::All, 20, tremble), None);
    assert_eq!(walk(&SIDESTEP_P95_DEG, Window::All, 20, tremble), None);
    near(walk(&TURNING_DEG_PER_M, Window::All, 20, tremble), 0.0);
}

#[test]
fn who_turns_while_standing_has_turned_slowly() {
    // East for 2 s, a rest of 3 s, then north.
    let place = |t: f64| (t.min(2.0), (t - 5.0).max(0.0));
    let mut metric = make(&TURN_RATE_P95_DEG_PER_S, &Film::new(1, 100.0));
    let film = Film::new(1, 100.0);
    for k in 0..=100 {
        film.show(metric.as_mut(), 0.1 * f64::from(k), &[(0, place(0.1 * f64::from(k)))], &[]);
    }
    let most = metric.samples().iter().copied().fold(0.0, f64::max);
    // From the middle of the last chord before to that of the first after: 3.5 s.
    near(Some(most), 90.0 / 3.5);
}
