//! Density and speed in an area, classic and by Voronoi cells.

use super::pace::HALF_WINDOW_FRAMES;
use super::region::{BLIND_POINTS, CUT_OFF_M, Method, Watch};
use super::{At, MakeMetric, Metric, Plot, Seen, Spec, Table, Window};
use crate::world::scenario::Scenario;
use crowdtune_core::registry::{Entry, Param, Settings};

/// People in an area per m2.
pub static DENSITY_PER_M2: Entry<MakeMetric> = Entry {
    name: "density_per_m2",
    doc: "People in an area over its size, averaged over the samples of the window.",
    source: "PedPy compute_classic_density; the window is chosen here",
    params: &[],
    make: MakeMetric::new(&|spec, scenario| Box::new(Density::new(spec, scenario, Method::Classic, &[])), "1/m2")
        .at(At::Region)
        .window(Window::Steady),
};

/// Voronoi density of an area.
pub static DENSITY_VORONOI_PER_M2: Entry<MakeMetric> = Entry {
    name: "density_voronoi_per_m2",
    doc: "Voronoi density of an area, the mean of 1 / cell size over its points, averaged over the samples of the \
          window.",
    source: "Steffen and Seyfried 2010; PedPy compute_voronoi_density; the window is chosen here",
    params: CELL_PARAMS,
    make: MakeMetric::new(
        &|spec, scenario| Box::new(Density::new(spec, scenario, Method::Voronoi, CELL_PARAMS)),
        "1/m2",
    )
    .at(At::Region)
    .window(Window::Steady),
};

/// Mean speed of the people in an area.
pub static SPEED_AREA_M_PER_S: Entry<MakeMetric> = Entry {
    name: "speed_area_m_per_s",
    doc: "Mean speed of the people in an area, averaged over the samples of the window at which somebody is inside.",
    source: "PedPy compute_mean_speed_per_frame, single-sided at the ends; the window is chosen here",
    params: &[HALF_WINDOW_FRAMES],
    make: MakeMetric::new(
        &|spec, scenario| Box::new(Speed::new(spec, scenario, Method::Classic, &[HALF_WINDOW_FRAMES])),
        "m/s",
    )
    .at(At::Region)
    .window(Window::Steady),
};

/// Voronoi speed of an area.
pub static SPEED_VORONOI_M_PER_S: Entry<MakeMetric> = Entry {
    name: "speed_voronoi_m_per_s",
    doc: "Voronoi speed of an area, the mean over its points of the speed of the person whose cell it is, averaged \
          over the samples of the window.",
    source: "PedPy compute_voronoi_speed, single-sided at the ends; the window is chosen here",
    params: SPEED_PARAMS,
    make: MakeMetric::new(&|spec, scenario| Box::new(Speed::new(spec, scenario, Method::Voronoi, SPEED_PARAMS)), "m/s")
        .at(At::Region)
        .window(Window::Steady),
};

const CELL_PARAMS: &[Param] = &[CUT_OFF_M, BLIND_POINTS];
/// The params of a Voronoi speed.
pub(super) const SPEED_PARAMS: &[Param] = &[CUT_OFF_M, BLIND_POINTS, HALF_WINDOW_FRAMES];

struct Density(Watch);

impl Density {
    fn new(spec: &Spec, scenario: &Scenario, method: Method, params: &'static [Param]) -> Self {
        Self(Watch::density(spec, scenario, method, Settings::new(params, &spec.settings)))
    }
}

impl Metric for Density {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.0.observe(seen);
    }

    fn value(&self) -> Option<f64> {
        let all = self.0.densities();
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    }

    fn samples(&self) -> Vec<f64> {
        self.0.densities().to_vec()
    }

    fn table(&self) -> Option<Table> {
        let (times, moments) = self.0.moments();
        let rows = times.iter().zip(&moments).map(|(&time, m)| vec![time, m.density]).collect();
        Some(Table { plot: Plot::Curves, columns: &["time_s", "density_per_m2"], rows })
    }

    fn reset(&mut self) {
        self.0.reset();
    }
}

struct Speed(Watch);

impl Speed {
    fn new(spec: &Spec, scenario: &Scenario, method: Method, params: &'static [Param]) -> Self {
        Self(Watch::speed(spec, scenario, method, Settings::new(params, &spec.settings)))
    }
}

impl Metric for Speed {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.0.observe(seen);
    }

    fn value(&self) -> Option<f64> {
        self.0.mean(|m| m.speed)
    }

    fn table(&self) -> Option<Table> {
        let (times, moments) = self.0.moments();
        let rows = times.iter().zip(&moments).map(|(&time, m)| vec![time, m.density, m.speed]).collect();
        Some(Table { plot: Plot::Curves, columns: &["time_s", "density_per_m2", "speed_m_per_s"], rows })
    }

    fn reset(&mut self) {
        self.0.reset();
    }
}
