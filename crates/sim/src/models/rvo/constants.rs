//! The constants of one group, ready for the kernels.

use crate::models::view_cos;
use crowdtune_core::registry::Settings;

/// Constants of one group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants {
    /// alpha.
    pub responsibility: f64,
    /// w, m.
    pub weight: f32,
    pub horizon: f64,
    pub wall_horizon: f64,
    pub margin: f64,
    pub max_speed_factor: f64,
    pub max_acceleration: f64,
    /// How far others are seen, m, and the cosine of half the field of view; below -1 for all around.
    pub sees: f64,
    pub view_cos: f64,
    /// Most people avoided.
    pub most: usize,
}

impl Constants {
    pub fn new(s: &Settings<'_>, responsibility: f64) -> Self {
        Self {
            responsibility,
            weight: s.get("safety_factor_m") as f32,
            horizon: s.get("time_horizon_s"),
            wall_horizon: s.get("obstacle_time_horizon_s"),
            margin: s.get("margin_share"),
            max_speed_factor: s.get("max_speed_factor"),
            max_acceleration: s.get("max_acceleration_m_per_s2"),
            sees: s.get("neighbor_distance_m"),
            view_cos: view_cos(s.get("field_of_view_deg")),
            most: s.whole("max_neighbors") as usize,
        }
    }
}
