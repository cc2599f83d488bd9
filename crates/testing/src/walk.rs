//! A run step by step, from the text of an experiment.

use crowdtune::Registry;
use crowdtune::evolve::experiment::{Experiment, no_files};
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::Settings;
use crowdtune_sim::crowd::health::Health;
use crowdtune_sim::crowd::simulation::{RunSetup, Simulation};
use crowdtune_sim::crowd::{Crowd, Steering};
use crowdtune_sim::models::Birth;

/// The experiment in a text without its first two lines, which name the format and the model.
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
    let traits: Vec<_> = case.groups.iter().map(|g| g.traits(genes)).collect();
    let setup = RunSetup {
        scenario: &case.scenario,
        traits: &traits,
        time_step_s: experiment.timing.time_step_s,
        sample_every_s: 0.1,
        max_overlap_share: 1.0,
        seed: Seed(seed),
    };
    let mut run = Simulation::new(setup).map_err(|e| e.what().to_string())?;
    let values: Vec<Vec<f64>> =
        case.groups.iter().map(|g| g.model.iter().map(|b| b.resolve(genes)).collect()).collect();
    let settings: Vec<_> = values.iter().map(|v| Settings::new(experiment.model.params, v)).collect();
    let mut model: Box<dyn Steering> = (experiment.model.make.make)(&Birth {
        groups: &settings,
        scenario: &case.scenario,
        max_radius_m: run.max_radius_m(),
        min_mass_kg: run.min_mass_kg(),
        people: case.scenario.groups.iter().map(|g| g.count).sum(),
        seed: Seed(seed),
    });
    let mut health = Health::default();
    watch(run.crowd());
    for step in 0..steps {
        run.step(model.as_mut(), step, &mut health)?;
        watch(run.crowd());
    }
    Ok(())
}
