//! A model of one's own in an experiment: `cargo run --release --example own_model -- list models`, or any other command.

use crowdtune::core::Error;
use crowdtune::core::registry::{Entry, Param};
use crowdtune::sim::crowd::{Steering, Update, View};
use crowdtune::sim::models::{MakeModel, Symmetry};
use crowdtune::{Registry, cli};
use std::process::ExitCode;

/// Nobody comes nearer to the person ahead than a time gap allows.
struct KeepGap {
    time_gap_s: f64,
}

impl Steering for KeepGap {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        let crowd = view.crowd;
        for (i, &way) in view.desired.iter().enumerate() {
            let mut gap = f64::INFINITY;
            for j in (0..crowd.len()).filter(|&j| j != i) {
                let (apart, bodies) = (view.near.apart(crowd.pos[i], crowd.pos[j]), crowd.radius[i] + crowd.radius[j]);
                // Only people ahead who are in the way count.
                if apart.dot(way) > 0.0 && apart.dot(way.left()).abs() < bodies {
                    gap = gap.min(apart.length() - bodies);
                }
            }
            next.vel[i] = way * crowd.desired_speed[i].min(gap.max(0.0) / self.time_gap_s);
        }
    }

    fn reach_m(&self) -> f64 {
        5.0
    }
}

static KEEP_GAP: Entry<MakeModel> = Entry {
    name: "keep_gap",
    doc: "People walk straight on and keep a time gap to whoever is ahead of them.",
    source: "chosen here: the simplest model that queues",
    params: &[Param::real("time_gap_s", "s", 1.0)
        .symbol("T")
        .range(0.1, 10.0)
        .search(0.3, 3.0)
        .log_scale()
        .doc("Time to close the gap ahead.")
        .source("chosen here: 1 s")],
    make: MakeModel {
        make: &|_, settings| Box::new(KeepGap { time_gap_s: settings[0].get("time_gap_s") }),
        fits: |_, _| Ok(()),
        time_step_s: 0.05,
        max_time_step_s: 0.1,
        person_step_s: 50e-9,
        integrator: "explicit Euler",
        alone: None,
        mirror: Symmetry::UpToRounding("nothing has a side"),
        renumber: Symmetry::UpToRounding("nothing depends on numbers"),
    },
};

/// Everything that comes with crowdtune, and the model above.
pub fn registry() -> Result<Registry, Error> {
    let mut registry = Registry::builtin();
    registry.models.add(&KEEP_GAP)?;
    Ok(registry)
}

fn main() -> ExitCode {
    match registry() {
        Ok(registry) => cli::main(&registry),
        Err(error) => panic!("{error}"),
    }
}
