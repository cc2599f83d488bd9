//! B4: at 3 people per m2 who all walk one way `continuum` kept its speed, and nothing could slow it down.

use crowdtune_testing::walk::{load, walk};
use std::fmt::Write as _;

/// Mean speed along the ring after 4 s, as a share of the wished speed: 240 people on 20 x 4 m.
fn share(parameters: &str) -> f64 {
    let mut points = String::new();
    for k in 0..240 {
        let (row, at) = (k / 10, k % 10);
        let y = 0.38 * f64::from(at) + if row % 2 == 0 { 0.2 } else { 0.35 };
        write!(points, "[{:.3}, {y:.3}], ", 20.0 * (f64::from(row) + 0.5) / 24.0).unwrap();
    }
    let text = format!(
        "people = {{ desired_speed_m_per_s = 1.34, radius_m = 0.18 }}\nmeasure.speed.metric = \"speed_mean_m_per_s\"\n\
         parameters = {{ {parameters} }}\nsimulation.max_overlap_share = 2.0\n[scenario.ring]\n\
         walkable = \"POLYGON ((0 0, 20 0, 20 4, 0 4, 0 0))\"\nperiodic = \"x\"\nlimit_s = 30.0\n\
         group.all = {{ count = 240, from = {{ points = [{points}] }}, to = {{ heading = [1, 0] }} }}\n"
    );
    let mut speed = 0.0;
    walk(&load("continuum", &text).unwrap(), 1, 40, &mut |crowd| {
        speed = crowd.vel.iter().map(|v| v.x).sum::<f64>() / 240.0;
    })
    .unwrap();
    speed / 1.34
}

#[test]
fn with_crowding_a_dense_stream_is_slow() {
    assert!(share("") > 0.95);
    // 1.34 - 0.25 x 3 over 1.34 is 0.44; a tenth for what the grid blurs.
    let slow = share("crowding_m3_per_s = 0.25, splat_exponent = 1.375");
    assert!((slow - 0.44).abs() < 0.1, "{slow}");
}
