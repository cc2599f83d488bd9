//! Crowd pressure: dense and unsteady at once.

use super::pace::HALF_WINDOW_FRAMES;
use super::region::{Method, Watch};
use super::{At, MakeMetric, Metric, Plot, Seen, Spec, Table, Window};
use crate::world::scenario::Scenario;
use crowdtune_core::registry::{Entry, Param, Settings};

/// Density times variance of the velocities in an area.
pub static CROWD_PRESSURE_PER_S2: Entry<MakeMetric> = Entry {
    name: "crowd_pressure_per_s2",
    doc: "Density in an area times the variance of the velocities of the people in it, averaged over the samples of \
          the window.",
    source: "Helbing, Johansson, Al-Abideen 2007; classic density of an area instead of their Gaussian weights, \
             chosen here",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| Box::new(CrowdPressure::new(spec, scenario)), "1/s2")
        .less_is_better()
        .at(At::Region)
        .window(Window::Steady),
};

const PARAMS: &[Param] = &[HALF_WINDOW_FRAMES];

struct CrowdPressure(Watch);

impl CrowdPressure {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        Self(Watch::speed(spec, scenario, Method::Classic, Settings::new(PARAMS, &spec.settings)))
    }
}

impl Metric for CrowdPressure {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.0.observe(seen);
    }

    fn value(&self) -> Option<f64> {
        self.0.mean(|m| m.density * m.variance)
    }

    fn table(&self) -> Option<Table> {
        let (times, moments) = self.0.moments();
        let rows = times.iter().zip(&moments);
        let rows = rows.map(|(&time, m)| vec![time, m.density, m.variance, m.density * m.variance]).collect();
        Some(Table {
            plot: Plot::Curves,
            columns: &["time_s", "density_per_m2", "variance_m2_per_s2", "pressure_per_s2"],
            rows,
        })
    }

    fn reset(&mut self) {
        self.0.reset();
    }
}
