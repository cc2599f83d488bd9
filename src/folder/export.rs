//! A run folder, or a preset in one, as files for another tool.

use super::inference_of;
use super::load::{home, read_preset, read_run, start_of_run};
use crate::evolve::evaluate::{run_recorded, run_seed};
use crate::evolve::experiment::{Case, Experiment, no_files};
use crate::evolve::preset::{self, Preset};
use crate::evolve::run::Finished;
use crate::evolve::{Results, log};
use crate::export::{Export, ExportInput, History, MakeExporter, Placed, Walked, origin};
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_search::{Genome, Purpose};
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::models::MakeModel;
use std::path::Path;

/// What of a run is taken.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Id of another evaluation than the recommended one.
    pub pick: Option<u64>,
    /// Runs of each scenario, where the tool takes runs.
    pub seeds: u32,
    /// Leave out what the tool cannot say.
    pub force: bool,
}

/// The scenarios that the search saw.
fn places<'a>(experiment: &'a Experiment, genes: &[f64]) -> Vec<Placed<'a>> {
    let placed = |case: &'a Case| Placed {
        name: &case.name,
        scenario: &case.scenario,
        traits: case.groups.iter().map(|g| g.traits(genes)).collect(),
        constants: case.groups.iter().map(|g| g.constants(genes)).collect(),
    };
    experiment.cases.iter().filter(|c| !c.held_out).map(placed).collect()
}

/// Runs of the defaults and the tuned constants in the same scenarios, on fresh seeds of the report.
fn runs(experiment: &Experiment, tuned: &[f64], seeds: u32) -> Result<Vec<Walked>, Error> {
    let cases = experiment.cases.iter().enumerate().filter(|(_, case)| !case.held_out);
    let mut runs = Vec::new();
    for (place, (at, case)) in cases.enumerate() {
        for replica in 0..seeds {
            let seed = run_seed(experiment.search.seed, Purpose::Report, &case.table, replica);
            for (label, genes) in [("defaults", &experiment.defaults[..]), ("tuned", tuned)] {
                let track = run_recorded(experiment, at, genes, seed)?.track;
                runs.push(Walked { place, label, replica, track });
            }
        }
    }
    Ok(runs)
}

/// The candidate of a run folder that is taken elsewhere, with its preset, and a remark where it is not on the front.
///
/// # Errors
/// If the run has no such evaluation.
pub fn picked(
    registry: &Registry,
    (folder, pick): (&Path, Option<u64>),
    experiment: &Experiment,
    run: &Finished,
) -> Result<(Genome, Preset, Option<String>), Error> {
    let (trials, results) = (&run.trials, Results::new(experiment, run));
    let genome = match pick {
        None => results.recommended().clone(),
        Some(id) => {
            let trial = trials.iter().find(|t| t.id == id).ok_or_else(|| {
                let last = trials.last().map_or_else(|| "no evaluation yet".into(), |t| format!("0 to {}", t.id));
                Error::input(format!("the run has no evaluation {id}"))
                    .file(folder.join(log::FILE).display().to_string())
                    .allowed(last)
                    .help("report.html and `front` of summary.json show the ids; without --pick the recommended one is exported")
            })?;
            trial.question.genome.clone()
        }
    };
    let on_front = pick.filter(|_| experiment.objectives.len() > 1);
    let on_front = on_front.and_then(|id| results.point(id));
    let known = on_front.is_some();
    let summary = on_front.map_or_else(|| results.summary(), |(summary, _)| summary);
    let mut preset = preset::preset(experiment, &summary, &genome);
    if let Ok((best, _)) = read_preset(registry, &folder.join("best.json")) {
        // The resolved experiment is always called `experiment`.
        preset.name = best.name;
    }
    let mut off_front = None;
    if let Some(id) = pick {
        if !known && experiment.objectives.len() > 1 {
            off_front = Some(format!(
                "Evaluation {id} is not on the front that was reported: `crowdtune report` lists its points."
            ));
        }
        if !known {
            // The summary speaks of the recommendation, not of this one.
            preset.targets.clear();
        }
        preset = preset.numbered(id);
    }
    Ok((genome, preset, off_front))
}

/// A run folder as files for a tool, in its own scenarios.
///
/// # Errors
/// If it is no run folder, has no such evaluation, or the tool cannot say what is in it.
pub fn export_run(
    registry: &Registry,
    folder: &Path,
    tool: &Entry<MakeExporter>,
    Taken { pick, seeds, force }: Taken,
) -> Result<Export, Error> {
    let (mut experiment, log) = read_run(registry, folder)?;
    if inference_of(folder)?.is_some() {
        return Err(Error::input("a posterior recommends no candidate: it holds many")
            .file(folder.display().to_string())
            .help("export one of its presets: best.json in it, which lies in the middle, or one of draws"));
    }
    if tool.make.needs_runs {
        start_of_run(&mut experiment, folder)?;
    }
    let run = Finished::of(&experiment, log);
    let (genome, preset, off_front) = picked(registry, (folder, pick), &experiment, &run)?;
    let trials = &run.trials[..];
    let history = History { space: &experiment.space, objectives: &experiment.objectives, trials };
    let models = preset.entries(experiment.models_or(&registry.models))?;
    let genes = experiment.space.decode(&genome);
    let runs = if tool.make.needs_runs { runs(&experiment, &genes, seeds)? } else { Vec::new() };
    let places = places(&experiment, &genes);
    let seed = experiment.search.seed;
    let input = ExportInput { models, preset: &preset, places, runs, history: Some(history), force, seed };
    let mut export = (tool.make.export)(&input)?;
    export.warnings.extend(off_front);
    if !tool.make.needs_place {
        // A tool with places takes the values of each group from there.
        let differ = |key: &String| format!("The preset has no `{key}`: groups or scenarios differ in it.");
        export.warnings.extend(preset.left_out.iter().map(differ));
    }
    Ok(signed(export, &input, folder, tool))
}

/// A preset as files for a tool, in the scenarios of the run folder around it.
///
/// # Errors
/// If it is no preset, needs a run folder that is not there, or the tool cannot say what is in it.
pub fn export_preset(
    registry: &Registry,
    path: &Path,
    tool: &Entry<MakeExporter>,
    Taken { seeds, force, .. }: Taken,
) -> Result<Export, Error> {
    let (preset, known) = read_preset(registry, path)?;
    let models = preset.entries(&known)?;
    let seed = preset.provenance.seed;
    if !tool.make.needs_place {
        let (places, runs) = (Vec::new(), Vec::new());
        let input = ExportInput { models, preset: &preset, places, runs, history: None, force, seed };
        let mut export = (tool.make.export)(&input)?;
        export.warnings.extend(left_out(&input.models, &preset, "the other tool keeps its own value"));
        return Ok(signed(export, &input, path, tool));
    }
    let mut missing = left_out(&models, &preset, "the experiment's value or the published default is used");
    let mut experiment = match home(path) {
        Some(home) => read_run(registry, home)?.0,
        None if !force => {
            return Err(Error::input(format!("`{}` needs a place, and the preset has none", tool.name))
                .file(path.display().to_string())
                .allowed(format!("a preset in its run folder, with experiment.toml and {} beside it", log::FILE))
                .help("export the run folder, or add --force to get the scenario `room` as published: another place and other people than it was tuned with"));
        }
        None => {
            missing.push(
                "There is no run folder around the preset: the place is the scenario `room` as published.".into(),
            );
            let text = format!("model = \"{}\"\n[scenario.room]\nkind = \"room\"\n", preset.model);
            Experiment::load(registry, &text, "room", &[], &mut no_files)?
        }
    };
    preset::apply(&preset, &known, &mut experiment)?;
    if let (true, Some(home)) = (tool.make.needs_runs, home(path)) {
        start_of_run(&mut experiment, home)?;
    }
    let runs = if tool.make.needs_runs { runs(&experiment, &experiment.start, seeds)? } else { Vec::new() };
    let places = places(&experiment, &experiment.start);
    let input = ExportInput { models, preset: &preset, places, runs, history: None, force, seed };
    let mut export = (tool.make.export)(&input)?;
    export.warnings.extend(missing);
    Ok(signed(export, &input, path, tool))
}

/// The files, and beside them where they come from.
fn signed(mut export: Export, input: &ExportInput<'_>, source: &Path, tool: &Entry<MakeExporter>) -> Export {
    // Of a path only its last part: the rest says something of the machine, not of the run.
    let source = source.file_name().map_or_else(|| "RUN".into(), |name| name.to_string_lossy());
    let page = origin::page(input, tool.name, &source, &export);
    export.files.push((origin::FILE.into(), page.into_bytes()));
    export
}

/// Constants and traits that the preset does not hold, and what takes their place.
fn left_out(models: &[&'static Entry<MakeModel>], preset: &Preset, instead: &str) -> Vec<String> {
    let constants = models.iter().flat_map(|model| {
        let table = if model.name == preset.model { String::new() } else { format!("{}.", model.name) };
        let missing = |key: &str| preset.constants(model.name).is_none_or(|given| !given.contains_key(key));
        let missing = model.params.iter().filter(move |p| missing(p.key));
        missing.map(move |p| format!("parameters.{table}{}", p.key))
    });
    let traits = TRAITS.iter().filter(|p| p.default_value().is_finite() && !preset.people.contains_key(p.key));
    let keys = constants.chain(traits.map(|p| format!("people.{}", p.key)));
    keys.map(|key| format!("The preset has no `{key}`: {instead}.")).collect()
}
