//! A metric of one's own in an experiment that a program reads and runs: `cargo run --release --example own_metric`.

use crowdtune::core::registry::Entry;
use crowdtune::evolve::evaluate::{run_seed, simulate};
use crowdtune::search::Purpose;
use crowdtune::sim::metrics::{MakeMetric, Metric, Need, Seen};
use crowdtune::{Error, Experiment, Registry, no_files};

/// The top speed of anybody at any sample.
#[derive(Default)]
struct TopSpeed(Option<f64>);

impl Metric for TopSpeed {
    fn observe(&mut self, seen: &Seen<'_>) {
        let fastest = seen.velocities().iter().map(|v| v.length()).reduce(f64::max);
        self.0 = self.0.into_iter().chain(fastest).reduce(f64::max);
    }

    fn value(&self) -> Option<f64> {
        self.0
    }

    fn reset(&mut self) {
        self.0 = None;
    }
}

static TOP_SPEED: Entry<MakeMetric> = Entry {
    name: "top_speed_m_per_s",
    doc: "The highest speed that anybody had.",
    source: "chosen here: an example",
    params: &[],
    make: MakeMetric::new(&|_, _| Box::new(TopSpeed::default()), "m/s").needs(&[Need::Velocity]),
};

/// Everything that comes with crowdtune, and the metric above.
pub fn registry() -> Result<Registry, Error> {
    let mut registry = Registry::builtin();
    registry.metrics.add(&TOP_SPEED)?;
    Ok(registry)
}

fn main() -> Result<(), Error> {
    let text = r#"
        model = "social_force"
        scenario.room = { kind = "room", count = 20 }
        measure.top = { metric = "top_speed_m_per_s" }
    "#;
    let experiment = Experiment::load(&registry()?, text, "top.toml", &[], &mut no_files)?;
    let seed = run_seed(experiment.search.seed, Purpose::Search, "room", 0);
    let values = simulate(&experiment, 0, &experiment.start, seed)?;
    println!("top speed: {:.2} m/s", values[0].unwrap_or_default());
    Ok(())
}
