//! Plots and report of a run, from memory or from its folder.

use super::files;
use super::record::Recorded;
use crate::evolve::experiment::Experiment;
use crate::evolve::run::stopped;
use crate::evolve::summarize;
use crate::evolve::summary::Summary;
use crate::report::html::{self, Extras};
use crate::report::{Run, plots};
use crowdtune_core::Error;
use crowdtune_search::Trial;
use std::path::Path;

/// Makes plots and `report.html` of a run folder again, from its experiment, the rows of its log and what was recorded.
///
/// # Errors
/// If a file cannot be read or written.
pub fn remake_report(experiment: &Experiment, trials: &[Trial], folder: &Path) -> Result<Summary, Error> {
    let summary = summarize(experiment, trials, stopped(experiment, trials));
    let recorded = Recorded::read(folder, summary.atlas.is_some())?;
    write(experiment, &summary, trials, &recorded, folder)?;
    Ok(summary)
}

/// Writes `plots/` and `report.html`.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write(
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
    let extras = Extras { replays: recorded.pages(), experiment: experiment.resolved.clone() };
    files::write(&folder.join("report.html"), html::page(&run, &drawn, &extras).as_bytes())
}
