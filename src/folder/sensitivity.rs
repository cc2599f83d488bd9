//! A design of experiments run to all the files it leaves.

use super::asked::design_of;
use super::run::Options;
use super::run_folder::{RunFolder, pretty};
use crate::evolve::evaluate::{Evaluate as _, Pool};
use crate::evolve::experiment::Experiment;
use crate::evolve::log;
use crate::evolve::run::Observer;
use crate::evolve::sensitivity::{Design, FILE, Sensitivity, prepare, run, summarize};
use crate::files;
use crate::report::plots::effects;
use crate::report::sensitivity::{csv, page};
use crowdtune_core::Error;
use crowdtune_search::Trial;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Runs a design, or continues it where its log ends, and leaves a folder with its rows, figures, plots and `report.html`.
/// The experiment is prepared for it: its log has as many search trials as the design has rows.
///
/// # Errors
/// If the experiment cannot be asked so; if the folder exists and `resume` is not set, holds something else or cannot be
/// written; if most trials failed, or `cancel` was set.
pub fn sensitivity_to_folder(
    experiment: &mut Experiment,
    design: Design,
    folder: &Path,
    options: Options,
    observer: &mut dyn Observer,
    cancel: &AtomicBool,
) -> Result<Sensitivity, Error> {
    design.check(experiment)?;
    prepare(experiment, design);
    if options.resume {
        check_resumed(folder, design)?;
    }
    let pool = Pool::new(experiment, options.threads, cancel)?;
    let mut files = RunFolder::open(folder, experiment, pool.engine(), options.resume)?;
    files.write(FILE, &serde_json::to_vec_pretty(&design).expect("a word and a number"))?;
    let trials = run(experiment, design, &pool, &mut files, observer, cancel)?;
    let found = summarize(experiment, design, &trials)?;
    write(experiment, &found, folder)?;
    files.is_there()?;
    Ok(found)
}

/// Before the design is written over: a folder of another method, or of a search, stays what it is.
fn check_resumed(folder: &Path, design: Design) -> Result<(), Error> {
    let refused = |what: String, help: &str| Err(Error::input(what).file(folder.display().to_string()).help(help));
    match design_of(folder)? {
        Some(old) if old.method != design.method => refused(
            format!("the run folder holds a design of the other method, with {} samples", old.samples),
            "resume it with its --method, or choose another folder with --out",
        ),
        None if fs::metadata(folder.join(log::FILE)).is_ok_and(|log| log.len() > 0) => {
            refused("the run folder holds a search, and no design".into(), "choose another folder with --out")
        }
        Some(old) if old.samples > design.samples => refused(
            format!("the run folder holds {} samples, more than the {} asked for", old.samples, design.samples),
            "resume with --samples as large as before, or larger",
        ),
        _ => Ok(()),
    }
}

/// Makes figures, plots and report of a design again, from its experiment and the rows of its log.
///
/// # Errors
/// If rows are missing, most trials failed, or something cannot be written.
pub fn remake_sensitivity(
    experiment: &mut Experiment,
    design: Design,
    trials: &[Trial],
    folder: &Path,
) -> Result<Sensitivity, Error> {
    prepare(experiment, design);
    let rows = design.rows(experiment.space.len());
    if (trials.len() as u64) < rows {
        return Err(Error::input(format!("the design has {rows} rows, the log {} of them", trials.len()))
            .file(folder.display().to_string())
            .help("finish it with `crowdtune sensitivity EXPERIMENT --resume` and its --method and --samples"));
    }
    let found = summarize(experiment, design, trials)?;
    write(experiment, &found, folder)?;
    Ok(found)
}

fn write(experiment: &Experiment, found: &Sensitivity, folder: &Path) -> Result<(), Error> {
    files::write(&folder.join("sensitivity.json"), &pretty(found))?;
    files::write(&folder.join("sensitivity.csv"), csv(found).as_bytes())?;
    let plots = effects::plots(found);
    // An earlier design may have left others.
    let _ = fs::remove_dir_all(folder.join("plots"));
    for plot in plots.iter().flatten() {
        files::write(&folder.join("plots").join(format!("{}.svg", plot.name)), plot.svg.as_bytes())?;
    }
    files::write(&folder.join("report.html"), page(found, &plots, &experiment.resolved).as_bytes())
}
