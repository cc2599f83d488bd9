//! A crowded door with all features of the social force, for tests of its results.

/// All features at once; who is out frees rows.
pub const EVERYTHING: &str = r#"
[parameters]
panic = 0.4
herding_radius_m = 3.0
anisotropy = 0.5
impatience = true
injuries = true
injury_threshold_n_per_m = 400.0
injury_duration_s = 0.02
noise_m_per_s2 = 0.5
wall_repulsion_strength_n = 1500.0
[people]
desired_speed_m_per_s = { normal = [3.0, 0.3], clip = [2.0, 4.0] }
max_speed_m_per_s = 6.0
radius_m = { uniform = [0.2, 0.25] }
start_time_s = { uniform = [0.0, 0.3] }
[scenario.smoke]
kind = "two_exits"
count = 40
width_m = 4.5
depth_m = 4.5
sight_m = 2.0
limit_s = 3.0
[measure.left]
metric = "people_left"
[simulation]
time_step_s = 0.02
"#;
