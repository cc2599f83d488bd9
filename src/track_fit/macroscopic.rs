//! What a recording shows of the whole crowd, for people who walk from where they came in to where they wanted to go.

use super::lines::Measured;
use crowdtune_core::Error;
use crowdtune_sim::crowd::recording::Recording;
use crowdtune_sim::metrics::recorded::{Request, Staging, measure};
use crowdtune_sim::metrics::{METRICS, Place, Window};
use crowdtune_sim::world::scenario::FloorPlan;

/// A run that differs by so much is as far off as measurements of the same crowd are. Source: the tolerances of the calibration of JuPedSim by
/// its own team (jupedsim-dakota-calibration, 2026), 6 % of a flow, 10 % of a density or speed.
const FLOW_TOLERANCE: f64 = 0.06;
const STATE_TOLERANCE: f64 = 0.1;

/// Interval between samples, s: the default of an experiment.
const SAMPLE_S: f64 = 0.1;

/// The figures of a recording until the held-out time, `None` where there is nothing to measure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Macroscopic {
    /// Where it was measured.
    pub at: Measured,
    /// Flow over the line, 1/s.
    pub flow_per_s: Option<f64>,
    /// The same in the held-out time.
    pub held_out_flow_per_s: Option<f64>,
    /// What an error of N(t) is measured by, s.
    pub n_t_s: Option<f64>,
    /// What an error of the map of density is measured by, 1/m2.
    pub density_per_m2: Option<f64>,
    /// What an error of the fundamental diagram is measured by, m/s.
    pub speed_m_per_s: Option<f64>,
}

impl Macroscopic {
    /// Measures a recording in its place.
    ///
    /// # Errors
    /// If it cannot be measured.
    pub(crate) fn of(
        recording: &Recording,
        plan: &FloorPlan,
        at: Measured,
        held_out_from_s: f64,
    ) -> Result<Self, Error> {
        let first_s = recording.moments.first().map_or(0.0, |moment| recording.time_s(moment.frame));
        let tuned = Window::TimeS(first_s, first_s + held_out_from_s);
        let held_out = Window::TimeS(first_s + held_out_from_s, f64::INFINITY);
        let line = || Some(Place::Line(at.line));
        let area = || at.area.clone().map(Place::Area);
        let entry = |name: &str| *METRICS.iter().find(|entry| entry.name == name).expect("a metric of this library");
        let mut requests = Vec::new();
        let mut ask = |name: &str, at: Option<Place>, window: Window| {
            requests.push(Request { window, ..Request::plain(entry(name), at) });
            requests.len() - 1
        };
        let flow = ask("flow_per_s", line(), tuned);
        let held_out_flow = ask("flow_per_s", line(), held_out);
        let crossings = ask("crossings", line(), tuned);
        let peak = ask("density_peak_per_m2", None, Window::All);
        let speed = area().map(|area| ask("speed_voronoi_m_per_s", Some(area), tuned));
        // As a run is sampled.
        let staging = Staging { every_s: Some(SAMPLE_S), ..Staging::plain(plan.clone()) };
        let metrics = measure(recording, staging, &requests, &mut |_, _| ())?;
        let value = |at: usize| metrics[at].value().filter(|value| *value > 0.0);
        let flow_per_s = value(flow);
        let people = value(crossings).unwrap_or(0.0);
        Ok(Self {
            flow_per_s,
            held_out_flow_per_s: value(held_out_flow),
            // The time that they take at this flow.
            n_t_s: flow_per_s.map(|flow| FLOW_TOLERANCE * people / flow).filter(|s| *s > 0.0),
            density_per_m2: value(peak).map(|peak| STATE_TOLERANCE * peak),
            speed_m_per_s: speed.and_then(value).map(|speed| STATE_TOLERANCE * speed),
            at,
        })
    }

    /// True if the recording says something of it.
    pub(crate) fn has(&self, name: &str, held_out: bool) -> bool {
        match name {
            "flow" if held_out => self.held_out_flow_per_s.is_some(),
            "flow" => self.flow_per_s.is_some(),
            "n_t" => self.n_t_s.is_some(),
            "density_map" => self.density_per_m2.is_some(),
            _ => self.speed_m_per_s.is_some(),
        }
    }
}
