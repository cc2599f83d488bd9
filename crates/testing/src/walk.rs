//! A run step by step, from the text of an experiment.

use crowdtune::Registry;
use crowdtune::evolve::experiment::{Experiment, no_files};
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_sim::crowd::{Crowd, RunSetup, Sim, Start};

/// Reads an experiment from a text that lacks the two lines for format and model.
///
/// # Errors
/// What is wrong with it.
pub fn load(model: &str, text: &str) -> Result<Experiment, Error> {
    let text = format!("format = 1\nmodel = \"{model}\"\n{text}");
    Experiment::load(&Registry::builtin(), &text, "scene.toml", &[], &mut no_files)
}

/// Steps the first case of an experiment without genes; `watch` sees the crowd at the start and after every step.
///
/// # Errors
/// Why the run cannot be trusted.
pub fn walk(experiment: &Experiment, seed: u64, steps: u64, watch: &mut dyn FnMut(&Crowd)) -> Result<(), String> {
    let case = &experiment.cases[0];
    let genes = &experiment.defaults;
    let setup = RunSetup {
        traits: case.groups.iter().map(|g| g.traits(genes)).collect(),
        seed: Seed(seed),
        ..RunSetup::new(case.scenario.clone(), experiment.timing.time_step_s)
    };
    let why = |e: Error| e.what().to_string();
    let start = Start::new(setup).map_err(why)?;
    let steering = case.steering(&start, genes);
    let mut run = Sim::new(start, steering);
    watch(run.crowd());
    for _ in 0..steps {
        run.step().map_err(why)?;
        watch(run.crowd());
    }
    Ok(())
}
