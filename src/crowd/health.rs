//! Whether a run can be trusted.

/// What was seen of a run's numerical health.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Health {
    /// Steps done.
    pub steps: u64,
    /// Sum over steps of people present.
    pub agent_steps: u64,
    /// Highest speed seen, m/s.
    pub top_speed_m_per_s: f64,
    /// Deepest overlap seen at a sample, as a share of the smaller radius.
    pub max_overlap_share: f64,
    /// People left inside at the end.
    pub people_left: u64,
    /// Simulated time at the end, s.
    pub end_s: f64,
}
