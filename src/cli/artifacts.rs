//! What a finished run leaves for people: replays, plots, the report, the table on stdout.

use super::input;
use crate::Error;
use crate::crowd::trajectory::Trajectory;
use crate::evolve::evaluate::{run_one, run_seed};
use crate::evolve::experiment::{Case, Experiment};
use crate::evolve::folder::RunFolder;
use crate::evolve::summary::Summary;
use crate::report::html::{Extras, page_with};
use crate::report::table::Terminal;
use crate::report::{ReplayFile, Run, plots, replay, table};
use crate::search::{Purpose, Trial};
use std::fs;
use std::io::IsTerminal as _;
use std::path::Path;

/// Replays are kept of so many cases. Chosen here: a report with more of them is slow to open.
const MOST_REPLAYS: usize = 4;

/// Records defaults and recommendation of the first cases on the first seed of the report, into `replays/`.
///
/// A run that fails is left out: the report says that trials failed.
///
/// # Errors
/// If a file cannot be written.
pub fn record(experiment: &Experiment, genome: &[f64], folder: &RunFolder) -> Result<(), Error> {
    let tuned = experiment.space.decode(genome);
    let cases = experiment.cases.iter().enumerate().filter(|(_, c)| !c.held_out).take(MOST_REPLAYS);
    for (at, case) in cases {
        let seed = run_seed(experiment.search.seed, Purpose::Report, &case.table, 0);
        let runs: Vec<(&str, Trajectory)> = [("defaults", &experiment.defaults), ("tuned", &tuned)]
            .into_iter()
            .filter_map(|(label, genes)| {
                let mut track = Trajectory::every(experiment.timing.record_every_s);
                run_one(experiment, at, genes, seed, Some(&mut track)).ok().map(|_| (label, track))
            })
            .collect();
        let file = replay_file(experiment, case, &runs.iter().map(|(l, t)| (*l, t)).collect::<Vec<_>>());
        let stem = plots::file_stem(&case.name);
        folder.write(&format!("replays/{stem}.json"), &json(&file))?;
        folder.write(&format!("replays/{stem}.html"), replay::page(&file).as_bytes())?;
    }
    Ok(())
}

/// The replay of some recordings of one case.
pub fn replay_file(experiment: &Experiment, case: &Case, runs: &[(&str, &Trajectory)]) -> ReplayFile {
    let groups: Vec<String> = case.scenario.groups.iter().map(|g| g.name.clone()).collect();
    let title = format!("{}: {}", experiment.title, case.name);
    let columns = experiment.columns.iter().zip(&case.columns);
    let places = columns.filter_map(|(column, here)| Some((column.name.as_str(), here.as_ref()?.at.as_ref()?)));
    ReplayFile::new(&title, &case.scenario.world.plan, &groups, runs)
        .measured(&places.collect::<Vec<_>>())
        .marking(&case.scenario.groups)
}

/// Makes plots and report from what the run folder holds.
///
/// # Errors
/// If a file cannot be read or written.
pub fn report(experiment: &Experiment, summary: &Summary, trials: &[Trial], folder: &Path) -> Result<(), Error> {
    let mut names = Vec::new();
    if let Ok(found) = fs::read_dir(folder.join("replays")) {
        names.extend(found.flatten().map(|f| f.path()).filter(|p| p.extension().is_some_and(|e| e == "json")));
    }
    names.sort();
    let mut replays = Vec::new();
    for name in &names {
        let file: ReplayFile = serde_json::from_slice(&input::bytes(name)?).map_err(|e| {
            Error::input(format!("not a replay: {e}"))
                .file(name.display().to_string())
                .help("delete it and make the report again")
        })?;
        replays.push(file);
    }
    let run = Run::new(summary, trials, &experiment.space, &replays);
    let drawn = plots::all(&run);
    for plot in &drawn {
        input::write(&folder.join("plots").join(format!("{}.svg", plot.name)), plot.svg.as_bytes())?;
    }
    let pages = names.iter().filter_map(|p| {
        let stem = p.file_stem()?.to_str()?;
        Some((stem.to_string(), format!("replays/{stem}.html")))
    });
    let extras = Extras { replays: pages.collect(), experiment: experiment.resolved.clone() };
    input::write(&folder.join("report.html"), page_with(&run, &drawn, &extras).as_bytes())
}

/// The result table for stdout.
pub fn table(summary: &Summary, folder: &Path) -> String {
    table::result(summary, &folder.join("report.html").display().to_string(), terminal())
}

/// What stdout can show; comfy-table finds the width of a terminal by itself.
pub fn terminal() -> Terminal {
    let color = std::io::stdout().is_terminal();
    Terminal { width: std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()), color }
}

fn json<T: serde::Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("replays have string keys only")
}
