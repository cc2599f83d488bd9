//! What a recording shows of the whole crowd, for people who walk from where they came in to where they wanted to go.

use super::aims::Aim;
use super::lines::Measured;
use crate::format;
use crowdtune_core::Error;
use crowdtune_core::registry::defaults;
use crowdtune_sim::crowd::recording::Recording;
use crowdtune_sim::metrics::recorded::{Request, Staging, measure};
use crowdtune_sim::metrics::{METRICS, Place, Window};
use crowdtune_sim::world::scenario::FloorPlan;
use std::collections::BTreeMap;

/// A run that differs by so much is as far off as measurements of the same crowd are. Source: the tolerances of the calibration of JuPedSim by
/// its own team (jupedsim-dakota-calibration, 2026), 6 % of a flow, 10 % of a density or speed.
const FLOW_TOLERANCE: f64 = 0.06;
const STATE_TOLERANCE: f64 = 0.1;

/// Interval between samples, s: the default of an experiment.
const SAMPLE_S: f64 = 0.1;

/// What is wanted of something until the held-out time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wanted {
    /// This value.
    Equals(f64),
    /// An error far below this one, which is a loss of 1.
    Below(f64, &'static str),
}

impl Wanted {
    /// As an experiment says it.
    pub(crate) fn text(self) -> String {
        match self {
            Self::Equals(value) => format!(
                "equals = {}                    # as recorded: within 6 % costs nothing, 12 % off costs 1\ntolerance = \"6 %\"\n",
                format::number(value)
            ),
            Self::Below(bad, of) => {
                format!("minimize = {{ good = 0.0, bad = {} }}      # a loss of 1: {of}\n", format::number(bad))
            }
        }
    }
}

/// What a recording has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Macroscopic {
    /// What is wanted until the held-out time, by the name of the aim; without those of which the recording has nothing.
    pub wanted: BTreeMap<&'static str, Wanted>,
    /// Flows over the line, 1/s: `flow`, and in the held-out time `held_out_flow`.
    pub flows: BTreeMap<String, f64>,
}

impl Macroscopic {
    /// Measures a recording in its place.
    ///
    /// # Errors
    /// If it cannot be measured.
    pub(crate) fn of(
        recording: &Recording,
        plan: &FloorPlan,
        at: &Measured,
        held_out_from_s: f64,
    ) -> Result<Self, Error> {
        let first_s = recording.moments.first().map_or(0.0, |moment| recording.time_s(moment.frame));
        let middle_s = first_s + held_out_from_s;
        let (tuned, held_out) = (Window::TimeS(first_s, middle_s), Window::TimeS(middle_s, f64::INFINITY));
        let line = || Some(Place::Line(at.line));
        let mut requests = Vec::new();
        let mut ask = |name: &str, at: Option<Place>, window: Window| {
            let entry = *METRICS.iter().find(|entry| entry.name == name).expect("a metric of this library");
            // The map has no window, but a last time.
            let last = entry.params.iter().position(|param| param.key == "to_s");
            let mut settings = defaults(entry.params);
            if let Some(last) = last {
                settings[last] = middle_s;
            }
            requests.push(Request { entry, at, window, settings });
            requests.len() - 1
        };
        let flow = ask("flow_per_s", line(), tuned);
        let held_out_flow = ask("flow_per_s", line(), held_out);
        let crossings = ask("crossings", line(), tuned);
        let peak = ask("density_peak_per_m2", None, Window::All);
        let speed = at.area.clone().map(|area| ask("speed_voronoi_m_per_s", Some(Place::Area(area)), tuned));
        // As a run is sampled.
        let staging = Staging { every_s: Some(SAMPLE_S), ..Staging::plain(plan.clone()) };
        let metrics = measure(recording, staging, &requests, &mut |_, _| ())?;
        let value = |at: usize| metrics[at].value().filter(|value| *value > 0.0);
        let flow_per_s = value(flow);
        // The time that those who cross take at this flow.
        let taken_s = flow_per_s.zip(value(crossings)).map(|(flow, people)| people / flow);
        let below = |value: f64, share: f64, of| Wanted::Below(share * value, of);
        let wanted = [
            ("flow", flow_per_s.map(Wanted::Equals)),
            ("n_t", taken_s.map(|s| below(s, FLOW_TOLERANCE, "6 % of the time that the crossings take"))),
            ("density_map", value(peak).map(|peak| below(peak, STATE_TOLERANCE, "10 % of the highest density"))),
            (
                "fundamental_diagram",
                speed.and_then(value).map(|speed| below(speed, STATE_TOLERANCE, "10 % of the mean speed")),
            ),
        ];
        let flows = [("flow", flow_per_s), ("held_out_flow", value(held_out_flow))];
        Ok(Self {
            wanted: wanted.into_iter().filter_map(|(name, wanted)| Some((name, wanted?))).collect(),
            flows: flows.into_iter().filter_map(|(name, flow)| Some((name.to_string(), flow?))).collect(),
        })
    }

    /// True if the recording has it until the held-out time, or in it.
    pub(crate) fn has(&self, aim: &Aim, held_out: bool) -> bool {
        match (aim.name, held_out) {
            ("flow", true) => self.flows.contains_key("held_out_flow"),
            (name, _) => self.wanted.contains_key(name),
        }
    }
}
