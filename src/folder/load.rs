//! Experiments, run folders and presets read from disk.

use super::{design_of, input};
use crate::engine::Workers;
use crate::evolve::experiment::Experiment;
use crate::evolve::log::{self, Log};
use crate::evolve::preset::Preset;
use crate::evolve::reading;
use crate::evolve::sensitivity::prepare;
use crate::files::{read as bytes, read_document as document};
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::List;
use crowdtune_sim::models::MakeModel;
use std::path::{Path, PathBuf};

/// The experiment of a run folder.
const EXPERIMENT: &str = "experiment.toml";

/// Reads and checks an experiment file, and starts its engine, if it has one. Files that it names are looked for beside it; those
/// of the experiment.toml of a run folder first where that keeps them.
///
/// # Errors
/// If it cannot be read, or the first mistake in it; if its engine does not start.
pub fn experiment(registry: &Registry, path: &Path, sets: &[(String, String)]) -> Result<Experiment, Error> {
    let mut experiment = not_started(registry, path, sets)?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let directory = if of_run(path) { beside.join(input("")) } else { beside.to_owned() };
    start(&mut experiment, path, &directory)?;
    Ok(experiment)
}

/// As [`experiment`], without its engine.
///
/// # Errors
/// If it cannot be read, or the first mistake in it.
pub fn not_started(registry: &Registry, path: &Path, sets: &[(String, String)]) -> Result<Experiment, Error> {
    let beside = path.parent().unwrap_or(Path::new(""));
    load(registry, path, sets, &|name| {
        let kept = beside.join(input(name));
        if of_run(path) && kept.is_file() { kept } else { beside.join(name) }
    })
}

/// True for the resolved experiment of a run folder.
fn of_run(path: &Path) -> bool {
    path.ends_with(EXPERIMENT) && path.parent().unwrap_or(Path::new("")).join(log::FILE).is_file()
}

/// Starts the engine of an experiment, if it has one.
fn start(experiment: &mut Experiment, path: &Path, directory: &Path) -> Result<(), Error> {
    if experiment.engine.is_none() {
        return Ok(());
    }
    let asked = Workers::start(experiment, directory).map_err(|e| e.file(path.display().to_string()))?;
    if let Some(engine) = &mut experiment.engine {
        engine.asked = Some(asked);
    }
    Ok(())
}

/// Starts the engine of the experiment of a run folder, if it has one.
///
/// # Errors
/// If it cannot be started, or does not fit the experiment.
pub fn start_of_run(experiment: &mut Experiment, folder: &Path) -> Result<(), Error> {
    start(experiment, &folder.join(EXPERIMENT), &folder.join(input("")))
}

/// Reads the resolved experiment of a run folder; files that it named are in `inputs/`.
///
/// # Errors
/// If it cannot be read, or the first mistake in it.
fn experiment_of_run(registry: &Registry, folder: &Path) -> Result<Experiment, Error> {
    let path = folder.join(EXPERIMENT);
    if !path.is_file() {
        return Err(Error::input("not a run folder: it has no experiment.toml")
            .file(folder.display().to_string())
            .help("name the folder that `evolve` wrote; it holds experiment.toml and trials.jsonl"));
    }
    load(registry, &path, &[], &|name| folder.join(input(name)))
}

/// Reads the resolved experiment and the log of a run folder: of a search, or of a design.
///
/// # Errors
/// If one of them cannot be read, or the first mistake in it; if the log is of another experiment, or its rows do not fit it.
pub fn read_run(registry: &Registry, folder: &Path) -> Result<(Experiment, Log), Error> {
    let mut experiment = experiment_of_run(registry, folder)?;
    if let Some(design) = design_of(folder)? {
        prepare(&mut experiment, design);
    }
    let path = folder.join(log::FILE);
    let file = path.display().to_string();
    let log = log::parse(&bytes(&path)?, &file)?;
    reading::check(&experiment, &log, &file)?;
    Ok((experiment, log))
}

fn load(
    registry: &Registry,
    path: &Path,
    sets: &[(String, String)],
    place: &dyn Fn(&str) -> PathBuf,
) -> Result<Experiment, Error> {
    let text = text(path)?;
    Experiment::load(registry, &text, &path.display().to_string(), sets, &mut |name| bytes(&place(name)))
}

fn text(path: &Path) -> Result<String, Error> {
    String::from_utf8(document(path)?).map_err(|_| {
        Error::input("not a text file (UTF-8)")
            .file(path.display().to_string())
            .help("name an experiment file: TOML or JSON; `crowdtune new NAME` writes one")
    })
}

/// Reads a preset, with the models that it can name: of a foreign simulator the one in its run folder.
///
/// # Errors
/// If it cannot be read or is none.
pub fn read_preset(registry: &Registry, path: &Path) -> Result<(Preset, List<MakeModel>), Error> {
    let (bytes, file) = (document(path)?, path.display().to_string());
    let read = |models: &List<MakeModel>| Preset::parse(&bytes, &file, models).map(|preset| (preset, models.clone()));
    read(&registry.models).or_else(|error| {
        let own = home(path).and_then(|home| experiment_of_run(registry, home).ok()).and_then(|e| e.engine);
        own.map_or(Err(error), |engine| read(&engine.models))
    })
}

/// The run folder of a preset: where it lies, in `presets/` there or beside.
pub fn home(preset: &Path) -> Option<&Path> {
    let homes = preset.parent().into_iter().flat_map(|p| [Some(p), p.parent()]).flatten();
    homes.into_iter().find(|p| p.join(EXPERIMENT).is_file() && p.join(log::FILE).is_file())
}
