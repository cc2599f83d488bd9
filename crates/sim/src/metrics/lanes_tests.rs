use super::super::testing::{Film, make, make_with, near};
use super::*;
use crate::metrics::Place;
use crate::world::Torus;
use crowdtune_core::math::vec2;
use proptest::prelude::*;

/// People across the way at `y`, who go 1 m/s forward or back for a second.
fn show(film: &Film, metric: &mut dyn Metric, all: &[(f64, i8)]) -> Option<f64> {
    for second in [0.0, 1.0] {
        let place = |(id, &(y, sign)): (u32, &(f64, i8))| (id, (f64::from(id) + second * f64::from(sign), y));
        film.show(metric, second, &(0..).zip(all).map(place).collect::<Vec<_>>(), &[]);
    }
    metric.value()
}

fn value(entry: &'static Entry<MakeMetric>, all: &[(f64, i8)]) -> Option<f64> {
    let film = Film::new(8, 10.0);
    show(&film, make(entry, &film).as_mut(), all)
}

#[test]
fn two_lanes_are_order_and_a_mixture_is_not() {
    let lanes = [(0.1, 1), (0.3, 1), (0.2, 1), (1.0, -1), (1.3, -1)];
    near(value(&LANE_ORDER, &lanes), 1.0);
    near(value(&LANE_ORDER_REDUCED, &lanes), 1.0);
    near(value(&BAND_INDEX, &lanes), 1.0);
    // Pairs that walk into each other: one same (oneself), one opposite.
    let mixed = [(0.1, 1), (0.1, -1), (1.0, 1), (1.0, -1)];
    near(value(&LANE_ORDER, &mixed), 0.0);
    near(value(&BAND_INDEX, &mixed), 0.0);
    // Three in one lane, one against them: ((3 - 1) / 4)^2.
    let jostle = [(0.1, 1), (0.2, -1), (0.3, 1), (0.1, 1), (9.0, -1)];
    near(value(&LANE_ORDER, &jostle), (4.0 * 0.25 + 1.0) / 5.0);
    // Bands 0 and 22: (0.5 + 1) / 2.
    near(value(&BAND_INDEX, &jostle), 0.75);
    // One direction only, and one person against many, are no lanes.
    assert_eq!(value(&LANE_ORDER, &[(0.1, 1), (0.3, 1), (0.2, 1)]), None);
    assert_eq!(value(&BAND_INDEX, &[(0.1, 1), (0.3, 1), (0.2, -1)]), None);
    assert_eq!(value(&LANE_ORDER, &[]), None);
}

#[test]
fn chance_is_the_mean_over_all_ways_to_deal_the_directions() {
    // All pairs of four are beside each other only where |y - y'| < 0.4: a chain 0, 0.3, 0.6 and one apart at 2.
    let y = [0.0, 0.3, 0.6, 2.0];
    let signs = [[1, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1], [-1, 1, 1, -1], [-1, 1, -1, 1], [-1, -1, 1, 1]];
    let of = |entry, signs: &[i8; 4]| value(entry, &(0..4).map(|k| (y[k], signs[k])).collect::<Vec<_>>()).unwrap();
    let null = signs.iter().map(|s| of(&LANE_ORDER, s)).sum::<f64>() / 6.0;
    // By hand: pairs give 1/3, the middle one of three (1/3)^2, who is alone 1.
    assert!((null - (2.0 / 3.0 + 1.0 / 9.0 + 1.0) / 4.0).abs() < 1e-12);
    for s in &signs {
        near(Some(of(&LANE_ORDER_REDUCED, s)), (of(&LANE_ORDER, s) - null) / (1.0 - null));
    }
    // Where everybody walks alone, nothing is beyond chance.
    assert_eq!(value(&LANE_ORDER_REDUCED, &[(0.0, 1), (1.0, 1), (2.0, -1), (3.0, -1)]), None);
}

#[test]
fn who_stands_keeps_the_direction() {
    let film = Film::new(8, 10.0);
    let mut metric = make_with(&LANE_ORDER, &film, |spec| spec.window = Window::TimeS(2.0, 2.0));
    let people = |x: [f64; 5]| (0..5).map(|id| (id as u32, (x[id], [0.0, 0.0, 1.0, 1.0, 1.0][id]))).collect::<Vec<_>>();
    film.show(metric.as_mut(), 0.0, &people([0.0, 0.0, 0.0, 0.0, 5.0]), &[]);
    film.show(metric.as_mut(), 1.0, &people([1.0, 1.0, -1.0, -1.0, 5.0]), &[]);
    // They sway backward by less than 0.1 m/s; the fifth has never walked and does not count.
    film.show(metric.as_mut(), 2.0, &people([0.95, 0.95, -0.95, -0.95, 5.05]), &[]);
    near(metric.value(), 1.0);
    metric.reset();
    film.show(metric.as_mut(), 1.0, &people([1.0, 1.0, -1.0, -1.0, 5.0]), &[]);
    film.show(metric.as_mut(), 2.0, &people([0.95, 0.95, -0.95, -0.95, 5.05]), &[]);
    assert_eq!(metric.value(), None);
}

#[test]
fn lanes_along_y_in_an_area() {
    let film = Film::new(8, 10.0);
    let area = Polygon::rectangle(vec2(0.05, -10.0), vec2(4.0, 10.0));
    let of = |entry| {
        let mut metric = make_with(entry, &film, |spec| {
            spec.settings[0] = 1.0;
            spec.at = Some(Place::Area(area.clone()));
        });
        // x of 0.41 is in the first band, as bands begin at the area's edge; the one at -1 is outside.
        let all = [(0.1, 1.0), (0.41, -1.0), (0.5, -1.0), (3.0, 1.0), (-1.0, 1.0)];
        for second in [0.0, 1.0] {
            let people = (0..).zip(&all).map(|(id, &(x, sign))| (id, (x, second * sign))).collect::<Vec<_>>();
            film.show(metric.as_mut(), second, &people, &[]);
        }
        metric.value()
    };
    near(of(&BAND_INDEX), (0.0 + 1.0 + 1.0) / 3.0);
    // 0.1 and 0.41 are beside each other, and 0.41 and 0.5; 0.1 and 0.5 are just not.
    near(of(&LANE_ORDER), (0.0 + 1.0 / 9.0 + 1.0 + 1.0) / 4.0);
}

#[test]
fn lanes_cross_the_seam() {
    let film = Film::new(8, 10.0).closed(Torus { x: None, y: Some((0.0, 8.0)) });
    let all = [(0.1, 1), (7.9, 1), (7.8, -1), (2.0, -1)];
    // 0.1 and 7.9 are 0.2 apart, 0.1 and 7.8 are 0.3: the three share (2 - 1) / 3.
    near(show(&film, make(&LANE_ORDER, &film).as_mut(), &all), (3.0 / 9.0 + 1.0) / 4.0);
    // With lanes as wide as the ring everybody is beside everybody, once.
    let mut wide = make_with(&LANE_ORDER, &film, |spec| spec.settings[2] = 4.0);
    near(show(&film, wide.as_mut(), &[(0.0, 1), (2.0, 1), (4.0, 1), (5.0, -1), (6.0, -1)]), 1.0 / 25.0);
}

#[test]
fn who_drifts_over_the_seam_is_in_the_lane_there() {
    // 7.9 to 0.1 across the way, beside 0.2: each pair of lanes is in order.
    let film = Film::new(8, 10.0).closed(Torus { x: None, y: Some((0.0, 8.0)) });
    let area = Polygon::rectangle(vec2(-5.0, 0.0), vec2(5.0, 8.0));
    let whole = |_: &mut crate::metrics::Spec| {};
    let in_area = |spec: &mut crate::metrics::Spec| spec.at = Some(Place::Area(area.clone()));
    let changes: [&dyn Fn(&mut crate::metrics::Spec); 2] = [&whole, &in_area];
    for change in changes {
        let mut metric = make_with(&LANE_ORDER, &film, change);
        let people = |x: f64, drift: f64| [(0, (x, drift)), (1, (-x, 0.2)), (2, (x, 3.0)), (3, (-x, 5.0))];
        film.show(metric.as_mut(), 0.0, &people(0.0, 7.9), &[]);
        film.show(metric.as_mut(), 1.0, &people(1.0, 0.1), &[]);
        // 0 and 1 walk side by side against each other, 2 and 3 alone.
        near(metric.value(), (0.0 + 0.0 + 1.0 + 1.0) / 4.0);
    }
}

proptest! {
    #[test]
    fn order_is_what_all_pairs_give(
        people in prop::collection::vec((0.0..8.0f64, any::<bool>()), 0..30),
        ring in any::<bool>(),
    ) {
        let all: Vec<_> = people.iter().map(|&(y, up)| (y, if up { 1 } else { -1 })).collect();
        let film = Film::new(8, 10.0);
        let film = if ring { film.closed(Torus { x: None, y: Some((0.0, 8.0)) }) } else { film };
        let world = &film.scenario.world;
        let share = |y: f64| {
            let beside = all.iter().filter(|p| world.apart(vec2(0.0, y), vec2(0.0, p.0)).y.abs() < 0.4);
            let (count, sum) = beside.fold((0.0, 0.0), |s, p| (s.0 + 1.0, s.1 + f64::from(p.1)));
            (sum / count) * (sum / count)
        };
        let up = all.iter().filter(|p| p.1 > 0).count();
        match show(&film, make(&LANE_ORDER, &film).as_mut(), &all) {
            Some(phi) => {
                let wanted = all.iter().map(|p| share(p.0)).sum::<f64>() / all.len() as f64;
                prop_assert!((phi - wanted).abs() < 1e-9, "{} is not {}", phi, wanted);
            }
            None => prop_assert!(up < 2 || all.len() - up < 2),
        }
    }
}
