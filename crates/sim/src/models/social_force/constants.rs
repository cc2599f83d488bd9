//! The constants of a group, ready for the loops over people.

use crowdtune_core::registry::Settings;

/// Gap between bodies beyond which the repulsion is dropped, m: 0.99 m with the published constants, where 1/250,000 of
/// the force remains.
pub fn felt_gap(strength_n: f64, range_m: f64, min_mass_kg: f64, negligible_m_per_s2: f64) -> f64 {
    if strength_n <= 0.0 {
        return 0.0;
    }
    (range_m * libm::log(strength_n / min_mass_kg / negligible_m_per_s2)).max(0.0)
}

/// Constants of one group, ready for the pair loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants {
    pub strength: f64,
    pub per_range: f64,
    /// Gap between bodies beyond which people are not felt, m.
    pub feels: f64,
    pub wall_strength: f64,
    pub wall_per_range: f64,
    pub wall_feels: f64,
    pub per_relaxation: f64,
    pub anisotropy: f64,
    pub panic: f64,
    pub herding_radius: f64,
    pub noise: f64,
    pub lanes: InLanes,
}

/// Constants of the kernel, in single precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct InLanes {
    pub per_range: f32,
    pub feels: f32,
    /// Strength times (1 + lambda) / 2, felt from the side, and times (1 - lambda) / 2, added from ahead.
    pub middle: f32,
    pub behind: f32,
}

impl Constants {
    pub fn new(s: &Settings<'_>, min_mass: f64) -> Self {
        let strength = s.get("repulsion_strength_n");
        let range = s.get("repulsion_range_m");
        let wall_strength = if s.on("wall_repulsion") { s.get("wall_repulsion_strength_n") } else { 0.0 };
        let wall_range = s.get("wall_repulsion_range_m");
        let negligible = s.get("negligible_m_per_s2");
        let feels = |strength, range| felt_gap(strength, range, min_mass, negligible);
        let anisotropy = s.get("anisotropy");
        let lanes = InLanes {
            per_range: (1.0 / range) as f32,
            feels: feels(strength, range) as f32,
            middle: (strength * 0.5 * (1.0 + anisotropy)) as f32,
            behind: (strength * 0.5 * (1.0 - anisotropy)) as f32,
        };
        Self {
            lanes,
            strength,
            per_range: 1.0 / range,
            feels: feels(strength, range),
            wall_strength,
            wall_per_range: 1.0 / wall_range,
            wall_feels: feels(wall_strength, wall_range),
            per_relaxation: 1.0 / s.get("relaxation_time_s"),
            anisotropy,
            panic: s.get("panic"),
            herding_radius: s.get("herding_radius_m"),
            noise: s.get("noise_m_per_s2"),
        }
    }
}
