//! The pipeline: search, check on fresh seeds, and every file that a run leaves; and the report again, from such a folder.

use super::asked::inference_of;
use super::atlas;
use super::record::Recorded;
use super::run_folder::RunFolder;
use crate::evolve::compare::Searched;
use crate::evolve::evaluate::{Evaluate, Pool};
use crate::evolve::experiment::Experiment;
use crate::evolve::log::Log;
use crate::evolve::preset::{Preset, preset};
use crate::evolve::run::{Finished, Observer, check, evolve};
use crate::evolve::summary::{GeneSummary, ShownSeed, Standing, Summary};
use crate::evolve::verdict::judge;
use crate::evolve::{Results, repeats, sensitivity};
use crate::files;
use crate::report::html::{self, Extras};
use crate::report::page::{Lab, Side};
use crate::report::{Run, plots};
use crate::simulator::simulator;
use crowdtune_core::Error;
use crowdtune_search::{Axis, Gene, Trial};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// How [`run_to_folder`] works. Nothing here changes a result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Number of threads; 0: one for each core.
    pub threads: usize,
    /// Continue the run that is in the folder, or start it if none is there.
    pub resume: bool,
}

/// A run that came to its end, with its files written.
#[derive(Clone, Debug)]
pub struct RunOutput {
    /// `summary.json`.
    pub summary: Summary,
    /// `best.json`.
    pub best: Preset,
    /// What a comparison with other searches needs.
    pub searched: Searched,
    /// The rows of `trials.jsonl`, in id order.
    pub trials: Vec<Trial>,
}

/// Runs an experiment, or continues it where its log ends, and leaves a complete run folder: the resolved experiment
/// with its inputs, log, `summary.json`, `best.json`, further presets, replays, tables, plots and `report.html`.
///
/// `observer` hears of every trial; a closure `|trial: &Trial, replayed: bool|` is one. Once `cancel` is set, the run
/// ends after the simulations that are under way; what is in the log is kept and can be resumed.
///
/// # Errors
/// If the folder exists and `resume` is not set, holds something else or cannot be written; if there is nothing to
/// search, nothing valid was found, or `cancel` was set.
pub fn run_to_folder(
    experiment: &Experiment,
    folder: &Path,
    options: Options,
    observer: &mut dyn Observer,
    cancel: &AtomicBool,
) -> Result<RunOutput, Error> {
    let pool = Pool::new(experiment, options.threads, cancel)?;
    run_to_folder_with(experiment, &pool, folder, options, observer, cancel)
}

/// As [`run_to_folder`], with the answers of any evaluator: a simulator of one's own, a process, machines elsewhere.
///
/// Log, `summary.json`, `best.json` and report name its engine, and only the same engine continues the log. A foreign engine leaves
/// no replays, tables and crowds of an atlas: crowdtune's own simulator would show another crowd. `options.threads` is for drawing;
/// how many runs there are at once is the evaluator's business.
///
/// # Errors
/// As [`run_to_folder`]; if the log was started by another engine, or the evaluator fails.
pub fn run_to_folder_with(
    experiment: &Experiment,
    evaluator: &dyn Evaluate,
    folder: &Path,
    options: Options,
    observer: &mut dyn Observer,
    cancel: &AtomicBool,
) -> Result<RunOutput, Error> {
    if options.resume && inference_of(folder)?.is_some() {
        return Err(Error::input("the run folder holds a posterior, no search")
            .file(folder.display().to_string())
            .help("choose another folder with --out"));
    }
    if options.resume && folder.join(sensitivity::FILE).is_file() {
        return Err(Error::input("the run folder holds a design of `crowdtune sensitivity`, no search")
            .file(folder.display().to_string())
            .help("choose another folder with --out"));
    }
    // What is refused leaves no folder behind.
    check(experiment)?;
    let mut files = RunFolder::open(folder, experiment, evaluator.engine(), options.resume)?;
    let finished = evolve(experiment, evaluator, &mut files, observer, cancel)?;
    let results = Results::new(experiment, &finished);

    let summary = asked_again(results.summary(), repeats(experiment, &finished.trials));
    files.write_summary(&summary)?;
    let best = preset(experiment, &summary, results.recommended());
    files.write_preset(&best)?;
    if summary.front.is_some() {
        files.write_presets(&front_presets(experiment, &results))?;
    }
    let mut recorded = if experiment.simulates(summary.engine.as_deref()) {
        Recorded::simulate(experiment, evaluator, summary.shown, results.recommended(), options.threads)?
    } else {
        Recorded::default()
    };
    recorded.crowds = atlas::write(experiment, &results, &summary, &files, options.threads)?;
    recorded.write(&files)?;
    write_report(experiment, &summary, &finished.trials, &recorded, folder)?;
    files.is_there()?;
    let searched = Searched::new(folder.display().to_string(), &results);
    Ok(RunOutput { summary, best, searched, trials: finished.trials })
}

/// The summary with what the engine did when it was asked for a run again.
fn asked_again(mut summary: Summary, repeats: Option<bool>) -> Summary {
    summary.repeats = repeats;
    summary.verdict = judge(&summary);
    summary
}

/// Makes plots and `report.html` of a run folder again, from its experiment, its log and what was recorded.
///
/// # Errors
/// If a file cannot be read or written.
pub fn remake_report(experiment: &Experiment, log: Log, folder: &Path) -> Result<Summary, Error> {
    let run = Finished::of(experiment, log);
    // Nothing is simulated here, so what the engine did when it was asked again is taken over.
    let before = files::read(&folder.join("summary.json")).ok();
    let before: Option<Summary> = before.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let summary = asked_again(Results::new(experiment, &run).summary(), before.and_then(|before| before.repeats));
    let recorded = Recorded::read(folder, summary.atlas.is_some())?;
    write_report(experiment, &summary, &run.trials, &recorded, folder)?;
    Ok(summary)
}

/// Writes `plots/` and `report.html`.
fn write_report(
    experiment: &Experiment,
    summary: &Summary,
    trials: &[Trial],
    recorded: &Recorded,
    folder: &Path,
) -> Result<(), Error> {
    let (replays, tables) = (recorded.replays(), recorded.tables());
    let run = Run::new(summary, trials, &experiment.space, &replays)
        .with_tables(&tables)
        .with_crowds(recorded.crowds.as_ref())
        .of(experiment);
    let drawn = plots::all(&run);
    for (_, plot) in &drawn {
        files::write(&folder.join("plots").join(format!("{}.svg", plot.name)), plot.svg.as_bytes())?;
    }
    let lab = lab(experiment, summary);
    let simulator = lab.as_ref().map_or(Ok(None), |_| simulator())?;
    let extras = Extras { replays: recorded.pages(), experiment: experiment.resolved.clone(), lab, simulator };
    files::write(&folder.join("report.html"), html::page(&run, &drawn, &extras).as_bytes())
}

/// The defaults and the recommendation on the seed that recordings show, for the page to simulate.
fn lab(experiment: &Experiment, summary: &Summary) -> Option<Lab> {
    let case = experiment.cases.iter().position(|case| !case.held_out)?;
    let tuned = |(gene, of): (&Gene, &GeneSummary)| match &gene.axis {
        // A summary has the place of a choice in its list.
        Axis::Choice(values) => values.get(of.tuned as usize).copied().unwrap_or(of.tuned),
        _ => of.tuned,
    };
    let tuned: Vec<f64> = experiment.space.genes.iter().zip(&summary.genes).map(tuned).collect();
    let sides = vec![Side::new("defaults", experiment, &experiment.defaults), Side::new("tuned", experiment, &tuned)];
    Lab::new(experiment, case, summary.shown.map_or(0, ShownSeed::replica), sides)
}

/// A preset for each point of the front that fresh seeds left there, with the name of its file.
fn front_presets(experiment: &Experiment, results: &Results<'_>) -> Vec<(String, Preset)> {
    let points = results.points(|point| point.standing == Standing::Front);
    let named = points
        .into_iter()
        .map(|(id, summary, genome)| (format!("front-{id}"), preset(experiment, &summary, &genome).numbered(id)));
    named.collect()
}
