//! An experiment run from a program: `cargo run --release --example run_experiment` leaves a complete run folder in
//! `results/run_experiment`, as `crowdtune evolve` would.

use crowdtune::folder::{Options, run_to_folder};
use crowdtune::search::Trial;
use crowdtune::{Error, Experiment, Registry, no_files};
use std::path::Path;
use std::sync::atomic::AtomicBool;

const EXPERIMENT: &str = r#"
    title = "Ten people leave a small room"
    model = "social_force"
    parameters.relaxation_time_s = { range = [0.1, 2.0] }
    scenario.room = { kind = "room", count = 10, width_m = 5.0, depth_m = 5.0 }
    target.time = { metric = "evacuation_time_95_s", minimize = { good = 5.0, bad = 20.0 } }
    search = { evaluations = 20, finalists = 2 }
"#;

fn main() -> Result<(), Error> {
    run(Path::new("results/run_experiment"))
}

/// Runs the experiment into a folder that does not exist yet.
pub fn run(folder: &Path) -> Result<(), Error> {
    let experiment = Experiment::load(&Registry::builtin(), EXPERIMENT, "small_room.toml", &[], &mut no_files)?;
    let mut progress =
        |trial: &Trial, _: bool| println!("{:?} trial {}: {:?}", trial.question.purpose, trial.id, trial.objectives);
    let stop = AtomicBool::new(false);
    let run = run_to_folder(&experiment, folder, Options::default(), &mut progress, &stop)?;
    for target in &run.summary.targets {
        println!("{}: {:?} s with defaults, {:?} s tuned", target.name, target.default.value, target.tuned.value);
    }
    println!("best: {}", folder.join("best.json").display());
    Ok(())
}
