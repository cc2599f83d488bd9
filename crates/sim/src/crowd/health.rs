//! Whether a run can be trusted.

/// Speed below which nobody is suspicious, m/s. Chosen here: a runner; together with three times the desired speed it
/// leaves room for people who are pushed.
const CALM_M_PER_S: f64 = 5.0;

/// Numerical health of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Health {
    /// Number of steps.
    pub steps: u64,
    /// Number of people present, summed over steps.
    pub agent_steps: u64,
    /// Highest speed seen, m/s.
    pub top_speed_m_per_s: f64,
    /// Deepest overlap seen at a sample, as a share of the smaller radius.
    pub max_overlap_share: f64,
    /// People still inside at the end.
    pub people_left: u64,
    /// Simulated time at the end, s.
    pub end_s: f64,
}

/// The speed beyond which a run is unhealthy, m/s, for a person of this desired and highest speed.
pub fn speed_limit(desired_m_per_s: f64, max_m_per_s: f64) -> f64 {
    let wanted = if max_m_per_s.is_finite() { desired_m_per_s.max(max_m_per_s) } else { desired_m_per_s };
    (3.0 * wanted).max(CALM_M_PER_S)
}
