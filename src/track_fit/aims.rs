//! What a fit can tune.

/// What `--tune` takes; `macroscopic` is all of [`MACROSCOPIC`].
pub(crate) const AIMS: [&str; 7] =
    ["tracks", "entropy", "flow", "n_t", "density_map", "fundamental_diagram", "macroscopic"];

/// Something that is measured of a whole crowd, of people who walk from where they came in to their goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aim {
    /// As `--tune` and the experiment name it.
    pub name: &'static str,
    /// Head of a column.
    pub title: &'static str,
    /// Metric.
    pub metric: &'static str,
    /// The place in the scenario where it is measured; everywhere without one.
    pub at: Option<&'static str>,
}

/// All of them.
pub(crate) static MACROSCOPIC: [Aim; 4] = [
    Aim { name: "flow", title: "flow, 1/s", metric: "flow_per_s", at: Some("across") },
    Aim { name: "n_t", title: "N(t) off, s", metric: "n_t_error_s", at: Some("across") },
    Aim { name: "density_map", title: "density map off, 1/m2", metric: "density_map_error_per_m2", at: None },
    Aim {
        name: "fundamental_diagram",
        title: "fundamental diagram off, m/s",
        metric: "fundamental_diagram_error_m_per_s",
        at: Some("before"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_sim::metrics::METRICS;

    #[test]
    fn every_aim_has_its_metric_and_its_word() {
        for aim in &MACROSCOPIC {
            assert!(AIMS.contains(&aim.name) && METRICS.iter().any(|entry| entry.name == aim.metric), "{aim:?}");
        }
    }
}
