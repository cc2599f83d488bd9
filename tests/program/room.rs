//! A small room as a file, for tests of the program.

/// Ten people leave a room; 48 evaluations.
pub const ROOM: &str = r#"
format = 1
title = "A tiny room"
model = "social_force"
[parameters]
repulsion_strength_n = { range = [50.0, 5000.0], log = true }
relaxation_time_s = { range = [0.1, 2.0] }
[scenario.room]
kind = "room"
count = 10
width_m = 5.0
depth_m = 5.0
limit_s = 20.0
replicas = 1
[target.time]
metric = "evacuation_time_95_s"
minimize = { good = 5.0, bad = 20.0 }
[target.overlap]
metric = "overlap_max_m"
at_most = 0.05
must = true
[search]
evaluations = 48
parallel = 8
seed = 5
"#;
