//! Whether a run can be trusted.

use crowdtune_core::Error;

/// Speed below which nobody is suspicious, m/s. Chosen here: a runner; together with three times the desired speed it
/// leaves room for people who are pushed.
pub const CALM_M_PER_S: f64 = 5.0;

/// Speed against the own way from which somebody walks backwards, m/s: slower people stand, by the threshold of the
/// single-file experiments on an oval (Juelich).
const BACKWARD_M_PER_S: f64 = 0.04;

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
    /// People on their way to a goal or along a heading, summed over samples.
    pub walking_samples: u64,
    /// Those of them who walk backwards.
    pub backward_samples: u64,
    /// Simulated time at the end, s.
    pub end_s: f64,
}

/// The speed beyond which a run is unhealthy, m/s, for a person of this desired and highest speed.
pub fn speed_limit(desired_m_per_s: f64, max_m_per_s: f64) -> f64 {
    let wanted = if max_m_per_s.is_finite() { desired_m_per_s.max(max_m_per_s) } else { desired_m_per_s };
    (3.0 * wanted).max(CALM_M_PER_S)
}

/// True for a velocity whose component along the desired direction, m/s, is that of somebody who walks backwards.
pub fn is_backward(along_m_per_s: f64) -> bool {
    along_m_per_s < -BACKWARD_M_PER_S
}

impl Health {
    /// Share of their time that people on their way to a goal or along a heading walk backwards, seen at samples: faster than
    /// 0.04 m/s against the desired direction. `None` if nobody has a way.
    pub fn backward_share(&self) -> Option<f64> {
        (self.walking_samples > 0).then(|| self.backward_samples as f64 / self.walking_samples as f64)
    }

    /// Checks how much people walked backwards.
    ///
    /// # Errors
    /// If it is more than this share of their time.
    pub fn check_backward(&self, most: f64) -> Result<(), Error> {
        match self.backward_share() {
            Some(share) if share > most => Err(Error::nothing(format!(
                "people walk backwards for {:.0} % of their time (limit {:.0} %)",
                100.0 * share,
                100.0 * most
            ))),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_stands_or_sways_does_not_walk_backwards() {
        assert!(!is_backward(0.0) && !is_backward(-0.03) && is_backward(-0.05));
        let mut health = Health::default();
        assert_eq!(health.backward_share(), None);
        health.check_backward(0.0).unwrap();
        (health.walking_samples, health.backward_samples) = (8, 6);
        assert_eq!(health.backward_share(), Some(0.75));
        health.check_backward(0.75).unwrap();
        let error = health.check_backward(0.5).unwrap_err();
        assert_eq!(error.what(), "people walk backwards for 75 % of their time (limit 50 %)");
    }
}
