//! The fundamental diagram: does speed fall with density as it was measured?

use super::density::SPEED_PARAMS;
use super::pace::HALF_WINDOW_FRAMES;
use super::region::{BLIND_POINTS, CUT_OFF_M, Method, Reading, Watch};
use super::{At, MakeMetric, Metric, Place, Plot, Seen, Spec, Table, Window};
use crate::world::scenario::Scenario;
use crowdtune_core::registry::{Entry, Param, Settings};

/// Share of (density, speed) samples outside a measured band.
pub static FUNDAMENTAL_DIAGRAM: Entry<MakeMetric> = Entry {
    name: "fundamental_diagram",
    doc: "How far Voronoi densities and speeds in an area lie from a measured diagram: the share outside its 10-90 % \
          band, or the mean squared relative deviation.",
    source: "bands and means from the tables of Zhang and others 2011 and 2012, and of single-file runs on an oval; \
             Weidmann 1993; score chosen here",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| Box::new(Diagram::new(spec, scenario)), "")
        .less_is_better()
        .at(At::Region)
        .window(Window::Steady),
};

const PARAMS: &[Param] = &[
    CUT_OFF_M,
    BLIND_POINTS,
    HALF_WINDOW_FRAMES,
    Param::choice(
        "reference",
        "unidirectional",
        &["unidirectional", "ring", "bidirectional", "single_file", "weidmann"],
    )
    .doc("measured diagram to compare with; they differ by up to 0.3 m/s")
    .source("open corridor 3 m wide, ring corridor 1.8 m, two directions in 3.6 m, single file, Weidmann's curve"),
    Param::choice("score", "share_outside", &["share_outside", "squared_deviation"])
        .doc("share of samples outside the band, or mean of ((v - mean) / mean)^2")
        .source("chosen here: experiments scatter, so a band is the fair target"),
];

/// Half width of the band around Weidmann's curve, which has none: a share of the speed. Chosen here: the 10-90 % bands
/// of the other references are 10 to 30 % of their means to each side below 2 /m2.
const WEIDMANN_BAND: f64 = 0.2;
/// Least reference speed that a deviation is divided by, m/s. Chosen here: the means near standstill are noise.
const LEAST_SPEED_M_PER_S: f64 = 0.05;

/// Mean, 10 % and 90 % of the speed in one class of density, m/s.
type Class = (f64, f64, f64);

/// Classes of 0.5 /m2 from 0: open corridor 3 m wide.
const UNIDIRECTIONAL: &[Class] = &[
    (1.49, 1.31, 1.69),
    (1.42, 1.29, 1.57),
    (1.20, 1.11, 1.29),
    (1.04, 0.84, 1.22),
    (0.53, 0.36, 0.80),
    (0.39, 0.29, 0.52),
    (0.22, 0.17, 0.32),
    (0.16, 0.13, 0.18),
];
/// The same for a ring corridor 1.8 m wide.
const RING: &[Class] = &[
    (1.11, 1.01, 1.22),
    (0.94, 0.76, 1.05),
    (0.70, 0.53, 0.83),
    (0.56, 0.50, 0.61),
    (0.42, 0.27, 0.55),
    (0.35, 0.29, 0.44),
    (0.23, 0.17, 0.27),
    (0.17, 0.09, 0.22),
];
/// The same for two directions in a corridor 3.6 m wide.
const BIDIRECTIONAL: &[Class] = &[
    (1.50, 1.37, 1.63),
    (1.32, 1.16, 1.47),
    (1.05, 0.82, 1.23),
    (0.78, 0.65, 0.90),
    (0.58, 0.48, 0.67),
    (0.46, 0.41, 0.52),
    (0.40, 0.36, 0.44),
];
/// Classes of 0.25 /m from 0.25 /m: single file, density along the line.
const SINGLE_FILE: &[Class] = &[
    (1.13, 0.88, 1.26),
    (0.93, 0.80, 1.17),
    (0.86, 0.62, 0.99),
    (0.54, 0.40, 0.82),
    (0.35, 0.21, 0.50),
    (0.25, 0.18, 0.37),
    (0.155, 0.10, 0.23),
    (0.095, 0.05, 0.14),
    (0.051, 0.00, 0.11),
    (0.039, 0.00, 0.08),
    (0.006, -0.02, 0.03),
];

/// What is expected at a density (1/m2, for `single_file` 1/m).
///
/// Below the first class the first one holds. Above the last one, any speed from standstill to the top of its band is
/// inside.
fn class(reference: &str, density: f64) -> Class {
    let (classes, first, width) = match reference {
        "ring" => (RING, 0.0, 0.5),
        "bidirectional" => (BIDIRECTIONAL, 0.0, 0.5),
        "single_file" => (SINGLE_FILE, 0.25, 0.25),
        "weidmann" => {
            let mean = weidmann(density);
            return (mean, (1.0 - WEIDMANN_BAND) * mean, (1.0 + WEIDMANN_BAND) * mean);
        }
        _ => (UNIDIRECTIONAL, 0.0, 0.5),
    };
    let at = ((density - first) / width).floor().max(0.0) as usize;
    classes.get(at).copied().unwrap_or_else(|| {
        let (mean, low, high) = classes[classes.len() - 1];
        (mean, low.min(0.0), high)
    })
}

/// Weidmann 1993: v = 1.34 (1 - exp(-1.913 (1/rho - 1/5.4))) m/s, 1.34 at density 0, 0 above 5.4 /m2.
fn weidmann(density: f64) -> f64 {
    if density <= 0.0 {
        return 1.34;
    }
    (1.34 * (1.0 - libm::exp(-1.913 * (1.0 / density - 1.0 / 5.4)))).max(0.0)
}

struct Diagram {
    watch: Watch,
    reference: &'static str,
    squared: bool,
    /// What a density is multiplied by: the width of the area for the density along a single file, else 1.
    width: f64,
}

impl Diagram {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let settings = Settings::new(PARAMS, &spec.settings);
        // The params begin with those of a Voronoi speed.
        let speed = Settings::new(SPEED_PARAMS, &spec.settings[..SPEED_PARAMS.len()]);
        let watch = Watch::speed(spec, scenario, Method::Voronoi, speed);
        let area = match &spec.at {
            Some(Place::Area(area)) => Some(area),
            _ => scenario.world.plan.areas.first().map(|a| &a.what),
        };
        let reference = settings.word("reference");
        // The longer side of the box around the area is the way along the file.
        let across = area.map_or(1.0, |a| a.area() / a.bounds().size().x.max(a.bounds().size().y));
        let width = if reference == "single_file" { across } else { 1.0 };
        Self { watch, reference, squared: settings.word("score") == "squared_deviation", width }
    }

    /// Density, speed and what is expected there, of the samples at which somebody has a speed.
    fn points(&self) -> Vec<(Reading, Class)> {
        let defined = |m: &Reading| m.speed.is_finite() && m.density > 0.0;
        let moments = self.watch.moments().1.into_iter().filter(defined);
        moments.map(|m| (m, class(self.reference, m.density * self.width))).collect()
    }
}

impl Metric for Diagram {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.watch.observe(seen);
    }

    fn value(&self) -> Option<f64> {
        let points = self.points();
        let scores = points.iter().map(|(m, (mean, low, high))| {
            if self.squared {
                let off = (m.speed - mean) / mean.max(LEAST_SPEED_M_PER_S);
                off * off
            } else {
                f64::from(u8::from(m.speed < *low || m.speed > *high))
            }
        });
        (!points.is_empty()).then(|| scores.sum::<f64>() / points.len() as f64)
    }

    fn table(&self) -> Option<Table> {
        let rows = self.points().into_iter();
        let rows = rows.map(|(m, (_, low, high))| vec![m.density, m.speed, low, high]).collect();
        Some(Table {
            plot: Plot::Dots { x: 0, y: 1, band: Some((2, 3)) },
            columns: &["density_per_m2", "speed_m_per_s", "low_m_per_s", "high_m_per_s"],
            rows,
        })
    }

    fn reset(&mut self) {
        self.watch.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::super::region::tests::{Strip, strip};
    use super::*;

    /// A queue 0.9 m apart in a corridor 1 m wide that walks with one speed: 1.11 /m2 and that speed.
    fn score(speed: f64, reference: f64, squared: f64) -> f64 {
        let Strip { film, people } = strip(0.9, 1.0);
        let mut metric = film.make(&FUNDAMENTAL_DIAGRAM, &[0.0, 1.0, 2.0, reference, squared]);
        for k in 0..9 {
            let time_s = 0.5 * f64::from(k);
            film.show(metric.as_mut(), time_s, &people(speed * time_s));
        }
        let table = metric.table().unwrap();
        assert!(table.rows.iter().all(|r| (r[0] - 1.0 / 0.9).abs() < 1e-9 && (r[1] - speed).abs() < 1e-9), "{table:?}");
        metric.value().unwrap()
    }

    #[test]
    fn walkers_at_a_little_over_one_per_m2_are_judged_by_the_class_above() {
        // 1 to 1.5 /m2: 1.11 to 1.29 m/s one way, 0.53 to 0.83 in the ring, 0.82 to 1.23 with two ways; 1 to 1.25 /m
        // in single file: 0.40 to 0.82.
        for (reference, low, high) in [(0.0, 1.11, 1.29), (1.0, 0.53, 0.83), (2.0, 0.82, 1.23), (3.0, 0.40, 0.82)] {
            for (speed, outside) in [(low - 0.01, 1.0), (low + 0.01, 0.0), (high - 0.01, 0.0), (high + 0.01, 1.0)] {
                assert_eq!(score(speed, reference, 0.0), outside, "{speed} m/s, reference {reference}");
            }
        }
        assert!((score(0.6, 0.0, 1.0) - 0.25).abs() < 1e-9);
    }

    #[test]
    fn weidmann_is_1_06_at_one_per_m2() {
        // 1.34 (1 - exp(-1.913 (1 - 1 / 5.4))) = 1.34 (1 - exp(-1.55874)) = 1.34 x 0.78959 = 1.05806.
        assert!((weidmann(1.0) - 1.05806).abs() < 1e-4);
        assert_eq!((weidmann(0.0), weidmann(6.0)), (1.34, 0.0));
        // At 1 / 0.9 it is 1.34 (1 - exp(-1.36744)) = 0.9986, so the band ends at 1.198.
        assert_eq!(score(1.19, 4.0, 0.0), 0.0);
        assert_eq!(score(1.21, 4.0, 0.0), 1.0);
    }

    #[test]
    fn beyond_the_measured_densities_slow_is_right() {
        assert_eq!(class("unidirectional", 0.0), (1.49, 1.31, 1.69));
        assert_eq!(class("unidirectional", 3.99), (0.16, 0.13, 0.18));
        assert_eq!(class("unidirectional", 6.0), (0.16, 0.0, 0.18));
        assert_eq!(class("single_file", 0.1), (1.13, 0.88, 1.26));
        assert_eq!(class("single_file", 9.0), (0.006, -0.02, 0.03));
    }
}
