//! The pipeline: search, check on fresh seeds, and every file that a run leaves.

use super::record::Recorded;
use super::run_folder::RunFolder;
use super::{atlas, report};
use crate::evolve::compare::Searched;
use crate::evolve::evaluate::Pool;
use crate::evolve::experiment::Experiment;
use crate::evolve::preset::{Preset, preset};
use crate::evolve::run::{Observer, evolve};
use crate::evolve::summary::{Standing, Summary};
use crate::evolve::{Results, sensitivity};
use crowdtune_core::Error;
use crowdtune_search::Trial;
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
    if options.resume && folder.join(sensitivity::FILE).is_file() {
        return Err(Error::input("the run folder holds a design of `crowdtune sensitivity`, no search")
            .file(folder.display().to_string())
            .help("choose another folder with --out"));
    }
    let mut files = RunFolder::open(folder, experiment, options.resume)?;
    let pool = Pool::new(experiment, options.threads, cancel)?;
    let finished = evolve(experiment, &pool, &mut files, observer, cancel)?;
    let results = Results::new(experiment, &finished.trials, finished.stopped);

    let summary = results.summary();
    files.write_summary(&summary)?;
    let best = preset(experiment, &summary, results.recommended());
    files.write_preset(&best)?;
    if summary.front.is_some() {
        files.write_presets(&front_presets(experiment, &results))?;
    }
    let mut recorded = Recorded::simulate(experiment, results.recommended());
    recorded.crowds = atlas::write(experiment, &results, &summary, &files, options.threads)?;
    recorded.write(&files)?;
    report::write(experiment, &summary, &finished.trials, &recorded, folder)?;
    let searched = Searched::new(folder.display().to_string(), &results);
    Ok(RunOutput { summary, best, searched, trials: finished.trials })
}

/// A preset for each point of the front that fresh seeds left there, with the name of its file.
fn front_presets(experiment: &Experiment, results: &Results<'_>) -> Vec<(String, Preset)> {
    let points = results.points(|point| point.standing == Standing::Front);
    let named = points
        .into_iter()
        .map(|(id, summary, genome)| (format!("front-{id}"), preset(experiment, &summary, &genome).numbered(id)));
    named.collect()
}
