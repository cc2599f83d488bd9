use super::*;
use crate::report::fixture;

#[test]
fn importance_is_a_line_and_says_when_it_cannot_tell() {
    let mut i = fixture::summary().importance[0].clone();
    assert_eq!(
        importance(&i, false),
        "What mattered: relaxation_time_s 62 %, repulsion_range_m 31 %, repulsion_strength_n 12 % (a model of the log \
         explains 81 % of the ranks)"
    );
    i.shares.clear();
    i.explained = Some(-0.2);
    assert_eq!(
        importance(&i, true),
        "What mattered for loss: cannot tell, a model of the log explains too little (0 % of the ranks)"
    );
    i.explained = None;
    assert_eq!(importance(&i, false), "What mattered: cannot tell from 60 trials");
}

#[test]
fn a_flat_valley_is_said_in_values_and_percent() {
    let mut s = fixture::summary();
    assert_eq!(
        valleys(&s),
        [
            "repulsion_range_m and repulsion_strength_n cannot be told apart: raising repulsion_range_m by 50 % (0.2 m to 0.3 m) \
          while lowering repulsion_strength_n by 75 % (800 N to 200 N) changes the loss by less than its noise (0.0500)"
        ]
    );
    let found = s.identified.as_mut().unwrap();
    found.widths[0].share = 0.95;
    found.pairs[0].confounded = false;
    assert_eq!(
        valleys(&s),
        ["relaxation_time_s is not determined: every value of its range is within the noise of the best (0.0500)"]
    );
    let mut with = |curvature: f64, way: [f64; 3]| {
        let found = s.identified.as_mut().unwrap();
        found.widths[0].share = 0.3;
        (found.curvature[0], found.directions[0]) = (curvature, way.to_vec());
        valleys(&s)
    };
    assert!(with(0.1, [-0.5, 0.05, -0.6]).is_empty(), "two are a pair, which is not confounded");
    assert_eq!(
        with(0.1, [-0.5, 0.25, -0.6]),
        [
            "3 parameters cannot be told apart: changed together over their ranges in the proportions relaxation_time_s +83 %, \
          repulsion_range_m \u{2212}42 %, repulsion_strength_n +100 % they change the loss by less than its noise (0.0500)"
        ]
    );
    assert!(with(5.0, [-0.5, 0.25, -0.6]).is_empty(), "not flat");
    s.identified = None;
    assert!(valleys(&s).is_empty());
}

#[test]
fn intervals_name_the_ends_of_the_range_in_words() {
    let s = fixture::summary();
    let mut w = s.identified.as_ref().unwrap().widths[1].clone();
    let of = |w: &Width| interval(&s.genes[1], w);
    assert_eq!(of(&w), "0.12 m to 0.34 m");
    w.open = (true, false);
    assert_eq!(of(&w), "up to 0.34 m");
    w.open = (true, true);
    assert_eq!(of(&w), "the whole range");
}
