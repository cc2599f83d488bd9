//! The hybrid is its parts where it is told to be one of them, and blends, pushes and expresses where it is not.

use crowdtune_core::math::Vec2;
use crowdtune_sim::crowd::Crowd;
use crowdtune_testing::walk::{load, walk};

/// Two groups who cross beside a pillar, some of whom start late.
const SQUARE: &str = r#"
[people]
desired_speed_m_per_s = { uniform = [0.9, 1.6] }
radius_m = { uniform = [0.2, 0.3] }
start_time_s = { uniform = [0.0, 1.0] }
[scenario.square]
walkable = "POLYGON ((0 0, 14 0, 14 10, 0 10, 0 0))"
obstacles = "POLYGON ((6.5 4, 7.5 4, 7.5 6, 6.5 6, 6.5 4))"
[scenario.square.group.east]
count = 25
from = { area = [[0.5, 2], [5, 8]] }
to = { line = [[14, 3], [14, 7]] }
[scenario.square.group.north]
count = 15
from = { area = [[5, 0.5], [9, 3.5]] }
to = { line = [[5, 10], [9, 10]] }
[measure.left]
metric = "people_left"
"#;

const NO_CONTACT: &str = "body_stiffness_kg_per_s2 = 0.0\nsliding_friction_kg_per_m_s = 0.0\n";

/// Bits of all places and velocities after each of 80 steps of 0.1 s.
fn bits(model: &str, parameters: &str) -> Vec<u64> {
    let experiment =
        load(model, &format!("[parameters]\n{parameters}\n{SQUARE}[simulation]\ntime_step_s = 0.1\n")).unwrap();
    let mut bits = Vec::new();
    let mut watch = |crowd: &Crowd| {
        for v in crowd.pos.iter().chain(&crowd.vel) {
            bits.extend([v.x.to_bits(), v.y.to_bits()]);
        }
    };
    walk(&experiment, 5, 80, &mut watch).unwrap();
    bits
}

#[test]
fn without_the_continuum_it_is_the_local_model_bit_for_bit() {
    let alone = "guidance = 0.0\nlocal_density_per_m2 = 1000.0\n";
    assert_eq!(bits("hybrid", &format!("{NO_CONTACT}{alone}")), bits("orca", ""));
    // Of constants that both have the hybrid takes the defaults of ORCA.
    let shared = "responsibility = 0.5\ntime_horizon_s = 3.0\nobstacle_time_horizon_s = 1.0\nneighbor_distance_m = 8.0\n\
                  max_neighbors = 6\nmax_speed_factor = 1.4\nfield_of_view_deg = 360.0\n";
    assert_eq!(bits("hybrid", &format!("{NO_CONTACT}{alone}{shared}local = \"rvo\"\n")), bits("rvo", shared));
    assert_ne!(bits("hybrid", NO_CONTACT), bits("orca", ""));
}

#[test]
fn with_nothing_but_the_continuum_it_is_that_bit_for_bit() {
    let flow = "local_density_per_m2 = 0.0\ncontinuum_density_per_m2 = 0.0\n";
    for constants in ["", "minimum_distance = false\ncell_m = 0.7\n"] {
        assert_eq!(bits("hybrid", &format!("{NO_CONTACT}{flow}{constants}")), bits("continuum", constants));
    }
    assert_ne!(bits("hybrid", &format!("{flow}field_every_s = 0.3\n")), bits("hybrid", flow));
}

/// Where a group at rest ends that wants to go nowhere, after some seconds.
fn rest(parameters: &str, points: &str, count: usize, seconds: f64) -> Crowd {
    let text = format!(
        "[parameters]\n{parameters}\n[people]\nradius_m = 0.3\nmass_kg = 80.0\n[scenario.hall]\n\
         walkable = \"POLYGON ((-9 -9, 9 -9, 9 9, -9 9, -9 -9))\"\n[scenario.hall.group.all]\ncount = {count}\n\
         from = {{ points = [{points}] }}\n[measure.spread]\nmetric = \"dispersion_m\"\n[simulation]\ntime_step_s = 0.1\n"
    );
    let mut last = Crowd::default();
    let experiment = load("hybrid", &text).unwrap();
    walk(&experiment, 1, (seconds * 10.0) as u64, &mut |crowd| last = crowd.clone()).unwrap();
    last
}

#[test]
fn bodies_that_overlap_are_pushed_apart_by_one_implicit_step() {
    // From rest, m (1 + dt / tau) v' + 2 dt^2 k v' = dt k g along the line.
    let parameters = "max_neighbors = 0\nlocal_density_per_m2 = 1000.0\nguidance = 0.0\npush_m_per_s = 0.0\n";
    let crowd = rest(parameters, "[0, 0], [0.5, 0]", 2, 0.1);
    let expected = 0.1 * 1.2e5 * 0.1 / (80.0 * (1.0 + 0.1 / 0.5) + 2.0 * 0.01 * 1.2e5);
    assert!((crowd.vel[1].x - expected).abs() < 1e-6 && (crowd.vel[0].x + expected).abs() < 1e-6, "{:?}", crowd.vel);
    assert!((crowd.pressure[0] - 1.2e5 * 0.1 / (std::f64::consts::TAU * 0.3)).abs() < 1e-6);
    // Without overlap nothing acts.
    assert_eq!(rest(parameters, "[0, 0], [0.7, 0]", 2, 0.1).vel, [Vec2::ZERO; 2]);
}

#[test]
fn cohesion_draws_the_group_together_and_separation_drives_it_apart() {
    let points: Vec<String> =
        (0..9).map(|k| format!("[{}, {}]", f64::from(k % 3) * 1.5 - 1.5, f64::from(k / 3) * 1.5 - 1.5)).collect();
    let spread = |parameters: &str| {
        let crowd = rest(parameters, &points.join(", "), 9, 4.0);
        crowd.pos.iter().map(|p| p.length()).sum::<f64>() / 9.0
    };
    let (plain, together, apart) = (spread(""), spread("cohesion_weight = 1.0\n"), spread("separation_weight = 1.0\n"));
    assert!((plain - 1.609).abs() < 0.01, "who wants nothing stands: {plain} m");
    assert!(together < plain - 0.2 && apart > plain + 0.2, "{together}, {plain}, {apart}");
}
