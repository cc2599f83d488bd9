//! What the command line says of experiments: `--set`, `--draft`, warnings.

use crate::evolve::experiment::Experiment;
use crate::evolve::verdict::draft;
use crate::folder::read_preset;
use crate::preset::Preset;
use crate::presets;
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::List;
use crowdtune_sim::models::{MakeModel, max_time_step_s};
use std::path::Path;

pub use crate::folder::{experiment, not_started, read_run as run};
pub use crate::folder::{read as bytes, read_document as document, writable, write, write_new};

/// `--set KEY=VALUE` as it is parsed.
///
/// # Errors
/// A text without `=`.
pub fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_string(), value.trim().to_string())),
        _ => Err("expected KEY=VALUE, for example target.flow.weight=3".into()),
    }
}

/// The preset of a file, or the built-in one of a bare name, such as `walkers`, for the experiment's model.
///
/// # Errors
/// If it cannot be read or is none, or nothing has that name.
pub fn preset(registry: &Registry, named: &Path, experiment: &Experiment) -> Result<(Preset, List<MakeModel>), Error> {
    let bare = named.extension().is_none() && named.components().count() == 1;
    match named.to_str() {
        Some(name) if bare && !named.exists() => {
            let preset = presets::named(registry, name, experiment.model.name).map_err(|e| e.key("--preset"))?;
            Ok((preset, registry.models.clone()))
        }
        _ => read_preset(registry, named),
    }
}

/// As [`experiment`]; a draft takes twice the step of the file.
///
/// # Errors
/// As [`experiment`]; if the model takes no such step, or an interval of samples is not a multiple of it.
pub fn experiment_or_draft(
    registry: &Registry,
    path: &Path,
    sets: &[(String, String)],
    draft: bool,
) -> Result<Experiment, Error> {
    let given = experiment(registry, path, sets)?;
    if !draft {
        return Ok(given);
    }
    let (step, most) = (2.0 * given.timing.time_step_s, max_time_step_s(given.models()));
    let refused = |why: String| Error::input(why).file(path.display().to_string()).key("--draft");
    if step > most {
        return Err(refused(format!("a draft takes twice the step of the file, {step} s"))
            .allowed(format!("steps up to {most} s, the largest of {}", given.named_models()))
            .help("leave --draft out, or halve `simulation.time_step_s`"));
    }
    let mut sets = sets.to_vec();
    sets.push(("simulation.time_step_s".into(), step.to_string()));
    experiment(registry, path, &sets).map_err(|e| {
        refused(format!("a draft takes twice the step of the file, {step} s, which does not fit it: {}", e.what()))
            .help("leave --draft out, or give [simulation] a `sample_every_s` and `record_every_s` that fit")
    })
}

/// Says on stderr what the user should know of an experiment before it runs: its warnings, and that it is a draft.
pub fn announce(experiment: &Experiment) {
    for warning in &experiment.warnings {
        super::output::say(format_args!("warning: {warning}"));
    }
    remark(experiment);
}

/// The remark for stderr that a run is a draft, where it is one.
pub fn remark(experiment: &Experiment) {
    if let Some(draft) = draft(experiment.draft_step_s()) {
        super::output::say(format_args!("{draft}."));
    }
}
