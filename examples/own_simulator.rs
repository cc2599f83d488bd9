//! A simulator of one's own that crowdtune tunes: `cargo run --release --example own_simulator` leaves a complete run folder in
//! `results/own_simulator`. Here the simulator is a formula; it may as well be a process at the other end of a pipe.

use crowdtune::core::math::rng::unit;
use crowdtune::evolve::evaluate::{Job, Pool};
use crowdtune::folder::{Options, RunOutput, run_to_folder_with};
use crowdtune::search::Trial;
use crowdtune::{Error, Experiment, Registry, no_files};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Names and ranges of what is searched, the scenarios, what is wanted: all but the simulation.
pub const EXPERIMENT: &str = r#"
    title = "Forty people leave a hall, by a queue"
    model = "social_force"
    parameters.relaxation_time_s = { range = [0.1, 2.0] }
    scenario.hall = { kind = "room", count = 40 }
    target.time = { metric = "evacuation_time_95_s", equals = 28.0, tolerance = 1.0 }
    search = { evaluations = 30, finalists = 2 }
"#;

/// People pass the door one after the other; the constant is the time that each of them takes.
fn queue(job: &Job<'_>) -> Result<Vec<Option<f64>>, Error> {
    let people: usize = job.experiment.cases[job.case].scenario.groups.iter().map(|group| group.count).sum();
    let mut random = job.seed.rng();
    let passed: f64 = (0..people * 95 / 100).map(|_| job.genes[0] * (0.5 + unit(&mut random))).sum();
    if passed > 50.0 {
        return Err(Error::nothing(format!("the hall is still full after {passed} s")));
    }
    // One value for each target and measure, in the order of their names.
    Ok(vec![Some(passed)])
}

fn main() -> Result<(), Error> {
    let run = run(Path::new("results/own_simulator"), false)?;
    for target in &run.summary.targets {
        println!("{}: {:?} s with defaults, {:?} s tuned", target.name, target.default.value, target.tuned.value);
    }
    Ok(())
}

/// Runs the experiment into a folder that does not exist yet, or continues it there.
pub fn run(folder: &Path, resume: bool) -> Result<RunOutput, Error> {
    let experiment = Experiment::load(&Registry::builtin(), EXPERIMENT, "hall.toml", &[], &mut no_files)?;
    let stop = AtomicBool::new(false);
    let simulator = Pool::new(&experiment, 0, &stop)?.with("queue 1.0", queue);
    let options = Options { resume, ..Options::default() };
    run_to_folder_with(&experiment, &simulator, folder, options, &mut |_: &Trial, _: bool| {}, &stop)
}
