use super::*;
use crate::metrics::testing::{Film, make_with};
use crowdtune_core::math::vec2;

fn film(restart_every_s: Option<f64>, recorded: &[&[(u32, f64)]]) -> Film {
    let mut film = Film::new(recorded.len(), 10.0);
    let track = |places: &&[(u32, f64)]| places.iter().map(|&(frame, x)| (frame, vec2(x, 0.0))).collect();
    let recorded: Vec<Vec<(u32, Vec2)>> = recorded.iter().map(track).collect();
    let people = recorded.len();
    film.scenario.tracks = Some(Arc::new(Tracks::new(1.0, restart_every_s, recorded, &[people])));
    film
}

/// Three people, of whom the second goes after a second and the third comes then.
fn three() -> Film {
    film(None, &[&[(0, 0.0), (1, 1.0), (2, 2.0)], &[(0, 5.0), (1, 5.0)], &[(1, 3.0), (2, 3.0)]])
}

#[test]
fn squares_are_averaged_over_people_and_samples_that_both_have() {
    let film = three();
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

#[test]
fn displacements_are_averaged_over_samples_and_final_ones_are_the_last() {
    let film = three();
    let [mut average, mut last] = [&ADE_M, &FDE_M].map(|entry| make_with(entry, &film, |_| ()));
    for metric in [average.as_mut(), last.as_mut()] {
        film.show(metric, 1.0, &[(0, (4.0, 4.0)), (1, (4.0, 0.0)), (2, (3.0, 0.0))], &[]);
        film.show(metric, 2.0, &[(0, (2.0, 2.0)), (2, (3.0, 3.0))], &[]);
    }
    // 5 and 1, then 2 and 3.
    assert_eq!((average.value(), average.by_person()), (Some(2.75), vec![(7.0, 2), (1.0, 1), (3.0, 1)]));
    assert_eq!((last.value(), last.by_person()), (Some(2.0), vec![(2.0, 1), (1.0, 1), (3.0, 1)]));
    last.reset();
    assert_eq!((last.value(), last.by_person()), (None, vec![(0.0, 0); 3]));
}

#[test]
fn final_displacements_are_those_of_whole_intervals() {
    let stands = |frames: std::ops::RangeInclusive<u32>| frames.map(|frame| (frame, 0.0)).collect::<Vec<_>>();
    // The second person comes within the first interval, and goes within the second.
    let film = film(Some(2.0), &[&stands(0..=4), &stands(1..=3)]);
    let mut metric = make_with(&FDE_M, &film, |_| ());
    for (time_s, off) in [(1.0, 9.0), (2.0, 3.0), (3.0, 8.0), (4.0, 5.0)] {
        film.show(metric.as_mut(), time_s, &[(0, (off, 0.0)), (1, (off, 0.0))], &[]);
    }
    assert_eq!((metric.value(), metric.by_person()), (Some(4.0), vec![(8.0, 2), (0.0, 0)]));
    // A window that cuts the second interval leaves the first.
    let mut metric = make_with(&FDE_M, &film, |spec| spec.window = Window::TimeS(0.0, 3.0));
    for (time_s, off) in [(1.0, 9.0), (2.0, 3.0), (3.0, 8.0), (4.0, 5.0)] {
        film.show(metric.as_mut(), time_s, &[(0, (off, 0.0))], &[]);
    }
    assert_eq!(metric.value(), Some(3.0));
}

#[test]
fn the_last_of_so_many_people_is_held_out() {
    // By rising id in the recording, not by who comes first.
    let film = film(None, &[&[(1, 0.0), (2, 0.0)], &[(0, 0.0), (2, 0.0)], &[(0, 0.0), (2, 0.0)]]);
    for entry in [&TRACK_ERROR_M2, &ADE_M, &FDE_M] {
        let value = |people: f64| {
            let mut metric = make_with(entry, &film, |spec| spec.settings = vec![people, 3.0]);
            // Ids are in the order of coming: the second, the third, the first.
            film.show(metric.as_mut(), 2.0, &[(0, (1.0, 0.0)), (1, (4.0, 0.0)), (2, (1.0, 0.0))], &[]);
            metric.value()
        };
        let of_third = if entry.name == "track_error_m2" { 16.0 } else { 4.0 };
        assert_eq!([value(0.0), value(1.0), value(2.0)], [Some((2.0 + of_third) / 3.0), Some(1.0), Some(of_third)]);
    }
}

#[test]
fn the_entropy_is_that_of_a_normal_distribution() {
    // Four people who are off by +-0.3 m along x or +-0.1 m along y: covariance diag(0.045, 0.005) around zero.
    let stands: Vec<(u32, f64)> = (0..=1).map(|frame| (frame, 0.0)).collect();
    let film = film(None, &[&stands, &stands, &stands, &stands]);
    let mut metric = make_with(&ENTROPY_METRIC_BITS, &film, |_| ());
    let off = [(0.3, 0.0), (-0.3, 0.0), (0.0, 0.1), (0.0, -0.1)];
    film.show(metric.as_mut(), 1.0, &(0..).zip(off).collect::<Vec<_>>(), &[]);
    // log2(2 pi e) + log2(0.045 x 0.005) / 2 = 4.09419 - 6.05891.
    let bits = metric.value().unwrap();
    assert!((bits - -1.96472).abs() < 1e-4, "{bits}");
    assert!(metric.by_person().is_empty());
    metric.reset();
    assert_eq!(metric.value(), None);
    // All on one line have no area.
    film.show(metric.as_mut(), 1.0, &[(0, (0.3, 0.3)), (1, (-0.1, -0.1))], &[]);
    assert_eq!(metric.value(), None);
}

#[test]
fn a_mean_over_people_says_what_each_adds() {
    let film = three();
    let beside_tracks = crate::metrics::METRICS.iter().filter(|entry| entry.make.needs.contains(&Need::Tracks));
    for entry in beside_tracks {
        let mut metric = make_with(entry, &film, |_| ());
        film.show(metric.as_mut(), 1.0, &[(0, (4.0, 4.0)), (1, (4.0, 0.0))], &[]);
        let people = metric.by_person();
        assert_eq!(entry.make.over_people, !people.is_empty(), "{}", entry.name);
        let (sum, count) = people.iter().fold((0.0, 0), |all, person| (all.0 + person.0, all.1 + person.1));
        if entry.make.over_people {
            assert_eq!(metric.value(), Some(sum / count as f64), "{}", entry.name);
        }
    }
}
