//! B5: before a door of 1 m bodies of `hybrid` overlapped by 0.18 m under 13 kN/m, because only old positions pushed.

use crowdtune_sim::crowd::Crowd;
use crowdtune_testing::walk::{load, walk};

/// 60 people before a bottleneck of 1 m at 3.3 per m2.
const CRUSH: &str = r#"
people = { desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }, radius_m = 0.2 }
[simulation]
max_overlap_share = 2.0
[scenario.b]
kind = "bottleneck"
count = 60
width_m = 1.0
start_density_per_m2 = 3.3
[measure.left]
metric = "people_left"
"#;

/// Deepest overlap of two people, m.
pub fn deepest(crowd: &Crowd) -> f64 {
    let mut deepest = 0.0_f64;
    for i in 0..crowd.len() {
        for j in 0..i {
            let apart = (crowd.pos[i] - crowd.pos[j]).length();
            deepest = deepest.max(crowd.radius[i] + crowd.radius[j] - apart);
        }
    }
    deepest
}

#[test]
fn bodies_of_the_hybrid_press_no_deeper_than_those_of_the_social_force() {
    let mut overlap_m = 0.0_f64;
    let mut pressures = Vec::new();
    walk(&load("hybrid", CRUSH).unwrap(), 1, 120, &mut |crowd| {
        overlap_m = overlap_m.max(deepest(crowd));
        pressures.extend_from_slice(&crowd.pressure);
    })
    .unwrap();
    pressures.sort_by(f64::total_cmp);
    let high = pressures[pressures.len() * 95 / 100];
    // `social_force` without its repulsion at a distance: 0.023 m, 5.5 kN/m.
    assert!(overlap_m < 0.023 && high < 5500.0, "{overlap_m} m, {high} N/m");
    assert!(high > 100.0, "nobody presses: {high} N/m");
}
