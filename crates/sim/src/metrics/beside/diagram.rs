//! The fundamental diagram of a run beside that of the tracks.

use super::super::averaged::real;
use super::super::pace::HALF_WINDOW_FRAMES;
use super::super::region::{BLIND_POINTS, CUT_OFF_M, Method, Reading, Watch};
use super::super::{At, MakeMetric, Metric, Need, Plot, Seen, Spec, Table, Window};
use super::{SLACK_S, play};
use crate::world::scenario::Scenario;
use crowdtune_core::math::stats;
use crowdtune_core::registry::{Entry, Param, Settings};
use std::collections::BTreeMap;

/// Root mean square difference of two fundamental diagrams.
pub static FUNDAMENTAL_DIAGRAM_ERROR_M_PER_S: Entry<MakeMetric> = Entry {
    name: "fundamental_diagram_error_m_per_s",
    doc: "How far the mean speed at each density in an area is from that of the scenario's `tracks`: root mean square \
          over classes of density, weighted by how long the recording has them.",
    source: "Voronoi density and speed as in PedPy; classes of 0.5 /m2 as in the tables of Zhang and others 2011; the mean \
             over classes is chosen here",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| Box::new(Diagram::new(spec, scenario)), "m/s")
        .less_is_better()
        .at(At::Region)
        .window(Window::All)
        .needs(&[Need::Tracks]),
};

const PARAMS: &[Param] = &[
    CUT_OFF_M,
    BLIND_POINTS,
    HALF_WINDOW_FRAMES,
    real(
        "class_per_m2",
        "1/m2",
        "width of a class of density",
        "as in the tables of Zhang and others 2011",
        0.5,
        (0.05, 10.0),
    ),
];

/// What the recording has in a class of density.
#[derive(Clone, Copy, Debug)]
struct Class {
    mean: f64,
    low: f64,
    high: f64,
    samples: usize,
}

struct Diagram {
    run: Watch,
    class_per_m2: f64,
    /// By number of the class.
    recorded: BTreeMap<u32, Class>,
}

impl Diagram {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let settings = Settings::new(PARAMS, &spec.settings);
        let class_per_m2 = settings.get("class_per_m2");
        // Later there is nothing to compare with.
        let (from, to) = spec.window.seconds();
        let last_s = scenario.tracks.as_ref().map_or(0.0, |tracks| tracks.last_s());
        let spec = &Spec { window: Window::TimeS(from, to.min(last_s) + SLACK_S), ..spec.clone() };
        let watch = || Watch::speed(spec, scenario, Method::Voronoi, settings);
        let mut watched = watch();
        play(spec, scenario, |seen| watched.observe(seen));
        let recorded = speeds(&watched, class_per_m2).into_iter().map(|(class, speeds)| {
            let (low, high) = (stats::quantile(&speeds, 0.1), stats::quantile(&speeds, 0.9));
            (class, Class { mean: stats::mean(&speeds), low, high, samples: speeds.len() })
        });
        Self { run: watch(), class_per_m2, recorded: recorded.collect() }
    }
}

fn points(watch: &Watch) -> impl Iterator<Item = Reading> {
    watch.moments().1.into_iter().filter(|m| m.speed.is_finite() && m.density > 0.0)
}

fn class(density: f64, class_per_m2: f64) -> u32 {
    (density / class_per_m2) as u32
}

/// Speeds by class of density.
fn speeds(watch: &Watch, class_per_m2: f64) -> BTreeMap<u32, Vec<f64>> {
    let mut classes = BTreeMap::<u32, Vec<f64>>::new();
    points(watch).for_each(|m| classes.entry(class(m.density, class_per_m2)).or_default().push(m.speed));
    classes
}

impl Metric for Diagram {
    fn observe(&mut self, seen: &Seen<'_>) {
        self.run.observe(seen);
    }

    fn value(&self) -> Option<f64> {
        let run = speeds(&self.run, self.class_per_m2);
        let (mut sum, mut samples) = (0.0, 0);
        for (&class, recorded) in &self.recorded {
            // A density that the run never has is judged by the nearest one that it has, of two the lower.
            let (_, speeds) = run.iter().min_by_key(|(other, _)| other.abs_diff(class))?;
            let off = stats::mean(speeds) - recorded.mean;
            sum += recorded.samples as f64 * off * off;
            samples += recorded.samples;
        }
        (samples > 0).then(|| (sum / samples as f64).sqrt())
    }

    fn table(&self) -> Option<Table> {
        let row = |m: Reading| {
            let recorded = self.recorded.get(&class(m.density, self.class_per_m2));
            let of = |number: fn(&Class) -> f64| recorded.map_or(f64::NAN, number);
            vec![m.density, m.speed, of(|c| c.low), of(|c| c.high), of(|c| c.mean)]
        };
        Some(Table {
            plot: Plot::Dots { x: 0, y: 1, band: Some((2, 3)) },
            columns: &[
                "density_per_m2",
                "speed_m_per_s",
                "recorded_low_m_per_s",
                "recorded_high_m_per_s",
                "recorded_mean_m_per_s",
            ],
            rows: points(&self.run).map(row).collect(),
        })
    }

    fn reset(&mut self) {
        self.run.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::queue;
    use super::*;

    #[test]
    fn classes_weigh_as_long_as_the_recording_has_them() {
        // Recorded: 1.25 /m2 at 0.4 m/s for three times as many samples as 2.5 /m2 at 0.1 m/s.
        let (film, mut metric, walk) = queue(&FUNDAMENTAL_DIAGRAM_ERROR_M_PER_S, &[(0.8, 0.4, 30), (0.4, 0.1, 10)]);
        let run = |metric: &mut dyn Metric, parts: &[(f64, f64, usize)]| {
            walk(parts).iter().zip(0..).for_each(|(people, k)| film.show(metric, 0.1 * f64::from(k), people));
        };
        run(metric.as_mut(), &[(0.8, 0.4, 30), (0.4, 0.1, 10)]);
        let same = metric.value().unwrap();
        assert!(same < 1e-9, "{same}");
        // 0.1 m/s too fast at the lower density, 0.3 m/s at the higher one, which the run has for longer.
        metric.reset();
        run(metric.as_mut(), &[(0.8, 0.5, 10), (0.4, 0.4, 30)]);
        let off = metric.value().unwrap();
        assert!((off - (0.75 * 0.01 + 0.25 * 0.09_f64).sqrt()).abs() < 1e-9, "{off}");
        // Never at the higher density: its speed at the lower one stands for it.
        metric.reset();
        run(metric.as_mut(), &[(0.8, 0.4, 30)]);
        let missing = metric.value().unwrap();
        assert!((missing - (0.25 * 0.09_f64).sqrt()).abs() < 1e-9, "{missing}");
        assert!(metric.table().unwrap().rows.iter().all(|row| (row[4] - 0.4).abs() < 1e-9));
        // What the run does after the recording does not count.
        metric.reset();
        run(metric.as_mut(), &[(0.8, 0.4, 30), (0.4, 0.1, 10), (0.8, 0.9, 40)]);
        let later = metric.value().unwrap();
        // But the velocities of the last samples reach five samples beyond it.
        assert!(later < 0.02, "{later}");
    }
}
