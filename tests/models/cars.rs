//! People keep away from a group that brings discomfort with it, and from where it will be.

use crowdtune_core::math::Vec2;
use crowdtune_testing::walk::{load, walk};
use std::fmt::Write as _;

/// A hall of 24 m by 10 m with these groups; the tracks of everybody.
fn tracks(model: &str, weight: f64, more: &str) -> Vec<Vec<Vec2>> {
    let text = format!(
        "parameters = {{ discomfort_weight = {weight:?}, cell_m = 0.5 }}\n\
         people = {{ desired_speed_m_per_s = 1.3, radius_m = 0.25 }}\n\
         [scenario.hall]\nlimit_s = 60.0\nwalkable = \"POLYGON ((0 0, 24 0, 24 10, 0 10, 0 0))\"\n{more}"
    );
    let experiment = load(model, &text).unwrap();
    let mut tracks: Vec<Vec<Vec2>> = Vec::new();
    let steps = (10.0 / experiment.timing.time_step_s) as u64;
    walk(&experiment, 1, steps, &mut |crowd| {
        tracks.resize(tracks.len().max(crowd.len()), Vec::new());
        crowd.pos.iter().zip(&mut tracks).for_each(|(&p, track)| track.push(p));
    })
    .unwrap();
    tracks
}

const PASSER: &str = "group.one = { count = 1, from = { points = [[2, 5.4]] }, to = { gather = [23, 5] } }\n";

/// The way past a standing car.
fn past(weight: f64, place: &str, car: &str) -> Vec<Vec2> {
    let car = format!("{place}group.car = {{ count = 1, from = {{ points = [[12, 5]] }}{car} }}\n{PASSER}");
    tracks("continuum", weight, &car)[1].clone()
}

#[test]
fn a_standing_car_is_a_drawn_disc() {
    let mut disc = String::new();
    for k in 0..64 {
        let angle = std::f64::consts::TAU * f64::from(k) / 64.0;
        write!(disc, "[{}, {}], ", 12.0 + 2.0 * libm::cos(angle), 5.0 + 2.0 * libm::sin(angle)).unwrap();
    }
    let drawn = past(2.0, &format!("discomfort = [{{ area = [{disc}], people_per_m2 = 5.0 }}]\n"), "");
    let brought = past(2.0, "", ", discomfort = { people_per_m2 = 5, radius_m = 2, ahead_s = 2 }");
    let plain = past(2.0, "", "");
    let most = |a: &[Vec2], b: &[Vec2]| a.iter().zip(b).map(|(p, q)| (*p - *q).length()).fold(0.0, f64::max);
    // The disc's polygon lies up to 2 mm inside it: no more than a look or two into a cell.
    assert!(most(&drawn, &brought) < 0.05, "{}", most(&drawn, &brought));
    assert!(most(&plain, &brought) > 1.0, "{}", most(&plain, &brought));
}

#[test]
fn without_weight_a_car_brings_nothing() {
    let brings = ", discomfort = { people_per_m2 = 5, radius_m = 2, ahead_s = 2 }";
    assert_eq!(past(0.0, "", brings), past(0.0, "", ""));
    let nothing = ", discomfort = { people_per_m2 = 0, radius_m = 2 }";
    assert_eq!(past(2.0, "", nothing), past(2.0, "", ""));
}

#[test]
fn people_keep_off_the_lane_ahead_of_a_car_and_not_behind_it() {
    let ways = |model: &str, weight: f64, other: &str| {
        let car = "group.car = { count = 1, from = { points = [[5, 5]] }, to = { heading = [1, 0] }, \
                   discomfort = { people_per_m2 = 5, radius_m = 1, ahead_s = 3 } }\n";
        tracks(model, weight, &format!("{car}{other}"))
    };
    for model in ["continuum", "group_dynamics", "hybrid"] {
        let both = |other: &str| [2.0, 0.0].map(|weight| ways(model, weight, other));
        // Its own people do not feel it.
        let [with, without] = both("");
        assert_eq!(with, without, "{model}");
        // Whoever crosses its lane behind it feels nothing of it, ahead of it a lot.
        let crossing = |x: f64| {
            let other = format!(
                "group.walker = {{ count = 1, from = {{ points = [[{x}, 2]] }}, to = {{ heading = [0, 1] }} }}\n"
            );
            let [with, without] = both(&other);
            with[1].iter().zip(&without[1]).map(|(p, q)| (*p - *q).length()).fold(0.0, f64::max)
        };
        let (behind, ahead) = (crossing(1.0), crossing(9.0));
        assert!(behind < 0.05 && ahead > 0.5, "{model}: {behind} m behind, {ahead} m ahead");
        // Who comes towards it is beside the lane when it is still 4 m away; its body alone moves people later.
        let [with, without] =
            both("group.oncoming = { count = 1, from = { points = [[18, 5.2]] }, to = { heading = [-1, 0] } }\n");
        let there = |tracks: &[Vec<Vec2>]| {
            let meets = tracks[1].iter().zip(&tracks[0]).find(|(p, car)| p.x - car.x < 4.0).unwrap();
            (meets.0.y - 5.2).abs()
        };
        let (with, without) = (there(&with), there(&without));
        assert!(with > 0.5 && with > without + 0.2, "{model}: {with} m, {without} m without");
    }
}

#[test]
fn with_travel_time_fields_every_model_keeps_off_the_lane_ahead_of_a_car() {
    // A standing car with its nose to nobody: the people of other models walk round its circle, those of its own group do not.
    for model in ["social_force", "rvo", "orca", "five_force"] {
        let way = |weight: f64| {
            let field = format!("navigation = {{ kind = \"field\", cell_m = 0.25, discomfort_weight = {weight:?} }}");
            let weighed = if weight > 0.0 { field } else { "navigation = { kind = \"field\", cell_m = 0.25 }".into() };
            let brings = if weight > 0.0 { ", discomfort = { people_per_m2 = 5, radius_m = 2 }" } else { "" };
            let text = format!(
                "people = {{ desired_speed_m_per_s = 1.3, radius_m = 0.25 }}\n[scenario.hall]\nlimit_s = 60.0\n{weighed}\n\
                 walkable = \"POLYGON ((0 0, 24 0, 24 10, 0 10, 0 0))\"\n\
                 group.car = {{ count = 1, from = {{ points = [[12, 5]] }}{brings} }}\n\
                 group.one = {{ count = 1, from = {{ points = [[2, 5.4]] }}, to = {{ point = [23, 5] }} }}\n"
            );
            let experiment = load(model, &text).unwrap();
            let mut nearest = f64::INFINITY;
            let steps = (12.0 / experiment.timing.time_step_s) as u64;
            walk(&experiment, 1, steps, &mut |crowd| {
                if let [car, one] = crowd.pos[..] {
                    nearest = nearest.min((car - one).length());
                }
            })
            .unwrap();
            nearest
        };
        let (kept, plain) = (way(2.0), way(0.0));
        assert!(kept > 1.7 && plain < 1.3, "{model}: {kept} m, {plain} m without");
    }
}
